"""What scheduled reviews decide: which pull requests are looked at, and which of them are approved."""
