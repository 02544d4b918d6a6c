"""Text from the web on a terminal: what is taken out of it, and where its lines break."""

from __future__ import annotations

import time

import pytest

from agent.shell.plain import cells, clean, one_line, shorten, wrap


@pytest.mark.parametrize(
    ("hostile", "left"),
    [
        ("a\x1b[31mred\x1b[0m b", "ared b"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;cm0gLXJm\x07safe", "safe"),
        ("\x1bPq#0\x1b\\after", "after"),
        ("\x9b2Jgone", "gone"),
        ("\x9d0;title\x9ctext", "text"),
        ("\x1b(0line\x1bc", "line"),
        ("open \x1b]0;never closed", "open 0;never closed"),
        ("a\x08\x08b\x00c\x7fd", "abcd"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("\u202egpj.exe\u202c \u2066x\u2069", "gpj.exe x"),
        ("x\U000e0041\U000e0042", "x"),
        ("half \ud83d of a pair", "half \ufffd of a pair"),
        ("tab\tstays, so does 你好 and ÿ", "tab\tstays, so does 你好 and ÿ"),
    ],
)
def test_nothing_that_steers_a_terminal_is_left(hostile: str, left: str) -> None:
    assert clean(hostile) == left


def test_cleaning_is_linear_on_hostile_text() -> None:
    started = time.perf_counter()
    for hostile in (
        "\x1b]" * 50_000,
        "\x1b[" + "1;" * 50_000,
        "\x1bP" + "x" * 100_000,
        "\r" * 100_000,
        "\x9d" * 100_000,
    ):
        clean(hostile)
    assert time.perf_counter() - started < 2


def test_one_line_is_one_line() -> None:
    assert one_line(" a\n\n b\r\nc \t d\x1b[2K ") == "a b c d"


def test_wide_characters_take_two_columns_and_combining_ones_none() -> None:
    assert (cells("abc"), cells("你好"), cells("e\u0301"), cells("！")) == (3, 4, 1, 2)


@pytest.mark.parametrize(
    ("text", "width", "short"), [("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("你好吗", 5, "你好…")]
)
def test_a_cut_line_fits_its_columns(text: str, width: int, short: str) -> None:
    assert (shorten(text, width), cells(short) <= width) == (short, True)


def test_lines_break_between_words_and_keep_their_indent() -> None:
    assert wrap("the quick brown fox", 12, "  ") == "  the quick\n  brown fox"


def test_a_dash_before_a_broken_line_stands_once() -> None:
    assert wrap("the quick brown fox", 12, "- ") == "- the quick\n  brown fox"


def test_chinese_breaks_between_characters_and_not_before_a_comma() -> None:
    assert wrap("北京是中国的首都，人口很多", 8) == "北京是中\n国的首\n都，人口\n很多"


def test_a_word_longer_than_the_line_is_left_whole() -> None:
    assert wrap("see https://example.org/a/very/long/path now", 16) == "see\nhttps://example.org/a/very/long/path\nnow"


def test_without_a_width_lines_stay_long_and_blank_lines_stay() -> None:
    assert wrap("one " * 100 + "\n\ntwo", 0) == ("one " * 100).rstrip() + "\n\ntwo"
