"""The embedded model: llama.cpp in a child process, spoken to like any OpenAI-compatible server."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from agent.doors.clock import SystemClock
from agent.errors import ModelUnavailable
from agent.models.openai import Dialect, OpenAIModel
from agent.models.sizes import size_b
from agent.models.weights import located
from agent.ports import Clock
from agent.types import Message, Reply, Secret

CONTEXT = 4096
GOODBYE_S = 2.0
ILLEGAL, KILLED = 4, 9  # signals by their POSIX numbers: Windows does not name them
SERVER = Path(__file__).with_name("embedded_server.py")


class EmbeddedModel:
    """A model on this machine. `name` is "", the name of known weights, or the path of a GGUF file of the user's own.

    The child is started by the first reply, and again after it has crashed. `log` is where llama.cpp's own words go.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        context: int = CONTEXT,
        threads: int = 0,  # 0: one for each physical core
        log: Path | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.name = f"local:{name}" if name else "local"
        self.window = context
        self._weights, known = located(name, folder)
        self.size_b = known.size_b if known else size_b(self._weights.name)
        self._order = {"weights": str(self._weights), "context": context, "threads": threads}
        self._log = log
        self._clock = clock or SystemClock()
        self._child: subprocess.Popen[bytes] | None = None
        self._client: OpenAIModel | None = None

    def learn(self) -> None:
        """Nothing to ask: the file's name or size tells what it is."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, timeout_s: float
    ) -> Reply:
        """One reply. Raises ModelUnavailable: no runtime, no weights, no memory, a crash, the deadline."""
        deadline = self._clock.monotonic() + timeout_s
        client = self._client or self._start(timeout_s)
        try:
            left_s = deadline - self._clock.monotonic()
            return replace(client.complete(messages, schema, max_tokens, left_s), model=self.name)
        except ModelUnavailable as err:
            raise self._explained(err) from err

    def close(self) -> None:
        """End the child. Safe to call twice."""
        child, client, self._child, self._client = self._child, self._client, None, None
        if client:
            client.close()
        if child:
            _end(child)

    def _start(self, timeout_s: float) -> OpenAIModel:
        """Start the child and wait until it has loaded the weights."""
        self.close()
        if not self._weights.is_file():
            raise ModelUnavailable(self.name, f"{self._weights} is not there", "scout models get")
        key = secrets.token_urlsafe(32)
        self._child = child = _spawn(self._log)
        # The load has no other way to be stopped: what reads the pipe below sees its end.
        watch = threading.Timer(timeout_s, child.kill)
        watch.daemon = True
        watch.start()
        try:
            said = _exchange(child, {**self._order, "key": key})
        except BaseException:
            child.kill()  # while it loads it hears no goodbye, and Ctrl-C should not wait for one
            self.close()
            raise
        finally:
            late = not watch.is_alive()
            watch.cancel()
        if "port" not in said:
            raise self._not_started(said, late, timeout_s)
        base = f"http://127.0.0.1:{said['port']}/v1"
        # Every reply of ours is one line of JSON, so this server, which takes it, is given the tighter grammar.
        dialect = Dialect(format="grammar")
        self._client = OpenAIModel(
            self._weights.stem, base, Secret(key), window=self.window, dialect=dialect, clock=self._clock
        )
        return self._client

    def _not_started(self, said: Mapping[str, Any], late: bool, timeout_s: float) -> ModelUnavailable:
        child = self._child
        self.close()
        if late:
            return ModelUnavailable(
                self.name, f"not loaded within {timeout_s:.3g} s", "SCOUT_MODEL_SECONDS allows more"
            )
        if "missing" in said:
            return ModelUnavailable(self.name, "its runtime is not installed", 'pip install "scout[local]"')
        if "failed" in said:
            remedy = "scout models remove and scout models get fetch the weights anew"
            return ModelUnavailable(self.name, f"{self._weights.name} cannot be loaded ({said['failed']})", remedy)
        return ModelUnavailable(self.name, *_death(child.returncode if child else None))

    def _explained(self, err: ModelUnavailable) -> ModelUnavailable:
        """Why there is no reply: because the child died, or else what `err` says, without the address it says it of."""
        child = self._child
        with suppress(subprocess.TimeoutExpired):
            # A connection breaks a moment before the process that held it is gone.
            if child and child.wait(0.2) is not None:
                self.close()
                return ModelUnavailable(self.name, *_death(child.returncode))
        return ModelUnavailable(self.name, err.reason.rpartition("/v1: ")[2], err.remedy)


def _spawn(log: Path | None) -> subprocess.Popen[bytes]:
    """The child, in a session of its own, so that the terminal's Ctrl-C does not reach it."""
    # -P: the folder of the file must not be searched for modules, for it has names like openai in it.
    command = [sys.executable, "-P", str(SERVER)]
    errors: int | IO[bytes] = subprocess.DEVNULL
    if log:
        errors = os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0, start_new_session=True
        )
    finally:
        if not isinstance(errors, int):
            errors.close()


def _exchange(child: subprocess.Popen[bytes], order: Mapping[str, Any]) -> Mapping[str, Any]:
    """Send the order, and give the child's one line; {} where it ended without a word."""
    assert child.stdin
    assert child.stdout
    with suppress(BrokenPipeError):
        child.stdin.write(json.dumps(order).encode() + b"\n")
    line = child.stdout.readline()
    said: Mapping[str, Any] = json.loads(line) if line.endswith(b"\n") else {}
    return said


def _end(child: subprocess.Popen[bytes]) -> None:
    """The end of its standard input tells the child to go; one that does not is killed."""
    for pipe in (child.stdin, child.stdout):
        if pipe:
            pipe.close()
    try:
        child.wait(GOODBYE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _death(status: int | None) -> tuple[str, str]:
    """Why the child is gone, as far as its status tells, and what would help."""
    if status == -ILLEGAL:
        return "this processor lacks what the runtime needs (AVX2)", "choose another --model"
    if status == -KILLED:
        return "its process was killed, as happens when memory runs out", "choose smaller weights: scout models list"
    how = f"by signal {-status}" if status and status < 0 else f"with status {status}"
    return f"its process ended {how}", "ask again; if it happens again, choose another --model"
