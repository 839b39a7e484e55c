"""A command is a visible line of its own that a person wrote, and nothing else is (feedback §1)."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.records.commands import BODY_LIMIT, Command, find_command

F = "`" * 3
COMMAND = "/auto-swe fix"

COMMANDS = {
    "alone": COMMAND,
    "white space around it": f"  {COMMAND} \t ",
    "CRLF": f"Please.\r\n{COMMAND}\r\nThanks.\r\n",
    "a paragraph of its own": f"Please.\n\n{COMMAND}\n\nThanks.",
    "a line inside a paragraph": f"Please.\n{COMMAND}\nThanks.",
    "an indented line that continues a paragraph": f"Please.\n        {COMMAND}",
    "a hard line break after it": f"{COMMAND}\\\nThanks.",
    "after code": f"{F}py\nx\n{F}\n{COMMAND}",
    "after a code span": f"Use `Option<T>` here.\n\n{COMMAND}",
    "after a quotation and a blank line": f"> Why?\n\n{COMMAND}",
    "after an HTML comment": f"<!-- template -->\n\n{COMMAND}",
    "after a comment that names an element": f"<!-- <details> -->\n\n{COMMAND}",
    "after an image": f'<img src="x.png">\n\n{COMMAND}',
    "after a closed element": f"<details>\n\nlog\n\n</details>\n\n{COMMAND}",
    "after an element in an element, both closed": f"<div><div></div></div>\n\n{COMMAND}",
    "after a closed element on the line before": f"Press <kbd>x</kbd>.\n{COMMAND}",
    "after a closing tag that opened nothing": f"</details>\n\n{COMMAND}",
    "after a footnote and a blank line": f"[^1]: Note.\n\n{COMMAND}",
    "twice": f"{COMMAND}\n{COMMAND}",
    "after something that is no command": f"/auto-swe help\n{COMMAND}",
}

NOTHING = {
    "no sub-command": "/auto-swe",
    "an unknown sub-command": "/auto-swe approve",
    "words after it": f"{COMMAND} this",
    "a full stop after it": f"{COMMAND}.",
    "words before it": f"Please {COMMAND}",
    "a mention before it": f"@bot {COMMAND}",
    "another letter case": "/Auto-SWE fix",
    "the sub-command in another letter case": "/auto-swe Fix",
    "a longer word": "/auto-swe fixes",
    "a longer prefix": "/auto-swefix",
    "a look-alike letter": "/auto-sw\u0435 fix",
    "a hidden character": "/auto-swe\u200b fix",
    "broken over two lines": "/auto-swe\nfix",
    "an escape in it": "/auto-swe\\ fix \\/auto-swe fix",
    "an escape at its start": f"\\{COMMAND}",
    "an entity in it": "&#47;auto-swe fix",
    "an entity for its space": "/auto-swe&#32;fix",
    "a code span": f"`{COMMAND}`",
    "a code span before it": f"`x`{COMMAND}",
    "an image before it": f"![x](https://example.com/x.png){COMMAND}",
    "a code span over several lines": f"See `a\n{COMMAND}\nb`.",
    "a fenced block": f"{F}\n{COMMAND}\n{F}",
    "a block fenced with tildes": f"~~~\n{COMMAND}\n~~~",
    "a fence that is never closed": f"{F}\n\n{COMMAND}",
    "an indented block": f"    {COMMAND}",
    "an indented block behind a tab": f"\t{COMMAND}",
    "a quotation": f"> {COMMAND}",
    "a lazily continued quotation": f"> Why?\n{COMMAND}",
    "a list item": f"- {COMMAND}",
    "a lazily continued list item": f"1. First\n{COMMAND}",
    "a heading": f"# {COMMAND}",
    "an underlined heading": f"{COMMAND}\n---",
    "a table": f"| a |\n|---|\n{COMMAND}",
    "an HTML comment": f"<!-- {COMMAND} -->",
    "an HTML comment over several blocks": f"<!--\n\n{COMMAND}\n\n-->",
    "an HTML comment inside a paragraph": f"Text <!--\n{COMMAND}\n--> text",
    "an HTML block": f"<div>\n{COMMAND}\n</div>",
    "an element that holds Markdown": f"<details>\n\n{COMMAND}\n\n</details>",
    "an element that is never closed": f"<blockquote>\n\n{COMMAND}",
    "an element closed by another's tag": f"<details>\n\n</div>\n\n{COMMAND}",
    "an element closed once of twice": f"<div><div></div>\n\n{COMMAND}",
    "an element closed twice of three times": f"<div><div><div></div></div>\n\n{COMMAND}",
    "an element in another letter case": f"<DETAILS>\n\n{COMMAND}\n\n</DETAILS>",
    "an element inside a line": f"Text <del>\n{COMMAND}\n</del>",
    "an element left open by a table": f"| <details> |\n|---|\n\n{COMMAND}",
    "a link": f"[a\n{COMMAND}\nb](https://example.com)",
    "a link's title": f'[a]: https://example.com "b\n{COMMAND}\n"',
    "emphasis": f"*a\n{COMMAND}\nb*",
    "emphasis that holds a code span": f"*a `b`\n{COMMAND}\nc*",
    "struck-out text": f"~~a\n{COMMAND}\nb~~",
    "a footnote": f"[^1]: {COMMAND}",
    "a continued footnote": f"[^1]: https://example.com\n{COMMAND}",
    "a footnote continued by several lines": f"[^1]: a\nX\n{COMMAND}",
    "a footnote continued by a line that only looks empty": f"[^1]: a\n\u00a0\n{COMMAND}",
    "a footnote inside a paragraph": f"a\n[^1]: b\n{COMMAND}",
    "a footnote in a quotation": f"> [^1]: https://example.com\n{COMMAND}",
    "a path": "see src/auto-swe fix",
    "nothing": "",
}


@pytest.mark.parametrize("body", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_visible_line_of_its_own_is_a_command(body: str) -> None:
    assert find_command(body) is Command.FIX


@pytest.mark.parametrize("body", NOTHING.values(), ids=NOTHING.keys())
def test_anything_else_is_nothing(body: str) -> None:
    assert find_command(body) is None


def test_a_command_beyond_the_bound_is_not_read() -> None:
    filler = "x" * 62 + "\n\n"
    assert find_command(filler * (BODY_LIMIT // len(filler) - 1) + COMMAND) is Command.FIX
    assert find_command(filler * (BODY_LIMIT // len(filler)) + COMMAND) is None
    assert find_command(filler * (BODY_LIMIT // len(filler)) + COMMAND + "\n\nThanks.") is None


def test_every_whole_line_within_the_bound_is_read_and_the_line_that_crosses_it_is_not() -> None:
    before = "x" * (BODY_LIMIT - len(COMMAND) - 100) + "\n\n"
    assert find_command(f"{before}{COMMAND}\n{'x' * 200}") is Command.FIX


def test_the_bound_never_makes_a_command_of_a_longer_line() -> None:
    before = "x" * (BODY_LIMIT - len(COMMAND) - 2) + "\n\n"
    assert find_command(before + COMMAND) is Command.FIX
    assert find_command(before + COMMAND + "tures") is None


PROSE = st.text(alphabet="abc ,.\u00e9\u4e00", min_size=1).map(str.strip).filter(bool)
PARAGRAPHS = st.lists(PROSE, max_size=4).map("\n\n".join)


@given(PARAGRAPHS, PARAGRAPHS)
def test_a_command_is_found_whatever_prose_surrounds_it(before: str, after: str) -> None:
    assert find_command(f"{before}\n\n{COMMAND}\n\n{after}") is Command.FIX
    assert find_command(f"{before}\n\n{COMMAND} now\n\n{after}") is None


@given(st.text(alphabet="`~<>!-[]()*_\\&#;:^|ab \t\r\n"), st.text(alphabet="`~<>!-[]()*_\\&#;:^|ab \t\r\n"))
def test_only_a_body_with_the_exact_line_gives_a_command(before: str, after: str) -> None:
    body = before + COMMAND + after
    lines = [line.strip().removesuffix("\\") for line in body.replace("\r", "\n").split("\n")]
    assert find_command(body) is None or COMMAND in lines


@given(st.text())
def test_text_without_the_prefix_never_gives_a_command(body: str) -> None:
    assert find_command(body.replace("/auto-swe", "")) is None


@pytest.mark.parametrize("opening", [f"{F}\n", "~~~\n", "<!--\n", "<details>\n\n", "<pre>\n", "> ", "- ", "    "])
@given(text=st.text(alphabet="ab \n", max_size=9))
def test_what_hides_a_command_hides_it_whatever_stands_between(opening: str, text: str) -> None:
    if opening in ("> ", "- ", "    "):
        text = text.replace("\n", "")
    assert find_command(f"{opening}{text} {COMMAND}") is None
    if not opening.isspace():
        assert find_command(f"{opening}{text.strip() or 'a'}\n{COMMAND}") is None


def test_a_comment_without_the_prefix_costs_no_parser() -> None:
    program = (
        "import sys; from autoswe.rules.records.commands import find_command; find_command('fine'); "
        "sys.exit(any(name.partition('.')[0] in ('markdown_it', 're2') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
