"""Any OpenAI-compatible server: one streamed chat completion, in the dialect that this server turns out to speak."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.doors.clock import SystemClock
from agent.doors.headers import retry_after
from agent.doors.model_http import Incoming, ModelSender
from agent.doors.proxies import Proxies
from agent.errors import ConfigError, FetchFailed, ModelUnavailable
from agent.models.calling import MAX_CHARS_PER_TOKEN, SEED, Refused, patiently
from agent.models.completion import Completion, parts, refusal
from agent.models.grammar import gbnf
from agent.models.sizes import size_b
from agent.ports import Clock
from agent.types import Message, Reply, Secret

FORMATS = ("grammar", "json_schema", "json_object", "prompt")  # how strictly the output can be held, strictest first
LOOK_S = 10.0


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server takes. Begins with everything; what the server refuses is left out for the rest of the run."""

    format: str = "json_schema"
    limit: str = "max_tokens"
    temperature: bool = True
    seed: bool = True
    usage: bool = True

    def without(self, refused: Refused) -> Dialect | None:
        """What to try instead; None where the refusal is about something else."""
        if refused.status not in (400, 415, 422, 500, 501) or refused.code == "overflow":
            return None
        said = refused.message.lower()
        if "max_completion_tokens" in said and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in said and self.temperature:
            return replace(self, temperature=False)
        if "stream_options" in said and self.usage:
            return replace(self, usage=False)
        if "seed" in said and self.seed:
            return replace(self, seed=False)
        # Many servers only say "invalid request", so any other 400 may be about the format. A 500 must name it.
        named = any(word in said for word in ("response_format", "schema", "grammar", "json"))
        if self.format == FORMATS[-1] or not (named or refused.status in (400, 422)):
            return None
        return replace(self, format=FORMATS[FORMATS.index(self.format) + 1])


class OpenAIModel:
    """A model behind chat completions. `model` may be "": then the first that the server lists is taken."""

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: Secret,
        *,
        window: int = 0,
        proxies: Proxies | None = None,
        ca_bundle: str = "",
        dialect: Dialect | None = None,
        clock: Clock | None = None,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ConfigError("OPENAI_BASE_URL: not a URL; write it as http://127.0.0.1:8000/v1")
        self.name = f"openai:{model}" if model else "openai"
        self.window = window
        self.size_b = size_b(model)
        self._model, self._base, self._key = model, base_url.rstrip("/"), api_key
        self._dialect = dialect or Dialect()
        self._clock = clock or SystemClock()
        self._sender = ModelSender(proxies, ca_bundle)

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, timeout_s: float
    ) -> Reply:
        """One reply, streamed, at temperature 0 and with a fixed seed where the server takes these.

        Raises ModelUnavailable.
        """
        try:
            if not self._model:
                self.learn()
            return patiently(lambda left_s: self._spoken(messages, schema, max_tokens, left_s), timeout_s, self._clock)
        except FetchFailed as err:
            raise self._unreached(err, timeout_s) from err
        except Refused as err:
            raise self._final(err) from err

    def learn(self) -> None:
        """Settle which model it is where none was named. Raises ModelUnavailable."""
        if self._model:
            return
        names = self.models()
        if not names:
            raise ModelUnavailable(self.name, f"{self._where} lists no model", "name one: --model openai:NAME")
        self._model, self.name, self.size_b = names[0], f"openai:{names[0]}", size_b(names[0])

    def models(self) -> tuple[str, ...]:
        """The models that the server lists. Raises ModelUnavailable."""
        try:
            with self._sender.open("GET", f"{self._base}/models", None, self._headers(), LOOK_S) as incoming:
                if incoming.status != 200:
                    raise self._refused(incoming)
                listed = next(parts(incoming), {}).get("data")
        except FetchFailed as err:
            raise self._unreached(err, LOOK_S) from err
        except Refused as err:
            raise self._final(err) from err
        entries = listed if isinstance(listed, list) else []
        return tuple(e["id"] for e in entries if isinstance(e, dict) and isinstance(e.get("id"), str))

    def close(self) -> None:
        """Drop the connection. Safe to call twice."""
        self._sender.close()

    def _spoken(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, left_s: float
    ) -> Reply:
        """One reply, in a plainer dialect each time the server refuses a part of the request."""
        deadline, dialect = self._clock.monotonic() + left_s, self._dialect
        while True:
            body = self._body(dialect, messages, schema, max_tokens)
            try:
                reply = self._ask(body, max_tokens, deadline - self._clock.monotonic())
            except Refused as err:
                plainer = dialect.without(err)
                # Without a schema no format was sent, so it cannot be what was refused.
                if plainer is None or (schema is None and plainer.format != dialect.format):
                    raise
                dialect = plainer
            else:
                self._dialect = dialect
                return reply

    def _ask(self, body: Mapping[str, Any], max_tokens: int, left_s: float) -> Reply:
        started, url = self._clock.monotonic(), f"{self._base}/chat/completions"
        completion = Completion()
        with self._sender.open("POST", url, json.dumps(body).encode(), self._headers(), left_s) as incoming:
            if incoming.status != 200:
                raise self._refused(incoming)
            for part in parts(incoming):
                completion.add(part)
                if completion.chars > max_tokens * MAX_CHARS_PER_TOKEN:
                    break
        return self._reply(completion, max_tokens, self._clock.monotonic() - started)

    def _reply(self, done: Completion, max_tokens: int, seconds: float) -> Reply:
        if not done.seen:
            remedy = "OPENAI_BASE_URL should name an OpenAI-compatible server and end in /v1"
            raise ModelUnavailable(self.name, f"{self._where} sent something else than a chat completion", remedy)
        text, thinking = done.result()
        # No reason to stop was given: the connection ended, or it was cut here.
        finish = "stop" if done.finish not in ("", "length") else "length"
        if finish == "length" and thinking and not text.strip():
            remedy = "choose a model that does not think, or turn its thinking off at the server"
            raise ModelUnavailable(self.name, f"spent all of its {max_tokens} tokens on thinking", remedy)
        return Reply(
            text,
            model=done.model or self._model,
            prompt_tokens=done.prompt_tokens,
            output_tokens=done.output_tokens,
            seconds=round(done.seconds or seconds, 3),
            finish=finish,
            thinking=thinking,
        )

    def _body(
        self, dialect: Dialect, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int
    ) -> dict[str, Any]:
        said = [{"role": m.role, "content": m.content} for m in messages]
        body: dict[str, Any] = {"model": self._model, "messages": said, "stream": True, dialect.limit: max_tokens}
        if dialect.temperature:
            body["temperature"] = 0
        if dialect.seed:
            body["seed"] = SEED
        if dialect.usage:
            body["stream_options"] = {"include_usage": True}
        return body | (_held(dialect.format, schema, said) if schema is not None else {})

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        return headers | ({"Authorization": f"Bearer {self._key.reveal()}"} if self._key else {})

    def _refused(self, incoming: Incoming) -> Refused:
        wait_s = retry_after(incoming.headers, self._clock.now())
        return refusal(incoming.status, incoming.read(), wait_s)

    @property
    def _where(self) -> str:
        """The server, without what its URL may hold of keys: user information, and a query."""
        scheme, _, rest = self._base.partition("?")[0].partition("://")
        return f"{scheme}://{rest.rpartition('@')[2]}"

    def _unreached(self, err: FetchFailed, timeout_s: float) -> ModelUnavailable:
        if err.kind == "timeout":
            remedy = "SCOUT_MODEL_SECONDS allows more"
            return ModelUnavailable(self.name, f"{self._where}: no whole reply within {timeout_s:.3g} s", remedy)
        return ModelUnavailable(self.name, f"{self._where}: {err.reason}", "is the server of OPENAI_BASE_URL running?")

    def _final(self, refused: Refused) -> ModelUnavailable:
        reason, remedy = _verdict(refused, self._model)
        if self._key:  # a gateway may echo it
            reason = reason.replace(self._key.reveal(), "***")
        return ModelUnavailable(self.name, reason, remedy)


def _held(form: str, schema: Mapping[str, Any], said: list[dict[str, str]]) -> dict[str, Any]:
    """What makes the server hold the output to `schema`, as strictly as `form` can."""
    if form == "grammar" and (grammar := gbnf(schema)):
        return {"grammar": grammar}
    if form in ("grammar", "json_schema"):
        named = {"name": "action", "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    # OpenAI, Azure, DeepSeek and DashScope refuse json_object unless a message has the word in it.
    if said and "json" not in said[-1]["content"].lower():
        said[-1]["content"] += "\n\nReply with one JSON object and nothing else."
    return {"response_format": {"type": "json_object"}} if form == "json_object" else {}


def _verdict(refused: Refused, model: str) -> tuple[str, str]:
    """Reason and remedy for a person."""
    status, message = refused.status, refused.message
    if refused.code == "overflow":
        numbers = f"the prompt of {refused.prompt} tokens does not fit its window of {refused.window}"
        return (
            numbers if refused.prompt and refused.window else message or "the prompt does not fit",
            "a lower SCOUT_OBSERVATION_CHARS or a model with a larger window would fit",
        )
    if refused.code == "insufficient_quota" or status == 402:
        return "the account has no credit left", "top it up, or choose another --model"
    if status == 401:
        return "the server refuses the key", "set OPENAI_API_KEY"  # its message is left out: it may hold the key
    if status == 403:
        return f"the key may not do this ({message})", "set OPENAI_API_KEY to one that may"
    if status == 404:
        return f"no model {model!r} there ({message})", "name another: --model openai:NAME, or mend OPENAI_BASE_URL"
    if 300 <= status < 400:
        return "the server sends us elsewhere", "set OPENAI_BASE_URL to the address it sends to"
    if status == 429 or status == 503:
        return f"the server is busy ({message})", "try again later, or choose another --model"
    return f"the server answered with status {status} ({message})", "see its log, or choose another --model"
