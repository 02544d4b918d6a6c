"""A raw reply → one Action, or a BadAction written for the model to read.

Kinds of BadAction, in the order they are looked for: not_json (no usable object), missing_key (no action name),
bad_type, empty and unknown_action (the name), missing_key (no argument), bad_type, empty (blank or a copied
placeholder), bad_url; ambiguous (two intents) wherever two things are said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from agent.errors import BadAction
from agent.parse.lenient import Malformed, Number, Obj, Purse, Value, read
from agent.parse.salvage import NAME_KEYS, WRAPPER_KEYS, salvage
from agent.parse.wording import (
    clean_line,
    clean_text,
    clean_url,
    fold,
    folded,
    is_choice,
    is_placeholder,
    keys_of,
    resolve,
    shown,
    visible,
)
from agent.spec import Kind, Param
from agent.types import Action

CORE: Mapping[str, tuple[Param, ...]] = {
    "search": (Param("query", Kind.QUERY, "words to look for"),),
    "scrape": (Param("url", Kind.URL, "the page to read"),),
    "answer": (Param("content", Kind.TEXT, "the answer"),),
}

_NAMES = folded(NAME_KEYS)
_WRAPPERS = folded(WRAPPER_KEYS)
_OBJECT_KEYS = folded(("arguments", "args", "parameters", "params", "tool_arguments"))  # an object, or its JSON text
_INPUT_KEYS = folded(("action_input", "tool_input", "input"))  # that, or bare text
_MAX_NESTING = 5  # wrappers around wrappers; real ones go three deep
_MAX_DIGITS = 18  # of an integer argument


@dataclass(frozen=True, slots=True)
class _Call:
    """An object taken apart: what it says its action is, and the pairs its arguments are looked for in."""

    names: tuple[Value, ...]
    pairs: tuple[tuple[str, Value], ...]
    blank: bool = False  # `{}`: nothing was said
    cut: bool = False


def parse_reply(text: str, tools: Mapping[str, tuple[Param, ...]] = CORE, plain_http: Collection[str] = ()) -> Action:
    """The one action that a reply holds, with canonical names, cleaned values and absolute URLs.

    `plain_http`: "host:port"s whose URLs keep `http`. Optional parameters may be missing, unknown keys are dropped.
    Raises BadAction. Takes time in proportion to the length of `text`, whatever it holds.
    """
    if not visible(text).strip():
        raise BadAction("empty", _instead("the reply is empty", tools))
    found = salvage(text, tools)
    if found.only_reasoning:
        raise BadAction("empty", _instead("the reply holds only reasoning and no action", tools))
    calls = (call for piece in found.pieces for call in _calls(None if piece.cut else piece.value, tools))
    return _decide(calls, _Reading(tools, frozenset(host.lower() for host in plain_http)))


def _decide(calls: Iterator[_Call], reading: _Reading) -> Action:
    """The first real call counts. Only an answer, which ends the run, must not be followed by another intent."""
    skipped: BadAction | None = None
    for call in calls:
        try:
            action = reading.action(call)
        except _Skippable as err:
            skipped = skipped or err
            continue
        if action.tool == "answer":
            for later in calls:
                _forbid_other(action, later, reading)
        return action
    raise BadAction(skipped.kind, str(skipped)) if skipped else _no_object(reading.tools)


def _forbid_other(answer: Action, later: _Call, reading: _Reading) -> None:
    try:
        other = None if later.cut else reading.action(later)
    except _Skippable:
        return
    except BadAction:
        other = None
    if not later.cut and (other is None or other.key != answer.key):
        raise BadAction("ambiguous", "there is an answer and another action; give one of them alone")


def _no_object(tools: Mapping[str, tuple[Param, ...]]) -> BadAction:
    return BadAction("not_json", _instead("there is no JSON action in the reply", tools))


class _Skippable(BadAction):
    """Nothing was meant by it: no action name, or a copied placeholder. A real action after it counts."""


def _calls(value: Value, tools: Mapping[str, tuple[Param, ...]], depth: int = 0) -> Iterator[_Call]:
    """The calls in an object or array, wrappers opened, in order."""
    if value is None:
        yield _Call((), (), cut=True)
    elif isinstance(value, list):
        if not value:
            yield _Call((), (), blank=True)
        for item in value:
            if isinstance(item, Obj | list) and depth < _MAX_NESTING:
                yield from _calls(item, tools, depth + 1)
    elif isinstance(value, Obj):
        yield from _calls_in(value, tools, depth)


def _calls_in(obj: Obj, tools: Mapping[str, tuple[Param, ...]], depth: int) -> Iterator[_Call]:
    names = [held for key, held in obj.pairs if fold(key) in _NAMES]
    nested = next((held for held in names if isinstance(held, Obj | list)), None)
    wrapped = next((_opened(held) for key, held in obj.pairs if fold(key) in _WRAPPERS), None)
    if not names and wrapped and isinstance(wrapped, Obj | list) and depth < _MAX_NESTING:
        yield from _calls(wrapped, tools, depth + 1)
    elif nested is not None and depth < _MAX_NESTING and not _is_words(nested):
        outer = tuple(pair for pair in obj.pairs if fold(pair[0]) not in _NAMES)
        for call in _calls(nested, tools, depth + 1):
            yield call if call.pairs or not call.names else _Call(call.names, outer)
    elif not names and len(obj.pairs) == 1 and resolve(obj.pairs[0][0], tools):
        key, held = obj.pairs[0]
        yield _Call((key,), held.pairs if isinstance(held, Obj) else (("action_input", held),))
    else:
        others = tuple(pair for pair in obj.pairs if fold(pair[0]) not in _NAMES)
        yield _Call(tuple(names), others, blank=not obj.pairs)


def _is_words(value: Value) -> bool:
    return isinstance(value, list) and any(isinstance(item, str) for item in value)


def _opened(value: Value) -> Value:
    """An object or array, also where it stands as JSON in a text; any other value as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    text = value.strip()
    try:
        opened, end = read(text, 0, len(text), Purse.of(text))
    except Malformed:
        return value
    return opened if end == len(text) else value


@dataclass(frozen=True, slots=True)
class _Reading:
    """Calls → Actions, by the cards of `tools`."""

    tools: Mapping[str, tuple[Param, ...]]
    plain_http: frozenset[str]

    def action(self, call: _Call) -> Action:
        """Raises BadAction; _Skippable where nothing was meant."""
        if call.cut:
            raise BadAction("not_json", "the reply breaks off inside the action; give one short, complete JSON object")
        tool = self._tool(call)
        params = self.tools[tool]
        pairs = _argument_pairs(call.pairs, params)
        said = {param.name: _values(param, params, pairs) for param in params}
        for param in params:
            if param.required and not said[param.name]:
                raise BadAction("missing_key", f"{tool} needs {param.name}: {_example(tool, params)}")
        args: dict[str, str | int] = {}
        for param in params:
            values = [self._value(param, value) for value in said[param.name]]
            if any(other != values[0] for other in values[1:]):
                raise BadAction("ambiguous", f"{param.name} is given twice with different values; give it once")
            if values:
                args[param.name] = values[0]
        return self._unwrapped(Action(tool, args))

    def _tool(self, call: _Call) -> str:
        names = [_alone(name) for name in call.names]
        if not names:
            kind = "empty" if call.blank else "missing_key"
            raise _Skippable(kind, _instead('there is no "action" in the object', self.tools))
        if any(not isinstance(name, str) for name in names):
            raise BadAction("bad_type", _instead('"action" must be the name of a tool', self.tools))
        words = [clean_line(name) for name in names if isinstance(name, str)]
        meant = {resolve(word, self.tools) or fold(word) for word in words}
        if len(meant) > 1 or any(is_choice(word, self.tools) for word in words):
            raise BadAction("ambiguous", _instead("several actions are named; name one", self.tools))
        tool = resolve(words[0], self.tools)
        if not tool and is_placeholder(words[0] or "…"):
            raise _Skippable("empty", _instead("the action has no name", self.tools))
        if not tool:
            raise BadAction("unknown_action", f"no tool {shown(words[0])}; there are: {', '.join(self.tools)}")
        return tool

    def _value(self, param: Param, value: Value) -> str | int:
        value = _alone(value)
        whole = value.whole if isinstance(value, Number) else ""
        if param.type is int:
            return _integer(param, whole or value)
        text = whole if param.kind in (Kind.QUERY, Kind.TEXT) and whole else value
        if not isinstance(text, str):
            raise BadAction("bad_type", f"{param.name} must be one text in double quotes")
        text = clean_text(text) if param.kind is Kind.TEXT else clean_line(text)
        if not text:
            raise BadAction("empty", f"{param.name} is blank; write {param.about}")
        if is_placeholder(text):
            raise _Skippable("empty", f"{shown(text)} is only the placeholder for {param.name}; write {param.about}")
        return clean_url(str(value), self.plain_http) if param.kind is Kind.URL else text

    def _unwrapped(self, action: Action) -> Action:
        """An answer whose text is again a whole answer action gives the inner one; a user must not be shown that."""
        content = action.args.get("content")
        if action.tool != "answer" or not isinstance(content, str) or not content.endswith(("}", "`")):
            return action
        inner = _opened(content.strip("`").removeprefix("json").strip())
        if not isinstance(inner, Obj) or _NAMES.isdisjoint(folded([key for key, _ in inner.pairs])):
            return action
        try:
            meant = [self.action(call) for call in _calls(inner, self.tools)]
        except BadAction as err:
            if err.kind == "ambiguous":
                raise
            return action
        if len(meant) == 1 and meant[0].tool == "answer":
            return meant[0]
        raise BadAction("ambiguous", "the answer holds another action; give one action alone")


def _argument_pairs(pairs: tuple[tuple[str, Value], ...], params: tuple[Param, ...]) -> tuple[tuple[str, Value], ...]:
    """The pairs that hold the arguments: those of the container if there is a filled one, else the call's own."""
    known = frozenset[str]().union(*(keys_of(param, params) for param in params))
    for key, value in pairs:
        opened = _opened(value)
        if fold(key) in _OBJECT_KEYS:
            if not isinstance(opened, Obj):
                raise BadAction("bad_type", f'"{clean_line(key)[:40]}" must be an object that holds the arguments')
            if opened.pairs:
                return opened.pairs
        elif (
            fold(key) in _INPUT_KEYS
            and isinstance(opened, Obj)
            and (not isinstance(value, str) or any(fold(inner) in known for inner, _ in opened.pairs))
        ):
            return opened.pairs
    return pairs


def _values(param: Param, params: tuple[Param, ...], pairs: tuple[tuple[str, Value], ...]) -> list[Value]:
    """Every value given for `param`. Bare text is the argument of a tool that needs no other."""
    keys = keys_of(param, params)
    needed = [other for other in params if other.required] or list(params)
    bare = _INPUT_KEYS if param is needed[0] else frozenset[str]()
    return [value for key, value in pairs if fold(key) in keys | bare]


def _alone(value: Value) -> Value:
    """A list of exactly one text gives that text."""
    return value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str) else value


def _integer(param: Param, value: Value) -> int:
    digits = Number(value.strip()).whole if isinstance(value, str) else ""
    if not digits or len(digits) > _MAX_DIGITS:
        raise BadAction("bad_type", f"{param.name} must be a whole number")
    return int(digits)


def _example(tool: str, params: tuple[Param, ...]) -> str:
    """The action as it should look, its arguments told in words."""
    given = "".join(f', "{param.name}": {param.about}' for param in params if param.required)
    return f'{{"action": "{tool}"{given}}}'


def _instead(problem: str, tools: Mapping[str, tuple[Param, ...]]) -> str:
    choice = " or ".join(_example(tool, params) for tool, params in list(tools.items())[:4])
    return f"{problem}; reply with one JSON object, like {choice}"
