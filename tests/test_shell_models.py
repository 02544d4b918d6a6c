"""`scout models`, with real files and downloads from a loopback site."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path

import pytest

from agent.errors import ModelUnavailable
from agent.models.weights import CATALOGUE, DEFAULT, Origins, Weights
from agent.settings import Settings
from agent.shell import models
from agent.shell.approval import approver
from agent.shell.download import DownloadBar
from agent.shell.stdio import Stdio
from tests.shell_console import Console, terminal
from tests.site import Reply, Site

BODY = bytes(range(256)) * 8192  # 2 MiB: two chunks
TINY = Weights("tiny", "tiny.gguf", len(BODY), hashlib.sha256(BODY).hexdigest(), 0.1, "MIT", "a/b", (), 0)


@pytest.fixture
def console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Console:
    monkeypatch.chdir(tmp_path)
    return Console(tmp_path)


def put(console: Console, weights: Weights) -> Path:
    """A file of the right size that takes no room."""
    path = console.folder / "scout" / "weights" / weights.file
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        os.truncate(file.fileno(), weights.size)
    return path


def test_models_lists_the_catalogue_and_what_is_here(console: Console) -> None:
    put(console, CATALOGUE[2])
    for argv in (["models"], ["models", "list"]):
        ran = console.run(*argv)
        lines = ran.out.splitlines()
        assert (ran.status, len(lines)) == (0, len(CATALOGUE))
        assert lines[0].split() == [DEFAULT.name, "1.1", "GB", "Apache-2.0", "-", "(default)"]
        assert lines[2].split() == [CATALOGUE[2].name, "98", "MB", "Apache-2.0", "here"]


def test_models_get_without_a_terminal_needs_a_yes(console: Console) -> None:
    ran = console.run("models", "get")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"scout: fetching {DEFAULT.name} (1.1 GB) needs a yes: scout models get --yes models\n"


def test_models_get_announces_name_size_and_place_and_takes_no_for_no(console: Console) -> None:
    ran = console.run("models", "get", stdin=b"n\n", stdin_isatty=True, stderr_isatty=True)
    assert (ran.status, ran.out) == (5, "")
    place = console.folder / "scout" / "weights"
    assert ran.err == f"Fetch {DEFAULT.name}, 1.1 GB, Apache-2.0, into {place}? [y/N] scout: nothing was fetched\n"
    assert not place.exists()


def test_models_get_asks_on_a_real_terminal(tmp_path: Path) -> None:
    # A key that is no text is a no, also where Python is told to be strict about it.
    with terminal(tmp_path, "models", "get", CATALOGUE[2].name, PYTHONIOENCODING="utf-8:strict") as tty:
        tty.wait_for(f"Fetch {CATALOGUE[2].name}, 98 MB, Apache-2.0, into {tmp_path}/scout/weights? [y/N] ")
        tty.type("\udcff\n")
        assert tty.end() == 5
        assert tty.seen.endswith("scout: nothing was fetched\r\n")


def test_models_get_of_what_is_here_fetches_nothing(console: Console) -> None:
    path = put(console, DEFAULT)
    assert console.run("models", "get").out == f"{DEFAULT.name} is here already: {path}\n"


def test_models_get_of_an_unknown_name_lists_the_known_ones(console: Console) -> None:
    ran = console.run("models", "get", "gpt-9")
    assert (ran.status, DEFAULT.name in ran.err) == (2, True)


def test_models_remove_deletes_the_file_it_names(console: Console) -> None:
    path = put(console, DEFAULT)
    assert console.run("models", "remove").status == 2
    assert path.exists()
    assert console.run("models", "remove", DEFAULT.name).out == f"{DEFAULT.name} is removed.\n"
    assert not path.exists()
    assert console.run("models", "remove", DEFAULT.name).err == (
        f"scout: {DEFAULT.name} is not here; scout models list shows what is\n"
    )


def stdio(tty: bool = False, typed: str = "") -> Stdio:
    return Stdio(io.StringIO(typed), io.StringIO(), io.StringIO(), stdin_isatty=tty, stderr_isatty=tty)


def said(streams: Stdio) -> str:
    assert isinstance(streams.stderr, io.StringIO)
    return streams.stderr.getvalue()


def test_a_download_is_shown_in_plain_lines_where_stderr_is_no_terminal(tmp_path: Path) -> None:
    streams = stdio()
    with Site() as site:
        site.add("/tiny.gguf", Reply(BODY))
        path = models.obtain(TINY, Settings(data_dir=str(tmp_path)), streams, Origins("", site.url(), wheels=False))
    assert path.read_bytes() == BODY
    lines = said(streams).splitlines()
    assert lines[-1].startswith("tiny: 100 %, 2 of 2 MB")
    assert len(lines) <= 11


def test_a_source_that_is_passed_over_is_told_the_last_one_by_the_error_alone_and_quiet_says_nothing(
    tmp_path: Path,
) -> None:
    for quiet, lines in ((False, 1), (True, 0)):
        streams = stdio()
        settings = Settings(data_dir=str(tmp_path), quiet=quiet)
        with Site() as site, pytest.raises(ModelUnavailable):
            models.obtain(TINY, settings, streams, Origins(site.url("/hub"), site.url(), wheels=False))
        assert said(streams).count("\n") == lines


class Ticks:
    """A clock that goes one second with every look."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def monotonic(self) -> float:
        self.seconds += 1
        return self.seconds


def test_the_bar_shows_share_bytes_and_rate_and_is_wiped() -> None:
    streams = stdio(tty=True)
    bar = DownloadBar(streams, "tiny", clock=Ticks())  # type: ignore[arg-type]
    bar(100_000_000, 400_000_000)
    bar(200_000_000, 400_000_000)
    drawn = said(streams).split("\r")[-2].rstrip()
    assert drawn == "tiny [############............] 50 %, 200 of 400 MB, 33.3 MB/s"
    bar.close()
    assert said(streams).endswith("\r" + " " * len(drawn) + "\r")


def test_a_run_that_may_not_ask_goes_on_without_a_model_and_says_how_to_get_one() -> None:
    streams = stdio()
    assert approver(Settings(), streams).fetch(DEFAULT.name) is False
    assert said(streams).startswith(
        "scout: no model here, so the best passages are quoted as they stand; `scout models"
    )
    streams = stdio()
    assert approver(Settings(quiet=True), streams).fetch(DEFAULT.name) is False
    assert said(streams) == ""


def test_a_run_asks_once_on_a_terminal_and_takes_no_for_no(tmp_path: Path) -> None:
    streams = stdio(tty=True, typed="\n")
    assert approver(Settings(data_dir=str(tmp_path)), streams).fetch(DEFAULT.name) is False
    assert said(streams).startswith(f"Fetch {DEFAULT.name}, 1.1 GB, Apache-2.0, into {tmp_path}/weights? [y/N] scout: ")
