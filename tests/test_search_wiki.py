"""The search tool against a real MediaWiki: plain questions find their page in one request, a few in two."""

from __future__ import annotations

import pytest

from agent.budget import Budget
from agent.doors.sender import Limits
from agent.policy import Policy, place_of
from agent.types import Endpoint
from tests.doors import House
from tests.site import Site
from tests.test_search import context
from tests.wikiserver import WikiQuestion, wiki_questions
from tools.search import origins, search

PATIENT = Limits(timeout_s=10, deadline_s=10, retries=0)


def first_hit(base: str, question: str, requests: int = 2) -> tuple[str, str]:
    """Title and URL of the best hit for a question in so many requests, "" where there is none."""
    endpoint, place = Endpoint("wikipedia", base + "w"), place_of(base)
    policy = Policy((), (f"{place.host}:{place.port}",))
    with Site() as site, House(site, policy, Budget(), PATIENT, origins=origins((endpoint,))) as house:
        seen = search(question, context(house, endpoint, question=question, policy=policy))
    assert house.meter.requests <= requests
    return (seen.hits[0].title, seen.hits[0].url) if seen.hits else ("", "")


def missed(base: str, asked: list[WikiQuestion]) -> list[str]:
    return [q.question for q in asked if first_hit(base, q.question)[0] != q.title]


def test_english_questions_find_their_page_first(wiki: str) -> None:
    asked = [q for q in wiki_questions() if q.lang == "en"][::2]
    assert len(missed(wiki, asked)) <= len(asked) // 10


def test_chinese_questions_find_their_page_first(wiki_zh: str) -> None:
    asked = [q for q in wiki_questions() if q.lang == "zh"][::2]
    assert len(missed(wiki_zh, asked)) <= len(asked) // 10


def test_the_url_of_a_hit_is_that_of_the_page(wiki: str) -> None:
    assert first_hit(wiki, "How long is Harrowgate Bridge?") == ("Harrowgate Bridge", wiki + "wiki/Harrowgate_Bridge")


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("how tall is skerry light", "Skerry Light"),
        ("Did Odile Varenne design any bridge in Peru?", "Odile Varenne"),
        ("How high is the tower of the Corbie Rock lighthouse on Veyra?", "List of lighthouses on Veyra"),
        ("Which mirror does the telescope at Mount Tavella Observatory use?", "Mount Tavella Observatory"),
    ],
)
def test_a_question_with_words_that_no_page_holds_finds_its_page_in_one_request(
    wiki: str, question: str, title: str
) -> None:
    assert first_hit(wiki, question, requests=1)[0] == title


@pytest.mark.parametrize("question", ["请问青岚湖最深的地方有多深？", "青岚湖一般在什么时候结冰？"])
def test_a_chinese_topic_is_found_under_its_first_characters(wiki_zh: str, question: str) -> None:
    assert first_hit(wiki_zh, question)[0] == "青岚湖"


def test_a_snippet_of_wikitext_is_shown_without_its_marks(wiki: str) -> None:
    endpoint, place = Endpoint("wikipedia", wiki + "w"), place_of(wiki)
    policy = Policy((), (f"{place.host}:{place.port}",))
    with Site() as site, House(site, policy, Budget(), PATIENT, origins=origins((endpoint,))) as house:
        seen = search("bridge span", context(house, endpoint, question="bridge span", policy=policy))
    snippets = " ".join(hit.snippet for hit in seen.hits)
    assert "span" in snippets
    assert not [mark for mark in ("[[", "]]", "''", "{{", "}}", "{|", "|+", "|-") if mark in snippets]
