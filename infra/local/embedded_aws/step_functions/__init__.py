"""Step Functions, on moto's engine."""
