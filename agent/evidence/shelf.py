"""The pages read, cut into sentences and rows with what stands around them, and searched by words."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from agent.evidence.claims import Piece, pieces
from agent.evidence.lexicon import SAME
from agent.types import Source

UNIT_CHARS = 1500  # a line without a stop, a minified table: binding its facts one by one would take for ever
NEAR_CHARS = 600  # a sentence before or a heading above is context only so far as a reader would still have it in mind


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, item or row of a page.

    `above`: title, heading and column heads; `before`, `after`: its neighbours.
    """

    source: int
    start: int
    end: int
    text: str
    kind: str
    above: str = ""
    before: str = ""
    after: str = ""

    @property
    def around(self) -> str:
        """The unit with all its context."""
        return "\n".join((self.above, self.before, self.text, self.after))

    @property
    def so_far(self) -> str:
        """The unit with what leads up to it: what a reader knows when it ends."""
        return "\n".join((self.above, self.before, self.text))


def squeezed(text: str) -> str:
    """White space runs as one blank."""
    return " ".join(text.split())


def _forms() -> dict[str, tuple[str, ...]]:
    forms: dict[str, list[str]] = {}
    for form, base in SAME.items():
        forms.setdefault(base, []).append(form)
    return {base: tuple(found) for base, found in forms.items()}


_FORMS = _forms()


@dataclass(frozen=True)
class _Shelved:
    """One page: its text in lower case for searching, its pieces, and where each starts."""

    number: int
    source: Source
    low: str
    pieces: tuple[Piece, ...]
    starts: tuple[int, ...]
    chinese: bool
    above: tuple[int, ...]  # for each piece the index of the heading or column heads over it, -1 for none

    def unit(self, at: int) -> Unit:
        """The piece at an index with its surroundings."""
        piece = self.pieces[at]
        over = self.pieces[self.above[at]] if self.above[at] >= 0 else None
        heads = self.source.text[over.start : over.end] if over and piece.start - over.start < 10 * NEAR_CHARS else ""
        return Unit(
            self.number, piece.start, piece.end, squeezed(self.source.text[piece.start : piece.end]), piece.kind,
            f"{self.source.title}\n{squeezed(heads)}", self._before(at), self._neighbour(at, 1),
        )  # fmt: skip

    def _before(self, at: int) -> str:
        near = self._neighbour(at, -1)
        return f"{self._neighbour(at - 1, -1)} {near}".strip() if near else ""

    def _neighbour(self, at: int, step: int) -> str:
        here, there = self.pieces[at], at + step
        if not 0 <= there < len(self.pieces) or here.kind == "row" or self.pieces[there].kind == "row":
            return ""
        other = self.pieces[there]
        gap = other.start - here.end if step > 0 else here.start - other.end
        return squeezed(self.source.text[other.start : other.end]) if gap < 4 else ""


def _shelved(number: int, source: Source) -> _Shelved:
    found = tuple(
        part for piece in pieces(source.text, page=True) if piece.kind != "rule" for part in _cut(source.text, piece)
    )
    above: list[int] = []
    heading = heads = -1
    for at, piece in enumerate(found):
        if piece.kind == "row":
            heads = at if at == 0 or found[at - 1].kind != "row" else heads
        elif _is_heading(source.text, piece):
            heading = at
        above.append(heads if piece.kind == "row" and heads != at else heading if heading != at else -1)
    sample = source.text[:4000]
    chinese = 10 * len(re.findall(r"[\u3400-\u9fff]", sample)) >= len(sample)
    starts = tuple(piece.start for piece in found)
    return _Shelved(number, source, source.text.lower(), found, starts, chinese, tuple(above))


def _cut(text: str, piece: Piece) -> Iterator[Piece]:
    """A piece too long to be a sentence, in stretches that end at white space where there is any."""
    start = piece.start
    while piece.end - start > UNIT_CHARS:
        blank = text.rfind(" ", start + UNIT_CHARS // 2, start + UNIT_CHARS)
        end = blank if blank > 0 else start + UNIT_CHARS
        yield Piece(start, end, piece.kind)
        start = end + (blank > 0)
    yield Piece(start, piece.end, piece.kind)


def _is_heading(text: str, piece: Piece) -> bool:
    said = text[piece.start : piece.end]
    alone = text[piece.end : piece.end + 1] in ("\n", "") and (piece.start == 0 or text[piece.start - 1] in "\n #")
    return piece.kind == "heading" or (
        piece.kind == "sentence" and alone and len(said) < 80 and not re.search(r"[.。!！;；,，:：]$|\d", said)
    )


@dataclass(frozen=True)
class Shelf:
    """All pages of a run. Numbers count from 1 in the order they were read."""

    pages: tuple[_Shelved, ...]
    _cache: dict[tuple[int, int], Unit] = field(default_factory=dict)

    @classmethod
    def of(cls, sources: Sequence[Source]) -> Shelf:
        """Index each source once."""
        return cls(tuple(_shelved(number, source) for number, source in enumerate(sources, 1)))

    def search(self, terms: Iterable[str], literals: Iterable[str] = (), limit: int = 30) -> list[Unit]:
        """The units that hold most of `terms` (see `terms_of`) and `literals` (verbatim),
        rare ones counting more; best first.
        """
        scores: Counter[tuple[int, int]] = Counter()
        wanted = [(term, _FORMS.get(term, ()) + ((term,) if term not in _FORMS else ())) for term in terms]
        for _, forms in [*wanted, *((literal, (literal,)) for literal in literals)]:
            hits = {(page.number, at) for page in self.pages for form in forms for at in _places(page, form)}
            weight = math.log(1 + 2000 / (1 + len(hits)))
            for hit in hits:
                scores[hit] += weight  # type: ignore[assignment]
        return [
            self._unit(number, at) for (number, at), _ in sorted(scores.items(), key=lambda kv: (-kv[1], kv[0]))[:limit]
        ]

    def line(self, unit: Unit) -> str:
        """The paragraph up to the end of a unit, as far as a reader has it in mind."""
        text = self.pages[unit.source - 1].source.text
        return squeezed(text[max(text.rfind("\n", 0, unit.start) + 1, unit.start - NEAR_CHARS) : unit.end])

    def neighbours(self, unit: Unit) -> list[Unit]:
        """The units right before and after one."""
        page = self.pages[unit.source - 1]
        at = bisect_right(page.starts, unit.start) - 1
        return [self._unit(unit.source, near) for near in (at - 1, at + 1) if 0 <= near < len(page.pieces)]

    def all_with_digits(self) -> list[Unit]:
        """Every unit with a figure in it: for a claim in another language than the pages."""
        return [
            self._unit(page.number, at)
            for page in self.pages
            for at, piece in enumerate(page.pieces)
            if re.search(r"\d", page.source.text[piece.start : piece.end])
        ]

    def speaks(self, *, chinese: bool) -> bool:
        """Is some page in the claim's script?"""
        return any(page.chinese == chinese for page in self.pages)

    def holds(self, text: str) -> bool:
        """Does `text` stand on some page, whatever its case?"""
        return any(text.lower() in page.low for page in self.pages)

    def _unit(self, number: int, at: int) -> Unit:
        key = (number, at)
        if key not in self._cache:
            self._cache[key] = self.pages[number - 1].unit(at)
        return self._cache[key]


def _places(page: _Shelved, form: str) -> set[int]:
    """Indexes of the pieces in which a word begins with `form`, or that hold it if it is no Latin word."""
    found, at, bordered = set[int](), page.low.find(form), form[0].isascii() and form[0].isalnum()
    while at >= 0:
        if not (bordered and at and page.low[at - 1].isascii() and page.low[at - 1].isalnum()):
            index = bisect_right(page.starts, at) - 1
            if index >= 0:
                found.add(index)
        at = page.low.find(form, at + 1)
    return found
