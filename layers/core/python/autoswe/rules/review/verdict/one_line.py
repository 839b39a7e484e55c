"""Makes one bounded line of text that a reviewer wrote, for files, logs and reports (review §8.3)."""

import unicodedata

import re2

MAX_SUMMARY_CHARACTERS = 600

_COLONS = re2.compile("::+")
_RUNNER_COMMAND = "##["


def one_line(text: str, limit: int) -> str:
    """Return a text as one line of at most ``limit`` characters.

    Control, formatting and unassigned characters and white space of any kind become single spaces. What a runner of
    GitHub Actions would take for a command in a log (``::``, ``##[``) is taken apart. It says the same, and can still
    hold Markdown and mentions: a comment shows it through ``neutralise``.
    """
    folded = "".join(" " if unicodedata.category(char)[0] == "C" else char for char in text)
    line = " ".join(folded.split()).replace(_RUNNER_COMMAND, "## [")
    apart = _COLONS.sub(lambda match: " ".join(match[0]), line)
    return str(apart)[:limit].rstrip()
