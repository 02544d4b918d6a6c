"""The search tool against a real MediaWiki: plain questions find the page that answers, in two requests at most."""

from __future__ import annotations

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


def first_hit(base: str, question: str) -> tuple[str, str]:
    """Title and URL of the best hit for a question, "" where there is none."""
    endpoint, place = Endpoint("wikipedia", base + "w"), place_of(base)
    policy = Policy((), (f"{place.host}:{place.port}",))
    with Site() as site, House(site, policy, Budget(), PATIENT, origins=origins((endpoint,))) as house:
        seen = search(question, context(house, endpoint, question=question, policy=policy))
    assert house.meter.requests <= 2
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
