"""Passages: never longer than told, verbatim, and what is left out adds up."""

from __future__ import annotations

import re

import pytest

from agent.types import Page
from tools.scrape import read
from tools.scrape.passages import candidates, ranked, select
from tools.scrape.tokens import tokens

HANDLE = "read_fragment id=7 start=$start"
MARK = re.compile(r"\[… ([\d,]+) characters left out; read_fragment id=7 start=(\d+) …\]")
ROWS = "".join(f"<tr><td>Pier {n}</td><td>{n * 7} m</td></tr>" for n in range(60))
TABLE = f"<table><tr><th>Name</th><th>Height</th></tr>{ROWS}</table>"
CHAPTERS = "".join(
    f"<h2>Part {n}</h2><p>In {1900 + n} pier no. {n} was moved. It cost {n * 31} crowns! The mayor wept.</p>"
    f"<ul><li>Oak {n}</li><li>Pine {n}</li></ul><pre>a = {n}\n  b = {n}</pre>"
    for n in range(40)
)
HAN = "".join(f"<p>第{n}段讲的是天气。港口税费是{n}元！绳索的价格很高。</p>" for n in range(60))


def page(body: str) -> Page:
    return read(f"<html><body>{body}</body></html>".encode(), "text/html", "https://example.org/a")


PAGES = {
    "rows": page(TABLE),
    "chapters": page(CHAPTERS),
    "ideographs": page(HAN),
    "all": page(CHAPTERS + TABLE + HAN),
    "one word": page(f"<p>{'é' * 5000}</p>"),
    "one line of ideographs": page(f"<p>{'桥' * 5000}</p>"),
    "one line again and again": page("<p>Same line here again.</p><div>Same line here again.</div>" * 300),
}
QUESTIONS = ("How tall is pier 31?", "港口税费是多少", "what cost the mayor most", "")


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("size", [1, 10, 60, 100, 150, 300, 700, 1500])
def test_the_size_is_never_exceeded_and_no_mark_is_cut(name: str, size: int) -> None:
    for question in QUESTIONS:
        for handle in (HANDLE, ""):
            shown = select(PAGES[name], question, size, handle)
            assert len(shown) <= size
            assert MARK.sub("", shown).replace("[…]", "").count("[…") == (0 if size >= 3 else shown.count("[…"))


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("size", [150, 300, 700, 1500])
def test_every_line_shown_is_the_pages_own(name: str, size: int) -> None:
    text = PAGES[name].text
    for question in QUESTIONS:
        for line in MARK.sub("\n", select(PAGES[name], question, size, HANDLE)).splitlines():
            assert all(part.strip() in text for part in line.split(" > "))


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("size", [150, 300, 700, 1500])
def test_what_is_shown_and_what_is_left_out_add_up_to_the_page(name: str, size: int) -> None:
    text = PAGES[name].text
    for question in QUESTIONS:
        shown = select(PAGES[name], question, size, HANDLE)
        cuts = [(int(start), int(count.replace(",", ""))) for count, start in MARK.findall(shown)]
        assert bool(cuts) == (len(text) > size)
        starts = [start for start, _ in cuts] + [len(text)]
        ends = [0] + [start + count for start, count in cuts]
        assert all(end <= start for end, start in zip(ends, starts, strict=True))
        between = [text[end:start] for end, start in zip(ends, starts, strict=True)]
        lines = [line.removeprefix("- ") for part in between for line in part.splitlines()]
        assert [line for line in lines if line.strip() not in shown] == []


def test_a_repeated_line_is_cut_where_it_stands_and_not_where_it_stood_first() -> None:
    shown = select(page(f"<p>{'桥' * 5000}</p>"), "?", 300, HANDLE)
    assert MARK.findall(shown) == [("4,950", "0")]


def test_a_cut_without_a_handle_is_still_seen() -> None:
    shown = select(PAGES["chapters"], "How tall is pier 31?", 300)
    assert "[…]" in shown


@pytest.mark.parametrize("name", PAGES)
def test_candidates_are_verbatim_and_short_and_best_first(name: str) -> None:
    for question in QUESTIONS:
        units = candidates(PAGES[name], question, 20)
        assert len(units) <= 20
        assert all(unit.text in PAGES[name].text and 4 <= len(unit.text) <= 300 for unit in units)
        assert list(ranked(PAGES[name], question, 20)) == list(dict.fromkeys(unit.text for unit in units))


def test_a_short_line_of_ideographs_is_a_candidate_where_one_of_letters_is_not() -> None:
    assert ranked(page("<p>桥高61米。</p><p>61 m.</p>"), "桥高多少米 61 m") == ("桥高61米。",)


def test_a_candidate_row_knows_its_heading_and_its_column_names() -> None:
    units = candidates(page(f"<h2>Harbour</h2><p>Words.</p>{TABLE}"), "height of pier 31", 1)
    assert (units[0].text, units[0].header, units[0].heading) == ("Pier 31 | 217 m", "Name | Height", "Harbour")


def test_column_names_and_headings_are_no_candidates() -> None:
    texts = ranked(page(f"<h2>Height of piers</h2>{TABLE}"), "height of piers by name", 100)
    assert "Height of piers" not in texts
    assert "Name | Height" not in texts


def test_a_heading_is_shown_once_with_what_stands_under_it() -> None:
    shown = select(PAGES["chapters"], "What happened to pier no. 31?", 400, HANDLE)
    assert shown.count("Part 31\n") == 1
    assert shown.index("Part 31\n") < shown.index("pier no. 31 was moved")


def test_ideographs_are_matched_by_pairs() -> None:
    assert tokens("海港税") == ["海", "港", "税", "海港", "港税"]
    pages = page("".join(f"<p>海边有人，港外有风，第{n}天。</p>" for n in range(80)) + "<p>海港今日开放。</p>")
    assert ranked(pages, "海港何时开放", 1) == ("海港今日开放。",)


def test_full_width_forms_and_thousands_are_the_same_word() -> None:
    assert tokens("ＡＢＣ １２") == tokens("abc 12")
    assert tokens("12,500 visitors") == tokens("12500 visitor")
