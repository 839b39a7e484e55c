"""How a container ends when it cannot do its work."""


class TaskFailed(Exception):
    """Ends a container; the message is the one sentence that its log shows, saying what was wrong and where."""
