"""The wiring: what a session makes of its settings and of a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import ConfigError
from agent.settings import Settings
from agent.types import Status
from main import PIPED, Session
from tests.scripted import ListJournal, Says


def session(folder: Path, **settings: object) -> Session:
    return Session(Settings(data_dir=str(folder), model="none", **settings), ListJournal(), Says(False))  # type: ignore[arg-type]


def test_yes_to_a_tool_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match="--yes: no tool 'frob'; there are: search, scrape, read_fragment, answer, models"
    ):
        session(tmp_path, yes=("frob",))


@pytest.mark.parametrize("setting", [{"allow": ("com",)}, {"allow_private": ("intranet",)}, {"model": "gpt"}])
def test_a_setting_that_cannot_be_is_refused_before_anything_is_asked(
    setting: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError):
        Session(Settings(**{"data_dir": str(tmp_path), "model": "none", **setting}), ListJournal(), Says(False))  # type: ignore[arg-type]


def test_a_url_in_the_question_that_the_policy_refuses_is_told_with_what_admits_it(tmp_path: Path) -> None:
    asking = session(tmp_path, offline=True)
    outcome = asking.ask("What does https://evil.example/page say?")
    asking.close()
    assert outcome.status is Status.NO_WEB
    assert any("evil.example" in told and "--allow" in told for told in outcome.refusals)


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("http://169.254.169.254/latest", "--allow-private HOST:PORT"),
        ("https://en.wikipedia.org:8443/", "--allow-private"),
        ("https://a:b@nasa.gov/", ""),
    ],
)
def test_what_is_said_to_admit_a_url_is_what_admits_it(url: str, remedy: str, tmp_path: Path) -> None:
    asking = session(tmp_path, offline=True)
    (told,) = asking.ask(f"What does {url} say?").refusals
    asking.close()
    assert remedy in told
    assert "--allow DOMAIN" not in told
    assert bool(remedy) == ("admits" in told)


def test_piped_text_is_quoted_without_a_request(tmp_path: Path) -> None:
    asking = session(tmp_path, offline=True)
    outcome = asking.ask(
        "How long is the ferry crossing?", "The ferry sails at noon. The ferry crossing takes 40 minutes."
    )
    asking.close()
    assert (outcome.status, outcome.usage.requests) == (Status.SUPPORTED, 0)
    assert "40 minutes" in outcome.answer.text
    assert outcome.sources[0].url == PIPED


def test_a_domain_that_is_allowed_is_whitelisted_from_then_on(tmp_path: Path) -> None:
    asking = session(tmp_path, offline=True)
    asking.allow("example.org")
    outcome = asking.ask("What does https://www.example.org/page say?")
    asking.close()
    assert outcome.refusals == ()
