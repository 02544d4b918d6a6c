"""Queries out of a question's own words. Pure, standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.search.asking import ASKING, CHINESE, ENGLISH, JAPANESE, JAPANESE_UNIT, JOINING, KOREAN, RUSSIAN
from tools.search.language import HAN

MAX_WORDS = 8  # a search engine that wants every word finds nothing with more
MAX_CHARS = 2000  # of a question: whoever pastes a book asks in its first lines

_SMALL = JOINING | {"a", "an", "and", "as", "at", "by", "for", "in", "on", "or", "to", "with"}  # in headlines too
_KANA = r"[\u3041-\u30ff]"
_LATIN = "[A-Za-z]"
_TOPIC_FIRST = rf"[{HAN}\u3041-\u30ff\uac00-\ud7af]"  # Chinese, Japanese and Korean name their topic first
_LETTER = rf"(?:(?![{HAN}\u3041-\u30ff])\w)"
_INNER = r"[\u0300-\u036f'’.,+#&/-](?=\w)|[+#](?!\w)"  # C++, AT&T, U.S, 2,850, d'Ivoire
_TOKEN = rf"[{HAN}\u30a0-\u30ff]+|{_LETTER}(?:{_LETTER}|{_INNER})*"


@dataclass(frozen=True, slots=True)
class Word:
    """A telling word. `follows`: nothing stood between it and the one before; `joined`: nothing, or an "of"."""

    text: str
    follows: bool
    joined: bool
    name: bool

    @property
    def number(self) -> bool:
        """It holds a digit."""
        return any(c.isdigit() for c in self.text)


def keywords(question: str, asked: str = "") -> tuple[str, ...]:
    """Search queries of the question's own words, each shorter than the one before, the fullest first; at most three.

    `asked`: the question behind it, where `question` is only a query made of that one.

    A search engine that wants every word of a query on the page finds nothing for a whole sentence: so first all
    telling words, then names and numbers, then what the question is about alone. A question of stop words is its own
    only query; a blank one has none.
    """
    words = _words(question)
    if not words:
        blank = " ".join(question.split())
        return (blank,) if blank else ()
    named = any(word.name for word in words)
    sure = [word for word in words if named and (word.name or word.number)]
    queries = (_joined(words[:MAX_WORDS]), _joined(sure), _joined(_subject(words, asked or question)))
    shorter: list[str] = []
    for query in queries:
        if query and (not shorter or len(query) < len(shorter[-1])):
            shorter.append(query)
    return tuple(shorter)


def searches(question: str, asked: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Queries for an engine that wants every word: those to try first, then those for when all of them find nothing.

    First all telling words, and what it is about alone; then, since that stands on no page under its name, the names
    beside it, the last words, its own parts. At most two each. `asked` as in keywords().
    """
    queries = keywords(question, asked)
    about = keywords(asked)[-1:]
    # A query says less of what is a name than the question: there "Brine Bridge" is one, not a kind of bridge.
    if not set(about and about[0].casefold().split()) <= {word.casefold() for word in telling(question)}:
        about = ()
    first = tuple(dict.fromkeys(queries[:1] + (about or queries[-1:])))
    tried = {query.casefold() for query in first}
    further = dict.fromkeys(q for q in _further(question, asked or question) if q.casefold() not in tried)
    return first, tuple(further)[:2]


def telling(question: str) -> tuple[str, ...]:
    """The words of a question that a page about it would hold, in order, each once."""
    return tuple(word.text for word in _words(question))


def _words(question: str) -> list[Word]:
    question = question[:MAX_CHARS]
    text = re.sub(CHINESE, "，", re.sub(KOREAN, " ", re.sub(ASKING, ", ", question)))
    if japanese := bool(re.search(_KANA, question)):
        text = re.sub(JAPANESE_UNIT, " ", question)
    found = _read(text, frozenset(f"{ENGLISH} {RUSSIAN} {JAPANESE}".split()))
    # A single ideograph is what is left of a verb once its ending is gone; but it may be all there is.
    whole = [word for word in found if len(word.text) > 1 or not re.match(_TOPIC_FIRST, word.text)]
    return whole if len(whole) >= (1 if japanese else 2) else found


def _read(text: str, stop: frozenset[str]) -> list[Word]:
    """Words of `text` without stop words, each once, with how they hang together."""
    cased = any(token[:1].islower() and token not in _SMALL for token in _tokens(text))
    ideographs = bool(re.search(_TOPIC_FIRST, text))
    found: dict[str, Word] = {}
    end, follows, joined = 0, False, False
    for match in re.finditer(_TOKEN, text):
        gap = text[end : match.start()].strip()
        if gap and not (gap == "." and text[end - 1].isupper()):  # the dot of an initial parts no name
            follows = joined = False
        end = match.end()
        token = _trimmed(match[0])
        if token.lower() in stop or not token:
            follows, joined = False, joined and token.lower() in JOINING
            continue
        # Where each word is capitalised, or none, capitals tell nothing. Among ideographs any Latin word is a name.
        name = (cased and any(c.isupper() for c in token)) or (ideographs and bool(re.search(_LATIN, token)))
        found.setdefault(token.casefold(), Word(token, follows, joined, name))
        follows = joined = not match[0].endswith((",", "."))
    return list(found.values())


def _further(question: str, asked: str) -> Iterable[str]:
    """What else a page may be found by, the most promising first."""
    words = _words(question)
    if not words:
        return
    subject = list(_subject(words, asked))
    if re.match(_TOPIC_FIRST, subject[0].text):
        # What is asked of a topic follows it without a blank: most names are of three characters or two.
        yield from (subject[0].text[:length] for length in (3, 2) if len(subject[0].text) > length)
    beside = [word for word in words if word not in subject]
    yield from map(_joined, reversed(_runs([word for word in beside if word.name], words)))
    if len(words) > 2 and not any(word.name for word in words):
        yield from (_joined(words[-3:-1]), _joined(words[-2:]))  # a verb may stand last
    yield from (word.text for word in reversed(subject) if len(subject) > 1)


def _subject(words: Sequence[Word], asked: str) -> Sequence[Word]:
    """What a question is about: its longest name, else where its language puts the topic."""
    names = _runs([word for word in words if word.name], words)
    if names:
        # Of single names the last: it is more often the whole that the others are parts of.
        return max(reversed(names), key=lambda run: (len(run), len(_joined(run)) if len(run) > 1 else 0))
    plain = [word for word in words if not word.number] or list(words)
    if re.search(_TOPIC_FIRST, plain[0].text):
        # 谁设计了大桥: what comes right after "who" is what was done, and then to what.
        done = re.search(rf"[谁誰]{re.escape(plain[0].text)}", asked)
        return plain[1:2] if done and len(plain) > 1 else plain[:1]
    last = _runs(plain, words)[-1]
    return last if len(last) < len(words) else last[-2:] if len(last) > 2 else last[-1:]


def _runs(chosen: Sequence[Word], words: Sequence[Word]) -> list[list[Word]]:
    """`chosen` in runs of neighbours: names may be joined by an "of", other words only follow each other."""
    inside = {word.text for word in chosen}
    runs: list[list[Word]] = []
    for before, word in zip([None, *words], words, strict=False):
        if word.text not in inside:
            continue
        near = word.joined if word.name else word.follows
        if near and before and before.text in inside:
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _joined(words: Iterable[Word]) -> str:
    return " ".join(word.text for word in words)


def _tokens(text: str) -> list[str]:
    return [token for match in re.findall(_TOKEN, text) if (token := _trimmed(match))]


def _trimmed(token: str) -> str:
    """Without a possessive ending and marks at its ends."""
    return re.sub(r"['’]s$", "", token).strip("'’.,/&-_")
