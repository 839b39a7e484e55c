"""Removes HTML comments: what a reader of the page cannot see must not reach a model (feedback §4)."""

_OPENING = "<!--"
_CLOSING = "-->"
_SEAM = len(_OPENING) - 1


def strip_html_comments(text: str) -> str:
    """Remove every HTML comment, also one that only appears once another is removed.

    A comment ends at the first ``-->`` after its opening; one that never ends takes the rest of the text with it.
    Where renderers disagree on the end (``<!-->``, ``--!>``) the longer reading is removed. The result holds no
    ``<!--``. Takes time linear in the text.
    """
    kept: list[str] = []
    position = 0
    while True:
        tail = "".join(kept[-_SEAM:])
        assembled = (tail + text[position : position + _SEAM]).find(_OPENING)
        if assembled != -1:
            opening = position + assembled - len(tail)
            del kept[assembled - len(tail) :]
        else:
            opening = text.find(_OPENING, position)
            kept.extend(text[position : opening if opening != -1 else None])
        closing = text.find(_CLOSING, opening + len(_OPENING)) if opening != -1 else -1
        if closing == -1:
            return "".join(kept)
        position = closing + len(_CLOSING)
