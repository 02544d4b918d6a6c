"""What a robots.txt allows."""

from __future__ import annotations

import time

from agent.doors.robots import MAX_BYTES, parse


def allowed(text: str, *targets: str) -> list[bool]:
    rules = parse(text.encode(), "Scout")
    return [rules.allows(target) for target in targets]


def test_longest_rule_wins_and_a_tie_allows() -> None:
    assert allowed("User-agent: *\nDisallow: /a\nAllow: /a/b\n", "/a", "/a/c", "/a/b") == [False, False, True]
    assert allowed("User-agent: *\nDisallow: /a\nAllow: /a\n", "/a") == [True]


def test_own_group_replaces_the_general_one_and_groups_merge() -> None:
    general, own = "User-agent: *\nDisallow: /\n\n", "User-agent: scout/2\nDisallow: /x\n\n"
    text = general + own + "User-agent: Other\nUser-agent: SCOUT\nDisallow: /y"
    assert allowed(text, "/x", "/y", "/z") == [False, False, True]


def test_agent_is_compared_as_a_whole_token() -> None:
    assert allowed("User-agent: Sco\nDisallow: /\nUser-agent: Scouting\nDisallow: /", "/") == [True]


def test_unknown_lines_and_blank_lines_end_no_group() -> None:
    assert allowed("User-agent: Scout\n\nCrawl-delay: 3\nSitemap: /s\nUser-agent: other\nDisallow: /x", "/x") == [False]


def test_star_and_dollar() -> None:
    text = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /a*b*c\nDisallow: /$\nDisallow: /p$q"
    targets = ("/x.pdf", "/x.pdf?y", "/a1b2c3", "/ac", "/", "/q", "/p$q", "/p")
    assert allowed(text, *targets) == [False, True, False, True, False, True, False, True]


def test_ending_may_not_overlap_what_was_matched_before_it() -> None:
    assert allowed("User-agent: *\nDisallow: /ab*ba$", "/aba", "/abba", "/ab.ba") == [True, False, False]


def test_escapes_are_compared_in_one_spelling() -> None:
    text = "User-agent: *\nDisallow: /caf%c3%a9\nDisallow: /%7Eanna\nDisallow: /火\nDisallow: /a%2Ab\nDisallow: /c%2Fd"
    targets = ("/caf%C3%A9", "/~anna", "/%E7%81%AB", "/a*b", "/axb", "/c/d", "/c%2fd")
    assert allowed(text, *targets) == [False, False, False, False, True, True, False]


def test_bom_comments_cr_and_empty_rules() -> None:
    assert allowed("\ufeffUser-agent: * # all\rDisallow: /x # no\rDisallow:\r", "/x", "/y") == [False, True]


def test_garbage_allows_and_only_the_first_500_kib_count() -> None:
    assert allowed("<html><body>Not found</body></html>", "/") == [True]
    padding = b"#" * MAX_BYTES
    assert parse(padding + b"\nUser-agent: *\nDisallow: /", "Scout").allows("/")


def test_a_rule_of_many_stars_takes_no_time() -> None:
    started = time.perf_counter()
    assert allowed("User-agent: *\nDisallow: /" + "*a" * 2000 + "b$", "/" + "a" * 8000) == [True]
    assert time.perf_counter() - started < 0.5
