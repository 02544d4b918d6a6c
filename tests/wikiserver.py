"""A real MediaWiki with the pages of tests/wiki, in English and in Chinese: built once a machine, served once a run.

    def test_…(wiki: str): …        # base URL, http://127.0.0.1:PORT/; its API stands at w/api.php

Its search finds what MediaWiki's SQLite search finds (tests/test_wiki.py states it): no ranking, every word needed.
"""

from __future__ import annotations

import getpass
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.wiki import PAGES, build, free_port, missing, serve, stop, url

BUILT = Path(tempfile.gettempdir()) / f"scout-wiki-{getpass.getuser()}"


@dataclass(frozen=True, slots=True)
class WikiQuestion:
    """A question that the page of that title answers with these very characters; None where it does not answer."""

    lang: str
    question: str
    title: str
    answer: str | None


def wiki_questions() -> tuple[WikiQuestion, ...]:
    lines = (Path(__file__).parent / "wiki_questions.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(WikiQuestion(**json.loads(line)) for line in lines)


@contextmanager
def served(language: str) -> Iterator[str]:
    if reason := missing():
        print(f"no wiki: {reason}")
        pytest.skip(reason)
    port = free_port()
    server = serve(build(BUILT, PAGES, language), port)
    try:
        yield url(port)
    finally:
        stop(server)


@pytest.fixture(scope="session")
def wiki() -> Iterator[str]:
    """Base URL of a wiki in English that has Chinese pages too, but finds in them only whole runs of characters."""
    with served("en") as base:
        yield base


@pytest.fixture(scope="session")
def wiki_zh() -> Iterator[str]:
    """Base URL of a wiki in Chinese with the same pages: its search cuts Chinese, and finds English as well."""
    with served("zh") as base:
        yield base
