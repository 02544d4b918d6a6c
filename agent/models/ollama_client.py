"""The only user of the official Ollama client. Its import takes longer than all of ours, so it is put off."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import httpx
import ollama

from agent.doors.model_http import Incoming, ModelSender
from agent.models.calling import Refused
from agent.types import Message

# What leaves the client when a server does not behave: its own two, httpx's, and what it lets slip: ValueError is bad
# JSON and pydantic's ValidationError, TypeError an error that is an object, AttributeError a list for an object.
CLIENT_ERRORS = (ollama.ResponseError, ollama.RequestError, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError)
SLIPS = (ConnectionError, ValueError, TypeError, AttributeError)
SAID_CHARS = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """What the server says of a model. `size` as in "1.5B"; `trained` is its training length in tokens, 0 if untold."""

    size: str
    trained: int
    thinks: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a reply. All but the first two come with the last piece only; counts are 0 where they are not told."""

    text: str
    thinking: str = ""
    done: str = ""  # the reason to stop, "" for a piece that is not the last
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


def show(sender: ModelSender, host: str, model: str, timeout_s: float) -> Shown:
    """One look at a model. Raises Refused, FetchFailed."""
    try:
        with _client(sender, host, timeout_s) as client:
            said = client.show(model)
    except CLIENT_ERRORS + SLIPS as err:
        raise _refused(err) from err
    info = said.modelinfo or {}
    lengths = [n for key, n in info.items() if key.endswith(".context_length") and isinstance(n, int) and n > 0]
    size = said.details.parameter_size if said.details else None
    return Shown(size or "", min(lengths, default=0), "thinking" in (said.capabilities or ()))


def chat(
    sender: ModelSender,
    host: str,
    timeout_s: float,
    model: str,
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None,
    think: bool | str | None,
    options: Mapping[str, Any],
) -> Generator[Part, None, None]:
    """A reply piece by piece. Raises Refused, FetchFailed. Close it: a reply that is left early must end at once."""
    try:
        with (
            _client(sender, host, timeout_s) as client,
            closing(
                client.chat(
                    model,
                    [{"role": m.role, "content": m.content} for m in messages],
                    stream=True,
                    think=think,
                    format=dict(schema) if schema is not None else None,
                    options=options,
                )
            ) as pieces,
        ):
            yield from map(_part, pieces)
    except CLIENT_ERRORS + SLIPS as err:
        raise _refused(err) from err


def _part(piece: ollama.ChatResponse) -> Part:
    return Part(
        piece.message.content or "",
        piece.message.thinking or "",
        (piece.done_reason or "stop") if piece.done else "",
        piece.prompt_eval_count or 0,
        piece.eval_count or 0,
        (piece.total_duration or 0) / 1e9,
    )


def _client(sender: ModelSender, host: str, timeout_s: float) -> ollama.Client:
    """The client for one call; over our transport it costs next to nothing to make."""
    transport = _Transport(sender, timeout_s)
    return ollama.Client(host, timeout=timeout_s, transport=transport, follow_redirects=False)


class _Transport(httpx.BaseTransport):
    """Lets the client send through our sender, which keeps one deadline and asks no environment for proxies or keys."""

    def __init__(self, sender: ModelSender, timeout_s: float) -> None:
        self._sender, self._timeout_s = sender, timeout_s

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Called by httpx."""
        body = request.read()
        if request.url.path.endswith("/api/chat"):
            # The client has no argument for these. Without them the server drops messages that do not fit, forgets the
            # beginning of a prompt while it replies, and says nothing of either.
            body = json.dumps(json.loads(body) | {"truncate": False, "shift": False}).encode()
        # Not the client's own headers: among them may be OLLAMA_API_KEY, for whatever host is set.
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        incoming = self._sender.open(request.method, str(request.url), body or None, headers, self._timeout_s)
        return httpx.Response(incoming.status, headers=list(incoming.headers.items()), stream=_Stream(incoming))


class _Stream(httpx.SyncByteStream):
    def __init__(self, incoming: Incoming) -> None:
        self._incoming = incoming

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._incoming)

    def close(self) -> None:
        """Called by httpx."""
        self._incoming.close()


def _refused(err: Exception) -> Refused:
    """What left the client, as one value."""
    if not isinstance(err, ollama.ResponseError):
        return Refused(0, f"what it sends is not Ollama's ({type(err).__name__})", "garbage")
    said = " ".join(str(err.error).split())
    if said.startswith("<"):
        return Refused(err.status_code, "it sends a page of HTML", "garbage")
    status = err.status_code if err.status_code > 0 else 500  # -1: an error in the midst of a stream
    code = "overflow" if "context length" in said else "memory" if "system memory" in said else ""
    return Refused(status, said[:SAID_CHARS], code)
