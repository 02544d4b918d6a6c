"""Replies of search providers: one reply, read and filtered as the tool does it → results, or a class of failure."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from agent.policy import Policy
from agent.types import Endpoint, Fetched
from tools.search.chain import PROVIDERS, admitted
from tools.search.clean import canonical
from tools.search.provider import Failure, ProviderFailed

NAMES = {
    "google_cse": "google",
    "duckduckgo_html": "duckduckgo",
    "searxng": "searxng",
    "wikipedia_api": "wikipedia",
}
CLASSES = {
    Failure.RATE_LIMITED: "quota",
    Failure.QUOTA: "quota",
    Failure.AUTH: "auth",
    Failure.BLOCKED: "blocked",
    Failure.GONE: "unavailable",
    Failure.UNAVAILABLE: "unavailable",
    Failure.BAD_REQUEST: "bad_reply",
    Failure.PARSE_CHANGED: "bad_reply",
}


def check(case: dict[str, Any], folder: Path) -> str:
    """What went wrong, "" when nothing did."""
    given, expected = case["input"], case["expected"]
    try:
        results = read(given)
    except ProviderFailed as err:
        accepted = [expected.get("error"), *expected.get("or", [])]
        return "" if CLASSES[err.kind] in accepted else f"{CLASSES[err.kind]} ({err}) instead of {_short(expected)}"
    if "error" in expected:
        return f"{len(results)} results instead of {expected['error']}"
    wanted = [{**result, "url": canonical(result["url"])} for result in expected["results"]]
    return "" if results == wanted else f"{results} instead of {wanted}"


def read(given: dict[str, Any]) -> list[dict[str, str]]:
    """The results to show. Raises ProviderFailed."""
    provider = PROVIDERS[NAMES[given["provider"]]]
    body = base64.b64decode(given["body_b64"]) if "body_b64" in given else given["body"].encode()
    headers = {name.lower(): value for name, value in given.get("headers", {}).items()}
    fetched = Fetched(given.get("base", ""), given["status"], given["content_type"], body, headers)
    hits = provider.parse(fetched, Endpoint(provider.name, given.get("base", "")))
    kept, _ = admitted(hits, Policy(tuple(given["sites"])).refusal)
    return [{"title": hit.title, "url": hit.url, "snippet": hit.snippet} for hit in kept]


def _short(expected: dict[str, Any]) -> str:
    return expected.get("error") or f"{len(expected['results'])} results"
