"""The menu's schema as llama.cpp's own grammar (GBNF), in which white space costs nothing.

llama.cpp makes a grammar of a JSON Schema by itself, but one that lets a model indent and break lines: that is up to
half of the tokens of an action, and each takes a small model a tenth of a second.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

COMMA = ' ", " '
_CHAR = r'char ::= [^"\\\x00-\x1F\x7F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4})'


def gbnf(schema: Mapping[str, Any]) -> str:
    """A grammar that admits what a flat `schema` admits, written on one line; "" where the schema is not flat."""
    branches = schema.get("anyOf", [schema])
    try:
        written = [_object(branch) for branch in branches]
    except (KeyError, TypeError):
        return ""
    return "\n".join([f"root ::= {' | '.join(written)}", _CHAR])


def _object(branch: Mapping[str, Any]) -> str:
    """One object, its properties in the order of `required`."""
    members = [
        f"{_literal(json.dumps(name, ensure_ascii=False) + ': ')} {_value(branch['properties'][name])}"
        for name in branch["required"]
    ]
    return f'"{{" {COMMA.join(members)} "}}"'


def _value(rule: Mapping[str, Any]) -> str:
    if "const" in rule:
        return _json(rule["const"])
    if "enum" in rule:
        return f"({' | '.join(map(_json, rule['enum']))})"
    if rule["type"] == "integer":
        return '"-"? [0-9]{1,9}'
    if rule["type"] != "string":
        raise TypeError(rule["type"])
    return f'"\\"" char{{{rule.get("minLength", 0)},{rule["maxLength"]}}} "\\""'


def _json(value: str | int) -> str:
    return _literal(json.dumps(value, ensure_ascii=False))


def _literal(text: str) -> str:
    """`text` between quotation marks; of GBNF's escapes it needs those of the quotation mark and the backslash."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
