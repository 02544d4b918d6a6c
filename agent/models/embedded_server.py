"""The child process of the embedded model: llama.cpp's own server on loopback.

Run as a file; it imports nothing of ours. It reads one line of JSON from standard input: {"weights", "key", "context",
"threads"}. It writes one to standard output: {"port"} when the model is loaded, or {"missing"} or {"failed"} with a
reason. Then it serves until its standard input ends, which is when its parent is gone, however that came about.
"""

import contextlib
import json
import os
import signal
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


def main() -> None:
    """Load, tell the port, wait for the parent to go."""
    # Ctrl-C in the terminal is for the parent: it decides when this process ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order = json.loads(_line())
    # llama.cpp writes to standard output as well: from here on that is the log, and the parent's pipe is ours alone.
    pipe = os.dup(1)
    os.dup2(2, 1)
    parent = threading.Thread(target=_wait_for_the_end, daemon=True)
    parent.start()
    try:
        server = _serve(order)
    except ImportError as err:
        _tell(pipe, {"missing": str(err)})
    except (RuntimeError, ValueError, OSError) as err:
        _tell(pipe, {"failed": str(err)})
    else:
        _tell(pipe, {"port": urlsplit(server.listening_address).port})
        parent.join()


def _serve(order: dict[str, Any]) -> Any:
    # Where another program wants a core too, threads that spin at OpenMP's barriers wait whole time slices for the one
    # that was put aside. Measured with SmolLM2 on two cores: a run of 10 s instead of 74 to 144 s next to a second one,
    # for 5.5 s instead of 4.2 s alone. libgomp reads this when it is loaded, which is in the import below.
    os.putenv("OMP_WAIT_POLICY", "passive")
    import xllamacpp  # an optional extra, and the reason why this is a process of its own

    params = xllamacpp.CommonParams()
    params.model.path = order["weights"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [order["key"]]
    params.ui = False
    params.n_ctx = order["context"]
    params.n_parallel = 1
    # 8 GiB otherwise. Room for a few prompts: a run's dialogue and the stateless readings of its pages take turns in
    # the one slot, and without it each would be evaluated from its first token again.
    params.cache_ram_mib = 256
    params.no_extra_bufts = True  # weights are not repacked: a third less memory for a quarter less speed of output
    params.verbosity = 0
    for pool in (params.cpuparams, params.cpuparams_batch):
        pool.n_threads = order["threads"] or _cores()
    return xllamacpp.Server(params)


def _cores() -> int:
    """Physical cores that this process may use: two threads on one core only get in each other's way."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
    siblings = set()
    for cpu in allowed:
        with contextlib.suppress(OSError):
            siblings.add(Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/core_cpus_list").read_text())
    cores = len(siblings) or len(allowed)
    with contextlib.suppress(OSError, ValueError):  # a container's share of the machine
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        cores = min(cores, max(int(quota) // int(period), 1))
    return cores


def _line() -> bytes:
    line = b""
    while not line.endswith(b"\n") and (more := os.read(0, 65536)):
        line += more
    return line or b"{}"


def _tell(pipe: int, what: dict[str, Any]) -> None:
    os.write(pipe, json.dumps(what).encode() + b"\n")


def _wait_for_the_end() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
