"""Reads figures with units, dates, versions and ranks from English and Chinese text,
normalised so that they compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agent.evidence.facts import Fact, FactKind
from agent.evidence.lexicon import ABOUT, ABOUT_AFTER, LESS, MORE, MORE_AFTER, words
from agent.evidence.units import COUNT, PATTERN, SIGNS, unit_of

_MONTH_NAMES = words("january february march april may june july august september october november december")
MONTHS = {name: n for n, name in enumerate(_MONTH_NAMES, 1)} | {name[:3]: n for n, name in enumerate(_MONTH_NAMES, 1)}
MONTHS["sept"] = 9
_MONTH = (
    r"(?P<month>January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?"
)
_YEAR = r"(?P<year>[12]\d{3})"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\b"
_ZH_YEAR = r"(?P<year>[12]\d{3}|[一二][零〇一二三四五六七八九]{3})年"
_ORDINALS = words(
    """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
    """
)
_ORDINAL_WORD = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_ERAS = re.compile(
    rf"(?<![A-Za-z0-9_.])(?:(?P<n>\d{{1,2}})(?:st|nd|rd|th)|\b(?P<word>{_ORDINAL_WORD}))[ -]centur(?:y"
    rf"|ies)(?P<bc> BCE?)?"
    r"|(?P<zbc>公元前)?(?P<zn>\d{1,2}|[一二三四五六七八九十]{1,3})世纪(?:(?P<zd>\d0|[一二三四五六七八九]十)年代)?"
    r"|(?<![A-Za-z0-9_])(?P<decade>[12]\d\d0)(?:['’]?s\b|年代)",
    re.I,
)
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![A-Za-z0-9_.])(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>[0-3]\d)(?:T[\d:.]+Z?)?(?!\d)",
        r"(?<![A-Za-z0-9_.])(?P<year>[12]\d{3})/(?P<month>0?[1-9]|1[0-2])/(?P<day>[0-3]?\d)(?!\d)",
        rf"(?<![A-Za-z0-9_.]){_DAY}(?: of)? {_MONTH},?(?: of)? {_YEAR}(?!\d)",
        rf"\b{_MONTH} {_DAY},? {_YEAR}(?!\d)",
        rf"\b{_MONTH},?(?: of)? {_YEAR}(?!\d)",
        rf"\b[Qq](?P<quarter>[1-4])(?: of)?,? ?{_YEAR}(?!\d)",
        rf"(?<![A-Za-z0-9_.]){_YEAR} ?[Qq](?P<quarter>[1-4])(?![A-Za-z0-9_])",
        rf"\b(?P<quarter>[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth) quarter(?: of)?(?: the year)? {_YEAR}(?!\d)",
        rf"{_ZH_YEAR}\s*第?(?P<quarter>[一二三四1-4])季度?",
        rf"{_ZH_YEAR}(?:\s*(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份|\s*(?P<day>3[01]"
        rf"|[12]\d|0?[1-9]|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号])?)?",
        r"\b(?P<bc>\d{1,4}) ?BCE?\b",
        r"公元前(?P<bc>\d{1,4})年",
        r"公元(?P<year>\d{1,4})年",
        rf"(?<![A-Za-z0-9_.]){_DAY}(?: of)? {_MONTH}(?! \d)",
        rf"\b{_MONTH} {_DAY}(?!,? ?\d)",
        r"(?<![\d年个])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份|(?P<day>3[01]|[12]\d"
        r"|0?[1-9])[日号])?",
        r"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Dd]uring|[Ff]rom|[Ee]arly|[Ll]ate|[Ee]very|[Ee]ach) " + _MONTH,
    )
)
_BARE_YEAR = re.compile(
    r"(?<![A-Za-z0-9_.,/$€£¥#])(?P<year>1[0-9]{3}|20[0-9]{2})(?![A-Za-z0-9_%]|[,.:/]\d|\s?(?:million"
    r"|billion|thousand|万|亿|percent|%))"
)
_TIMELY = re.compile(
    r"(?:\b(?:in|since|of|from|to|until|till|by|during|year|and|or|late|early|mid|before|after|between"
    r"|circa|c\.|spring|summer|autumn|fall|winter)|[(–—\-|])\s*$",
    re.I,
)
_COUNTED = re.compile(
    r"\s+(?!was\b|is\b|has\b|as\b|its\b|his\b|this\b|species\b)[a-z-]+s\b|\s+people\b"
    r"|\s*[人个座名位台辆只头件艘栋所间册家套户]"
)
_SCALE = {"hundred": 1e2, "dozen": 12, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALE |= {"k": 1e3, "mn": 1e6, "bn": 1e9, "M": 1e6, "m": 1e6, "b": 1e9, "B": 1e9}
_SCALE |= {"百": 1e2, "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7}
_SCALE |= {"亿": 1e8, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12}
_FIGURE = re.compile(
    r"(?P<sign>(?<![A-Za-z0-9_.)])[-−–]\s?|(?<=零下)|(?:\bminus ))?"
    r"(?P<money>US\$|HK\$|[$€£¥￥₩₹])?\s?"
    r"(?<![A-Za-z0-9_.])(?P<digits>\d{1,3}(?:[,，\u00a0\u2009\u202f ]\d{3})+(?!\d)|\d+)(?P<fraction>\.\d+)?"
    r"(?:\s?-?(?P<scale>thousand|million|billion|trillion|hundred|dozen|(?:mn|bn|k)\b|[十百千]?[万亿]亿?"
    r"|[百千](?![米克瓦伏赫卡吨字])|[Mmb](?=\b)))?"
    rf"(?:\s?-?(?P<unit>{PATTERN}))?"
)
_PER = re.compile(r"(?:\b[Pp]er|\b[Ee]very|\b[Ff]or each|每)\s*$")
_PERCENT_ZH = re.compile(r"百分之(?P<digits>[\d.]+|[零〇一二三四五六七八九十百点]+)")
_WORDS = {
    w: n
    for n, w in enumerate(
        words(
            """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
    """
        )
    )
}
_TENS = {
    w: n * 10 for n, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_NUMBER_WORD = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[ -](?P<unit1>one|two|three|four|five|six|seven|eight|nine))?"
    rf"|(?P<word>(?!zero|one)(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})|one(?! of\b| another\b"
    rf"| who\b| day\b| or\b| can\b))|(?P<a>(?<=\ba )(?=hundred|thousand|million|dozen)))"
    rf"(?:[ -]?(?P<scale>hundred|thousand|million|billion|dozen))?\b(?:[ -](?P<unit>{PATTERN}))?",
    re.I,
)
_ZH_DIGIT = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ZH_FIGURE = re.compile(
    rf"(?<![第一二三四五六七八九十百千万亿几数])(?P<digits>[一二两三四五六七八九十百千][零〇一二三四五六七八九十百千万亿两]*)(?:(?P<unit>{PATTERN})|(?=[人个座名位台辆只头件艘栋所间册层级条颗次倍种本部届口根孔类家套张枚株棵场站户项篇对门]))"
)
_RANK = re.compile(
    rf"\b(?:(?P<word>{_ORDINAL_WORD})|(?P<n>\d{{1,3}})(?:st|nd|rd|th))\b|第(?P<zn>\d{{1,3}}"
    rf"|[一二三四五六七八九十]{{1,3}})",
    re.I,
)
_VERSION = re.compile(
    r"\b[vV]?(?P<label>\d+\.\d+(?:\.\d+)+(?:-?(?:rc|beta|alpha|b|a)\.?\d*)?)\b"
    r"|\b[vV](?P<label2>\d+(?:\.\d+)*)\b|(?:\b[Vv]ersion|\b(?-i:[A-Z])[a-z]+(?=\s\d+\.\d)"
    r"|版本)\s*(?P<label3>\d+(?:\.\d+)*)(?![\w%]|\.\d|\s?(?:million|billion|percent|m\b|km\b))"
)
_ANY = re.compile(
    r"\d|[一二两三四五六七八九十百千第]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen"
    rf"|[a-z]+ty|dozen|hundred|[a-z]+th|first|second|third|{'|'.join(_MONTH_NAMES)})\b",
    re.I,
)
_WIDE = str.maketrans(
    {chr(0xFF10 + n): str(n) for n in range(10)} | {"％": "%", "．": ".", "－": "-", "～": "~", "＄": "$"}
)


def narrow(text: str) -> str:
    """Full-width digits and signs as plain ones. The length stays, so offsets hold."""
    return text.translate(_WIDE)


def number_zh(text: str) -> int:
    """The value of a Chinese numeral up to 亿: 三十二 → 32, 一百二十万 → 1200000, 二〇二四 → 2024."""
    if not re.search("[十百千万亿]", text):
        return int("".join(str(_ZH_DIGIT[c]) for c in text if c in _ZH_DIGIT) or "0")
    total, section, digit = 0, 0, 0
    for c in text:
        if c in _ZH_DIGIT:
            digit = _ZH_DIGIT[c]
        elif c in "十百千":
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[c]
            digit = 0
        elif c in "万亿":
            total = (total + section + digit) * {"万": 10**4, "亿": 10**8}[c]
            section = digit = 0
    return total + section + digit


def _int(text: str | None) -> int:
    if not text:
        return 0
    return int(text) if text.isdigit() else number_zh(text)


@lru_cache(maxsize=4096)
def facts_of(text: str) -> tuple[Fact, ...]:
    """Every figure, date, era, version and rank in `text`, in order. Names are apart: `names_of`."""
    plain = narrow(text)
    if not _ANY.search(plain):
        return ()
    taken = bytearray(len(plain))
    found: list[Fact] = []
    for reader in (_eras, _dates, _versions, _bare_years, _percents, _figures, _number_words, _figures_zh, _ranks):
        for fact in reader(plain):
            if not any(taken[fact.start : fact.end]):
                taken[fact.start : fact.end] = b"\1" * (fact.end - fact.start)
                found.append(fact)
    return tuple(sorted(found, key=lambda fact: fact.start))


def _eras(text: str) -> Iterator[Fact]:
    for m in _ERAS.finditer(text):
        if m["decade"]:
            first = int(m["decade"])
            yield Fact(FactKind.ERA, m.group(), *m.span(), value=first, label="decade")
            continue
        century = _int(m["n"] or m["zn"]) or (_ORDINALS.index(m["word"].lower()) + 1)
        sign = -1 if m["bc"] or m["zbc"] else 1
        decade = _int(m["zd"])
        value = float(sign * (century - 1) * 100 + decade) if sign > 0 else float(-century * 100)
        yield Fact(FactKind.ERA, m.group(), *m.span(), value=value, label="decade" if m["zd"] else "century")


def _dates(text: str) -> Iterator[Fact]:
    for pattern in _DATES:
        for m in pattern.finditer(text):
            parts = m.groupdict()
            year = -int(parts["bc"]) if parts.get("bc") else _int(parts.get("year"))
            month = parts.get("month") or ""
            quarter = parts.get("quarter") or ""
            yield Fact(
                FactKind.DATE, m.group(), *m.span(),
                day=(year, MONTHS.get(month.lower().rstrip("."), 0) or _int(month), _int(parts.get("day")),
                     _ORDINALS.index(quarter.lower()) + 1 if quarter.lower() in _ORDINALS else _int(quarter)),
            )  # fmt: skip


def _versions(text: str) -> Iterator[Fact]:
    for m in _VERSION.finditer(text):
        group = "label" if m["label"] else "label2" if m["label2"] else "label3"
        yield Fact(FactKind.VERSION, m[group], *m.span(group), label=m[group].lower())


def _bare_years(text: str) -> Iterator[Fact]:
    for m in _BARE_YEAR.finditer(text):
        if _TIMELY.search(text[max(0, m.start() - 12) : m.start()]) or not _COUNTED.match(text, m.end()):
            if re.match(rf"\s?-?{PATTERN}", text[m.end() : m.end() + 24]):
                continue
            yield Fact(FactKind.DATE, m.group(), *m.span(), day=(int(m["year"]), 0, 0, 0))


def _percents(text: str) -> Iterator[Fact]:
    for m in _PERCENT_ZH.finditer(text):
        whole, _, part = m["digits"].partition("点")
        value = (
            float(m["digits"])
            if m["digits"][0].isdigit()
            else float(f"{number_zh(whole)}.{number_zh(part) if part else 0}")
        )
        yield Fact(FactKind.FIGURE, m.group(), *m.span(), value=value, unit=unit_of("%"))


def _qualified(text: str, start: int, end: int) -> tuple[bool, int]:
    """Is a figure said to be about so much, more than that (+1) or less (-1)?"""
    before = text[max(0, start - 16) : start]
    slack = bool(ABOUT.search(before) or ABOUT_AFTER.match(text, end))
    return slack, 1 if MORE.search(before) or MORE_AFTER.match(text, end) else -1 if LESS.search(before) else 0


def _figures(text: str) -> Iterator[Fact]:
    for m in _FIGURE.finditer(text):
        digits = re.sub(r"\D", "", m["digits"])
        scale, form, end = m["scale"] or "", m["unit"] or "", m.end()
        if scale in ("M", "m", "b", "B") and not m["money"] and not (scale == "M" and not form):
            # A lone m or b after a figure is a unit, "million" only behind a currency sign.
            form, scale = (scale, "") if scale == "m" else (form, "")
        unit = SIGNS[m["money"]] if m["money"] else unit_of(form) if form else COUNT
        value = float(digits + (m["fraction"] or "")) * _SCALE.get(scale, 1.0) * unit.factor
        start = m.start() + len(m.group()) - len(m.group().lstrip())
        slack, bound = _qualified(text, start, end)
        if unit.dimension == "length" and re.search(r"(?:每小时|时速)[约为达可近逾至到]*$", text[:start][-10:]):
            value, unit = value / unit.factor * (1 if unit.factor == 1000 else unit.factor / 1000), unit_of("km/h")
        yield Fact(
            FactKind.FIGURE, m.group().strip(), start, end, -value if m["sign"] is not None else value, unit,
            label=digits + (m["fraction"] or ""), slack=slack, bound=bound, base=bool(_PER.search(text[:start][-8:])),
        )  # fmt: skip


def _number_words(text: str) -> Iterator[Fact]:
    for m in _NUMBER_WORD.finditer(text):
        word = (m["word"] or "one").lower()
        value = float(
            _TENS[m["tens"].lower()] + _WORDS.get((m["unit1"] or "zero").lower(), 0) if m["tens"] else _WORDS[word]
        )
        if (
            m["a"] is None
            and word == "one"
            and not m["tens"]
            and re.search(r"\b(?:no|any|every|this|that|the|each|some)\s$", text[: m.start()], re.I)
        ):
            continue
        unit = unit_of(m["unit"]) if m["unit"] else COUNT
        slack, bound = _qualified(text, m.start(), m.end())
        yield Fact(
            FactKind.FIGURE,
            m.group(),
            *m.span(),
            value * _SCALE.get((m["scale"] or "").lower(), 1.0) * unit.factor,
            unit,
            slack=slack,
            bound=bound,
        )


def _figures_zh(text: str) -> Iterator[Fact]:
    for m in _ZH_FIGURE.finditer(text):
        unit = unit_of(m["unit"]) if m["unit"] else COUNT
        slack, bound = _qualified(text, m.start(), m.end())
        yield Fact(
            FactKind.FIGURE, m.group(), *m.span(), number_zh(m["digits"]) * unit.factor, unit, slack=slack, bound=bound
        )


def _ranks(text: str) -> Iterator[Fact]:
    for m in _RANK.finditer(text):
        value = _ORDINALS.index(m["word"].lower()) + 1 if m["word"] else _int(m["n"] or m["zn"])
        yield Fact(FactKind.RANK, m.group(), *m.span(), value=float(value))
