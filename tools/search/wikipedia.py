"""Wikipedia in the question's language, or any MediaWiki, by its action API."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from agent.types import Endpoint, Fetched, Hit, ServiceRequest
from tools.search.clean import hit, line
from tools.search.provider import ASKED, Failure, Provider, ProviderFailed, check_status, document, failed

CONTACT = "it turns such a User-Agent away; Wikimedia wants a contact in it, set SCOUT_CONTACT"
# What MediaWiki itself leaves unescaped in the address of a page: wfUrlencode() in includes/GlobalFunctions.php.
_SAFE = ";@$!*(),/~:"

# A wiki on a plain database cuts its snippets out of the source of a page.
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_MARKS = re.compile(r"'{2,}|={2,}|\{\{|\}\}|\[\[|\]\]|\{\||\|[-+}|]|</?ref\b[^<>]*>")

# API error codes: https://www.mediawiki.org/wiki/API:Errors_and_warnings
_BUSY = {"maxlag", "readonly", "cirrussearch-too-busy-error", "cirrussearch-backend-error", "search-error", "timeout"}
_PACE = {"ratelimited", "actionthrottledtext", "actionthrottled"}
_CLOSED = {"readapidenied", "permissiondenied", "notloggedin", "assertuserfailed", "assertbotfailed"}
_OFF = {"search-text-disabled", "search-title-disabled", "module-disabled", "unknown_action", "unknown_list"}


def places(endpoint: Endpoint, lang: str, site: str) -> tuple[Endpoint, ...]:
    """Where the API may be: api.php in the folder that the address names, then below it in /w as on Wikipedia.

    () when `site` is another place than this wiki, which searches itself alone.
    """
    parts = urlsplit(endpoint.base_url or f"https://{_edition(site) or lang}.wikipedia.org")
    host = parts.hostname or ""
    if site and host != site and not host.endswith("." + site):
        return ()
    paths = ("/w/api.php",) if host.endswith(".wikipedia.org") else _scripts(parts.path)
    urls = (urlunsplit((parts.scheme, parts.netloc, path, "", "")) for path in paths)
    return tuple(replace(endpoint, base_url=url) for url in urls)


def _scripts(path: str) -> tuple[str, ...]:
    """Paths of api.php for the path of an address: of the API, of a page, or of the folder."""
    folder, named, _ = path.partition("/api.php")
    if named:
        return (path[: len(folder) + len(named)],)
    folder = path.partition("/index.php")[0].rstrip("/")
    # /wiki is where articles are shown, seldom where the scripts are.
    above, shown, _ = (folder + "/").partition("/wiki/")
    return (f"{above}/w/api.php", f"{above}/wiki/api.php") if shown else (f"{folder}/api.php", f"{folder}/w/api.php")


def request(query: str, endpoint: Endpoint, sites: tuple[str, ...], lang: str) -> ServiceRequest:
    """Searches the text of articles for `query`, or for either of its two lines, in one request.

    The list takes the first line and the generator the second: a database wiki wants every word on the page, so the
    telling words often find nothing where the bare subject does. siteinfo comes along because only the wiki knows
    where its pages are.
    """
    first, _, second = query.partition("\n")
    url = endpoint.base_url or places(endpoint, lang, "")[0].base_url
    params = (
        ("action", "query"),
        ("list", "search"),
        ("srsearch", first),
        ("srwhat", "text"),
        ("srlimit", str(ASKED)),
        ("srprop", "snippet"),
        ("meta", "siteinfo"),
        ("siprop", "general"),
        ("format", "json"),
        ("formatversion", "2"),
    )
    also = (
        ("generator", "search"),
        ("gsrsearch", second),
        ("gsrwhat", "text"),
        ("gsrlimit", str(ASKED)),
        ("prop", "description"),  # a wiki that has none only warns
    )
    return ServiceRequest(url, params + also if second else params)


def parse(fetched: Fetched, endpoint: Endpoint) -> tuple[Hit, ...]:
    """Errors come with status 200. The URL of a page is made of its title, on the origin that was asked."""
    if fetched.status == 403 and not fetched.body.lstrip().startswith(b"{"):
        raise failed(Failure.BLOCKED, "wikipedia", fetched, f"answered 403: {CONTACT}")
    reply = document("wikipedia", fetched)
    if "error" in reply or "errors" in reply:
        raise _failure(reply, fetched)
    check_status("wikipedia", fetched)
    query = reply.get("query")
    if query is None and "batchcomplete" in reply:  # the whole answer is here, and it is nothing
        return ()
    results = query.get("search") if isinstance(query, dict) else None
    if not isinstance(query, dict) or not isinstance(results, list):
        raise failed(Failure.PARSE_CHANGED, "wikipedia", fetched, "answered without a list of results")
    pattern = _pattern(endpoint.base_url or fetched.url, query.get("general"))
    found = (_hit(result, pattern) for result in (*_listed(results), *_ordered(query.get("pages"))))
    return tuple(h for h in found if h)


def _listed(results: Any) -> list[dict[str, Any]]:
    return [result for result in results if isinstance(result, dict)] if isinstance(results, list) else []


def _ordered(pages: Any) -> list[dict[str, Any]]:
    """Pages of the generator, which come by their ids, as the search had them."""
    return sorted(_listed(pages), key=lambda page: index if isinstance(index := page.get("index"), int) else ASKED)


def _hit(result: dict[str, Any], pattern: str) -> Hit | None:
    title = result.get("title")
    if not isinstance(title, str) or not title.strip():
        return None
    url = pattern.replace("$1", quote(title.strip().replace(" ", "_"), safe=_SAFE))
    found = hit("wikipedia", "", url, result.get("snippet") or result.get("description"))
    # A title is text, not markup: "Using <b>" is a page about a tag.
    return found and replace(found, title=line(title), snippet=_unmarked(found.snippet))


def _unmarked(snippet: str) -> str:
    """A snippet without the marks of wikitext; a cut may have left only half of a pair."""
    return line(_MARKS.sub(" ", _LINK.sub(r"\1", re.sub("'{2,}", "", snippet))))


def _pattern(asked: str, general: Any) -> str:
    """The address of a page with $1 for its title.

    Only the path is the wiki's to say: its own idea of its host is often wrong behind a port or a proxy, and a reply
    may never move the reading to another host.
    """
    parts = urlsplit(asked)
    stated = general.get("articlepath") if isinstance(general, dict) else None
    path = "/wiki/$1"
    if isinstance(stated, str) and "$1" in stated:
        article = urlsplit(stated)
        path = article.path + (f"?{article.query}" if article.query else "")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/{path.lstrip('/')}"


def _failure(reply: dict[str, Any], fetched: Fetched) -> ProviderFailed:
    """`error` holds one error, or `errors` a list of them in newer formats."""
    several = reply.get("errors")
    error = several[0] if isinstance(several, list) and several else reply.get("error")
    code = str(error.get("code") if isinstance(error, dict) else error)
    words = line(str((error.get("info") or error.get("text") or "") if isinstance(error, dict) else ""))[:160]
    return failed(_kind(code.lower(), fetched.status), "wikipedia", fetched, f"answered {code}: {words}".rstrip(": "))


def _kind(code: str, status: int) -> Failure:
    if code in _PACE or status == 429:
        return Failure.RATE_LIMITED
    if code in _BUSY or code.startswith(("internal_api_error", "cirrussearch-backend")) or status >= 500:
        return Failure.UNAVAILABLE
    if "blocked" in code:
        return Failure.BLOCKED
    if code in _CLOSED or code.startswith("mwoauth"):
        return Failure.AUTH
    return Failure.GONE if code in _OFF else Failure.BAD_REQUEST


def _edition(site: str) -> str:
    """The language that a whitelisted edition of Wikipedia is in, "" for any other site."""
    name, _, rest = site.partition(".")
    return name if rest == "wikipedia.org" and name not in ("www", "m") else ""


WIKIPEDIA = Provider("wikipedia", request, parse, places, every_word=True, origin="https://*.wikipedia.org")
