"""Which URLs and addresses the policy admits, and what a user may write into it."""

from __future__ import annotations

import ipaddress
import time

import pytest

from agent.errors import ConfigError, PolicyDenied
from agent.policy import Policy, grant_entry, is_public, joined, place_of, shown, site_entry

POLICY = Policy(("nasa.gov", "wikipedia.org"), ("wiki.lan:8080", "127.0.0.1:9000", "[::1]:9000", "plain.lan:80"))


def denied(url: str, policy: Policy = POLICY) -> str:
    with pytest.raises(PolicyDenied) as caught:
        policy.canonical(url)
    return caught.value.kind


# The whitelist


@pytest.mark.parametrize("host", ["nasa.gov", "NASA.gov", "www.nasa.gov", "nasa.gov.", "nasa.gov:443", "a.b.nasa.gov"])
def test_whitelisted_domain_and_all_names_below_it_are_admitted(host: str) -> None:
    assert POLICY.refusal(f"https://{host}/") == ""


@pytest.mark.parametrize(
    "host",
    [
        "evilnasa.gov",
        "nasa.gov.evil.com",
        "nasa-gov.com",
        "gov",
        "evil.com/nasa.gov",
        "evil.com#.nasa.gov",
        "xnasa.gov.",
    ],
)
def test_what_only_contains_the_domain_is_refused(host: str) -> None:
    assert denied(f"https://{host}") == "host_not_allowed"


def test_letter_that_lower_turns_into_an_ascii_one_is_refused() -> None:
    assert "\u212a".lower() == "k"  # KELVIN SIGN
    assert denied("https://en.wi\u212aipedia.org/") == "host_not_allowed"


def test_underscore_is_for_granted_hosts_only() -> None:
    assert denied("https://data_lake.nasa.gov/") == "malformed"
    assert Policy((), ("my_wiki:8080",)).canonical("http://my_wiki:8080/") == "http://my_wiki:8080/"


def test_an_empty_whitelist_admits_nothing() -> None:
    assert denied("https://nasa.gov/", Policy(())) == "host_not_allowed"


def test_refusal_names_the_host_and_what_would_be_allowed() -> None:
    assert POLICY.refusal("https://evil.com/") == "evil.com is not whitelisted; allowed: nasa.gov, wikipedia.org"


# One spelling


def test_canonical_form_is_a_fixed_point() -> None:
    once = POLICY.canonical(" HTTP://WWW.NASA.gov.:80/a b/%c3/100%?q=é#top ")
    assert once == "https://www.nasa.gov/a%20b/%c3/100%25?q=%C3%A9"
    assert POLICY.canonical(once) == once


def test_lone_surrogates_are_malformed_and_not_a_crash() -> None:
    assert denied("https://nasa.gov/\ud800") == "malformed"


def test_a_url_of_100_kb_is_refused_quickly() -> None:
    started = time.perf_counter()
    assert denied("https://nasa.gov/" + "%" * 100_000) == "malformed"
    assert denied("https://" + "a." * 3000 + "nasa.gov/") == "malformed"
    assert time.perf_counter() - started < 0.1


def test_messages_are_one_line_and_hold_no_password() -> None:
    with pytest.raises(PolicyDenied) as caught:
        POLICY.canonical("https://anna:geheim@nasa.gov/\u2028" + "x" * 500)
    assert "geheim" not in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert len(shown("https://nasa.gov/\n" + "x" * 500)) < 210


# Grants


def test_granted_host_keeps_http_and_its_port() -> None:
    assert POLICY.canonical("http://Wiki.LAN:8080/page") == "http://wiki.lan:8080/page"
    assert POLICY.canonical("http://127.0.0.1:9000") == "http://127.0.0.1:9000/"
    assert POLICY.canonical("https://[0:0::1]:9000/") == "https://[::1]:9000/"
    assert POLICY.canonical("http://plain.lan/") == "http://plain.lan/"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://wiki.lan:8081/", "host_not_allowed"),
        ("http://wiki.lan/", "host_not_allowed"),
        ("http://sub.wiki.lan:8080/", "host_not_allowed"),
        ("http://127.0.0.1:9001/", "ip_literal"),
        ("http://127.0.0.2:9000/", "ip_literal"),
        ("http://127.1:9000/", "ip_literal"),
        ("ftp://wiki.lan:8080/", "scheme"),
        ("http://anna@wiki.lan:8080/", "userinfo"),
        ("https://plain.lan/", "host_not_allowed"),
    ],
)
def test_a_grant_is_for_exactly_that_host_and_port(url: str, kind: str) -> None:
    assert denied(url) == kind


def test_private_address_is_admitted_for_the_granted_host_and_port_alone() -> None:
    assert POLICY.address_refusal("wiki.lan", 8080, "10.0.0.9") == ""
    assert "not a public address" in POLICY.address_refusal("wiki.lan", 443, "10.0.0.9")
    assert "not a public address" in POLICY.address_refusal("nasa.gov", 443, "10.0.0.9")
    assert "no address" in POLICY.address_refusal("wiki.lan", 8080, "10.9")


# Addresses

PUBLIC = (
    "8.8.8.8 192.0.66.108 198.17.255.255 198.20.0.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 223.255.255.255"
)
PUBLIC_6 = "2620:0:861:ed1a::1 2a00:1450::1 64:ff9b::808:808 ::ffff:8.8.8.8 2001:200::1"
PRIVATE = "0.0.0.0 10.255.0.1 100.64.0.1 100.100.100.200 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.9"
PRIVATE_2 = (
    "192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.7 203.0.113.7 224.0.0.1 255.255.255.255 168.63.129.16"
)
PRIVATE_6 = (
    ":: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 64:ff9b::a00:1 64:ff9b:1::808:808 100::1 2001::1 2001:db8::1 "
    "2002:808:808::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 febf::1 "
    "fec0::1 ff02::1 4000::1"
)


@pytest.mark.parametrize("address", [*PUBLIC.split(), *PUBLIC_6.split()])
def test_public_address(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", [*PRIVATE.split(), *PRIVATE_2.split(), *PRIVATE_6.split(), "2a00::1%eth0"])
def test_address_that_is_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


# Entries of the user


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (" Example.ORG ", "example.org"),
        ("*.example.org.", "example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("faß.example", "xn--fa-hia.example"),  # IDNA 2008; that of 2003 has fass.example, somebody else's
        ("bbc.co.uk", "bbc.co.uk"),
        ("anna.github.io", "anna.github.io"),
    ],
)
def test_whitelist_entry_in_ascii_form(text: str, entry: str) -> None:
    assert site_entry(text) == entry


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("https://example.org", "the domain alone"),
        ("example.org/docs", "the domain alone"),
        ("anna@example.org", "the domain alone"),
        ("com", "too wide"),
        ("co.uk", "too wide"),
        ("*.github.io", "too wide"),
        ("10.0.0.7", "--allow-private"),
        ("[::1]", "--allow-private"),
        ("example.org:8080", "--allow-private"),
        ("0x7f.1", "--allow-private"),
        ("", "not a domain"),
        ("two words.org", "not a domain"),
        ("-x.org", "not a domain"),
        ("ex..org", "not a domain"),
    ],
)
def test_whitelist_entry_that_is_refused_says_what_would_work(text: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=hint):
        site_entry(text)


def test_grant_is_host_and_port() -> None:
    assert [grant_entry(text) for text in ("Wiki.lan:8080", " 127.0.0.1:80", "[0::1]:9000")] == [
        "wiki.lan:8080",
        "127.0.0.1:80",
        "[::1]:9000",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "wiki.lan",
        "wiki.lan:",
        ":80",
        "http://wiki.lan:80",
        "wiki.lan:0",
        "wiki.lan:70000",
        "a/b:80",
        "a@b:80",
        "::1:80",
    ],
)
def test_grant_that_is_no_host_and_port_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="HOST:PORT"):
        grant_entry(text)


# Redirect targets


@pytest.mark.parametrize("reference", ["", " ", "/a\tb", "/a\nb", "https://na\rsa.gov/", "/\\evil.com", "\x01/x"])
def test_location_that_urljoin_would_repair_is_refused(reference: str) -> None:
    with pytest.raises(PolicyDenied):
        joined("https://nasa.gov/a", reference)


def test_location_is_resolved_against_the_page() -> None:
    base = "https://nasa.gov/a/b?c"
    assert [joined(base, to) for to in ("../d", "//x.org/e", "?f", "https:g", "///h")] == [
        "https://nasa.gov/d",
        "https://x.org/e",
        "https://nasa.gov/a/b?f",
        "https:g",
        "https:///h",
    ]


def test_place_of_names_the_origin() -> None:
    assert place_of("http://nasa.gov:8080/x?y#z").origin == "http://nasa.gov:8080"
    assert place_of("https://nasa.gov:443").origin == "https://nasa.gov"
