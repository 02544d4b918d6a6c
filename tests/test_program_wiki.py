"""The program with a real MediaWiki, in English and in Chinese, and with real models in llama.cpp's server."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest
import requests

from agent.errors import AgentError
from agent.models.weights import DEFAULT, Origins, get
from tests.modelserver import CACHE
from tests.program import QUESTION, Program, interrupted
from tests.scripted import act
from tests.scriptedserver import Line, Schema, branches
from tests.shell_console import Ran
from tests.wikiserver import wiki_questions

RIGHT_OF_3 = 2


def about(program: Program, wiki: str) -> None:
    """Point the program at a wiki instead of its own site."""
    place = {"SCOUT_WIKIPEDIA_URL": wiki, "SCOUT_SEARCH": "wikipedia", "SCOUT_ALLOW_PRIVATE": urlsplit(wiki).netloc}
    program.environ |= place


def clerk(title: str, said: str) -> tuple[Line, ...]:
    """A model that searches for a title, reads that page and says a sentence."""

    def read(schema: Schema) -> str:
        offered = branches(schema)["scrape"]["url"]["enum"]
        return act("scrape", url=next(url for url in offered if title_of(url) == title))

    return act("search", query=title, site="any"), read, act("answer", content=said)


def title_of(url: str) -> str:
    return unquote(urlsplit(url).path.rpartition("/")[2]).replace("_", " ")


def quotes(ran: Ran) -> list[tuple[str, str]]:
    """What the answer is proved by: title of the page and words."""
    document: Mapping[str, Any] = ran.json
    titles = {source["id"]: title_of(source["url"]) for source in document["sources"]}
    found = [quote for claim in document["claims"] for quote in claim["quotes"]]
    return [(titles[quote["source"]], quote["text"]) for quote in found]


def assert_quotes_stand(ran: Ran, wiki: str) -> None:
    """Each quote stands in the page as MediaWiki itself gives it; one of a table cell by cell."""
    for title, text in quotes(ran):
        asked = {"action": "parse", "page": title, "prop": "text", "format": "json", "formatversion": "2"}
        reply = requests.get(f"{wiki}api.php", params=asked, timeout=60).json()
        page = " ".join("".join(map(str, lxml.html.fromstring(reply["parse"]["text"]).itertext())).split())
        assert all(" ".join(part.split()) in page for part in re.split(r" \| |: ", text))


def with_weights(program: Program) -> None:
    """Let the program find the weights that the tests have fetched."""
    program.journal.parent.mkdir()
    (program.journal.parent / "weights").symlink_to(CACHE)


def still_running(program: Program) -> list[str]:
    """Processes that were started with this program's folder as their home."""
    home = f"HOME={program.folder}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if home in (process / "environ").read_bytes().split(b"\0"):
                found.append(process.name)
    return found


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Port Annick", "The fire of 1822 destroyed ninety-four houses in Port Annick."),
        ("Harrowgate Bridge", "The toll on Harrowgate Bridge was given up on 30 September 1991."),
    ],
)
def test_a_wiki_is_searched_read_and_cited(title: str, said: str, wiki: str, program: Program) -> None:
    about(program, wiki)
    program.model.says(*clerk(title, said))
    ran = program.run("--json", f"What is to be told of {title}?")
    assert (ran.status, ran.json["answer"]) == (0, f"{said} [1]")
    assert [page for page, _ in quotes(ran)] == [title]
    assert_quotes_stand(ran, wiki)


@pytest.mark.parametrize(
    ("title", "said"), [("青岚湖", "青岚湖的面积是142平方公里。"), ("澜石大桥", "澜石大桥由沈若川主持设计。")]
)
def test_a_chinese_wiki_is_searched_read_and_cited(title: str, said: str, wiki_zh: str, program: Program) -> None:
    about(program, wiki_zh)
    program.model.says(*clerk(title, said))
    ran = program.run("--json", f"{title}怎么样？")
    assert (ran.status, [page for page, _ in quotes(ran)]) == (0, [title])
    assert_quotes_stand(ran, wiki_zh)


def test_a_number_that_no_page_holds_is_not_answered_as_fact(wiki: str, program: Program) -> None:
    about(program, wiki)
    program.model.says(*clerk("Port Annick", "The fire of 1822 destroyed 4,731 houses in Port Annick."))
    ran = program.run("--json", "How many houses did the fire of 1822 destroy in Port Annick?")
    assert (ran.status, ran.json["status"]) == (3, "unsupported")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who built Kessel Viaduct?", "Gideon Strake"),
        ("How many houses did the fire of 1822 destroy in Port Annick?", "ninety-four"),
    ],
)
def test_without_a_model_a_sentence_of_the_wiki_is_quoted(
    question: str, answer: str, wiki: str, program: Program
) -> None:
    about(program, wiki)
    ran = program.run("--json", "--model", "none", question)
    assert (ran.status, program.model.asked) == (0, [])
    assert answer in ran.json["answer"]
    assert_quotes_stand(ran, wiki)


def test_without_a_model_a_chinese_question_that_begins_with_who_finds_its_page(wiki_zh: str, program: Program) -> None:
    about(program, wiki_zh)
    ran = program.run("--json", "--model", "none", "谁设计了澜石大桥？")
    assert (ran.status, "沈若川" in ran.json["answer"]) == (0, True)
    assert_quotes_stand(ran, wiki_zh)


@pytest.mark.usefixtures("small_weights")
def test_the_smallest_model_quotes_or_abstains_and_its_server_ends_with_it(wiki: str, program: Program) -> None:
    about(program, wiki)
    with_weights(program)
    ran = program.run("--json", "--model", "local:smollm2-135m", "Who built Kessel Viaduct?")
    assert ran.status in (0, 4)
    assert bool(ran.json["claims"]) == (ran.status == 0)
    assert_quotes_stand(ran, wiki)
    assert still_running(program) == []


@pytest.mark.usefixtures("small_weights")
def test_an_interrupt_while_the_embedded_model_loads_ends_at_once_and_leaves_no_process(program: Program) -> None:
    with_weights(program)
    with program.started("--model", "local:smollm2-135m", QUESTION) as process:
        ran, seconds = interrupted(process, lambda: len(still_running(program)) == 2)
    assert (ran.status, ran.err) == (130, "scout: interrupted before an answer\n")
    assert seconds < 1.5  # a goodbye that is not heard would take two seconds
    assert still_running(program) == []


@pytest.mark.slow
def test_the_embedded_model_answers_questions_about_the_wiki_with_citations(wiki: str, program: Program) -> None:
    try:
        get(DEFAULT, CACHE, Origins(), lambda have, total: None)
    except AgentError as err:
        pytest.skip(f"no weights of the embedded model: {err}")
    about(program, wiki)
    with_weights(program)
    program.patience_s = 900.0  # it may have to share the machine
    asked = [q for q in wiki_questions() if q.lang == "en" and q.answer][:9:4]
    right = 0
    for question in asked:
        ran = program.run("--json", "--model", "local", question.question)
        assert ran.status in (0, 3, 4)
        assert_quotes_stand(ran, wiki)
        cited = any(page == question.title for page, _ in quotes(ran))
        right += ran.status == 0 and cited and str(question.answer) in ran.json["answer"]
        print(ran.status, question.question, ran.json["answer"])
    assert right >= RIGHT_OF_3
