"""One claim against the pages read: its verdict, the verbatim quotes behind it, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.evidence.binding import Bound, bind
from agent.evidence.clauses import admits_open, is_open, tells_of, tells_plan, without
from agent.evidence.facts import Fact, FactKind, agree
from agent.evidence.figures import facts_of
from agent.evidence.lexicon import DENIES_BACK, YES_NO
from agent.evidence.names import named_in, names_of, vocabulary
from agent.evidence.polarity import CHINESE, clashes, excepts, exclusions, opposes, tacked_on
from agent.evidence.roles import Case, best_for, misplaced, names_lost, naming, said_of_another, said_with_another
from agent.evidence.shelf import Shelf, Unit
from agent.evidence.subject import Subject, meant, subject_of
from agent.evidence.terms import bag, missing_words, terms_of
from agent.types import Claim, Quote, Verdict

QUOTE_CHARS = 400
_PART = re.compile(
    r"(?<!\d)[,;，；]\s*|[,;，；](?!\d{3}(?!\d))\s*|\s(?:and|but|while|whereas|which|making it)\s"
    r"|\s(?=because |due to |thanks to |owing to |in order to |as a result )|(?=因为|由于|从而|因此|得益于)"
    r"|(?:并且|而且)"
)


_STATES = re.compile(
    r"\b(?:is|was|are|were|has|had|have|will|did|does|not|no|[a-z]{3,}ed)\b|[是为有在于了不没未可将]", re.I
)
_NAME = re.compile(r"(?:[A-ZÀ-Þ][\w’'.-]*\s?)+")
_SCALE = re.compile(r"\s?(?:thousand|million|billion|trillion|hundred|dozen|%|percent|[百千万亿])")
_CAPITAL = re.compile(r"\b[A-Z][\w’'-]*")


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of a claim judged by itself:
    how much stands, what is nowhere, what a page denies, and the units that say so.
    """

    good: int = 0
    missing: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    open: bool = False
    units: tuple[Unit, ...] = ()
    against: tuple[Unit, ...] = ()


def judge(text: str, context: str, shelf: Shelf) -> Claim:
    """The verdict on one claim. `context`: what stands before it in the answer, for "it" and for column heads."""
    said = re.sub(r"\s*\[\d+\]", "", text).strip().strip("*_ ")
    if not shelf.pages:
        return Claim(text, Verdict.UNSUPPORTED, reason="no page has been read")
    if YES_NO.match(said):
        return Claim(text, Verdict.UNSUPPORTED, reason="a bare yes or no quotes nothing")
    if quote := _verbatim(said, shelf):
        return Claim(text, Verdict.SUPPORTED, (quote,))
    if not shelf.speaks(chinese=len(CHINESE.findall(said)) >= 2):
        return _across(text, said, shelf)
    literals = [fact.text.lower() for fact in facts_of(said)]
    units = tuple(shelf.search(dict.fromkeys((*terms_of(said), *terms_of(context)[:6])), literals))
    pages = "\n".join(unit.around for unit in units)
    names = names_of(said, vocabulary(pages))
    if _is_phrase(said, names):
        return _phrase(text, said, units)
    for unit in units:
        if unit.text.rstrip(" .。;；") == said.rstrip(" .。;；") and not DENIES_BACK.search(unit.after):
            return Claim(text, Verdict.SUPPORTED, (quote_of(unit, text),))
    case = Case(said, context, units, shelf, names, (), pages)
    return _sum_up(text, [_part(part, case) for part in _parts(said)])


def _verbatim(said: str, shelf: Shelf) -> Quote | None:
    """The place of a bare phrase that stands word for word on a page: no sentence, so it states no more than that."""
    phrase = said.rstrip(".。!！").strip("\"'“”")
    words = len(re.findall(r"[A-Za-z0-9]+|[\u3400-\u9fff]{2}", phrase))
    if (
        not phrase
        or words > 12
        or _STATES.search(phrase)
        or (phrase != said and not (facts_of(said) or _NAME.fullmatch(phrase)))
    ):
        return None
    border, end = (r"(?<![A-Za-z0-9])(?<!\d[.,])", r"(?![A-Za-z0-9]|[.,]\d)")
    shape = re.compile(
        f"{border if phrase[0].isascii() else ''}{re.escape(phrase)}{end if phrase[-1].isascii() else ''}", re.I
    )
    for unit in shelf.search((), [phrase.lower()]):
        found = shape.search(unit.text)
        if found and not _SCALE.match(unit.text, found.end()):
            return quote_of(unit, phrase)
    return None


def _is_phrase(said: str, names: Sequence[Fact]) -> bool:
    """A bare name, figure or few words: nothing but the thing asked for."""
    bare = said.rstrip(".。!")
    left = without(bare, [*facts_of(bare), *names])
    rest = terms_of(left)
    if len(re.findall(r"[a-z]+", left)) > 3:
        return False  # "Stein took over from Menon" has no word of content left and still states something
    if re.search(r"[|:：,，]|\b(?:is|was|are|were|has|had|not|no)\b|[是为有在于了不没未]", bare):
        return False
    return not rest or (bare == said and len(rest) <= (4 if CHINESE.search(said) else 3) and len(said) < 40)


def _phrase(text: str, said: str, units: Sequence[Unit]) -> Claim:
    said = said.rstrip(".。!！").strip("\"'“”")
    facts = facts_of(said)
    for unit in units:
        if _holds_phrase(said, facts, unit):
            return Claim(text, Verdict.SUPPORTED, (quote_of(unit, said),))
    return Claim(text, Verdict.UNSUPPORTED, reason=f"no page read contains {said}")


def _holds_phrase(said: str, facts: Sequence[Fact], unit: Unit) -> bool:
    if not all(any(agree(fact, other) for other in facts_of(unit.text)) for fact in facts):
        return False
    border = r"(?<![a-z0-9])" if said[0].isascii() else ""
    verbatim = re.search(rf"{border}{re.escape(said.lower())}{border and '(?![a-z0-9])'}", unit.text.lower())
    return bool(verbatim) or (bool(facts) and not missing_words(without(said, facts), bag(unit.text)))


def _across(text: str, said: str, shelf: Shelf) -> Claim:
    """A claim in another language than the pages: two hard facts must agree in one place, and none be left over."""
    names = names_of(said, vocabulary(said), guess=False)
    facts = [f for f in facts_of(said) if not _inside(f, names)]
    for unit in shelf.all_with_digits():
        here = facts_of(unit.text)
        held = [any(agree(fact, other) for other in here) for fact in facts] + [
            named_in(name, unit.around) for name in names
        ]
        if len(held) >= 2 and all(held) and any(held[: len(facts)]) and not is_open(unit.text):
            return Claim(text, Verdict.SUPPORTED, (quote_of(unit, text),))
    return Claim(
        text,
        Verdict.UNSUPPORTED,
        reason="the pages are in another language and do not hold all of its figures and names in one place",
    )


def _inside(fact: Fact, names: Sequence[Fact]) -> bool:
    return any(name.start <= fact.start < name.end for name in names)


def _parts(said: str) -> list[str]:
    """The claim cut where a new statement begins; a stretch with too little of its own stays with the one before."""
    found, at, gap = list[str](), 0, 0
    for border in [*_PART.finditer(said), None]:
        piece = said[at : border.start() if border else len(said)]
        if found and not (_speaks(piece) and _speaks(found[-1])):
            found[-1] = found[-1] + said[at - gap : at] + piece
        elif piece.strip():
            found.append(piece)
        if border:
            at, gap = border.end(), border.end() - border.start()
    return found


def _speaks(piece: str) -> bool:
    words = terms_of(_CAPITAL.sub(" ", without(piece, facts_of(piece))))  # a name alone states nothing
    return len(words) >= 1 and len(terms_of(without(piece, facts_of(piece)))) + len(facts_of(piece)) >= 2


@dataclass(frozen=True, slots=True)
class _Reading:
    """A part laid beside the pages: its facts bound, the unit that says most of it, all units that say some."""

    text: str
    names: tuple[Fact, ...]
    facts: tuple[Fact, ...]
    bounds: tuple[Bound, ...]
    ours: tuple[Unit, ...]  # the units that are about the claim's subject
    fit: Unit | None
    chosen: tuple[Unit, ...]

    @property
    def holds(self) -> bool:
        """Every fact is bound."""
        return all(bound.holds for bound in self.bounds)


def _part(text: str, case: Case) -> _Part:
    meant_here = meant(case.claim, text, case.context, case.names)
    case = replace(case, subject=tuple(name for name in meant_here if name in case.names))
    read = _read(text, case)
    lost, swapped = names_lost(read.names, text, read.facts, read.chosen, case)
    carried = bool(read.bounds) and read.holds
    held = bag("\n".join(unit.so_far + (case.shelf.line(unit) if carried else "") for unit in read.chosen))
    words = missing_words(without(text, [*read.facts, *read.names]), held)
    denied = _denied(read, case, words, swapped, sure=read.holds and bool(read.chosen) and not lost)
    missing = [bound.fact.text for bound in read.bounds if not bound.holds and not bound.rival] + lost
    missing += tacked_on(text, held) + _weighty(words, text, read.bounds)
    against = tuple(bound.rival.unit for bound in read.bounds if bound.rival) or (
        (read.fit,) if denied and read.fit else ()
    )
    standing = sum(name not in case.subject and name.text not in lost for name in read.names) - len(swapped)
    is_open = _tells_plan(text, read.fit, read.bounds)
    return _Part(_good(read, standing), tuple(missing), tuple(denied), is_open, read.chosen, against)


def _read(text: str, case: Case) -> _Reading:
    names = tuple(name for name in case.names if name.text in text)
    placed = [replace(n, start=text.find(n.text), end=text.find(n.text) + len(n.text)) for n in names]
    facts = tuple(f for f in facts_of(text) if not _inside(f, placed))

    def subject(fact: Fact) -> Subject:
        return subject_of(case.claim, text, case.context, fact, facts, case.names, case.pages)

    bounds = tuple(bind(fact, subject(fact), case.units, case.claim) for fact in facts)
    whole = subject(Fact(FactKind.NAME, text, 0, 0))
    ours = tuple(u for u in case.units if whole.is_of(u, Fact(FactKind.NAME, "", min(40, len(u.text)), 0)))
    liked = best_for(case.claim, facts_of(case.claim), ours) if text != case.claim else None
    fit = best_for(text, facts, ours, liked)
    chosen = tuple(dict.fromkeys([b.spot.unit for b in bounds if b.holds and b.spot] + ([fit] if fit else [])))
    return _Reading(text, names, facts, bounds, ours, fit, chosen + naming(names, text, chosen, ours))


def _denied(read: _Reading, case: Case, words: Sequence[str], swapped: Sequence[str], *, sure: bool) -> list[str]:
    """Why the pages contradict the part, strongest reason first."""
    found = [f"the pages say {b.rival.fact.text}, not {b.fact.text}" for b in read.bounds if b.rival] + list(swapped)
    if not sure:
        found += said_of_another(read.text, read.names, read.facts, read.ours, case)
    if words and read.names and not found and not read.bounds:
        found += said_with_another(read.text, read.names, case, read.ours)
    if not read.fit or found:
        return found
    if read.text.strip(" .。") in read.fit.text:
        return ["the page says the opposite"] if opposes(read.text, _with_denial(read.fit), read.fit.above) else []
    found += exclusions(read.text, read.fit.text, words)
    found += [why for unit in read.chosen if unit != read.fit for why in clashes(read.text, unit.text)]
    found += [
        f"the page excepts {name.text}"
        for name in case.subject
        if excepts(name.label, read.fit.text) and not excepts(name.label, read.text)
    ]
    found = found or misplaced(read.text, read.names, read.bounds, read.fit, case)
    if not found and opposes(read.text, _with_denial(read.fit), read.fit.above):
        found = ["the page says the opposite"]
    return found


def _with_denial(unit: Unit) -> str:
    """A rumour with the sentence behind it that denies it."""
    return f"{unit.text} {unit.after}" if is_open(unit.text) and DENIES_BACK.search(unit.after) else unit.text


def _weighty(words: list[str], part: str, bounds: Sequence[Bound]) -> list[str]:
    """The missing words that matter:
    every Chinese stretch; English ones when many, or when no fact carries the part.
    """
    held = [b for b in bounds if b.holds and b.fact.kind is FactKind.FIGURE]
    if len(held) >= 2:
        rises = held[0].fact.value < held[-1].fact.value
        words = [
            w
            for w in words
            if w.lower()
            not in (("rose", "grew", "increased", "climbed") if rises else ("fell", "dropped", "declined", "decreased"))
        ]
    total = len(terms_of(part)) or 1
    if not bounds or len(words) > 0.2 * total:
        return words
    return [word for word in words if CHINESE.match(word)]


def _good(read: _Reading, standing: int) -> int:
    """How many statements of the part stand: facts, names, and a wording found in one place.

    Where a figure of the part is nowhere, the date or name beside it states nothing by itself.
    """
    held = [bound.fact for bound in read.bounds if bound.holds]
    if any(not bound.holds and bound.fact.kind is FactKind.FIGURE for bound in read.bounds):
        return sum(fact.kind is FactKind.FIGURE for fact in held)
    rest = terms_of(without(read.text, [*read.names, *read.facts]))
    here, around = bag("\n".join(u.text for u in read.chosen)), bag("\n".join(u.around for u in read.chosen))
    enough = len(rest) >= (2 if read.holds else 3)
    worded = enough and sum(map(around.has, rest)) >= 0.8 * len(rest) and sum(map(here.has, rest)) >= 0.5 * len(rest)
    return len(held) + max(standing, 0) + worded


def _tells_plan(part: str, fit: Unit | None, bounds: Sequence[Bound]) -> bool:
    """Is a plan, forecast or open question of the page told as fact?"""
    if not fit or admits_open(part, fit.text):
        return False
    spots = [b.spot for b in bounds if b.holds and b.spot]
    if spots:
        return any(tells_plan(spot.unit.text, spot.fact.start) for spot in spots)
    return tells_of(part, fit.text)


def _sum_up(text: str, parts: Sequence[_Part]) -> Claim:
    denied = tuple(dict.fromkeys(reason for part in parts for reason in part.denied))
    if denied:
        against = dict.fromkeys(unit for part in parts for unit in part.against)
        return Claim(text, Verdict.CONTRADICTED, tuple(quote_of(unit, text) for unit in against), "; ".join(denied))
    missing = dict.fromkeys(word for part in parts for word in part.missing)
    opened = [part for part in parts if part.open]
    good = sum(part.good for part in parts if not part.open)
    quotes = tuple(
        quote_of(unit, text) for unit in dict.fromkeys(unit for part in parts for unit in part.units if not part.open)
    )
    if not missing and not opened and quotes:
        return Claim(text, Verdict.SUPPORTED, quotes)
    reason = (
        "the page tells a plan, forecast or open question, not a fact"
        if opened
        else f"no page read says this of it: {', '.join(missing)}"
    )
    return (
        Claim(text, Verdict.PARTIAL, quotes, reason)
        if good and quotes
        else Claim(text, Verdict.UNSUPPORTED, (), reason)
    )


def quote_of(unit: Unit, claim: str) -> Quote:
    """The verbatim words of a unit, at most QUOTE_CHARS of them: the stretch that shares most with the claim."""
    if len(unit.text) <= QUOTE_CHARS:
        return Quote(unit.source, unit.text)
    low = unit.text.lower()
    places = [at for term in terms_of(claim) if (at := low.find(term)) >= 0] or [0]
    places += [fact.start for fact in facts_of(unit.text) if any(agree(f, fact) for f in facts_of(claim))] * 3
    start = max(0, min(sorted(places)[len(places) // 2] - QUOTE_CHARS // 2, len(unit.text) - QUOTE_CHARS))
    cut = unit.text[start : start + QUOTE_CHARS]
    if start and " " in cut:
        cut = cut[cut.index(" ") + 1 :]
    if start + QUOTE_CHARS < len(unit.text) and " " in cut:
        cut = cut[: cut.rindex(" ")]
    return Quote(unit.source, cut.strip())
