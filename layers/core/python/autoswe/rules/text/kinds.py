"""The states a text can be in; mypy refuses a text in the wrong state (feedback §4).

``Untrusted`` came from a person, a bot or a model and was looked at by nobody.
``Screened`` is bounded, free of HTML comments, and passed the injection screen.
``Fenced`` is screened text inside a labelled block that marks it as data; only this reaches a model.
``Neutralised`` shows as plain text on GitHub: no mention, link, command or markup of it is alive; only this reaches a
comment.
"""

from typing import NewType

Untrusted = NewType("Untrusted", str)
Screened = NewType("Screened", str)
Fenced = NewType("Fenced", str)
Neutralised = NewType("Neutralised", str)
