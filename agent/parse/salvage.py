"""Finds what may be a call in a raw reply: reasoning and invented observations go, the rest is searched in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent.parse.lenient import (
    GLUED,
    Cut,
    Malformed,
    Obj,
    Purse,
    Value,
    read,
    read_strict,
    read_strict_string,
    unescape,
)
from agent.parse.markup import Piece, call, labelled_calls, tagged_calls
from agent.parse.wording import Tools, folded, visible

NAME_KEYS = ("action", "tool", "tool_name", "name", "function", "command", "recipient_name", "动作", "行动")
WRAPPER_KEYS = ("tool_calls", "tool_uses", "calls", "function_call")
_NAMES = folded((*NAME_KEYS, *WRAPPER_KEYS))


@dataclass(frozen=True, slots=True)
class Found:
    """What may be calls, in order. `only_reasoning`: the reply held nothing else."""

    pieces: tuple[Piece, ...]
    only_reasoning: bool = False


def salvage(reply: str, tools: Tools) -> Found:
    """Everything in `reply` that may be a call. Takes time in proportion to its length."""
    text = visible(reply)
    whole = _whole(text)
    if isinstance(whole, str):  # the reply as a JSON string
        text = visible(whole)
        whole = _whole(text)
    if isinstance(whole, Obj | list):
        return Found((Piece(0, len(text), whole),))
    found = _search_channels(text, tools)
    if not found.pieces and not found.only_reasoning and '\\"' in text:
        return _search_channels(unescape(text), tools)  # JSON with its quotes escaped, in no string
    return found


def _whole(text: str) -> Value:
    """The reply as strict JSON, its code fence taken off; None if it is anything else."""
    body = _FENCED.fullmatch(text)
    start, end = body.span(1) if body else (0, len(text))
    start += len(text[start:end]) - len(text[start:end].lstrip())
    try:
        value, stop = read_strict(text, start)
    except ValueError:
        return read_strict_string(text.strip())
    return value if not text[stop:end].strip() else None


_FENCED = re.compile(r"\s*```+[a-zA-Z]{0,12}\s*?\n(.*)\n\s*```+\s*", re.DOTALL)


# The channels of gpt-oss ("harmony"): header, <|message|>, body. Only `analysis` is reasoning; a recipient is a call.
_CHANNEL_EDGE = re.compile(r"<\|(?:start|end|call|return)\|>|(?=<\|channel\|>)")
_RECIPIENT = re.compile(r"\bto=([\w.\-]{1,64})")
# The same with its tokens lost on the way: "analysisWe need…assistantcommentary to=functions.search json{…}".
_LOST_TOKENS = re.compile(r"\s*analysis(?=[A-Z{\u4e00-\u9fff])|\s*(?:commentary|final)(?= ?to=|\{)")
_LOST_HEADER = re.compile(r"(?:^\s*|assistant)(analysis|commentary|final)((?: ?to=[\w.]{1,64})?(?: ?(?:json|code))?)")


def _search_channels(text: str, tools: Tools) -> Found:
    if _LOST_TOKENS.match(text):
        text = _LOST_HEADER.sub(r"<|channel|>\1\2<|message|>", text)
    if "<|message|>" not in text:
        return _search(text, tools)
    pieces: list[Piece] = []
    offset, role, spoken = 0, "", False
    for chunk in _CHANNEL_EDGE.split(text):
        header, is_message, body = chunk.partition("<|message|>")
        if not is_message:
            role, header, body = header, "", "" if header.strip() in ("assistant", "") else chunk
        recipient = _RECIPIENT.search(role + header) if is_message else None
        if recipient:
            found = Found((_recipient_call(recipient[1], body),))
        elif "analysis" in header or (not is_message and not body):
            continue
        else:
            found = _search(body, tools)
        spoken = spoken or not found.only_reasoning
        pieces += [replace(piece, start=piece.start + offset, end=piece.end + offset) for piece in found.pieces]
        offset += len(chunk)
    return Found(tuple(pieces), only_reasoning=not spoken)


def _recipient_call(name: str, body: str) -> Piece:
    try:
        value, end = (
            read(body, 0, len(body), Purse.of(body)) if body.lstrip().startswith("{") else (body.strip(), len(body))
        )
    except Cut:
        return Piece(0, len(body), None, cut=True)
    except Malformed:
        value, end = body, len(body)
    return call(0, end, name, value)


_THINK = re.compile(
    r"(?:<|\[|◁)(/?)(?:think|thinking|thought|reasoning)(?:\s[^<>\[\]]{0,60})?(?:>|\]|▷)", re.IGNORECASE
)


def _without_reasoning(text: str) -> tuple[str, bool, bool]:
    """`text` without reasoning; was there any; did a closing tag without its opening one make all before it such?"""
    kept: list[str] = []
    pos, depth, lone, seen = 0, 0, False, False
    for tag in _THINK.finditer(text):
        seen = True
        if not tag[1]:
            if depth == 0:
                kept.append(text[pos : tag.start()])
            depth = 1  # a tag quoted while thinking opens nothing
        elif depth:
            depth, pos = 0, tag.end()
        else:
            kept, pos, lone = [], tag.end(), True
    if depth == 0:
        kept.append(text[pos:])
    return "".join(kept), seen, lone


_LEADING = re.compile(r"\s*(?:```+\w{0,12}|json\b)?\s*", re.IGNORECASE)


def _search(text: str, tools: Tools) -> Found:
    """A strict object at the very start is taken as it is, tags inside its strings included; then comes the rest."""
    body, seen = _after_leading_reasoning(text)
    head: list[Piece] = []
    tail = body
    begin = _LEADING.match(body)
    start = begin.end() if begin else 0
    if body.startswith(("{", "["), start):
        try:
            value, stop = read_strict(body, start)
        except ValueError:
            pass
        else:
            if GLUED.match(body, stop):
                stop, value = start, None  # the brace stood inside a string with bare quotes
            head = [Piece(start, stop, value)] if _is_meant(value) else []
            tail = body[stop:]
    tail, also_seen, lone = _without_reasoning(tail)
    if lone:
        head = []
    offset = head[0].end if head else 0
    rest = [replace(p, start=p.start + offset, end=p.end + offset) for p in _pieces(tail, tools)]
    silent = (seen or also_seen) and not tail.strip() and not head
    return Found((*head, *rest), only_reasoning=silent)


def _after_leading_reasoning(text: str) -> tuple[str, bool]:
    """Skips reasoning at the very start, so that a strict object behind it is never searched for tags."""
    pos = 0
    while (opening := re.compile(r"\s*").match(text, pos)) and (tag := _THINK.match(text, opening.end())):
        if tag[1]:
            pos = tag.end()
            continue
        closing = next((t for t in _THINK.finditer(text, tag.end()) if t[1]), None)
        if not closing:
            return text[pos:], pos > 0
        pos = closing.end()
    return text[pos:], pos > 0


_OBSERVATION = re.compile(
    r"\[Observation(?: \d{1,3})?\]|\[观察\]|^[ \t>*#_]{0,6}(?:Observation|观察|观测)(?: ?\d{1,3})?[*_ ]{0,4}[:：]"
    r"|<tool_response>|<\|observation\|>",
    re.IGNORECASE | re.MULTILINE,
)


def _pieces(text: str, tools: Tools) -> list[Piece]:
    """Calls in `text` up to the first invented observation, first one first, none inside another."""
    echo = _OBSERVATION.search(text)
    stop = echo.start() if echo else len(text)
    purse = Purse.of(text)
    objects = list(_objects(text, stop, purse))
    spoken = text[:stop]
    others = list(tagged_calls(spoken, tools, purse))
    if not others:
        others = list(labelled_calls(spoken, tools, purse))
    return _outermost(text, sorted((*others, *objects), key=lambda piece: piece.start))


def _outermost(text: str, pieces: list[Piece]) -> list[Piece]:
    """Of pieces in order of start those inside no other; but a whole action as another's body stands for that one."""
    kept: list[Piece] = []
    for piece in pieces:
        if not kept or piece.start >= kept[-1].end:
            kept.append(piece)
        elif _is_body(text, kept[-1], piece):
            kept[-1] = piece
    return kept


_BEFORE_BODY = re.compile(r"\s*(?:```+\w{0,12}\s*)?")


def _is_body(text: str, outer: Piece, inner: Piece) -> bool:
    if outer.body < 0 or not _is_named(inner.value):
        return False
    return _BEFORE_BODY.fullmatch(text, outer.body, inner.start) is not None


# Only openers that something readable follows: a hundred thousand braces are passed over at the speed of `re`.
_OPENER = re.compile(r"[{｛](?=\s*+[{｛]?\s*+[\w$\"'“”„＂‘’＇`「}｝/#])|[\[［](?=\s*+[\[［{｛])")


def _objects(text: str, stop: int, purse: Purse) -> Iterator[Piece]:
    """JSON objects, and arrays of them, that begin before `stop`; ends at one that is cut."""
    pos = 0
    while purse.left > 0 and (opener := _OPENER.search(text, pos, stop)):
        start = opener.start()
        try:
            value, pos = _read_before(text, start, stop, purse)
        except Cut:
            yield Piece(start, len(text), None, cut=True)
            return
        except Malformed as err:
            pos = err.at if err.deep else start + 1
        else:
            if _is_meant(value) and not _is_code(text, start, value):
                yield Piece(start, pos, value)


def _read_before(text: str, start: int, stop: int, purse: Purse) -> tuple[Value, int]:
    try:
        return read(text, start, stop, purse)
    except Cut:
        if stop == len(text):
            raise
        return read(text, start, len(text), purse)  # the word stood inside a string


def _is_meant(value: Value) -> bool:
    """Is it an object, or an array with one in it? `[1]` and `[]` in prose are not."""
    return isinstance(value, Obj) or (isinstance(value, list) and any(isinstance(item, Obj) for item in value))


def _is_named(value: Value) -> bool:
    first = value[0] if isinstance(value, list) else value
    return isinstance(first, Obj) and not _NAMES.isdisjoint(folded([key for key, _ in first.pairs]))


def _is_code(text: str, start: int, value: Value) -> bool:
    """A nameless object assigned or passed to something is a piece of a program."""
    before = text[max(0, start - 80) : start].rstrip()
    return before.endswith(("=", "(", ",")) and not _is_named(value)
