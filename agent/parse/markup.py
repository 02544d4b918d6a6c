"""Calls written in other ways than as one JSON object: tags of chat templates, Python calls, labelled lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from agent.parse.lenient import Cut, Malformed, Obj, Purse, Value, read, read_arguments, read_strict_string
from agent.parse.wording import ARGUMENT_KEYS, Tools, fold, folded, resolve


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a reply that may be a call. `cut`: it begins like one and never ends; `value` is then worthless.

    `body`: where the text begins that may itself be a whole JSON action, which then takes the place of this piece.
    """

    start: int
    end: int
    value: Value
    cut: bool = False
    body: int = -1


def call(start: int, end: int, name: str, arguments: Value = None, body: int = -1) -> Piece:
    """A call in the one shape that the parser reads."""
    given = () if arguments is None else (("arguments", arguments),)
    return Piece(start, end, Obj((("action", name), *given)), body=body)


def plain_call(start: int, end: int, name: str, argument: Value, body: int = -1) -> Piece:
    """A call whose argument may be bare text."""
    return Piece(start, end, Obj((("action", name), ("action_input", argument))), body=body)


def tagged_calls(text: str, tools: Tools, purse: Purse) -> Iterator[Piece]:
    """Calls in the markup of chat templates, in order of kind, not of place."""
    yield from _headed_calls(text, tools, purse)
    yield from _parameter_calls(text, purse)
    yield from _element_calls(text, tools)
    yield from _python_calls(text, tools, purse)


# A name that some template puts right before the JSON of its arguments.
_NAME = r"(?<![\w.\-])([\w.\-]{1,64})"
_HEADS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\[TOOL_CALLS\]\s*{_NAME}\s*(?:\[CALL_ID\][\w\-]*)?\s*(?:\[ARGS\])?\s*(?=\{{)",  # Mistral
        rf"<[|｜]tool[▁_ ]sep[|｜]>\s*{_NAME}\s*(?:```(?:json)?)?\s*(?=\{{)",  # DeepSeek V3, R1
        rf"{_NAME}\s*<[|｜]tool[▁_ ]sep[|｜]>\s*(?=\{{)",  # DeepSeek V3.1
        rf"{_NAME}(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?=\{{)",  # Kimi
        rf"call:{_NAME}\s*(?=\{{)",  # Gemma
    )
)
# A tool's name alone on its line before the JSON of its arguments, as GLM writes it.
_NAME_LINE = re.compile(rf"(?:\A|\n|>)[ \t]*{_NAME}[ \t]*(?:\r?\n)?[ \t]*(?=\{{)")


def _headed_calls(text: str, tools: Tools, purse: Purse) -> Iterator[Piece]:
    heads = [found for head in _HEADS for found in head.finditer(text)]
    heads += [found for found in _NAME_LINE.finditer(text) if resolve(found[1], tools)]
    for found in heads:
        piece = _with_json(text, found.start(), found.end(), found[1], purse)
        yield replace(piece, body=found.end()) if found.re is _NAME_LINE else piece


def _with_json(text: str, start: int, pos: int, name: str, purse: Purse) -> Piece:
    try:
        value, end = read(text, pos, len(text), purse)
    except Cut:
        return Piece(start, len(text), None, cut=True)
    except Malformed:
        return call(start, pos, name)
    return call(start, end, name, value)


_FUNCTION = re.compile(
    r"<(?:\w{1,12}:)?(?:function|invoke)(?:=|\s{1,4}name\s{0,4}=\s{0,4})[\"']?([\w.\-]{1,64})[\"']?\s{0,4}>?\s*"
    r"|<tool_call>\s{0,40}([\w.\-]{1,64})\s{0,40}(?:<tool_sep>)?\s{0,40}(?=<arg_key>)"
)
_PARAMETER = re.compile(
    r"\s*<(?:\w{1,12}:)?parameter(?:=|\s{1,4}name\s{0,4}=\s{0,4})[\"']?([\w.\-]{1,64})[\"']?[^<>]{0,60}>"
    r"|\s*<arg_key>([^<]{1,64})</arg_key>\s*<arg_value>"
)
_PARAMETER_END = re.compile(r"</(?:\w{1,12}:)?(?:parameter|function|invoke)>|</arg_value>|(?=<parameter[=\s])")


def _parameter_calls(text: str, purse: Purse) -> Iterator[Piece]:
    """`<function=…>`, `<invoke name=…>` and GLM's tags, with one element a parameter or with JSON inside."""
    for head in _FUNCTION.finditer(text):
        name = head[1] or head[2]
        if text.startswith("{", head.end()):
            yield _with_json(text, head.start(), head.end(), name, purse)
            continue
        pairs: list[tuple[str, Value]] = []
        pos = head.end()
        while parameter := _PARAMETER.match(text, pos):
            closing = _PARAMETER_END.search(text, parameter.end())
            if not closing:
                yield Piece(head.start(), len(text), None, cut=True)
                return
            pairs.append((parameter[1] or parameter[2], text[parameter.end() : closing.start()]))
            pos = closing.end()
        yield call(head.start(), pos, name, Obj(tuple(pairs)))


_ELEMENT = re.compile(r"<([^\W\d][\w\-]{1,40})>")
_CHILD = re.compile(r"\s*<([^\W\d][\w\-]{0,40})>([^<]*)</\1>\s*")


def _element_calls(text: str, tools: Tools) -> Iterator[Piece]:
    """`<search>words</search>`, where the element has a tool's name."""
    done = 0
    for tag in _ELEMENT.finditer(text):
        if tag.start() < done or not resolve(tag[1], tools):
            continue
        stop = text.find(f"</{tag[1]}>", tag.end())
        if stop < 0:
            return  # "the <search> tool" is talk, and a value that never ends is no call either
        done = stop + len(tag[1]) + 3
        inner = _children(text, tag.end(), stop) or text[tag.end() : stop]
        yield plain_call(tag.start(), done, tag[1], inner, body=tag.end())


def _children(text: str, pos: int, stop: int) -> Obj | None:
    """The elements in an element as pairs, None unless it holds nothing but elements named like arguments."""
    pairs: list[tuple[str, Value]] = []
    while (child := _CHILD.match(text, pos, stop)) and fold(child[1]) in ARGUMENT_KEYS:
        pairs.append((child[1], child[2]))
        pos = child.end()
    return Obj(tuple(pairs)) if pairs and pos == stop else None


# At the start of a line or behind a token or bracket: a call named within a sentence is only talk.
_CALL = re.compile(
    r"(?:^|(<\|(?:python_tag|python_start|tool_call_start)\|>)|(?<=>))[ \t]?`?\[?(?:print\(\s{0,9})?"
    r"(?:[A-Za-z_]\w{0,40}[ ]?=[ ]?)?([^\W\d][\w.]{0,64})\s{0,4}([(\[])",
    re.MULTILINE,
)


def _python_calls(text: str, tools: Tools, purse: Purse) -> Iterator[Piece]:
    """`search(query="…")` and `Search[…]`. Code that calls no tool is no call, unless a token announces one."""
    done = 0
    for found in _CALL.finditer(text):
        name = found[2].removesuffix(".call")
        announced = found[1] and name != "print"
        if found.start() < done or not (announced or resolve(name, tools)):
            continue
        piece = _finish_call(text, found.start(), found.end(), name, found[3], purse)
        if piece:
            yield piece
            done = piece.end


def _finish_call(text: str, start: int, pos: int, name: str, opener: str, purse: Purse) -> Piece | None:
    """The call whose arguments begin at `pos`; None if they are code."""
    try:
        if opener == "(":
            value, end = read_arguments(text, pos, len(text), purse)
        else:
            value, end = _bracketed(text, pos)
    except Cut:
        return Piece(start, len(text), None, cut=True)
    except Malformed:
        return None
    return plain_call(start, end, name, value)


def _bracketed(text: str, pos: int) -> tuple[str, int]:
    depth = 1
    for bracket in re.compile(r"[\[\]]").finditer(text, pos):
        depth += 1 if bracket[0] == "[" else -1
        if depth == 0:
            return plain_text(text[pos : bracket.start()]), bracket.end()
    raise Cut(len(text))


# Labelled lines: ReAct, its Chinese form, and plain "action: … / query: …".
_NAME_LABELS = ("action", "tool", "tool_name", "function", "command", "行动", "动作")
_INPUT_LABELS = (
    "action_input", "tool_input", "input", "arguments", "args", "parameters", "params",
    "行动输入", "动作输入", "行动参数", "输入", "参数",
)  # fmt: skip
_FINAL_LABELS = ("final_answer", "最终答案")
_OTHER_LABELS = ("thought", "reasoning", "plan", "思考", "想法")
_KEY_LABELS = ("query", "q", "search_query", "url", "link", "content", "answer", "text", "关键词", "网址", "内容")


def _alternation(labels: tuple[str, ...]) -> str:
    return "|".join(sorted((label.replace("_", "[ _]") for label in labels), key=len, reverse=True))


_LABEL = re.compile(
    r"^[ \t>*#_`\-]{0,8}(?:\d{1,2}[.)] )?\**("
    + _alternation((*_NAME_LABELS, *_INPUT_LABELS, *_FINAL_LABELS, *_OTHER_LABELS, *_KEY_LABELS))
    + r")(?:[ ]?\d{1,3})?([ ]input(?:[ ]?\d{1,3})?)?[*_` ]{0,4}[:：][*_]{0,3}[ \t]*"
    r"|(?<=[.!?。！？])[ \t]*(Final Answer|最终答案)[:：][ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_TEMPLATE_TAIL = re.compile(r"<\|[a-z_]{2,30}\|>|</?s>|<end_of_turn>|<eos>|\[/INST\]|^```\s*\Z", re.MULTILINE)
_NAME_SET, _INPUT_SET, _FINAL_SET = folded(_NAME_LABELS), folded(_INPUT_LABELS), folded(_FINAL_LABELS)
_ARGUMENT_SET = folded((*_INPUT_LABELS, *_KEY_LABELS))
_TURN_SET = folded((*_FINAL_LABELS, "action", "行动", "动作", "thought", "思考"))
_ALWAYS_A_CALL = folded(("action", "行动", "动作"))  # other labels stand in front of ordinary words, too


def labelled_calls(text: str, tools: Tools, purse: Purse) -> Iterator[Piece]:
    """Calls in labelled lines. An input is one line, an answer goes on to the next label. JSON is left to others."""
    fields = _fields(text)
    for at, field in enumerate(fields):
        if field.label in _FINAL_SET:
            words, end = _to_next_turn(text, fields, at)
            yield plain_call(field.start, end, "answer", plain_text(words), body=field.at)
        elif field.label in _NAME_SET and not field.is_json and field.text:
            piece = _labelled_call(text, fields, at, tools, purse)
            if piece:
                yield piece


def _since(fields: list[_Field], at: int) -> Iterator[_Field]:
    return (fields[i] for i in range(at, len(fields)))  # a slice for each field would be quadratic


def _to_next_turn(text: str, fields: list[_Field], at: int) -> tuple[str, int]:
    """An answer's text runs to the next label of a turn: a line `Link: …` in it is part of it."""
    end = next((field.start for field in _since(fields, at + 1) if field.label in _TURN_SET), len(text))
    return _body(text[fields[at].at : end]), end


@dataclass(frozen=True, slots=True)
class _Field:
    start: int
    at: int  # where its text begins
    end: int
    label: str
    text: str

    @property
    def is_json(self) -> bool:
        return self.text.startswith(("{", "[", "```"))


def _fields(text: str) -> list[_Field]:
    labels = list(_LABEL.finditer(text))
    ends = [*(label.start() for label in labels[1:]), len(text)]
    fields = []
    for label, end in zip(labels, ends, strict=False):
        word = fold(label[3] or label[1]) + ("input" if label[2] else "")
        fields.append(_Field(label.start(), label.end(), end, word, _body(text[label.end() : end])))
    return fields


def _body(text: str) -> str:
    return _TEMPLATE_TAIL.split(text, maxsplit=1)[0].strip()


def _labelled_call(text: str, fields: list[_Field], at: int, tools: Tools, purse: Purse) -> Piece | None:
    name = fields[at]
    inputs = list(takewhile(lambda field: field.label in _ARGUMENT_SET, _since(fields, at + 1)))
    end = inputs[-1].end if inputs else name.end
    line = name.text.split("\n", 1)[0].strip().strip("*`").strip()
    spoken = re.match(r"([^\W\d][\w.]{0,64})\s?([(\[])", line)
    if spoken and not inputs and resolve(spoken[1], tools):
        begin = text.index(spoken[0], name.at) + len(spoken[0])
        return _finish_call(text, name.start, begin, spoken[1].removesuffix(".call"), spoken[2], purse)
    tool = resolve(line, tools)
    if not tool and name.label not in _ALWAYS_A_CALL:
        return None
    pairs: list[tuple[str, Value]] = [("action", line)]
    if tool == "answer" and inputs and inputs[0].label in _INPUT_SET and not inputs[0].is_json:
        words, end = _to_next_turn(text, fields, at + 1)
        return plain_call(name.start, end, line, plain_text(words))
    for field in inputs:
        key = "action_input" if field.label in _INPUT_SET else field.label
        try:
            pairs.append((key, _input(field, text, purse, whole=tool == "answer")))
        except Cut:
            return Piece(name.start, len(text), None, cut=True)
    return Piece(name.start, end, Obj(tuple(pairs)))


_JSON_INPUT = re.compile(r"\s*(?:```(?:json)?\s*)?(?=[{\[])")


def _input(field: _Field, text: str, purse: Purse, whole: bool) -> Value:
    begin = _JSON_INPUT.match(text, field.at, field.end)
    if begin:
        try:
            return read(text, begin.end(), field.end, purse)[0]
        except Cut:
            raise
        except Malformed:
            pass  # brackets of an ordinary text
    return plain_text(field.text if whole else field.text.split("\n", 1)[0])


def plain_text(text: str) -> str:
    """`text` without blanks, quotes or backticks around the whole of it."""
    text = text.strip()
    quoted = read_strict_string(text)
    if quoted is not None:
        return quoted
    inner = text[1:-1]
    return inner if len(text) > 2 and text[0] == text[-1] and text[0] in "`'" and text[0] not in inner else text
