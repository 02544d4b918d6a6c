"""A stand-in for main.py as a process of its own: the real shell over a conversation scripted by FAKE_ variables."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from agent.shell.cli import main
from agent.shell.stdio import Stdio
from agent.types import Status
from tests.fakes import ANSWER, ScriptedConversation, event, fake_app, outcome


def run() -> int:
    scripted = outcome(Status(os.environ.get("FAKE_STATUS", "supported")))
    if "FAKE_ANSWER" in os.environ:
        text = os.environ["FAKE_ANSWER"] * int(os.environ.get("FAKE_TIMES", "1"))
        scripted = replace(scripted, answer=replace(ANSWER, text=text))
    talk = ScriptedConversation(scripted, lasts_s=float(os.environ.get("FAKE_LASTS", "0")))
    talk.events = (
        event(1, "run", run="01JTEST", question="?", model=talk.model),
        event(2, "execute", step=1, action={"action": "search", "query": "ferry"}),
    )
    return main(sys.argv[1:], Stdio.process(), fake_app(talk))


if __name__ == "__main__":
    sys.exit(run())
