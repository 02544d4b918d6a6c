"""An Event in words: one line for `-v` and the trace, and a few words for the status line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from agent.shell.plain import one_line
from agent.types import Event

Fields = Mapping[str, Any]  # the data of one event: JSON of its kind


def line(event: Event) -> str:
    """The event in one line: its kind, then what happened. An event of an unknown kind shows its kind alone."""
    describe = DESCRIBE.get(event.kind)
    return f"{one_line(event.kind):<9}{one_line(describe(event.data)) if describe else ''}".rstrip()


def doing(event: Event) -> str:
    """What Scout does from this event on, "" where the event changes nothing."""
    if event.kind == "execute":
        return _doing_action(event.data)
    return {"run": "thinking", "observe": "thinking", "reflect": "checking the answer"}.get(event.kind, "")


def _doing_action(data: Fields) -> str:
    action = data.get("action") or {}
    name = str(action.get("action", ""))
    if name == "search":
        return f"searching “{action.get('query', '')}”"
    if "url" in action:
        return f"reading {_short(str(action['url']))}"
    return {"answer": "checking the answer", "": "asking again"}.get(name, name)


def _short(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.hostname or ''}{parts.path}".rstrip("/")


def _run(data: Fields) -> str:
    return " · ".join([f"{data.get('model', '')}  “{data.get('question', '')}”", *(data.get("notes") or ())])


def _note(data: Fields) -> str:
    return " · ".join(data.get("notes") or ())


def _plan(data: Fields) -> str:
    spent = f"{data.get('seconds', 0.0):.1f} s, {data.get('prompt_tokens', 0)} → {data.get('output_tokens', 0)} tokens"
    cut = ", cut off" if data.get("finish") == "length" else ""
    about = "reading" if data.get("purpose") == "read" else f"step {data.get('step', '?')}"
    return f"{about}: {spent}{cut}: {data.get('text', '')}"


def _execute(data: Fields) -> str:
    if data.get("error"):
        return f"{data['error']}: {data.get('message', '')}"
    action = dict(data.get("action") or {})
    name = action.pop("action", "")
    return f"{name} " + " ".join(f"{key}={value}" for key, value in action.items())


def _request(data: Fields) -> str:
    return f"{data.get('n', '?')}: {data.get('purpose', '')} {data.get('url', '')}"


def _response(data: Fields) -> str:
    said = data.get("error") or f"status {data.get('status', '?')}, {data.get('received', 0):,} bytes"
    return f"{data.get('n', '?')}: {said}, {data.get('seconds', 0.0):.1f} s"


def _observe(data: Fields) -> str:
    hits = [f"“{hit.get('title', '')}” {hit.get('url', '')}" for hit in data.get("hits") or ()]
    pages = [f"[{page.get('id', '?')}] {page.get('url', '')}" for page in data.get("sources") or ()]
    what = [data["error"]] if data.get("error") else []
    size = [f"{data['chars']:,} characters"] if data.get("chars") else []
    return " · ".join([*what, *size, *pages, *hits, *(data.get("notes") or ())])


def _reflect(data: Fields) -> str:
    claims = [f"{claim.get('verdict', '')}: {claim.get('text', '')}" for claim in data.get("claims") or ()]
    return " · ".join([*claims, *(["sent back to the model"] if data.get("sent_back") else [])])


def _outcome(data: Fields) -> str:
    usage = data.get("usage") or {}
    spent = f"{usage.get('steps', 0)} steps, {usage.get('requests', 0)} requests, {usage.get('seconds', 0.0):.1f} s"
    return f"{data.get('status', '')}: {spent}" + (f": {data['note']}" if data.get("note") else "")


DESCRIBE: Mapping[str, Callable[[Fields], str]] = {
    "run": _run,
    "note": _note,
    "plan": _plan,
    "execute": _execute,
    "request": _request,
    "response": _response,
    "observe": _observe,
    "reflect": _reflect,
    "outcome": _outcome,
}
