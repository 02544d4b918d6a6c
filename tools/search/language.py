"""The language of a question by its script alone: enough to choose a wiki. Pure, standard library only."""

from __future__ import annotations

import re
from collections import Counter

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〇"  # for use inside a character class
# Scripts that stand for one language well enough to choose a wiki by.
_SCRIPTS = (
    ("ja", "\u3041-\u30ff"),
    ("ko", "\uac00-\ud7af\u1100-\u11ff"),
    ("zh", HAN),
    ("ru", "\u0400-\u04ff"),
    ("ar", "\u0600-\u06ff"),
    ("he", "\u0590-\u05ff"),
    ("th", "\u0e00-\u0e7f"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("ta", "\u0b80-\u0bff"),
    ("el", "\u0370-\u03ff\u1f00-\u1fff"),
    ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
)
_LATIN = "A-Za-z\u00c0-\u024f"
# Letters that only one of the languages of a script has.
_NARROWER = {"ru": (("uk", "іїєґІЇЄҐ"),), "ar": (("fa", "پچژگ"),)}


def language(question: str) -> str:
    """The language whose wiki to ask, by the script of most letters; "en" for Latin letters, whichever language it is.

    A character that stands for a syllable or a word counts for three letters.
    """
    counts = Counter({"en": _count(_LATIN, question)})
    for lang, letters in _SCRIPTS:
        counts[lang] = _count(letters, question) * (3 if lang in ("zh", "ja", "ko") else 1)
    if counts["ja"] and counts["zh"]:  # Japanese is written with both
        counts["ja"] += counts.pop("zh")
    best = max(counts, key=lambda lang: counts[lang])
    return next((lang for lang, letters in _NARROWER.get(best, ()) if _count(letters, question)), best)


def _count(letters: str, text: str) -> int:
    return len(re.findall(f"[{letters}]", text))
