"""An answer judged whole: its claims against the pages read, its citations rendered,
and what to tell the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.evidence.claims import Piece, claims_of, pieces
from agent.evidence.shelf import Shelf
from agent.evidence.support import judge, quote_of
from agent.evidence.terms import terms_of
from agent.types import Answer, Claim, Source, Verdict

_URL = re.compile(r"https?://[^\s<>()\[\]\"'，。；）】」]+")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\((https?://[^\s)]+)\)")
_CITED = re.compile(r"[ \t]*(?:\[\^?\d+(?:\s*[,，–-]\s*\d+)*\]|【\d+[^】]*】)")
_SOURCES = re.compile(
    r"\n\s*(?:#+\s*|\*\*)?(?:sources?|references?|citations?|来源|参考(?:资料|文献"
    r"|来源)?)(?:\*\*)?\s*[:：]?(?:\*\*)?\s*\n(?:\s*(?:[-*•]|\d+[.)]|\[\d+\])?\s*\S*(?:https?://"
    r"|\[\d+\])?[^\n]*\n?)*\s*$",
    re.I,
)
_MARKS = {
    Verdict.UNSUPPORTED: "[unsupported]",
    Verdict.CONTRADICTED: "[contradicted]",
    Verdict.PARTIAL: "[partly supported]",
}


def check(content: str, sources: Sequence[Source]) -> Answer:
    """Judge every claim of `content` against the pages and render the citations.

    The model's own `[n]` and every URL that is no source's are removed first: only Scout cites.
    An answer without claims abstains.
    """
    cleaned = clean(content, sources)
    found = claims_of(cleaned)
    shelf = Shelf.of(sources)
    claims = tuple(judge(cleaned[p.start : p.end], _context(cleaned, p), shelf) for p in found)
    return Answer(content, _rendered(cleaned, found, claims), claims, abstained=not claims)


def clean(content: str, sources: Sequence[Source]) -> str:
    """`content` without citations and URLs that the model made up."""
    known = {source.url.rstrip("/") for source in sources}
    text = _SOURCES.sub("", content)
    text = _LINK.sub(lambda m: m.group() if m[2].rstrip("/") in known else m[1], text)
    text = _CITED.sub("", text)
    text = _URL.sub(lambda m: m.group() if m.group().rstrip("/.,;:!?") in known else "", text)
    return re.sub(r"[ \t]*(?:\(\s*\)|<\s*>|（\s*）)", "", text).strip()


def _context(text: str, piece: Piece) -> str:
    """What a claim leans on: the column heads over a row, the sentence before one that says "it"."""
    before = [p for p in pieces(text[: piece.start]) if p.kind != "rule"]
    if piece.kind == "row":
        rows = [p for p in before if p.kind == "row"]
        before = rows[:1]
    return text[before[-1].start : before[-1].end] if before else ""


def _rendered(text: str, found: Sequence[Piece], claims: Sequence[Claim]) -> str:
    for piece, claim in sorted(zip(found, claims, strict=True), key=lambda pair: -pair[0].start):
        numbers = dict.fromkeys(quote.source for quote in claim.quotes)
        cites = "".join(f"[{n}]" for n in numbers) if claim.verdict in (Verdict.SUPPORTED, Verdict.PARTIAL) else ""
        mark = " ".join(filter(None, (cites, _MARKS.get(claim.verdict, ""))))
        at = piece.end
        if piece.kind == "row" and text[at - 1] == "|":
            at, mark = at - 1, f"{mark} "
            text = text[:at].rstrip() + f" {mark}" + text[at:]
        else:
            text = f"{text[:at]} {mark}{text[at:]}"
    return text


def ranked_sources(answer: Answer) -> tuple[int, ...]:
    """Numbers of the sources that the answer cites, in the order of their first citation."""
    cited = (c for c in answer.claims if c.verdict in (Verdict.SUPPORTED, Verdict.PARTIAL))
    return tuple(dict.fromkeys(quote.source for claim in cited for quote in claim.quotes))


def complaint(answer: Answer) -> str:
    """What the model hears of claims that do not hold: which, why, and what to do. "" when all hold."""
    lines = [
        f"“{_short(claim.text)}”: {claim.reason}{_quoted(claim)}"
        for claim in answer.claims
        if claim.verdict is not Verdict.SUPPORTED
    ]
    if not lines:
        return ""
    return "\n".join([*lines[:5], "Rewrite the answer with only what the pages say, or answer “not found”."])


def _quoted(claim: Claim) -> str:
    if claim.verdict is not Verdict.CONTRADICTED or not claim.quotes:
        return ""
    return f"; page {claim.quotes[0].source} says “{_short(claim.quotes[0].text, 160)}”"


def _short(text: str, limit: int = 100) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def best_span(sentence: str, text: str) -> str:
    """The sentence or row of `text`, at most 400 characters and verbatim,
    that has most in common with `sentence`; "" for none.
    """
    shelf = Shelf.of((Source("", "", text),))
    found = shelf.search(terms_of(sentence), limit=1)
    return quote_of(found[0], sentence).text if found else ""
