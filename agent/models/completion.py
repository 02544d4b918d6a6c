"""Reads what an OpenAI-compatible server sends back: a stream of events, one JSON document, or an error in any dress.

Pure. Servers differ in nearly everything; what is read here is what OpenAI, llama.cpp, vLLM, LM Studio, Ollama,
DeepSeek, OpenRouter and DashScope have been seen to send.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.models.calling import Refused

SAID_CHARS = 200  # of a server's own words in a message of ours
OVERFLOW_CODES = frozenset({"exceed_context_size_error", "context_length_exceeded"})
_OVERFLOW = re.compile(
    r"context (length|size|window)|exceed\w* .{0,40}context|prompt is too long|too many tokens", re.I
)
_WINDOW = re.compile(r"(?:context (?:length|size|window)|maximum|limit)\D{0,40}?(\d{3,8})", re.I)
_PROMPT = re.compile(r"(?:resulted in|requested|request \(|prompt (?:is|has|contains)|has)\D{0,20}?(\d{3,9})", re.I)


@dataclass(slots=True)
class Completion:
    """A reply as it grows."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    finish: str = ""  # "" until the server says why it stopped
    model: str = ""
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0  # 0.0 where the server does not tell
    chars: int = 0
    seen: bool = False  # something that is a completion has arrived

    def add(self, part: Mapping[str, Any]) -> None:
        """One chunk of a stream, or a whole completion. Raises Refused for an error that comes as a chunk."""
        if part.get("error"):
            raise refusal(200, part)
        choices = part.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else ():
            if isinstance(choice, Mapping):
                self._choice(choice)
        self._count(part)

    def result(self) -> tuple[str, str]:
        """The text and the thinking, told apart."""
        text, thinking = split_thinking("".join(self.texts))
        return text, "".join(self.thoughts) or thinking

    def _choice(self, choice: Mapping[str, Any]) -> None:
        self.seen = True
        said = choice.get("delta") or choice.get("message") or {}
        text = _text(said.get("content")) or _text(said.get("refusal"))
        thought = _text(said.get("reasoning")) or _text(said.get("reasoning_content"))
        self.chars += len(text) + len(thought)
        self.texts.append(text)
        self.thoughts.append(thought)
        self.finish = choice.get("finish_reason") or self.finish

    def _count(self, part: Mapping[str, Any]) -> None:
        usage, timings = _mapping(part, "usage"), _mapping(part, "timings")
        self.model = _text(part.get("model")) or self.model
        self.prompt_tokens = _whole(usage.get("prompt_tokens")) or self.prompt_tokens
        self.output_tokens = _whole(usage.get("completion_tokens")) or self.output_tokens
        if timings:  # llama.cpp
            self.seconds = (_number(timings.get("prompt_ms")) + _number(timings.get("predicted_ms"))) / 1000


def parts(chunks: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of a body: those of its events (WHATWG HTML, section 9.2), or the body itself where it is one.

    Ends at [DONE], or with the body where that is missing. Comments, blank keep-alive lines and events that are no
    JSON are passed over.
    """
    plain: list[bytes] = []
    pending = b""
    for line in _lines(chunks):
        name, _, value = line.partition(b":")
        if name == b"data":
            pending += value.strip()
            if pending == b"[DONE]":
                return
            if found := _object(pending):
                pending = b""
                yield found
        elif not line:
            pending = b""  # the event is over, whatever it was
        elif name not in (b"", b"event", b"id", b"retry"):
            plain.append(line)
    if found := _object(b"\n".join(plain)):
        yield found


def refusal(status: int, body: Mapping[str, Any] | bytes, wait_s: float | None = None) -> Refused:
    """What an error body says. `error` is an object, a string, or `detail` or `message` in its place; or it is HTML."""
    part = body if isinstance(body, Mapping) else _object(body) or {}
    error = part.get("error") or part.get("detail") or part
    fields = error if isinstance(error, Mapping) else {}
    message = _said(fields.get("message") or (error if error is not part else ""))
    if not message and isinstance(body, bytes):
        message = _said(body.decode("utf-8", "replace"))
    code = next((v for v in (fields.get("code"), fields.get("type")) if v and isinstance(v, str)), "")
    told = fields.get("code") or part.get("code")
    if status == 200:  # an error under a status that says there is none
        status = told if isinstance(told, int) and 400 <= told < 600 else 500
    prompt, window = _whole(fields.get("n_prompt_tokens")), _whole(fields.get("n_ctx"))
    if not window and _OVERFLOW.search(message):
        prompt, window = _found(_PROMPT, message), _found(_WINDOW, message)
    overflow = window or code in OVERFLOW_CODES or _OVERFLOW.search(message)
    return Refused(status, message, "overflow" if overflow else code, wait_s, prompt, window)


def split_thinking(text: str) -> tuple[str, str]:
    """Text and thinking of a reply that holds both. A block that is never closed is all thinking."""
    head = text.lstrip()
    if head.startswith("<think>"):
        thinking, closed, rest = head.removeprefix("<think>").partition("</think>")
        return (rest.strip(), thinking.strip()) if closed else ("", thinking.strip())
    # Where the template opens the block, only its end is in the reply. In JSON the mark may stand inside a string.
    if "</think>" in text and not head.startswith(("{", "[", "```")):
        thinking, _, rest = text.partition("</think>")
        return rest.strip(), thinking.strip()
    return text, ""


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends, whichever of LF and CRLF these are."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.rstrip(b"\r").removeprefix(b"\xef\xbb\xbf")
    if rest:
        yield rest.rstrip(b"\r")


def _object(data: bytes) -> Mapping[str, Any]:
    """The JSON object, or the first one of a list (as Gemini sends errors); {} for what is none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    """Content as text. Some servers send it as a list of parts."""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, Mapping))
    return value if isinstance(value, str) else ""


def _said(value: Any) -> str:
    """A server's own words on one line, cut; of a page of HTML only that it is one."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if text.lstrip()[:1] == "<":
        return "a page of HTML"
    line = " ".join(text.split())
    return line if len(line) <= SAID_CHARS else line[:SAID_CHARS] + "…"


def _mapping(part: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = part.get(name)
    return value if isinstance(value, Mapping) else {}


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _found(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.search(text)
    return int(match.group(1)) if match else 0
