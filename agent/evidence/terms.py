"""The content words of a text:
stems of English words, pairs of Chinese characters, and how much of them another text holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from agent.evidence.lexicon import FUNCTION_ZH, SAME, SAME_ZH, SOFT_ZH, STOP

_LATIN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:['’][A-Za-z]+)?")
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_FUNCTION_ZH = re.compile(f"[{''.join(sorted(FUNCTION_ZH))}]")
_MEASURE_ZH = re.compile(
    r"(?<=[\u3400-\u9fff])([长高宽重深厚])(?=[约为达近超]*(?:\d|\s|[，。；]|$))"
)  # 桥长86米: 长 is a word of its own
_SUFFIXES = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ions",
    "ings",
    "ing",
    "ion",
    "ies",
    "ied",
    "ers",
    "er",
    "or",
    "ed",
    "es",
    "ly",
    "al",
    "s",
    "y",
    "e",
)


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """One key for the forms of an English word: at most six letters, so `discovery` and `discovered` share it."""
    low = re.sub(r"['’]\w*$", "", word.lower())
    if low in SAME or not low.isalpha():
        return SAME.get(low, low)
    for suffix in _SUFFIXES:
        if low.endswith(suffix) and len(low) - len(suffix) >= 3:
            low = low[: -len(suffix)]
            break
    return SAME.get(low, low[:6])


@dataclass(frozen=True, slots=True)
class Bag:
    """What one stretch of text holds, ready to be asked."""

    low: str
    stems: frozenset[str]

    def has(self, term: str) -> bool:
        """Does it hold this term of `terms_of`?"""
        return term in self.low if term[0] >= "\u3400" else term in self.stems

    def has_chinese(self, pair: str) -> bool:
        """Does it hold these Chinese characters, or words that say the same?"""
        return pair in self.low or any(pair in line and any(word in self.low for word in line) for line in SAME_ZH)


@lru_cache(maxsize=8192)
def bag(text: str) -> Bag:
    """`text` as a Bag."""
    return Bag(text.lower(), frozenset(stem(word) for word in _LATIN.findall(text)))


@lru_cache(maxsize=2048)
def terms_of(text: str) -> tuple[str, ...]:
    """The distinct content terms of `text`, in order:
    English stems and Chinese character pairs within content runs.
    """
    latin = [stem(word) for word in _LATIN.findall(text) if word.lower() not in STOP and len(word) > 1]
    chinese = [run[at : at + 2] for run in content_runs(text) for at in range(max(1, len(run) - 1))]
    return tuple(dict.fromkeys(latin + chinese))


def content_runs(text: str) -> list[str]:
    """Chinese text cut at its function characters."""
    parted = _MEASURE_ZH.sub(r" \1 ", text)
    return [run for whole in _CHINESE.findall(parted) for run in _FUNCTION_ZH.split(whole) if run]


def missing_words(text: str, held: Bag) -> list[str]:
    """Content words and Chinese runs of `text` that `held` does not hold. Runs of one character are forgiven."""
    latin = [w for w in _LATIN.findall(text) if w.lower() not in STOP and len(w) > 1 and stem(w) not in held.stems]
    return latin + [gap for run in content_runs(text) for gap in _gaps(run, held)]


def _gaps(run: str, held: Bag) -> list[str]:
    """The stretches of a Chinese run, two characters or more, that no pair in `held` covers."""
    covered = [False] * len(run)
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        if held.has_chinese(pair) or pair in SOFT_ZH:
            covered[at] = covered[at + 1] = True
    gaps = re.finditer("0+", "".join("01"[c] for c in covered))
    found = [run[m.start() : m.end()] for m in gaps]
    return [gap for gap in found if not all(c in held.low for c in gap)]
