"""Who is asked, in which order, and what came of it: from the words of a query to hits that may be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from agent.errors import FetchFailed, PolicyDenied
from agent.ports import ToolContext
from agent.types import Endpoint, Hit
from tools.search import clean
from tools.search.duckduckgo import DUCKDUCKGO
from tools.search.google import GOOGLE
from tools.search.provider import SITES, Failure, Provider, ProviderFailed
from tools.search.ranking import merged
from tools.search.searxng import SEARXNG
from tools.search.wikipedia import WIKIPEDIA
from tools.search.words import keywords, searches

PROVIDERS = {p.name: p for p in (SEARXNG, GOOGLE, DUCKDUCKGO, WIKIPEDIA)}

_PLAIN_HTTP = re.compile(r"http://([^/:@]+)(?::80)?/")  # any other port serves what it serves


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for: words, within `site` ("" for the whole whitelist), in the language of wiki `lang`."""

    words: str
    site: str
    lang: str


@dataclass(slots=True)
class Chain:
    """One search at one provider after the other. What came of it stays here for whoever tells of it."""

    wanted: Wanted
    ctx: ToolContext
    places: dict[Provider, tuple[Endpoint, ...]]  # in the order to ask
    failures: dict[str, ProviderFailed] = field(default_factory=dict)  # by provider
    empty: list[str] = field(default_factory=list)  # they found nothing
    barred: list[str] = field(default_factory=list)  # they found only what may not be read
    unasked: list[str] = field(default_factory=list)  # no request was left for them
    hidden: dict[str, str] = field(default_factory=dict)  # page → its host
    phrase: str = ""  # the query as it was last sent, or two, a line each

    def run(self) -> tuple[Hit, ...]:
        """The hits of the first provider that has some to show; () when none has.

        All are asked in turn; then those that found nothing are asked once more with fewer words, as far as requests
        go. Raises PolicyDenied (budget) when not one was left.
        """
        for provider in self.places:
            if hits := self.ask(provider, phrased(provider, self.wanted.words, self.ctx.question)):
                return hits
        for provider in self.places:
            fewer = fewer_words(provider, self.wanted.words, self.ctx.question)
            if provider.name in self.empty and fewer and (hits := self.ask(provider, fewer)):
                return hits
        return ()

    def ask(self, provider: Provider, phrase: str) -> tuple[Hit, ...]:
        """What one provider has to show. All that goes wrong is taken down instead of raised, but the first budget."""
        try:
            hits = self.answer(provider, phrase)
        except ProviderFailed as err:
            self.failures[provider.name] = err
            return ()
        except PolicyDenied as err:
            if not (self.failures or self.empty or self.barred):
                raise
            if provider.name not in self.empty:
                self.unasked.append(f"{provider.name} was not asked: {err.reason}")
            return ()
        self.phrase = phrase
        kept, hidden = admitted(hits, lambda url: self.ctx.refusal(url) or outside(url, self.wanted.site))
        self.hidden |= {clean.key(hit.url): clean.host(hit.url) for hit in hidden}
        if not kept and provider.name not in self.empty + self.barred:
            (self.barred if hidden else self.empty).append(provider.name)
        return kept

    def answer(self, provider: Provider, phrase: str) -> tuple[Hit, ...]:
        """The reply of the first of its places that is the service at all. Raises ProviderFailed, PolicyDenied."""
        first: ProviderFailed | None = None
        for place in self.places[provider]:
            try:
                hits = self.send(provider, phrase, place)
            except ProviderFailed as err:
                first = first or err
                if err.kind not in (Failure.GONE, Failure.PARSE_CHANGED):
                    break
            except PolicyDenied:
                if not first:
                    raise
                break
            else:
                self.places[provider] = (place,)
                return hits
        raise first or ProviderFailed(Failure.GONE, provider.name, "has no address")

    def send(self, provider: Provider, phrase: str, place: Endpoint) -> tuple[Hit, ...]:
        """One request, its reply read. Raises ProviderFailed, and PolicyDenied when the budget is spent."""
        sites = (self.wanted.site,) if self.wanted.site else self.ctx.sites
        request = provider.request(phrase, place, sites if len(sites) <= SITES else (), self.wanted.lang)
        try:
            return provider.parse(self.ctx.services.send(request), place)
        except FetchFailed as err:
            raise ProviderFailed(Failure.UNAVAILABLE, provider.name, f"cannot be reached: {err.reason}") from err
        except PolicyDenied as err:
            if err.kind == "budget":
                raise
            raise ProviderFailed(Failure.BAD_REQUEST, provider.name, f"cannot be asked: {err.reason}") from err


def chain_of(wanted: Wanted, ctx: ToolContext) -> Chain:
    """The configured providers that can search where it is wanted."""
    known = [(PROVIDERS[endpoint.provider], endpoint) for endpoint in ctx.endpoints]
    places = {provider: provider.places(endpoint, wanted.lang, wanted.site) for provider, endpoint in known}
    return Chain(wanted, ctx, {provider: found for provider, found in places.items() if found})


def origins(endpoints: Iterable[Endpoint]) -> tuple[str, ...]:
    """Where these providers are, for the door: scheme://host[:port], "https://*.example.org" for the names below."""
    return tuple(dict.fromkeys(_origin(e.base_url) or PROVIDERS[e.provider].origin for e in endpoints))


def admitted(hits: Iterable[Hit], refusal: Callable[[str], str]) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """Hits that may be read, each page once, by https wherever the policy takes it; and those that may not be read."""
    kept: list[Hit] = []
    hidden: list[Hit] = []
    for hit in hits:
        secure = replace(hit, url=_PLAIN_HTTP.sub(r"https://\1/", hit.url, count=1))
        # A host that was granted by name and port may have no https at all.
        best = next((spelled for spelled in (secure, hit) if not refusal(spelled.url)), None)
        (kept if best else hidden).append(best or hit)
    return merged(kept), merged(hidden)


def phrased(provider: Provider, words: str, question: str) -> str:
    """The query as this provider takes it best: one that wants every word does two searches at once, a line each."""
    return "\n".join(searches(words, question)[0]) or words if provider.every_word else words


def fewer_words(provider: Provider, words: str, question: str) -> str:
    """What to ask a provider that found nothing, "" when there is nothing more to try."""
    if provider.every_word:
        return "\n".join(searches(words, question)[1])
    return next((query for query in keywords(words, question)[-1:] if len(query) < len(words)), "")


def outside(url: str, site: str) -> str:
    """Why `url` is not within a domain; "" when it is, or when there is none to be within."""
    host = urlsplit(url).hostname or ""
    return "" if not site or host == site or host.endswith("." + site) else f"not within {site}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if url else ""
