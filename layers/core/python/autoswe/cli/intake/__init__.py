"""Commands about automations, deliveries and reported runs."""
