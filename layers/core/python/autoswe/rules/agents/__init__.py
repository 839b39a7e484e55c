"""What every agent is asked to answer, and what it says that it cost."""
