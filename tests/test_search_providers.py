"""Each provider alone: the request it makes of a query, and every way in which its replies fail. Pure, no wire."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from agent.types import Endpoint, Fetched, Secret
from tools.search.duckduckgo import DUCKDUCKGO
from tools.search.google import GOOGLE
from tools.search.provider import Failure, Provider, ProviderFailed, limited, retry_after_s, text_of
from tools.search.searxng import SEARXNG
from tools.search.wikipedia import WIKIPEDIA

KEYED = Endpoint("google", keys=(Secret("k-123"),), extra={"cx": "engine"})
NOON = "2026-11-30T12:00:00Z"


def reply(body: Any = b"", status: int = 200, headers: Mapping[str, str] | None = None, at: str = NOON) -> Fetched:
    raw = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    return Fetched("https://en.wikipedia.org/w/api.php", status, "", raw, headers or {}, at)


def failure(provider: Provider, fetched: Fetched) -> ProviderFailed:
    with pytest.raises(ProviderFailed) as caught:
        provider.parse(fetched, Endpoint(provider.name))
    return caught.value


def google_error(code: int, reason: str, message: str = "no") -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "errors": [{"reason": reason}]}}


CASES = [
    (GOOGLE, reply(google_error(429, "rateLimitExceeded", "Queries per minute"), 429), Failure.RATE_LIMITED),
    (GOOGLE, reply(google_error(429, "rateLimitExceeded", "Queries per day"), 429), Failure.QUOTA),
    (GOOGLE, reply(google_error(403, "quotaExceeded"), 403), Failure.QUOTA),
    (GOOGLE, reply(google_error(400, "keyInvalid"), 400), Failure.AUTH),
    (GOOGLE, reply(google_error(400, "badRequest", "API key not valid."), 400), Failure.AUTH),
    (GOOGLE, reply(google_error(403, "forbidden"), 403), Failure.AUTH),
    (GOOGLE, reply(google_error(403, "forbidden"), 403, at="2027-01-02T00:00:00Z"), Failure.GONE),
    (GOOGLE, reply(google_error(403, "quotaExceeded"), 403, at="2027-01-02T00:00:00Z"), Failure.QUOTA),
    (GOOGLE, reply(google_error(400, "invalid"), 400), Failure.BAD_REQUEST),
    (GOOGLE, reply(google_error(500, "backendError"), 500), Failure.UNAVAILABLE),
    (GOOGLE, reply({"error": "quota exceeded"}), Failure.QUOTA),
    (GOOGLE, reply("<html>Not Found</html>", 404), Failure.GONE),
    (GOOGLE, reply("captcha", 403), Failure.BLOCKED),
    (GOOGLE, reply({"items": {}}), Failure.PARSE_CHANGED),
    (SEARXNG, reply("Too Many Requests", 429), Failure.RATE_LIMITED),
    (SEARXNG, reply("<h1>Forbidden</h1>", 403), Failure.AUTH),
    (SEARXNG, reply("<title>Just a moment...</title>", 503), Failure.BLOCKED),
    (SEARXNG, reply({"error": "No query"}, 400), Failure.BAD_REQUEST),
    (SEARXNG, reply({"error": "search error"}), Failure.UNAVAILABLE),
    (SEARXNG, reply({"results": [], "unresponsive_engines": ["wikidata"]}), Failure.UNAVAILABLE),
    (SEARXNG, reply("", 302, {"location": "https://fen.example/login"}), Failure.UNAVAILABLE),
    (SEARXNG, reply("<html>results</html>"), Failure.PARSE_CHANGED),
    (SEARXNG, reply("gone", 410), Failure.GONE),
    (DUCKDUCKGO, reply("<html></html>", 202), Failure.BLOCKED),
    (DUCKDUCKGO, reply("<form id=challenge-form></form>"), Failure.BLOCKED),
    (DUCKDUCKGO, reply("slow down", 429), Failure.RATE_LIMITED),
    (DUCKDUCKGO, reply("oops", 500), Failure.UNAVAILABLE),
    (DUCKDUCKGO, reply("<!-- nothing -->"), Failure.PARSE_CHANGED),
    (DUCKDUCKGO, reply("bad", 400), Failure.BAD_REQUEST),
    (WIKIPEDIA, reply({"error": {"code": "maxlag"}}), Failure.UNAVAILABLE),
    (WIKIPEDIA, reply({"error": {"code": "ratelimited"}}), Failure.RATE_LIMITED),
    (WIKIPEDIA, reply({"error": {"code": "globalblocking-blockedtext-ip"}}), Failure.BLOCKED),
    (WIKIPEDIA, reply({"error": {"code": "readapidenied"}}, 403), Failure.AUTH),
    (WIKIPEDIA, reply({"error": {"code": "search-text-disabled"}}), Failure.GONE),
    (WIKIPEDIA, reply({"error": {"code": "missingparam"}}), Failure.BAD_REQUEST),
    (WIKIPEDIA, reply({"error": "odd"}), Failure.BAD_REQUEST),
    (WIKIPEDIA, reply("set a user-agent", 403), Failure.BLOCKED),
    (WIKIPEDIA, reply("[" * 100_000), Failure.PARSE_CHANGED),
    (WIKIPEDIA, reply({"query": {"search": None}}), Failure.PARSE_CHANGED),
    (WIKIPEDIA, reply("", 418), Failure.PARSE_CHANGED),
]


@pytest.mark.parametrize(("provider", "fetched", "kind"), CASES, ids=[f"{c[0].name}-{n}" for n, c in enumerate(CASES)])
def test_status_and_machine_code_tell_failures_apart(provider: Provider, fetched: Fetched, kind: Failure) -> None:
    found = failure(provider, fetched)
    assert (found.kind, found.provider) == (kind, provider.name)
    assert str(found).startswith(provider.name + " ")
    assert "\n" not in str(found)


def test_searxng_without_json_is_told_what_to_change() -> None:
    assert "add json to search.formats" in str(failure(SEARXNG, reply("<h1>Forbidden</h1>", 403)))


def test_wikipedia_that_turns_a_user_agent_away_is_told_which_setting_helps() -> None:
    assert "SCOUT_CONTACT" in str(failure(WIKIPEDIA, reply("robot policy", 403)))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        ("Mon, 30 Nov 2026 12:01:30 GMT", 90),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0),
        ("soon", 0),
        ("", 0),
        ("-5", 0),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, seconds: float) -> None:
    assert retry_after_s(reply(headers={"retry-after": value})) == seconds
    assert failure(SEARXNG, reply("no", 429, {"retry-after": value})).retry_after_s == seconds


def test_a_date_to_retry_after_says_nothing_without_the_time_of_the_reply() -> None:
    assert retry_after_s(reply(headers={"retry-after": "Mon, 30 Nov 2026 12:01:30 GMT"}, at="")) == 0


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("é".encode(), "", "é"),
        ("é".encode("latin-1"), "text/html; charset=ISO-8859-1", "é"),
        (b"\x80", "text/html; charset=iso-8859-1", "€"),
        ("\ufeffé".encode(), "text/html; charset=latin-1", "é"),
        ("é".encode("utf-16"), "", "é"),
        (b'<meta charset="gb2312">' + "鎔".encode("gb18030"), "text/html", '<meta charset="gb2312">鎔'),
        (b"\xff", "text/html; charset=no-such", "\ufffd"),
    ],
)
def test_a_body_is_decoded_by_bom_header_meta_or_as_utf_8(body: bytes, content_type: str, text: str) -> None:
    assert text_of(Fetched("", 200, content_type, body)) == text


def test_google_is_asked_with_a_key_that_never_prints() -> None:
    request = GOOGLE.request("brine", KEYED, ("fen.example",), "zh")
    sent = dict(request.params)
    assert request.url == "https://customsearch.googleapis.com/customsearch/v1"
    assert (sent["cx"], sent["q"], sent["siteSearch"], sent["siteSearchFilter"]) == (
        "engine",
        "brine",
        "fen.example",
        "i",
    )
    assert "k-123" not in repr(request)
    assert sent["key"].encode() == b"k-123"  # what an encoder of the wire sees


def test_several_sites_become_operators_and_none_leave_the_query_alone() -> None:
    assert limited("brine", ("a.example", "b.example")) == "brine (site:a.example OR site:b.example)"
    assert limited("brine", ("a.example",)) == "brine site:a.example"
    assert limited("brine", ()) == "brine"
    assert dict(GOOGLE.request("brine", KEYED, ("a.example", "b.example"), "en").params)["q"].count("site:") == 2


@pytest.mark.parametrize(
    "base", ["http://fen.example:8888", "http://fen.example:8888/", "http://fen.example:8888/search"]
)
def test_searxng_is_asked_for_json_below_whatever_address_was_given(base: str) -> None:
    request = SEARXNG.request("盐", Endpoint("searxng", base), (), "zh")
    assert request.url == "http://fen.example:8888/search"
    assert {("q", "盐"), ("format", "json"), ("language", "zh")} <= set(request.params)
    assert {"Accept", "Accept-Language"} <= set(dict(request.headers))
    assert "language" not in dict(SEARXNG.request("salt", Endpoint("searxng", base), (), "en").params)


def test_duckduckgo_is_sent_the_form_of_its_first_page() -> None:
    request = DUCKDUCKGO.request("salt", Endpoint("duckduckgo"), ("fen.example",), "en")
    assert request.url == "https://html.duckduckgo.com/html/"
    assert request.form == (("q", "salt site:fen.example"), ("b", ""), ("kl", "wt-wt"))


@pytest.mark.parametrize(
    ("base", "apis"),
    [
        ("", ["https://zh.wikipedia.org/w/api.php"]),
        ("https://de.wikipedia.org/wiki/Salz", ["https://de.wikipedia.org/w/api.php"]),
        ("http://fen.example:8080", ["http://fen.example:8080/api.php", "http://fen.example:8080/w/api.php"]),
        ("http://fen.example/w/", ["http://fen.example/w/api.php", "http://fen.example/w/w/api.php"]),
        ("http://fen.example/mw/index.php/Main", ["http://fen.example/mw/api.php", "http://fen.example/mw/w/api.php"]),
        ("http://fen.example/mw/api.php?x=1", ["http://fen.example/mw/api.php"]),
        ("http://fen.example/wiki/Main", ["http://fen.example/w/api.php", "http://fen.example/wiki/api.php"]),
    ],
)
def test_the_api_of_a_wiki_is_looked_for_where_wikis_have_it(base: str, apis: list[str]) -> None:
    assert [place.base_url for place in WIKIPEDIA.places(Endpoint("wikipedia", base), "zh", "")] == apis


def test_a_wiki_is_not_asked_about_another_site() -> None:
    assert WIKIPEDIA.places(Endpoint("wikipedia"), "en", "fen.example") == ()
    assert WIKIPEDIA.places(Endpoint("wikipedia"), "en", "wikipedia.org")[0].base_url.startswith("https://en.")
    assert WIKIPEDIA.places(Endpoint("wikipedia"), "en", "de.wikipedia.org")[0].base_url.startswith("https://de.")


@pytest.mark.parametrize(
    ("general", "url"),
    [
        (None, "http://fen.example:8080/wiki/Salt_%26_fen"),
        ({"articlepath": "/index.php/$1"}, "http://fen.example:8080/index.php/Salt_%26_fen"),
        ({"articlepath": "/i.php?title=$1"}, "http://fen.example:8080/i.php?title=Salt_%26_fen"),
        (
            {"articlepath": "https://evil.example/a/$1", "server": "//evil.example"},
            "http://fen.example:8080/a/Salt_%26_fen",
        ),
        ({"articlepath": "//evil.example/$1"}, "http://fen.example:8080/Salt_%26_fen"),
        ({"articlepath": 7}, "http://fen.example:8080/wiki/Salt_%26_fen"),
        ({"articlepath": "@evil.example/$1"}, "http://fen.example:8080/@evil.example/Salt_%26_fen"),
    ],
)
def test_a_wiki_says_where_its_pages_are_but_not_on_which_host(general: object, url: str) -> None:
    body = {"query": {"search": [{"title": "Salt & fen"}], "general": general}}
    (found,) = WIKIPEDIA.parse(reply(body), Endpoint("wikipedia", "http://me:pw@fen.example:8080/w/api.php"))
    assert (found.url, found.title) == (url, "Salt & fen")


def test_a_wiki_does_two_searches_in_one_request() -> None:
    wiki = Endpoint("wikipedia", "http://fen.example/w/api.php")
    sent = dict(WIKIPEDIA.request("salt pans Fen\nFen", wiki, (), "en").params)
    assert (sent["list"], sent["srsearch"], sent["gsrsearch"]) == ("search", "salt pans Fen", "Fen")
    assert {sent["srwhat"], sent["gsrwhat"]} == {"text"}  # Wikipedia's own engine refuses a search of titles
    assert "generator" not in dict(WIKIPEDIA.request("salt", wiki, (), "en").params)


def test_hits_of_both_searches_stand_in_the_order_of_each() -> None:
    pages = [{"title": "Third", "index": 2}, {"title": "Second", "index": 1, "description": "a fen"}, "odd"]
    query = {"search": [{"title": "First", "snippet": "x"}], "pages": pages}
    found = WIKIPEDIA.parse(reply({"query": query}), Endpoint("wikipedia"))
    assert [(h.title, h.snippet) for h in found] == [("First", "x"), ("Second", "a fen"), ("Third", "")]


@pytest.mark.parametrize("others", [{"pages": {"7": {}}}, {"pages": [{"index": "a"}, 7]}])
def test_odd_replies_of_the_second_search_leave_the_first_as_it_is(others: dict[str, object]) -> None:
    query = {"search": [{"title": "Salt"}], **others}
    assert [h.title for h in WIKIPEDIA.parse(reply({"query": query}), Endpoint("wikipedia"))] == ["Salt"]


@pytest.mark.parametrize(
    ("snippet", "text"),
    [
        ("the [[Brine Bridge|old <b>bridge</b>]] on [[Fen]]", "the old bridge on Fen"),
        ("'''Salt''' is ''dear''", "Salt is dear"),
        ("{| class=x\n|+ Pans\n|-\n| Deep || 4 m", "class=x Pans | Deep 4 m"),
        ("== Past == cut]] {{height|4", "Past cut height|4"),
        ("dug in 1931&lt;ref name=a&gt;Fen&lt;/ref&gt;", "dug in 1931 Fen"),
        ("a | b, it's [1] {x}", "a | b, it's [1] {x}"),
    ],
)
def test_a_snippet_of_a_wiki_loses_the_marks_of_wikitext_and_nothing_else(snippet: str, text: str) -> None:
    body = {"query": {"search": [{"title": "Salt", "snippet": snippet}]}}
    assert WIKIPEDIA.parse(reply(body), Endpoint("wikipedia"))[0].snippet == text
