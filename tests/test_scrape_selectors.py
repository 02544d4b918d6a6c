"""Plain CSS selectors, matched in one pass."""

import pytest
from lxml import etree

from tools.scrape.hidden import hides
from tools.scrape.selectors import compiled, matching

TREE = etree.fromstring(
    "<body><div class='a b' id='x'><p class='c'>1</p><i><p>2</p></i></div><p class='c'>3</p></body>"
)


@pytest.mark.parametrize(
    ("selector", "texts"),
    [
        (".c", ["1", "3"]),
        ("p", ["1", "2", "3"]),
        (".a p", ["1", "2"]),
        (".a > p", ["1"]),
        ("#x .c", ["1"]),
        (".a.b i p", ["2"]),
        ("div.c", []),
        (".b>.c", ["1"]),
        ("p:first-child", []),
        ("[class]", []),
        ("*", []),
    ],
)
def test_selector_matches(selector: str, texts: list[str]) -> None:
    assert sorted(el.text for el in matching(TREE, [selector])) == texts


def test_what_is_not_plain_is_no_rule() -> None:
    assert compiled("a::before") is None


@pytest.mark.parametrize(
    "style",
    [
        "opacity:.5",
        "max-height:0;overflow:hidden",
        "color:#fff;background:#036",
        "text-indent:-3px",
        "position:absolute;left:0",
    ],
)
def test_visible_style_hides_nothing(style: str) -> None:
    assert not hides(style)
