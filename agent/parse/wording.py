"""The words of a reply: other names for tools and keys, copied placeholders, and how a text and a URL are cleaned."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from agent.errors import BadAction
from agent.spec import Kind, Param

Tools = Mapping[str, tuple[Param, ...]]

# Other names models use for tools. Compared without case, blanks, "_" and "-"; never by likeness or by a part.
_TOOL_ALIASES = {
    "search": ("web_search", "google", "google_search", "internet_search", "brave_search", "brave_web_search", "搜索"),
    "scrape": ("browse", "open_url", "visit_webpage", "go_to_url", "抓取"),
    "answer": ("final_answer", "finish", "done", "respond", "回答"),
}
_PARAM_ALIASES = {
    Kind.QUERY: ("query", "q", "search_query", "search_term", "keyword", "prompt", "input", "关键词"),
    Kind.URL: ("url", "link", "page", "urls", "网址"),
    Kind.TEXT: ("content", "text", "answer", "response", "message", "内容"),
}
_PREFIX = re.compile(r"^\s*(?:functions|default_api)\.", re.IGNORECASE)


_INVISIBLE = re.compile("[\u200b\u2060\ufeff\0]")  # the joiners U+200C and U+200D stay: scripts and emoji need them
_SEPARATORS = re.compile(r"[\s_-]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def visible(text: str) -> str:
    """`text` without zero-width spaces, byte-order marks and NUL."""
    return _INVISIBLE.sub("", text)


@lru_cache(maxsize=512)
def fold(word: str) -> str:
    """A name or key without what models vary: case, blanks, "_" and "-"."""
    return _SEPARATORS.sub("", visible(word)).lower()


def folded(words: Collection[str]) -> frozenset[str]:
    """The words of a list, folded."""
    return frozenset(fold(word) for word in words)


_CANONICAL = {fold(alias): name for name, aliases in _TOOL_ALIASES.items() for alias in aliases}


def resolve(name: str, tools: Tools) -> str:
    """The tool meant by `name`, "" if none of `tools` is. A tool's own name comes before any alias."""
    bare = fold(_PREFIX.sub("", visible(name), count=1))
    own = {fold(tool): tool for tool in tools}
    for form in (bare, bare.removesuffix("tool")):
        found = own.get(form) or _CANONICAL.get(form, "")
        if found in tools:
            return found
    return ""


def keys_of(param: Param, params: tuple[Param, ...]) -> frozenset[str]:
    """The keys that may hold `param`, folded: its name and the aliases of its kind, except names of its neighbours."""
    neighbours = folded([other.name for other in params if other is not param])
    return folded((param.name, *_PARAM_ALIASES.get(param.kind, ()))) - neighbours


ARGUMENT_KEYS = folded([key for keys in _PARAM_ALIASES.values() for key in keys])


def is_choice(name: str, tools: Tools) -> bool:
    """Is `name` the prompt's list of alternatives (`search|scrape|answer`) rather than one of them?"""
    parts = [part for part in re.split(r"[|/,、]|\bor\b|或", name) if part.strip()]
    return 1 < len(parts) <= 20 and all(resolve(part, tools) for part in parts)


def clean_text(text: str) -> str:
    """Free text: ends trimmed, LF line ends, nothing invisible, nothing that UTF-8 cannot hold."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return visible(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def clean_line(text: str) -> str:
    """Text of one line: every run of white space is one blank."""
    return " ".join(clean_text(text).split())


_PLACEHOLDERS = folded(("关键词", "网址", "最终答案", "answer", "your search query"))
_PLACEHOLDER = re.compile(
    r"[.…·]+"  # an ellipsis in any length
    r"|<[^\W\d][\w \-]{0,40}>|\{{1,2}[^\W\d][\w \-]{0,40}\}{1,2}"  # <query>, {url}
    r"|your (?:[a-z]+ ){0,3}(?:query|keywords?|question|answer|url|content|text|response)(?: here)?\.?",
    re.IGNORECASE,
)


def is_placeholder(text: str) -> bool:
    """Is `text`, already cleaned, a word of the format description instead of a value?"""
    return len(text) <= 60 and (
        fold(text.strip("[]()【】")) in _PLACEHOLDERS or _PLACEHOLDER.fullmatch(text) is not None
    )


_WRAPS = {**dict(zip("<「『（(《【“‘[", ">」』）)》】”’]", strict=True)), "`": "`", '"': '"', "'": "'"}
_AROUND = re.compile(r"[\s,;:.!?，；：。！？、]*")  # what a sentence may leave behind the closing mark
_GLUED = frozenset(',;。，；、！？」』）》】”’>`"')
_MARKDOWN = re.compile(r"!?\[([^\[\]]*)\]\((\S+?)(?:\s+\"[^\"]*\")?\)[\s,;.。，；]*")
_STARTS = re.compile(r"(?:^|[\s,;，；、|<(（「\"'`])(?=https?://|www\.)", re.IGNORECASE)
_HTTP = re.compile(r"(https?)://", re.IGNORECASE)
_BARE_HOST = re.compile(r"(?:[^\W_](?:[\w-]{0,62})\.){1,9}([^\W\d_][\w-]{1,62})\.?(?::\d{1,5})?", re.IGNORECASE)
_FILE_TYPES = frozenset(("html", "htm", "php", "asp", "aspx", "jsp", "pdf", "txt", "json", "xml", "md", "png", "jpg"))
_MAX_URL = 8000  # characters: what RFC 9110 section 4.1 asks every recipient to support at least
_NOT_IN_HOST = re.compile(r"[\s<>{}|^\\`\"…\[\]]|^[.:]*$|^\.\.")


def clean_url(text: str, plain_http: Collection[str] = ()) -> str:
    """The absolute URL meant by `text`: https, except on the "host:port"s of `plain_http`, which keep their scheme.

    Undone: Markdown, marks and punctuation around it, a missing scheme, blanks in the path. Whether the URL may be
    fetched is not judged here. Raises BadAction (bad_url, ambiguous).
    """
    if len(text) > _MAX_URL:
        raise _bad_url(text)
    text = re.sub(r"\\(?=[^\w\s]|_)", "", clean_text(text))  # Markdown's escapes
    link = _MARKDOWN.fullmatch(text)
    if link:
        target = _single_url(link[2], plain_http)
        if _names_another(link[1].strip(), target, plain_http):
            raise BadAction("ambiguous", "the link shows one URL and leads to another; give one plain URL")
        return target
    return _single_url(text, plain_http)


def _single_url(text: str, plain_http: Collection[str]) -> str:
    starts = [found.end() for found in _STARTS.finditer(text)]
    if len(starts) > 1:
        parts = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
        first = _absolute(_unwrap(parts[0].split()[0]), plain_http)
        if any(_absolute(_unwrap(part.split()[0]), plain_http) != first for part in parts):
            raise BadAction("ambiguous", "there are several URLs; give exactly one")
        return first
    return _absolute(_unwrap(text), plain_http)


def _names_another(shown: str, target: str, plain_http: Collection[str]) -> bool:
    """Does the visible text of a link name another place than its target?"""
    if _HTTP.match(shown):
        return _absolute(_unwrap(shown), plain_http) != target
    if _BARE_HOST.fullmatch(shown):
        host = target.split("/")[2]
        return shown.lower().removeprefix("www.") != host.removeprefix("www.")
    return False


def _unwrap(text: str) -> str:
    """Without the brackets, quotes and punctuation of the sentence around a URL; its own `)` and final dot stay."""
    text = text.strip()
    start = 0
    end = len(text)
    while start < end:
        last = text[end - 1]
        closing = _WRAPS.get(text[start])
        at = text.rfind(closing, start + 1, end) if closing else -1
        if at > 0 and _AROUND.fullmatch(text, at + 1, end):
            start, end = start + 1, at
        elif last in _GLUED or last.isspace() or (last == ")" and _unbalanced(text[start:end])):
            end -= 1
        elif text[start].isspace():
            start += 1
        else:
            break
    return text[start:end]


def _unbalanced(text: str) -> bool:
    return text.count(")") > text.count("(")


def _absolute(text: str, plain_http: Collection[str]) -> str:
    text = re.sub(r"^(https?)\s*[:：]\s*[/／]{2}", r"\1://", text, count=1, flags=re.IGNORECASE)
    found = _HTTP.match(text)
    scheme = found[1].lower() if found else ""
    rest = text[found.end() :] if found else text.removeprefix("//")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    tail = rest[len(authority) :]
    if not scheme and not text.startswith("//") and not _is_bare(authority, tail, plain_http):
        raise _bad_url(text)
    if _NOT_IN_HOST.search(authority) or re.search(r"(?:/\.{3,}|…|\\)\Z", tail):
        raise _bad_url(text)
    scheme = (scheme or "http") if authority.lower() in plain_http else "https"
    path = re.sub(r"\s", "%20", tail)
    return f"{scheme}://{authority.lower()}{path}"


def _is_bare(authority: str, tail: str, plain_http: Collection[str]) -> bool:
    """A domain without a scheme: it has a dot and a letters-only end that is no file type."""
    host = _BARE_HOST.fullmatch(authority)
    named_file = host is not None and not tail and host[1].lower() in _FILE_TYPES
    return authority.lower() in plain_http or (host is not None and not named_file)


def _bad_url(text: str) -> BadAction:
    return BadAction("bad_url", f"{shown(text)} is no web address; give one full https URL")


def shown(text: str, chars: int = 60) -> str:
    """`text` quoted on one line, cut to fit a message."""
    line = clean_line(text[: 4 * chars])
    return f"'{line}'" if len(line) <= chars else f"'{line[:chars]}…'"
