"""Changed files as a host would list them, made from what a file held before and holds after."""

from difflib import unified_diff

from autoswe.rules.review.diff.changed_files import REGULAR, ChangedFile, Side


def changed(
    path: str,
    old: str | None,
    new: str | None,
    *,
    previous_path: str | None = None,
    sides: bool = False,
    modes: tuple[str, str] = (REGULAR, REGULAR),
    context: int = 3,
) -> ChangedFile:
    """Build the entry of a file; none for a side means that the file does not exist there."""
    lines = list(unified_diff(_lines(old), _lines(new), n=context, lineterm=""))[2:]
    return ChangedFile(
        path=path,
        status="added" if old is None else "removed" if new is None else "renamed" if previous_path else "modified",
        additions=sum(line.startswith("+") for line in lines),
        deletions=sum(line.startswith("-") for line in lines),
        patch="\n".join(lines) if lines else None,
        previous_path=previous_path,
        base=Side(modes[0], old) if sides and old is not None else None,
        head=Side(modes[1], new) if sides and new is not None else None,
    )


def added_to(path: str, *lines: str, under: str = "", sides: bool = False) -> ChangedFile:
    """Build the entry of a file that gains lines below others."""
    return changed(path, under, "\n".join((under, *lines)) if under else "\n".join(lines), sides=sides)


def _lines(text: str | None) -> list[str]:
    return (text or "").removesuffix("\n").split("\n") if text else []
