"""One raw model reply → one action or the class of its error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from agent.errors import BadAction
from agent.parse import parse_reply


def check(case: dict[str, Any], folder: Path) -> str:
    wanted = _comparable(case["expected"])
    try:
        action = parse_reply(case["input"])
    except BadAction as err:
        got: dict[str, Any] = {"error": err.kind}
    else:
        got = _comparable({"action": {"action": action.tool, **action.args}})
    return "" if got == wanted else f"expected {wanted!s:.300}, got {got!s:.300}"


def _comparable(outcome: dict[str, Any]) -> dict[str, Any]:
    action = outcome.get("action")
    if not action or not isinstance(action.get("url"), str):
        return outcome
    return {"action": {**action, "url": canonical(action["url"])}}


def canonical(url: str) -> str:
    """Two URLs that a server cannot tell apart have one canonical form (RFC 3986 section 6.2)."""
    parts = urlsplit(url)
    host = re.sub(r":443\Z", "", parts.netloc.lower()).removesuffix(".")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    path = re.sub(r"%(?![0-9a-fA-F]{2})", "%25", path)
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?[]")
    return f"{parts.scheme.lower()}://{host}{path}" + (f"?{query}" if query else "")
