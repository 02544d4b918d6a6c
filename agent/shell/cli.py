"""The command line: from argv and the streams to an exit status. The last line of defence stands here."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence

from agent.errors import ConfigError, ExitStatus, RunError
from agent.settings import Settings, load
from agent.shell import arguments, commands, piped, usage
from agent.shell.ask import ask
from agent.shell.plain import one_line
from agent.shell.ports import App
from agent.shell.stdio import Stdio


def main(argv: Sequence[str], stdio: Stdio, app: App, environ: Mapping[str, str] | None = None) -> int:
    """Run Scout; gives the exit status. Nothing is raised: an error is one line on stderr, a bug a traceback too."""
    try:
        return int(_main(argv, stdio, app, environ))
    except RunError as err:
        stdio.err(f"scout: {one_line(str(err))}\n")
        return int(err.status)
    except KeyboardInterrupt:
        stdio.err("\n" if stdio.stderr_isatty else "")
        return int(ExitStatus.INTERRUPTED)
    except Exception as err:  # noqa: BLE001 - the one place: whatever gets here is a bug
        stdio.err(traceback.format_exc())
        stdio.err(f"scout: a bug: {type(err).__name__}: {one_line(str(err))}; please report it with the lines above\n")
        return int(ExitStatus.BUG)


def _main(argv: Sequence[str], stdio: Stdio, app: App, environ: Mapping[str, str] | None) -> int:
    given = arguments.parse(argv)
    if given.help or given.version:
        stdio.out(usage.help_text() if given.help else usage.version())
        return ExitStatus.ANSWERED
    settings = load(given.flags, environ)
    command = commands.find(given)
    if command:
        return command.run(given.words[1:], settings, stdio, app)
    asked = bool(given.words or given.after)
    if not asked and stdio.stdin_isatty and stdio.stdout_isatty and not settings.no_input:
        return _session(settings, stdio, app)
    text = _piped(settings, stdio)
    if not asked and not text.strip():
        stdio.err(usage.USAGE)
        return ExitStatus.USAGE
    return ask(piped.question(given.question, text), settings, stdio, app)


def _session(settings: Settings, stdio: Stdio, app: App) -> int:
    if settings.json or settings.jsonl:
        raise ConfigError(f"--json and --jsonl need a question, for example: {piped.EXAMPLE}")
    from agent.shell.repl import session  # brings readline, which a single question has no use for

    return session(settings, stdio, app)


def _piped(settings: Settings, stdio: Stdio) -> str:
    """What was piped in, "" on a terminal or where stdin is to be left alone."""
    if stdio.stdin_isatty or settings.no_input:
        return ""
    waiting = "reading stdin until it ends (--no-input skips it)" if stdio.stderr_isatty and not settings.quiet else ""
    stdio.err(waiting)
    try:
        return piped.read(stdio)
    finally:
        stdio.err("\r" + " " * len(waiting) + "\r" if waiting else "")
