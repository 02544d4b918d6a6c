"""The interactive session: one conversation, any number of questions, and commands that begin with a slash."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from agent import outcome as outcomes
from agent.errors import ConfigError, RunError
from agent.settings import Settings
from agent.shell import history, render
from agent.shell.approval import approver
from agent.shell.ask import deliver, look
from agent.shell.piped import question
from agent.shell.plain import one_line
from agent.shell.ports import App, Conversation
from agent.shell.progress import Progress
from agent.shell.stdio import Stdio
from agent.shell.trace import told
from agent.types import Event, Outcome

PROMPT = "scout> "
HELP = """\
Type a question, or one of:
  /allow DOMAIN     whitelist one more domain for this session
  /model [NAME]     which model answers, or go on with another
  /sources          pages read for the last answer
  /trace            what happened in the last run, step by step
  /save FILE        write the last answer to a new file; as JSON where its name ends in .json
  /help             this text
  /quit             leave, as Ctrl-D does
Ctrl-C stops a run and keeps the session.
"""


def session(settings: Settings, stdio: Stdio, app: App) -> int:
    """Talk until the user leaves; gives 0. Raises ModelUnavailable and ConfigError only before the first prompt."""
    progress = Progress(settings, stdio)
    events: list[Event] = []

    def listen(event: Event) -> None:
        if event.kind == "run":
            events.clear()
        events.append(event)
        progress(event)

    with closing(app.open(settings, listen, approver(settings, stdio, progress.paused))) as conversation:
        stdio.out(f"Scout, with {one_line(conversation.model)}. /help lists the commands.\n")
        with history.kept(settings.data_path):
            _Session(settings, stdio, conversation, progress, events).talk()
    return 0


class _Session:
    def __init__(
        self, settings: Settings, stdio: Stdio, conversation: Conversation, progress: Progress, events: list[Event]
    ) -> None:
        self._settings = settings
        self._stdio = stdio
        self._conversation = conversation
        self._progress = progress
        self._events = events  # of the last run
        self._last: Outcome | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "/allow": self._allow,
            "/model": self._model,
            "/sources": self._sources,
            "/trace": self._trace,
            "/save": self._save,
            "/help": lambda _: stdio.out(HELP),
        }

    def talk(self) -> None:
        """Read lines and do them until /quit, Ctrl-D, or Ctrl-C twice in a row at the prompt."""
        clears = 0
        while clears < 2:
            try:
                line = self._stdio.read_line(PROMPT).strip()
            except EOFError:
                self._stdio.out("\n")
                return
            except KeyboardInterrupt:
                clears += 1
                self._stdio.out("\n" if clears > 1 else "\n(Ctrl-C again or /quit to leave)\n")
                continue
            clears = 0
            if line in ("/quit", "/exit"):
                return
            self._do(line)

    def _do(self, line: str) -> None:
        """One line. What goes wrong is one line too, and the session goes on."""
        try:
            if line.startswith("/"):
                self._command(line)
            elif line:
                self._ask(line)
        except RunError as err:
            self._stdio.err(f"scout: {one_line(str(err))}\n")
        except KeyboardInterrupt:
            self._stdio.err("\nscout: stopped\n")
        finally:
            with suppress(ConfigError):
                self._progress.close()

    def _ask(self, line: str) -> None:
        self._last = self._conversation.ask(question(line, "").text)
        self._progress.close()
        deliver(self._last, self._settings, self._stdio)

    def _command(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        command = self._commands.get(name)
        if not command:
            near = difflib.get_close_matches(name, self._commands, 1)
            raise ConfigError(f"no command {name}; " + (f"did you mean {near[0]}?" if near else "/help lists them"))
        command(rest.strip())

    def _allow(self, domain: str) -> None:
        if not domain:
            raise ConfigError("/allow needs a domain, for example: /allow example.org")
        self._conversation.allow(domain)
        self._stdio.out(f"{one_line(domain)} may be read in this session.\n")

    def _model(self, name: str) -> None:
        if name:
            self._conversation.use_model(name)
        self._stdio.out(f"{one_line(self._conversation.model)}\n")

    def _sources(self, _: str) -> None:
        listed = render.sources(self._asked(), *look(self._settings, self._stdio))
        self._stdio.out(listed or "No page was read.\n")

    def _trace(self, _: str) -> None:
        self._asked()
        self._stdio.out(told(self._events))

    def _save(self, name: str) -> None:
        last = self._asked()
        if not name:
            raise ConfigError("/save needs a file name, for example: /save answer.txt")
        as_json = name.endswith(".json")
        text = render.json_line(outcomes.document(last)) if as_json else render.text(last)
        path = Path(name).expanduser()
        try:
            with path.open("x", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except FileExistsError as err:
            raise ConfigError(f"{path}: there is such a file already; choose another name") from err
        except OSError as err:
            raise ConfigError(f"{path}: cannot be written: {err.strerror}") from err
        self._stdio.out(f"Saved to {path}.\n")

    def _asked(self) -> Outcome:
        if not self._last:
            raise ConfigError("nothing was asked yet in this session")
        return self._last
