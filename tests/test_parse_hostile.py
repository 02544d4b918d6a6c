"""Hostile replies: time in proportion to length, and nothing but an Action or a BadAction comes out."""

from __future__ import annotations

import contextlib
import json
import random
import time
from pathlib import Path

import pytest

from agent.errors import BadAction
from agent.parse import parse_reply
from agent.types import Action

SHAPES = (
    "{", "[", '"', "\\", '\\"', "}", "{{", "{ ", "[[1],", '{"a":', '{"a":[', '{"a":"b",', '{"a":1}', "{'", "{/*", "{//",
    "<think>", "</think>", "<think></think>", "<thought ", "[Observation", "Observation: x\n", "```json\n", "\n", " ",
    '{"action":"search","query":"a" b', '{"action":"answer","content":"x"}', '{"a":"}" ', '{"a":"\\', "｛", "“",
    "<function=a>", "<function=a><parameter=b>", '<function=a>{"b":"', "<search>", "<search></search>",
    "<tool_call>a<arg_key>b</arg_key><arg_value>",
    "[TOOL_CALLS]a{", 'call:a{"b":"', "a", "a<｜tool▁sep｜>{", '{a:<|"|>',
    "search(", 'search("', "\nsearch[", '\nsearch("a")', "\nsearch {", "Action: search\n", "Final Answer: ",
    "\nquery: ",     'Action: search\nAction Input: {"\n', ". Final Answer: ",
    "<|channel|>analysis<|message|>", "analysisX", "<|end|>",
    '{"a":9', "https://", "a.org ", ")", "\x00", "\u200b", "\ud800",
)  # fmt: skip
OPENINGS = ("", '{"action":"answer","content":"', '{"action":"scrape","url":"', "Action: search\nAction Input: ")


def seconds(text: str) -> float:
    """Processor time, the better of two runs: other processes must not fail the test."""
    best = 9.0
    for _ in range(2):
        began = time.process_time()
        with contextlib.suppress(BadAction):
            parse_reply(text)
        best = min(best, time.process_time() - began)
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_20_kb_are_read_in_a_moment_behind_any_opening(shape: str) -> None:
    # A quadratic reader that took 1 s for 100 kB would take 40 ms here; the bound is for a busy machine.
    assert max(seconds(opening + shape * (20_000 // len(shape))) for opening in OPENINGS) < 0.3


@pytest.mark.parametrize("shape", ["{", '"', "\\", "<think>", "[", '{"a":', '{"action":"search","query":"a" b'])
def test_hostile_100_kb_take_under_a_second_and_no_more_than_their_share(shape: str) -> None:
    half, whole = (seconds(shape * (size // len(shape))) for size in (50_000, 100_000))
    assert whole < 1.0
    assert whole < 3.2 * half + 0.05


def test_deep_nesting_raises_no_recursion_error() -> None:
    for text in ("[" * 50_000 + "]" * 50_000, '{"action":' * 20_000 + "1" + "}" * 20_000, "[{" * 5000):
        with pytest.raises(BadAction):
            parse_reply(text)


def test_deeply_wrapped_calls_are_refused_not_followed() -> None:
    wrapped = '{"action":"search","query":"x"}'
    for _ in range(30):
        wrapped = f'{{"tool_calls":[{wrapped}]}}'
    with pytest.raises(BadAction):
        parse_reply(wrapped)


def test_action_behind_100_kb_of_chatter_with_braces_is_found() -> None:
    chatter = "the set {a, b} and the list [1] of {x: y}; " * 2300
    assert parse_reply(chatter + '{"action":"search","query":"x"}') == Action("search", {"query": "x"})


def test_million_digit_number_is_text_and_fast() -> None:
    assert seconds('{"action":"search","query":' + "9" * 1_000_000 + "}") < 1.0


def test_mutated_replies_give_an_action_or_a_bad_action_and_nothing_else() -> None:
    lines = (Path(__file__).parent / "data" / "actions.jsonl").read_text("utf-8").splitlines()
    seeds = [text for line in lines if len(text := json.loads(line)["input"]) < 400]
    rng = random.Random(20_261_201)
    pieces = [
        '"',
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "'",
        "\n",
        "<think>",
        "</think>",
        "”",
        "\x00",
        "\ud83d",
        "9" * 50,
    ]
    for _ in range(3000):
        text = rng.choice(seeds)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text) + 1)
            cut = at + rng.choice((0, 0, 1, 3, 20))
            text = text[:at] + rng.choice((*pieces, "", rng.choice(seeds)[:40])) + text[cut:]
        with contextlib.suppress(BadAction):
            action = parse_reply(text)
            assert action.tool in ("search", "scrape", "answer"), text
            assert all(isinstance(value, str) and value.encode() for value in action.args.values()), text
