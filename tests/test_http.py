"""The page door on the wire: what leaves, where it goes, what comes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from urllib3.connection import HTTPConnection
from urllib3.exceptions import NewConnectionError

from agent.budget import Budget
from agent.doors.proxies import Proxies
from agent.doors.wire import Wire, dial, system_resolver
from agent.errors import FetchFailed, PolicyDenied
from agent.gate import Ticket
from agent.policy import Policy
from agent.types import Purpose
from tests.corpus.__main__ import failures
from tests.doors import PUBLIC, QUICK, House, Names, SkippingClock
from tests.site import Reply, Silent, Site, redirect

URL = "https://www.nasa.gov/moon"
SHARED = Path(__file__).parent.parent.parent / "shared" / "corpus" / "urls.jsonl"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(tls=True) as site:
        site.add("/moon", Reply("<p>Tides</p>"))
        yield site


@pytest.fixture
def silent() -> Iterator[Silent]:
    with Silent() as silent:
        yield silent


def refused(house: House, url: str = URL) -> str:
    with pytest.raises(PolicyDenied) as caught:
        house.pages.get(url)
    return caught.value.kind


def failed(house: House, url: str = URL) -> FetchFailed:
    with pytest.raises(FetchFailed) as caught:
        house.pages.get(url)
    return caught.value


# A page


def test_page_comes_with_its_hash_and_time_and_is_written_down(site: Site) -> None:
    with House(site) as house:
        page = house.pages.get("http://WWW.nasa.gov/moon#top")
    assert (page.url, page.status, page.content_type) == (URL, 200, "text/html; charset=utf-8")
    assert (page.body, page.sha256) == (b"<p>Tides</p>", hashlib.sha256(b"<p>Tides</p>").hexdigest())
    assert page.retrieved.endswith("Z")
    assert (page.headers["content-length"], page.truncated) == ("12", False)
    kind, data = house.lines[1]
    assert (kind, data["status"], data["received"], data["address"]) == ("response", 200, 12, PUBLIC)
    assert data["sha256"] == page.sha256


def test_request_names_the_host_says_who_asks_and_wants_only_bounded_encodings(site: Site) -> None:
    with House(site) as house:
        house.pages.get(URL)
    seen = site.seen[0]
    assert (seen.method, seen.headers["host"], seen.headers["user-agent"]) == ("GET", "www.nasa.gov", "Scout/0 (test)")
    assert seen.headers["accept-encoding"] == "gzip, deflate"
    assert not {"cookie", "authorization", "referer"} & set(seen.headers)


def test_passwords_of_netrc_are_not_sent(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "netrc").write_text("default login anna password geheim")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with House(site) as house:
        house.pages.get(URL)
    assert "authorization" not in site.seen[0].headers


def test_path_goes_on_the_wire_as_it_was_admitted(site: Site) -> None:
    with House(site) as house:
        assert failed(house, "https://www.nasa.gov/a/../b").status == 404
    assert site.hits == ["/a/../b"]


def test_connection_goes_to_the_checked_address_and_is_kept_for_the_next_page(site: Site) -> None:
    with House(site) as house:
        house.pages.get(URL)
        house.pages.get(URL)
    assert (house.dialled, len(site.hits)) == ([PUBLIC], 2)


def test_connection_over_http_goes_to_the_checked_address_too() -> None:
    with Site() as site, House(site, policy=Policy((), ("wiki.lan:8080",))) as house:
        site.add("/", Reply("intranet"))
        assert house.pages.get("http://wiki.lan:8080/").body == b"intranet"
        assert house.dialled == [PUBLIC]


def test_connection_is_kept_over_a_redirect(site: Site) -> None:
    site.add("/old", Reply("moved", 302, headers=(("Location", "/moon"),)))
    with House(site) as house:
        house.pages.get("https://www.nasa.gov/old")
    assert (house.dialled, site.hits) == ([PUBLIC], ["/old", "/moon"])


def test_certificate_nobody_has_signed_ends_in_tls(site: Site) -> None:
    with House(site, trusted=False) as house:
        assert failed(house).kind == "tls"
    assert site.hits == []


def test_certificate_of_another_name_ends_in_tls() -> None:
    with Site(tls=True, certified="other.example") as site, House(site) as house:
        assert failed(house).kind == "tls"
        assert site.hits == []


def test_trust_comes_from_the_settings_not_from_the_environment(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", site.ca_file)
    with House(site, trusted=False) as house:
        assert failed(house).kind == "tls"


# Nothing reaches what is denied


def test_rebinding_between_two_pages_reaches_nobody(site: Site, silent: Silent) -> None:
    names = Names([(PUBLIC,), ("127.0.0.1",)])
    with House(site, names=names) as house:
        house.pages.get(URL)
        assert refused(house) == "private_address"
    assert (house.dialled, silent.touched) == ([PUBLIC], False)


def test_name_is_looked_up_once_for_check_and_connection(site: Site) -> None:
    names = Names([(PUBLIC,), ("127.0.0.1",)])
    with House(site, names=names) as house:
        house.pages.get(URL)
    assert (names.asked, house.dialled) == (["www.nasa.gov"], [PUBLIC])


@pytest.mark.parametrize("answers", [("127.0.0.1",), (PUBLIC, "127.0.0.1"), ("::1", PUBLIC), ("::ffff:127.0.0.1",)])
def test_private_and_mixed_answers_reach_nobody(site: Site, answers: tuple[str, ...]) -> None:
    with House(site, names=Names([answers])) as house:
        assert refused(house) == "private_address"
    assert (house.dialled, site.hits, house.meter.requests) == ([], [], 0)


@pytest.mark.parametrize(
    "place", ["http://127.0.0.1:{}/", "http://[::ffff:127.0.0.1]:{}/", "http://localhost:{}/", "//2130706433:{}/"]
)
def test_redirect_to_loopback_reaches_nobody(site: Site, silent: Silent, place: str) -> None:
    site.add("/away", redirect(place.format(silent.port)))
    with House(site) as house:
        assert refused(house, "https://www.nasa.gov/away") in ("ip_literal", "host_not_allowed")
    assert (site.hits, silent.touched) == (["/away"], False)


def test_redirect_to_a_whitelisted_name_at_a_private_address_reaches_nobody(site: Site, silent: Silent) -> None:
    site.add("/away", redirect("https://intra.nasa.gov/"))
    with House(site, names=Names([(PUBLIC,), ("127.0.0.1",)])) as house:
        assert refused(house, "https://www.nasa.gov/away") == "private_address"
    assert (house.dialled, silent.touched) == ([PUBLIC], False)


def test_proxies_of_the_environment_are_not_asked(site: Site, silent: Silent, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{silent.port}")
    with House(site) as house:
        house.pages.get(URL)
    assert (site.hits, silent.touched) == (["/moon"], False)


def test_a_connection_for_another_host_than_the_ticket_is_refused(silent: Silent) -> None:
    wire = Wire(SkippingClock(), 1.0, system_resolver, dial)
    wire.start(1.0)
    wire.ticket = Ticket(1, URL, URL, "www.nasa.gov", 443, Purpose.PAGE, (PUBLIC,))
    with pytest.raises(NewConnectionError, match="the ticket is not for"):
        wire.connect(HTTPConnection("127.0.0.1", silent.port))
    assert not silent.touched


def test_dial_takes_addresses_only() -> None:
    with pytest.raises(ValueError, match="localhost"):
        dial("localhost", 80, 1.0)


# Redirects


def test_redirect_off_the_whitelist_is_refused_before_it_is_sent(site: Site) -> None:
    site.add("/away", redirect("https://evil.example/"))
    with House(site) as house, pytest.raises(PolicyDenied, match=r"redirected from https://www\.nasa\.gov/away"):
        house.pages.get("https://www.nasa.gov/away")
    assert (site.hits, house.meter.requests) == (["/away"], 1)


def test_redirect_within_the_whitelist_is_followed_and_each_hop_is_charged(site: Site) -> None:
    site.add("/old", redirect("http://en.wikipedia.org/wiki/Moon", 301))
    site.add("/wiki/Moon", redirect("/wiki/The_Moon", 308), host="en.wikipedia.org")
    site.add("/wiki/The_Moon", Reply("here"))
    with House(site) as house:
        assert house.pages.get("https://www.nasa.gov/old").url == "https://en.wikipedia.org/wiki/The_Moon"
    assert house.meter.requests == 3
    assert [seen.host for seen in site.seen] == ["www.nasa.gov", "en.wikipedia.org", "en.wikipedia.org"]


def test_redirect_stops_when_the_budget_is_spent(site: Site) -> None:
    site.add("/0", redirect("/1"))
    site.add("/1", redirect("/2"))
    with House(site, budget=Budget(requests=2, reserve=0)) as house:
        assert refused(house, "https://www.nasa.gov/0") == "budget"
    assert site.hits == ["/0", "/1"]


def test_endless_redirect_ends_after_five(site: Site) -> None:
    site.add("*", lambda seen: redirect(seen.path + "x"))
    with House(site) as house:
        assert refused(house, "https://www.nasa.gov/x") == "redirect_limit"
    assert len(site.hits) == 6


def test_a_circle_of_redirects_ends_at_the_second_round(site: Site) -> None:
    site.add("/a", redirect("/b"))
    site.add("/b", redirect("/a"))
    with House(site) as house:
        assert refused(house, "https://www.nasa.gov/a") == "redirect_limit"
    assert site.hits == ["/a", "/b", "/a", "/b"]


def test_cookie_set_by_a_redirect_is_given_back_and_forgotten_at_the_next_page(site: Site) -> None:
    consent = Reply(status=302, headers=(("Location", "/moon"), ("Set-Cookie", "seen=1")))
    site.add("/moon", consent, Reply("<p>Tides</p>"))
    with House(site) as house:
        house.pages.get(URL)
        house.pages.get(URL)
    assert [seen.headers.get("cookie") for seen in site.seen] == [None, "seen=1", None]


def test_body_of_a_redirect_is_not_read(site: Site) -> None:
    endless = (b"x" * 1000 for _ in range(10_000))
    site.add("/old", Reply(endless, 302, headers=(("Location", "/moon"),), every_s=0.2))
    with House(site) as house:
        assert house.pages.get("https://www.nasa.gov/old").body == b"<p>Tides</p>"


def test_redirect_without_a_place_is_malformed(site: Site) -> None:
    site.add("/old", Reply(status=302))
    with House(site) as house:
        assert refused(house, "https://www.nasa.gov/old") == "malformed"


# robots.txt


def robots(text: str) -> Reply:
    return Reply(text, type="text/plain")


def test_robots_txt_is_obeyed_and_asked_for_once_a_host(site: Site) -> None:
    site.add("/robots.txt", robots("User-agent: Scout\nDisallow: /private"))
    with House(site, respect_robots=True) as house:
        house.pages.get(URL)
        house.pages.get(URL)
        failure = failed(house, "https://www.nasa.gov/private/x")
    assert (failure.kind, "--ignore-robots" in str(failure)) == ("robots", True)
    assert site.hits == ["/robots.txt", "/moon", "/moon"]
    assert (house.meter.requests, house.meter.counts[Purpose.ROBOTS]) == (2, 1)


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_robots_txt_that_is_not_there_allows(site: Site, status: int) -> None:
    site.add("/robots.txt", Reply("Disallow: /", status))
    with House(site, respect_robots=True) as house:
        assert house.pages.get(URL).status == 200


@pytest.mark.parametrize("status", [429, 500, 503])
def test_robots_txt_that_fails_forbids_and_names_the_switch(site: Site, status: int) -> None:
    site.add("/robots.txt", Reply(status=status))
    with House(site, respect_robots=True) as house:
        failure = failed(house)
        failed(house)
    assert (failure.kind, failure.status, "SCOUT_IGNORE_ROBOTS" in str(failure)) == ("robots", status, True)
    assert site.hits == ["/robots.txt"]


def test_robots_txt_that_never_comes_forbids(site: Site) -> None:
    site.add("/robots.txt", Reply(after_s=5))
    with House(site, respect_robots=True) as house:
        assert failed(house).kind == "robots"


def test_robots_txt_follows_redirects_within_the_whitelist_only(site: Site) -> None:
    site.add("/robots.txt", redirect("https://en.wikipedia.org/robots.txt"), host="www.nasa.gov")
    site.add("/robots.txt", robots("User-agent: *\nDisallow: /moon"), host="en.wikipedia.org")
    site.add("/robots.txt", redirect("https://evil.example/robots.txt"), host="nasa.gov")
    with House(site, respect_robots=True) as house:
        assert failed(house).kind == "robots"
        assert house.pages.get("https://nasa.gov/moon").status == 200


def test_spent_budget_asks_for_no_robots_txt_either(site: Site) -> None:
    with House(site, respect_robots=True, budget=Budget(requests=0)) as house:
        assert refused(house) == "budget"
    assert site.hits == []


# What is no page


def test_type_is_checked_before_the_body_is_read(site: Site) -> None:
    site.add("/film", Reply((b"x" * 1000 for _ in range(1000)), type="video/mp4", every_s=0.2))
    with House(site) as house:
        failure = failed(house, "https://www.nasa.gov/film")
    assert (failure.kind, str(failure)) == ("type", "https://www.nasa.gov/film: video/mp4 is nothing to read")


@pytest.mark.parametrize("told", ["", "application/octet-stream"])
def test_type_that_is_not_told_is_looked_for_in_the_body(site: Site, told: str) -> None:
    site.add("/page", Reply((b"<", b"p>", b"Tides</p>"), type=told))
    site.add("/image", Reply(b"\x89PNG\r\n\x1a\n\x00", type=told))
    with House(site) as house:
        page = house.pages.get("https://www.nasa.gov/page")
        assert (page.content_type, page.body) == ("text/html", b"<p>Tides</p>")
        assert failed(house, "https://www.nasa.gov/image").kind == "type"


@pytest.mark.parametrize("status", [204, 304, 400, 404, 451, 501])
def test_status_other_than_success_is_a_failure_with_its_number(site: Site, status: int) -> None:
    site.add("/x", Reply(b"", status))
    with House(site, limits=replace(QUICK, retries=2)) as house:
        if status == 204:
            assert house.pages.get("https://www.nasa.gov/x").body == b""
        else:
            failure = failed(house, "https://www.nasa.gov/x")
            assert (failure.kind, failure.status, str(status) in str(failure)) == ("status", status, True)
    assert site.hits == ["/x"]


# Grants and proxies


def test_granted_host_is_read_over_http_at_a_private_address_without_robots() -> None:
    with Site() as site:
        site.add("/page", Reply("intranet"))
        policy = Policy((), (f"localhost:{site.port}", site.netloc))
        with House(site, policy=policy, names=system_resolver, respect_robots=True) as house:
            assert house.pages.get(f"http://localhost:{site.port}/page").body == b"intranet"
            assert house.pages.get(site.url("/page")).url == site.url("/page")
        assert site.hits == ["/page", "/page"]


def test_granted_host_may_not_lead_to_another_port(silent: Silent) -> None:
    with Site() as site:
        site.add("/page", redirect(f"http://127.0.0.1:{silent.port}/"))
        with House(site, policy=Policy((), (site.netloc,)), names=system_resolver) as house:
            assert refused(house, site.url("/page")) == "ip_literal"
        assert not silent.touched


def test_proxy_of_the_settings_resolves_the_name_and_name_rules_still_hold() -> None:
    names = Names([("127.0.0.1",)])
    with Site() as proxy:
        proxy.add("/page", Reply("through the proxy"))
        proxies = Proxies(http=f"http://localhost:{proxy.port}", https=f"http://localhost:{proxy.port}")
        with House(proxy, policy=Policy(("nasa.gov",), ("wiki.lan:8080",)), names=names, proxies=proxies) as house:
            assert house.pages.get("http://wiki.lan:8080/page").body == b"through the proxy"
            assert refused(house, "http://evil.example/") == "host_not_allowed"
            assert failed(house).kind == "network"  # this proxy knows no CONNECT
        assert proxy.seen[0].headers["host"] == "wiki.lan:8080"
        assert set(names.asked) == {"localhost"}


# The corpus


def test_every_url_case_of_our_own_passes() -> None:
    assert failures("urls", Path(__file__).parent / "data" / "urls.jsonl")[1] == []


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared corpus is not here")
def test_every_url_case_of_the_shared_corpus_passes() -> None:
    assert failures("urls", SHARED)[1] == []
