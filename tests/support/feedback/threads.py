"""Builders for what a host says of review threads."""

from autoswe.rules.github.facts import Author, Edit, Thread, ThreadComment

HEAD = "a" * 40
REVIEWER = Author(account_id=5, login="reviewer", is_bot=False)
STRANGER = Author(account_id=6, login="stranger", is_bot=False)


def comment(
    body: str,
    *,
    author: Author | None = REVIEWER,
    comment_id: int = 100,
    hunk: str = "",
    edit: Edit | None = None,
) -> ThreadComment:
    """Build a submitted, visible comment; the hunk's first row is its header."""
    return ThreadComment(
        comment_id=comment_id,
        author=author,
        body=body,
        minimized=False,
        pending=False,
        original_commit=HEAD,
        diff_hunk=hunk,
        edit=edit,
    )


def thread(*comments: ThreadComment, path: str = "a.py", line: int | None = 2, start_line: int | None = None) -> Thread:
    """Build an open thread on the new side of the diff."""
    return Thread(
        thread_id=f"PRRT_{comments[0].comment_id if comments else 0}",
        resolved=False,
        outdated=False,
        path=path,
        start_line=start_line,
        line=line,
        right_side=True,
        line_level=line is not None,
        comments=comments,
    )
