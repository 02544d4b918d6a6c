"""The small pure parts of the backends: no model, sizes by name, grammars."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.models.calling import Refused, patiently
from agent.models.grammar import gbnf
from agent.models.none import NoModel
from agent.models.sizes import size_b
from agent.types import Reply
from tests.scripted import SetClock


def branch(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


SCRAPE = branch(action={"const": "scrape"}, url={"enum": ["https://a.example/é", "https://b.example/"]})
SEARCH = branch(action={"const": "search"}, query={"type": "string", "maxLength": 9}, page={"type": "integer"})


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (SCRAPE, {"action": "scrape", "url": "https://a.example/é"}),
        ({"anyOf": [SEARCH, SCRAPE]}, {"action": "search", "query": "", "page": 0}),
        (branch(id={"enum": [3, 4]}), {"id": 3}),
    ],
)
def test_no_model_takes_the_first_thing_on_the_menu(schema: dict[str, Any], said: dict[str, Any]) -> None:
    model = NoModel()
    assert json.loads(model.complete((), schema, 9, 9).text) == said
    assert model.complete((), None, 9, 9).text == ""
    model.close()


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("qwen2.5:3b", 3.0),
        ("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", 1.5),
        ("SmolLM2-135M-Instruct", 0.135),
        ("llama3.2:1b-instruct-q4_K_M", 1.0),
        ("Qwen/Qwen3-30B-A3B", 30.0),
        ("mixtral:8x7b", 56.0),
        ("meta-llama/Llama-3.3-70B-Instruct", 70.0),
        ("134.52M", 0.1345),
        ("1.5B", 1.5),
        ("phi3:mini", 0.0),
        ("gpt-4o-mini", 0.0),
        ("claude-3-5b2", 0.0),
        ("", 0.0),
    ],
)
def test_the_size_is_read_off_the_name(name: str, size: float) -> None:
    assert size_b(name) == size


def test_a_grammar_has_one_form_for_each_action_and_no_white_space_to_waste() -> None:
    written = gbnf({"anyOf": [SEARCH, SCRAPE]})
    root, char = written.split("\n")
    search, scrape = root.removeprefix("root ::= ").split(" | ", 1)
    text, number = r'"\"" char{0,9} "\""', '"-"? [0-9]{1,9}'
    assert search == rf'"{{" "\"action\": " "\"search\"" ", " "\"query\": " {text} ", " "\"page\": " {number} "}}"'
    urls = r'("\"https://a.example/é\"" | "\"https://b.example/\"")'
    assert scrape == rf'"{{" "\"action\": " "\"scrape\"" ", " "\"url\": " {urls} "}}"'
    assert char.startswith("char ::= ")


@pytest.mark.parametrize("value", ['say "no"', "back\\slash", "line\nbreak"])
def test_a_literal_in_a_grammar_is_escaped_twice(value: str) -> None:
    root = gbnf(branch(a={"const": value})).split("\n")[0]
    literal = root.partition(r'"\"a\": " ')[2].removesuffix(' "}"')
    assert json.loads(json.loads(literal)) == value


@pytest.mark.parametrize(
    "schema", [{}, branch(a={"type": "array"}), branch(a={"type": "string"}), branch(a={"anyOf": [SEARCH]})]
)
def test_what_is_not_flat_has_no_grammar_of_ours(schema: dict[str, Any]) -> None:
    assert gbnf(schema) == ""


def test_pauses_grow_and_stay_within_the_deadline() -> None:
    clock, asked = SetClock(), []

    def ask(left_s: float) -> Reply:
        asked.append(left_s)
        raise Refused(503, "busy")

    with pytest.raises(Refused):
        patiently(ask, 4, clock)
    assert asked == [4, 3.5, 2.5, 0.5]


@pytest.mark.parametrize(("status", "code"), [(400, ""), (401, ""), (429, "insufficient_quota"), (500, "memory")])
def test_what_does_not_pass_is_not_asked_again(status: int, code: str) -> None:
    clock = SetClock()

    def ask(left_s: float) -> Reply:
        raise Refused(status, "no", code)

    with pytest.raises(Refused):
        patiently(ask, 60, clock)
    assert clock.elapsed == 0
