"""The search tool: its card, and what the model and the person are told of a search."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.errors import SearchFailed
from agent.ports import ToolContext
from agent.spec import Kind, Param, Tool
from agent.types import Hit, Observation, Purpose
from tools.search.chain import PROVIDERS, Chain, Wanted, chain_of, origins
from tools.search.clean import cut, line
from tools.search.language import language
from tools.search.ranking import ranked
from tools.search.words import keywords, telling

QUERY_CHARS = 120
TITLE_CHARS = 120
HOSTS = 5  # names of hidden hosts shown

# Orders to a search engine: "!w" and ":fr" send the query elsewhere, and site: is for this tool to add.
_BANG = re.compile(r"(?<!\S)[!:<]+(?=\w)")
_SITE = re.compile(r"(?<!\S)-?site:\S*", re.IGNORECASE)


def search(query: str, ctx: ToolContext, site: str = "") -> Observation:
    """At most ctx.results hits that the policy admits, those first that bear most on the question.

    query: words for a search engine. site: one whitelisted domain to stay within; anything else means all of them.
    To find nothing is a result. Raises SearchFailed when no provider answered, with the reason of each, and
    PolicyDenied (budget) when not one request was left.
    """
    words = _words(query)
    wanted = Wanted(words, _site(site, ctx.sites), _language(words, ctx.question))
    chain = chain_of(wanted, ctx)
    alone = ""
    if wanted.site and not chain.places:
        alone = f"no provider can search {wanted.site} alone; searched without it"
        chain = chain_of(replace(wanted, site=""), ctx)
    hits = chain.run()
    notes = _notes(chain, hits) + ((alone,) if alone else ())
    return _found(hits, ctx, words, notes) if hits else _nothing(chain, notes)


def _words(query: str) -> str:
    """The query without orders to search engines, at most QUERY_CHARS characters."""
    text = line(_SITE.sub(" ", _BANG.sub(" ", query))) or line(query)
    return cut(text, QUERY_CHARS).removesuffix("…")


def _site(site: str, sites: tuple[str, ...]) -> str:
    """A whitelisted domain or one below it; "" for "any" and for what a model makes up."""
    name = site.strip().lower()
    return name if any(name == allowed or name.endswith("." + allowed) for allowed in sites) else ""


def _language(words: str, question: str) -> str:
    """That of the question, unless the query is in words of its own: a model may have translated them."""
    asked = question.casefold()
    return language(question if all(word.casefold() in asked for word in telling(words)) else words)


def _found(hits: tuple[Hit, ...], ctx: ToolContext, words: str, notes: tuple[str, ...]) -> Observation:
    """The best hits as the model reads them."""
    best = ranked(hits, f"{ctx.question} {words}")[: ctx.results]
    shown = tuple(replace(h, title=cut(h.title, TITLE_CHARS), snippet=cut(h.snippet, ctx.snippet_chars)) for h in best)
    entries = ((f"{n}. {hit.title or hit.url}", hit.url, hit.snippet) for n, hit in enumerate(shown, 1))
    text = "\n".join("\n   ".join(part for part in entry if part) for entry in entries)
    return Observation(text, hits=shown, notes=notes)


def _nothing(chain: Chain, notes: tuple[str, ...]) -> Observation:
    """Nothing to show: a result if somebody said so, a failure if nobody answered. Raises SearchFailed."""
    answered = chain.empty + chain.barred
    if answered:
        what = " that may be read" if chain.barred else ""
        who = " and ".join(answered)
        return Observation(
            f'Nothing{what} was found for "{chain.wanted.words}" by {who}. Try other words.', notes=notes
        )
    reasons = [*map(str, chain.failures.values()), *chain.unasked]
    raise SearchFailed(
        "search", "no provider answered: " + "; ".join(reasons or ["none is configured; --search wikipedia names one"])
    )


def _notes(chain: Chain, hits: tuple[Hit, ...]) -> tuple[str, ...]:
    """What else is to be known: who failed and why, who answered in their place, what was kept back."""
    failed = tuple(map(str, chain.failures.values()))
    empty = tuple(f"{name} found nothing for {chain.wanted.words!r}" for name in chain.empty if hits)
    sent = chain.phrase.splitlines()
    as_sent = f" to {' or '.join(map(repr, sent))}" if chain.wanted.words not in sent else ""
    # A search that simply went well is not worth a line: each note is read by the model and by the person.
    answered = (f"{hits[0].provider} answered{as_sent}",) if hits and (failed or chain.unasked or empty) else ()
    hidden = (_hidden(tuple(chain.hidden.values())),) if chain.hidden else ()
    notices = (p.notice for p in PROVIDERS.values() if p.notice and p in chain.places and p.name not in chain.failures)
    return (*failed, *chain.unasked, *empty, *answered, *hidden, *notices)


def _hidden(pages: tuple[str, ...]) -> str:
    """How many results the policy keeps back, and whose they are. `pages` are their hosts."""
    hosts = tuple(dict.fromkeys(pages))
    names = ", ".join(hosts[:HOSTS]) + (", …" if len(hosts) > HOSTS else "")
    return f"{len(pages)} result{'s' if len(pages) != 1 else ''} hidden: {names}; --allow to admit"


SEARCH = Tool(
    "search",
    "Search the web. Use it to find pages that may hold the answer; then read the best of them.",
    params=(
        Param("query", Kind.QUERY, "a few words: the names and the subject of the question", max_chars=QUERY_CHARS),
        Param("site", Kind.SITE, "one allowed site to search in, or any", required=False),
    ),
    run=search,
    spends=Purpose.SEARCH,
)

__all__ = ["SEARCH", "keywords", "origins", "search"]
