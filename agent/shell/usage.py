"""The help text, made from the tables of options, commands and exit statuses."""

from __future__ import annotations

from agent import __version__
from agent.shell.arguments import option_line, options
from agent.shell.piped import CONTEXT_CHARS, EXAMPLE, QUESTION_CHARS
from agent.shell.status import ABOUT

USAGE = f"""\
usage: scout [options] QUESTION…              ask one question, for example: {EXAMPLE}
       … | scout [options] [QUESTION…]        piped text is the question, or the context of the one given
       scout [options]                        on a terminal: an interactive session
       scout [options] COMMAND                one of the commands below
"""

COMMANDS = """\
commands:
  trace [RUN]                    what happened in a run, step by step; the last run if none is named
  trace list                     the latest runs
  models list                    models that run inside Scout, and which of them are here
  models get [NAME]              fetch one
  models remove NAME             delete one
  tools                          what the model may do
A word is a command only where it comes first and what follows fits: `scout trace the history of tea` is a question,
and so is everything after --: `scout -- tools`."""

READING = f"""\
Options may stand anywhere; -- ends them. All but --json and --jsonl are settings as well: --max-steps is
SCOUT_MAX_STEPS in the environment or in .env. Text on stdin is read until its writer ends, also where a question is
given: --no-input leaves it alone. A question has at most {QUESTION_CHARS:,} characters; of its context the first
{CONTEXT_CHARS:,} are used."""


def version() -> str:
    """The line of `--version`."""
    return f"scout {__version__}\n"


def help_text() -> str:
    """All of `--help`."""
    switches = ["  -h, --help                     this text", "  --version                      the version"]
    table = "\n".join(["options:", *(option_line(field) for field in options()), *switches])
    statuses = "\n".join(["exit status:", *(f"  {int(status):<4} {about}" for status, about in ABOUT.items())])
    return "\n\n".join([USAGE.rstrip(), COMMANDS, table, READING, statuses]) + "\n"
