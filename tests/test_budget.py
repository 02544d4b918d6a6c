"""The meter: what counts, and how often."""

from __future__ import annotations

import pytest

from agent.budget import Budget, Meter
from agent.errors import BudgetExhausted
from agent.types import Egress, Purpose, Reply


def test_a_robots_look_up_is_counted_apart() -> None:
    meter = Meter(Budget())
    meter.charge_request(Purpose.ROBOTS, "a.example")
    assert (meter.requests, meter.left(Purpose.PAGE)) == (0, 4)
    assert meter.egress == (Egress("a.example", 1, 0),)


@pytest.mark.parametrize(("requests", "left"), [(0, 0), (1, 1), (2, 2), (3, 2), (5, 4)])
def test_the_reserve_is_kept_only_where_a_search_and_a_page_can_be_had_without_it(requests: int, left: int) -> None:
    meter = Meter(Budget(requests=requests))
    assert (meter.left(Purpose.PAGE), meter.left(Purpose.SEARCH)) == (left, min(left, 2))
    meter.checking = True
    assert meter.left(Purpose.PAGE) == requests


def test_steps_end_with_a_line_that_says_what_allows_more() -> None:
    meter = Meter(Budget(steps=2))
    meter.charge_step(0)
    meter.charge_step(0)
    with pytest.raises(BudgetExhausted, match="stopped after 2 steps; --max-steps allows more"):
        meter.charge_step(0)


def test_time_counts_from_the_start() -> None:
    meter = Meter(Budget(seconds=10), started=100)
    meter.charge_step(109)
    with pytest.raises(BudgetExhausted, match="10 s"):
        meter.charge_step(110)


def test_a_good_action_forgives_the_bad_ones_before_it() -> None:
    meter = Meter(Budget(bad_in_a_row=3))
    for bad in (True, True, False, True, True):
        meter.charge_action(bad=bad)
    with pytest.raises(BudgetExhausted):
        meter.charge_action(bad=True)


def test_usage_sums_what_servers_report() -> None:
    meter = Meter(Budget(), started=1)
    meter.charge_reply(Reply("a", prompt_tokens=10, output_tokens=2, seconds=0.5))
    meter.charge_reply(Reply("b", prompt_tokens=20, output_tokens=3, seconds=0.25))
    meter.charge_request(Purpose.PAGE, "a")
    meter.charge_received("a", 500)
    usage = meter.usage(3.5)
    assert (usage.prompt_tokens, usage.output_tokens, usage.model_seconds, usage.seconds) == (30, 5, 0.75, 2.5)
    assert (usage.requests, usage.received) == (1, 500)
