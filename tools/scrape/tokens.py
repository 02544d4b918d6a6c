"""Words for ranking: lightly stemmed in alphabets, single characters and pairs where no blanks part the words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from tools.scrape.words import words

_PIECE = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3\u0e00-\u0e7f]+|\d[\d.,]*\d"
    r"|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3\u0e00-\u0e7f]+"
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3\u0e00-\u0e7f]")
STOP = words(
    "a an the of in on at to for and or is are was were be been being by with from as that this these those it its "
    "he she they his her their what which who whom whose when where why how did do does has have had many much "
    "there than then not no into about after before during me my you your we our us i can could would will shall "
    "should may might must if so such some any all also only der die das und ist in den von zu mit im für ein eine "
    "le la les de des et est du un une en que el los las"
) | words("的 了 是 在 和 与 有 什么 哪 谁 吗 呢 何 多少 の は が を に と で も")


def has_unspaced(text: str) -> bool:
    """Is any of it in a script that writes without blanks between words?"""
    return _UNSPACED.search(text) is not None


def tokens(text: str) -> list[str]:
    """Tokens of `text` in order, stop words left out."""
    return [token for token in _all(unicodedata.normalize("NFKC", text).casefold()) if token not in STOP]


def _all(text: str) -> Iterator[str]:
    for piece in _PIECE.findall(text):
        if _UNSPACED.match(piece):
            yield from piece
            yield from (piece[i : i + 2] for i in range(len(piece) - 1))
        elif piece[0].isdigit():
            yield piece.replace(",", "")
        else:
            yield stem(piece)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its commonest English endings; other words are cut the same way in question and page alike."""
    if len(word) < 4 or not word.isascii():
        return word
    for ending, new, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: len(word) - len(ending)] + new
            break
    if len(word) > 4 and word[-1] == "e":
        word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word


_ENDINGS = (
    ("ational", "at", 3), ("ization", "iz", 3), ("fulness", "ful", 3), ("iveness", "iv", 3), ("ations", "at", 3),
    ("ation", "at", 3), ("ities", "iti", 3), ("ments", "ment", 3), ("sses", "ss", 2), ("ying", "y", 2),
    ("ies", "y", 2), ("ied", "y", 2), ("ing", "", 3), ("ings", "", 3), ("edly", "", 3), ("ly", "", 4),
    ("ed", "", 3), ("es", "e", 3), ("ss", "ss", 1), ("us", "us", 2), ("is", "is", 2), ("s", "", 3),
)  # fmt: skip
