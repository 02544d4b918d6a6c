"""Scores reading on the public sets in ../shared/bench and prints a table: both halves of each set, split by site.

    python scripts/bench_reading.py [SET …] [--worst N]     sets: scrapinghub wcxb trafeval zhnews wikitables xquad

Half A is the one thresholds are tuned on, half B the one that counts. Sets that are not there are left out.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import random
import re
import statistics
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent.errors import FetchFailed
from agent.types import Block, Page
from tools.scrape import read
from tools.scrape.passages import select

BENCH = Path(__file__).resolve().parent.parent.parent / "shared" / "bench"
SIZES = (500, 1500, 3000)
EMPTY = Page("", "", None, None, (), "")


@dataclass(frozen=True, slots=True)
class Sample:
    """One page with what is known of it. `gold` is a text, or a mapping for trafeval."""

    id: str
    url: str
    body: bytes
    gold: Any


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a measure on half A, on half B and on both."""

    name: str
    halves: tuple[float, float, float]


def half(url: str, key: str) -> int:
    """0 or 1, the same for every page of a site."""
    host = urlsplit(url).hostname or key
    return zlib.crc32(".".join(host.split(".")[-2:]).encode()) % 2


def scorer(bench: Path) -> Any:
    """The benchmarks' own metrics, from beside the data."""
    spec = importlib.util.spec_from_file_location("score", bench / "score.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"no score.py in {bench}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def samples(name: str, bench: Path, score: Any) -> Iterator[Sample]:
    """The pages of an extraction set."""
    if name == "trafeval":
        for page in score.load_trafeval(bench):
            yield Sample(page["id"], page["url"], page["html"].encode("utf-8", "replace"), page["gold"])
        return
    for key, url, path, gold, _ in score.load(name, bench):
        body = path.read_bytes()
        yield Sample(key, url, gzip.decompress(body) if path.suffix == ".gz" else body, gold)


def read_all(pages: Sequence[Sample]) -> tuple[dict[str, Page], list[float]]:
    """Every page read, and the CPU milliseconds of each."""
    read_pages: dict[str, Page] = {}
    spent: list[float] = []
    for sample in pages:
        start = time.process_time()
        try:
            read_pages[sample.id] = read(sample.body, "text/html", sample.url)
        except FetchFailed:
            read_pages[sample.id] = EMPTY
        spent.append((time.process_time() - start) * 1000)
    return read_pages, spent


def extraction(name: str, bench: Path, worst: int) -> list[Row]:
    """F1, precision and recall of the main text, dates where the set knows them, and time a page."""
    score = scorer(bench)
    pages = list(samples(name, bench, score))
    got, spent = read_all(pages)
    if worst:
        _print_worst(name, pages, got, score, worst)
    rows = [
        Row(f"{name} {what}", _per_half(pages, partial(_figure, name, got, score, i)))
        for i, what in enumerate(("F1", "precision", "recall"))
    ]
    if name in ("trafeval", "zhnews"):
        dated = {sample.id: _gold_date(name, sample, bench) for sample in pages}
        with_date = [sample for sample in pages if dated[sample.id]]
        rows.append(
            Row(
                f"{name} date exact ({len(with_date)})",
                _per_half(with_date, lambda part: _dates_right(part, got, dated)),
            )
        )
    rows.append(Row(f"{name} ms a page, median", (statistics.median(spent),) * 3))
    return rows


def _figure(name: str, got: dict[str, Page], score: Any, which: int, part: Sequence[Sample]) -> float:
    return _f1(name, part, got, score)[which]


def _f1(name: str, part: Sequence[Sample], got: dict[str, Page], score: Any) -> tuple[float, float, float]:
    if name == "trafeval":
        lines = [{"id": sample.id, "gold": sample.gold} for sample in part]
        return _triple(score.snippet_f1(lines, {sample.id: got[sample.id].text for sample in part}))
    rows = [_page_score(name, sample, got[sample.id].text, score) for sample in part]
    if name == "wcxb":
        return _triple(statistics.mean(row[i] for row in rows) for i in range(3))
    return _triple(score.shingle_f1(rows))


def _triple(values: Iterable[float]) -> tuple[float, float, float]:
    f1, precision, recall = values
    return f1, precision, recall


def _page_score(name: str, sample: Sample, text: str, score: Any) -> tuple[float, float, float]:
    made: tuple[float, float, float] = (
        score.word_f1(sample.gold, text)
        if name == "wcxb"
        else score.shingle_row(sample.gold, text, cjk=name == "zhnews")
    )
    return made


def _per_half(pages: Sequence[Sample], measure: Callable[[Sequence[Sample]], float]) -> tuple[float, float, float]:
    parts = [[sample for sample in pages if half(sample.url, sample.id) == n] for n in (0, 1)]
    first, second = (measure(part) if part else 0.0 for part in parts)
    return first, second, measure(pages)


def _gold_date(name: str, sample: Sample, bench: Path) -> str:
    if name == "trafeval":
        return str(sample.gold.get("date") or "")[:10]
    files = list((bench / name / "date").glob(f"{sample.id}.*"))
    said = files[0].read_text("utf-8", "replace") if files else ""
    numbers = re.findall(r"\d+", said)[:3]
    return f"{int(numbers[0]):04}-{int(numbers[1]):02}-{int(numbers[2]):02}" if len(numbers) == 3 else ""


def _dates_right(part: Sequence[Sample], got: dict[str, Page], gold: dict[str, str]) -> float:
    return statistics.mean(str(got[s.id].published or got[s.id].modified) == gold[s.id] for s in part) if part else 0.0


def _print_worst(name: str, pages: Sequence[Sample], got: dict[str, Page], score: Any, count: int) -> None:
    rated = [(_f1(name, [sample], got, score), sample) for sample in pages if half(sample.url, sample.id) == 0]
    for (f1, precision, recall), sample in sorted(rated, key=lambda pair: pair[0][0])[:count]:
        page = got[sample.id]
        print(
            f"{f1:.2f} p{precision:.2f} r{recall:.2f} {page.level}/{page.status} {len(page.text)} {sample.id[:40]} "
            f"{sample.url[:100]}",
            file=sys.stderr,
        )


def folded(text: str) -> str:
    """Lower case, everything but word characters one blank."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def wikitables(bench: Path) -> list[Row]:
    """Share of questions all of whose answers stand in what is shown, at each size. Halves by page."""
    questions = [
        json.loads(line) for line in (bench / "wikitables" / "questions.jsonl").read_text("utf-8").splitlines()
    ]
    by_page: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for question in questions:
        by_page[question["page"]].append(question)
    shown: dict[int, list[list[bool]]] = {size: [[], []] for size in SIZES}
    kept: list[bool] = []
    spent: list[float] = []
    for key, asked in by_page.items():
        page = read(
            gzip.decompress((bench / "wikitables" / key).read_bytes()),
            "text/html; charset=utf-8",
            "https://en.wikipedia.org/wiki/X",
        )
        whole = f" {folded(page.text)} "
        for question in asked:
            answers = [f" {folded(answer)} " for answer in question["answers"]]
            kept.append(all(answer in whole for answer in answers))
            for size in SIZES:
                start = time.process_time()
                said = f" {folded(select(page, question['question'], size))} "
                spent.append((time.process_time() - start) * 1000)
                shown[size][zlib.crc32(key.encode()) % 2].append(all(answer in said for answer in answers))
    rows = [Row(f"wikitables shown at {size}", _shares(shown[size])) for size in SIZES]
    return [
        *rows,
        Row("wikitables answer kept", (statistics.mean(kept),) * 3),
        Row("wikitables ms a question", (statistics.median(spent),) * 3),
    ]


def _shares(halves: Sequence[Sequence[bool]]) -> tuple[float, float, float]:
    first, second = (statistics.mean(part) if part else 0.0 for part in halves)
    return first, second, statistics.mean([*halves[0], *halves[1]])


def xquad(bench: Path, articles: int = 6) -> list[Row]:
    """Share of questions whose answer stands in what is shown of a page of six articles, paragraphs shuffled."""
    rows: list[Row] = []
    for language in ("en", "zh"):
        data = json.loads((bench / "xquad" / f"xquad.{language}.json").read_text("utf-8"))["data"]
        shown: dict[int, list[list[bool]]] = {size: [[], []] for size in SIZES}
        for n in range(0, len(data), articles):
            paragraphs = [paragraph for article in data[n : n + articles] for paragraph in article["paragraphs"]]
            random.Random(n).shuffle(paragraphs)
            blocks = tuple(Block("paragraph", paragraph["context"]) for paragraph in paragraphs)
            page = Page("", "", None, None, blocks, "\n\n".join(block.text for block in blocks))
            for paragraph in paragraphs:
                for asked in paragraph["qas"]:
                    for size in SIZES:
                        said = select(page, asked["question"], size)
                        shown[size][n // articles % 2].append(
                            any(answer["text"] in said for answer in asked["answers"])
                        )
        rows += [Row(f"xquad {language}, six articles, shown at {size}", _shares(shown[size])) for size in SIZES]
    return rows


def main(argv: Sequence[str]) -> int:
    """Run the sets asked for, all that are there by default."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*", default=["scrapinghub", "wcxb", "trafeval", "zhnews", "wikitables", "xquad"])
    parser.add_argument("--worst", type=int, default=0, help="also list the N worst pages of half A")
    parser.add_argument("--bench", type=Path, default=BENCH)
    options = parser.parse_args(argv)
    if not options.bench.is_dir():
        print(f"no benchmarks at {options.bench}")
        return 0
    print(f"| {'measure':44} | half A | half B |  both  |\n|{'-' * 46}|-------:|-------:|-------:|")
    for name in options.sets:
        if not list(options.bench.glob(f"{name}*")):
            continue
        special = {"wikitables": wikitables, "xquad": xquad}.get(name)
        for row in special(options.bench) if special else extraction(name, options.bench, options.worst):
            print(f"| {row.name:44} |" + "|".join(f" {value:6.3f} " for value in row.halves) + "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
