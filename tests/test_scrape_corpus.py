"""Every page of our own corpus is read as its case demands, and of the shared one where it is there."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.pages import check

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "corpus"


def cases(folder: Path) -> list[dict[str, Any]]:
    file = folder / "pages.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


@pytest.mark.parametrize("case", cases(DATA), ids=lambda case: f"{case['kind']}-{case['file'][6:-5]}")
def test_page_of_our_corpus_is_read_as_its_case_demands(case: dict[str, Any]) -> None:
    assert check(case, DATA) == ""


def test_no_page_of_the_shared_corpus_fails() -> None:
    shared = cases(SHARED)
    if not shared:
        pytest.skip("no shared corpus here")
    assert [(case["id"], wrong) for case in shared if (wrong := check(case, SHARED))] == []


def test_a_case_that_demands_what_is_not_there_fails() -> None:
    case = cases(DATA)[0] | {"must_contain": ["no such words"]}
    assert "no such words" in check(case, DATA)
