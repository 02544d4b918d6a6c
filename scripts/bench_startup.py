"""Measures start-up: from process start to the first byte at the model server, as a multiple of a bare import.

`python -m scripts.bench_startup [PAIRS]`. Every round measures the bare import and each backend once, so that a busy
machine slows both sides alike. Exit status 1 when a bar is missed.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from statistics import median

MAIN = Path(__file__).parent.parent / "main.py"
BARE = (sys.executable, "-c", "import requests, lxml.html")
PAIRS = 11
PATIENCE_S = 60.0
CLOSED = "http://127.0.0.1:1"  # nobody listens there: no Ollama


@dataclass(frozen=True, slots=True)
class Case:
    """One way to start. `environ` maps the server's address to variables; `bar` is the highest ratio that passes."""

    model: str
    bar: float
    environ: Callable[[str], Mapping[str, str]]


CASES = (
    Case("openai:x", 2.0, lambda url: {"OPENAI_BASE_URL": f"{url}/v1", "OLLAMA_HOST": CLOSED}),
    Case("ollama:x", 3.5, lambda url: {"OLLAMA_HOST": url}),
    Case("auto", 2.0, lambda url: {"OPENAI_BASE_URL": f"{url}/v1", "OLLAMA_HOST": CLOSED}),
)


class FirstByte:
    """A model server that notes when the first byte of a request comes in, and never answers."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._arrived: Queue[float] = Queue()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def wait(self) -> float:
        """When it came, on the monotonic clock. Raises queue.Empty after PATIENCE_S."""
        return self._arrived.get(timeout=PATIENCE_S)

    def close(self) -> None:
        """Stop listening. shutdown wakes the thread, which close alone would leave waiting."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # closed
                return
            with connection:
                if connection.recv(1):
                    self._arrived.put(time.monotonic())


def bare_s() -> float:
    """Seconds of the bare import, from start to end of its process."""
    started = time.monotonic()
    subprocess.run(BARE, check=True)
    return time.monotonic() - started


def first_request_s(case: Case, folder: Path) -> float:
    """Seconds from the start of the program to its first request. Raises SystemExit where none comes."""
    server = FirstByte()
    homes = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder))
    started = time.monotonic()
    child = subprocess.Popen(
        (sys.executable, str(MAIN), "--model", case.model, "--no-input", "How many moons has Mars?"),
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **homes, **case.environ(server.url)},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        return server.wait() - started
    except Empty:
        raise SystemExit(f"--model {case.model}: no request within {PATIENCE_S:g} s") from None
    finally:
        child.kill()
        child.wait()
        server.close()


def measured(pairs: int, folder: Path) -> tuple[list[float], dict[Case, list[float]]]:
    """Seconds of the bare import and of each case, one of each a round. A first round, uncounted, writes bytecode."""
    bare: list[float] = []
    ours: dict[Case, list[float]] = {case: [] for case in CASES}
    for turn in range(pairs + 1):
        once = bare_s()
        taken = {case: first_request_s(case, folder) for case in CASES}
        if turn:
            bare.append(once)
            for case, seconds in taken.items():
                ours[case].append(seconds)
    return bare, ours


def main() -> int:
    """Print the medians; 1 when a bar is missed."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    with tempfile.TemporaryDirectory() as folder:
        bare, ours = measured(pairs, Path(folder))
    print(f"Process start to the first request at the model server, medians of {pairs} interleaved rounds")
    print(f"{'import requests, lxml.html':<28}{1000 * median(bare):8.0f} ms")
    missed = 0
    for case, seconds in ours.items():
        # Of medians, not the median of ratios: one slow bare import would make a slow start look fast.
        ratio = median(seconds) / median(bare)
        missed += ratio > case.bar
        verdict = "missed" if ratio > case.bar else "ok"
        print(f"{'--model ' + case.model:<28}{1000 * median(seconds):8.0f} ms{ratio:7.2f} × (bar {case.bar}) {verdict}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
