"""Reading chat completions: every dress that servers have been seen to send them in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.models.calling import Refused
from agent.models.completion import Completion, parts, refusal, split_thinking


def event(**part: Any) -> bytes:
    return b"data: " + json.dumps(part).encode() + b"\n\n"


def says(text: str, **fields: Any) -> bytes:
    return event(choices=[{"delta": {"content": text, **fields}}])


def read(*chunks: bytes) -> Completion:
    completion = Completion()
    for part in parts(chunks):
        completion.add(part)
    return completion


END = event(choices=[{"delta": {}, "finish_reason": "stop"}])
USAGE = event(choices=[], usage={"prompt_tokens": 80, "completion_tokens": 12})
DONE = b"data: [DONE]\n\n"

STREAMS = {
    "as OpenAI sends it": (says("Hel"), says("lo"), END, USAGE, DONE),
    "with comments": (b": OPENROUTER PROCESSING\n\n", says("Hel"), b": keep-alive\n\n", says("lo"), END, USAGE, DONE),
    "with CRLF": tuple(c.replace(b"\n", b"\r\n") for c in (says("Hel"), says("lo"), END, USAGE, DONE)),
    "without [DONE]": (says("Hel"), says("lo"), END, USAGE),
    "without blank lines": tuple(c.replace(b"\n\n", b"\n") for c in (says("Hel"), says("lo"), END, USAGE, DONE)),
    "without a space after the colon": tuple(c.replace(b"data: ", b"data:") for c in (says("Hello"), END, USAGE, DONE)),
    "with names and numbers": (b"event: chunk\nid: 7\nretry: 5\n" + says("Hello"), END, USAGE, DONE),
    "over several data lines": (b'data: {"choices": [{"delta":\ndata: {"content": "Hello"}}]}\n\n', END, USAGE),
    "cut anywhere": tuple(bytes([b]) for b in says("Hello") + END + USAGE + DONE),
    "with garbage in between": (says("Hel"), b"data: {oops\n\n", says("lo"), END, USAGE, DONE),
    "with a byte order mark": (b"\xef\xbb\xbf" + says("Hello"), END, USAGE),
    "without a last line end": (says("Hello"), END, USAGE.rstrip()),
    "as content in parts": (event(choices=[{"delta": {"content": [{"type": "text", "text": "Hello"}]}}]), END, USAGE),
    "as one document": (
        b'\n\n{"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}],\n'
        b' "usage": {"prompt_tokens": 80, "completion_tokens": 12}}\n',
    ),
}


@pytest.mark.parametrize("how", STREAMS)
def test_a_reply_is_read_however_it_is_sent(how: str) -> None:
    done = read(*STREAMS[how])
    assert done.result() == ("Hello", "")
    assert (done.finish, done.prompt_tokens, done.output_tokens) == ("stop", 80, 12)


@pytest.mark.parametrize("body", [b"", b"<html>no</html>", b"data: {}\n\n", b'{"ok": true}', b"[]", b"\x00" * 99, DONE])
def test_what_is_no_completion_is_not_taken_for_one(body: bytes) -> None:
    assert not read(body).seen


def test_a_stream_that_just_ends_gives_no_reason_to_stop() -> None:
    assert read(says("Hel")).finish == ""


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_thinking_is_kept_apart_whatever_its_name(field: str) -> None:
    assert read(says("", **{field: "well, "}), says("", **{field: "yes"}), says("Hello"), END).result() == (
        "Hello",
        "well, yes",
    )


@pytest.mark.parametrize(
    ("text", "said", "thought"),
    [
        ("<think>\nwell\n</think>\n\nHello", "Hello", "well"),
        ("well\n</think>\nHello", "Hello", "well"),  # the template opened the block
        ("<think>well", "", "well"),
        ('{"content": "a </think> b"}', '{"content": "a </think> b"}', ""),
        (" plain ", " plain ", ""),
    ],
)
def test_a_think_block_is_not_part_of_the_text(text: str, said: str, thought: str) -> None:
    assert split_thinking(text) == (said, thought)


def test_seconds_are_those_that_llama_cpp_reports() -> None:
    assert read(says("Hello"), event(choices=[], timings={"prompt_ms": 1500.0, "predicted_ms": 500.0})).seconds == 2.0


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "no such thing", "type": "invalid_request_error"}}, "no such thing"),
        ({"error": "'response_format.type' must be 'json_schema' or 'text'"}, "'response_format.type' must be"),
        ({"detail": "Not Found"}, "Not Found"),
        ({"detail": [{"loc": ["body", "seed"], "msg": "extra fields"}]}, '"seed"'),
        ({"object": "error", "message": "too bad", "code": 400}, "too bad"),
        ([{"error": {"message": "in a list"}}], "in a list"),
        (b"<!doctype html><title>502</title>", "a page of HTML"),
        (b"upstream\n  timed out", "upstream timed out"),
        (b"x" * 10_000, "xxx"),
    ],
)
def test_the_words_of_an_error_are_found_in_any_body(body: Any, message: str) -> None:
    found = refusal(400, body if isinstance(body, bytes) else json.dumps(body).encode()).message
    assert message in found
    assert len(found) <= 201


@pytest.mark.parametrize(("code", "status"), [(429, 429), ("rate_limited", 500), (None, 500), (7, 500)])
def test_an_error_under_status_200_has_the_status_it_names(code: Any, status: int) -> None:
    with pytest.raises(Refused) as error:
        read(says("Hel"), event(error={"message": "no", "code": code}))
    assert error.value.status == status


@pytest.mark.parametrize(
    ("error", "prompt", "window"),
    [
        ({"type": "exceed_context_size_error", "message": "", "n_prompt_tokens": 13392, "n_ctx": 8192}, 13392, 8192),
        (
            {
                "code": "context_length_exceeded",
                "message": "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001"
                " tokens.",
            },
            9001,
            8192,
        ),
        (
            {
                "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
                "(4000 in the messages, 1000 in the completion)."
            },
            5000,
            4096,
        ),
        ({"message": "The prompt is too long"}, 0, 0),
    ],
)
def test_a_prompt_that_does_not_fit_is_told_with_its_numbers(error: dict[str, Any], prompt: int, window: int) -> None:
    found = refusal(400, {"error": error})
    assert (found.code, found.prompt, found.window) == ("overflow", prompt, window)
