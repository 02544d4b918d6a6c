"""README, help, .env.example, the prompts' table and the changelog say what the program does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from string import Template
from typing import Any

import pytest

from agent.errors import ConfigError
from agent.outcome import document
from agent.settings import Settings, documented, load
from agent.shell.arguments import options
from agent.shell.commands import COMMANDS
from agent.shell.status import ABOUT
from agent.shell.usage import help_text
from agent.types import Conflict, Egress, Quote, Status, Verdict
from scripts.settings_table import env_example, shown, table
from tests.fakes import outcome

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
HELP = help_text()
ENV = (ROOT / ".env.example").read_text("utf-8")
FLAGS = tuple(field.metadata["flag"] for field in options())
PROMPTS = tuple(sorted(path.name for path in (ROOT / "prompts").glob("*.md") if path.name != "README.md"))
# What stands in backticks, and what a Markdown link leads to.
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
OURS = re.compile(r"(?:agent|tools|prompts|tests|scripts)/[\w./]*|\w+\.(?:py|md|toml)|\.env\.example|\.ci/\w+")


def section(title: str) -> str:
    """What stands under a heading of the README."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def rows(text: str) -> list[tuple[str, ...]]:
    """The rows of a Markdown table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:]]


def says(word: str, text: str) -> bool:
    """Does the word stand in the text by itself? `--json` does not stand in `--jsonl`."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def test_the_readmes_settings_are_the_programs() -> None:
    inside = README.split("<!-- settings -->\n")[1].split("\n<!-- /settings -->")[0]
    assert inside == table(), "python -m scripts.settings_table prints it"


def test_env_example_is_the_programs() -> None:
    assert ENV.rstrip("\n") == env_example(), "python -m scripts.settings_table --env prints it"


@pytest.mark.parametrize("field", [f for f in documented() if f"\n# {f.metadata['env']}=" in ENV], ids=lambda f: f.name)
def test_a_line_of_env_example_that_is_uncommented_changes_nothing(field: Any, tmp_path: Path) -> None:
    line = f"{field.metadata['env']}={shown(field)}"
    assert f"\n# {line}\n" in f"{ENV}\n"
    (tmp_path / ".env").write_text(line + "\n")
    home = str(tmp_path)
    assert load({}, {"XDG_CONFIG_HOME": home}, tmp_path) == Settings(xdg_config_home=home)


def test_env_example_holds_no_key() -> None:
    for key in ("OPENAI_API_KEY", "GOOGLE_API_KEY"):
        assert f"# {key}=\n" in ENV


def test_the_readme_names_the_limits_that_are_the_defaults() -> None:
    default, limits = Settings(), section("Limits")
    for said in (
        f"after {default.max_steps} steps",
        f"{default.max_requests} requests",
        f"{default.page_bytes // 1024**2} MiB",
        f"{default.results} results",
        f"{default.observation_chars:,} characters",
    ):
        assert said in limits


def test_the_readmes_exit_statuses_are_the_programs() -> None:
    assert rows(section("Exit status")) == [(str(int(status)), about) for status, about in ABOUT.items()]


def test_help_and_readme_name_every_flag() -> None:
    assert [flag for flag in FLAGS if not says(flag, HELP)] == []
    assert [flag for flag in FLAGS if not says(flag, README)] == []


def test_help_names_no_flag_that_is_not_there() -> None:
    known = {*FLAGS, "--help", "--version", "--"}
    assert set(re.findall(r"(?<![\w-])--[\w-]*", HELP)) <= known


def test_readme_names_no_flag_of_scout_that_is_not_there() -> None:
    known = {*FLAGS, "--help", "--version", "--", "--strict"}  # mypy's own
    assert set(re.findall(r"(?<![\w-])--(?:[a-z][\w-]*)?(?![\w-])", README)) <= known


@pytest.mark.parametrize("name", COMMANDS)
def test_help_and_readme_name_every_command(name: str) -> None:
    assert re.search(rf"^  {name}\b", HELP, re.MULTILINE)
    assert f"scout {name}" in README


def test_help_names_every_exit_status() -> None:
    assert all(f"  {int(status):<4} {about}\n" in HELP for status, about in ABOUT.items())


def test_the_program_prints_this_help(tmp_path: Path) -> None:
    call = [sys.executable, str(ROOT / "main.py"), "--help"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, HELP, b"")


def shape(value: Any) -> Any:
    """Keys all the way down; of a list, its first item."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else None


def sample() -> dict[str, Any]:
    """The README's document."""
    return dict(json.loads(section("JSON").split("```json\n")[1].split("```")[0]))


def test_the_readmes_document_has_the_keys_of_the_programs_in_its_order() -> None:
    quote = Quote(1, "a span")
    full = outcome(
        conflicts=(Conflict("when", (quote, quote)),), found=(quote,), egress=(Egress("en.wikipedia.org", 2, 4821),)
    )
    assert json.dumps(shape(sample())) == json.dumps(shape(document(full)))


def test_the_readme_lists_every_status_and_verdict() -> None:
    assert sample()["status"].split("|") == [status.value for status in Status]
    assert sample()["claims"][0]["verdict"].split("|") == [verdict.value for verdict in Verdict]


def test_every_file_that_the_readme_names_is_there() -> None:
    named = {name for name in CODE.findall(README) if OURS.fullmatch(name)}
    linked = {link for link in LINK.findall(README) if "://" not in link and not link.startswith("#")}
    assert named
    assert [name for name in sorted(named | linked) if not (ROOT / name).exists()] == []


def test_every_make_target_and_module_that_the_readme_names_is_there() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    commands = "\n".join([*CODE.findall(README), *re.findall(r"^make .*$", README, re.MULTILINE)])
    named = set(re.findall(r"\bmake ([a-z][\w-]*)", commands))
    assert {"ask", "test"} <= named <= targets
    modules = {name.replace(".", "/") for name in re.findall(r"python -m ([\w.]+)", README)}
    assert [m for m in modules if not ((ROOT / f"{m}.py").exists() or (ROOT / m / "__main__.py").exists())] == []


def test_every_phony_target_is_in_the_makefile_once() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    phony = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[0].split()
    assert sorted(phony) == sorted(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))


def test_the_prompts_table_lists_each_prompt_once_with_exactly_its_slots() -> None:
    listed: dict[str, set[str]] = {}
    slots: set[str] = set()
    for file, _, said in rows((ROOT / "prompts" / "README.md").read_text("utf-8")):
        slots = slots if said == "the same" else set(CODE.findall(said))
        assert file not in listed
        listed[file] = slots
    inside = {name: Template((ROOT / "prompts" / name).read_text("utf-8")).get_identifiers() for name in PROMPTS}
    assert listed == {f"`{name}`": set(used) for name, used in inside.items()}


def test_the_changelog_has_a_section_for_what_is_unreleased() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(r"^## \[Unreleased\]\n### \w+\n- ", text, re.MULTILINE)


def test_an_unknown_setting_is_an_error_as_the_readme_says(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        load({}, {"SCOUT_NO_SUCH": "1", "XDG_CONFIG_HOME": str(tmp_path)}, tmp_path)
