"""The order of hits."""

from __future__ import annotations

from agent.types import Hit
from tools.search.ranking import merged, ranked, stem, terms


def hits(*rows: str) -> tuple[Hit, ...]:
    """ "title | snippet" each, at a URL of its own."""
    parts = [row.partition(" | ") for row in rows]
    return tuple(Hit(title, f"https://fen.example/{n}", snippet) for n, (title, _, snippet) in enumerate(parts))


def titles(found: tuple[Hit, ...]) -> list[str]:
    return [hit.title for hit in found]


def test_a_hit_that_holds_the_rare_words_of_the_question_comes_first() -> None:
    found = hits(
        "Bridges | a list of bridges", "Brine Bridge | a bridge", "Toll | the toll on Brine Bridge was given up"
    )
    assert titles(ranked(found, "When was the toll on Brine Bridge given up?"))[0] == "Toll"


def test_a_title_that_says_just_the_subject_comes_before_one_that_says_more() -> None:
    found = hits("Brine (disambiguation)", "History of the Brine family", "Brine")
    assert titles(ranked(found, "What is brine?"))[0] == "Brine"


def test_words_meet_across_endings_and_accents() -> None:
    found = hits("Fens", "Orbiting MOONS of Zoë")
    assert titles(ranked(found, "which moon orbits zoe"))[0] == "Orbiting MOONS of Zoë"


def test_chinese_is_compared_by_pairs_of_characters() -> None:
    found = hits("灯塔列表 | 各地的灯塔", "盐桥 | 盐桥全长四百米", "桥梁 | 桥")
    assert titles(ranked(found, "盐桥有多长？"))[0] == "盐桥"


def test_equals_keep_the_order_of_the_provider() -> None:
    found = hits("a", "b", "c", "d")
    assert ranked(found, "nothing in common") == found
    assert ranked((), "x") == ()


def test_a_page_stands_once_whether_by_http_or_https() -> None:
    twice = (
        Hit("first", "http://fen.example/a"),
        Hit("other", "https://fen.example/b"),
        Hit("2", "https://fen.example/a"),
    )
    assert titles(merged(twice)) == ["first", "other"]


def test_stems_are_never_shorter_than_three_letters() -> None:
    assert [stem(w) for w in ("ties", "glass", "moons", "used", "ring", "studies")] == [
        "tie",
        "glass",
        "moon",
        "used",
        "ring",
        "stud",
    ]


def test_hangul_is_not_taken_apart() -> None:
    assert terms("다리의") == ("다리", "리의")
