"""What the gate admits, charges and writes down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from agent.budget import Budget, Meter
from agent.errors import FetchFailed, PolicyDenied
from agent.gate import Gate
from agent.policy import Policy
from agent.types import Purpose

PAGE = "https://nasa.gov/moon"
API = "https://api.example/search?key=SECRET&q=moon"


class Names:
    """A resolver with one answer that counts how often it is asked."""

    def __init__(self, *addresses: str) -> None:
        self.addresses, self.asked = addresses, 0

    def __call__(self, host: str, port: int) -> tuple[str, ...]:
        self.asked += 1
        return self.addresses


PUBLIC = Names("192.0.66.108")


def gate_of(budget: Budget | None = None) -> tuple[Gate, list[tuple[str, Mapping[str, Any]]]]:
    lines: list[tuple[str, Mapping[str, Any]]] = []
    policy = Policy(("nasa.gov",), ("wiki.lan:8080",))
    return Gate(policy, Meter(budget or Budget()), lambda kind, data: lines.append((kind, data))), lines


def kind_of(gate: Gate, url: str, purpose: Purpose, names: Names) -> str:
    with pytest.raises(PolicyDenied) as caught:
        gate.admit(url, purpose, names)
    return caught.value.kind


def test_admitted_page_is_charged_and_written_down() -> None:
    gate, lines = gate_of()
    ticket = gate.admit("HTTP://NASA.gov/moon#top", Purpose.PAGE, PUBLIC)
    gate.settle(ticket, status=200, received=17, seconds=0.5)
    assert (ticket.url, ticket.addresses, gate.meter.requests) == (PAGE, ("192.0.66.108",), 1)
    assert lines == [
        ("request", {"n": 1, "url": PAGE, "host": "nasa.gov", "purpose": "page"}),
        ("response", {"n": 1, "status": 200, "received": 17, "error": "", "seconds": 0.5}),
    ]
    assert [(e.host, e.requests, e.received) for e in gate.meter.egress] == [("nasa.gov", 1, 17)]


def test_what_the_policy_refuses_is_neither_looked_up_nor_charged_nor_recorded() -> None:
    gate, lines = gate_of()
    names = Names("8.8.8.8")
    assert kind_of(gate, "https://evil.example/", Purpose.PAGE, names) == "host_not_allowed"
    assert (names.asked, gate.meter.requests, lines) == (0, 0, [])


@pytest.mark.parametrize("addresses", [("10.0.0.5",), ("192.0.66.108", "::1"), ("fe80::1%eth0",), ("nonsense",)])
def test_one_private_address_denies_and_nothing_is_charged(addresses: tuple[str, ...]) -> None:
    gate, lines = gate_of()
    assert kind_of(gate, PAGE, Purpose.PAGE, Names(*addresses)) == "private_address"
    assert (gate.meter.requests, lines) == (0, [])


def test_granted_host_may_be_private() -> None:
    gate, _ = gate_of()
    assert gate.admit("http://wiki.lan:8080/", Purpose.PAGE, Names("10.0.0.5")).addresses == ("10.0.0.5",)


def test_name_without_an_address_is_a_failure_of_dns() -> None:
    gate, _ = gate_of()
    with pytest.raises(FetchFailed) as caught:
        gate.admit(PAGE, Purpose.PAGE, Names())
    assert (caught.value.kind, gate.meter.requests) == ("dns", 0)


def test_spent_budget_refuses_pages_before_the_name_is_looked_up() -> None:
    gate, _ = gate_of(Budget(requests=2, reserve=0))
    names = Names("192.0.66.108")
    for _ in range(2):
        gate.admit(PAGE, Purpose.PAGE, names)
    with pytest.raises(PolicyDenied, match="the request budget of 2 is spent") as caught:
        gate.admit(PAGE, Purpose.PAGE, names)
    assert (caught.value.kind, names.asked, gate.meter.requests) == ("budget", 2, 2)


def test_robots_txt_is_counted_apart_and_not_limited() -> None:
    gate, _ = gate_of(Budget(requests=1, reserve=0))
    gate.admit(PAGE, Purpose.PAGE, PUBLIC)
    gate.admit("https://nasa.gov/robots.txt", Purpose.ROBOTS, PUBLIC)
    assert (gate.meter.requests, gate.meter.counts[Purpose.ROBOTS]) == (1, 1)


def test_robots_txt_passes_the_policy_like_a_page() -> None:
    gate, _ = gate_of()
    assert kind_of(gate, "https://evil.example/robots.txt", Purpose.ROBOTS, PUBLIC) == "host_not_allowed"


def test_check_charges_nothing() -> None:
    gate, lines = gate_of()
    assert gate.check("http://nasa.gov", Purpose.PAGE) == "https://nasa.gov/"
    assert (gate.meter.requests, lines) == (0, [])


def test_behind_a_proxy_no_address_is_looked_up() -> None:
    gate, _ = gate_of()
    assert gate.admit(PAGE, Purpose.PAGE, None).addresses == ()


def test_service_is_recorded_without_its_query_and_may_be_private() -> None:
    gate, lines = gate_of()
    ticket = gate.admit_service(API, ["https://api.example"], Names("10.0.0.5"))
    assert (ticket.url, ticket.name) == (API, "https://api.example/search")
    assert "SECRET" not in str(lines)
    assert gate.meter.counts[Purpose.SEARCH] == 1


@pytest.mark.parametrize(
    "url",
    [
        "https://other.example/search?key=SECRET",
        "http://api.example/search?key=SECRET",
        "https://api.example:8443/search?key=SECRET",
        "https://sub.api.example/?key=SECRET",
        "https://api.example.evil.com/?key=SECRET",
        "https://api.example@evil.com/?key=SECRET",
    ],
)
def test_service_request_off_its_origin_is_refused_and_its_key_not_named(url: str) -> None:
    gate, _ = gate_of()
    with pytest.raises(PolicyDenied) as caught:
        gate.admit_service(url, ["https://api.example/base"], PUBLIC)
    assert caught.value.kind == "host_not_allowed"
    assert "SECRET" not in str(caught.value)


def test_service_origin_with_a_star_means_the_names_below() -> None:
    gate, _ = gate_of()
    assert (
        gate.admit_service("https://de.wiki.example/w/api.php", ["https://*.wiki.example"], PUBLIC).host
        == "de.wiki.example"
    )
    with pytest.raises(PolicyDenied):
        gate.admit_service("https://wiki.example/", ["https://*.wiki.example"], PUBLIC)


def test_service_with_a_password_in_its_url_is_known_without_it() -> None:
    gate, lines = gate_of()
    ticket = gate.admit_service(
        "http://anna:geheim@searx.lan:8888/search", ["http://anna:geheim@searx.lan:8888"], PUBLIC
    )
    assert ticket.name == "http://searx.lan:8888/search"
    assert "geheim" not in str(lines)


def test_searches_in_a_row_are_limited_and_the_refusal_says_so() -> None:
    gate, _ = gate_of()
    for _ in range(2):
        gate.admit_service(API, ["https://api.example"], PUBLIC)
    with pytest.raises(PolicyDenied, match="2 searches in a row without reading a page") as caught:
        gate.admit_service(API, ["https://api.example"], PUBLIC)
    assert caught.value.kind == "budget"
    gate.admit(PAGE, Purpose.PAGE, PUBLIC)
    gate.admit_service(API, ["https://api.example"], PUBLIC)


def test_offline_nothing_is_admitted() -> None:
    gate, lines = gate_of(Budget(requests=0))
    assert kind_of(gate, PAGE, Purpose.PAGE, PUBLIC) == "budget"
    with pytest.raises(PolicyDenied):
        gate.admit_service(API, ["https://api.example"], PUBLIC)
    assert lines == []
