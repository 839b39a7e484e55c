"""Which names Step Functions accepts for a state machine or an execution."""

import unicodedata

MAX_NAME_CHARACTERS = 80
_FORBIDDEN = frozenset('<>{}[]?*"#%\\^|~`$&,;:/')
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zs", "Zl", "Zp"})
_NONCHARACTERS = frozenset({"\ufffe", "\uffff", "\U0010ffff"})


def refusal(name: str | None) -> str | None:
    """Say in one sentence why AWS refuses the name, or ``None`` when it takes it (StartExecution, API reference).

    A missing name is refused as well: AWS would make one up, and a name made up starts the same work twice.
    """
    if not name:
        return "an execution needs a name"
    if len(name) > MAX_NAME_CHARACTERS:
        return f"the name {name!r} has {len(name)} characters, and {MAX_NAME_CHARACTERS} are allowed"
    for character in name:
        if (
            character in _FORBIDDEN
            or character in _NONCHARACTERS
            or unicodedata.category(character) in _FORBIDDEN_CATEGORIES
        ):
            return f"the name {name!r} contains {character!r}, which is not allowed"
    return None
