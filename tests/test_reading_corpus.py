"""What holds of every page of both corpora, whatever its case demands; the cases are held by test_scrape_corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from agent.types import Page
from tests.corpus.__main__ import main
from tools.scrape import read
from tools.scrape.chars import defused, visible
from tools.scrape.html import rendered
from tools.scrape.passages import candidates, select

OWN = Path(__file__).parent / "data"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "corpus"
QUESTION = "When was it opened, and how many metres long is it? 全长多少米？"


@cache
def pages(folder: Path) -> tuple[Page, ...]:
    return tuple(_read(folder))


def _read(folder: Path) -> Iterator[Page]:
    file = folder / "pages.jsonl"
    if not file.is_file():
        pytest.skip(f"no {file.name} beside this checkout")
    for case in map(json.loads, file.read_text("utf-8").splitlines()):
        body = (folder / case["file"]).read_bytes()
        yield read(body, case.get("content_type", ""), f"https://example.org/{case['file']}")


@pytest.fixture(params=[OWN, SHARED], ids=["own", "shared"])
def corpus(request: pytest.FixtureRequest) -> tuple[Page, ...]:
    return pages(request.param)


def test_each_own_page_is_read_as_its_case_demands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pages", str(OWN / "pages.jsonl")]) == 0
    passed, failed = (int(word) for word in capsys.readouterr().out.split() if word.isdecimal())
    assert (passed >= 69, failed) == (True, 0)


def test_the_text_is_the_rendering_of_the_blocks(corpus: tuple[Page, ...]) -> None:
    assert [page.url for page in corpus if page.text != rendered(page.blocks)] == []


def test_no_text_holds_what_a_template_would_obey_or_no_reader_sees(corpus: tuple[Page, ...]) -> None:
    assert [page.url for page in corpus if page.text != defused(visible(page.text))] == []


def test_links_are_absolute_addresses_of_the_web_with_a_text(corpus: tuple[Page, ...]) -> None:
    links = [link for page in corpus for link in page.links]
    assert links
    assert [link for link in links if not link.url.startswith(("http://", "https://")) or not link.text] == []


def test_a_status_other_than_ok_is_one_of_five_and_a_refresh_has_a_target(corpus: tuple[Page, ...]) -> None:
    known = {"ok", "js_required", "not_found", "blocked", "paywall", "meta_refresh"}
    assert {page.status for page in corpus} <= known
    assert [page.url for page in corpus if bool(page.refresh_to) != (page.status == "meta_refresh")] == []


@pytest.mark.parametrize("size", [120, 400])
def test_passages_keep_their_size_and_candidates_are_verbatim(corpus: tuple[Page, ...], size: int) -> None:
    for page in corpus:
        assert len(select(page, QUESTION, size, "read_fragment id=1 start=$start")) <= size
        assert all(unit.text in page.text for unit in candidates(page, QUESTION, 10))
