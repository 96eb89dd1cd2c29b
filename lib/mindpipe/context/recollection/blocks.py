"""What is remembered, as blocks of a prompt."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mindpipe.context.prompt import quotation
from mindpipe.context.recollection.records import Habit, Lately
from mindpipe.context.records import Block, SectionName
from mindpipe.context.timeline.wording import marked, named, payload, told, unmarked, until
from mindpipe.core.instants import seconds_between
from mindpipe.core.sources import untrusted
from mindpipe.knowledge.confidence import word_of
from mindpipe.knowledge.records import Observation
from mindpipe.memory.records import Lesson, StoredRelation
from mindpipe.recall.records import Recalled
from mindpipe.tasks.records import Task


def cut(text: str, most: int) -> str:
    """Return at most `most` characters of text on one line, whole words, with a mark of more.

    A single word that is longer stands as the mark alone.
    """
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    kept = line[:most]
    return f"{kept[: kept.rfind(' ')].rstrip()} …" if " " in kept else "…"


def counted(count: int, name: str) -> str:
    """Return so many of something."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


MOST_CHARACTERS = 1000
"""Of each thing recalled so many characters are shown, whole words."""


class SourcedBlock(NamedTuple):
    """A block with the names of all whose words stand in it."""

    block: Block
    origins: tuple[str, ...]


class Today(NamedTuple):
    """What a day has taken so far: model calls, tokens, and micro-dollars; and what waits."""

    waiting: int
    calls: int
    tokens: int
    micros: int


def episodes(found: Iterable[Recalled], *, trust: Sequence[str]) -> list[str]:
    """Return what was lived through and bears on the present, best first."""
    return [_recalled(one, trust) for one in found]


def facts(found: Iterable[Recalled], *, trust: Sequence[str]) -> list[str]:
    """Return what was remembered as true, best first."""
    return [_recalled(one, trust) for one in found]


def passage(one: Recalled, *, trust: Sequence[str]) -> str:
    """Return a passage of a file as one record."""
    quote = unmarked(quotation(untrusted(one.sources, trust)))
    words = told(cut(one.text, MOST_CHARACTERS))
    return f"{quote}[{named(one.heading or one.path or one.ref)}] {words} (file, {named(one.ref)})"


def _recalled(one: Recalled, trust: Sequence[str]) -> str:
    """Return one thing that was recalled."""
    who = f", {named(one.speaker)}" if one.speaker else ""
    stands = "" if one.status == "active" else f", {one.status}"
    against = f", contradicted by {', '.join(map(marked, one.contradicts))}"
    place = f"{one.source}{who}, id: {marked(one.ref)}{stands}{against if one.contradicts else ''}"
    words = told(cut(one.text, MOST_CHARACTERS))
    return f"{quotation(untrusted(one.sources, trust))}[{marked(one.at[:10])}] {words} ({place})"


def lessons(found: Iterable[Lesson], *, trust: Sequence[str]) -> list[str]:
    """Return what to do when, with how sure it is and how it went."""
    return [_lesson(one, trust) for one in found]


def _lesson(one: Lesson, trust: Sequence[str]) -> str:
    """Return one lesson."""
    when = f"when {told(cut(one.when, MOST_CHARACTERS))}: " if one.when else ""
    good = sum(outcome.good for outcome in one.outcomes)
    went = f", went well {good} of {len(one.outcomes)} times" if one.outcomes else ""
    quote = quotation(untrusted(one.sources, trust))
    words = told(cut(one.text, MOST_CHARACTERS))
    return f"{quote}{when}{words} (confidence: {one.confidence:.2f}{went}, id: {marked(one.id)})"


def relations(edges: Iterable[StoredRelation], *, trust: Sequence[str]) -> list[str]:
    """Return how entities stand to each other."""
    return [_edge(one, trust) for one in edges]


def _edge(edge: StoredRelation, trust: Sequence[str]) -> str:
    """Return one edge of the graph as text."""
    bounds = [("since", edge.since), ("until", edge.until)]
    times = ", ".join(f"{word} {marked(at[:10])}" for word, at in bounds if at)
    quote = quotation(untrusted(edge.sources, trust))
    ends = f"{named(edge.source)} — {named(edge.type)} → {named(edge.target)}"
    return f"{quote}{ends}{f' ({times})' if times else ''}"


def tasks(
    given: Sequence[Task], delegated: Sequence[Task], *, now: str, trust: Sequence[str]
) -> list[str]:
    """Return what an agent is to do for others, the task at hand first, and others for it."""
    mine = (
        f"{quotation(untrusted(one.origins(), trust))}to do for {named(one.agent)}: "
        f"{_task(one, now)}{_more_of(one)}"
        for one in given
    )
    theirs = (
        f"{quotation(untrusted(one.sources, trust))}delegated to {told(one.to)}: {_task(one, now)}"
        for one in delegated
    )
    return [*mine, *theirs]


def _task(one: Task, now: str) -> str:
    """Return what a task is and how far it has come."""
    facts = [one.state.value]
    if one.progress:
        facts.append(f"{one.progress:.0%} done")
    if one.sends > 1:
        facts.append(f"sent {one.sends} times")
    if one.due_at:
        facts.append(f"due {until(seconds_between(now, one.due_at))}")
    facts.append(f"id: {marked(one.id)}")
    return f"{told(cut(one.text, MOST_CHARACTERS))} ({', '.join(facts)})"


def _more_of(one: Task) -> str:
    """Return what a task's worker was given, and what it had when it went on last."""
    given = f" input: {payload(one.input)}" if one.input else ""
    return f"{given} checkpoint: {payload(one.checkpoint)}" if one.checkpoint else given


def oneself(
    known: Sequence[Observation],
    learnt: Sequence[Lesson],
    habits: Iterable[Habit],
    *,
    trust: Sequence[str],
    stated: frozenset[str] = frozenset(),
) -> list[str]:
    """Return what an agent knows of itself: claims, patterns found, how sure it is of what.

    `known` is all that it holds true; of claims about itself, those in `stated` are told elsewhere.
    `learnt` are the lessons that bear on the present.
    """
    claims = [one for one in known if one.kind == "self_model" and one.id not in stated]
    lines = [_claim(one, trust) for one in claims]
    lines += [
        f"pattern {named(one.kind)}, found {marked(one.at)}: {told(one.words)} "
        f"(changed: {named(one.change)})"
        for one in habits
    ]
    sure = _sure(known)
    if learnt:
        mean = _mean(one.confidence for one in learnt)
        sure.append(f"lessons that apply here {mean:.2f} of {len(learnt)}")
    return [*lines, *([f"mean confidence: {', '.join(sure)}"] if sure else [])]


def _claim(one: Observation, trust: Sequence[str]) -> str:
    """Return one claim of an agent about itself."""
    quote = quotation(untrusted(one.sources, trust))
    contested = ", contested" if one.contested else ""
    how = f"confidence: {word_of(one.confidence)}{contested}, id: {marked(one.id)}"
    return f"{quote}{told(cut(one.summary, MOST_CHARACTERS))} ({how})"


def _sure(known: Sequence[Observation]) -> list[str]:
    """Return how sure an agent is of what it holds true, by kind."""
    kinds: dict[str, list[float]] = {}
    for one in known:
        kinds.setdefault(one.kind, []).append(one.confidence)
    return [
        f"{kind.replace('_', ' ')} {_mean(values):.2f} of {len(values)}"
        for kind, values in sorted(kinds.items())
    ]


def statistics(lately: Lately, today: Today) -> list[str]:
    """Return figures of an agent's own running."""
    found = [f"events waiting: {today.waiting}"] if today.waiting else []
    if lately.mode is not None:
        done = f" after {counted(lately.moments[-1].number, 'iteration')}" if lately.moments else ""
        found.append(f"mode: {lately.mode}{done}")
    if lately.mean_seconds is not None:
        found.append(f"an iteration takes {lately.mean_seconds:.1f} s on average")
    if today.calls:
        spent = f"{today.tokens} tokens, ${today.micros / 1_000_000:.4f}"
        found.append(f"spent today: {counted(today.calls, 'model call')}, {spent}")
    return found


def block(section: SectionName, title: str, lines: Sequence[str]) -> Block:
    """Return a block of records, each behind a dash."""
    return Block(section=section, title=title, lines=tuple(f"  - {line}" for line in lines))


def _mean(values: Iterable[float]) -> float:
    """Return the mean of some values."""
    found = list(values)
    return math.fsum(found) / len(found)
