"""Hits in the order in which they bear on the question, decided in code: small models take the first whatever it is."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from agent.types import Hit
from tools.search.clean import key
from tools.search.words import telling

_RUN = "[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+|[^\\W_]+"
_CJK = "[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
_SUFFIXES = (
    "ational",
    "ations",
    "ation",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "ers",
    "er",
    "ed",
    "es",
    "ly",
    "s",
    "e",
    "y",
)
IN_TITLE, IN_SNIPPET = 2.0, 1.0


def merged(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Each page once: the first stays."""
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(key(hit.url), hit)
    return tuple(first.values())


def ranked(hits: tuple[Hit, ...], question: str) -> tuple[Hit, ...]:
    """Best first, by the question's words in title and snippet; equals keep the provider's order.

    A word that each hit holds tells nothing, so words weigh by how few hits hold them. A title that says little else
    than the question's words comes before one that says more.
    """
    wanted = set(terms(" ".join(telling(question)) or question))
    titles = [set(terms(hit.title)) for hit in hits]
    snippets = [set(terms(hit.snippet)) for hit in hits]
    held = Counter(term for title, snippet in zip(titles, snippets, strict=True) for term in wanted & (title | snippet))
    weights = {term: math.log(1 + len(hits) / count) for term, count in held.items()}

    def score(n: int) -> float:
        words = sum(weights[t] * IN_TITLE for t in wanted & titles[n])
        words += sum(weights[t] * IN_SNIPPET for t in wanted & snippets[n])
        return words + len(wanted & titles[n]) / max(len(titles[n]), 1)

    order = sorted(range(len(hits)), key=lambda n: -round(score(n), 9))
    return tuple(hits[n] for n in order)


def terms(text: str) -> tuple[str, ...]:
    """What two texts on one thing share: stems of words, pairs of characters where words have no blanks between."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    # Hangul falls apart under NFKD; NFC puts it together again.
    return tuple(term for run in re.findall(_RUN, unicodedata.normalize("NFC", plain)) for term in _terms(run))


def _terms(run: str) -> tuple[str, ...]:
    if re.match(_CJK, run):
        return tuple(run[n : n + 2] for n in range(len(run) - 1)) or (run,)
    return (stem(run),)


def stem(word: str) -> str:
    """`word` without a common English ending, so that "moons" meets "moon" and "orbits" "orbiting"."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            return word.removesuffix(suffix)
    return word
