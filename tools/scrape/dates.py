"""Dates as pages write them, to days. What can be read in two ways is no date."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner janvier janv enero gennaio gen stycznia styczeń januari janeiro "
            "января ene leden ledna",
            "february feb februar février fevrier févr febrero febbraio lutego luty februari fevereiro fev "
            "февраля února",
            "march mar märz maerz mrz mars marzo marca marzec maart março марта března",
            "april apr avril avr abril aprile kwietnia kwiecień abr апреля dubna",
            "may mai mayo maggio mag maja maj mei maio мая května",
            "june jun juni juin junio giugno giu czerwca czerwiec junho июня června",
            "july jul juli juillet juil julio luglio lug lipca lipiec julho июля července",
            "august aug août aout agosto sierpnia sierpień augustus ago августа srpna augusti",
            "september sep sept septembre septiembre settembre set września wrzesień setembro сентября září",
            "october oct oktober okt octobre octubre ottobre ott października październik outubro out октября října",
            "november nov novembre noviembre listopada listopad novembro ноября",
            "december dec dezember dez décembre decembre déc diciembre dic dicembre grudnia grudzień desember"
            " dezembro "
            "декабря prosince",
        ),
        start=1,
    )
    for name in names.split()
}
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_COMPACT = re.compile(r"^\s*((?:19|20)\d\d)(\d\d)(\d\d)(?:\D|\d{6}|$)")
_CJK = re.compile(
    r"((?:19|20)\d\d)\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号號]|((?:19|20)\d\d)\s?년\s?(\d{1,2})\s?월\s?(\d{1,2})\s?일"
)
_HAN = re.compile(
    r"([二〇零一九○]{1}[〇零○一二三四五六七八九]{3})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})日"
)
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,2})([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d)(?!\d|\.\d)")
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s{0,2}(?:of\s|de\s"
    r"|den\s)?[\s.-]?([^\W\d_]{3,12})\.?,?(?:\s(?:de|of|del)\s|[\s,.-]{1,3})((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{3,12})\.?\s{1,2}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,2}((?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
_RELATIVE_HAN = re.compile(r"(\d{1,3})\s?(分钟|分鐘|小时|小時|天|日|周|週|个月|個月)\s?前")
_RELATIVE = re.compile(r"(?<!\d)(\d{1,3}|an?|one)\s(minute|min|hour|day|week|month)s?\sago", re.IGNORECASE)
_DAYS = {"周": 7, "週": 7, "天": 1, "日": 1, "个月": 30, "個月": 30, "day": 1, "week": 7, "month": 30}
_MINUTES = {"分钟": 1, "分鐘": 1, "小时": 60, "小時": 60, "minute": 1, "min": 1, "hour": 60}
_NEAR = {"今天": 0, "昨天": 1, "前天": 2, "today": 0, "yesterday": 1}
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0}


def day_in(text: str, now: datetime | None = None, day_first: bool | None = None) -> date | None:
    """The first certain date in `text`; relative ones are taken from `now`, in its own zone.

    `day_first` settles 04/05/2024 where the page's language does; without it such a date is None.
    """
    if (
        not any(c.isdigit() for c in text)
        and not (now and any(word in text.lower() for word in (*_NEAR, " ago")))
        and "年" not in text
    ):
        return None
    found = [hit for hit in (_absolute(text, day_first)) if hit]
    if found:
        return min(found, key=lambda hit: hit[0])[1]
    return _relative(text, now) if now else None


def _absolute(text: str, day_first: bool | None) -> list[tuple[int, date] | None]:
    hits: list[tuple[int, date] | None] = []
    for pattern, order in (
        (_ISO, (1, 2, 3)),
        (_COMPACT, (1, 2, 3)),
        (_CJK, (1, 2, 3)),
        (_DAY_MONTH, (3, 2, 1)),
        (_MONTH_DAY, (3, 1, 2)),
    ):
        for m in pattern.finditer(text):
            group = [m[i] or m[i + 3] if pattern is _CJK else m[i] for i in order]
            made = _made(group[0], group[1], group[2])
            if made:
                hits.append((m.start(), made))
                break
    numeric = _NUMERIC.search(text)
    if numeric:
        hits.append(_numeric(numeric, day_first))
    han = _HAN.search(text)
    if han:
        year = "".join(str(_DIGITS.get(c, 2)) for c in han[1])
        made = _made(year, str(_han(han[2])), str(_han(han[3])))
        hits.append((han.start(), made) if made else None)
    return hits


def _numeric(m: re.Match[str], day_first: bool | None) -> tuple[int, date] | None:
    first, second = int(m[1]), int(m[3])
    if m[2] == ".":
        day_first = True  # dots between numbers mean day first wherever they are used
    if first > 12 or first == second:
        day_first = True
    elif second > 12:
        day_first = False
    if day_first is None:
        return None
    made = _made(m[4], str(second if day_first else first), str(first if day_first else second))
    return (m.start(), made) if made else None


def _made(year: str, month: str, day: str) -> date | None:
    number = int(month) if month.isdecimal() else _MONTHS.get(month.lower(), 0)
    try:
        made = date(int(year), number, int(day))
    except ValueError:
        return None
    return made if made.year >= 1970 else None


def _han(text: str) -> int:
    if "十" not in text:
        return _DIGITS.get(text, 0)
    tens, _, ones = text.partition("十")
    return (_DIGITS.get(tens, 1) if tens else 1) * 10 + _DIGITS.get(ones, 0)


def _relative(text: str, now: datetime) -> date | None:
    m = _RELATIVE_HAN.search(text) or _RELATIVE.search(text)
    if m:
        count, unit = int(m[1]) if m[1].isdecimal() else 1, m[2].lower()
        ago = timedelta(minutes=count * _MINUTES[unit]) if unit in _MINUTES else timedelta(days=count * _DAYS[unit])
        return (now - ago).date()
    word = next((w for w in _NEAR if w in text.lower()), "")
    return (now - timedelta(days=_NEAR[word])).date() if word else None


def stamp(text: str, day_first: bool | None = None) -> date | None:
    """The day of a machine-readable stamp (a meta or `datetime` value): the local day as written, not that of UTC."""
    text = text.strip()[:60]
    if text.isdecimal() and len(text) in (10, 13):
        return datetime.fromtimestamp(int(text[:10])).date()
    found = day_in(text, day_first=day_first)
    if found or not any(c.isdigit() for c in text) or _NUMERIC.search(text):
        return found
    return _by_dateutil(text)


def _by_dateutil(text: str) -> date | None:
    from dateutil import parser  # start-up: only for stamps that no pattern above knows

    try:
        # Two different defaults: a part that the text lacks shows as a difference, and is not made up.
        first, second = (
            parser.parse(text, default=datetime(year, month, 1 + month)) for year, month in ((2001, 1), (2002, 2))
        )
    except (ValueError, OverflowError, TypeError):
        return None
    return first.date() if first.date() == second.date() and first.year >= 1970 else None
