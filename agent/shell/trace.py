"""`scout trace`: a run of the journal, told step by step."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from agent.errors import ConfigError
from agent.journal import FILE, JournalReader, open_reader
from agent.settings import Settings
from agent.shell import events, render
from agent.shell.plain import shorten
from agent.shell.stdio import Stdio
from agent.types import Event

LISTED = 20
RUN = re.compile(r"0[0-9A-HJKMNP-TV-Z]{25}", re.IGNORECASE)  # a ULID begins with 0 until the year 3084


def is_run(word: str) -> bool:
    """`word` has the form of a run's id."""
    return bool(RUN.fullmatch(word))


def trace(words: tuple[str, ...], settings: Settings, stdio: Stdio) -> int:
    """`trace`, `trace RUN` and `trace list`. Raises ConfigError where there is no such run."""
    reader = _opened(settings.data_path)
    try:
        stdio.out(_runs(reader) if words == ("list",) else _run(reader, "".join(words).upper(), settings, stdio))
    finally:
        reader.close()
    return 0


def _opened(data_path: Path) -> JournalReader:
    try:
        recorded = (data_path / FILE).exists()
    except OSError as err:
        raise ConfigError(f"{data_path}: cannot be read: {err.strerror}; --data-dir names another folder") from err
    if not recorded:  # reading must not make a journal where there is none
        raise ConfigError(f"{data_path}: no run is recorded here yet; --data-dir names another folder")
    return open_reader(data_path)


def _runs(reader: JournalReader) -> str:
    rows = reader.runs(LISTED)
    return "".join(f"{r.run}  {r.started[:16]}  {r.status or '-':<12} {shorten(r.question, 80)}\n" for r in rows)


def _run(reader: JournalReader, run: str, settings: Settings, stdio: Stdio) -> str:
    run = run or reader.last()
    found = reader.events(run)
    if not found:
        raise ConfigError(f"no run {run}; scout trace list shows the latest" if run else "no run is recorded yet")
    if settings.json or settings.jsonl:
        return "".join(render.event(event, stdio.unicode) for event in found)
    return f"run {run}\n" + told(found)


def told(found: Iterable[Event]) -> str:
    """Events in lines, each with the seconds since the first."""
    lines, start = [], None
    for event in found:
        start = start or event.at
        lines.append(f"{(event.at - start).total_seconds():7.1f} s  {events.line(event)}\n")
    return "".join(lines)
