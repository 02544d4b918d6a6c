"""Menu: the actions that are legal now, as one flat JSON Schema for the model server and as words for the model.

What is not on the menu cannot be said: URLs are those seen in this run, a tool whose share is spent is absent, and
at the last step only the tool that ends the run is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from agent.budget import Meter
from agent.errors import BadAction
from agent.guide import Guide
from agent.spec import Kind, Param, Registry, Tool
from agent.trace import Trace
from agent.types import Action, Purpose

NOT_FOUND = "not found"
ANY_SITE = "any"


@dataclass(frozen=True, slots=True)
class Lists:
    """What the menu may enumerate besides URLs: queries and sentences, best first. Used where a model may not write."""

    queries: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal tool: what may be said for each enumerated parameter, and how long each text may be."""

    tool: Tool
    values: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    bounds: Mapping[str, int] = field(default_factory=dict)

    def schema(self) -> dict[str, Any]:
        """One flat object: the tool's name and its arguments, all required."""
        names = [p.name for p in self.params]
        return {
            "type": "object",
            "description": self.tool.about,
            "properties": {"action": {"const": self.tool.name}} | {p.name: self._property(p) for p in self.params},
            "required": ["action", *names],
            "additionalProperties": False,
        }

    def words(self) -> str:
        """The same for the model to read: one line, and one more for each value that it may choose from."""
        shape = ", ".join(f'"{p.name}": {"…" if p.type is int else chr(34) + "…" + chr(34)}' for p in self.params)
        lines = [f'- {{"action": "{self.tool.name}", {shape}}}']
        for name, values in self.values.items():
            lines.append(f"  {name} is one of:")
            lines += [f"  - {value}" for value in values]
        return "\n".join(lines)

    @property
    def params(self) -> tuple[Param, ...]:
        """The parameters that are asked for now."""
        return tuple(p for p in self.tool.params if p.required or p.name in self.values)

    def bound(self, param: Param) -> int:
        """How many characters a free text may have."""
        return self.bounds.get(param.name, param.max_chars)

    def _property(self, param: Param) -> dict[str, Any]:
        if param.name in self.values:
            return {"description": param.about, "enum": list(self.values[param.name])}
        if param.type is int:
            return {"description": param.about, "type": "integer"}
        # minLength: llama.cpp's grammar would else let an empty string pass for an argument.
        return {"description": param.about, "type": "string", "minLength": 1, "maxLength": self.bound(param)}


@dataclass(frozen=True, slots=True)
class Menu:
    """The legal actions, the preferred one first. `said` are the keys of the actions already carried out."""

    choices: tuple[Choice, ...]
    said: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The tools on the menu."""
        return tuple(choice.tool.name for choice in self.choices)

    @property
    def schema(self) -> dict[str, Any]:
        """The output grammar: one flat object, or a choice among several. Servers drop what is nested deeper."""
        branches = [choice.schema() for choice in self.choices]
        return branches[0] if len(branches) == 1 else {"anyOf": branches}

    @property
    def words(self) -> str:
        """What the model reads before it replies."""
        return "\n".join(choice.words() for choice in self.choices)

    @property
    def params(self) -> dict[str, tuple[Param, ...]]:
        """Tools and their parameters, as the parser wants them."""
        return {choice.tool.name: choice.tool.params for choice in self.choices}

    def admit(self, action: Action) -> Action:
        """The action with its enumerated values spelled as on the menu. Raises BadAction off_menu, repeated."""
        choice = next((c for c in self.choices if c.tool.name == action.tool), None)
        if choice is None:
            raise BadAction("off_menu", f"{action.tool} is not on the menu now; there are: {', '.join(self.names)}")
        offered = {param.name: choice.bound(param) for param in choice.params}
        said = {name: value for name, value in action.args.items() if name in offered}
        args = {name: _on_menu(choice, name, value, offered[name]) for name, value in said.items()}
        admitted = Action(action.tool, args)
        if admitted.key in self.said and not choice.tool.ends:
            raise BadAction("repeated", f"{admitted.key} was already done and would bring the same; try something else")
        return admitted


def compile_menu(
    trace: Trace, meter: Meter, tools: Registry, guide: Guide, sites: tuple[str, ...], lists: Lists
) -> Menu:
    """The menu of this turn. The order of the choices is the order of preference."""
    last = meter.steps >= meter.budget.steps
    tried = trace.tried
    urls = tuple(url for url in trace.seen if url not in tried)[: guide.urls]
    legal = [tool for tool in tools.values() if tool.ends or (not last and _affordable(tool, trace, meter))]
    legal = [tool for tool in legal if urls or not _takes(tool, Kind.URL)]
    legal = [tool for tool in legal if trace.sources or not _takes(tool, Kind.SOURCE)]
    lists = replace(lists, queries=tuple(query for query in lists.queries if query not in trace.given("query")))
    legal = [tool for tool in legal if guide.prose or lists.queries or not _takes(tool, Kind.QUERY)]
    if guide.steps:
        legal = _led(legal, trace, urls)
    budget = meter.budget
    bounds = {Kind.TEXT: min(guide.answer_chars, budget.answer_chars), Kind.QUERY: budget.query_chars}
    return Menu(tuple(_choice(tool, trace, guide, urls, sites, lists, bounds) for tool in legal), trace.said)


def _affordable(tool: Tool, trace: Trace, meter: Meter) -> bool:
    if trace.failures(tool.name) >= meter.budget.failures_in_a_row or trace.useless(tool.name):
        return False
    return tool.spends is None or meter.left(tool.spends) > 0


def _takes(tool: Tool, kind: Kind) -> bool:
    return any(param.kind is kind for param in tool.params)


def _led(legal: list[Tool], trace: Trace, urls: tuple[str, ...]) -> list[Tool]:
    """One kind of action at a time: answer from a finding, else read what was found, else search, else answer."""
    ending = [tool for tool in legal if tool.ends]
    reading = [tool for tool in legal if tool.spends is Purpose.PAGE]
    searching = [tool for tool in legal if tool.spends is Purpose.SEARCH]
    if trace.bad_at_the_end and trace.given("query"):
        searching = []  # it would only say the same query again
    if trace.findings and not trace.sent_back:
        return ending
    if trace.findings:
        return ending + reading + searching
    return (reading if urls else []) or searching or reading or ending


def _choice(
    tool: Tool,
    trace: Trace,
    guide: Guide,
    urls: tuple[str, ...],
    sites: tuple[str, ...],
    lists: Lists,
    bounds: Mapping[Kind, int],
) -> Choice:
    values: dict[str, tuple[str | int, ...]] = {}
    for param in tool.params:
        if param.kind is Kind.URL:
            values[param.name] = urls
        elif param.kind is Kind.SOURCE:
            values[param.name] = tuple(range(1, len(trace.sources) + 1))
        elif param.kind is Kind.SITE and not guide.steps:
            values[param.name] = (ANY_SITE, *sites)
        elif param.kind is Kind.QUERY and not guide.prose:
            values[param.name] = lists.queries
        elif param.kind is Kind.TEXT and not guide.prose:
            values[param.name] = (*lists.sentences, NOT_FOUND)
        elif param.kind is Kind.TEXT and guide.steps and not trace.findings:
            values[param.name] = (NOT_FOUND,)  # nothing was found, so nothing else could be supported
        elif param.kind is Kind.TEXT and guide.steps and trace.sent_back:
            values[param.name] = (*lists.sentences, NOT_FOUND)  # its own words did not stand: now the page's, or none
    return Choice(tool, values, {param.name: bounds[param.kind] for param in tool.params if param.kind in bounds})


def _on_menu(choice: Choice, name: str, value: str | int, bound: int) -> str | int:
    """`value` as the menu spells it; a free text must keep to its bound, for the grammar may have been dropped."""
    if name not in choice.values:
        if isinstance(value, str) and len(value) > bound:
            raise BadAction("off_menu", f"{name} has {len(value):,} characters; at most {bound:,} are allowed")
        return value
    for offered in choice.values[name]:
        if offered == value or _folded(offered) == _folded(value):
            return offered
    shown = ", ".join(str(v) for v in choice.values[name][:8])
    raise BadAction("off_menu", f"{name} {value!r} is not on the menu; there are: {shown}")


def _folded(value: str | int) -> str:
    """What two spellings of one value share: letter case and white space in words, percent-escapes in URLs."""
    return " ".join(unquote(str(value)).casefold().split())
