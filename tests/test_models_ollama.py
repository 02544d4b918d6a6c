"""The Ollama backend: the official client over our sender, against a stand-in on a real model, and against trouble."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from agent.errors import ConfigError, ModelUnavailable
from agent.models.ollama import OllamaModel, address, models, running
from agent.types import Message
from tests.modelserver import MODEL
from tests.scripted import SetClock
from tests.site import Reply, Route, Silent, Site, json_reply

ASK = (Message("user", "Capital of Peru?"),)
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"action": {"const": "answer"}, "content": {"type": "string", "minLength": 1, "maxLength": 20}},
    "required": ["action", "content"],
    "additionalProperties": False,
}
SHOWN = {
    "capabilities": ["completion"],
    "details": {"parameter_size": "3.2B"},
    "model_info": {"x.context_length": 4096},
}


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        site.add("/api/show", json_reply(SHOWN))
        yield site


@pytest.fixture
def model(site: Site) -> Iterator[OllamaModel]:
    model = OllamaModel("m:3b", site.url(), clock=SetClock())
    yield model
    model.close()


def piece(content: str = "", **fields: Any) -> bytes:
    message = {"role": "assistant", "content": content} | ({"thinking": fields.pop("thinking", None)})
    part = {"model": "m:3b", "created_at": "2026-11-30T09:00:00Z", "message": message, "done": False}
    return json.dumps(part | fields).encode() + b"\n"


def said(*texts: str, **end: Any) -> Reply:
    counts = {"prompt_eval_count": 9, "eval_count": 2, "total_duration": 1_500_000_000}
    return Reply((*map(piece, texts), piece(done=True, **({"done_reason": "stop"} | counts | end))))


FINE = said("Li", "ma")


def fault(model: OllamaModel, site: Site, *replies: Route, timeout_s: float = 30) -> str:
    site.add("/api/chat", *replies)
    with pytest.raises(ModelUnavailable) as error:
        model.complete(ASK, SCHEMA, 50, timeout_s)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_the_request_sets_window_limit_temperature_and_schema_and_forbids_cutting(
    model: OllamaModel, site: Site
) -> None:
    site.add("/api/chat", FINE)
    reply = model.complete(ASK, SCHEMA, 50, 30)
    sent = site.seen[-1].json
    assert (sent["options"]["num_ctx"], sent["options"]["num_predict"], sent["options"]["temperature"]) == (4096, 50, 0)
    assert (sent["format"], sent["truncate"], sent["shift"], sent["stream"]) == (SCHEMA, False, False, True)
    assert "think" not in sent
    assert (reply.text, reply.prompt_tokens, reply.output_tokens, reply.seconds) == ("Lima", 9, 2, 1.5)


def test_the_window_is_one_for_the_whole_run_and_the_server_is_asked_once(model: OllamaModel, site: Site) -> None:
    site.add("/api/chat", FINE)
    for _ in range(3):
        model.complete(ASK, None, 50, 30)
    assert site.hits == ["/api/show", "/api/chat", "/api/chat", "/api/chat"]
    assert {seen.json["options"]["num_ctx"] for seen in site.seen[1:]} == {4096}
    assert (model.window, model.size_b) == (4096, 3.2)


@pytest.mark.parametrize(("name", "think"), [("qwen3:4b", False), ("gpt-oss:20b", "low")])
def test_a_model_that_can_think_is_told_not_to(name: str, think: bool | str, site: Site) -> None:
    site.add("/api/show", json_reply(SHOWN | {"capabilities": ["completion", "thinking"]}))
    site.add("/api/chat", Reply((piece(thinking="well"), piece("Lima"), piece(done=True, done_reason="stop"))))
    model = OllamaModel(name, site.url())
    reply = model.complete(ASK, None, 50, 30)
    assert site.seen[-1].json["think"] == think
    assert (reply.text, reply.thinking) == ("Lima", "well")
    model.close()


def test_thinking_that_an_older_server_leaves_in_the_text_is_taken_out(model: OllamaModel, site: Site) -> None:
    site.add("/api/chat", said("<think>well", "</think>", "Lima"))
    reply = model.complete(ASK, None, 50, 30)
    assert (reply.text, reply.thinking) == ("Lima", "well")


def test_the_key_in_the_environment_is_not_sent_and_its_proxy_not_asked(
    model: OllamaModel, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-secret")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    site.add("/api/chat", FINE)
    assert model.complete(ASK, None, 50, 30).text == "Lima"
    assert not any("authorization" in seen.headers for seen in site.seen)


TROUBLE: dict[str, tuple[Reply, str]] = {
    "no such model": (json_reply({"error": "model 'm:3b' not found"}, 404), "does not have it; ollama pull m:3b"),
    "too little memory": (
        json_reply({"error": "model requires more system memory (5.6 GiB) than is available (2.1 GiB)"}, 500),
        "(2.1 GiB); choose a smaller model",
    ),
    "the cloud": (json_reply({"error": "unauthorized"}, 401), "ollama signin"),
    "a prompt that does not fit": (
        json_reply({"error": "the prompt is longer than the context length currently available to the model"}, 400),
        "longer than the context length currently available to the model; a larger SCOUT_CONTEXT",
    ),
    "an error in the midst of a stream": (Reply((piece("Li"), b'{"error": "bad luck"}\n')), "status 500 (bad luck)"),
    "an error that is an object": (Reply(b'{"error": {"message": "bad"}}\n'), "not Ollama's (TypeError)"),
    "no JSON": (Reply("welcome"), "not Ollama's (JSONDecodeError); is it really Ollama"),
    "a list": (Reply("[1, 2]\n"), "not Ollama's (AttributeError)"),
    "a number": (Reply("7\n"), "not Ollama's (AttributeError)"),
    "another shape": (Reply('{"hello": 1}\n'), "not Ollama's (ValidationError)"),
    "an empty reply": (Reply(""), "sends no reply"),
    "a broken encoding": (Reply("{}\n", headers=(("Content-Encoding", "gzip"),)), "not Ollama's (DecodingError)"),
    "HTML from a gateway": (Reply("<html>oops</html>", 404), "sends a page of HTML; is it really Ollama"),
    "a redirect": (Reply("", 302, headers=(("Location", "/x"),)), "status 302"),
    "a busy server": (json_reply({"error": "server busy"}, 503), "busy (server busy); try again later"),
    "a prompt that was cut silently": (said("Lima", prompt_eval_count=4095), "fills its window (4095 of 4096 tokens)"),
    "nothing but thinking": (said("", done_reason="length"), "spent before it said a word; choose a model"),
}


@pytest.mark.parametrize("what", TROUBLE)
def test_whatever_goes_wrong_is_one_line_that_says_what_to_type(what: str, model: OllamaModel, site: Site) -> None:
    reply, expected = TROUBLE[what]
    assert expected in fault(model, site, reply)


def test_a_model_that_is_not_there_is_told_before_anything_is_asked_of_it(model: OllamaModel, site: Site) -> None:
    site.add("/api/show", json_reply({"error": "model 'm:3b' not found"}, 404))
    assert "ollama pull m:3b" in fault(model, site, FINE)
    with pytest.raises(ModelUnavailable, match="ollama pull m:3b"):
        model.learn()
    assert set(site.hits) == {"/api/show"}


def test_a_busy_server_is_asked_again(model: OllamaModel, site: Site) -> None:
    site.add("/api/chat", json_reply({"error": "server busy"}, 503), FINE)
    assert model.complete(ASK, None, 50, 30).text == "Lima"


def test_a_server_that_is_down_is_one_line_with_the_command_that_starts_it() -> None:
    with Site() as gone:
        host = gone.url()
    model = OllamaModel("m", host)
    with pytest.raises(ModelUnavailable, match="nothing listens there; start it with: ollama serve"):
        model.complete(ASK, None, 5, 5)
    model.close()


@pytest.mark.parametrize(
    "reply", [Reply("", after_s=30), Reply(itertools.repeat(piece(" ")), every_s=0.1)], ids=["hangs", "drips"]
)
def test_the_deadline_holds(reply: Reply, site: Site) -> None:
    site.add("/api/chat", reply)
    model = OllamaModel("m", site.url())
    model.learn()
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"no whole reply within 0\.4 s"):
        model.complete(ASK, None, 50, 0.4)
    assert time.monotonic() - started < 1
    model.close()


def test_a_model_that_says_the_same_for_ever_is_cut(model: OllamaModel, site: Site) -> None:
    site.add("/api/chat", Reply(itertools.repeat(piece("again "))))
    reply = model.complete(ASK, None, 50, 30)
    assert reply.finish == "length"
    assert len(reply.text) < 1000


def test_garbage_for_ever_is_given_up(model: OllamaModel, site: Site) -> None:
    assert "no end" in fault(model, site, Reply(itertools.repeat(b"x" * 500_000)))


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("example.org", "http://example.org:11434"),
        ("http://example.org", "http://example.org:80"),
        ("https://example.org/ollama/", "https://example.org:443/ollama"),
        (" :8000 ", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("http://user:pass@example.org:8000", "http://example.org:8000"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(host: str, url: str) -> None:
    assert address(host) == url


@pytest.mark.parametrize("host", ["[::1", "example.org:port", "example.org:99999"])
def test_a_host_that_is_none_is_a_fault_of_configuration(host: str) -> None:
    with pytest.raises(ConfigError, match="OLLAMA_HOST"):
        address(host)


def test_whether_a_server_is_there_is_known_within_half_a_second(site: Site) -> None:
    site.add("/api/version", json_reply({"version": "0.12.0"}))
    assert running(site.url())
    started = time.monotonic()
    with Silent() as silent:
        assert not running(f"127.0.0.1:{silent.port}")
    assert not running(f"127.0.0.1:{silent.port}")
    site.add("/api/version", Reply("<html>another server</html>"))
    assert not running(site.url())
    assert time.monotonic() - started < 1.5


def test_the_models_for_chat_are_listed_last_changed_first(site: Site) -> None:
    entries = [
        {"name": "old:1b", "modified_at": "2026-01-01T00:00:00Z"},
        {"name": "nomic-embed-text:latest", "modified_at": "2026-11-01T00:00:00Z"},
        {"name": "bge:latest", "modified_at": "2026-11-02T00:00:00Z", "details": {"family": "bert"}},
        {"name": "new:3b", "modified_at": "2026-10-01T00:00:00Z", "details": {"family": "llama"}},
    ]
    site.add("/api/tags", json_reply({"models": entries}), Reply("[]"))
    assert models(site.url()) == ("new:3b", "old:1b")
    assert models(site.url()) == ()


def test_looking_for_a_server_does_not_import_the_client() -> None:
    script = "import sys, agent.models.ollama; print({'httpx', 'ollama', 'pydantic'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_real_model_keeps_to_the_schema_through_the_client(ollama_host: str) -> None:
    assert running(ollama_host)
    assert models(ollama_host) == (MODEL,)
    model = OllamaModel(MODEL, ollama_host)
    reply = model.complete(ASK, SCHEMA, 60, 120)
    assert json.loads(reply.text)["action"] == "answer"
    assert (reply.prompt_tokens > 5, reply.output_tokens > 5, model.window, model.size_b) == (True, True, 2048, 0.1345)
    with pytest.raises(ModelUnavailable, match="longer than the context length"):
        model.complete((Message("user", "word " * 3000),), None, 5, 120)
    model.close()


def test_ctrl_c_ends_a_real_reply_within_a_second_and_the_next_one_comes(ollama_host: str) -> None:
    long = {"type": "object", "properties": {"a": {"type": "string", "minLength": 900}}, "required": ["a"]}
    model = OllamaModel(MODEL, ollama_host)
    model.learn()
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.complete(ASK, long, 1500, 120)
    assert time.monotonic() - started < 1.5
    assert model.complete(ASK, None, 3, 120).output_tokens == 3
    model.close()
