"""Text from a pipe: how much, what kind, and what it is to the question."""

from __future__ import annotations

import io

import pytest

from agent.errors import ConfigError
from agent.shell.piped import CONTEXT_CHARS, QUESTION_CHARS, STDIN_BYTES, Question, question, read
from agent.shell.stdio import Stdio


def piped(data: bytes) -> str:
    return read(Stdio(io.TextIOWrapper(io.BytesIO(data)), io.StringIO(), io.StringIO()))


def test_text_next_to_words_is_their_context() -> None:
    assert question("Who wrote this?", "A poem.\n") == Question("Who wrote this?", "A poem.")


def test_text_alone_is_the_question() -> None:
    assert question("", "\n How long?\n") == Question("How long?")


@pytest.mark.parametrize(("words", "text"), [("", ""), ("  ", "\n"), ("\t", "")])
def test_an_empty_question_is_refused_with_an_example(words: str, text: str) -> None:
    with pytest.raises(ConfigError, match=r'the question is empty; write for example: scout "'):
        question(words, text)


def test_a_question_at_the_limit_is_asked_and_one_above_it_is_refused_with_both_numbers() -> None:
    assert len(question("x" * QUESTION_CHARS, "").text) == 20_000
    with pytest.raises(ConfigError, match="the question has 100,000 characters, and 20,000 is the limit"):
        question("x" * 100_000, "")
    with pytest.raises(ConfigError, match="20,001 characters"):
        question("", "你" * 20_001)


def test_a_context_that_is_too_long_is_cut_and_says_so() -> None:
    cut = question("Q", "x" * 30_000)
    assert (len(cut.context), cut.note) == (
        CONTEXT_CHARS,
        "of the piped text the first 20,000 characters are used, of 30,000",
    )


def test_an_argument_that_is_not_text_is_refused() -> None:
    with pytest.raises(ConfigError, match="not UTF-8 text: character 3"):
        question("ab\udcff", "")


def test_utf_8_is_read_with_and_without_a_byte_order_mark() -> None:
    assert (piped("多久？".encode()), piped("多久？".encode("utf-8-sig")), piped(b"")) == ("多久？", "多久？", "")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x7fELF\x02\x01\x01\x00\x00", "binary, not text"),
        ("How long?".encode("utf-16"), "not"),
        ("caf\xe9 noir".encode("latin-1"), "byte 3 is not UTF-8"),
        ("你".encode()[:2], "byte 0 is not UTF-8"),
    ],
)
def test_what_is_not_text_is_refused_in_one_line(data: bytes, reason: str) -> None:
    with pytest.raises(ConfigError, match=rf"^stdin: .*{reason}.*--no-input$"):
        piped(data)


def test_no_more_than_a_mebibyte_is_read_and_a_character_cut_in_two_is_no_error() -> None:
    text = piped(b"x" + "é".encode() * STDIN_BYTES)
    assert len(text) == 1 + (STDIN_BYTES - 1) // 2


def test_a_stream_that_is_closed_is_one_line() -> None:
    stream = io.TextIOWrapper(io.BytesIO(b""))
    stream.close()
    with pytest.raises(ConfigError, match="stdin: cannot be read"):
        read(Stdio(stream, io.StringIO(), io.StringIO()))
