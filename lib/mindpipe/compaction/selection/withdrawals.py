"""What is taken back or denied later, in words that name little: `scrap that`, `No, wrong.`.

Alone such words tell little, and leave a window first; what they took back, or denied, would then
stand there as if it held.
"""

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple

from mindpipe.compaction.selection.clauses import ClauseTable
from mindpipe.compaction.selection.governing import telling
from mindpipe.compaction.selection.passages import forbids, passages
from mindpipe.compaction.selection.reactions import reactions
from mindpipe.language.guards import denies
from mindpipe.language.withdrawals import withdrawal_in

WITHDRAWN = 4
"""Own messages before it that a withdrawal may mean, of those that commit whoever said them."""
CHAINED = 2
"""So many short words, each of which speaks of the one before it, have to stand by a message."""
# Patterns are texts, compiled when they are first used, as everywhere in plans.
_ENDS = r"(?=\s*(?:[.,!;:\"—–-]|$))"
_TRUE = rf"(?:true|correct|accurate)\b|right\b(?! now| away| here)|so(?: at all)?{_ENDS}"
# How words begin that deny what somebody else said before them.
_DENIES = (
    r"(?i)^(?P<who>[^\":\n]{1,300}(?=: \"))?"
    r"\W*(?!oh,? no\b(?!\W+(?:I|it|that|this|we|you|he|she|they|not)\b))"
    r"(?:(?:oh|um|hm+|well|sorry|wait|but|ok(?:ay)?|hey)\b\W*)*"
    r"(?:(?:no|nope|nah|nein)\b(?!(?:\W+no)*\W+(?:thanks?|danke|not (?:right )?now|not yet)\b)"
    r"(?:\s*(?:[,.!;:\"—–-]|$)|\s+(?:I|it|that|this|we|you|he|she|they|not)\b)"
    rf"|(?:wrong|incorrect|untrue|false|correction|stimmt nicht)\b|not (?:{_TRUE})"
    r"|(?:that|this|it)(?:['’]s| is| was)(?: (?:simply|just|all|plain|quite))?"
    rf" (?:not(?: (?:{_TRUE})| (?:what|where|who|when|how)\b|{_ENDS})"
    r"|(?:wrong|false|untrue|incorrect|nonsense|a lie)\b)"
    rf"|(?:that|this|it) (?:is|was|does|did)n['’]t(?: (?:{_TRUE})|{_ENDS})"
    # The verb is the one that was said before: "please do not, it is worse", "I haven't".
    r"|(?:[\w'’-]+ ){0,3}(?:(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could|"
    r"should|must) not|(?:do|does|did|is|are|was|were|has|have|had|wo|would|ca|could|should|must)"
    rf"n['’]t){_ENDS}"
    r"|(?:I|we) (?:(?:\w+ly |still )?(?:disagree|doubt (?:that|it))\b|do(?: not|n['’]t) "
    r"(?:agree|think so|buy (?:that|it)|(?:share|believe) (?:that|this|it|your)|"
    r"(?P<third>(?:share|believe) (?:his|her|their|him|them)))\b)"
    rf"|das (?:stimmt nicht\b|ist nicht(?: (?:wahr|richtig|korrekt)\b|(?: so)?{_ENDS})))[^.!?\n]*"
)
# A short turn that takes in what was said and claims nothing.
_ACKNOWLEDGES = (
    r"(?i)\W*(?:(?:ok(?:ay)?|yes|yeah|noted|thanks|thank you|got it|understood|all ?right|right"
    r"|sure|fine|good|great|i see|hm+|will do|danke|gut|verstanden)\b\W*){1,3}"
)
_REACH = 2
"""Turns between a denial and what it denies: the agent's, and such as only acknowledge."""
_AGENT = "assistant"
_COMMITS = (
    r"(?i)['’]ll\b|\b(?:will|shall|promised?|agree[ds]?|deal|decided|offer|bid|going to|count on|"
    r"yes|okay|ok|sure|werde|verspreche)\b|\d"
)


def denial_in(text: str) -> tuple[int, int] | None:
    """Return the characters with which a text denies what was said before it, or None.

    A line of a summary that begins with somebody's quoted words is what these are.
    """
    found = _denial(text)
    return None if found is None else found.span()


def _denial(text: str) -> re.Match[str] | None:
    """Return the words with which a text denies what was said before it."""
    return re.match(_DENIES, text)


def _is_of(denial: re.Match[str], before: tuple[str, str], name: str) -> bool:
    """Tell whether a denial of `name` is of what stands before it, of which name and words.

    What answers a question denies nothing that was claimed. A view that is another's may be denied
    by who reported it.
    """
    earlier, words = before
    is_others = (denial["who"] or name) != earlier or denial["third"] is not None
    return is_others and not words.endswith("?")


def _denied(before: Sequence[tuple[str, str]], name: str, text: str) -> list[int]:
    """Return how many turns back those stand that a text denies; `before` is newest first."""
    found: list[int] = []
    if (denial := _denial(text)) is None:
        return found
    for back, (earlier, words) in enumerate(before, 1):
        if _is_of(denial, (earlier, words), name):
            found.append(back)
        if words.endswith("?") or (
            earlier != _AGENT and re.fullmatch(_ACKNOWLEDGES, words) is None
        ):
            break
    return found


def commits(text: str) -> bool:
    """Tell whether a text binds whoever said it, or names a number."""
    return re.search(_COMMITS, text) is not None


def withdrawn(voices: Iterable[tuple[str, str]]) -> dict[int, list[int]]:
    """Return, by the places of messages, the places of those that take them back.

    `voices` are the names and words of messages in their order. A withdrawal means what stands
    before it in its own message, the message of the same name before, and those of the last few
    that commit; a denial the message right before it, if that is of another name, and over turns
    of the agent, and such as only acknowledge, what these speak of.
    """
    own: defaultdict[str, deque[tuple[int, str]]] = defaultdict(lambda: deque(maxlen=WITHDRAWN))
    found: defaultdict[int, list[int]] = defaultdict(list)
    before: deque[tuple[str, str]] = deque(maxlen=_REACH + 1)
    for place, (name, text) in enumerate(voices):
        for back in _denied(before, name, text):
            found[place - back].append(place)
        before.appendleft((name, text.rstrip()))
        if withdrawal_in(text) is not None:
            found[place].append(place)
            for number, (earlier, words) in enumerate(reversed(own[name])):
                if number == 0 or commits(words):
                    found[earlier].append(place)
        own[name].append((place, text))
    return dict(found)


LONGEST = 2000
"""A longer text is a file or a result: its words are not compared with those of others."""
_SHARED = 2
BARE_WORDS = 3
"""A turn of so few words says nothing without the one that it answers."""
# What is so and more is so besides: "it isn't just a shop".
_ONLY = r"(?i)(?:\bnot|n['’]t) (?:just|only|merely|simply)\b"
_SEAMS = r"[,;:–—]|\s-\s|\b(?:and|but)\b"
_PATHS = r"\S*[/\\]\S*"


_LABELLED = r"([A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2}): (?=\S)"


def _spoken(name: str, text: str) -> tuple[str, str]:
    """Return who says something and the words, where a text begins with a name of its own."""
    found = re.match(_LABELLED, text) if withdrawal_in(text) is None else None
    return (found[1], text[found.end() :]) if found else (name, text)


Spans = Sequence[tuple[int, int]]
"""Where the passages of a text stand, its characters from and to."""


def turned(
    voices: Sequence[tuple[str, str]], cut: Callable[[int], Spans] | None = None
) -> dict[int, list[int]]:
    """Return, by the places of messages, the places of those without which they would mislead.

    Beside those that take them back (see `withdrawn`) these are the ones, of anybody, that deny in
    the same words what they say, or say what they deny, in their own message or the next few; that
    in which their speaker forbids more of what they ask for; the
    one in which the agent, or who speaks with it, takes back what it stands behind; and where
    somebody else took back or denied a message, the next one of its own speaker, in which he
    answers that. `cut` returns the passages of a message by its place, where they are known.
    """

    @lru_cache(maxsize=2 * (_REACH + 1))
    def told_in(place: int) -> _Told:
        text = texts[place]
        if len(text) > LONGEST:
            return _Told([], [])
        return _words(text, cut(place) if cut else _cut(text))

    texts = [text for _, text in voices]
    voices = [_spoken(name, text) for name, text in voices]
    found = {place: set(later) for place, later in withdrawn(voices).items()}
    denying: deque[bool] = deque(maxlen=_REACH + 1)
    for place, (name, text) in enumerate(voices):
        denying.appendleft(len(text) <= LONGEST and denies(text))
        for back, earlier_denies in enumerate(denying):
            before, words = voices[place - back]
            if (denying[0] or earlier_denies) and (
                _turns(told_in(place), told_in(place - back))
                or (back and before in ("", name) and forbids(text, words))
            ):
                found.setdefault(place - back, set()).add(place)
        before, words = voices[place - 1] if place else (name, "")
        of_the_other = before != name and _AGENT in (before, name)
        asks = words.rstrip().endswith("?")
        if of_the_other and not asks and withdrawal_in(text) is not None:
            found.setdefault(place - 1, set()).add(place)
    for place, later in found.items():
        name = voices[place][0]
        others = [one for one in later if voices[one][0] != name]
        if others:
            behind = range(max(others) + 1, min(max(others) + 1 + _REACH, len(voices)))
            later.update([one for one in behind if voices[one][0] == name][:1])
    return {place: sorted(later) for place, later in sorted(found.items())}


def of_people(voices: Iterable[tuple[str, str]], users: Iterable[bool]) -> list[tuple[str, str]]:
    """Return voices without the names of those that are no users': of the agent and its tools."""
    pairs = zip(voices, users, strict=True)
    return [(name if is_user else "", text) for (name, text), is_user in pairs]


def misleading(voices: Sequence[tuple[str, str]], users: Iterable[bool]) -> dict[int, list[int]]:
    """Return, by places of messages, those of all without which they would mislead.

    These are those that turn them around (see `turned`), and short words that speak of them.
    """
    found = {place: set(later) for place, later in turned(voices).items()}
    for place, later in reactions(of_people(voices, users)).items():
        found.setdefault(place, set()).update(later)
    return {place: sorted(later) for place, later in sorted(found.items())}


class _Told(NamedTuple):
    """The telling words of passages that affirm something, and of those that deny."""

    affirmed: list[frozenset[str]]
    denied: list[frozenset[str]]


def _cut(text: str) -> Spans:
    return [(start, end) for start, end, _ in passages(text, seams=True)]


def _words(text: str, spans: Spans) -> _Told:
    """Return the telling words of the passages of a text.

    A question has none, nor a path, which a call names and does not speak of.
    """
    found = _Told([], [])
    for start, end in spans:
        words = text[start:end]
        denied = _denied_in(words)
        told = frozenset(filter(str.isalpha, telling(re.sub(_PATHS, "", denied or words))))
        if told and not words.endswith("?"):
            (found.denied if denied else found.affirmed).append(told)
    return found


def _denied_in(words: str) -> str:
    """Return what a passage denies: all from the first clause on in which it does."""
    words = re.sub(_ONLY, "", words)
    if not denies(words):
        return ""
    starts = [0, *(seam.end() for seam in re.finditer(_SEAMS, words))]
    parts = zip(starts, [*starts[1:], len(words)], strict=True)
    return words[next((start for start, end in parts if denies(words[start:end])), 0) :]


def _turns(own: _Told, earlier: _Told) -> bool:
    """Tell whether a text denies what an earlier one says, or says what that denies."""
    pairs = chain(product(own.denied, earlier.affirmed), product(own.affirmed, earlier.denied))
    return any(_of_the_same(one, other) for one, other in pairs)


def _of_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two passages speak of one thing: most words of the shorter are the other's.

    A single word makes no such pair, unless both have no more.
    """
    shared, least = len(one & other), min(len(one), len(other))
    return one == other or (shared >= _SHARED and 3 * shared >= 2 * least)


def turns_in(text: str, spans: Spans | None = None) -> list[tuple[int, int]]:
    """Return the characters of a text in which it takes back, or denies; else its beginning.

    `spans` are its passages, where they are known.
    """
    parts = [part for part in (denial_in(text), withdrawal_in(text)) if part is not None]
    own = list(spans or _cut(text))
    parts += [(start, end) for start, end in own if denies(text[start:end])]
    return parts or own[:1]


def clauses_of(spans: Sequence[tuple[int, int]], part: tuple[int, int]) -> list[int]:
    """Return the numbers of the clauses in which a part of a text stands."""
    first = max(bisect_right([start for start, _ in spans], part[0]) - 1, 0)
    return [
        number
        for number, (start, end) in enumerate(spans)
        if number >= first and start < part[1] and end > part[0]
    ]


class Withdrawals:
    """Which clauses have to stand wherever one of a message does: they take it back."""

    def __init__(
        self,
        voices: Sequence[tuple[str, str]],
        users: Sequence[bool],
        told: ClauseTable,
    ) -> None:
        self._told = told
        self._voices = voices
        self._by_place = turned(voices, lambda place: told[place].spans)
        self._meant = dict(self._answered())
        self._clauses: dict[int, list[tuple[int, int]]] = {}
        self._reactions = reactions(of_people(voices, users))
        self._bare = dict(self._spoken_of())

    def beside(self, places: Sequence[int]) -> dict[tuple[int, int], int]:
        """Return the clauses that have to stand beside some messages, with the size of each.

        What takes them back may be taken back itself, and of short words shorter ones may speak.
        """
        wanted: dict[tuple[int, int], int] = {}
        seen = set(places)
        open_ = [(place, CHAINED) for place in places]
        while open_:
            place, left = open_.pop()
            found = [(one, left) for one in self._taking_back(place)]
            found += [(one, left - 1) for one in self._speaking_of(place) if left]
            for (later, clause, size), more in found:
                wanted[later, clause] = size
                if later not in seen:
                    seen.add(later)
                    open_.append((later, more))
        return wanted

    def _taking_back(self, place: int) -> Iterator[tuple[int, int, int]]:
        """Yield place, number and size of each clause that takes a message back."""
        for later in self._by_place.get(place, ()):
            if later not in self._clauses:
                told = self._told[later]
                parts = turns_in(self._voices[later][1], told.spans)
                numbers = {clause for part in parts for clause in clauses_of(told.spans, part)}
                self._clauses[later] = [(one, told.sizes[one] + 2) for one in sorted(numbers)]
            for clause, cost in self._clauses[later]:
                yield later, clause, cost

    def _speaking_of(self, place: int) -> Iterator[tuple[int, int, int]]:
        """Yield place, number and size of each clause of short words that speak of a message."""
        for later in self._reactions.get(place, ()):
            for clause, size in enumerate(self._told[later].sizes):
                yield later, clause, size + 2

    def of_others(self, places: Iterable[int]) -> frozenset[int]:
        """Return where, of some places, short words stand that speak of another's."""
        return frozenset(
            later
            for place in places
            for later in self._reactions.get(place, ())
            if self._voices[later][0] != self._voices[place][0]
        )

    def _answered(self) -> Iterator[tuple[int, int]]:
        """Yield the places of what takes something back, each with that of what it means first."""
        for place, later in self._by_place.items():
            for one in later:
                name, text = self._voices[one]
                withdraws = withdrawal_in(text) is not None
                if place < one and withdraws is (self._voices[place][0] == name):
                    yield one, place

    def _spoken_of(self) -> Iterator[tuple[int, int]]:
        """Yield the places of bare words, each with that of what they speak of above all."""
        found: dict[int, tuple[bool, bool, int]] = {}
        for place, later in self._reactions.items():
            name, words = self._voices[place]
            for one in later:
                text = self._voices[one][1]
                if place < one and (denies(text) or len(telling(text)) <= BARE_WORDS):
                    own = (name == self._voices[one][0], not words.endswith("?"), place)
                    found[one] = max(own, found.get(one, own))
        return ((one, place) for one, (_, _, place) in found.items())

    def meant(self, place: int, clause: int) -> Iterator[tuple[int, int, int]]:
        """Yield the last clause of what a clause speaks of that says nothing without it."""
        text, spans = self._voices[place][1], self._told[place].spans
        if (spoken_of := self._bare.get(place)) is not None:
            yield from self._last(spoken_of)
            return
        earlier = self._meant.get(place)
        if clause or earlier is None:
            return
        start, end = spans[0]
        words = text[start:end]
        if withdrawal_in(words) is not None or (
            denial_in(words) is not None and len(words.split()) <= BARE_WORDS
        ):
            yield from self._last(earlier)

    def _last(self, place: int) -> Iterator[tuple[int, int, int]]:
        """Yield place, number and size of the last clause of a message."""
        if sizes := self._told[place].sizes:
            yield place, len(sizes) - 1, sizes[-1] + 2
