"""The command line called as a person would, on real files for streams."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from agent.shell.cli import main
from agent.shell.ports import App
from agent.shell.stdio import Stdio
from tests.fakes import ScriptedConversation, fake_app, outcome

ROOT = Path(__file__).parent.parent
PATIENCE_S = 30.0  # a loaded machine is slow; nothing waits that long when all is well


@dataclass(frozen=True, slots=True)
class Ran:
    """What one call came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(slots=True)
class Console:
    """Calls main() with streams in `folder` and an environment that knows nothing but that folder."""

    folder: Path
    talk: ScriptedConversation = field(default_factory=lambda: ScriptedConversation(outcome()))
    environ: dict[str, str] = field(default_factory=dict)

    def run(self, *argv: str, stdin: bytes = b"", app: App | None = None, **ttys: bool) -> Ran:
        (self.folder / "in").write_bytes(stdin)
        homes = {"XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        with (
            (self.folder / "in").open("rb") as read,
            (self.folder / "out").open("wb") as out,
            (self.folder / "err").open("wb") as err,
        ):
            stdio = Stdio(io.TextIOWrapper(read), text_over(out), text_over(err), **ttys)
            status = main(argv, stdio, app or fake_app(self.talk), homes | self.environ)
        return Ran(status, (self.folder / "out").read_text("utf-8"), (self.folder / "err").read_text("utf-8"))


def text_over(raw: BinaryIO, encoding: str = "utf-8") -> io.TextIOWrapper:
    return io.TextIOWrapper(raw, encoding, errors="backslashreplace", write_through=True)


def command(*argv: str) -> list[str]:
    """The stand-in for the installed command, as a process of its own."""
    return [sys.executable, "-m", "tests.shell_program", *argv]


def environment(folder: Path, **more: str) -> dict[str, str]:
    homes = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    return {"PATH": os.environ["PATH"], "TERM": "xterm", **homes, **more}


@dataclass(slots=True)
class Terminal:
    """A process on a pseudo-terminal of its own."""

    process: subprocess.Popen[bytes]
    master: int
    seen: str = ""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode(errors="surrogateescape"))

    def interrupt(self) -> None:
        """Type Ctrl-C no faster than a person: Python misses one that comes right before it waits for a key."""
        time.sleep(0.1)
        self.type("\x03")

    def wait_for(self, text: str) -> str:
        """What came since the last wait, up to `text`."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} did not come: {self.seen!r}"
            if not self._read():
                break
        before, found, self.seen = self.seen.partition(text)
        assert found, f"{text!r} did not come before the end: {before!r}"
        return before + found

    def end(self) -> int:
        """The exit status; all that was still to come is in `seen`."""
        while self._read():
            pass
        return self.process.wait(PATIENCE_S)

    def _read(self) -> bool:
        if not select.select([self.master], [], [], 0.2)[0]:
            return self.process.poll() is None
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says EIO when the last writer has left
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)


@contextmanager
def terminal(folder: Path, *argv: str, **env: str) -> Iterator[Terminal]:
    """The stand-in on a terminal."""
    with on_terminal(command(*argv), folder, environment(folder, **env)) as screen:
        yield screen


@contextmanager
def on_terminal(line: list[str], folder: Path, env: dict[str, str]) -> Iterator[Terminal]:
    """Run a command with all three streams on a new terminal, which is its controlling one, so that ^C works."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", CONTROLLING, *line],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=folder,
        env=env,
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(master)


CONTROLLING = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
