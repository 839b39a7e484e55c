"""``docs/settings.md`` is the registry, written down."""

from autoswe.rules.settings.page import settings_page
from autoswe.rules.settings.registry import REGISTRY
from tests.support.places import ROOT

PAGE = ROOT / "docs" / "settings.md"


def test_the_page_is_what_the_registry_says() -> None:
    """If it is not: ``autoswe settings describe > docs/settings.md``."""
    assert PAGE.read_text() == settings_page()


def test_every_setting_has_one_row_with_as_many_cells_as_the_headings() -> None:
    rows = [line for line in settings_page().splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {6}
    assert [row.split("`")[1] for row in rows[2:]] == list(REGISTRY)
