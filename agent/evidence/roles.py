"""Who and what a claim names:
names that no page has, that stand in another's place, or that the page says something else of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

from agent.evidence.binding import Bound, facts_in
from agent.evidence.clauses import clauses_of, head_of, is_open, said_with, without
from agent.evidence.facts import Fact, agree
from agent.evidence.figures import facts_of
from agent.evidence.lexicon import FUNCTION_ZH, NEGATION, PRONOUN
from agent.evidence.names import Vocabulary, named_in, names_of, vocabulary
from agent.evidence.polarity import clashes
from agent.evidence.shelf import Shelf, Unit
from agent.evidence.terms import Bag, bag, missing_words, terms_of

_PLACES = ("from", "to", "by", "against", "over", "before", "after")


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with what it is judged by: what stands before it in the answer, and the units that bear on it."""

    claim: str
    context: str
    units: tuple[Unit, ...]
    shelf: Shelf
    names: tuple[Fact, ...]
    subject: tuple[Fact, ...]  # the one of `names` that the claim is about, if one is
    pages: str  # all that the units and their surroundings say


def best_for(part: str, facts: Sequence[Fact], units: Sequence[Unit], liked: Unit | None = None) -> Unit | None:
    """The unit that holds most of a part's words, rare ones first, and facts."""
    weights = {term: 1 / (1 + log(1 + sum(bag(unit.text).has(term) for unit in units))) for term in terms_of(part)}

    denies = NEGATION.search(part) is not None

    def worth(unit: Unit) -> float:
        here, around = bag(unit.text), bag(unit.around)
        # What the title says, every sentence is about: it tells none from another.
        words = sum(
            weight * (1.0 if here.has(t) and not bag(unit.above).has(t) else 0.4 * around.has(t))
            for t, weight in weights.items()
        )
        return (
            words
            + 0.5 * (unit == liked)
            + 0.5 * (denies and NEGATION.search(unit.text) is not None)
            + sum(1.0 for fact in facts if any(agree(fact, other) for other in facts_in(unit)))
        )

    return max(units, key=worth, default=None)


def naming(names: Sequence[Fact], part: str, chosen: Sequence[Unit], ours: Sequence[Unit]) -> tuple[Unit, ...]:
    """Further units of the subject that hold a name the chosen ones lack, and say the part's words of it."""
    found = list[Unit]()
    words = terms_of(without(part, [*names, *facts_of(part)]))
    for name in names:
        if not any(named_in(name, unit.text) for unit in chosen):
            found += [
                u
                for u in ours
                if named_in(name, u.text) and words and 2 * sum(map(bag(u.text).has, words)) >= len(words)
            ][:1]
    return tuple(found)


def said_of_another(
    part: str, names: Sequence[Fact], facts: Sequence[Fact], ours: Sequence[Unit], case: Case
) -> list[str]:
    """The page says all of it, but of another than the subject."""
    subject = case.subject
    rest = [n for n in names if n not in subject]
    if not subject or not (rest or facts):
        return []
    words = terms_of(without(part, [*names, *facts]))
    for unit in case.units:
        if unit in ours or not all(named_in(n, unit.text) for n in rest) or is_open(unit.text):
            continue
        if (
            all(any(agree(f, o) for o in facts_in(unit)) for f in facts)
            and words
            and 2 * sum(map(bag(unit.text).has, words)) >= len(words)
        ):
            return [f"the page says this of another than {subject[0].text}"]
    return []


def names_lost(
    names: Sequence[Fact], part: str, facts: Sequence[Fact], chosen: Sequence[Unit], case: Case
) -> tuple[list[str], list[str]]:
    """Names that the chosen units do not hold:
    those that stand nowhere near, and why those are wrong in whose place another stands.
    """
    lost, swapped = list[str](), list[str]()
    for name in names:
        near = "\n".join(unit.so_far if name in case.subject else f"{unit.above}\n{unit.text}" for unit in chosen)
        if named_in(name, near) and all(map(case.shelf.holds, name.label.split())):
            continue
        tried = [*chosen, *((alike,) if (alike := best_for(without(part, names), facts, case.units)) else ())]
        other = next((other for unit in tried if (other := _other_name(name, part, facts, unit, case))), "")
        if other:
            swapped.append(f"the pages name {other}, not {name.text}")
        else:
            lost.append(name.text)
    return lost, swapped


def misplaced(part: str, names: Sequence[Fact], bounds: Sequence[Bound], fit: Unit, case: Case) -> list[str]:
    """What the sentence says of another:
    it names the subject in one clause and has the part's words or names in another's clause.
    """
    crossed = _crossed(part, names, fit) or ([] if bounds else _parallel(part, fit))
    if crossed:
        return crossed
    clauses = [c for c in clauses_of(fit.text) if c.strip()]
    homes = [c for c in clauses if any(named_in(name, c) for name in case.subject)]
    spots = [b.spot for b in bounds if b.spot and b.spot.unit == fit]
    if not case.subject and spots:
        homes = [said_with(fit.text, fit.above, fit.kind, spots[0].fact)]
    if len(clauses) < 2 or not homes:
        return _hung_wrong(part, names, fit, case)
    home, known = " ".join(homes), vocabulary(fit.around)
    found = clashes(part, home) if not bounds else []
    strangers = [c for c in clauses if c not in homes and _strangers(c, case, known)]
    found += _hung_wrong(part, names, fit, case)
    for name in (n for n in names if n not in case.subject):
        if _strangers(home, case, known) and any(named_in(name, c) for c in clauses) and not named_in(name, home):
            found.append(f"the page says {name.text} of another")
    words = [t for t in terms_of(without(part, [*case.names, *(b.fact for b in bounds)])) if bag(fit.text).has(t)]
    if words and not bounds and tuple(names) == case.subject and not any(map(bag(home).has, words)):
        found += [
            f"the page says this of another than {case.subject[0].text}"
            for c in strangers
            if all(map(bag(c).has, words))
        ][:1]
    return found


def _hung_wrong(part: str, names: Sequence[Fact], fit: Unit, case: Case) -> list[str]:
    """Names that hang on one word in the part and on another in the sentence,
    where that word has a name of its own.
    """
    there = names_of(fit.text, vocabulary(fit.around), guess=False)
    found = list[str]()
    for name in names:
        if name in case.subject:
            continue
        head = head_of(part, replace(name, start=max(0, part.find(name.text))), names)
        mine = [n for n in there if n.label.split()[-1] == name.label.split()[-1]]
        others = [n for n in there if not any(n.label.split()[-1] == m.label.split()[-1] for m in case.names)]
        if head and mine and all(head_of(fit.text, n, there) != head for n in mine):
            found += [
                f"the page says {n.text}, not {name.text}" for n in others if head_of(fit.text, n, there) == head
            ][:1]
    return found


def _crossed(part: str, names: Sequence[Fact], fit: Unit) -> list[str]:
    """Two names in each other's place: "A took over from B" where the page has B after the "from"."""
    ahead = {name.label: {p for p in _PLACES if re.search(rf"\b{p} {re.escape(name.text)}", part)} for name in names}
    there = {
        name.label: {p for p in _PLACES if re.search(rf"\b{p} {re.escape(name.text)}", fit.text)} for name in names
    }
    return [
        f"the page says {other.text}, not {name.text}, behind “{place}”"
        for name in names
        for place in ahead[name.label] - there[name.label]
        for other in names
        if other is not name and place in there[other.label] - ahead[other.label] and named_in(name, fit.text)
    ]


def _parallel(part: str, fit: Unit) -> list[str]:
    """Parallel clauses mixed: "the young eat plankton, the old eat shrimp" says nothing of old ones and plankton."""
    terms = [term for term in terms_of(part) if bag(fit.text).has(term)]
    clauses = [bag(clause) for clause in clauses_of(fit.text)]
    if len(clauses) < 2 or not terms or any(all(map(clause.has, terms)) for clause in clauses):
        return []
    first = [clause for clause in clauses if clause.has(terms[0])]
    rest = [
        clause
        for clause in clauses
        if clause not in first and sum(map(clause.has, terms[1:])) >= max(1, len(terms) // 2)
    ]
    alike = any(len(_frame(one) & _frame(other)) >= 2 for one in first for other in rest)
    return ["the page says this of another"] if alike else []


def _frame(clause: Bag) -> set[str]:
    """What is left of a clause without its content: the pattern that parallel clauses share."""
    return {c for c in clause.low if c in FUNCTION_ZH} | set(re.findall(r"[a-z]{2,}", clause.low))


def _strangers(clause: str, case: Case, known: Vocabulary) -> bool:
    return any(not any(n.label == m.label for m in case.names) for n in names_of(clause, known, guess=False))


def said_with_another(part: str, names: Sequence[Fact], case: Case, ours: Sequence[Unit]) -> list[str]:
    """The unit that says the part's words says them with another name."""
    rest = without(part, names)
    alike = best_for(rest, (), ours)
    if not alike or not terms_of(rest) or missing_words(rest, bag(alike.text)):
        return []
    return [
        f"the pages name {other}, not {name.text}"
        for name in names
        if name not in case.subject
        and not named_in(name, alike.text)
        and (other := _other_name(name, part, (), alike, case))
    ]


def _other_name(name: Fact, part: str, facts: Sequence[Fact], unit: Unit, case: Case) -> str:
    """The name that a unit has where the part has `name`, if the unit says the rest of the part."""
    others = [n for n in case.names if n is not name]
    rest = [t for t in terms_of(without(part, [name, *facts])) if not bag(unit.above).has(t)]
    here = bag(unit.text)
    found = sum(map(here.has, rest)) + sum(any(agree(f, o) for o in facts_in(unit)) for f in facts)
    if not found or found < 0.6 * (len(rest) + len(facts)):
        return ""
    text = unit.text if not PRONOUN.match(unit.text) else f"{unit.text}\n{unit.before}\n{unit.above}"
    there = [
        n
        for n in names_of(text, vocabulary(unit.around), guess=unit.kind == "row")
        if not any(n.label == o.label for o in others)
    ]
    return there[0].text if there else ""
