"""Put what may answer a question in order: the sum of its signals, then the marks on beliefs.

The score is the sum of WEIGHTS times signals, so that a signal which is silent for all changes no
order, and vectors that are missing take nothing away.
"""

import datetime
import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise, takewhile
from typing import NamedTuple

from mindpipe.core.instants import parse_instant
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.knowledge.records import BeliefMark
from mindpipe.language.guards import denies
from mindpipe.language.withdrawals import takes_back
from mindpipe.memory.entities import slug
from mindpipe.recall.query import WORD, ParsedQuery, QueryWord, falls_in, names_any
from mindpipe.recall.signals import (
    MARKED,
    WEIGHTS,
    Candidate,
    CandidateRelations,
    CarriedSignals,
    Statistics,
    is_beside_the_person,
    is_mere_question,
    is_named,
    is_of_whom_it_means,
    row_texts,
    tells_when,
    whole_weight,
    word_weights,
)
from mindpipe.recall.words import folded, stem

_LEADING = frozenset(["words", "vector", "graph", "days"])
_RECENT_DAYS = 30.0
_FOUND = 0.6
"""What holds less of a question's words than this is no full answer to it, even as the best."""
_HALF = 0.5
"""A belief that has less than this of the words of what is asked after is of something else."""
_PARTS = ("", " nearby", " in its session")


class Ranked(NamedTuple):
    """A candidate in its place, its score, and what each signal added to it or took from it."""

    candidate: Candidate
    score: float
    signals: dict[str, float]

    @property
    def speaks(self) -> bool:
        """Return whether words, vectors, the graph or days lead to it, or to what is beside it."""
        return any(_base(name) in _LEADING for name in self.signals)


def rank(
    asked: ParsedQuery,
    candidates: Sequence[Candidate],
    statistics: Statistics,
    *,
    at: str,
    near: Mapping[str, float] | None = None,
    superseded: AbstractSet[str] = frozenset(),
) -> list[Ranked]:
    """Return candidates, best first; of equal ones the newer first.

    Args:
        asked: the question.
        candidates: rows that hold its words, that are near in meaning, and those beside them.
        statistics: how many rows the index has, and how many with each word of the question.
        at: the instant at which it is asked; what is newer counts a trifle more.
        near: how near entities are to those that the question names, by id.
        superseded: the ids of what something newer took the place of.
    """
    around = CandidateRelations(candidates)
    words = around.carried(list(word_weights(row_texts(candidates), asked, statistics)))
    cosines = {n: one.dense for n, one in enumerate(candidates) if one.dense and one.dense > 0}
    vector = around.carried([cosines])
    found: list[dict[str, float]] = [{} for _ in candidates]
    _add_parts(found, "words", words, least=_FOUND * whole_weight(asked, statistics))
    _add_parts(found, "vector", vector)
    now = parse_instant(at)
    nearest = max((near or {}).values(), default=0.0)
    spelled = frozenset((*asked.words, *asked.names))
    matter = _matter(asked)
    ranked: list[Ranked] = []
    times = _times(asked, candidates)
    for one, signals, time in zip(candidates, found, times, strict=True):
        signals |= time
        signals |= _there(asked, one, spelled)
        is_belief = one.source == "observation"
        if signals["named"] == 1 or (asked.own and is_belief):
            share = _share_of(matter, one)
            # A question of two steps has the words of both.
            enough = share > 0 if asked.meant else share >= _HALF
            answers = is_belief and one.held and enough
            signals["believed"] = float(answers and not asked.earlier)
            is_old = one.ref in superseded
            signals["was so"] = float(bool(share) and asked.earlier and is_old)
            signals["still so"] = float(bool(share) and is_belief and asked.earlier and not is_old)
        if near:
            signals["graph"] = max(near.get(name, 0.0) for name in names_in(one)) / nearest
        signals["significance"] = one.significance / 10
        signals["recency"] = _recency(one.at, now)
        parts = {name: WEIGHTS[_base(name)] * value for name, value in signals.items() if value}
        ranked.append(Ranked(one, sum(parts.values()), parts))
    order = sorted(ranked, key=lambda each: (-each.score, -each.candidate.number))
    return _later_first(order, asked) if asked.present else order


class _Answered(NamedTuple):
    """Whose words answer what of a question: by its own words, and by others of its topics.

    `behind` is what stands before a single one of these: `my garden` is not `the garden`.
    """

    source: str
    speaker: str | None
    subject: str | None
    own: frozenset[str]
    led: frozenset[str]
    behind: frozenset[str]


def _later_first(found: Sequence[Ranked], asked: ParsedQuery) -> list[Ranked]:
    """Return what was found with the later first of what answers alike: it may be so no longer.

    Short rows of one speaker, or beliefs about one subject, answer alike that have the same words
    of what a question asks after, a single one behind the same word, if none has more. They change
    places among themselves alone.
    """
    own = frozenset(one.stem for one in asked.wanted).difference(map(stem, asked.names))
    kin = {stem(form): one.stem for one in asked.kin for form in one.forms}
    alike: dict[_Answered, list[int]] = defaultdict(list)
    for number, one in enumerate(found):
        if (answered := _answered(one.candidate, own, kin)) is not None:
            alike[answered].append(number)
    most = max(((len(one.own), len(one.led)) for one in alike), default=(0, 0))
    order = list(found)
    for answered, numbers in alike.items():
        if (len(answered.own), len(answered.led)) == most:
            later = sorted((found[number] for number in numbers), key=_newness, reverse=True)
            for number, moved in zip(numbers, later, strict=True):
                order[number] = _at_score(moved, found[number].score)
    return order


def _answered(
    candidate: Candidate, wanted: AbstractSet[str], kin: Mapping[str, str]
) -> _Answered | None:
    """Return what a short row answers of a question, None where it asks itself, or has no word."""
    if (
        candidate.source not in MARKED
        or len(candidate.text) > _ONE_CLAIM
        or is_mere_question(candidate.text)
    ):
        return None
    words = [stem(folded(word)) for word in WORD.findall(candidate.text)]
    said = set(words)
    own = frozenset(said & wanted)
    led = frozenset(kin[word] for word in said & kin.keys()) - own
    if not own and not led:
        return None
    meant = own | {word for word in said & kin.keys() if kin[word] in led}
    before = (word for word, next_word in pairwise(["", *words]) if next_word in meant)
    behind = frozenset(before if len(meant) == 1 else ())
    return _Answered(candidate.source, candidate.speaker, candidate.subject, own, led, behind)


def _at_score(one: Ranked, score: float) -> Ranked:
    """Return a candidate with the score of the place to which its time moves it."""
    moved = score - one.score
    signals = {**one.signals, "later": moved} if moved else one.signals
    return one._replace(score=score, signals=signals)


def _newness(one: Ranked) -> tuple[str, int]:
    return one.candidate.at, one.candidate.number


def _matter(asked: ParsedQuery) -> list[frozenset[str]]:
    """Return of each word that a question asks after its stem, and those that it leads to.

    Names and figures are none: they are what it gives.
    """
    names = set(map(stem, asked.names))
    led = {one.stem: one.forms for one in asked.kin}
    return [
        frozenset([one.stem, *map(stem, led.get(one.stem, ()))])
        for one in asked.wanted
        if one.stem not in names and one.stem.isalpha()
    ]


def _share_of(matter: Sequence[AbstractSet[str]], candidate: Candidate) -> float:
    """Return what share of the words of what a question asks after a row has, from 0 to 1."""
    said = {stem(folded(one)) for one in WORD.findall(candidate.text)}
    return sum(not said.isdisjoint(one) for one in matter) / max(1, len(matter))


def reasons(ranked: Ranked, *, most: int = 3) -> str:
    """Return why something is where it is, in a few words: what added most, most first."""
    added = sorted(ranked.signals.items(), key=lambda one: -one[1])
    return ", ".join(name for name, value in added[:most] if value > 0)


def _add_parts(
    found: Sequence[dict[str, float]], name: str, carried: CarriedSignals, *, least: float = 0.0
) -> None:
    """Add the three parts of a signal to each candidate's, as shares of the best sum of them.

    Where the best sum is below `least`, they are shares of that.
    """
    most = max(least, *carried.totals(), 0.0)
    for signals, parts in zip(found, zip(*carried, strict=True), strict=True):
        for place, part in zip(_PARTS, parts, strict=True):
            if part:
                signals[name + place] = part / most


def _there(asked: ParsedQuery, candidate: Candidate, spelled: frozenset[str]) -> dict[str, float]:
    """Return the signals that are there or not, by name, as 0 or 1."""
    text = candidate.text
    return {
        "named": _named(asked, candidate, spelled),
        "not the person's": float(is_beside_the_person(asked, candidate)),
        "quoted": float(bool(asked.phrases) and names_any(text, asked.phrases)),
        "days": float(falls_in(asked, candidate.at)),
        "these days": float(asked.dated and falls_in(asked, candidate.at)),
        "mere question": float(is_mere_question(text)),
        "tells when": float(asked.when and tells_when(text)),
    }


_BESIDE = 0.5
"""What being named counts of whom a question only begins with, and means another."""


def _named(asked: ParsedQuery, candidate: Candidate, spelled: frozenset[str]) -> float:
    """Return 1 where a row is by or about who is meant, less where he is only named, else 0."""
    if not is_named(candidate, spelled):
        return 0.0
    return 1.0 if is_of_whom_it_means(asked, candidate) else _BESIDE


def names_in(candidate: Candidate) -> list[str]:
    """Return the ids of who and what a candidate is about or of; an empty one for nobody."""
    names = (*candidate.entities, candidate.subject or "", candidate.speaker or "")
    return [_id(name) for name in names]


@functools.lru_cache(maxsize=4096)
def _id(name: str) -> str:
    return slug(name)


def _recency(at: str, now: datetime.datetime) -> float:
    """Return 1 for today or later, half of it every 30 days before."""
    days = now.toordinal() - _ordinal(at[:10])
    return float(2 ** -(max(0, days) / _RECENT_DAYS))


@functools.lru_cache(maxsize=4096)
def _ordinal(day: str) -> int:
    return datetime.date.fromisoformat(day).toordinal()


class SecondStep(NamedTuple):
    """Whom a question goes on from: the belief that tells it, and his names in lower case."""

    belief: str
    names: tuple[str, ...]


def second_step(asked: ParsedQuery, ranked: Iterable[Ranked]) -> SecondStep | None:
    """Return whom a question names by a relation alone and asks more of, or None.

    Who asks where Mia's brother lives means Leo, if it is believed that Leo is Mia's brother; whose
    a project is may be asked so too.
    """
    spelled = frozenset(asked.words)
    for candidate in (one.candidate for one in ranked):
        if candidate.kind not in _LEADS_ON or not is_named(candidate, spelled):
            continue
        if denies(candidate.text):
            continue
        words = WORD.findall(candidate.text)
        told = {stem(folded(one)) for one in words}
        named = {*map(stem, asked.names), *_stems_of(candidate.subject)}
        relation = [
            one
            for one in asked.wanted
            if one.stem not in named and _is_told(told, _stems(asked, one))
        ]
        more = [one for one in asked.wanted if not told & _stems(asked, one)]
        if relation and more:
            capitals = (folded(one) for one in words if one[0].isupper())
            names = [one for one in capitals if one not in spelled | FUNCTION_WORDS]
            return SecondStep(candidate.ref, tuple(names)) if names else None
    return None


_LEADS_ON = frozenset({"relationship_fact", "project_state"})
"""Kinds of beliefs in which somebody is named by what he is to another, or to a project."""
_SHORTEST = 3


def _stems_of(name: str | None) -> set[str]:
    """Return the stems of a name, as a key has it."""
    return {stem(folded(one)) for one in WORD.findall(name or "")}


def _is_told(told: AbstractSet[str], wanted: AbstractSet[str]) -> bool:
    """Tell whether a text has a word that is wanted, or one made from it: `owns`, `owner`."""
    return not told.isdisjoint(wanted) or any(
        one.startswith(word) for word in wanted if len(word) >= _SHORTEST for one in told
    )


def _stems(asked: ParsedQuery, word: QueryWord) -> set[str]:
    """Return the stems of a word of a question and of what it leads to."""
    kin = (form for one in asked.kin if one.stem == word.stem for form in one.forms)
    return {word.stem, *map(stem, kin)}


def _times(asked: ParsedQuery, candidates: Sequence[Candidate]) -> list[dict[str, float]]:
    """Return what each candidate has for its place in time, by what a question asks for.

    The newer one is better for what is so now, the older one for what was so once.
    """
    if asked.now:
        return [{"newest": share} for share in _newer(candidates)]
    if asked.earlier:
        return [{"older": 1 - share} for share in _newer(candidates)]
    return [{} for _ in candidates]


def _newer(candidates: Sequence[Candidate]) -> list[float]:
    """Return which share of some candidates each is newer than, or is itself."""
    numbers = range(len(candidates))
    by_time = sorted(numbers, key=lambda each: (candidates[each].at, candidates[each].number))
    places = dict(zip(by_time, numbers, strict=True))
    return [(places[each] + 1) / len(candidates) for each in numbers]


def _base(name: str) -> str:
    return name.removesuffix(" nearby").removesuffix(" in its session")


_APART = 1000


class Neighbours(NamedTuple):
    """The numbers of the rows before and after one, nearest first."""

    before: Sequence[int]
    after: Sequence[int]


ALONE = Neighbours((), ())
"""Those of a row of which it does not matter, or is told by another row, what stands beside it."""


def places(around: Mapping[int, Neighbours]) -> dict[int, int]:
    """Return a place for each row and for those around it.

    Two rows have places one apart exactly if one is known to follow the other at once.
    """
    follows: set[tuple[int, int]] = set()
    numbers: set[int] = set()
    for number, (before, after) in around.items():
        run = (*reversed(before), number, *after)
        numbers.update(run)
        follows.update(pairwise(run))
    placed: dict[int, int] = {}
    place, previous = 0, -1
    for number in sorted(numbers):
        place += 1 if (previous, number) in follows else _APART
        placed[number] = place
        previous = number
    return placed


LENT = 0.1
"""What of the lesser score of two sides is added to both."""


def place(
    ranked: Sequence[Ranked],
    marks: Sequence[BeliefMark],
    asked: ParsedQuery,
    *,
    backing: Mapping[str, str] | None = None,
    led_by: str | None = None,
) -> list[Ranked]:
    """Return what was found in an order that heeds marks, and beliefs with what backs them below.

    Candidates to which nothing leads (see `Ranked.speaks`) are there for the marks alone: they come
    along with what was found, or not at all. A mark of what is no candidate does nothing, and one
    bears on items and observations alone. `backing` has the id of an item by that of the
    observation that stands on it; what backs the one that only led to a second step (`led_by`)
    stays where it is by itself, below what that step came to.
    """
    items = {one.candidate.ref: one for one in ranked if one.candidate.source in MARKED}
    known = [
        mark
        for mark in marks
        if mark.old in items and mark.new in items and _may_move(mark, items, asked)
    ]
    newer: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for mark in known:
        if mark.relation == "contradicts":
            others[mark.old].append(mark.new)
            others[mark.new].append(mark.old)
        elif not (asked.earlier or asked.spans):
            newer[mark.old].append(mark.new)
    if not asked.earlier:
        items |= _supported(items, known)
    found = [
        one
        for one in (
            items[each.candidate.ref] if each.candidate.source in MARKED else each
            for each in ranked
        )
        if one.speaks
    ]
    placed: dict[int, Ranked] = {}
    corrected = _corrected(found)
    for one in sorted(found, key=lambda each: -each.score):
        run = [one]
        if one.candidate.source in MARKED:
            run = [items[ref] for ref in _run(one.candidate.ref, newer, others)]
        for each in run:
            backed = items.get((backing or {}).get(each.candidate.ref, ""))
            if backed is None or each.candidate.source != "observation":
                backed = each
            elif each.candidate.ref == led_by or backed.candidate.ref in newer:
                backed = each  # what it says besides may be so no longer
            for told in (*corrected.get(backed.candidate.number, ()), each, backed):
                placed.setdefault(told.candidate.number, told)
    return list(placed.values())


_BACK = 3
"""So many rows back at most stands what its own speaker takes back, over those of others."""


def _corrected(found: Sequence[Ranked]) -> dict[int, list[Ranked]]:
    """Return what takes back what was said right before it, by the number of that.

    It is as good an answer as what it corrects, and the one that is true. It means its speaker's
    own last row, over what others answered, or else the one before it.
    """
    said = {
        (one.candidate.source, one.candidate.session, one.candidate.place): one for one in found
    }
    corrected: dict[int, list[Ranked]] = {}
    for one in sorted(found, key=lambda each: -each.candidate.place):
        own = one.candidate
        if not own.session or not takes_back(own.text):
            continue
        before = [
            said.get((own.source, own.session, own.place - back)) for back in range(1, _BACK + 1)
        ]
        known = [each.candidate for each in takewhile(bool, before) if each]
        if known:
            (meant, *_) = (*(each for each in known if each.speaker == own.speaker), *known)
            corrected.setdefault(meant.number, []).append(one)
    return corrected


_OWN = "consolidate"
_ONE_CLAIM = 120
"""A text of no more characters says one thing or two, which a belief about it is most of."""


def _may_move(mark: BeliefMark, items: Mapping[str, Ranked], asked: ParsedQuery) -> bool:
    """Tell whether a mark lifts nothing from outside of the days that are asked for above them.

    That consolidation found a long item superseded is about one belief among all that it says, and
    moves nothing. Where the question is about that belief, what backs it stands right below it.
    """
    old_entry = items[mark.old].candidate
    is_own = mark.relation == "supersedes" and mark.by == _OWN
    if is_own and old_entry.source == "item" and len(old_entry.text) > _ONE_CLAIM:
        return False
    old, new = (falls_in(asked, items[ref].candidate.at) for ref in (mark.old, mark.new))
    return old == new or (new and mark.relation == "supersedes")


def _supported(items: Mapping[str, Ranked], marks: Iterable[BeliefMark]) -> dict[str, Ranked]:
    """Return the sides of marks with what the other side lends them, at most once each."""
    lent: dict[str, float] = {}
    for mark in marks:
        lesser = min(items[mark.old].score, items[mark.new].score)
        for ref in {mark.old, mark.new} if mark.old != mark.new else ():
            lent[ref] = max(lent.get(ref, 0.0), LENT * lesser)
    return {
        ref: items[ref]._replace(
            score=items[ref].score + share, signals={**items[ref].signals, "other side": share}
        )
        for ref, share in lent.items()
        if share
    }


def _run(ref: str, newer: Mapping[str, list[str]], others: Mapping[str, list[str]]) -> list[str]:
    """Return what is put where `ref` was: the newest above it, then it, then its other sides."""
    above: list[str] = []
    waiting, seen = [ref], {ref}
    while waiting:
        for new in newer.get(waiting.pop(0), ()):
            if new not in seen:
                seen.add(new)
                waiting.append(new)
                above.insert(0, new)
    return [one for each in (*above, ref) for one in (each, *others.get(each, ()))]
