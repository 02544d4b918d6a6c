"""`scout models`: the weights of the embedded model, listed, fetched with a person's yes, and deleted."""

from __future__ import annotations

from pathlib import Path

from agent.errors import ConfigError, ExitStatus, ModelUnavailable
from agent.models import weights
from agent.models.choose import WEIGHTS
from agent.models.weights import CATALOGUE, DEFAULT, Origins, Weights
from agent.settings import Settings
from agent.shell.download import DownloadBar
from agent.shell.person import can_ask, confirm
from agent.shell.plain import one_line
from agent.shell.stdio import Stdio

TOOL = "models"  # what --yes names


def models(words: tuple[str, ...], settings: Settings, stdio: Stdio) -> int:
    """`models [list]`, `models get [NAME]` and `models remove NAME`; gives the exit status.

    Raises ConfigError, ModelUnavailable.
    """
    verb, name = (*words, "", "")[:2]
    if verb == "remove" and not name:
        raise ConfigError("models remove needs a name; scout models list shows them")
    try:
        if verb == "get":
            return _get(weights.named(name), settings, stdio)
        if verb == "remove":
            return _remove(weights.named(name), settings, stdio)
        stdio.out(listing(settings))
    except OSError as err:
        raise ConfigError(f"{folder(settings)}: {err.strerror}; --data-dir names another folder") from err
    return ExitStatus.ANSWERED


def offer(name: str, settings: Settings, stdio: Stdio) -> bool:
    """Fetch weights that a run would like to have, if somebody says yes; True when they are there now.

    Where not, one line says how to get them: the run goes on without a model.
    """
    chosen = weights.named(name)
    try:
        if _agreed(chosen, settings, stdio):
            obtain(chosen, settings, stdio, origins(settings))
            return True
    except ModelUnavailable as err:
        stdio.err(f"scout: {one_line(str(err))}\n")
        return False
    if not settings.quiet:
        how = f"`scout models get` fetches one ({gigabytes(chosen.size)})"
        stdio.err(f"scout: no model here, so the best passages are quoted as they stand; {how}\n")
    return False


def obtain(chosen: Weights, settings: Settings, stdio: Stdio, where: Origins) -> Path:
    """The file, with its progress shown on stderr. Raises ModelUnavailable, ConfigError."""
    bar = DownloadBar(stdio, chosen.name, settings.quiet)
    try:
        return weights.get(chosen, folder(settings), where, bar, bar.say)
    finally:
        bar.close()


def origins(settings: Settings) -> Origins:
    """The sources of weights, reached as the settings say."""
    return Origins(
        mirror=settings.weights_mirror,
        proxy=settings.https_proxy,
        ca_bundle=settings.certificates,
    )


def folder(settings: Settings) -> Path:
    """Where weights are kept."""
    return settings.data_path / WEIGHTS


def listing(settings: Settings) -> str:
    """One line for each weights file of the catalogue."""
    here = weights.installed(folder(settings))
    return "".join(
        f"{one.name:<20} {gigabytes(one.size):>7}  {one.licence:<11} {'here' if one in here else '-'}"
        f"{' (default)' if one is DEFAULT else ''}\n"
        for one in CATALOGUE
    )


def gigabytes(size: int) -> str:
    """A size for people: 1.1 GB, 98 MB."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _get(chosen: Weights, settings: Settings, stdio: Stdio) -> int:
    if chosen in weights.installed(folder(settings)):
        stdio.out(f"{chosen.name} is here already: {folder(settings) / chosen.file}\n")
        return ExitStatus.ANSWERED
    if TOOL not in settings.yes and not can_ask(settings, stdio):
        raise ConfigError(
            f"fetching {chosen.name} ({gigabytes(chosen.size)}) needs a yes: scout models get --yes models"
        )
    if not _agreed(chosen, settings, stdio):
        stdio.err("scout: nothing was fetched\n")
        return ExitStatus.NO_MODEL
    stdio.out(f"{obtain(chosen, settings, stdio, origins(settings))}\n")
    return ExitStatus.ANSWERED


def _agreed(chosen: Weights, settings: Settings, stdio: Stdio) -> bool:
    if TOOL in settings.yes:
        return True
    about = f"{chosen.name}, {gigabytes(chosen.size)}, {chosen.licence}"
    return can_ask(settings, stdio) and confirm(stdio, f"Fetch {about}, into {folder(settings)}?")


def _remove(chosen: Weights, settings: Settings, stdio: Stdio) -> int:
    if not weights.remove(chosen, folder(settings)):
        raise ConfigError(f"{chosen.name} is not here; scout models list shows what is")
    stdio.out(f"{chosen.name} is removed.\n")
    return ExitStatus.ANSWERED
