"""The review container: a reviewer reads one pull request and says how much it needs a person (review §7)."""
