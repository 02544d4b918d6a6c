"""Replies of providers, case by case: our own file always, the shared one where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.__main__ import failures

OWN = Path(__file__).parent / "data" / "search_results.jsonl"
SHARED = Path(__file__).parent.parent.parent / "shared" / "corpus" / "search_results.jsonl"


@pytest.mark.parametrize("file", [OWN, SHARED], ids=["own", "shared"])
def test_each_reply_is_read_as_the_corpus_says(file: Path) -> None:
    if not file.is_file():
        pytest.skip(f"no {file.name} beside this checkout")
    passed, wrong = failures("search_results", file)
    assert (wrong, passed >= 39) == ([], True)
