"""A piece of pattern that the screen's rules about words share."""


def up_to(count: int) -> str:
    """Match up to so many words between two that matter; none crosses the end of a sentence."""
    return rf"(?:\w+ ){{0,{count}}}"
