"""Ties a fact of a claim to the place on a page that says it of the same thing, or that gives another value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import isclose

from agent.evidence.clauses import clause_at, head_of, is_open, role_of, said_with, tells_plan
from agent.evidence.facts import Fact, FactKind, agree, comparable
from agent.evidence.figures import facts_of
from agent.evidence.lexicon import OF_WHICH, SUM
from agent.evidence.polarity import clashes
from agent.evidence.shelf import Unit
from agent.evidence.subject import Spot, Subject, says, words_with
from agent.evidence.terms import bag
from agent.evidence.units import COUNT, families_named, scale_named

ENOUGH = 0.42  # share of the claim's context that must surround a figure before it counts as said of the same thing
RIVAL_ENOUGH = 0.55
LEAD_CHARS = 12
FACTS = 60  # of one sentence or row; more is no text


@dataclass(frozen=True, slots=True)
class Bound:
    """What the pages say of one fact of a claim.

    `spot`: the same value; `rival`: another value that fits the claim better.
    """

    fact: Fact
    spot: Spot | None = None
    rival: Spot | None = None

    @property
    def holds(self) -> bool:
        """The pages say the same, and nothing fits better."""
        return self.spot is not None and self.rival is None


def bind(fact: Fact, subject: Subject, units: Sequence[Unit], claim: str) -> Bound:
    """Where the pages say `fact` of `subject`, and where they give something else for it."""
    same, other = list[Spot](), list[Spot]()
    role = role_of(claim, fact)
    claim_clause = clause_at(claim, max(0, claim.find(fact.text)))
    lead = " ".join(claim[: claim.find(fact.text) + len(fact.text)].split())
    for unit in units:
        if len(lead) > LEAD_CHARS and lead in unit.text:
            # All that the claim says up to here stands word for word: whatever else fits, the page says this.
            at = unit.text.find(lead) + len(lead)
            exact = [found for found in facts_in(unit) if found.end == at and agree(fact, found)]
            if exact:
                return Bound(fact, Spot(unit, exact[0], 1.0))
        if unit.kind == "row" and fact.kind is FactKind.RANK and says(unit.above, fact) and subject.is_of(unit, fact):
            same.append(Spot(unit, fact, ENOUGH))
        for found in facts_in(unit)[:FACTS]:
            says_so = agree(fact, found)
            if not (says_so or comparable(fact, found)) or not subject.is_of(unit, found):
                continue
            crossed = {role, role_of(unit.text, found)} == {"from", "to"} or (
                says_so and bool(clashes(claim_clause, said_with(unit.text, unit.above, unit.kind, found)))
            )
            spot = Spot(unit, found, subject.fit(unit, found))
            if says_so and not crossed:
                if not subject.of_another_year(spot):
                    same.append(spot)
            elif says_so:
                other.append(replace(spot, fit=1.0))
            elif (
                not says_so
                and not crossed
                and subject.counts_same(unit, found)
                and (is_open(claim) or not tells_plan(unit.text, found.start))
            ):
                other.append(spot)
    best = max(same, key=lambda spot: spot.fit, default=None)
    if best and subject.fit(best.unit, best.fact, loose=True) < ENOUGH:
        best = None
    return Bound(fact, best, _rival(fact, subject, best, other, claim, units))


def _rival(
    fact: Fact, subject: Subject, best: Spot | None, other: Sequence[Spot], claim: str, units: Sequence[Unit]
) -> Spot | None:
    rivals = [spot for spot in other if _is_rival(spot, subject, best)]
    rival = max(rivals, key=lambda spot: spot.fit, default=None)
    if not rival:
        return None
    if best:
        # A second page may word the same thing closer and give another value:
        # that is a conflict of pages, not an error of the claim.
        if (
            best.unit == rival.unit
            and subject.head
            and head_of(rival.unit.text, rival.fact) == subject.head != head_of(best.unit.text, best.fact)
            and head_of(best.unit.text, best.fact) not in subject.own
        ):
            return rival
        margin = 0.02 if rival.unit.source == best.unit.source else 0.2
        if _elided(best, rival, subject):
            return rival
        if subject.facts and _with_all(best, subject) and not _with_all(rival, subject):
            return None  # the same value with the claim's own date beside it; the rival is another year's
        if subject.at_home(best) and subject.abroad(rival):
            return None
        if subject.measures(rival) and not subject.measures(best):
            return rival
        return rival if rival.fit > best.fit + margin else None
    if SUM.search(claim) and not SUM.search(rival.unit.text):
        return None  # a total or difference of the reader's own: no page states it, none denies it
    return None if _reckoned(fact, units) else rival


def _with_all(spot: Spot, subject: Subject) -> bool:
    return all(says(words_with(spot), fact) for fact in subject.facts)


def _elided(best: Spot, rival: Spot, subject: Subject) -> bool:
    """ "1,046 patients received Lorvax and 1,051 a placebo":
    the later clause leaves out the noun, so what it adds decides.
    """
    if best.unit != rival.unit or rival.fact.start < best.fact.start:
        return False
    part_of = OF_WHICH.match(words_with(rival)) is not None
    return (part_of or subject.abroad(best)) and subject.only_in(rival, best)


def _reckoned(fact: Fact, units: Sequence[Unit]) -> bool:
    """Is the figure a sum or difference of two or three figures of the pages?"""
    if fact.kind is not FactKind.FIGURE or fact.value < 3:
        return False
    values = list(
        {f.value for u in units[:16] for f in facts_in(u) if f.kind is FactKind.FIGURE and f.unit == fact.unit}
    )[:40]
    if fact.unit.family == "year":
        years = {
            float(f.day[0]) for u in units[:12] for f in facts_of(u.text) if f.kind is FactKind.DATE and f.day[0] > 0
        }
        values += [abs(a - b) for a, b in combinations(sorted(years)[:12], 2)]
        if any(value == fact.value for value in values):
            return True
    sums = [sum(group) for size in (2, 3) for group in combinations(values, size)] + [
        abs(a - b) for a, b in combinations(values, 2)
    ]
    return any(isclose(fact.value, value, rel_tol=1e-6) for value in sums)


def _is_rival(rival: Spot, subject: Subject, best: Spot | None) -> bool:
    if best and best.unit == rival.unit:
        return (
            rival.fit >= ENOUGH or OF_WHICH.match(words_with(rival)) is not None
        )  # in one sentence the better fit decides
    above = bag(rival.unit.above)
    held = bag(f"{rival.unit.text}\n{rival.unit.above if rival.unit.kind == 'row' else ''}")
    own = [term for term in subject.own if held.has(term) or not above.has(term)]
    fit = rival.fit if best else subject.fit(rival.unit, rival.fact, loose=True)
    if subject.head and not held.has(subject.head) and not bag(rival.unit.so_far).has(subject.head):
        return False
    return fit >= RIVAL_ENOUGH and 2 * sum(map(held.has, own)) >= len(own)


@lru_cache(maxsize=2048)
def facts_in(unit: Unit) -> tuple[Fact, ...]:
    """The facts of a unit; a bare figure in a table also with the unit and scale that its column head names."""
    plain = facts_of(unit.text)
    if unit.kind != "row":
        return plain
    return plain + tuple(read for fact in plain for read in _under_head(fact, unit))


def _under_head(fact: Fact, unit: Unit) -> Iterator[Fact]:
    if fact.kind not in (FactKind.FIGURE, FactKind.DATE) or fact.unit != COUNT or any(fact.day[1:]):
        return
    value = fact.value if fact.kind is FactKind.FIGURE else float(fact.day[0])
    label = said_with(unit.text, unit.above, unit.kind, fact).replace(fact.text, "")
    scale, named = scale_named(label), families_named(label)
    for measure in named or ({COUNT} if scale != 1.0 else ()):
        yield replace(fact, kind=FactKind.FIGURE, value=value * scale * measure.factor, unit=measure, day=(0, 0, 0, 0))
