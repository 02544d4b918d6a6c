"""What a question asks for, and whether a sentence could be the answer. Lexical, in English and Chinese, no model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache

from tools.scrape.tokens import tokens
from tools.search.words import telling

FITTING = 0.6  # what holding the kind of thing asked for is worth, against the share of the question's words


class Kind(StrEnum):
    """The kind of thing asked for; OTHER where the wording does not tell."""

    DATE = "date"
    NUMBER = "number"
    PERSON = "person"
    OTHER = "other"


def kind(question: str) -> Kind:
    """What `question` asks for, by its question words."""
    for asked, pattern in _asking().items():
        if pattern.search(question):
            return asked
    return Kind.OTHER


def fits(sentence: str, question: str) -> bool:
    """Does `sentence` hold something of the kind asked for that the question itself does not name?"""
    pattern = _holding()[kind(question)]
    named = {match[0].casefold() for match in pattern.finditer(question)}
    return any(match[0].casefold() not in named for match in pattern.finditer(sentence))


def coverage(sentence: str, question: str, title: str) -> float:
    """Share of the question's telling words that stand in `sentence`, 0 to 1. Those of the title go without saying.

    1 where the question names nothing but the title.
    """
    wanted = _told(" ".join(telling(question))) - _told(title)
    return len(wanted & _told(sentence)) / len(wanted) if wanted else 1.0


def best_first(sentences: Mapping[str, str], question: str, title: str) -> tuple[str, ...]:
    """Those of `sentences` that bear on the question at all, best first; their own order decides between equals.

    Each maps to its context, such as the column names of a row, whose words count as its own.
    """
    asked = _told(question)
    whole = {sentence: f"{context} {sentence}" for sentence, context in sentences.items()}
    worth = {
        sentence: coverage(text, question, title) + FITTING * fits(sentence, question)
        for sentence, text in whole.items()
        if asked & _told(text)
    }
    return tuple(sorted(worth, key=lambda sentence: -worth[sentence]))


def _told(text: str) -> set[str]:
    """The tokens of a text; of ideographs the pairs alone, since single ones match by chance."""
    return {token for token in tokens(text) if len(token) > 1 or token.isascii()}


@cache
def _asking() -> dict[Kind, re.Pattern[str]]:
    quantities = (
        "number|percentage|share|population|height|length|depth|area|weight|distance|speed|price|cost|age|width"
        "|temperature|altitude|elevation|diameter|mass|period"
    )
    measures = "many|much|long|tall|high|deep|far|old|wide|fast|heavy|big|large|often|hot|cold|thick"
    return {
        Kind.DATE: re.compile(
            r"\bwhen\b|\b(?:what|which|in what|in which) (?:year|date|day|month|century|decade)\b"
            r"|何时|何年|何日|什么时候|哪[一]?[年月日天]|[几多少]年(?!龄)|时间是",
            re.IGNORECASE,
        ),
        Kind.NUMBER: re.compile(
            rf"\bhow (?:{measures})\b"
            rf"|\b(?:what|which) (?:\w+ ){{0,3}}(?:{quantities})\b"
            r"|多少|几[^乎]|多[长高深大远宽重久快]|百分之",
            re.IGNORECASE,
        ),
        Kind.PERSON: re.compile(r"\bwho(?:m|se)?\b|谁|何人|哪位|哪[一]?[个名]人", re.IGNORECASE),
    }


@cache
def _holding() -> dict[Kind, re.Pattern[str]]:
    words = (
        "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|hundred"
    )
    return {
        Kind.DATE: re.compile(
            r"\b\d{4}\b|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d"
            r"|\d+[年月日]|[一二三四五六七八九十〇零]+[年月日]|世纪|century",
        ),
        Kind.NUMBER: re.compile(
            rf"\d+(?:[.,]\d+)*|\b(?:{words})\b|[一二两三四五六七八九十百千万亿]+(?=[^一-龥]?[一-龥])", re.IGNORECASE
        ),
        Kind.PERSON: re.compile(
            r"\b[A-Z][\w'’-]+|[一-龥]{2,4}(?=设计|主持|创|发明|发现|担任|著|写|建|提出)|由[一-龥]{2,4}"
        ),
        Kind.OTHER: re.compile(r"\w"),
    }
