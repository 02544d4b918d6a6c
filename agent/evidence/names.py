"""Reads names from text: runs of capitalised words, and titles in brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from agent.evidence.facts import Fact, FactKind
from agent.evidence.lexicon import STARTERS, words
from agent.evidence.terms import stem
from agent.evidence.units import PATTERN, UNITS

_CAPITALISED = re.compile(
    r"(?<![A-Za-z0-9À-ÿ_'’])[A-ZÀ-Þ][A-Za-z0-9À-ɏ'’]*(?:[-.&][A-Za-z0-9][A-Za-z0-9À-ɏ'’]*)*(?:\.(?=[A-Z]))?"
)
_TITLE = re.compile(r"[《「]([^》」\n]{1,40})[》」]")


# "Beam 300", "Apollo 11", "Python 3.12": the number is part of the name. A year, and a figure with a unit, is not.
_NUMBERED = re.compile(
    rf" (?!(?:19|20)\d\d\b)\d+(?:\.\d+)*(?!\d|,\d|%|\.\d| ?(?:thousand|million|billion|percent|per cent|%)"
    rf"| ?-?{PATTERN})"
)
_COMMON_ENDING = re.compile(r"(?:tion|sion|ment|ness|ity|ing|ly|ed|ers|ies|ists|ance|ence|ages?)$")
# A capitalised word right ahead, with of or de between: the beginning of a longer name.
_AHEAD = re.compile(r"([A-ZÀ-Þ][A-Za-zÀ-ɏ'’.-]*) (?:(?:of|de|von|van|der|den|la) )*$")
_TITLES = frozenset(
    words("The Mr Mrs Ms Dr Sir Lady Lord Prof Professor President Prince Princess King Queen In At By Of")
)
_NO_NAMES = frozenset(
    words(
        """
    I A January February March April May June July August September October November December
    Monday Mondays Tuesday Tuesdays Wednesday Wednesdays Thursday Thursdays Friday Fridays Saturday Saturdays
    Sunday Sundays Q1 Q2 Q3 Q4 BC BCE AD CE Yes No
    """
    )
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What tells a name from a common word at the start of a sentence: how the pages write it elsewhere."""

    lower: frozenset[str] = frozenset()  # stems of words seen in lower case
    capital: frozenset[str] = frozenset()  # words seen capitalised inside a sentence, lower case


@lru_cache(maxsize=256)
def vocabulary(text: str) -> Vocabulary:
    """The vocabulary of some pages."""
    inside = re.findall(r"[a-z0-9,;] ([A-Z][a-zA-Z]+)", text)
    return Vocabulary(
        frozenset(map(stem, re.findall(r"(?<![A-Za-z])[a-z]+", text))), frozenset(word.lower() for word in inside)
    )


def names_of(text: str, known: Vocabulary, *, guess: bool = True) -> tuple[Fact, ...]:
    """Runs of capitalised words with the number behind them ("Beam 300"), and titles in 《》.

    A sentence's first word counts when `known` shows it inside a sentence; where nothing tells, `guess` decides.
    """
    runs: list[list[re.Match[str]]] = []
    for m in _CAPITALISED.finditer(text):
        if (
            m.group() in _NO_NAMES
            or (m.group() in UNITS and re.search(r"\d ?$", text[: m.start()]))
            or m.group().lower() in ("the", "this", "it")
            or (_opens(text, m) and not _is_name(m, text, known, guess))
        ):
            continue
        if runs and re.fullmatch(
            r" (?:(?:of|de|del|la|von|van|der|den|bin|al) )?", text[runs[-1][-1].end() : m.start()]
        ):
            runs[-1].append(m)
        else:
            runs.append([m])
    found = [_name(text, run) for run in runs]
    found += [Fact(FactKind.NAME, m.group(), *m.span(), label=m[1].lower()) for m in _TITLE.finditer(text)]
    return tuple(sorted(found, key=lambda fact: fact.start))


def _name(text: str, run: list[re.Match[str]]) -> Fact:
    number = _NUMBERED.match(text, run[-1].end())
    end = number.end() if number else run[-1].end()
    label = " ".join([*(bare(m.group()) for m in run), *([number.group().strip()] if number else [])])
    return Fact(FactKind.NAME, text[run[0].start() : end], run[0].start(), end, label=label)


def _opens(text: str, m: re.Match[str]) -> bool:
    before = text[: m.start()]
    return not before.strip(" \t\n\"'“‘(*-•|") or re.search(r"[.!?:|]\s+$", before) is not None


def _is_name(m: re.Match[str], text: str, known: Vocabulary, guess: bool) -> bool:
    low = bare(m.group())
    if low in STARTERS:
        return False
    if low in known.capital or re.match(r" [A-Z]", text[m.end() :]) or m.group()[1:].upper() == m.group()[1:]:
        return low not in STARTERS
    return guess and not _COMMON_ENDING.search(low) and stem(low) not in known.lower


def bare(word: str) -> str:
    """A name without its possessive ending, lower case."""
    return re.sub(r"['’]s?$", "", word).rstrip(".").lower()


def named_in(name: Fact, text: str) -> bool:
    """Does a text name it: by its last word, unless that ends another's name ("Bent Tower" names no Harl Tower)?

    With a number or a single letter at the end, two words must stand together.
    """
    if name.label[:1] >= "\u3400":
        return name.label in text.lower()
    words = name.label.split()
    tail = " ".join(words[-2:] if len(words[-1]) == 1 or words[-1][0].isdigit() else words[-1:])
    for m in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(tail)}(?![A-Za-z0-9]|\.\d)", text, re.I):
        ahead = _AHEAD.search(text[: m.start()][-40:])
        own = len(words) == len(tail.split()) or not ahead or bare(ahead[1]) in words or ahead[1] in _TITLES
        if own and (m.group()[0].isupper() or m.group()[0].isdigit()):
            return True
    return False
