"""From raw replies to actions: the corpora, and what they cannot say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.errors import BadAction
from agent.parse import CORE, parse_reply
from agent.parse.lenient import Purse, read, read_strict
from agent.spec import Kind, Param
from tests.corpus.__main__ import failures

HERE = Path(__file__).parent
SHARED = HERE.parent.parent / "shared" / "corpus" / "actions.jsonl"
TOOLS = {
    **CORE,
    "search": (*CORE["search"], Param("site", Kind.SITE, "one domain", required=False)),
    "read_fragment": (Param("id", Kind.SOURCE, "number of the page"), Param("offset", Kind.OFFSET, "from where")),
}


def refused(text: str, kind: str) -> str:
    """The message of the BadAction that `text` must raise."""
    with pytest.raises(BadAction) as caught:
        parse_reply(text, TOOLS)
    assert caught.value.kind == kind
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_own_corpus_is_read_without_a_failure() -> None:
    passed, wrong = failures("actions", HERE / "data" / "actions.jsonl")
    assert (passed > 80, wrong) == (True, [])


@pytest.mark.skipif(not SHARED.is_file(), reason="no shared corpus beside this checkout")
def test_shared_corpus_is_read_without_a_failure() -> None:
    assert failures("actions", SHARED)[1] == []


@pytest.mark.parametrize("id_", ["3", '"3"', "3.0", '" 3 "'])
def test_whole_numbers_are_read_in_any_spelling(id_: str) -> None:
    action = parse_reply(f'{{"action":"read_fragment","id":{id_},"offset":1200}}', TOOLS)
    assert action.args == {"id": 3, "offset": 1200}


@pytest.mark.parametrize("id_", ["3.5", '"three"', "true", "null", "[3]", "9" * 40])
def test_other_values_for_an_integer_are_refused(id_: str) -> None:
    assert "whole number" in refused(f'{{"action":"read_fragment","id":{id_},"offset":0}}', "bad_type")


def test_optional_parameter_may_be_missing_and_is_kept_when_given() -> None:
    assert parse_reply('{"action":"search","query":"a"}', TOOLS).args == {"query": "a"}
    assert parse_reply('{"action":"search","query":"a","site":"nasa.gov"}', TOOLS).args == {
        "query": "a",
        "site": "nasa.gov",
    }


def test_message_for_an_unknown_tool_names_those_there_are() -> None:
    assert refused('{"action":"fly"}', "unknown_action") == (
        "no tool 'fly'; there are: search, scrape, answer, read_fragment"
    )


def test_message_shows_at_most_a_line_of_a_hostile_name() -> None:
    message = refused(json.dumps({"action": "x\ny" * 9000}), "unknown_action")
    assert len(message) < 200


def test_message_for_a_missing_argument_shows_the_action_as_it_should_be() -> None:
    assert '"action": "scrape", "url"' in refused('{"action":"scrape"}', "missing_key")


def test_message_for_a_cut_reply_asks_for_a_shorter_one() -> None:
    assert "breaks off" in refused('{"action":"answer","content":"half', "not_json")


def test_own_name_of_a_tool_comes_before_an_alias() -> None:
    tools = {**CORE, "browse": (Param("path", Kind.TEXT, "a path"),)}
    assert parse_reply('{"action":"browse","path":"/x"}', tools).tool == "browse"


def test_alias_of_a_tool_that_is_not_there_is_unknown() -> None:
    with pytest.raises(BadAction) as caught:
        parse_reply('{"action":"web_search","query":"a"}', {"answer": CORE["answer"]})
    assert str(caught.value) == "no tool 'web_search'; there are: answer"


def test_aliases_of_keys_follow_the_kind_of_the_parameter() -> None:
    tools = {**CORE, "lookup": (Param("words", Kind.QUERY, "words"), Param("page", Kind.SOURCE, "number"))}
    action = parse_reply('{"action":"lookup","q":"tar","page":2}', tools)
    assert action.args == {"words": "tar", "page": 2}


def test_granted_host_keeps_http_and_no_other_does() -> None:
    reply = '{"action":"scrape","url":"http://%s/wiki/"}'
    plain = ("localhost:8080",)
    assert parse_reply(reply % "localhost:8080", plain_http=plain).args["url"] == "http://localhost:8080/wiki/"
    assert parse_reply(reply % "localhost:8081", plain_http=plain).args["url"] == "https://localhost:8081/wiki/"
    assert parse_reply(reply % "localhost:8080").args["url"] == "https://localhost:8080/wiki/"


def test_granted_host_keeps_https_where_it_is_written() -> None:
    reply = '{"action":"scrape","url":"https://LOCALHOST:8080/"}'
    assert parse_reply(reply, plain_http=("localhost:8080",)).args["url"] == "https://localhost:8080/"


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, -2.5e3, true, null, ""], "b": {"c": []}, "b": "x"}',
        r'{"q\"k": "a\\", "“x”": "\u00e9\n", "}": "{", "//": "/* # */"}',
        '[[], {}, [{"a": "b\\"}"}]]',
        '{"a": ":", "b": ",", "c": "\\"},{\\"d\\": 1"}',
    ],
)
def test_lenient_reader_agrees_with_json_on_json(text: str) -> None:
    assert read(text, 0, len(text), Purse.of(text)) == read_strict(text)


def test_same_answer_in_other_words_is_ambiguous_and_in_the_same_is_not() -> None:
    once = '{"action":"answer","content":"Two."}'
    assert parse_reply(f'{once} {{"tool":"finish","text":"Two. "}}').args == {"content": "Two."}
    refused(f'{once} {{"tool":"finish","text":"Three."}}', "ambiguous")


def test_invisible_reply_is_empty() -> None:
    refused("\u200b \ufeff\n", "empty")
