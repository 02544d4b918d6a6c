"""The three standard streams as one value: who is a terminal, and writing that dies of no character and no reader."""

from __future__ import annotations

import codecs
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from agent.errors import ConfigError

FALLBACK_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Stdio:
    """stdout carries the answer and nothing else; stderr carries progress, notes and errors."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    stdin_isatty: bool = False
    stdout_isatty: bool = False
    stderr_isatty: bool = False

    @classmethod
    def process(cls) -> Stdio:
        """The streams of this process. One that was closed before it started (`>&-`) is /dev/null."""
        stdin, stdout, stderr = sys.stdin or _null("r"), sys.stdout or _null("w"), sys.stderr or _null("w")
        _tolerate(stdin, "replace")
        # Every character can be printed everywhere: what the encoding cannot hold is written as its number.
        _tolerate(stdout, "backslashreplace")
        _tolerate(stderr, "backslashreplace")
        return cls(stdin, stdout, stderr, stdin.isatty(), stdout.isatty(), stderr.isatty())

    def out(self, text: str) -> None:
        """Write to stdout at once. A reader that has left (`| head -1`) is no error.

        Raises ConfigError where stdout cannot be written, such as a file on a full disk; later writes vanish.
        """
        try:
            self.stdout.write(text)
            self.stdout.flush()
        except BrokenPipeError:
            _let_go(self.stdout)
        except OSError as err:
            _let_go(self.stdout)
            raise ConfigError(f"stdout: cannot be written: {err.strerror or err}") from err

    def err(self, text: str) -> None:
        """Write to stderr at once. Where that fails there is nobody left to tell."""
        try:
            self.stderr.write(text)
            self.stderr.flush()
        except OSError:
            _let_go(self.stderr)

    def read_line(self, prompt: str) -> str:
        """One line typed by a person, without its line end; edited with readline where that is loaded.

        Raises EOFError on Ctrl-D and KeyboardInterrupt on Ctrl-C.
        """
        if self.stdin is sys.stdin:
            return input(prompt)
        self.out(prompt)
        line = self.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    @property
    def unicode(self) -> bool:
        """stdout holds every character as UTF-8."""
        return codecs.lookup(self.stdout.encoding or "ascii").name == "utf-8"

    @property
    def width(self) -> int:
        """Columns of the terminal behind stderr, or else behind stdout; 80 where neither is one."""
        for stream in (self.stderr, self.stdout):
            try:
                return os.get_terminal_size(stream.fileno()).columns or FALLBACK_WIDTH
            except (OSError, ValueError):
                continue
        return FALLBACK_WIDTH


def _null(mode: str) -> TextIO:
    return Path(os.devnull).open(mode, encoding="utf-8")  # type: ignore[return-value]


def _tolerate(stream: TextIO, errors: str) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=errors)


def _let_go(stream: TextIO) -> None:
    """Point the stream's descriptor at /dev/null: what is still buffered would fail again when Python exits."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, stream.fileno())
    finally:
        os.close(null)
