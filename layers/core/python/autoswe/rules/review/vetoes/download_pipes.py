"""Finds commands that run what they download: ``curl … | sh`` in all its spellings (review §8.2).

Whatever feeds a download to something that runs its input counts: a pipe of any length, a process substitution, a
command substitution that is run, and PowerShell's ways. A download that is only read, searched or saved does not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import re2

from autoswe.rules.review.diff.script_lines import Row, commands

LONGEST_COMMAND = 20_000
"""A longer command that downloads and pipes is not followed: it counts as running what it downloads."""

_DOWNLOAD = re2.compile(
    r"(?i)(?:^|[^\w.\-])(?:(?:curl|wget2?|aria2c|axel|lynx|xh|iwr|irm|invoke-webrequest|invoke-restmethod)(?:\.exe)?"
    r"|\.?download(?:string|data))(?:$|[^\w\-])"
)
_SHELLS = frozenset(
    (
        "sh",
        "bash",
        "rbash",
        "zsh",
        "dash",
        "ash",
        "ksh",
        "mksh",
        "oksh",
        "yash",
        "fish",
        "csh",
        "tcsh",
        "elvish",
        "xonsh",
    )
) | frozenset(("nu", "pwsh", "powershell", "cmd", "iex", "invoke-expression"))
_PROGRAMS = frozenset(
    ("python", "ipython", "pypy", "perl", "ruby", "php", "node", "nodejs", "deno", "bun", "lua", "luajit", "tclsh")
) | frozenset(("expect", "rscript", "guile", "osascript", "groovy", "julia"))
_RELEASE = "0123456789."
# Words are short and these patterns plain: the standard library takes linear time, and is the faster one.
_SHELL_VARIABLE = re.compile(r"\$\{?(?:\w*sh|\w*shell|bash\w*|0)\}?")
_SKIPPED = re.compile(r"\w++=.*|[<>&\d].*|[-!%@&]*+|.*:")
"""What may stand before a command's name: assignments, redirections, marks, and the key of a YAML entry."""
_WRAPPERS = (
    frozenset(
        ("sudo", "doas", "env", "nice", "ionice", "timeout", "nohup", "time", "exec", "command", "builtin", "stdbuf")
    )
    | frozenset(
        (
            "xargs",
            "ssh",
            "docker",
            "podman",
            "kubectl",
            "chroot",
            "su",
            "setsid",
            "busybox",
            "toybox",
            "unshare",
            "nsenter",
        )
    )
    | frozenset(
        ("runuser", "flock", "parallel", "uv", "poetry", "pipenv", "npx", "then", "do", "else", "if", "while", "until")
    )
    | frozenset({"foreach-object"})
)
_EVALUATORS = frozenset({"eval", "iex", "invoke-expression", "scriptblock]::create"})
_COMMAND_STARTS = frozenset({"run:", "then", "do", "else", "exec", "sudo", "&"})
_SOURCING = frozenset({"source", "."})
_STANDARD_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
# An option that takes the program as its value, so that standard input is only data: -c, -m, -ne, --eval ...
_TAKES_PROGRAM = re.compile(r"-[A-Za-z]*[cemnpr]|--(?:command|eval|print)\b.*")
_RUNS_TEXT = re.compile(r"\b(?:exec|eval|compile|instance_eval|iex)\b", re.IGNORECASE)
# Fixed words only, so the standard library takes time linear in the text, and is the faster one to walk with.
_SEPARATOR = re.compile(r"""\|\||\|&|\||&&|; ?\}|;|\$\(|[<>]\(|\(|\)|\{ | \}|`|["']""")
_FEEDS = re.compile(r"[|(<>`{]")
_QUOTES = str.maketrans("", "", "\"'\\^")
_OPENING = frozenset({"$(", "<(", ">(", "(", "{"})


def piped_downloads(rows: Sequence[Row], comment_mark: str) -> Iterator[str]:
    """Give each command that runs a download and that a changed row belongs to, white space made single spaces.

    ``comment_mark`` is what begins a comment there (``script_lines.comment_mark``).
    """
    if not may_run_download("\n".join(text for text, _ in rows)):
        return
    judged: dict[str, bool] = {}
    for command in commands(rows, comment_mark):
        if command.changed:
            if command.text not in judged:
                judged[command.text] = runs_download(command.text)
            if judged[command.text]:
                yield command.text


def may_run_download(text: str) -> bool:
    """Say whether a text holds a download at all, and something that could feed it to an interpreter."""
    return bool(_FEEDS.search(text) and _DOWNLOAD.search(text.translate(_QUOTES)))


def runs_download(command: str) -> bool:
    """Say whether one logical line, white space made single spaces, runs what it downloads; quotes hide nothing."""
    if not may_run_download(command):
        return False
    if len(command) > LONGEST_COMMAND:
        return any(sign in command for sign in ("|", "(", "`"))
    return _Walk(command).finds_run()


@dataclass(slots=True)
class _Group:
    """A group of commands that is still open: ``opening`` began it, and what it downloads is run where ``runs``."""

    opening: str
    runs: bool
    downloading: bool


class _Walk:
    """Follows pipes and substitutions through a command; a download anywhere in a group feeds what reads the group."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._groups = [_Group("", runs=False, downloading=False)]
        self._fed = False
        self._quote = ""

    def finds_run(self) -> bool:
        start = 0
        for match in _SEPARATOR.finditer(self._command):
            separator = match[0].strip()
            if separator in {'"', "'"}:
                self._quote = ("" if self._quote == separator else self._quote) if self._quote else separator
                continue
            words = self._words(start, match.start())
            if self._runs(words):
                return True
            start = match.end()
            self._pass(separator, words)
        return self._runs(self._words(start, len(self._command)))

    def _words(self, start: int, end: int) -> list[str]:
        return self._command[start:end].translate(_QUOTES).split()

    def _runs(self, words: list[str]) -> bool:
        group = self._groups[-1]
        if group.downloading and self._fed and _runs_its_input(words):
            return True
        if _DOWNLOAD.search(" ".join(words)):
            group.downloading = True
        return group.downloading and group.runs

    def _pass(self, separator: str, words: list[str]) -> None:
        group = self._groups[-1]
        if separator == "`":
            separator = ")" if group.opening == "`" else "`"
        if separator in _OPENING or separator == "`":
            fed = separator == ">(" or (self._fed and not _name_and_rest(words)[0])
            runs = group.runs or _runs_group(separator, words)
            self._groups.append(_Group(separator, runs, fed and group.downloading))
            self._fed = fed
        elif separator[-1] in ")}":
            if len(self._groups) > 1:
                closed = self._groups.pop()
                self._groups[-1].downloading |= closed.downloading
            self._fed = False
        else:
            self._fed = separator in {"|", "|&"}
            if not self._fed and len(self._groups) == 1 and not self._quote:
                group.downloading = False


def _runs_group(opening: str, words: list[str]) -> bool:
    """Say whether the command so far runs what the group that opens now gives."""
    name, rest = _name_and_rest(words)
    last = _bare(words[-1]) if words else ""
    if {name, last} & _EVALUATORS:
        return True
    interprets = _is_shell(name) or _is_program(name)
    if opening == "<(":
        return (interprets or name in _SOURCING) and all(word.startswith("-") for word in rest)
    if opening in {"$(", "`"}:
        if interprets:
            return words[-1].endswith("<<<") or bool(_TAKES_PROGRAM.fullmatch(words[-1]))
        return not words or words[-1].lower() in _COMMAND_STARTS
    return False


def _runs_its_input(words: list[str]) -> bool:
    """Say whether a command runs what it reads from its standard input."""
    name, rest = _name_and_rest(words)
    if name in _SOURCING:
        return bool(_STANDARD_INPUT & set(rest))
    if _is_program(name):
        return _runs_program(rest)
    return _is_shell(name) or bool(_SHELL_VARIABLE.fullmatch(name))


def _name_and_rest(words: list[str]) -> tuple[str, Sequence[str]]:
    """Name the program that a command starts, behind wrappers such as ``sudo``, and give the words after it."""
    wrapped = False
    for place, word in enumerate(words):
        name = _bare(word)
        if name in _WRAPPERS:
            wrapped = True
        elif wrapped and not (_is_shell(name) or _is_program(name) or name in _SOURCING):
            continue
        elif not _SKIPPED.fullmatch(word):
            return name, words[place + 1 :]
    return "", ()


def _is_shell(name: str) -> bool:
    return name.rstrip(_RELEASE) in _SHELLS


def _is_program(name: str) -> bool:
    return name.rstrip(_RELEASE) in _PROGRAMS


def _bare(word: str) -> str:
    """Return a program's name without its folder and what other languages put around it."""
    plain = word.strip(",;)]}({%!@[&").partition("<")[0].partition(">")[0]
    return plain.rpartition("/")[2].lower().removesuffix(".exe")


def _runs_program(options: Sequence[str]) -> bool:
    for option in options:
        if option in _STANDARD_INPUT:
            return True
        if _TAKES_PROGRAM.fullmatch(option):
            return bool(_RUNS_TEXT.search(" ".join(options)))
        if not option.startswith(("-", "<", ">", "2")):
            return False
    return True
