"""The lines a person typed, kept between sessions in the data folder, readable by nobody else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FILE = "history"
LINES = 1000


@contextmanager
def kept(data_path: Path) -> Iterator[None]:
    """Line editing inside, with the history of earlier sessions. A history that cannot be kept is no error."""
    try:
        import readline  # an optional part of Python: without it lines are read plainly
    except ImportError:
        yield
        return
    path = data_path / FILE
    readline.set_auto_history(True)
    readline.set_history_length(LINES)
    with suppress(OSError):
        readline.read_history_file(path)
    try:
        yield
    finally:
        with suppress(OSError):
            data_path.mkdir(mode=0o700, parents=True, exist_ok=True)
            # libedit makes files by the umask; GNU readline does not.
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            readline.write_history_file(path)
