"""The backend for OpenAI-compatible servers, on the wire: what it asks, what it puts up with, and what it says."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from agent.errors import ConfigError, ModelUnavailable
from agent.models.openai import OpenAIModel
from agent.types import Message, Secret
from tests.modelserver import Llama
from tests.scripted import SetClock
from tests.site import Reply, Route, Seen, Silent, Site, json_reply

ASK = (Message("system", "Be brief."), Message("user", "Capital of Peru?"))
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"action": {"const": "answer"}, "content": {"type": "string", "minLength": 1, "maxLength": 20}},
    "required": ["action", "content"],
    "additionalProperties": False,
}
DOCUMENT = {
    "choices": [{"message": {"content": "Lima"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2},
    "model": "m-1",
}
FINE = json_reply(DOCUMENT)
KEY = Secret("sk-very-secret")


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def model(site: Site) -> Iterator[OpenAIModel]:
    model = OpenAIModel("m-7b", site.url("/v1"), KEY, clock=SetClock())
    yield model
    model.close()


def refuse(*words: str, status: int = 400) -> Callable[[Seen], Reply]:
    """A server that refuses a request with any of `words` in it, and says so."""

    def answer(seen: Seen) -> Reply:
        found = next((word for word in words if f'"{word}"' in seen.body.decode()), None)
        return json_reply({"error": {"message": f"unsupported: '{found}'"}}, status) if found else FINE

    return answer


def ask(
    model: OpenAIModel, site: Site, *replies: Route, schema: Mapping[str, Any] | None = SCHEMA, timeout_s: float = 30
) -> str:
    site.add("/v1/chat/completions", *replies)
    return model.complete(ASK, schema, 50, timeout_s).text


def fault(
    model: OpenAIModel, site: Site, *replies: Route, schema: Mapping[str, Any] | None = SCHEMA, timeout_s: float = 30
) -> str:
    with pytest.raises(ModelUnavailable) as error:
        ask(model, site, *replies, schema=schema, timeout_s=timeout_s)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_the_request_is_streamed_cold_and_held_to_the_schema(model: OpenAIModel, site: Site) -> None:
    ask(model, site, FINE)
    sent = site.seen[0].json
    assert sent["model"] == "m-7b"
    assert sent["messages"][1] == {"role": "user", "content": "Capital of Peru?"}
    assert (sent["temperature"], sent["max_tokens"], sent["stream"]) == (0, 50, True)
    assert sent["stream_options"] == {"include_usage": True}
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
    assert site.seen[0].headers["authorization"] == "Bearer sk-very-secret"


def test_the_reply_holds_what_the_server_says_it_cost(model: OpenAIModel, site: Site) -> None:
    site.add("/v1/chat/completions", FINE)
    reply = model.complete(ASK, None, 50, 30)
    assert (reply.text, reply.model, reply.prompt_tokens, reply.output_tokens) == ("Lima", "m-1", 9, 2)
    assert "response_format" not in site.seen[0].json


@pytest.mark.parametrize(
    ("refused", "formats"),
    [
        (("json_schema",), ["json_schema", "json_object", "json_object"]),
        (("json_schema", "json_object"), ["json_schema", "json_object", None, None]),
        (("response_format",), ["json_schema", "json_object", None, None]),
    ],
)
def test_a_refused_format_is_replaced_by_the_next_and_remembered(
    refused: tuple[str, ...], formats: list[str | None], model: OpenAIModel, site: Site
) -> None:
    ask(model, site, refuse(*refused))
    ask(model, site, refuse(*refused))
    assert [seen.json.get("response_format", {}).get("type") for seen in site.seen] == formats


def test_a_refusal_in_a_plain_string_steps_down_as_well(model: OpenAIModel, site: Site) -> None:
    said = {"error": "'response_format.type' must be 'json_object' or 'text'"}
    assert ask(model, site, json_reply(said, 400), FINE) == "Lima"


def test_json_object_is_asked_for_with_the_word_json_in_the_last_message(model: OpenAIModel, site: Site) -> None:
    ask(model, site, refuse("json_schema"))
    assert "json" not in site.seen[0].json["messages"][-1]["content"].lower()
    assert "JSON" in site.seen[1].json["messages"][-1]["content"]


@pytest.mark.parametrize("word", ["max_tokens", "temperature", "seed", "stream_options"])
def test_a_refused_parameter_is_left_out_and_remembered(word: str, model: OpenAIModel, site: Site) -> None:
    def answer(seen: Seen) -> Reply:
        hint = "use 'max_completion_tokens' instead" if word == "max_tokens" else ""
        return (
            json_reply({"error": {"message": f"'{word}' is not supported; {hint}"}}, 400) if word in seen.json else FINE
        )

    ask(model, site, answer)
    ask(model, site, answer)
    assert [word in seen.json for seen in site.seen] == [True, False, False]
    assert site.seen[-1].json.get("max_completion_tokens" if word == "max_tokens" else "max_tokens") == 50
    assert "response_format" in site.seen[-1].json


def test_a_refusal_of_everything_ends_in_one_line(model: OpenAIModel, site: Site) -> None:
    assert "status 400 (you are a teapot)" in fault(model, site, json_reply({"error": "you are a teapot"}, 400))
    assert len(site.seen) == 3


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_a_busy_server_is_asked_again(status: int, model: OpenAIModel, site: Site) -> None:
    assert ask(model, site, Reply("<html>busy</html>", status), Reply("", status), FINE) == "Lima"


def test_the_pause_is_what_retry_after_asks_for(site: Site) -> None:
    clock = SetClock()
    model = OpenAIModel("m", site.url("/v1"), KEY, clock=clock)
    ask(model, site, Reply("", 429, headers=(("Retry-After", "7"),)), FINE)
    assert clock.elapsed == 7
    model.close()


def test_a_pause_that_would_pass_the_deadline_is_not_waited_for(model: OpenAIModel, site: Site) -> None:
    said = fault(model, site, Reply("later", 429, headers=(("Retry-After", "3600"),)))
    assert "busy (later); try again later" in said
    assert len(site.seen) == 1


def test_patience_has_an_end(model: OpenAIModel, site: Site) -> None:
    assert "busy" in fault(model, site, Reply("", 503), timeout_s=300)
    assert len(site.seen) == 6


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, {"error": {"message": "bad key sk-very-secret"}}, "refuses the key; set OPENAI_API_KEY"),
        (403, {"error": {"message": "sk-very-secret is not for you"}}, "(*** is not for you); set OPENAI_API_KEY"),
        (402, {"error": {"message": "pay"}}, "no credit left; top it up"),
        (429, {"error": {"message": "pay", "code": "insufficient_quota"}}, "no credit left; top it up"),
        (404, {"error": {"message": "no m-7b"}}, "no model 'm-7b' there (no m-7b); name another: --model openai:NAME"),
        (307, {}, "sends us elsewhere; set OPENAI_BASE_URL"),
    ],
)
def test_what_will_not_pass_is_one_line_with_the_remedy(
    status: int, body: Any, said: str, model: OpenAIModel, site: Site
) -> None:
    message = fault(model, site, json_reply(body, status))
    assert said in message
    assert KEY.reveal() not in message
    assert len(site.seen) == 1


def test_a_prompt_that_does_not_fit_is_told_with_both_numbers(model: OpenAIModel, site: Site) -> None:
    error = {"type": "exceed_context_size_error", "message": "too long", "n_prompt_tokens": 9001, "n_ctx": 4096}
    assert "prompt of 9001 tokens does not fit its window of 4096" in fault(
        model, site, json_reply({"error": error}, 400)
    )
    assert len(site.seen) == 1


def test_an_error_in_the_midst_of_a_stream_is_asked_again_where_it_may_pass(model: OpenAIModel, site: Site) -> None:
    broken = Reply(
        (
            b'data: {"choices": [{"delta": {"content": "Li"}}]}\n\n',
            b'data: {"error": {"message": "gone", "code": 502}}\n\n',
        )
    )
    assert ask(model, site, broken, FINE) == "Lima"


@pytest.mark.parametrize("body", ["<html>Welcome</html>", "", "{}", "data: [DONE]\n\n", '{"choices": []}', "[1, 2]"])
def test_what_is_no_completion_is_said_to_be_none(body: str, model: OpenAIModel, site: Site) -> None:
    said = fault(model, site, Reply(body))
    assert "something else than a chat completion; OPENAI_BASE_URL should" in said


def test_a_server_that_sends_garbage_for_ever_is_given_up(model: OpenAIModel, site: Site) -> None:
    assert "no end" in fault(model, site, Reply(itertools.repeat(b": never mind\n\n" * 5000)))


def test_a_model_that_says_the_same_for_ever_is_cut(model: OpenAIModel, site: Site) -> None:
    piece = b'data: {"choices": [{"delta": {"content": "again and again "}}]}\n\n'
    site.add("/v1/chat/completions", Reply(itertools.repeat(piece)))
    reply = model.complete(ASK, None, 50, 30)
    assert reply.finish == "length"
    assert len(reply.text) < 1000


def test_a_server_that_hangs_is_left_at_the_deadline(model: OpenAIModel, site: Site) -> None:
    said = fault(model, site, Reply("", after_s=30), timeout_s=0.3)
    assert "no whole reply within 0.3 s; SCOUT_MODEL_SECONDS allows more" in said


def test_a_server_that_is_down_is_named_with_what_to_look_at() -> None:
    with Silent() as silent:
        port = silent.port
    model = OpenAIModel("m", f"http://user:pass@127.0.0.1:{port}/v1", KEY)
    with pytest.raises(ModelUnavailable) as error:
        model.complete(ASK, None, 5, 5)
    assert f"http://127.0.0.1:{port}/v1: nothing listens there; is the server" in str(error.value)
    model.close()


def test_a_model_that_only_thinks_is_said_to(model: OpenAIModel, site: Site) -> None:
    document = {"choices": [{"message": {"content": "", "reasoning": "well…"}, "finish_reason": "length"}]}
    assert "spent all of its 50 tokens on thinking" in fault(model, site, json_reply(document))


def test_thinking_is_kept_beside_the_text(model: OpenAIModel, site: Site) -> None:
    document = {"choices": [{"message": {"content": "<think>well</think>{}"}, "finish_reason": "stop"}]}
    site.add("/v1/chat/completions", json_reply(document))
    reply = model.complete(ASK, None, 50, 30)
    assert (reply.text, reply.thinking) == ("{}", "well")


def test_a_model_that_is_not_named_is_the_first_that_the_server_lists(site: Site) -> None:
    site.add("/v1/models", json_reply({"data": [{"id": "phi-3b"}, {"id": "other"}]}))
    model = OpenAIModel("", site.url("/v1"), Secret(""))
    assert ask(model, site, FINE) == "Lima"
    assert (model.name, model.size_b, site.seen[-1].json["model"]) == ("openai:phi-3b", 3.0, "phi-3b")
    assert "authorization" not in site.seen[0].headers
    model.close()


def test_an_empty_list_of_models_asks_for_a_name(site: Site) -> None:
    site.add("/v1/models", json_reply({"data": []}))
    model = OpenAIModel("", site.url("/v1"), KEY)
    assert "lists no model; name one" in fault(model, site, FINE)
    model.close()


@pytest.mark.parametrize("url", ["127.0.0.1:8000/v1", "ftp://x/v1", "", "file:///etc/passwd"])
def test_a_base_url_that_is_none_is_a_fault_of_configuration(url: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_BASE_URL"):
        OpenAIModel("m", url, KEY)


def test_a_real_server_keeps_to_the_schema(llama: Llama) -> None:
    model = OpenAIModel("small", llama.base_url, Secret(llama.key))
    reply = model.complete(ASK, SCHEMA, 60, 120)
    said = json.loads(reply.text)
    assert said["action"] == "answer"
    assert 1 <= len(said["content"]) <= 20
    assert reply.prompt_tokens > 10
    assert reply.output_tokens > 5
    assert reply.seconds > 0
    model.close()


def test_a_real_server_stops_at_the_limit_and_knows_a_wrong_key(llama: Llama) -> None:
    model, stranger = (OpenAIModel("small", llama.base_url, Secret(key)) for key in (llama.key, "wrong"))
    reply = model.complete((Message("user", "Tell a long story."),), None, 5, 120)
    assert (reply.finish, reply.output_tokens) == ("length", 5)
    with pytest.raises(ModelUnavailable, match="set OPENAI_API_KEY"):
        stranger.complete(ASK, None, 5, 120)
    model.close()
    stranger.close()


def test_a_real_server_refuses_a_prompt_that_does_not_fit(llama: Llama) -> None:
    model = OpenAIModel("small", llama.base_url, Secret(llama.key))
    with pytest.raises(ModelUnavailable, match=r"prompt of \d{4} tokens does not fit its window of 2048"):
        model.complete((Message("user", "word " * 3000),), None, 5, 120)
    model.close()
