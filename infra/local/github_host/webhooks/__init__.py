"""Webhooks: what they say, how they are signed, sent, recorded and sent again."""
