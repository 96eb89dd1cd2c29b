"""What is kept of thoughts, and how many memories become few without any being dropped."""

from collections.abc import Iterable, Sequence
from math import exp2
from typing import NamedTuple

from mindpipe.person.inner.residues import residue
from mindpipe.person.inner.selecting import DIMENSIONS, snapshot_of
from mindpipe.person.records.state import Readouts, ThoughtMode
from mindpipe.person.records.thought import Memory, Snapshot, Thought

KEPT_FROM = 0.3
"""The importance from which on an answer or a reaction is remembered."""
MOVED_FROM = 0.4
"""The size of valence from which on a spontaneous thought is remembered."""
ANSWERED = 0.5
"""What stands for the salience of what was answered."""
MOST, COMPRESSED, TOLD = 1_000, 100, 3
"""How many memories there may be, how many become few at once, how many of a day are told."""
DAY_US = 86_400_000_000
HALVES_US = 30 * DAY_US


class Bounded(NamedTuple):
    """Memories within their bound: all of them, new gists, and the ids of what these stand for."""

    memories: list[Memory]
    gists: tuple[Memory, ...] = ()
    forgotten: tuple[str, ...] = ()


def importance_of(salience: float, *, valence: float, arousal: float) -> float:
    """Return how important a moment is, from 0 to 1."""
    return min(1.0, 0.5 * min(1.0, salience) + 0.3 * abs(valence) + 0.2 * arousal)


def memory_of(thought: Thought, read: Readouts) -> Memory | None:
    """Return what is kept of a thought and of the body that thought it, or None."""
    salience = {"react": thought.trigger.salience or 0.0, "respond": ANSWERED}.get(
        thought.mode, 0.0
    )
    importance = importance_of(salience, valence=read.valence, arousal=read.arousal)
    if not _is_kept(thought.mode, importance, read.valence):
        return None
    return Memory(
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


def bounded(memories: Sequence[Memory]) -> Bounded:
    """Return memories of which there are at most 1,000.

    Of more, the 100 that matter least and are oldest become one gist for each day; the oldest days
    share one where that is not enough.
    """
    if len(memories) <= MOST:
        return Bounded(list(memories))
    now_us = max(memory.t_us for memory in memories)
    weak = sorted(memories, key=lambda one: (_worth(one, now_us), one.t_us, one.id))[:COMPRESSED]
    gone = frozenset(memory.id for memory in weak)
    kept = [memory for memory in memories if memory.id not in gone]
    days: dict[int, list[Memory]] = {}
    for memory in sorted(weak, key=lambda one: (one.t_us, one.id)):
        days.setdefault(memory.t_us // DAY_US, []).append(memory)
    groups = list(days.values())
    while len(kept) + len(groups) > MOST and len(groups) > 1:
        groups[:2] = [groups[0] + groups[1]]
    gists = tuple(gist_of(group) for group in groups)
    ordered = sorted([*gists, *kept], key=lambda one: (one.t_us, one.id))
    return Bounded(ordered, gists, tuple(sorted(gone)))


def gist_of(memories: Sequence[Memory]) -> Memory:
    """Return one memory that stands for several, at the instant of the newest of them.

    Its id tells for how many, so that a gist of gists is another one.
    """
    count = sum(memory.count for memory in memories)
    newest = max(memories, key=lambda one: (one.t_us, one.id))
    told = sorted(memories, key=lambda one: (-one.importance, -one.t_us, one.id))[:TOLD]
    weights = [memory.importance for memory in memories]
    return Memory(
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


def _worth(memory: Memory, now_us: int) -> float:
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
