"""Clauses of a sentence: what a fact is said with, what it hangs on, and whether it is told as plan or as fact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from agent.evidence.facts import Fact, FactKind
from agent.evidence.figures import facts_of
from agent.evidence.lexicon import OPEN, OPEN_BACK, OPEN_CASE
from agent.evidence.names import names_of, vocabulary
from agent.evidence.terms import bag, terms_of

_BORDER = re.compile(
    r"[;；—–|]|(?<!\d)[,，、]|[,，、](?!\d{3}(?!\d))|\s(?:and|but|while|whereas|versus|compared with"
    r"|compared to|against)\s|\s(?=(?:from|to|than)\s[\d$€£])"
    r"|(?<=[\u3400-\u9fff])(?=(?:而|但|升至|降至|增至|增长到|下降到|改为))"
)
_STATEMENT = re.compile(r"(?<!\d)[,，;；]|[,，;；](?!\d)|\s(?:but|while|whereas)\s|但")
_WILL = re.compile(r"\b(?:will|would)\b|将")
_LONG_STATEMENT = re.compile(r"(?:(?!;|；|\bbut\b|但)[\s\S])+")
_LIFE = re.compile(r"[(（][^()（）]{4,40}?\s?[–—-]\s?[^()（）]{4,40}?[)）]")
_FROM_TO = re.compile(r"(?:\b(?P<a>from)|\b(?P<b>to)|(?P<c>从|由)|(?P<d>到|至|为|成))\s*$")


@lru_cache(maxsize=4096)
def clause_at(text: str, at: int) -> str:
    """The clause of `text` that an offset falls in: what stands between commas, semicolons and conjunctions."""
    return next((text[start:end] for start, end in _clauses(text) if start <= at < end), text)


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the clauses. One that is a mere date or figure goes with the next: "In 1985, …"."""
    found, start = list[tuple[int, int]](), 0
    for border in [*_BORDER.finditer(text), None]:
        end = border.start() if border else len(text)
        if border and text[border.end() :].startswith("to ") and "from " not in text[:end]:
            continue
        if border and (not text[start:end].strip() or (border.group() in ",，" and _is_date(text[start:end]))):
            continue
        found.append((start, end))
        start = border.end() if border else end
    return tuple(found)


def _is_date(clause: str) -> bool:
    facts = facts_of(clause)
    return (
        len(clause) < 24
        and bool(facts)
        and all(f.kind is FactKind.DATE for f in facts)
        and not terms_of(without(clause, facts))
    )


def clauses_of(text: str) -> tuple[str, ...]:
    """All clauses of `text`."""
    return tuple(text[start:end] for start, end in _clauses(text) if text[start:end].strip())


def said_with(text: str, above: str, kind: str, fact: Fact) -> str:
    """The words a fact is said with:
    its clause; in a table its column head, its cell and the row's first cell; in a life span, its sense.
    """
    if kind == "row":
        cells, heads = _cells(text), _cells(above.split("\n")[-1])
        column = _column(text, fact.start)
        head = heads[column] if column < len(heads) else ""
        return f"{cells[0]} {head} {cells[column] if column < len(cells) else ''}"
    for span in _LIFE.finditer(text):
        inside = [f for f in facts_of(text) if f.kind is FactKind.DATE and span.start() <= f.start < span.end()]
        if len(inside) == 2 and any(f.start == fact.start for f in inside):
            return f"{text[: span.start()]} {fact.text} " + (
                "born 出生" if inside[0].start == fact.start else "died 去世"
            )
    return clause_at(text, fact.start)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"\||\t", row.strip().strip("|"))]


def _column(row: str, at: int) -> int:
    lead = len(row) - len(row.lstrip().lstrip("|"))
    return len(re.findall(r"\||\t", row[lead:at]))


def without(text: str, facts: Iterable[Fact]) -> str:
    """`text` with the words of `facts` blanked out."""
    for fact in facts:
        text = text.replace(fact.text, " ")
    return text


def head_of(text: str, fact: Fact, names: Sequence[Fact] = ()) -> str:
    """The word that a fact or name hangs on:
    the last content word before it in its clause, or the first behind it.
    """
    clause = clause_at(text, fact.start)
    before, _, after = clause.partition(fact.text)
    names = names or names_of(text, vocabulary(text))
    for words in (
        terms_of(without(before, [*names, *facts_of(before)]))[-1:],
        terms_of(without(after, [*names, *facts_of(after)]))[:1],
    ):
        if words:
            return words[0]
    return ""


def role_of(text: str, fact: Fact) -> str:
    """Is the fact a start ("from", 从) or an end ("to", 至)? "" for neither."""
    found = _FROM_TO.search(text[max(0, fact.start - 6) : fact.start])
    return "" if not found else "from" if found["a"] or found["c"] else "to"


def is_open(text: str) -> bool:
    """Does it tell a plan, a forecast or an open question?"""
    return OPEN.search(OPEN_CASE.sub(" ", text)) is not None


def admits_open(claim: str, sentence: str) -> bool:
    """Does the claim itself say that it is a plan or doubt? "Will" says so only of a page that says "will"."""
    if not is_open(claim):
        return False
    return is_open(_WILL.sub(" ", claim)) or _WILL.search(sentence) is not None


def tells_plan(sentence: str, at: int) -> bool:
    """Does the statement around an offset tell a plan, a forecast or an open question?"""
    if any(
        OPEN_BACK.search(piece.group()) and piece.start() <= at < piece.end()
        for piece in _LONG_STATEMENT.finditer(sentence)
    ):
        return True
    start = max((m.end() for m in _STATEMENT.finditer(sentence, 0, at)), default=0)
    end = next((m.start() for m in _STATEMENT.finditer(sentence, at)), len(sentence))
    return is_open(sentence[start:end])


def tells_of(part: str, sentence: str) -> bool:
    """Does a plan, forecast or doubt of the sentence reach what the part says?"""
    terms = terms_of(part)
    for piece in _LONG_STATEMENT.findall(sentence):
        if OPEN_BACK.search(piece) and 2 * sum(map(bag(piece).has, terms)) >= len(terms):
            return True
    return any(
        any(bag(statement[mark.end() :]).has(t) and not bag(statement[: mark.start()]).has(t) for t in terms)
        for statement in re.split(r"[;；]|\sbut\s|但", sentence)
        if (mark := OPEN.search(OPEN_CASE.sub("   ", statement)))
    )
