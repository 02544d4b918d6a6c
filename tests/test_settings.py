"""Settings: where a value comes from, and what is said of one that does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import ConfigError
from agent.settings import Settings, documented, load
from agent.types import Secret

EXAMPLE = Path(__file__).parent.parent / ".env.example"


def test_flags_win_over_environment_over_dotenv_over_the_users_dotenv_over_defaults(tmp_path: Path) -> None:
    (tmp_path / "scout").mkdir()
    (tmp_path / "scout" / ".env").write_text(
        "SCOUT_MODEL=local\nSCOUT_MAX_STEPS=1\nSCOUT_MAX_REQUESTS=1\nSCOUT_RESULTS=1\n"
    )
    (tmp_path / ".env").write_text("SCOUT_MODEL=none\nSCOUT_MAX_STEPS=2\nSCOUT_MAX_REQUESTS=2\n")
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "SCOUT_MODEL": "auto", "SCOUT_MAX_STEPS": "3"}
    settings = load({"model": "ollama:phi3:mini"}, environ, tmp_path)
    assert (settings.model, settings.max_steps, settings.max_requests) == ("ollama:phi3:mini", 3, 2)
    assert (settings.results, settings.timeout) == (1, 600.0)


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"SCOUT_MODLE": "x"}, "the environment: no setting SCOUT_MODLE; did you mean SCOUT_MODEL?"),
        ({"SCOUT_MAX_STEPS": "many"}, "the environment: SCOUT_MAX_STEPS: 'many' is no whole number"),
        ({"SCOUT_MAX_STEPS": "-1"}, "SCOUT_MAX_STEPS: -1 is out of range"),
        ({"SCOUT_TIMEOUT": "nan"}, "SCOUT_TIMEOUT: nan is out of range"),
        ({"SCOUT_GUIDE": "maybe"}, "SCOUT_GUIDE: 'maybe' is none of auto, free, steps"),
        ({"SCOUT_CONTACT": "me\r\nX: y"}, "SCOUT_CONTACT: only ASCII letters"),
        ({"SCOUT_CONTACT": "Frau Müller"}, "SCOUT_CONTACT: only ASCII letters"),
        ({"SCOUT_OFFLINE": "perhaps"}, "SCOUT_OFFLINE: 'perhaps' is neither on nor off"),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_its_place(environ: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        load({}, environ | {"XDG_CONFIG_HOME": str(tmp_path)}, tmp_path)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [("SCOUT_MODLE=x\n", "no setting SCOUT_MODLE"), ("A=1\n'x\n", "line 2: not of the form NAME=value")],
)
def test_a_fault_in_dotenv_is_named_with_the_file(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(text)
    with pytest.raises(ConfigError) as error:
        load({}, {"XDG_CONFIG_HOME": str(tmp_path)}, tmp_path)
    assert said in str(error.value)
    assert str(tmp_path / ".env") in str(error.value)


def test_a_dotenv_that_is_no_text_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        load({}, {"XDG_CONFIG_HOME": str(tmp_path)}, tmp_path)


def test_other_programs_variables_in_dotenv_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DATABASE_URL=x\nexport SCOUT_RESULTS=2\n")
    assert load({}, {"XDG_CONFIG_HOME": str(tmp_path)}, tmp_path).results == 2


def test_a_key_never_prints() -> None:
    settings = Settings(openai_api_key=Secret("sk-tell-nobody"))
    assert "sk-tell-nobody" not in f"{settings!r} {settings.openai_api_key} {settings.openai_api_key!r}"
    assert settings.openai_api_key.reveal() == "sk-tell-nobody"


def test_proxies_are_read_in_lower_case_too(tmp_path: Path) -> None:
    environ = {"https_proxy": "http://proxy.example:3128", "XDG_CONFIG_HOME": str(tmp_path)}
    assert load({}, environ, tmp_path).https_proxy == "http://proxy.example:3128"


def test_the_chain_is_searxng_then_keyed_providers_then_wikipedia() -> None:
    full = Settings(searxng_url="http://127.0.0.1:8888", google_api_key=Secret("k"), google_cse_id="c")
    assert [e.provider for e in full.endpoints] == ["searxng", "google", "wikipedia"]
    assert [e.provider for e in Settings().endpoints] == ["wikipedia"]
    assert [e.provider for e in Settings(search="wikipedia, duckduckgo").endpoints] == ["wikipedia", "duckduckgo"]


@pytest.mark.parametrize(
    ("search", "said"),
    [("altavista", "no provider 'altavista'"), ("searxng", "needs SEARXNG_URL"), ("google", "GOOGLE_CSE_ID")],
)
def test_a_provider_that_is_not_there_is_named(search: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        _ = Settings(search=search).endpoints


@pytest.mark.parametrize(
    "url", ["not a url", "wiki.lan", "ftp://wiki.lan/", "http://", "http://[::1", "http://a:99999/"]
)
def test_an_address_of_a_provider_that_is_none_is_named(url: str) -> None:
    for settings in (Settings(searxng_url=url), Settings(wikipedia_url=url)):
        with pytest.raises(ConfigError, match=r"_URL: .* is not a URL; write it as http"):
            settings.endpoints  # noqa: B018


def test_certificates_are_the_first_that_are_named_and_must_be_there(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.pem", tmp_path / "other.pem"
    for path in (mine, other):
        path.write_text("")
    assert Settings().certificates == ""
    assert Settings(ca_bundle=str(mine), ssl_cert_file=str(other)).certificates == str(mine)
    assert Settings(ssl_cert_file=str(other)).certificates == str(other)
    with pytest.raises(ConfigError, match=r"^SSL_CERT_FILE: /no/such\.pem is not there"):
        Settings(ssl_cert_file="/no/such.pem").certificates  # noqa: B018


def test_offline_leaves_no_request() -> None:
    assert Settings(offline=True).budget.requests == 0


def test_env_example_holds_every_variable_and_no_other(tmp_path: Path) -> None:
    lines = [line.lstrip("# ").split("=")[0] for line in EXAMPLE.read_text("utf-8").splitlines() if "=" in line]
    assert lines == [
        f.metadata["env"] for f in documented() if f.metadata["env"] and not f.metadata["env"].startswith("XDG_")
    ]
