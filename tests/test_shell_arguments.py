"""The command line taken apart, and the help that is made from the same table."""

from __future__ import annotations

import pytest

from agent.errors import ConfigError
from agent.settings import documented, load
from agent.shell.arguments import options, parse
from agent.shell.usage import help_text


def refusal(*argv: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse(argv)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_options_stand_before_between_and_after_the_words() -> None:
    given = parse(["--max-steps", "3", "How", "--json", "long?", "--model=none"])
    assert (given.question, dict(given.flags)) == (
        "How long?",
        {"max_steps": "3", "json": True, "jsonl": False, "model": "none"},
    )


def test_two_dashes_end_the_options() -> None:
    given = parse(["--json", "--", "--model", "is", "an", "option?", "--"])
    assert (given.question, given.words) == ("--model is an option? --", ())


def test_options_that_were_not_given_leave_the_environment_alone() -> None:
    assert dict(parse(["Q"]).flags) == {}


def test_an_option_may_be_repeated_where_it_holds_many() -> None:
    flags = parse(["--allow", "a.org", "--allow", "b.org,c.org", "Q"]).flags
    assert load(flags, {}).allow == ("a.org", "b.org", "c.org")


def test_short_options_combine_with_words() -> None:
    assert dict(parse(["-q", "Q"]).flags) == {"quiet": True, "verbose": False}


def test_a_flag_of_a_contrary_pair_overrules_the_environment() -> None:
    assert load(parse(["-v", "Q"]).flags, {"SCOUT_QUIET": "1"}).quiet is False


@pytest.mark.parametrize("word", ["-5", "-5°C", "-", "--what is this?"])
def test_a_word_with_a_dash_that_is_no_option_is_a_word(word: str) -> None:
    assert parse(["what", "is", word]).question == f"what is {word}"


@pytest.mark.parametrize("argv", [["--max-stps", "3"], ["Q", "--max-stps=3"]])
def test_an_unknown_option_names_the_nearest_one(argv: list[str]) -> None:
    assert refusal(*argv).startswith("no option --max-stps; did you mean --max-steps?")


def test_an_unknown_option_with_nothing_near_points_to_the_help() -> None:
    assert "scout --help lists them" in refusal("--zzzzzz")
    assert refusal("-x", "Q").startswith("no option -x;")


def test_an_option_is_never_abbreviated() -> None:
    assert refusal("--mod", "none").startswith("no option --mod; did you mean --model?")


def test_an_option_without_its_value_says_what_it_takes() -> None:
    assert refusal("Q", "--model").startswith("--model needs a value: auto, ollama:NAME")
    assert refusal("--max-steps", "--json").startswith("--max-steps needs a value: turns of the model")


def test_a_switch_takes_no_value() -> None:
    assert refusal("--json=1", "Q").startswith("--json: ")


def test_contrary_options_are_refused() -> None:
    assert refusal("-q", "-v", "Q") == "--quiet and --verbose contradict each other; give one of them"
    assert refusal("--json", "--jsonl", "Q").startswith("--json and --jsonl contradict")


def test_the_help_tells_of_every_option_and_every_exit_status() -> None:
    text = help_text()
    assert all(f"{field.metadata['flag']} " in text and field.metadata["about"] in text for field in options())
    assert all(f"\n  {status} " in text for status in (0, 1, 2, 3, 4, 5, 6, 130))
    assert {field.name for field in options()} == {f.name for f in documented() if f.metadata["flag"]}
