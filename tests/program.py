"""The real program as a child process: `python main.py …` in a folder of its own, in an environment that knows only it.

def test_…(program: Program):                    # its model server and its website are on loopback
    program.model.says(*ANSWERS)                 # what it does unless told otherwise
    program.web.add("/tern", Reply("…"))
    ran = program.run("--json", QUESTION)        # Ran: status, out, err
    with program.started(QUESTION) as process:   # to be interrupted on the way
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import act
from tests.scriptedserver import Line, ModelServer, reading
from tests.shell_console import PATIENCE_S, Ran, Terminal, on_terminal
from tests.site import Reply, Site, json_reply

MAIN = Path(__file__).parent.parent / "main.py"
QUESTION = "How long is the Tern Bridge?"
SENTENCE = "The Tern Bridge is 412 metres long."
PAGE = (
    "<html><head><title>Tern Bridge</title></head><body><h1>Tern Bridge</h1>"
    f"<p>{SENTENCE} It was opened in 1931 by the mayor of Port Annick.</p>"
    "<p>Two lanes and a footpath lead over the river.</p></body></html>"
)
SEARCHES = act("search", query="Tern Bridge", site="any")
NOT_FOUND = act("answer", content="not found")
ANSWERS: tuple[Line, ...] = (SEARCHES, reading, act("answer", content=SENTENCE))


@dataclass
class Program:
    """Runs main.py. What it searches with is a SearXNG played by `web`, which is also the one site it may read."""

    folder: Path
    model: ModelServer
    web: Site
    environ: dict[str, str] = field(default_factory=dict)
    patience_s: float = 4 * PATIENCE_S

    def run(
        self,
        *argv: str,
        stdin: bytes = b"",
        before: Callable[[], None] | None = None,
        stdout: int = subprocess.PIPE,
        **env: str,
    ) -> Ran:
        """One run to its end. `env` is added to the environment; `before` is called in the child."""
        done = subprocess.run(
            command(*argv),
            input=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=self.environment(**env),
            cwd=self.folder,
            timeout=self.patience_s,
            preexec_fn=before,
        )
        ran = Ran(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())
        assert "Traceback" not in ran.err, ran.err
        return ran

    @contextmanager
    def started(self, *argv: str, **env: str) -> Iterator[subprocess.Popen[bytes]]:
        """A run that goes on; killed at the end if it has not ended."""
        process = subprocess.Popen(
            command(*argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(**env),
            cwd=self.folder,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    @contextmanager
    def terminal(self, *argv: str, **env: str) -> Iterator[Terminal]:
        """A run with all three streams on a terminal of its own."""
        with on_terminal(command(*argv), self.folder, self.environment(TERM="xterm", **env)) as screen:
            yield screen

    def environment(self, **more: str) -> dict[str, str]:
        """Nothing of the machine's but where its programs are: no proxy, no key, no home."""
        here = str(self.folder)
        homes = {"HOME": here, "XDG_DATA_HOME": here, "XDG_CONFIG_HOME": here, "XDG_CACHE_HOME": here}
        ways = {
            "OPENAI_BASE_URL": self.model.base_url,
            "SEARXNG_URL": self.web.url("/"),
            "SCOUT_MODEL": "openai:scripted",
            "SCOUT_SEARCH": "searxng",
            "SCOUT_ALLOW_PRIVATE": self.web.netloc,
        }
        return {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"} | homes | ways | self.environ | more

    @property
    def journal(self) -> Path:
        """The file of the journal."""
        return self.folder / "scout" / "journal.db"

    def recorded(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of the journal."""
        database = sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True)
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    @property
    def outcome(self) -> Mapping[str, Any]:
        """The Outcome of the latest run, as the journal has it."""
        found = self.recorded("SELECT data FROM events WHERE kind = 'outcome' ORDER BY id DESC LIMIT 1")
        return dict(json.loads(found[0][0]))


def command(*argv: str) -> list[str]:
    """The program as a person starts it from a checkout."""
    return [sys.executable, str(MAIN), *argv]


def hits(*urls: str) -> Reply:
    """What SearXNG says when it has found these."""
    return json_reply({"results": [{"title": f"Tern Bridge {n}", "url": url} for n, url in enumerate(urls, 1)]})


def interrupted(process: subprocess.Popen[bytes], reached: Callable[[], bool]) -> tuple[Ran, float]:
    """Press Ctrl-C once `reached` is true; what the run came to, and the seconds that it took to end."""
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        assert time.monotonic() < deadline, "the run did not get there"
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    time.sleep(0.2)  # the request has come in; let the program wait for its answer
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    out, err = process.communicate(timeout=PATIENCE_S)
    return Ran(process.returncode, out.decode(), err.decode()), time.monotonic() - started


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """A program whose model searches, reads and answers, and whose web has one page, which search finds."""
    with Site() as web, ModelServer(ANSWERS) as model:
        web.add("/search", hits(web.url("/tern")))
        web.add("/tern", Reply(PAGE))
        yield Program(tmp_path, model, web)
