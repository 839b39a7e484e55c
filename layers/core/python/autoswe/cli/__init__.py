"""The autoswe command line."""
