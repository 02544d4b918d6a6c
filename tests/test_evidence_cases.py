"""The labelled set: how often the verdict is right, that no wrong figure passes, and how long a check takes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from time import perf_counter

import pytest

from agent.evidence import check
from agent.evidence.claims import Piece, pieces
from agent.types import Source
from tests.corpus.evidence import check as check_case
from tests.corpus.evidence import judged

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "data" / "evidence.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def rows() -> list[tuple[str, str, str]]:
    return [row for case in CASES for row in judged(case)[0]]


def test_nothing_unsupported_or_contradicted_is_accepted(rows: list[tuple[str, str, str]]) -> None:
    assert [row for row in rows if row[1] in ("unsupported", "contradicted") and row[2] == "supported"] == []


def test_nothing_half_true_is_accepted_whole(rows: list[tuple[str, str, str]]) -> None:
    assert [row for row in rows if row[1] == "partial" and row[2] == "supported"] == []


def test_the_verdict_is_right_at_least_95_times_in_100(rows: list[tuple[str, str, str]]) -> None:
    assert sum(expected == got for _, expected, got in rows) >= 0.95 * len(rows)


def test_the_set_is_large_and_a_third_of_it_adversarial(rows: list[tuple[str, str, str]]) -> None:
    assert len(rows) >= 300
    assert sum(expected == "contradicted" for _, expected, _ in rows) >= len(rows) / 3


def test_no_sentence_without_a_fact_is_taken_for_a_claim() -> None:
    assert [extra for case in CASES if (extra := judged(case)[1])] == []


def test_the_runner_names_what_is_wrong() -> None:
    case = CASES[0] | {"claims": [claim | {"verdict": "unsupported"} for claim in CASES[0]["claims"]]}
    assert "is unsupported, got supported" in check_case(case, Path())


def test_a_label_for_no_claim_fails_the_case() -> None:
    assert "got no claim" in check_case(CASES[0] | {"claims": [{"text": "Else.", "verdict": "supported"}]}, Path())


@pytest.mark.parametrize("script", ["en", "zh"])
def test_five_sentences_against_five_pages_of_20_000_characters_take_a_moment(script: str) -> None:
    chinese = [any(c >= "\u3400" for c in case["answer"]) == (script == "zh") for case in CASES]
    cases = [case for case, fits in zip(CASES, chinese, strict=True) if fits]
    texts = list(dict.fromkeys(page["text"] for case in cases for page in case["pages"]))
    pages = [
        Source(f"https://{n}.example", f"{n}", ("\n\n".join(texts[n:] + texts[:n]) * 9)[:20_000]) for n in range(5)
    ]
    content = ("" if script == "zh" else " ").join(case["answer"] for case in cases[::20][:5])
    start = perf_counter()
    check(content, pages)
    assert perf_counter() - start < 1.0  # a tenth of it on a quiet machine


XQUAD = Path(__file__).parents[2] / "shared" / "bench" / "xquad"


@pytest.mark.skipif(not XQUAD.is_dir(), reason="the public question set is not here")
@pytest.mark.parametrize("script", ["en", "zh"])
def test_a_changed_digit_in_a_real_sentence_never_passes(script: str) -> None:
    articles = json.loads((XQUAD / f"xquad.{script}.json").read_text("utf-8"))["data"]
    texts = [paragraph["context"] for article in articles for paragraph in article["paragraphs"][:1]]
    changed = [made for text in texts for piece in pieces(text) if (made := _changed(text, piece))]
    assert len(changed) > 40
    accepted = [said for said, text in changed if check(said, [Source("https://a.example", "", text)]).supported]
    assert [
        said
        for said in accepted
        if not re.search(r"about|some|around|roughly|nearly|almost|approximately|c\.|~|约|大约", said)
    ] == []


def _changed(text: str, piece: Piece) -> tuple[str, str] | None:
    """A sentence of `text` with the last digit of its first figure changed to one that `text` does not hold."""
    said = text[piece.start : piece.end]
    figure = re.search(r"\d{2,}", said)
    if not figure:
        return None
    other = figure.group()[:-1] + str((int(figure.group()[-1]) + 3) % 10)
    return None if other in text else (said.replace(figure.group(), other, 1), text)
