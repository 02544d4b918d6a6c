"""Text that comes in on a pipe, and how it makes a question together with the words of the command line."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import BinaryIO

from agent.errors import ConfigError
from agent.shell.stdio import Stdio

STDIN_BYTES = 1024 * 1024  # far more than is used: enough to name the size of what is too long
QUESTION_CHARS = 20_000  # what a small model's window can hold next to a page, at the very best
CONTEXT_CHARS = 20_000
EXAMPLE = 'scout "How long is the Øresund Bridge?"'


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, what it is about (`context`, from a pipe), and what a person should know of the reading."""

    text: str
    context: str = ""
    note: str = ""


def question(words: str, piped: str) -> Question:
    """The question as words, else as piped text; text piped next to words is its context.

    Raises ConfigError for one that is empty, too long, or not text.
    """
    asked, context = (words.strip(), piped.strip()) if words.strip() else (piped.strip(), "")
    if not asked:
        raise ConfigError(f"the question is empty; write for example: {EXAMPLE}")
    if len(asked) > QUESTION_CHARS:
        raise ConfigError(
            f"the question has {len(asked):,} characters, and {QUESTION_CHARS:,} is the limit;"
            " pipe long text in, and ask about it in a few words"
        )
    _check_text(asked)
    note = ""
    if len(context) > CONTEXT_CHARS:
        note = f"of the piped text the first {CONTEXT_CHARS:,} characters are used, of {len(context):,}"
    return Question(asked, context[:CONTEXT_CHARS], note)


def read(stdio: Stdio) -> str:
    """All of stdin up to 1 MiB, as text. Waits until its writer ends. Raises ConfigError for what is not text."""
    try:
        data = _bytes(stdio)
    except (OSError, ValueError) as err:  # ValueError: the stream is closed
        raise ConfigError(f"stdin: cannot be read: {err}") from err
    if b"\0" in data:
        raise ConfigError("stdin: this is binary, not text; pipe in text as UTF-8, or give --no-input")
    # Where the cap cut the last character in two, its first bytes are no error.
    whole = len(data) <= STDIN_BYTES
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(data[:STDIN_BYTES], final=whole)
    except UnicodeDecodeError as err:
        raise ConfigError(
            f"stdin: byte {err.start:,} is not UTF-8; pipe in text as UTF-8 (iconv -t utf-8), or give --no-input"
        ) from err


def _bytes(stdio: Stdio) -> bytes:
    buffer: BinaryIO = stdio.stdin.buffer
    return buffer.read(STDIN_BYTES + 1)


def _check_text(asked: str) -> None:
    try:
        asked.encode()
    except UnicodeEncodeError as err:  # bytes of an argument that were no UTF-8 arrive as lone surrogates
        raise ConfigError(f"the question is not UTF-8 text: character {err.start + 1}") from err
