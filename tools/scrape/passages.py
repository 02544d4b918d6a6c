"""From a page to what bears on a question: ranked units, neighbours, headings, in document order, cuts visible."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agent.types import Block, Page
from tools.scrape.tokens import has_unspaced, tokens

_K1 = 1.2  # BM25, Robertson and Zaragoza 2009: how fast repeated words stop counting
_B = 0.75  # and how much long units pay for their length
_NEIGHBOURS = 0.15  # share of a neighbour's score that a unit inherits
_NEIGHBOURS_UNSPACED = 0.3  # the same in Chinese and Japanese, whose sentences are shorter
_TABLE = 2.0
_EXTREME = 3.0  # for the first, the last, the most and the least of a column, when the question asks for such
_HEADER = 2.0  # a row whose column names and caption are asked for; measured by scripts/bench_reading.py
_CONTEXT = ("heading", "names")  # shown with what stands under them, not for themselves
_LONGEST_SENTENCE = 450
_LONGEST_ROW = 600
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]{0,2}\s+(?=[\"'“‘(\[]?[^\Wa-z])|(?<=[。！？；])[”’」』）]{0,2}|\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|No|vs|Jr|Sr|Prof|Gen|Sen|Gov|Inc|Ltd|Co|ca|approx|e\.g|i\.e|etc|al|Fig|vol"
    r"|Vol|pp|p)\.)$"
)
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|first|last|latest|earliest|only|top|best|worst|next|previous|longest|shortest|max\w*"
    r"|min\w*|more than|less than|before|after|\w{3,}est)\b"
    r"|最|第一|首|唯一|仅|之前|之后",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_SHORT_MARK = "[…]"
_MARK = "[… {count:,} characters left out{handle} …]"


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest thing shown: a sentence, an item, a row, a line of code. `block` numbers its block."""

    text: str
    block: int
    kind: str
    heading: str = ""
    header: str = ""
    table: int = -1


def select(page: Page, question: str, max_chars: int, handle: str = "") -> str:
    """The parts of `page` that bear on `question`, in document order, at most `max_chars` characters.

    Whatever is left out leaves a mark that says how much; `handle` is what the mark offers for reading on
    (its `$start` becomes the position in page.text). A page that fits is given whole.
    """
    if len(page.text) <= max_chars:
        return page.text
    units = _units(page.blocks)
    if not units:
        return _head(page.text, max_chars, handle)
    scores = _scores(units, question, page.title)
    chosen = _fill(units, scores, max_chars, len(handle))
    return _shown(page, units, chosen, max_chars, handle)


def ranked(page: Page, question: str, limit: int = 12) -> tuple[str, ...]:
    """The sentences and rows that bear most on `question`, best first, each verbatim from the page."""
    return tuple(dict.fromkeys(unit.text for unit in candidates(page, question, limit)))


def candidates(page: Page, question: str, limit: int) -> tuple[Unit, ...]:
    """The units behind `ranked`, with the headings and column names that they stand under.

    8 to 300 characters each; from 4 where no blanks part the words, since each character says more there.
    """
    units = _units(page.blocks)
    scores = _scores(units, question, page.title)
    best = sorted(range(len(units)), key=lambda i: -scores[i])
    fit = (units[i] for i in best if units[i].kind not in _CONTEXT and _is_quotable(units[i].text))
    return tuple(fit)[:limit]


def _is_quotable(text: str) -> bool:
    return (4 if has_unspaced(text) else 8) <= len(text) <= 300


def _units(blocks: Sequence[Block]) -> list[Unit]:
    units: list[Unit] = []
    trail: list[tuple[int, str]] = []
    for number, block in enumerate(blocks):
        heading = " > ".join(text for _, text in trail[-2:])
        if block.kind == "heading":
            trail = [(level, text) for level, text in trail if level < block.level] + [(block.level, block.text)]
            units.append(Unit(block.text, number, "heading", heading))
        elif block.kind == "row":
            pieces = _pieces(block.text, _LONGEST_ROW)
            units.extend(Unit(piece, number, "row", heading, block.header, block.table) for piece in pieces)
        else:
            units.extend(Unit(text, number, block.kind, heading) for text in sentences(block.text))
    headers = {(unit.table, unit.header) for unit in units if unit.header}
    return [replace(unit, kind="names") if (unit.table, unit.text) in headers else unit for unit in units]


def sentences(text: str) -> list[str]:
    """Sentences of a block, verbatim; lines of code and of addresses part too. None exceeds a window and a half."""
    parts: list[str] = []
    start = 0
    for m in _SENTENCE_END.finditer(text):
        if m[0] != "\n" and _ABBREVIATION.search(text[max(start, m.start() - 12) : m.start()]):
            continue
        part = text[start : m.end()].strip()
        if part:
            parts.append(part)
        start = m.end()
    last = text[start:].strip()
    return [piece for part in ([*parts, last] if last else parts) for piece in _pieces(part, _LONGEST_SENTENCE)]


def _pieces(text: str, size: int) -> list[str]:
    """`text` in pieces of at most `size`, parted at blanks where there are any."""
    pieces: list[str] = []
    while len(text) > size:
        cut = max(text.rfind(mark, size // 2, size) for mark in (" ", "，", "、", ","))
        cut = cut + 1 if cut > 0 else size
        pieces.append(text[:cut].strip())
        text = text[cut:]
    return [*pieces, text.strip()] if text.strip() else pieces


def _bm25(documents: Sequence[Sequence[str]], query: Iterable[str]) -> list[float]:
    wanted = set(query)
    counts = [Counter(token for token in document if token in wanted) for document in documents]
    spread = Counter(token for count in counts for token in count)
    mean = sum(map(len, documents)) / (len(documents) or 1) or 1.0
    size = len(documents)
    weight = {token: math.log(1 + (size - n + 0.5) / (n + 0.5)) for token, n in spread.items()}
    return [
        sum(weight[t] * n * (_K1 + 1) / (n + _K1 * (1 - _B + _B * len(document) / mean)) for t, n in count.items())
        for count, document in zip(counts, documents, strict=True)
    ]


def _scores(units: Sequence[Unit], question: str, title: str) -> list[float]:
    """What each unit is worth to the question: by its own words, its neighbours' and those of its table."""
    query = tokens(question)
    words = [tokens(unit.text) for unit in units]
    own = _bm25(words, query)
    scores = [
        score + _NEIGHBOURS * ((own[i - 1] if i else 0.0) + (own[i + 1] if i + 1 < len(own) else 0.0))
        if units[i].kind != "row"
        else score
        for i, score in enumerate(own)
    ]
    headings = _bm25([tokens(unit.heading) for unit in units], query)
    scores = [score + 0.25 * heading for score, heading in zip(scores, headings, strict=True)]
    return _with_tables(units, words, scores, question)


def _with_tables(
    units: Sequence[Unit],
    words: Sequence[Sequence[str]],
    scores: list[float],
    question: str,
) -> list[float]:
    tables: dict[int, list[int]] = {}
    for i, unit in enumerate(units):
        if unit.table >= 0:
            tables.setdefault(unit.table, []).append(i)
    if not tables:
        return scores
    query = tokens(question)
    numbers = list(tables)
    whole = _bm25([[w for i in tables[n] for w in words[i]] for n in numbers], query)
    named = _bm25([tokens(f"{units[tables[n][0]].heading} {_names(units, tables[n])}") for n in numbers], query)
    for number, table_score, name_score in zip(numbers, whole, named, strict=True):
        for i in tables[number]:
            scores[i] += _TABLE * table_score + _HEADER * name_score
        if _SUPERLATIVE.search(question):
            for i in _extremes(units, tables[number]):
                scores[i] += _EXTREME
    return scores


def _extremes(units: Sequence[Unit], rows: Sequence[int]) -> set[int]:
    """The first and the last row of a table, and those that hold the largest or the smallest number of a column."""
    data = [i for i in rows if units[i].kind == "row"]
    if len(data) < 3:
        return set()
    columns: dict[int, list[tuple[float, int]]] = {}
    for i in data:
        for column, cell in enumerate(units[i].text.split(" | ")):
            amount = _AMOUNT.search(cell)
            if amount:
                columns.setdefault(column, []).append((float(amount[0].replace(",", "")), i))
    ends = {i for values in columns.values() if len(values) > len(data) / 2 for i in (max(values)[1], min(values)[1])}
    return ends | {data[0], data[-1]}


def _names(units: Sequence[Unit], rows: Sequence[int]) -> str:
    return next((units[i].header for i in rows if units[i].header), units[rows[0]].text)


def _fill(units: Sequence[Unit], scores: Sequence[float], max_chars: int, handle_chars: int) -> set[int]:
    """Numbers of the units to show: best first while they fit, with their headings, headers and marks."""
    chosen: set[int] = set()
    paid: set[str] = set()
    mark = len(_MARK) + 4 + handle_chars if handle_chars else 0
    room = max_chars - (mark or 30)
    for i in sorted(range(len(units)), key=lambda i: (-scores[i], i)):
        unit = units[i]
        if unit.kind in _CONTEXT:
            continue
        extras = [text for text in (unit.heading, unit.header) if text and text not in paid]
        cost = len(unit.text) + 2 + sum(len(text) + 1 for text in extras)
        if i - 1 not in chosen and i + 1 not in chosen:
            cost += mark or len(_SHORT_MARK) + 2
        if cost > room:
            if room < 60:
                break
            continue
        chosen.add(i)
        paid.update(extras)
        room -= cost
    return chosen


def _shown(page: Page, units: Sequence[Unit], chosen: set[int], max_chars: int, handle: str) -> str:
    """The chosen units in order; neighbours are parted as on the page, all others by a mark."""
    parts: list[str] = []
    shown: set[str] = set()
    places = _places(page.text, units)
    last, position = -1, 0
    for i in sorted(chosen):
        unit, at = units[i], places[i]
        if any(between.kind not in _CONTEXT for between in units[last + 1 : i]):
            parts.append(_cut_mark(at - position, position, handle))
        context = [text for text in (unit.heading, unit.header) if text and text not in shown]
        if not context and i == last + 1 and unit.block == units[last].block and parts:
            parts[-1] += page.text[position:at] + unit.text
        else:
            parts += [*context, unit.text]
        shown.update([*context, unit.text])
        last, position = i, at + len(unit.text)
    if any(after.kind not in _CONTEXT for after in units[last + 1 :]):
        parts.append(_cut_mark(len(page.text) - position, position, handle))
    return "\n".join(filter(None, parts))[:max_chars] if chosen else _head(page.text, max_chars, handle)


def _places(text: str, units: Sequence[Unit]) -> list[int]:
    """Where each unit stands. All are looked for in order, or a repeated one would be found where it stood first."""
    places: list[int] = []
    position = 0
    for unit in units:
        at = max(text.find(unit.text, position), position)
        places.append(at)
        position = at + len(unit.text)
    return places


def _cut_mark(count: int, start: int, handle: str) -> str:
    if count <= 2:
        return ""
    if not handle:
        return _SHORT_MARK
    return _MARK.format(count=count, handle="; " + handle.replace("$start", str(start)))


def _head(text: str, max_chars: int, handle: str) -> str:
    room = max(max_chars - 80 - len(handle), 0)
    if not room:
        mark = _cut_mark(len(text), 0, handle)
        return mark if len(mark) <= max_chars else _SHORT_MARK[:max_chars]  # half a mark would name a wrong place
    cut = max(text.rfind("\n", 0, room), text.rfind(" ", 0, room), 0) or room
    return f"{text[:cut].rstrip()}\n{_cut_mark(len(text) - cut, cut, handle)}"
