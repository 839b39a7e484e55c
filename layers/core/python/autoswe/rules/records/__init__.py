"""What the platform's own records say: triggers, origins, runs, automations, decisions."""
