"""What things cost, measured on the machine at hand: ``python -m tests.bench``, one file for each section."""
