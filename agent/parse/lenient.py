"""JSON as models write it: one value at one place of a text, repaired only where nothing can be lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written. It stays text: int() on a million digits is slow, and Python refuses it."""

    written: str

    @property
    def whole(self) -> str:
        """The digits of a whole number (`3.0` gives `3`), "" for any other."""
        found = re.fullmatch(r"(-?\d+)(?:\.0+)?", self.written)
        return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class Obj:
    """An object with its keys in order, repeated ones included: a dict would hide that the model said two things."""

    pairs: tuple[tuple[str, Value], ...]


Value: TypeAlias = "str | Number | bool | list[Value] | Obj | None"


class Malformed(ValueError):
    """No value can be read here. `at`: how far the reader came; `deep`: it met the depth limit."""

    def __init__(self, at: int, deep: bool = False) -> None:
        super().__init__(at)
        self.at = at
        self.deep = deep


class Cut(Malformed):
    """The text ends inside a string, a key or a number: completing it would invent what the model meant."""


MAX_DEPTH = 40  # no tool call comes near; keeps recursion here and in json far from Python's own limit

# A lone quote is an alternative of its own: without it, an unclosed string would be tried again at every escaped quote.
_STRICT_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|["\[{\]}]', re.DOTALL)


def read_strict(text: str, pos: int = 0) -> tuple[Value, int]:
    """The JSON object or array that begins at `pos`, and where it ends, by RFC 8259. Raises ValueError."""
    depth = 0
    for token in _STRICT_TOKEN.finditer(text, pos):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        if token[0] == '"' or depth > MAX_DEPTH:
            break
        if depth == 0:
            return _loads(text[pos : token.end()]), token.end()
    raise ValueError("no whole object")


def _loads(text: str) -> Value:
    value: Value = json.loads(
        text,
        object_pairs_hook=lambda pairs: Obj(tuple(pairs)),
        parse_int=Number,
        parse_float=Number,
        parse_constant=Number,
    )
    return value


def read_strict_string(text: str) -> str | None:
    """The text in a JSON string literal; None where `text` is anything else."""
    if len(text) < 2 or text[0] != '"':
        return None
    try:
        value = _loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


@dataclass(slots=True)
class Purse:
    """How many characters the reader may still look at in one text: what keeps many failed attempts linear."""

    left: int

    @classmethod
    def of(cls, text: str) -> Purse:
        """Enough for any reply that was meant: each place of the text some eight times."""
        return cls(8 * len(text) + 2000)


def read(text: str, pos: int, end: int, purse: Purse) -> tuple[Value, int]:
    """The value at `pos` of `text[:end]`, and where it ends. Raises Malformed (also when `purse` is empty), Cut.

    Repaired: comments, trailing and missing commas, other quotes, full-width punctuation, unquoted keys, Python's
    words, raw line ends, doubled braces, closers missing at the end or mixed up, and, when nothing else reads,
    quotes inside a string.
    """
    # Strings end at the first quote wherever that works; only then are quotes weighed by what follows them.
    first: tuple[Value, int] | None = None
    try:
        first = _attempt(text, pos, end, purse, _Reader.value, weigh=False)
        if not GLUED.match(text, first[1], end):
            return first
    except Malformed as err:
        if err.deep:
            raise
    try:
        return _attempt(text, pos, end, purse, _Reader.value, weigh=True)
    except Malformed:
        if first is None:
            raise
        return first


def read_arguments(text: str, pos: int, end: int, purse: Purse) -> tuple[Value, int]:
    """What stands between the parentheses of a call; `pos` is just behind the opening one.

    Named arguments give an Obj, otherwise the first positional one is the value; an empty call gives an empty Obj.
    Names of variables are not values. Raises Malformed, Cut.
    """
    try:
        return _attempt(text, pos, end, purse, _Reader.arguments, weigh=False)
    except Malformed:
        return _attempt(text, pos, end, purse, _Reader.arguments, weigh=True)


def _attempt(
    text: str, pos: int, end: int, purse: Purse, what: Callable[[_Reader], Value], weigh: bool
) -> tuple[Value, int]:
    if purse.left <= 0:
        raise Malformed(pos)
    reader = _Reader(text, pos, end, weigh, purse)
    try:
        return what(reader), reader.pos
    finally:
        purse.left -= reader.pos - pos + 1


# A closing brace with quoted text glued on stood in a string: {"query":"the "}" key"}.
GLUED = re.compile(r'["”] ?\w')


def unescape(raw: str) -> str:
    """String escapes resolved (RFC 8259 section 7, and JavaScript's quotes). Unknown ones keep their backslash."""
    return _ESCAPE.sub(_plain, raw) if "\\" in raw else raw


def _plain(escape: re.Match[str]) -> str:
    code = escape[1]
    if len(code) == 5:
        return chr(int(code[1:], 16))  # halves of a surrogate pair are joined where values are cleaned
    return _ESCAPES.get(code, escape[0])


_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": "\n", **{c: c for c in "\"'\\/`"}}

_DOUBLE, _SINGLE = '"“”„＂', "'‘’＇"
_CLOSERS = {**dict.fromkeys(_DOUBLE, _DOUBLE), **dict.fromkeys(_SINGLE, _SINGLE), "`": "`", "「": "」"}
# An ASCII quote is closed by its like; a curly one by any of its family, models mix them.
_FIRST_END = {
    opener: re.compile(rf"(?:[^{opener if opener.isascii() else closers}\\]++|\\.)*+", re.DOTALL)
    for opener, closers in _CLOSERS.items()
}
_MARKS = {closers: re.compile(rf"\\.|[{closers}{{}}]", re.DOTALL) for closers in _CLOSERS.values()}
_FENCES = ('"""', "'''", '<|"|>', "<escape>")  # Python's, Gemma's and FunctionGemma's: the same mark opens and closes

# Block comments are bounded, so that thousands of unclosed ones stay cheap.
_SKIP = re.compile(r"(?:\s++|//[^\n]*+|#[^\n]*+|/\*++[^*]{0,300}+\*++/)*+")
_NUMBER = re.compile(r"-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?")
_WORD = re.compile(r"[A-Za-z]{2,10}\b")
_WORDS: dict[str, Value] = {"true": True, "True": True, "false": False, "False": False}
_WORDS |= dict.fromkeys(("null", "None", "undefined"))

_QUOTED = (
    r'"(?:[^"\\]|\\.){0,120}"'
    rf"|[{_DOUBLE}][^{_DOUBLE}]{{0,120}}[{_DOUBLE}]|[{_SINGLE}][^{_SINGLE}]{{0,120}}[{_SINGLE}]|`[^`]{{0,120}}`|「[^」]{{0,120}}」"
)
_COLON = r"\s*+(?::|：|=>|=(?!=))"
_KEY = re.compile(rf"(?:({_QUOTED})|([^\W\d][\w$-]{{0,60}})){_COLON}", re.DOTALL)
_QUOTED_KEY = re.compile(rf"(?:{_QUOTED}){_COLON}", re.DOTALL)
_NAMED = re.compile(r"([^\W\d]\w{0,60})\s*+=(?!=)")
_DANGLING = re.compile(rf"[{_DOUBLE}{_SINGLE}]\s*+(?=[}}｝])")
_END = re.compile(r"```|</|<[|｜]|\[/")  # a fence or a template token ends the text as far as an object is concerned

# What tells the end of a string from a quote inside it. A closer with a letter or a quote glued on is text.
_AFTER_VALUE = {
    "{": rf"[}}｝\]］]++(?![\w{_DOUBLE}{_SINGLE}])|[,，]\s*+(?:(?:{_QUOTED}){_COLON}|[}}｝])",
    "[": rf"[\]］}}｝]++(?![\w{_DOUBLE}{_SINGLE}])|[,，]\s*+[{_DOUBLE}{_SINGLE}{{\[\d]",
    "(": rf"\)++(?![\w{_DOUBLE}{_SINGLE}])|,\s*+[^\W\d]\w{{0,60}}\s*+=",
}
_TERMINATES = {where: re.compile(rf"\s*+(?:{after})", re.DOTALL) for where, after in _AFTER_VALUE.items()}


class _Reader:
    """Reads forward from `pos`, never past `end`. `weigh`: a quote ends a string only if what follows says so."""

    def __init__(self, text: str, pos: int, end: int, weigh: bool, purse: Purse) -> None:
        self.text = text
        self.pos = pos
        self.end = end
        self.weigh = weigh
        self.within: list[str] = []  # openers of the containers around `pos`
        self.purse = purse

    def value(self) -> Value:
        self._skip()
        if self.pos >= self.end:
            raise Cut(self.pos)
        for fence in _FENCES:
            if self.text.startswith(fence, self.pos):
                return self._fenced(fence)
        first = self.text[self.pos]
        if first in "{｛":
            return self._object()
        if first in "[［":
            return self._array()
        if first in _CLOSERS:
            return self._string()
        return self._number_or_word()

    def arguments(self) -> Value:
        self.within.append("(")
        named: list[tuple[str, Value]] = []
        placed: list[Value] = []
        while not self._take(")"):
            if self.pos >= self.end:
                raise Cut(self.pos)
            key = _NAMED.match(self.text, self.pos, self.end)
            if key:
                self.pos = key.end()
                named.append((key[1], self.value()))
            else:
                placed.append(self.value())
            if not self._take(",，") and not self._sees(")") and self.pos < self.end:
                raise Malformed(self.pos)
        return placed[0] if placed and not named else Obj(tuple(named))

    def _object(self) -> Obj:
        self._open("{")
        doubled = self._sees("{｛") and self._take("{｛")  # braces doubled for a template
        pairs: list[tuple[str, Value]] = []
        while not self._closed("}｝", ended=bool(pairs)):
            key = self._key()
            if key is not None:
                pairs.append((key, self.value()))
                self._after_value()
        if doubled and self._sees("}｝"):
            self.pos += 1
        self.within.pop()
        return Obj(tuple(pairs))

    def _array(self) -> list[Value]:
        self._open("[")
        items: list[Value] = []
        while not self._closed("]］", ended=bool(items)):
            items.append(self.value())
            self._after_value()
        self.within.pop()
        return items

    def _open(self, opener: str) -> None:
        if len(self.within) >= MAX_DEPTH:
            raise Malformed(self.pos, deep=True)
        self.within.append(opener)
        self.pos += 1

    def _closed(self, closers: str, ended: bool) -> bool:
        """Is the container at its end? Commas before it go; the wrong closer, or none, will do after a whole value."""
        while self._take(",，"):
            pass
        if self._at_end():
            if not ended:
                raise Cut(self.pos)
            return True
        if self._take(closers):
            return True
        if not self._sees("}｝]］"):
            return False
        # The closer of a container further out stands for this one too; a closer of nothing closes this one.
        if ("{" if self._sees("}｝") else "[") not in self.within:
            self.pos += 1
        return True

    def _key(self) -> str | None:
        """The key and its colon; None for a lone quote left before the closing brace."""
        found = _KEY.match(self.text, self.pos, self.end)
        if found:
            self.pos = found.end()
            return unescape(found[1][1:-1]) if found[1] else found[2]
        dangling = _DANGLING.match(self.text, self.pos, self.end)
        if dangling:
            self.pos = dangling.end()
            return None
        near_the_end = self.end - self.pos < 120 and self.text[self.pos] in _CLOSERS
        raise Cut(self.pos) if near_the_end and not self._key_elsewhere() else Malformed(self.pos)

    def _key_elsewhere(self) -> bool:
        """Does an object still begin behind this place? Then this was prose in braces, not a key cut short."""
        return self.text.find("{", self.pos, self.end) >= 0

    def _after_value(self) -> None:
        self._skip()
        if not self._at_end() and not self._sees(",，}｝]］") and not _QUOTED_KEY.match(self.text, self.pos, self.end):
            raise Malformed(self.pos)

    def _string(self) -> str:
        start = self.pos + 1
        closers = _CLOSERS[self.text[self.pos]]
        stop = self._weighed_end(start, closers) if self.weigh else self._first_end(start)
        self.pos = stop + 1
        return unescape(self.text[start:stop])

    def _first_end(self, start: int) -> int:
        found = _FIRST_END[self.text[start - 1]].match(self.text, start, self.end)
        stop = found.end() if found else self.end
        if stop >= self.end or self.text[stop] == "\\":
            self._pay(self.end - start)
            raise Cut(self.end)
        return stop

    def _weighed_end(self, start: int, closers: str) -> int:
        """The first quote that what follows shows to be the end, outside braces opened in the string if there is one.

        No quote at the end of the text counts: behind quotes inside a string nobody can tell whether it is whole.
        """
        terminates = _TERMINATES[self.within[-1] if self.within else "{"]
        braces, fallback = 0, -1
        for mark in _MARKS[closers].finditer(self.text, start, self.end):
            if mark[0] == "{":
                braces += 1
            elif mark[0] == "}":
                braces -= 1
            elif mark[0][0] != "\\" and terminates.match(self.text, mark.end(), self.end):
                if braces <= 0:
                    return mark.start()
                fallback = mark.start() if fallback < 0 else fallback
        self._pay(self.end - start)
        if fallback < 0:
            raise Cut(self.end)
        return fallback

    def _pay(self, chars: int) -> None:
        """For looking ahead to the end of the text, which `pos` does not show."""
        self.purse.left -= chars
        if self.purse.left <= 0:
            raise Malformed(self.pos)

    def _fenced(self, fence: str) -> str:
        start = self.pos + len(fence)
        stop = self.text.find(fence, start, self.end)
        if stop < 0:
            raise Cut(self.end)
        self.pos = stop + len(fence)
        return unescape(self.text[start:stop])

    def _number_or_word(self) -> Value:
        number = _NUMBER.match(self.text, self.pos, self.end)
        word = _WORD.match(self.text, self.pos, self.end)
        if number and number.end() >= self.end:
            raise Cut(self.end)  # more digits may have followed
        if number and not self.text[number.end()].isalnum():
            self.pos = number.end()
            return Number(number[0])
        if word and word[0] in _WORDS:
            self.pos = word.end()
            return _WORDS[word[0]]
        raise Malformed(self.pos)

    def _skip(self) -> None:
        found = _SKIP.match(self.text, self.pos, self.end)
        self.pos = found.end() if found else self.pos

    def _sees(self, chars: str) -> bool:
        return self.pos < self.end and self.text[self.pos] in chars

    def _take(self, chars: str) -> bool:
        """Step over blanks, comments and one of `chars`; blanks and comments even if none is there."""
        self._skip()
        if not self._sees(chars):
            return False
        self.pos += 1
        return True

    def _at_end(self) -> bool:
        return self.pos >= self.end or _END.match(self.text, self.pos, self.end) is not None
