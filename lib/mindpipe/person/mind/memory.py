"""What is kept of thoughts, what of it comes back, and how many memories become few."""

from collections import deque
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from itertools import islice
from math import dist, exp2, isnan, nan, sqrt
from operator import itemgetter
from typing import NamedTuple

from mindpipe.person.mind.residue import residue
from mindpipe.person.mind.sentences import marks_of, quotes_of
from mindpipe.person.records.scales import MOST_US
from mindpipe.person.records.state import Readouts, ThoughtMode
from mindpipe.person.records.thought import PersonMemory, Snapshot, Thought

IMPORTANCE, SIMILARITY, INTENSITY = 0.35, 0.35, 0.30
"""The weights of a memory's score; they are those of the founding requirements."""
MOST_SELECTED = 5
MEASURED = 4_000
"""How many memories are measured before all are measured anew, so that forgotten ones go."""
DIMENSIONS = ("arousal", "valence", "body_temp_c", "pain", "fatigue", "hunger")
COLDEST_C, RANGE_C = 35.0, 5.0

Point = tuple[float, ...]
"""The six dimensions, each from 0 to 1, or NaN where one is missing."""


def snapshot_of(read: Readouts) -> Snapshot:
    """Return the six dimensions of whole readouts."""
    return Snapshot(
        arousal=read.arousal,
        valence=read.valence,
        body_temp_c=read.core_temp_c,
        pain=read.pain,
        fatigue=read.fatigue,
        hunger=read.hunger,
    )


def point_of(snapshot: Snapshot) -> Point:
    """Return the dimensions of a snapshot as shares; valence is -1 to 1, temperature in °C."""
    shares = {name: getattr(snapshot, name) for name in DIMENSIONS}
    if (valence := snapshot.valence) is not None:
        shares["valence"] = (valence + 1.0) / 2.0
    if (warmth := snapshot.body_temp_c) is not None:
        shares["body_temp_c"] = min(1.0, max(0.0, (warmth - COLDEST_C) / RANGE_C))
    return tuple(nan if share is None else share for share in shares.values())


def similarity(query: Point, point: Point) -> float:
    """Return how alike two bodies are: 1 where they are the same, 0 in opposite corners.

    Dimensions that one of them lacks are left out; without any the two are not alike at all.
    """
    apart = dist(query, point)
    if not isnan(apart):
        return 1.0 - apart / sqrt(len(point))
    both = [pair for pair in zip(query, point, strict=True) if not isnan(sum(pair))]
    if not both:
        return 0.0
    return similarity(*zip(*both, strict=True))


class ContextSelector:
    """Chooses at most `most` memories for a prompt, best first.

    `incomplete` counts the memories of the latest choice that lack a dimension.
    """

    def __init__(self, *, most: int = MOST_SELECTED) -> None:
        self.incomplete = 0
        self._most = most
        self._measured: dict[str, _Measured] = {}

    def select(
        self, query: Snapshot, memories: Iterable[PersonMemory], *, shown: Iterable[str] = ()
    ) -> list[PersonMemory]:
        """Return the memories of the highest score; of equal ones newer first, then by id.

        Args:
            query: The present body, whole.
            memories: All that is remembered.
            shown: Ids of thoughts whose memories would only say again what is said anyway.

        Raises:
            ValueError: the query lacks a dimension.
        """
        if missing := [name for name in DIMENSIONS if getattr(query, name) is None]:
            raise ValueError(f"the present body lacks {missing[0]}, which memories are chosen by")
        left_out, now = frozenset(shown), point_of(query)
        self.incomplete = 0
        if len(self._measured) > MEASURED:
            self._measured.clear()
        ranked: list[tuple[float, int, str, PersonMemory]] = []
        for memory in memories:
            if memory.thought in left_out:
                continue
            known = self._measured.get(memory.id)
            if known is None or known.memory is not memory:
                known = self._measured[memory.id] = _measured(memory)
            self.incomplete += not known.whole
            alike = similarity(now, known.point)
            worth = known.important + SIMILARITY * alike + known.intense
            ranked.append((-worth, -memory.t_us, memory.id, memory))
        return [memory for *_, memory in nsmallest(self._most, ranked, key=itemgetter(0, 1, 2))]


class _Measured(NamedTuple):
    """What of a memory's score stays the same, computed once."""

    memory: PersonMemory
    point: Point
    whole: bool
    important: float
    intense: float


def _measured(memory: PersonMemory) -> _Measured:
    """Return what of the score of a memory stays the same."""
    point = point_of(memory.snapshot)
    important, intense = IMPORTANCE * memory.importance, INTENSITY * abs(memory.valence)
    return _Measured(memory, point, not isnan(sum(point)), important, intense)


def score(memory: PersonMemory, alike: float) -> float:
    """Return the score of a memory, from 0 to 1, for a likeness of bodies from 0 to 1."""
    measured = _measured(memory)
    return measured.important + SIMILARITY * alike + measured.intense


KEPT_FROM = 0.3
"""The importance from which on an answer or a reaction is remembered."""
MOVED_FROM = 0.4
"""The size of valence from which on a spontaneous thought is remembered."""
ANSWERED = 0.5
"""What stands for the salience of what was answered."""
MOST_MEMORIES, COMPRESSED, TOLD = 1_000, 100, 3
"""How many memories there may be, how many become few at once, how many of a day are told."""
DAY_US = 86_400_000_000
HALVES_US = 30 * DAY_US


class BoundedMemories(NamedTuple):
    """Memories within their bound: all of them, new gists, and the ids of what these stand for."""

    memories: list[PersonMemory]
    gists: tuple[PersonMemory, ...] = ()
    forgotten: tuple[str, ...] = ()


def importance_of(salience: float, *, valence: float, arousal: float) -> float:
    """Return how important a moment is, from 0 to 1."""
    return min(1.0, 0.5 * min(1.0, salience) + 0.3 * abs(valence) + 0.2 * arousal)


def memory_of(thought: Thought, read: Readouts) -> PersonMemory | None:
    """Return what is kept of a thought and of the body that thought it, or None."""
    salience = {"react": thought.trigger.salience or 0.0, "respond": ANSWERED}.get(
        thought.mode, 0.0
    )
    importance = importance_of(salience, valence=read.valence, arousal=read.arousal)
    if not _is_kept(thought.mode, importance, read.valence):
        return None
    return PersonMemory(
        person=thought.person,
        t_us=thought.t_us,
        id=f"me:{thought.person}:{thought.t_us}",
        thought=thought.id,
        content=thought.content,
        importance=importance,
        valence=read.valence,
        arousal=read.arousal,
        snapshot=snapshot_of(read),
    )


def bounded(memories: Sequence[PersonMemory]) -> BoundedMemories:
    """Return memories of which there are at most 1,000.

    Of more, the 100 that matter least and are oldest become one gist for each day; the oldest days
    share one where that is not enough.
    """
    if len(memories) <= MOST_MEMORIES:
        return BoundedMemories(list(memories))
    now_us = max(memory.t_us for memory in memories)
    weak = sorted(memories, key=lambda one: (_worth(one, now_us), one.t_us, one.id))[:COMPRESSED]
    gone = frozenset(memory.id for memory in weak)
    kept = [memory for memory in memories if memory.id not in gone]
    days: dict[int, list[PersonMemory]] = {}
    for memory in sorted(weak, key=lambda one: (one.t_us, one.id)):
        days.setdefault(memory.t_us // DAY_US, []).append(memory)
    groups = list(days.values())
    while len(kept) + len(groups) > MOST_MEMORIES and len(groups) > 1:
        groups[:2] = [groups[0] + groups[1]]
    gists = tuple(gist_of(group) for group in groups)
    ordered = sorted([*gists, *kept], key=lambda one: (one.t_us, one.id))
    return BoundedMemories(ordered, gists, tuple(sorted(gone)))


def gist_of(memories: Sequence[PersonMemory]) -> PersonMemory:
    """Return one memory that stands for several, at the instant of the newest of them.

    Its id tells for how many, so that a gist of gists is another one.
    """
    count = sum(memory.count for memory in memories)
    newest = max(memories, key=lambda one: (one.t_us, one.id))
    told = sorted(memories, key=lambda one: (-one.importance, -one.t_us, one.id))[:TOLD]
    weights = [memory.importance for memory in memories]
    return PersonMemory(
        person=newest.person,
        t_us=newest.t_us,
        id=f"gi:{newest.person}:{newest.t_us}:{count}",
        thought=newest.thought,
        content="; ".join(residue(memory.content, memory.valence) for memory in told),
        importance=max(weights),
        valence=_mean([memory.valence for memory in memories], weights) or 0.0,
        arousal=_mean([memory.arousal for memory in memories], weights) or 0.0,
        snapshot=Snapshot(
            **{
                name: _mean([getattr(memory.snapshot, name) for memory in memories], weights)
                for name in DIMENSIONS
            }
        ),
        gist=True,
        count=count,
    )


def _is_kept(mode: ThoughtMode, importance: float, valence: float) -> bool:
    if mode == "spontaneous":
        return abs(valence) >= MOVED_FROM
    return importance >= KEPT_FROM


def _worth(memory: PersonMemory, now_us: int) -> float:
    """Return how much a memory is worth keeping as it is."""
    return 0.6 * memory.importance + 0.4 * exp2(-(now_us - memory.t_us) / HALVES_US)


def _mean(values: Iterable[float | None], weights: Sequence[float]) -> float | None:
    """Return the mean of what is known by weight, or by number where nothing weighs anything."""
    known = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None]
    total = sum(weight for _, weight in known)
    if not known:
        return None
    if total == 0:
        return sum(value for value, _ in known) / len(known)
    mean = sum(value * weight for value, weight in known) / total
    return min(max(mean, min(known)[0]), max(known)[0])


RECENT = 5
"""How many thoughts are remembered word for word."""
REMEMBERED_US = 5 * DAY_US
"""For how long a sentence is remembered, so that it is not said again."""
LOOKED_BACK_US = 7 * 86_400_000_000
"""How far back habits of thought are looked for."""


QUOTED_US = 16 * 3_600_000_000
"""For how long what a thought quoted is known, so that it is not quoted again that day."""
LATELY = 12
"""How many thoughts back it is known of what was spoken."""


class LabelledInstant(NamedTuple):
    """When there was a thought, and its labels."""

    t_us: int
    labels: tuple[str, ...]


class _SpokenThought(NamedTuple):
    """When there was a thought, its words, and the marks of its sentences."""

    t_us: int
    words: str
    marks: tuple[int, ...]


class Recollection:
    """The past of one person: what lines or a store told of it, and what was thought since.

    `recent` are the latest five thoughts and `labelled` those of the last seven days, both oldest
    first; `memories` are at most 1,000. `said` are the marks of the sentences of the last three
    days, and `lately` the words of the last thoughts of these, newest first.
    """

    __slots__ = ("_said", "labelled", "memories", "recent")

    def __init__(
        self, thoughts: Iterable[Thought] = (), memories: Iterable[PersonMemory] = ()
    ) -> None:
        self.recent: deque[Thought] = deque(maxlen=RECENT)
        self.labelled: deque[LabelledInstant] = deque()
        self.memories: list[PersonMemory] = []
        self._said: deque[_SpokenThought] = deque()
        for thought in thoughts:
            self.think(thought)
        for memory in memories:
            self.remember(memory)

    def think(self, thought: Thought) -> None:
        """Add the newest thought."""
        self.recent.append(thought)
        self.labelled.append(LabelledInstant(thought.t_us, thought.labels))
        while self.labelled[0].t_us <= thought.t_us - LOOKED_BACK_US:
            self.labelled.popleft()
        words = thought.content
        self._said.append(_SpokenThought(thought.t_us, words, marks_of(words)))
        while self._said[0].t_us <= thought.t_us - REMEMBERED_US:
            self._said.popleft()

    @property
    def said(self) -> tuple[int, ...]:
        """Return the marks of the sentences of the days before the latest thought."""
        return tuple(mark for one in self._said for mark in one.marks)

    @property
    def last_us(self) -> int:
        """Return when the last thought was."""
        return self._said[-1].t_us if self._said else -MOST_US

    @property
    def quoted(self) -> tuple[str, ...]:
        """Return what the thoughts of the hours before the latest one quote, oldest first."""
        since_us = self._said[-1].t_us - QUOTED_US if self._said else 0
        lately = (one.words for one in self._said if one.t_us > since_us)
        return tuple(quote for words in lately for quote in quotes_of(words))

    @property
    def lately(self) -> tuple[str, ...]:
        """Return the words of the last thoughts, newest first."""
        return tuple(one.words for one in islice(reversed(self._said), LATELY))

    def spoken_of(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return those of some texts that stand in full in a thought of the last day."""
        since_us = self._said[-1].t_us - DAY_US if self._said else 0
        said = [one.words.casefold() for one in self._said if one.t_us > since_us]

        def is_said(text: str) -> bool:
            words = " ".join(text.split()).rstrip(".").casefold()
            return any(words in one for one in said)

        return tuple(text for text in texts if is_said(text))

    def remember(self, memory: PersonMemory) -> BoundedMemories:
        """Add a memory, or take it for the one of its id; return what became of all of them."""
        self.memories = [one for one in self.memories if one.id != memory.id]
        self.memories.append(memory)
        found = bounded(self.memories)
        self.memories = found.memories
        return found
