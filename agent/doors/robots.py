"""What a robots.txt says to one crawler. Pure; RFC 9309."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

MAX_BYTES = 500 * 1024  # RFC 9309 section 2.5: parse at least that much
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class Rule:
    """A path pattern in normal form: pieces between its stars, and whether a `$` ends it."""

    allow: bool
    pieces: tuple[str, ...]
    ends: bool

    @property
    def length(self) -> int:
        """Octets of the pattern: the longest match wins (section 2.2.2)."""
        return sum(map(len, self.pieces)) + len(self.pieces) - 1 + self.ends

    def matches(self, target: str) -> bool:
        """Does it bear on `target`, which is in normal form?"""
        # Piece by piece from the left, never back: a regular expression of many stars takes a time that a hostile
        # file can make as long as it likes.
        if not target.startswith(self.pieces[0]):
            return False
        at = len(self.pieces[0])
        for piece in self.pieces[1:-1] if self.ends else self.pieces[1:]:
            found = target.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        if not self.ends:
            return True
        last = self.pieces[-1]
        return at == len(target) if len(self.pieces) == 1 else target.endswith(last) and len(target) - len(last) >= at


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules that hold for one crawler."""

    rules: tuple[Rule, ...] = ()

    def allows(self, target: str) -> bool:
        """May it fetch `target` (path and query)? No rule means yes, and so does a tie."""
        path = _normal(target).replace("*", "%2A").replace("$", "%24")
        best = max((rule for rule in self.rules if rule.matches(path)), key=lambda r: (r.length, r.allow), default=None)
        return best is None or best.allow


def parse(body: bytes, agent: str) -> Robots:
    """The rules of `body` for the product token `agent`: its own groups merged, else those of `*`."""
    text = body[:MAX_BYTES].decode("utf-8-sig", "replace")
    found: dict[str, list[Rule]] = {}
    names: list[str] = []
    in_rules = False
    for key, value in _lines(text):
        if key == "user-agent":
            names = [] if in_rules else names
            in_rules = False
            token = _TOKEN.match(value)
            names.append(token[0].lower() if token else "")
            found.setdefault(names[-1], [])
        elif key in ("allow", "disallow"):
            # Any other line (Sitemap, Crawl-delay) neither ends a group nor parts its agents.
            in_rules = True
            if value:
                rule = _rule(key == "allow", value)
                for name in names:
                    found[name].append(rule)
    return Robots(tuple(found.get(agent.lower(), found.get("*", ()))))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in re.split(r"\r\n?|\n", text):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _rule(allow: bool, pattern: str) -> Rule:
    ends = pattern.endswith("$")
    pieces = _normal(pattern.removesuffix("$")).replace("$", "%24").split("*")
    return Rule(allow, tuple(pieces), ends)


def _normal(path: str) -> str:
    """One spelling for what means the same: escapes in upper case, none of unreserved characters (section 2.2.2)."""
    return _ESCAPE.sub(_unescaped, quote(path, safe=_ASCII))


def _unescaped(escape: re.Match[str]) -> str:
    char = chr(int(escape[1], 16))
    return char if char in _UNRESERVED else escape[0].upper()
