"""Splits text into sentences, list items and table rows, and says which of them claim something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.evidence.figures import facts_of
from agent.evidence.lexicon import COURTESY, FUNCTION_ZH, NOT_FOUND, STOP, YES_NO


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of a text: `text[start:end]` without list marks.

    kind: sentence, item, row, heading or rule (nothing said).
    """

    start: int
    end: int
    kind: str


_LINE = re.compile(r"[^\n]*\S[^\n]*")
_MARK = re.compile(
    r"\s*(?:>\s*)*(?:[-*•·–]\s+|\(?\d{1,2}[.)、]\s*(?=\D)|\(?[a-z]\)\s+"
    r"|[（(][一二三四五六七八九十\d]+[)）]\s*|[一二三四五六七八九十]+、)?"
)
_HEADING = re.compile(r"\s*#{1,6}\s|\s*\*\*[^*]{1,60}\*\*[:：]?\s*$")
_RULE = re.compile(r"[\s|:\-=+*_~`]+$")
_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.M | re.S)
_END = re.compile(r"[.!?]+[\"'”’)\]*_]*(?:\s?\[\d+\])*(?=\s)|[。！？!?]+[”’」』）\"*]*(?:\s?\[\d+\])*")
_PAGE_END = re.compile(rf"{_END.pattern}|;(?=\s)|；")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Ft|No|Nos|vs|etc|approx|ca|c|cf|al|Inc|Ltd|Co|Corp|Jr|Sr|Gen|Col|Lt|Capt|Gov|Sen|Rep"
    r"|Rev|Hon|Fig|Vol|pp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|e\.g|i\.e|a\.m|p\.m|U\.S|U\.K|U\.N)"
    r"|(?<![A-Za-z0-9])[A-Z])\.$"
)
_LEADING = re.compile(
    r"(?:(?:however|moreover|also|in addition|additionally|furthermore|finally|overall|此外|另外|同时|然而"
    r"|不过|因此|所以|总之)[,，]?\s*)+$",
    re.I,
)
_CITED = re.compile(r"\s*\[\d+\]")


def pieces(text: str, *, page: bool = False) -> Iterator[Piece]:
    """Every sentence, item and row of `text`, in order.

    Of a `page` code between fences counts too, and a semicolon ends a sentence:
    what is said behind it is said of something else.
    """
    code = [] if page else [m.span() for m in _FENCE.finditer(text)]
    for line in _LINE.finditer(text):
        if any(start <= line.start() < end for start, end in code):
            continue
        yield from _in_line(text, *line.span(), _PAGE_END if page else _END)


def _in_line(text: str, start: int, end: int, ends: re.Pattern[str]) -> Iterator[Piece]:
    line = text[start:end]
    if _RULE.match(line):
        yield Piece(start, end, "rule")
    elif _HEADING.match(line):
        yield Piece(start, end, "heading")
    elif line.count("|") >= 2 or "\t" in line.strip():
        yield _trimmed(text, start, end, "row")
    else:
        body = start + (_MARK.match(line) or re.match("", line)).end()  # type: ignore[union-attr]
        kind = "item" if text[start:body].strip() else "sentence"
        yield from _sentences(text, body, end, kind, ends)


def _sentences(text: str, start: int, end: int, kind: str, ends: re.Pattern[str]) -> Iterator[Piece]:
    at = start
    for stop in ends.finditer(text, start, end):
        before = text[at : stop.end()]
        dot = stop.group()[0] == "."
        if dot and (_ABBREVIATION.search(before[-12:]) or re.match(r"\s+[a-z]", text[stop.end() : stop.end() + 4])):
            continue
        if before.strip():
            yield _trimmed(text, at, stop.end(), kind)
        at = stop.end()
    if text[at:end].strip():
        yield _trimmed(text, at, end, kind)


def _trimmed(text: str, start: int, end: int, kind: str) -> Piece:
    raw = text[start:end]
    return Piece(start + len(raw) - len(raw.lstrip()), end - len(raw) + len(raw.rstrip()), kind)


def claims_of(content: str) -> tuple[Piece, ...]:
    """The pieces of an answer that say something checkable."""
    found = list(pieces(content))
    kept: list[Piece] = []
    for at, piece in enumerate(found):
        heads_table = (
            piece.kind == "row"
            and at + 1 < len(found)
            and found[at + 1].kind == "rule"
            and (at == 0 or found[at - 1].kind != "row")
        )
        if piece.kind in ("heading", "rule") or heads_table:
            continue
        if claims_something(content[piece.start : piece.end]):
            kept.append(piece)
    return tuple(kept)


def claims_something(sentence: str) -> bool:
    """False of connectives, bare hedges, questions, courtesies, lead-ins and "not found"."""
    said = _CITED.sub("", sentence).strip().strip("*_\"“”' ")
    if (
        not said
        or said.endswith(("?", "？"))
        or NOT_FOUND.match(said)
        or COURTESY.match(said)
        or _LEADING.fullmatch(said)
    ):
        return False
    if YES_NO.match(said):
        return True
    if said.endswith((":", "：")) and not facts_of(said):
        return False
    if re.fullmatch(r"<?https?://\S+>?", said):
        return False
    return bool(facts_of(said)) or says_content(said)


def says_content(text: str) -> bool:
    """Is there a word that is no function word?"""
    latin = [w for w in re.findall(r"[^\W\d_]+", re.sub(r"[\u3400-\u9fff]", " ", text)) if w.lower() not in STOP]
    chinese = [c for c in re.findall(r"[\u3400-\u9fff]", text) if c not in FUNCTION_ZH]
    return bool(latin) or len(chinese) >= 1
