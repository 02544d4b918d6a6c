"""Bytes to str the way browsers do it: byte-order mark, header, declaration in the page, then detection."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.-]{2,40})", re.IGNORECASE)
_META = re.compile(
    rb"charset\s{0,20}=\s{0,20}[\"']?\s{0,20}([\w:.-]{2,40})|encoding=[\"']([\w.-]{2,40})", re.IGNORECASE
)
_HEAD_BYTES = 4096  # browsers look at the first 1024; real pages put long scripts in front
# WHATWG Encoding, section 4.2: what a label means on the web, where Python's codec of that name means less.
_MEANS = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "l1": "cp1252", "ascii": "cp1252",
    "us-ascii": "cp1252", "iso8859-1": "cp1252", "windows-1252": "cp1252", "iso-8859-9": "cp1254", "latin5": "cp1254",
    "iso-8859-11": "cp874", "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030",
    "gb_2312-80": "gb18030", "chinese": "gb18030", "gb18030": "gb18030", "big5": "big5hkscs", "big5-hkscs": "big5hkscs",
    "x-x-big5": "big5hkscs", "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932",
    "windows-31j": "cp932", "ms_kanji": "cp932", "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "ksc5601": "cp949",
    "korean": "cp949", "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-16": "utf-16-le", "unicode": "utf-16-le",
    "x-user-defined": "cp1252", "x-mac-roman": "mac_roman", "macintosh": "mac_roman", "x-cp1251": "cp1251",
    "x-euc-jp": "euc_jp", "iso-8859-8-i": "iso8859-8", "none": "", "utf-7": "",
}  # fmt: skip
_KNOWN = frozenset(
    [
        "utf-8",
        "cp1252",
        "gb18030",
        "big5hkscs",
        "cp932",
        "cp949",
        "euc_jp",
        "iso2022_jp",
        "utf-16-le",
        "utf-16-be",
        "koi8-r",
        "koi8-u",
        "mac_roman",
        "cp866",
        "cp874",
        "hz",
    ]
    + [f"cp{n}" for n in range(1250, 1259)]
    + [f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)]
)
_NUMBERED = re.compile(r"^(windows-|iso-8859-)(\d{1,4})$")
_SPELLED = {"euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp", "hz-gb-2312": "hz"}
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and the codec that gave it."""

    text: str
    encoding: str


def codec(label: str) -> str:
    """The Python codec for a label as the web means it, "" when the web does not know it."""
    label = label.strip().lower()
    name = _MEANS.get(label, label)
    name = _NUMBERED.sub(lambda m: ("cp" if m[1] == "windows-" else "iso8859-") + m[2], name)
    name = _SPELLED.get(name, name)
    return name if name in _KNOWN else ""


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Decode `body`. The mark wins, then whatever of header, declaration and detection fits the bytes best."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return Decoded(body[len(mark) :].decode(name, "replace"), name)
    if not body.strip(b"\0"):
        return Decoded("", "utf-8")
    wide = _utf16(body)
    if wide:
        return Decoded(body.decode(wide, "replace"), wide)
    declared = _declared(body, content_type)
    shifting = [name for name in declared if name in ("iso2022_jp", "hz")]  # ASCII to the eye, and valid UTF-8
    if body.isascii() and not shifting:
        return Decoded(body.decode("ascii"), "utf-8")
    for name in (*shifting, "utf-8", *(name for name in declared if name != "cp1252")):
        # Text of another encoding is hardly ever valid UTF-8, so validity beats any label. All bytes fit cp1252,
        # and servers that were told nothing say it of everything: it has to look like writing.
        text = _strict(body, name)
        if text is not None:
            return Decoded(text, name)
    return _detected(body, declared)


def _declared(body: bytes, content_type: str) -> list[str]:
    found = [m[1] for m in [_HEADER.search(content_type)] if m]
    meta = _META.search(body, 0, _HEAD_BYTES)
    if meta:
        found.append((meta[1] or meta[2]).decode("ascii", "replace"))
    names = [codec(label) for label in found]
    return list(dict.fromkeys(n for n in names if n and n != "utf-16-le"))


def _utf16(body: bytes) -> str:
    """UTF-16 without a mark: every other byte of markup is zero. A flood of zeros is none."""
    head = body[:400]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if (even + odd) * 3 < len(head) or min(even, odd) * 10 > max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _strict(body: bytes, name: str) -> str | None:
    """The text if the bytes fit, a last character cut in two by a size limit forgiven; None otherwise."""
    try:
        return body.decode(name)
    except UnicodeDecodeError as err:
        if name != "cp1252" and err.start >= len(body) - 4 and err.start > 64:
            return body[: err.start].decode(name)
        if name.startswith("cp125"):
            text = body.decode(name, "replace")
            return text if text.count(_REPLACEMENT) * 1000 < len(text) else None
        return None


def _detected(body: bytes, declared: list[str]) -> Decoded:
    """The best of the encodings that browsers guess, by how much their text looks like writing."""
    loose = body.decode("utf-8", "replace")
    if loose.count(_REPLACEMENT) * 50 < sum(1 for c in loose[:20000] if not c.isascii()):
        return Decoded(loose, "utf-8")  # a few broken bytes in an otherwise sound UTF-8 page
    sample = body[:60000]
    names = dict.fromkeys(
        [
            *declared,
            "gb18030",
            "big5hkscs",
            "cp932",
            "euc_jp",
            "cp949",
            "cp1252",
            "cp1251",
            "koi8-r",
            "cp1250",
            "cp1253",
            "cp1255",
            "cp1256",
            "cp874",
            "iso8859-2",
        ]
    )
    name = max(names, key=lambda n: _likeness(sample, n) + (0.05 if n in declared else 0.0))
    text = body.decode(name, "replace")
    return Decoded(text, name)


# First and last letter, and those that make up half of any text: without them Hebrew passes for lower-case Cyrillic.
_OTHER_ALPHABETS = {
    "cp1251": ("а", "я", frozenset("оеаинтс")),
    "koi8-r": ("а", "я", frozenset("оеаинтс")),
    "cp1253": ("ά", "ώ", frozenset("αοιετση")),
    "cp1255": ("א", "ת", frozenset("יוהלראת")),
    "cp1256": ("ء", "ْ", frozenset("اليمنوت")),
    "cp874": ("ก", "๛", frozenset("านรอกเง่")),
}
_WESTERN = ("cp1252", "cp1250", "iso8859-2")
_LONELY = re.compile(r"(?<![^\x00-\x7f])[^\x00-\x7f](?![^\x00-\x7f])")
_WESTERN_SIGNS = frozenset("–—‘’“”„…€£°·«»©®™½¼¿¡§\xa0")
_SIGN_IN_WORD = re.compile(r"[¿¡±³¹¶¼¾¦¯][a-zß-ÿ]")  # no sign to a Pole or a Czech
_MIXED = re.compile(r"[A-Za-z][^\W\d_A-Za-z]|[^\W\d_A-Za-z][A-Za-z]")  # no word mixes Latin letters with Cyrillic ones
_FREQUENT_HANS = frozenset(
    "的一是不了在人有我他这中大来上个国到说们为子和你地出会也时要就可以对生能而年同工动方过成发所经行市新公本日月"
)
_FREQUENT_HANT = frozenset(
    "的一是不了在人有我他這中大來上個國到說們為子和你地出會也時要就可以對生能而年同工動方過成發所經行市新公本日月"
)


def _likeness(sample: bytes, name: str) -> float:
    """How much the sample looks like writing in this encoding, about 0 to 1."""
    text = sample.decode(name, "replace")
    marks = [c for c in text if not c.isascii()]
    if not marks:
        return -1.0
    broken = sum(1 for c in marks if c == _REPLACEMENT or "\x80" <= c < "\xa0" or "\ue000" <= c < "\uf900") / len(marks)
    if name in _WESTERN:
        return _script(marks, name) - 8 * broken - len(_SIGN_IN_WORD.findall(text)) / len(marks)
    mixed = len(_MIXED.findall(text)) / len(marks) if name in _OTHER_ALPHABETS else 0.0
    # The sign and the letter of 20 °C are one character to an encoding of two bytes; but then it stands alone.
    lonely = len(_LONELY.findall(text)) / len(marks)
    return _script(marks, name) - 8 * broken - 2 * mixed - lonely


def _script(marks: list[str], name: str) -> float:
    size = len(marks)
    common = sum(1 for c in marks if "\u4e00" <= c < "\u9fff")
    kana = sum(1 for c in marks if "\u3040" <= c < "\u3100")
    if name in ("gb18030", "big5hkscs"):
        frequent = _FREQUENT_HANS if name == "gb18030" else _FREQUENT_HANT
        return common / size * 0.5 + 3 * sum(1 for c in marks if c in frequent) / size
    if name in ("cp932", "euc_jp"):
        half = sum(1 for c in marks if "\uff61" <= c < "\uffa0")
        return (common * 0.3 + kana * 1.5 - half) / size
    if name == "cp949":
        return sum(1 for c in marks if "\uac00" <= c < "\ud7a4") / size
    if name in _OTHER_ALPHABETS:
        low, top, frequent = _OTHER_ALPHABETS[name]
        inside = sum(1 for c in marks if low <= c.lower() <= top)
        capital = sum(1 for c in marks if c.isupper())
        often = sum(1 for c in marks if c in frequent)
        return (inside - capital / 2 + often / 2) / size - 0.25
    letters = sum(1 for c in marks if c.isalpha() or c in _WESTERN_SIGNS)
    pairs = sum(1 for a, b in itertools.pairwise(marks) if a.isalpha() and b.isupper())
    return 0.55 * letters / size - 0.2 * pairs / size - (0.1 if name in ("cp1250", "iso8859-2") else 0.0)
