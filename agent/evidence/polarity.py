"""What a sentence denies, excludes or tops off:
negation and its reach, opposites, another word in the same place, superlatives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from agent.evidence.lexicon import (
    CAUSE,
    DENIES_BACK,
    DOWN,
    EXCEPT,
    NEGATION,
    PERMISSION,
    RIVALS,
    RIVALS_ZH,
    SAME_ZH,
    SOFT_ZH,
    SUPERLATIVE,
    SURNAMES_ZH,
    TOGETHER,
    UP,
)
from agent.evidence.terms import Bag, bag, stem, terms_of

_CLAUSE = re.compile(r"[,，;；.。:：]|\s(?:but|and|although|while|whereas)\s|但是?|而且|而(?!是)|虽然")
_WORD = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’-][A-Za-z]+)*|\d[\d,.]*|[\u3400-\u9fff]|[.,;:!?，。；：！？、()（）]")
_COPULA = frozenset("是为由的了")
CHINESE = re.compile(r"[\u3400-\u9fff]")


def negated(text: str) -> tuple[frozenset[str], str]:
    """The terms within reach of a negation, and the text outside it.

    A negation reaches from its word to the end of its clause.
    """
    if DENIES_BACK.search(text):
        return frozenset(terms_of(text)), ""
    inside, outside, at = list[str](), list[str](), 0
    for border in [*_CLAUSE.finditer(text), None]:
        clause = text[at : border.start() if border else len(text)]
        at = border.end() if border else at
        no = NEGATION.search(clause)
        whole = no is not None and PERMISSION.match(clause, no.end()) is not None
        inside.append(clause if whole else clause[no.end() :] if no else "")
        outside.append("" if whole else clause[: no.start()] if no else clause)
    return frozenset(terms_of("\n".join(inside))), "\n".join(outside)


def opposes(part: str, sentence: str, above: str = "") -> bool:
    """Does the page deny what the part says, or say what it denies? What stands `above` need not be said again."""
    terms = [term for term in terms_of(part) if bag(sentence).has(term) or not bag(above).has(term)]
    whole = bag(sentence)
    if not terms or sum(map(whole.has, terms)) < 0.5 * len(terms):
        return False
    ours, theirs = bool(NEGATION.search(part)), bool(NEGATION.search(sentence) or DENIES_BACK.search(sentence))
    if not ours:
        reached, free = negated(sentence)
        return theirs and any(term in reached and not bag(free).has(term) for term in terms)
    if not theirs:
        return sum(map(whole.has, terms)) >= 0.6 * len(terms)
    reached, _ = negated(part)
    denied = bag("\n".join(clause for clause in _CLAUSE.split(sentence) if clause and NEGATION.search(clause)))
    return bool(reached) and not any(map(denied.has, terms)) and all(map(whole.has, reached))


def exclusions(part: str, sentence: str, words: Sequence[str]) -> list[str]:
    """Why the sentence excludes the part:
    an opposite, another member of a group, another word in the place of a missing one.
    """
    found = clashes(part, sentence)
    return found or [
        reason
        for word in words
        if (
            reason := _in_place_of(word, part, sentence)
            or _same_sort(word, part, sentence)
            or _other_surname(word, part, sentence)
        )
    ]


def clashes(part: str, sentence: str) -> list[str]:
    """Opposites and members of one group between the two."""
    found = list[str]()
    rises, falls, up, down = UP.search(part), DOWN.search(part), UP.search(sentence), DOWN.search(sentence)
    if (rises and not falls and down and not up) or (falls and not rises and up and not down):
        found.append("the page says the other direction")
    mine, here = set(re.findall(r"[a-z]+", part.lower())), set(re.findall(r"[a-z]+", sentence.lower()))
    for group in RIVALS:
        if not group.isdisjoint(mine):
            found += _clash(group & mine, group & here)
    for line in RIVALS_ZH:
        if ours := {w for w in line if w in part}:
            found += _clash(ours, {w for w in line if w in sentence})
    return found


def _same_sort(word: str, part: str, sentence: str) -> str:
    """Another Chinese place of the same sort where the part has `word`."""
    sort = word[-1]
    if sort not in "省市县州国镇村" or len(word) < 3 or word[0] in "全该本此各":
        return ""
    others = [m.group() + sort for m in re.finditer(rf"[\u3400-\u9fff]{{{len(word) - 1}}}(?={sort})", sentence)]
    return next((f"the page says {other}, not {word}" for other in others if other not in part), "")


def _other_surname(word: str, part: str, sentence: str) -> str:
    """王阿福 in the part where the page has 林阿福, or 田雷 where it has 田雨."""
    whole = re.search(rf"(?<![\u3400-\u9fff])(?:.*[由是为者])?([{SURNAMES_ZH}][\u3400-\u9fff]?){word[-1]}", part)
    family = whole if whole and len(word) <= 2 and (len(word) == 1 or whole[1] == word[0]) else None
    if (
        family
        and re.search(rf"{family[1]}(?![{word[-1]}，。、；])[\u3400-\u9fff]", sentence)
        and family[1] + word[-1] not in sentence
    ):
        return f"the page does not say {family[1]}{word[-1]}"
    given = re.search(rf"{word}([\u3400-\u9fff]{{1,2}})", part) if len(word) == 1 and word in SURNAMES_ZH else None
    other = re.search(rf"[{SURNAMES_ZH}](?={given[1]})", sentence) if given else None
    return f"the page says {other.group()}{given[1]}, not {word}{given[1]}" if given and other else ""


def excepts(name: str, sentence: str) -> bool:
    """Does the sentence take `name` out of what it says?"""
    mark = EXCEPT.search(sentence)
    if not mark:
        return False
    return (
        name.lower()
        in re.split(r"[,，;；]|\b(?:have|has|is|are|was|were|can|do|does)\b", sentence[mark.end() :])[0].lower()
    )


def _clash(ours: Set[str], theirs: Set[str]) -> list[str]:
    if not ours or not theirs or ours & theirs or any(ours & side and theirs & side for side in TOGETHER):
        return []
    return [f"the page says {min(theirs)}, not {min(ours)}"]


def _in_place_of(word: str, part: str, sentence: str) -> str:
    """Another word of the sentence between the same neighbours as `word` has in the part:
    both sides, or a role and a person's name.
    """
    ours, theirs = _tokens(part), _tokens(sentence)
    mine = _tokens(word)
    at = next((i for i in range(len(ours)) if ours[i : i + len(mine)] == mine), -1)
    left, right = ours[max(0, at - 2) : at], ours[at + len(mine) : at + len(mine) + 2] or ["."]
    if at < 0 or not left:
        return ""
    person = CHINESE.match(word) and word[0] in SURNAMES_ZH and len(word) in (2, 3) and len(left) == 2
    for start in range(len(left), len(theirs)):
        if theirs[start - len(left) : start] != left:
            continue
        if person and theirs[start] in SURNAMES_ZH and theirs[start] != word[0]:
            return f"the page says {''.join(theirs[start : start + len(word)])}, not {word}"
        for length in range(max(1, len(mine) - 1), len(mine) + 2) if CHINESE.match(word) else (len(mine),):
            other = theirs[start : start + length]
            if _same_end(theirs[start + length :] or ["."], right) and not any(t in ".,;，。；" for t in other):
                said = ("" if CHINESE.match(word) else " ").join(other)
                return "" if _synonyms(word, said) else f"the page says {said}, not {word}"
    return ""


def _tokens(text: str) -> list[str]:
    return [t for t in _WORD.findall(text.lower()) if t not in _COPULA]


def _same_end(theirs: Sequence[str], right: Sequence[str]) -> bool:
    if right[0] in ".。":
        return theirs[0] in ".。,，;；"
    if len(right) > 1 and right[1] in ".。":
        right = right[:1]
    return list(theirs[: len(right)]) == list(right)


def _synonyms(one: str, other: str) -> bool:
    if CHINESE.match(one):
        return one in SOFT_ZH or any(any(w in one for w in line) and any(w in other for w in line) for line in SAME_ZH)
    return stem(one) == stem(other.split()[0])


def tacked_on(part: str, held: Bag) -> list[str]:
    """Superlatives and causes of the part that the page does not state."""
    tops = [m.group() for m in SUPERLATIVE.finditer(part) if not _states(m.group().lower(), held)]
    return tops + [m.group() for m in CAUSE.finditer(part) if not CAUSE.search(held.low)]


def _states(word: str, held: Bag) -> bool:
    return word in held.low if CHINESE.match(word) else re.search(rf"\b{re.escape(word)}\b", held.low) is not None
