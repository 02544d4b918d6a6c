"""An OpenAI-compatible model server on loopback that plays a script, streamed, and keeps what it was asked.

    with ModelServer([act("search", query="tern bridge"), act("answer", content="…")]) as model:
        …                                    # OPENAI_BASE_URL=model.base_url
        model.schemas[0]; model.asked[0]     # what came with each request for an action

A line of the script is a text, a Reply of tests/site.py (a fault), or made of the request's schema.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from tests.scripted import act
from tests.site import Reply, Seen, Site, json_reply

Schema = Mapping[str, Any]
Line = str | Reply | Callable[[Schema], str]


@dataclass
class ModelServer:
    """Says its lines in order, the last one for ever. `reads` is what it says when it is asked to read one page."""

    lines: Sequence[Line]
    reads: str = "NOT FOUND"
    asked: list[Mapping[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.site = Site()
        self.site.add("/v1/chat/completions", self._complete)
        self.site.add("/v1/models", json_reply({"data": [{"id": "scripted"}]}))

    @property
    def base_url(self) -> str:
        return self.site.url("/v1")

    @property
    def schemas(self) -> list[Schema]:
        """The output grammar of each action asked for."""
        return [body["response_format"]["json_schema"]["schema"] for body in self.asked]

    def says(self, *lines: Line) -> None:
        """Begin another script."""
        self.lines = lines
        self.asked.clear()

    def _complete(self, seen: Seen) -> Reply:
        body = seen.json
        if "response_format" not in body and len(body["messages"]) == 1:
            return streamed(self.reads)
        line = self.lines[min(len(self.asked), len(self.lines) - 1)]
        self.asked.append(body)
        if callable(line):
            line = line(body["response_format"]["json_schema"]["schema"])
        return streamed(line) if isinstance(line, str) else line

    def __enter__(self) -> ModelServer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.site.close()


def streamed(text: str, every_s: float = 0.0) -> Reply:
    """A chat completion as server-sent events, a few letters each."""
    pieces = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in re.findall(r"(?s).{1,12}", text)]
    ended = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    usage = {"choices": [], "model": "scripted-1", "usage": {"prompt_tokens": 100, "completion_tokens": 10}}
    lines = [f"data: {json.dumps(part)}\n\n".encode() for part in (*pieces, ended, usage)]
    return Reply((*lines, b"data: [DONE]\n\n"), type="text/event-stream", every_s=every_s)


def endless(piece: str = "blah ", every_s: float = 0.0) -> Reply:
    """A reply that never ends."""
    line = b"data: " + json.dumps({"choices": [{"delta": {"content": piece}}]}).encode() + b"\n\n"
    return Reply(itertools.repeat(line), type="text/event-stream", every_s=every_s)


def hanging() -> Reply:
    """No reply at all."""
    return Reply(after_s=3600.0)


def branches(schema: Schema) -> dict[str, Schema]:
    """The properties of each action that a schema admits."""
    found = [branch["properties"] for branch in schema.get("anyOf", [schema])]
    return {properties["action"]["const"]: properties for properties in found}


def reading(schema: Schema) -> str:
    """Read the first page that is offered; where none is, find nothing."""
    offered = branches(schema).get("scrape")
    return act("scrape", url=offered["url"]["enum"][0]) if offered else act("answer", content="not found")
