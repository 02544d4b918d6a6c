"""A SearXNG server of one's own, by its JSON."""

from __future__ import annotations

from typing import Any

from agent.types import Endpoint, Fetched, Hit, ServiceRequest
from tools.search.clean import hit, line
from tools.search.provider import Failure, Provider, check_bot, check_status, document, failed, limited

FORBIDDEN = "JSON is not allowed there: add json to search.formats in its settings.yml"


def request(query: str, endpoint: Endpoint, sites: tuple[str, ...], lang: str) -> ServiceRequest:
    """Its limiter turns away who sends no Accept and no Accept-Language."""
    base = endpoint.base_url.rstrip("/").removesuffix("/search")
    params = [("q", limited(query, sites)), ("format", "json"), ("pageno", "1")]
    if lang != "en":  # Latin letters say little about the language, and a wrong one costs results
        params.append(("language", lang))
    headers = (("Accept", "application/json"), ("Accept-Language", f"{lang},en;q=0.5"))
    return ServiceRequest(base + "/search", tuple(params), headers)


def parse(fetched: Fetched, endpoint: Endpoint) -> tuple[Hit, ...]:
    """No results while engines failed is a failure, not "nothing found"."""
    if fetched.status == 403:
        check_bot("searxng", fetched)
        raise failed(Failure.AUTH, "searxng", fetched, f"answered 403: {FORBIDDEN}")
    reply = document("searxng", fetched)
    check_status("searxng", fetched)
    results = reply.get("results")
    if "error" in reply and not results:
        raise failed(Failure.UNAVAILABLE, "searxng", fetched, f"answered: {line(str(reply['error']))[:160]}")
    engines = reply.get("unresponsive_engines")
    if not results and engines:
        words = f"found nothing because its engines failed: {_all(engines)}"
        raise failed(Failure.UNAVAILABLE, "searxng", fetched, words)
    if not isinstance(results, list):
        raise failed(Failure.PARSE_CHANGED, "searxng", fetched, "answered without a list of results")
    found = (_hit(result) for result in results if isinstance(result, dict))
    return tuple(h for h in found if h)


def _hit(result: dict[str, Any]) -> Hit | None:
    published = result.get("publishedDate") or result.get("pubdate")
    return hit("searxng", result.get("title"), result.get("url"), result.get("content"), published)


def _all(engines: Any) -> str:
    """Pairs of engine and reason in words; other servers of the family send bare names."""
    pairs = engines if isinstance(engines, list) else [engines]
    words = [f"{p[0]} ({p[1]})" if isinstance(p, list) and len(p) > 1 else str(p) for p in pairs]
    return line(", ".join(words))[:200]


SEARXNG = Provider("searxng", request, parse)
