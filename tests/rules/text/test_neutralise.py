"""Text of others is shown in a comment as it reads, and nothing in it acts (feedback §4)."""

import html
import re
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from autoswe.rules.text.kinds import Neutralised
from autoswe.rules.text.neutralise import neutralise_block, neutralise_inline

Neutralise = Callable[[str, int], Neutralised]

INLINE_PLACES = {
    "alone": "{}",
    "after text": "Outcome: {} (thread T1)",
    "list item": "- {}",
    "nested list item": "1. one\n   - {} and\n     more",
    "table cell": "| a | b |\n|---|---|\n| T1 | {} |\n| T2 | x |",
    "quotation": "> {}",
    "heading": "### {}",
    "emphasis": "*before {} after*",
    "continued line": "before\n{}\nafter",
}
BLOCK_PLACES = {
    "alone": "{}",
    "between paragraphs": "before\n\n{}\n\nafter",
    "after a line": "before\n{}\nafter",
    "list item": "- {}\n- next",
    "in a list item": "- before\n\n  {}\n\n  after",
    "quotation": "> {}",
    "details": "<details><summary>Log</summary>\n\n{}\n\n</details>",
}

HOSTILE = [
    "@octocat please merge",
    "@octo-org/team",
    "fixes #123",
    "Closes octo-org/repo#123",
    "resolves GH-12",
    "fix: https://github.com/o/r/issues/1",
    "deadbeef and DEADBEEFdeadbeefdeadbeefdeadbeefdeadbeef",
    "octocat@deadbeefcafe",
    "user@example.com",
    "mailto:user@example.com",
    "xmpp:user@example.com/x",
    "www.example.com",
    "https://example.com/?a=b",
    "[text](https://example.com)",
    "[text][1]\n\n[1]: https://example.com",
    "![](https://example.com/a.png)",
    "<https://example.com>",
    "<img src=x onerror=alert(1)>",
    "</code></pre><script>alert(1)</script>",
    "<!-- auto-swe:summary x -->",
    "--> <b>bold</b>",
    "&#64;octocat &commat;octocat &lt;b&gt;",
    "\\@octocat \\<b>",
    "`code` ``` ~~~",
    "```suggestion\nX\n```",
    "/auto-swe fix",
    "\n/approve\n",
    "@codex review",
    "/review",
    "**bold** _em_ ~~del~~ ***",
    "# heading",
    "- item\n- [ ] task",
    "1. item",
    "> quote",
    "> [!WARNING]\n> x",
    "| a | b |\n|---|---|\n| c | d |",
    "a | b",
    "--- \n***\n===",
    "    code",
    "\tcode",
    "$x^2$ $$y$$ $`z`$",
    ":shipit: :+1:",
    "[^1]\n\n[^1]: note",
    "Co-authored-by: A <a@example.com>",
    "@\u200boctocat #\u200d123",
    "\uff20octocat \uff03123",
    "\u202egnitteg\u202c",
    "a\u2028/auto-swe fix\u0085@octocat",
    "\U000e0041\U000e0042 \ufe0f \ue000 \ud800 \0 \x1b[31m",
    "CVE-2020-1234 GHSA-aaaa-bbbb-cccc",
    "\u3000@octocat\u00a0#1",
]

AWKWARD = st.text(
    alphabet=st.one_of(
        st.sampled_from("@#:/.-$&;<>()[]{}`~*_|\\!?\"'^=+,%\n\r\t abcdef0123456789xX"),
        st.sampled_from("\u200b\u200d\u2028\u0085\u202e\ufe0f\ufeff\u00ad\uff20\uff03\u3000\U0001f600\U000e0041\ud800"),
        st.characters(),
    ),
    max_size=60,
)
SNIPPETS = st.lists(st.one_of(AWKWARD, st.sampled_from(HOSTILE)), max_size=4).map("".join)

MENTION = re.compile(r"@\w")
REFERENCE = re.compile(r"#\d|\bGH-\d", re.IGNORECASE)
COMMIT = re.compile(r"(?<!\w)[0-9a-f]{7,40}(?!\w)", re.IGNORECASE)
ADDRESS = re.compile(r"://|www\.|\w@\w|\w\.\w")
COMMAND = re.compile(r"^\s*/\w", re.MULTILINE)
EMOJI = re.compile(r":[\w+-]+:")
ACTIVE = (MENTION, REFERENCE, COMMIT, ADDRESS, COMMAND, EMOJI)


class Rendering(HTMLParser):
    """Collects the elements of a page, its whole text, and the text that GitHub's filters look through."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.markup: list[object] = []
        self.text = self.filtered = ""
        self._shielded = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.markup.append((tag, attrs))
        self._shielded += tag in ("pre", "code", "a")

    def handle_endtag(self, tag: str) -> None:
        self._shielded -= tag in ("pre", "code", "a")

    def handle_data(self, data: str) -> None:
        self.text += data
        if not self._shielded:
            self.filtered += data

    def handle_comment(self, data: str) -> None:
        self.markup.append(data)

    def handle_decl(self, decl: str) -> None:
        self.markup.append(decl)

    def handle_pi(self, data: str) -> None:
        self.markup.append(data)


def github_renders(markdown: str) -> Rendering:
    return Rendering(
        cmarkgfm.markdown_to_html_with_extensions(
            markdown,
            options=Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES,
            extensions=["autolink", "strikethrough", "table", "tagfilter", "tasklist"],
        )
    )


def markdown_it_renders(markdown: str) -> Rendering:
    return Rendering(MARKDOWN_IT.render(markdown))


MARKDOWN_IT = MarkdownIt("gfm-like")
RENDERERS = [github_renders, markdown_it_renders]


def assert_inert(place: str, neutralise: Neutralise, text: str, limit: int = 4_000) -> None:
    shown = neutralise(text, limit)
    for pattern in ACTIVE:
        assert not pattern.search(shown), f"{pattern.pattern} in the source {shown!r}"
    harmless = neutralise("x" if shown else "", 100)
    for render in RENDERERS:
        page = render(place.format(shown))
        assert page.markup == render(place.format(harmless)).markup
        for pattern in ACTIVE:
            assert not pattern.search(page.filtered), f"{pattern.pattern} in the rendered {page.filtered!r}"


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_line_acts(text: str) -> None:
    for place in INLINE_PLACES.values():
        assert_inert(place, neutralise_inline, text)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_block_acts(text: str) -> None:
    for place in BLOCK_PLACES.values():
        assert_inert(place, neutralise_block, text)


@settings(max_examples=200)
@given(st.sampled_from(list(INLINE_PLACES.values())), SNIPPETS, st.integers(14, 900))
def test_nothing_in_any_line_acts(place: str, text: str, limit: int) -> None:
    assert_inert(place, neutralise_inline, text, limit)


@settings(max_examples=200)
@given(st.sampled_from(list(BLOCK_PLACES.values())), SNIPPETS, st.integers(12, 900))
def test_nothing_in_any_block_acts(place: str, text: str, limit: int) -> None:
    assert_inert(place, neutralise_block, text, limit)


@given(SNIPPETS)
def test_a_line_stays_inert_where_code_does_not_shield_it(text: str) -> None:
    decoded = html.unescape(neutralise_inline(text, 9_000).removeprefix("<code>").removesuffix("</code>"))
    for pattern in ACTIVE:
        assert not pattern.search(decoded)


@pytest.mark.parametrize("render", RENDERERS)
@pytest.mark.parametrize("place", INLINE_PLACES.values(), ids=INLINE_PLACES.keys())
def test_a_line_reads_as_it_was_written(place: str, render: Callable[[str], Rendering]) -> None:
    text = 'Use `a[0]` & <b> | "c" in src/a.py:3, @you; fixes #1, 1.5 × 2 — naïve 東京 😀'
    assert text in render(place.format(neutralise_inline(text, 4_000))).text.replace("\u200b", "")


@pytest.mark.parametrize("render", RENDERERS)
@pytest.mark.parametrize("place", BLOCK_PLACES.values(), ids=BLOCK_PLACES.keys())
def test_a_block_reads_as_it_was_written(place: str, render: Callable[[str], Rendering]) -> None:
    text = "  def f(x):\n\treturn `x` < 1  # @you\n\n</pre>\nfixes #1 😀"
    assert text in render(place.format(neutralise_block(text, 4_000))).text


@pytest.mark.parametrize(("neutralise", "element"), [(neutralise_inline, "code"), (neutralise_block, "pre")])
@pytest.mark.parametrize("text", ["X is naïve e\u0301 東京 12", "decade 123456 facade X"])
def test_words_and_numbers_are_written_as_they_are(neutralise: Neutralise, element: str, text: str) -> None:
    """A mail shows a comment's source."""
    assert neutralise(text, 100) == f"<{element}>{text}</{element}>"


@pytest.mark.parametrize(
    ("neutralise", "shown"),
    [
        (neutralise_inline, "<code>abcdef&#x200b;012345&#x200b;6</code>"),
        (neutralise_block, "<pre>abcdef&#x30;12345&#x36;</pre>"),
    ],
)
def test_after_every_sixth_hexadecimal_digit_a_run_is_broken(neutralise: Neutralise, shown: str) -> None:
    """Seven digits are what GitHub takes for a commit."""
    assert neutralise("abcdef0123456", 100) == shown


@pytest.mark.parametrize(("neutralise", "limit"), [(neutralise_inline, 17), (neutralise_block, 15)])
def test_a_text_that_just_fits_is_shown_whole(neutralise: Neutralise, limit: int) -> None:
    assert "text" in neutralise("text", limit)
    assert "tex" not in neutralise("text", limit - 1).replace("tex…", "")


@pytest.mark.parametrize("neutralise", [neutralise_inline, neutralise_block])
@given(text=SNIPPETS)
def test_the_source_is_one_line_of_visible_characters(neutralise: Neutralise, text: str) -> None:
    shown = neutralise(text, 9_000)
    assert all(char == " " or unicodedata.category(char)[0] not in "CZ" for char in shown)
    shown.encode()


@pytest.mark.parametrize("neutralise", [neutralise_inline, neutralise_block])
@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\u2060", "\ufe0f", "\0"])
def test_a_text_that_shows_nothing_gives_nothing(neutralise: Neutralise, text: str) -> None:
    assert neutralise(text, 100) == ""


@pytest.mark.parametrize("neutralise", [neutralise_inline, neutralise_block])
@given(text=SNIPPETS, limit=st.integers(14, 400))
def test_the_encoded_length_is_bounded_and_a_cut_shows(neutralise: Neutralise, text: str, limit: int) -> None:
    whole, shown = neutralise(text, 100_000), neutralise(text, limit)
    assert len(shown) <= limit
    if len(whole) <= limit:
        assert shown == whole
    else:
        kept = re.sub("…</(code|pre)>$", "", shown)
        assert shown != kept
        assert whole.startswith(kept)
        assert whole[len(kept) :].startswith("&") or not re.search("&[^;]*$", kept)


@pytest.mark.parametrize(("neutralise", "limit"), [(neutralise_inline, 13), (neutralise_block, 11)])
def test_a_limit_without_room_for_text_is_refused(neutralise: Neutralise, limit: int) -> None:
    with pytest.raises(ValueError, match="leaves no room"):
        neutralise("text", limit)
    assert "…" in neutralise("text", limit + 1)
