"""The search tool on the wire: providers as routes of a loopback site, asked through the real gate and door."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.budget import Budget
from agent.errors import FetchFailed, PolicyDenied, SearchFailed
from agent.policy import Policy
from agent.ports import Store, ToolContext, Web
from agent.types import Endpoint, Fetched, Observation, Purpose, Secret
from tests.doors import House
from tests.site import Reply, Route, Seen, Silent, Site, json_reply
from tools.search import origins, search
from tools.search.chain import admitted
from tools.search.clean import hit

QUESTION = "How long is the Brine Bridge?"
SITES = ("wikipedia.org", "fen.example")
BRINE = "https://en.wikipedia.org/wiki/Brine_Bridge"


class Nothing:
    """Stands for the ports that a search may not touch."""

    def get(self, url: str) -> Fetched:
        raise AssertionError(url)


class NoStore:
    def put(self, body: bytes) -> str:
        raise AssertionError(body)

    def get(self, sha256: str) -> bytes:
        raise AssertionError(sha256)


def context(
    house: House,
    *endpoints: Endpoint,
    question: str = QUESTION,
    sites: tuple[str, ...] = SITES,
    policy: Policy | None = None,
) -> ToolContext:
    policy = policy or Policy(sites, house.policy.grants)
    web: Web = Nothing()
    store: Store = NoStore()
    now = house.clock.now()
    return ToolContext(question, web, house.services, store, policy.refusal, now, endpoints, policy.sites)


class Town:
    """A loopback site that plays all providers, each below a path of its own."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.searxng = Endpoint("searxng", site.url("/sx"))
        self.google = Endpoint("google", site.url("/g"), (Secret("k-123"),), {"cx": "e"})
        self.duckduckgo = Endpoint("duckduckgo", site.url("/ddg"))
        self.wiki = Endpoint("wikipedia", site.url("/mw/api.php"))

    def plays(self, **routes: Route | tuple[Route, ...]) -> None:
        paths = {"sx": "/sx/search", "g": "/g/customsearch/v1", "ddg": "/ddg/html/", "mw": "/mw/api.php"}
        for name, replies in routes.items():
            self.site.add(paths[name], *(replies if isinstance(replies, tuple) else (replies,)))

    def ask(self, query: str, *endpoints: Endpoint, requests: int = 9, **more: Any) -> Observation:
        budget = Budget(requests=requests, reserve=0, searches_in_a_row=requests)
        policy = Policy(SITES, (self.site.netloc,))
        with House(self.site, policy, budget, origins=origins(endpoints)) as house:
            given = {name: more.pop(name) for name in ("question", "sites") if name in more}
            ctx = replace(context(house, *endpoints, **given), **{n: more.pop(n) for n in tuple(more) if n != "site"})
            return search(query, ctx, **more)

    def queries(self, name: str = "q") -> list[str]:
        return [seen.query.get(name) or seen.form.get(name, "") for seen in self.site.seen]


@pytest.fixture
def town() -> Any:
    with Site() as site:
        yield Town(site)


def sx(*urls: str, engines: list[Any] | None = None) -> Reply:
    results = [{"url": url, "title": url.rpartition("/")[2].replace("_", " "), "content": "x"} for url in urls]
    return json_reply({"results": results, "unresponsive_engines": engines or []})


def mw(*titles: str) -> Reply:
    found = [{"title": title, "snippet": "the <b>bridge</b>"} for title in titles]
    return json_reply({"query": {"search": found, "general": {"articlepath": "/wiki/$1"}}})


def test_hits_are_numbered_with_title_url_and_snippet_and_a_search_that_went_well_leaves_no_note(town: Town) -> None:
    town.plays(sx=sx("https://en.wikipedia.org/wiki/Toll", BRINE))
    seen = town.ask("Brine Bridge length", town.searxng)
    assert seen.text == f"1. Brine Bridge\n   {BRINE}\n   x\n2. Toll\n   https://en.wikipedia.org/wiki/Toll\n   x"
    assert [(h.url, h.provider) for h in seen.hits[:1]] == [(BRINE, "searxng")]
    assert seen.notes == ()


def test_at_most_so_many_results_come_back_and_snippets_are_cut(town: Town) -> None:
    results = [{"url": f"{BRINE}_{n}", "title": "t " * 200, "content": "word " * 100} for n in range(9)]
    town.plays(sx=json_reply({"results": results}))
    seen = town.ask("brine", town.searxng, results=2, snippet_chars=40)
    assert [len(h.snippet) <= 40 and h.snippet.endswith("word…") for h in seen.hits] == [True, True]
    assert max(map(len, seen.text.splitlines())) < 130


def test_results_off_the_whitelist_are_hidden_counted_and_named(town: Town) -> None:
    town.plays(sx=sx("https://a.example/1", "https://a.example/2", BRINE, "https://b.example/", "javascript:x"))
    seen = town.ask("brine", town.searxng)
    assert [h.url for h in seen.hits] == [BRINE]
    assert "3 results hidden: a.example, b.example; --allow to admit" in seen.notes


def test_only_hidden_results_are_told_apart_from_none_and_not_asked_for_again(town: Town) -> None:
    town.plays(sx=sx("https://a.example/1"))
    seen = town.ask("the length of the Brine Bridge", town.searxng)
    assert seen.text.startswith("Nothing that may be read was found")
    assert (seen.notes, len(town.site.seen)) == (("1 result hidden: a.example; --allow to admit",), 1)


BLOCKED = Reply("<form id='challenge-form' action='//duckduckgo.com/anomaly.js'></form>", 202)
FAILURES = {
    "rate limited": (Reply("Too Many Requests", 429, headers=(("Retry-After", "3600"),)), "429: try again in 3600 s"),
    "bot check": (Reply("<title>Just a moment...</title>", 403), "bot check"),
    "no json": (Reply("<h1>Forbidden</h1>", 403), "add json to search.formats"),
    "broken": (Reply("oops", 500), "answered 500"),
    "page": (Reply("<html>hello</html>"), "a web page instead of its JSON"),
    "cut": (Reply('{"results": ['), "instead of its JSON"),
    "redirect": (Reply("", 302, headers=(("Location", "https://fen.example/login"),)), "https://fen.example/login"),
    "engines": (sx(engines=[["brave", "Suspended: CAPTCHA"]]), "brave (Suspended: CAPTCHA)"),
    "hangs up": (Reply(b"", raw=True), "cannot be reached"),
    "too slow": (Reply("{}", after_s=5), "cannot be reached"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_the_next_provider_takes_over_and_the_reason_is_told(town: Town, name: str) -> None:
    reply, reason = FAILURES[name]
    town.plays(sx=reply, mw=mw("Brine Bridge"))
    seen = town.ask("Brine Bridge", town.searxng, town.wiki)
    assert [h.title for h in seen.hits] == ["Brine Bridge"]
    assert seen.notes[0].startswith("searxng ")
    assert reason in seen.notes[0]
    assert seen.notes[1:] == ("wikipedia answered",)


def test_with_two_providers_blocked_the_third_answers(town: Town) -> None:
    town.plays(ddg=BLOCKED, sx=FAILURES["rate limited"][0], mw=mw("Brine Bridge"))
    seen = town.ask("Brine Bridge", town.duckduckgo, town.searxng, town.wiki)
    assert (town.site.hits, len(seen.hits)) == (["/ddg/html/", "/sx/search", "/mw/api.php"], 1)


def test_when_nobody_answers_the_search_fails_with_the_reason_of_each(town: Town) -> None:
    town.plays(ddg=BLOCKED, sx=Reply("x", 500), mw=Reply("x", 403))
    with pytest.raises(SearchFailed) as caught:
        town.ask("brine bridge", town.duckduckgo, town.searxng, town.wiki)
    words = str(caught.value)
    assert words.startswith("search: no provider answered: duckduckgo answered 202")
    assert "; searxng answered 500; wikipedia answered 403" in words


def test_a_provider_that_failed_is_not_asked_again_with_fewer_words(town: Town) -> None:
    town.plays(sx=Reply("x", 500), mw=mw())
    town.ask("how long is the Brine Bridge", town.searxng, town.wiki)
    assert town.site.hits == ["/sx/search", "/mw/api.php", "/mw/api.php"]


def test_nothing_found_is_a_result_and_no_failure(town: Town) -> None:
    town.plays(sx=Reply("x", 500), mw=mw())
    seen = town.ask("brine", town.searxng, town.wiki)
    assert (seen.text, seen.error, seen.hits) == (
        'Nothing was found for "brine" by wikipedia. Try other words.',
        "",
        (),
    )
    assert seen.notes == ("searxng answered 500",)


def test_a_wiki_is_asked_for_the_telling_words_and_the_subject_at_once_then_for_what_else_is_named(town: Town) -> None:
    town.plays(mw=(mw(), mw("Lake Fen")))
    seen = town.ask(
        "Who opened the Brine Bridge over Fen?", town.wiki, question="Who opened the Brine Bridge over Fen?"
    )
    assert town.queries("srsearch") == ["opened Brine Bridge Fen", "Fen"]
    assert town.queries("gsrsearch") == ["Brine Bridge", "Bridge"]
    assert "wikipedia answered to 'Fen' or 'Bridge'" in seen.notes


def test_a_query_takes_from_the_question_what_is_a_name(town: Town) -> None:
    town.plays(mw=mw("Brine Bridge"))
    town.ask("brine bridge length", town.wiki)
    assert (town.queries("srsearch"), town.queries("gsrsearch")) == (["brine bridge length"], ["Brine Bridge"])


def test_a_query_is_relaxed_once_and_no_more(town: Town) -> None:
    town.plays(mw=mw())
    town.ask("Who opened the 1931 Brine Bridge over the Fen?", town.wiki)
    assert len(town.site.seen) == 2


def test_when_the_first_finds_nothing_the_next_is_asked_before_words_are_dropped(town: Town) -> None:
    town.plays(sx=sx(), mw=mw("Brine Bridge"))
    seen = town.ask("Brine Bridge opened", town.searxng, town.wiki)
    assert town.site.hits == ["/sx/search", "/mw/api.php"]
    assert seen.notes == ("searxng found nothing for 'Brine Bridge opened'", "wikipedia answered")


def test_no_request_goes_beyond_the_budget_and_what_was_not_asked_is_told(town: Town) -> None:
    town.plays(sx=Reply("x", 500), ddg=BLOCKED)
    with pytest.raises(SearchFailed, match=r"wikipedia was not asked: .*spent"):
        town.ask("brine", town.searxng, town.duckduckgo, town.wiki, requests=2)
    assert len(town.site.seen) == 2


def test_a_spent_budget_only_ends_the_relaxing(town: Town) -> None:
    town.plays(mw=mw())
    seen = town.ask("how long is the Brine Bridge in metres", town.wiki, requests=1)
    assert (len(town.site.seen), seen.text.startswith("Nothing was found"), seen.notes) == (1, True, ())


def test_with_no_request_left_at_all_the_budget_speaks(town: Town) -> None:
    with House(town.site, budget=Budget(requests=1, reserve=0), origins=origins((town.wiki,))) as house:
        house.meter.charge_request(Purpose.SEARCH, "x")
        with pytest.raises(PolicyDenied) as caught:
            search("brine", context(house, town.wiki))
    assert (caught.value.kind, town.site.hits) == ("budget", [])


def test_without_a_provider_the_user_is_told_how_to_name_one(town: Town) -> None:
    with pytest.raises(SearchFailed, match="--search wikipedia"):
        town.ask("brine")


def test_the_second_place_of_a_wiki_is_found_and_kept_within_the_call(town: Town) -> None:
    town.site.add("/w/api.php", mw(), mw("Brine Bridge"))
    seen = town.ask("Brine Bridge opened", Endpoint("wikipedia", town.site.url("/")))
    assert town.site.hits == ["/api.php", "/w/api.php", "/w/api.php"]
    assert [h.url for h in seen.hits] == [town.site.url("/wiki/Brine_Bridge")]


def test_pages_of_a_granted_wiki_keep_http_and_port(town: Town) -> None:
    town.plays(mw=mw("Brine Bridge"))
    assert town.ask("brine", town.wiki).hits[0].url == f"http://{town.site.netloc}/wiki/Brine_Bridge"


def test_hits_by_http_are_read_by_https_and_each_page_stands_once() -> None:
    found = [hit("p", "t", url) for url in ("http://fen.example:80/a?utm_source=x", "https://fen.example/a#b")]
    kept, hidden = admitted([h for h in found if h], Policy(SITES).refusal)
    assert ([h.url for h in kept], hidden) == (["https://fen.example/a"], ())


def test_a_query_without_a_site_is_limited_to_a_short_whitelist(town: Town) -> None:
    town.plays(sx=sx(BRINE), g=json_reply({"items": []}))
    town.ask("brine", town.searxng)
    town.ask("brine", town.searxng, sites=tuple(f"s{n}.example" for n in range(6)) + SITES)
    assert town.queries() == ["brine (site:wikipedia.org OR site:fen.example)", "brine"]


def test_one_site_is_asked_for_and_checked_again(town: Town) -> None:
    town.plays(sx=sx(BRINE, "https://www.fen.example/brine"))
    seen = town.ask("brine", town.searxng, site="fen.example")
    assert (town.queries(), [h.url for h in seen.hits]) == (
        ["brine site:fen.example"],
        ["https://www.fen.example/brine"],
    )


@pytest.mark.parametrize("site", ["any", "", "evil.example", "wikipedia", "notfen.example"])
def test_a_site_that_is_not_whitelisted_is_no_site(town: Town, site: str) -> None:
    town.plays(sx=sx(BRINE))
    town.ask("brine", town.searxng, site=site)
    assert town.queries() == ["brine (site:wikipedia.org OR site:fen.example)"]


def test_a_wiki_that_cannot_search_the_site_searches_all_and_says_so(town: Town) -> None:
    town.plays(mw=mw("Brine Bridge"))
    seen = town.ask("brine", town.wiki, site="fen.example")
    assert (len(seen.hits), seen.notes[-1]) == (1, "no provider can search fen.example alone; searched without it")


@pytest.mark.parametrize(
    "query", ["!g brine", "site:evil.example brine -site:fen.example", ":fr !!brine", "brine\n\x00"]
)
def test_orders_to_a_search_engine_do_not_leave(town: Town, query: str) -> None:
    town.plays(sx=sx(BRINE))
    town.ask(query, town.searxng)
    (asked,) = town.queries()
    assert asked.endswith("brine (site:wikipedia.org OR site:fen.example)")
    assert not any(mark in asked for mark in ("!", " :", "evil", "\x00"))
    assert not asked.startswith(":")


def test_a_query_is_cut_at_its_limit(town: Town) -> None:
    town.plays(sx=sx(BRINE))
    town.ask("brine " * 1000, town.searxng, sites=())
    assert len(town.queries()[0]) <= 120


def test_what_a_wiki_suggests_never_becomes_a_query(town: Town) -> None:
    town.plays(mw=json_reply({"query": {"searchinfo": {"suggestion": "secret words"}, "search": []}}))
    town.ask("brine bridge opened", town.wiki)
    assert all("secret" not in query for query in town.queries("srsearch"))


def test_the_key_goes_to_google_and_nowhere_else(town: Town) -> None:
    town.plays(g=json_reply({"error": {"code": 403, "message": "no", "errors": [{"reason": "forbidden"}]}}, 403))
    with pytest.raises(SearchFailed) as caught:
        town.ask("brine", town.google)
    assert town.queries("key") == ["k-123"]
    assert "k-123" not in f"{caught.value!r}{caught.value}"


def test_google_is_said_to_end_when_it_is_used(town: Town) -> None:
    town.plays(g=json_reply({"items": [{"title": "Brine", "link": BRINE}]}))
    assert "google's Custom Search API ends on 2027-01-01" in town.ask("brine", town.google).notes


def test_duckduckgo_is_posted_a_form(town: Town) -> None:
    town.plays(ddg=Reply(f"<div class=result><a class=result__a href='{BRINE}'>Brine</a></div>"))
    seen = town.ask("brine", town.duckduckgo)
    assert (town.site.seen[0].method, town.site.seen[0].form["b"], len(seen.hits)) == ("POST", "", 1)


def test_a_redirect_to_another_host_is_not_followed_with_the_key(town: Town) -> None:
    with Silent() as elsewhere:
        town.plays(g=Reply("", 302, headers=(("Location", f"http://127.0.0.1:{elsewhere.port}/"),)))
        with pytest.raises(SearchFailed):
            town.ask("brine", town.google)
        assert not elsewhere.touched


@pytest.mark.parametrize(
    ("question", "query", "host"),
    [
        ("这座桥有多长？", "桥 长度", "zh.wikipedia.org"),
        ("How long is it?", "Brine Bridge", "en.wikipedia.org"),
        ("这座 Brine 桥有多长？", "Brine", "zh.wikipedia.org"),
        ("这座桥有多长？", "Brine Bridge length", "en.wikipedia.org"),
    ],
)
def test_the_question_chooses_the_wiki_unless_the_query_was_translated(question: str, query: str, host: str) -> None:
    asked: list[str] = []

    class Services:
        def send(self, request: Any) -> Fetched:
            asked.append(request.url)
            raise FetchFailed(request.url, "down")

    with Site() as site, House(site) as house:
        ctx = replace(context(house, Endpoint("wikipedia"), question=question), services=Services())
        with pytest.raises(SearchFailed, match="wikipedia cannot be reached: down"):
            search(query, ctx)
    assert asked == [f"https://{host}/w/api.php"]


def test_a_service_that_the_door_refuses_counts_as_failed(town: Town) -> None:
    with House(town.site, origins=("http://elsewhere.example",)) as house, pytest.raises(SearchFailed) as caught:
        search("brine", context(house, town.searxng))
    assert "searxng cannot be asked: not one of the configured services" in str(caught.value)


def test_the_door_learns_the_origins_of_the_chain(town: Town) -> None:
    chain = (
        Endpoint("wikipedia"),
        Endpoint("duckduckgo"),
        Endpoint("google"),
        Endpoint("searxng", "http://u:p@sx.lan:8888/x"),
    )
    assert origins((*chain, Endpoint("wikipedia"))) == (
        "https://*.wikipedia.org",
        "https://html.duckduckgo.com",
        "https://customsearch.googleapis.com",
        "http://sx.lan:8888",
    )


def test_seen_is_what_was_sent(town: Town) -> None:
    def echo(seen: Seen) -> Reply:
        return sx(BRINE + "?" + seen.query["format"])

    town.plays(sx=echo)
    assert town.ask("brine", town.searxng).hits[0].url == BRINE + "?json"
