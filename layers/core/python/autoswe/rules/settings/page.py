"""The page that describes every setting, made from the registry (feedback §6)."""

from typing import Any

from autoswe.rules.settings.registry import REGISTRY, Override, Scope, Setting

_HEAD = """\
# Settings

Made from the registry by `autoswe settings describe`; a test compares. What each setting is part of is told in
[feedback.md](spec/feedback.md), §6, and [review.md](spec/review.md), §15.

A repository's record may name its organisation, and a team of that organisation. A setting's value is looked for at the
team, then at the organisation, then at the platform, and the first that is stored counts; where a list *adds up*, those
of all three count together. A platform-wide setting has one value for everybody. Without a stored value the default
counts. A stored value that is not allowed is never used, nor is another in its place: a switch is off, a limit lets no
round start, and a list of branches names every branch.

```sh
export AUTOSWE_TABLE=... AWS_REGION=...
autoswe settings list --organization acme --team tools
autoswe settings set github.prFeedbackAutomationsEnabled on --by you
autoswe settings set github.prFeedbackAutomationsEnabled off --organization acme --team tools --by you
autoswe settings unset github.prFeedbackAutomationsEnabled --organization acme --team tools --by you
```

Who changed a value, when, and what it was before is kept with it. What an organisation has spent is recorded by whoever
reads its bills (`autoswe settings spending 120 --organization acme --by you`): what a container says of its own usage
is not believed.

*Not used yet:* everything of `qodo`, and `agentRuns.maxConcurrent`, which is for whatever starts agent runs: no round
does.

| setting | value | default | set for | effect |
| --- | --- | --- | --- | --- |
"""

_SET_FOR = {Scope.ADMIN: "platform", Scope.ORGANIZATION: "organisation", Scope.TEAM: "team"}


def settings_page() -> str:
    """Write the page, in Markdown."""
    return _HEAD + "".join(map(_row, REGISTRY.values()))


def _row(setting: Setting[Any]) -> str:
    set_for = ", ".join(_SET_FOR[scope] for scope in setting.scopes)
    if setting.override is Override.ADDS:
        set_for += "; adds up"
    default = "none" if setting.default in (None, ()) else f"`{setting.kind.show(setting.default)}`"
    allowed = setting.kind.allowed.replace("*", "`*`")
    return f"| `{setting.name}` | {allowed} | {default} | {set_for} | {setting.effect} |\n"
