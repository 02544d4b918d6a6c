"""The command line taken apart: options by the name of their setting, and words."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass
from typing import Any, NoReturn

from agent.errors import ConfigError
from agent.settings import documented

SHORT = {"quiet": "-q", "verbose": "-v"}
CONTRARY = (("quiet", "verbose"), ("json", "jsonl"))
VALUES = {
    "model": "NAME",
    "search": "NAMES",
    "allow": "DOMAIN",
    "allow_private": "HOST:PORT",
    "yes": "TOOL",
    "data_dir": "FOLDER",
}
OPTION = re.compile(r"--\S+|-[A-Za-z]\S*")  # "-5" and "-5°C" are words, and so is whatever has a space in it


@dataclass(frozen=True, slots=True)
class Arguments:
    """`flags` as settings.load takes them. `after` are the words behind `--`, which are never a command."""

    flags: Mapping[str, Any]
    words: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    help: bool = False
    version: bool = False

    @property
    def question(self) -> str:
        """All words, as one text."""
        return " ".join((*self.words, *self.after))


class _Parser(argparse.ArgumentParser):
    """argparse reports some errors by printing and leaving; here they are ConfigErrors like all others."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message}; see scout --help")


def options() -> tuple[Field[Any], ...]:
    """The settings that have a flag, in the order of the help."""
    return tuple(field for field in documented() if field.metadata["flag"])


def parse(argv: Sequence[str]) -> Arguments:
    """Options may stand before and after words; `--` ends them. Raises ConfigError."""
    cut = list(argv).index("--") if "--" in argv else len(argv)
    parser = _parser()
    try:
        named, words = parser.parse_known_args(list(argv[:cut]))
    except argparse.ArgumentError as err:
        raise ConfigError(_explained(err)) from err
    for word in words:
        if OPTION.fullmatch(word):
            raise ConfigError(_unknown(word))
    found = vars(named)
    asked = {name: found.pop(name, False) for name in ("help", "version")}
    flags = {name: ",".join(value) if isinstance(value, list) else value for name, value in found.items()}
    return Arguments(_settled(flags), tuple(words), tuple(argv[cut + 1 :]), **asked)


def _parser() -> argparse.ArgumentParser:
    # SUPPRESS: an option that was not given must not overrule the environment with its default.
    parser = _Parser(
        "scout", add_help=False, allow_abbrev=False, exit_on_error=False, argument_default=argparse.SUPPRESS
    )
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--version", action="store_true")
    for field in options():
        action = {bool: "store_true", tuple: "append"}.get(type(field.default), "store")
        parser.add_argument(*_names(field), dest=field.name, action=action)
    return parser


def _names(field: Field[Any]) -> tuple[str, ...]:
    flag = field.metadata["flag"]
    return (SHORT[field.name], flag) if field.name in SHORT else (flag,)


def _settled(flags: dict[str, Any]) -> dict[str, Any]:
    """The flags without contradictions: one of a contrary pair switches off what the environment says of the other."""
    for one, other in CONTRARY:
        if one in flags and other in flags:
            raise ConfigError(f"--{one} and --{other} contradict each other; give one of them")
        if one in flags or other in flags:
            flags.setdefault(one, False)
            flags.setdefault(other, False)
    return flags


def _explained(err: argparse.ArgumentError) -> str:
    """argparse's reason, and what the option takes."""
    name = (err.argument_name or "").split("/")[-1]
    about = {field.metadata["flag"]: field.metadata["about"] for field in options()}.get(name, "see scout --help")
    if err.message.startswith("expected"):
        return f"{name} needs a value: {about}"
    return f"{name}: {err.message}: {about}"


def _unknown(word: str) -> str:
    name = word.split("=")[0]
    known = ["--help", "--version", *(n for field in options() for n in _names(field))]
    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else "scout --help lists them"
    return f"no option {name}; {hint} (words that begin with a dash go after --)"


def value_name(field: Field[Any]) -> str:
    """What stands for the option's value in the help; "" for a switch."""
    if isinstance(field.default, bool):
        return ""
    if field.metadata["choices"]:
        return "|".join(field.metadata["choices"])
    if isinstance(field.default, (int, float)):
        return "N"
    return VALUES.get(field.name, "TEXT")


def option_line(field: Field[Any]) -> str:
    """One entry of the help: names, value, meaning, default."""
    left = ", ".join(_names(field)) + (f" {value_name(field)}" if value_name(field) else "")
    shown = isinstance(field.default, (int, float)) and not isinstance(field.default, bool)
    default = f" (default {field.default:g})" if shown else ""
    return f"  {left:<30} {field.metadata['about']}{default}"
