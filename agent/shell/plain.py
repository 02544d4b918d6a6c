"""Text that is safe and fits on a terminal: no control characters from the web, and lines that wrap at words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# ECMA-48: a control sequence runs to its final byte (section 5.4), a control string to ST (section 5.6), or to BEL as
# xterm has it. All of it goes, or "[31m" would stay behind. Each begins with ESC and a letter, or with a C1 character.
# A string that never ends loses its introducer only. It ends at the next introducer too, which keeps this linear.
ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]?"
)
# C0 but tab and newline, DEL, C1; bidi embeddings, overrides and isolates (Unicode TR 9 section 2), which let a page
# write "gpj.exe" as "exe.jpg"; the tag characters, which are invisible and may carry a message.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\x85]")
SURROGATES = re.compile("[\ud800-\udfff]")
CLOSING = frozenset("、。，．！？：；」』）】》”’…")  # never begin a line


def clean(text: str) -> str:
    """`text` as a terminal may print it: newlines and tabs are all that is left of its control characters."""
    text = ESCAPES.sub("", LINE_ENDS.sub("\n", text))
    return SURROGATES.sub("\ufffd", UNSAFE.sub("", text))


def one_line(text: str) -> str:
    """`text` cleaned, and its white space folded to single spaces."""
    return " ".join(clean(text).split())


def cells(text: str) -> int:
    """Columns that `text` takes: 2 for wide characters, 0 for marks that combine."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 1 + _is_wide(char) for char in text)


def shorten(text: str, width: int) -> str:
    """`text` in one line of at most `width` columns, cut with an ellipsis."""
    text = one_line(text[: 4 * width + 200])
    if cells(text) <= width:
        return text
    used, kept = 1, []
    for char in text:
        used += cells(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept) + "…"


def wrap(text: str, width: int, indent: str = "") -> str:
    """`text` with each of its lines indented, and broken at words to `width` columns; 0 leaves them long."""
    return "\n".join(part for line in text.split("\n") for part in _wrapped(line, width, indent))


def _wrapped(line: str, width: int, indent: str) -> list[str]:
    if not width or cells(indent + line) <= width:
        return [(indent + line).rstrip()]
    lines, current, used = [], indent, cells(indent)
    for unit in _units(line):
        size = cells(unit.rstrip())
        if used + size > width and current.strip():
            lines.append(current.rstrip())
            used = cells(indent)
            current = " " * used  # a dash before the line stands once
        current += unit
        used += cells(unit)
    return [*lines, current.rstrip()]


def _units(line: str) -> Iterator[str]:
    """The pieces between which a line may break: words with the blanks behind them, and single wide characters."""
    unit = ""
    for char in line:
        breakable = unit[-1:].isspace() or _is_wide(char) or (unit != "" and _is_wide(unit[-1]))
        if unit and breakable and not char.isspace() and char not in CLOSING:
            yield unit
            unit = ""
        unit += char
    if unit:
        yield unit


def _is_wide(char: str) -> bool:
    """Unicode TR 11: W and F take two columns."""
    return unicodedata.east_asian_width(char) in "WF"
