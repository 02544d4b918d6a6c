"""Hard facts of a text, and when two of them agree or exclude each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isclose

from agent.evidence.units import COUNT, Unit


class FactKind(StrEnum):
    """What a fact is. Only facts of one kind compare."""

    FIGURE = "figure"
    DATE = "date"
    ERA = "era"  # century or decade
    VERSION = "version"
    RANK = "rank"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Fact:
    """One hard fact and where it stands in its text.

    `value` is the figure in the unit's base, the era's first year or the rank; `day` is (year, month, day, quarter),
    0 for what is not said, BC years negative; `label` is the text of a name or version.
    `slack`: "about"; `bound`: +1 more than, -1 less than.
    """

    kind: FactKind
    text: str
    start: int
    end: int
    value: float = 0.0
    unit: Unit = COUNT
    day: tuple[int, int, int, int] = (0, 0, 0, 0)
    label: str = ""
    slack: bool = False
    base: bool = False  # "per 100 g": what a figure is counted by, no figure of its own
    bound: int = 0


def agree(claimed: Fact, found: Fact) -> bool:
    """Does a page's fact say what the claim's says? A less precise date agrees with a more precise one,
    not the reverse.
    """
    if FactKind.DATE in (claimed.kind, found.kind) and FactKind.FIGURE in (claimed.kind, found.kind):
        return _year_as_figure(claimed, found)
    if claimed.kind is not found.kind:
        return False
    if claimed.kind is FactKind.DATE:
        return all(
            not mine or mine == theirs for mine, theirs in zip(claimed.day, _with_quarter(found.day), strict=True)
        )
    if claimed.kind is FactKind.FIGURE:
        return _same_family(claimed.unit, found.unit) and _close(claimed, found)
    if claimed.kind is FactKind.ERA:
        return claimed.value == found.value and claimed.label == found.label
    return claimed.value == found.value and claimed.label == found.label


def _with_quarter(day: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    year, month, dom, quarter = day
    return year, month, dom, quarter or (month + 2) // 3


def _year_as_figure(one: Fact, other: Fact) -> bool:
    date, figure = (one, other) if one.kind is FactKind.DATE else (other, one)
    return figure.unit == COUNT and date.day[1:] == (0, 0, 0) and figure.value == date.day[0]


def _same_family(mine: Unit, theirs: Unit) -> bool:
    pair = {mine.family, theirs.family}
    return len(pair) == 1 or pair in ({"yen or yuan", "jpy"}, {"yen or yuan", "cny"})


def _close(claimed: Fact, found: Fact) -> bool:
    if claimed.bound and found.bound and claimed.bound != found.bound:
        return False
    if isclose(claimed.value, found.value, rel_tol=1e-9, abs_tol=1e-12):
        return True
    if claimed.bound and not found.bound:
        # "more than 300" is true of 324; of 900 it would be true and misleading.
        ratio = found.value / claimed.value if claimed.value else 0.0
        return 1 < ratio < 1.15 if claimed.bound > 0 else 0.85 < ratio < 1
    return claimed.slack and isclose(claimed.value, found.value, rel_tol=0.02)


def comparable(claimed: Fact, found: Fact) -> bool:
    """Could the two be values of one thing, so that one contradicts the other when they disagree?"""
    if claimed.kind is not found.kind or claimed.base != found.base or agree(claimed, found):
        return False
    if claimed.kind is FactKind.DATE:
        return bool(claimed.day[0] and found.day[0]) or bool(claimed.day[1] and found.day[1])
    if claimed.kind is FactKind.FIGURE:
        near = claimed.slack and found.value and abs(claimed.value - found.value) < 0.15 * abs(found.value)
        return claimed.unit.dimension == found.unit.dimension and not near
    return claimed.kind in (FactKind.RANK, FactKind.ERA, FactKind.VERSION)
