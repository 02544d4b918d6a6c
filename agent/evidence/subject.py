"""What a fact of a claim is said of, and how well a place on a page fits it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.evidence.clauses import clause_at, head_of, said_with, without
from agent.evidence.facts import Fact, FactKind, agree, comparable
from agent.evidence.figures import facts_of
from agent.evidence.lexicon import IT
from agent.evidence.names import named_in, names_of, vocabulary
from agent.evidence.shelf import Unit
from agent.evidence.terms import bag, terms_of
from agent.evidence.units import COUNT

_PREDICATE = re.compile(r"\b(?:was|is|were|are|has|had|have|by|with|from|for|to|into|won|went)\b")
_SUBJECT_ZH = re.compile(
    r"[\u3400-\u9fff]{2,12}?(?=[的于在是为由有共设获拥长高宽重达占]|全长|全高|总|建|创|成立|位|属|每|平均|海拔|\d)"
)


# How much a context word counts by where it stands, nearest first.
IN_CLAUSE, IN_SENTENCE, ABOVE, BEFORE, AFTER = 1.0, 0.75, 0.6, 0.5, 0.3
FACT_WEIGHT = 3.0  # of a date or figure that the claim says together with the fact


@dataclass(frozen=True, slots=True)
class Spot:
    """A fact where a page says it, and how well its surroundings fit the claim: 0 to 1."""

    unit: Unit
    fact: Fact
    fit: float


@dataclass(frozen=True, slots=True)
class Subject:
    """What a claim's fact is said of:
    weighted words and facts around it, and the names of which one must be meant.
    """

    terms: tuple[tuple[str, float], ...]
    facts: tuple[Fact, ...]
    own: tuple[str, ...]  # words of the fact's own clause that are no names
    names: tuple[Fact, ...]  # the claim's subject, or what its "it" may stand for; empty: anything
    lead: str = ""  # a Chinese claim's first words, if pages have them
    all_names: tuple[Fact, ...] = ()
    head: str = ""  # the word that the fact hangs on
    beside: tuple[str, ...] = ()  # the words right beside the fact: what it measures
    counted: tuple[str, ...] = ()  # the words right after a bare figure: what it counts

    def fit(self, unit: Unit, fact: Fact, *, loose: bool = False) -> float:
        """How much of it stands around `fact` in `unit`.

        `loose` leaves out names but the subject's: another actor is no other subject.
        """
        zones = (
            (said_with(unit.text, unit.above, unit.kind, fact), IN_CLAUSE), (unit.text, IN_SENTENCE),
            (unit.above, ABOVE), (unit.before, BEFORE), (unit.after, AFTER),
        )  # fmt: skip
        skipped = {t for n in self.all_names if n not in self.names for t in terms_of(n.text)} if loose else set()
        terms = [(term, weight) for term, weight in self.terms if term not in skipped]
        if loose:
            terms = [
                (term, min(weight, 1.0) if term in self.beside else weight) for term, weight in terms if weight >= 1.0
            ]
        total = sum(weight for _, weight in terms) + FACT_WEIGHT * len(self.facts)
        if not total:
            return 1.0
        got = sum(weight * self._share(term, zones) for term, weight in terms)
        got += sum(
            FACT_WEIGHT * max((share for text, share in zones if says(text, other)), default=0.0)
            for other in self.facts
        )
        return got / total

    def _share(self, term: str, zones: Sequence[tuple[str, float]]) -> float:
        share = max((share for text, share in zones if bag(text).has(term)), default=0.0)
        return share if share == IN_CLAUSE or term not in self.beside else min(share, 0.4)

    def is_of(self, unit: Unit, fact: Fact) -> bool:
        """Is `fact` said of the claim's subject:
        is it named in the clause, or referred to from just before or above?
        """
        if self.lead and (self.lead not in unit.so_far or _contrasts(self.lead, unit.text)):
            return False
        if not self.names:
            return True
        clause = said_with(unit.text, unit.above, unit.kind, fact)
        if self._named(clause):
            return True
        if not self._named("\n".join((unit.above, unit.before, unit.text))):
            return False
        return unit.kind == "row" or not self._of_another(unit, clause, fact)

    def _named(self, text: str) -> bool:
        return any(named_in(name, text) for name in self.names)

    def _of_another(self, unit: Unit, clause: str, fact: Fact) -> bool:
        """Does the clause, or the sentence that does not name the subject, begin with another's name?"""
        known = vocabulary(unit.around)
        ahead = clause[: max(0, clause.find(fact.text))]
        strangers = [
            n for n in names_of(ahead, known, guess=False) if not any(n.label == m.label for m in self.all_names)
        ]
        if strangers:
            return True
        if self._named(unit.text) or IT.match(unit.text):
            return False
        early = names_of(unit.text[: min(fact.start, 40)], known, guess=False)
        return any(
            n.label not in unit.above.lower() and not any(n.label == m.label for m in self.all_names) for n in early
        )

    def of_another_year(self, spot: Spot) -> bool:
        """Does the spot's sentence give another date where the claim gives one?"""
        if spot.unit.kind == "row":
            return False
        there = [f for f in facts_of(spot.unit.text) if f.kind is FactKind.DATE and f.start != spot.fact.start]
        return any(
            any(comparable(mine, f) for f in there) and not says(f"{spot.unit.text}", mine)
            for mine in self.facts
            if mine.kind is FactKind.DATE
        )

    def measures(self, spot: Spot) -> bool:
        """Does the spot's clause have the word right beside the claim's fact?"""
        clause = bag(words_with(spot))
        return any(map(clause.has, self.beside))

    def only_in(self, spot: Spot, other: Spot) -> bool:
        """Does the spot's clause have a word of the claim that the other's lacks?"""
        here, there = bag(words_with(spot)), bag(words_with(other))
        return any(here.has(term) and not there.has(term) for term, weight in self.terms if weight >= 1.0)

    def at_home(self, spot: Spot) -> bool:
        """Does the spot's clause name the subject?"""
        return bool(self.names) and self._named(words_with(spot))

    def abroad(self, spot: Spot) -> bool:
        """Does the spot's clause name only others?"""
        clause = words_with(spot)
        strangers = names_of(clause, vocabulary(spot.unit.around), guess=False)
        return not any(named_in(n, clause) for n in self.all_names) and any(
            n.label not in {m.label for m in self.all_names} for n in strangers
        )

    def counts_same(self, unit: Unit, fact: Fact) -> bool:
        """Does a bare figure count the same sort of thing there?"""
        if not self.counted or fact.kind is not FactKind.FIGURE or fact.unit != COUNT:
            return True
        held = bag(said_with(unit.text, unit.above, unit.kind, fact))
        return any(held.has(term) for term in self.counted)


def says(text: str, fact: Fact) -> bool:
    """Does some fact of `text` agree with `fact`?"""
    return any(agree(fact, other) for other in facts_of(text))


def words_with(spot: Spot) -> str:
    """The words that a spot's fact is said with."""
    return said_with(spot.unit.text, spot.unit.above, spot.unit.kind, spot.fact)


def subject_of(
    claim: str, part: str, context: str, fact: Fact, facts: Sequence[Fact], names: Sequence[Fact], pages: str
) -> Subject:
    """What `fact`, one of `facts` in `part` of `claim`, is said of:
    its own clause first, the rest and the context with less weight.
    """
    clause = clause_at(part, fact.start)
    others = tuple(f for f in facts if f is not fact and not f.base)
    near = tuple(f for f in others if f.text in clause)
    blank = without(clause, [fact, *others])
    if not terms_of(blank):
        clause, blank = part, without(part, facts)
    own_names = {term for name in names for term in terms_of(name.text)}
    weights: dict[str, float] = {}
    for text, weight in (
        (blank, 1.0),
        (without(claim, facts_of(claim)), 0.4),
        (without(context, facts_of(context)), 0.05),
    ):
        for term in terms_of(text):
            weights.setdefault(term, weight * (2.0 if term in own_names else 1.0))
    near = near or tuple(f for f in others if f.text in clause)
    bare_figure = fact.unit == COUNT and fact.kind is FactKind.FIGURE
    counted = terms_of(re.split(r"[,.;:，。；、|]", part[fact.end : fact.end + 40])[0])[:2] if bare_figure else ()
    own = tuple(t for t in terms_of(blank) if t not in own_names)
    beside = (
        ()
        if fact.kind is FactKind.DATE
        else tuple(
            t for t in (*terms_of(part[: fact.start][-14:])[-2:], *terms_of(part[fact.end :][:12])[:1]) if t in own
        )
    )
    if beside:
        weights |= dict.fromkeys(beside, 2.0)
    return Subject(
        tuple(weights.items()),
        near,
        own,
        meant(claim, part, context, names),
        _lead(claim, pages),
        tuple(names),
        head_of(part, fact, names),
        beside,
        counted,
    )


def meant(claim: str, part: str, context: str, names: Sequence[Fact]) -> tuple[Fact, ...]:
    """The names that can be the subject:
    the first early one; for a claim that says "it", those of the sentence before.
    """
    own = [name for name in names if -1 < part.find(name.text) < 12]
    if own and part != claim and not _PREDICATE.search(part[: part.find(own[0].text)]):
        return (own[0],)
    if IT.match(claim):
        return names_of(context, vocabulary(context))
    early = [n for n in names[:1] if n.start < max(30, len(claim) // 3) and not _PREDICATE.search(claim[: n.start])]
    return tuple(early)


def _lead(claim: str, pages: str) -> str:
    found = _SUBJECT_ZH.search(without(claim, facts_of(claim)))
    return (
        found.group()
        if found and found.start() < 6 and found.group()[0] not in "全该本其此这它他她总共平" and found.group() in pages
        else ""
    )


def _contrasts(lead: str, sentence: str) -> bool:
    """Does the sentence begin with the lead's opposite number: 单位投放 beside 个人投放?"""
    found = _SUBJECT_ZH.match(sentence)
    other = found.group() if found else lead
    return lead not in sentence and other not in lead and other[-2:] == lead[-2:]
