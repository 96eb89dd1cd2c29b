"""What is remembered, as blocks of a prompt."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from mindpipe.context.prompt import quotation
from mindpipe.context.recollection.records import (
    CycleActions,
    EarlierSession,
    Habit,
    LivedMoment,
    RecentPast,
)
from mindpipe.context.records import Block, SectionName
from mindpipe.context.timeline.wording import marked, named, payload, told, unmarked, until
from mindpipe.core.instants import seconds_between
from mindpipe.core.sources import untrusted
from mindpipe.core.text import counted
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


MOST_CHARACTERS = 1000
"""Of each thing recalled so many characters are shown, whole words."""


class SourcedBlock(NamedTuple):
    """A block with the names of all whose words stand in it."""

    block: Block
    origins: tuple[str, ...]


class DayUsage(NamedTuple):
    """What a day has taken so far: model calls, tokens, and micro-dollars; and what waits.

    `last` are the tokens of the last request.
    """

    waiting: int
    calls: int
    tokens: int
    micros: int
    last: int = 0


def passage(one: Recalled, *, trust: Sequence[str]) -> str:
    """Return a passage of a file as one record."""
    quote = unmarked(quotation(untrusted(one.sources, trust)))
    words = told(shown(one.text))
    return f"{quote}[{named(one.heading or one.path or one.ref)}] {words} (file, {named(one.ref)})"


def shown(text: str) -> str:
    """Return as much of a text as is shown of one thing."""
    return cut(text, MOST_CHARACTERS)


def recalled(one: Recalled, *, trust: Sequence[str]) -> str:
    """Return one thing that was recalled as one record."""
    says = f", says it is {named(one.claimed_speaker)}" if one.claimed_speaker else ""
    who = f", {named(one.speaker)}" if one.speaker else says
    stands = "" if one.status == "active" else f", {one.status}"
    against = f", contradicted by {', '.join(map(marked, one.contradicts))}"
    place = f"{one.source}{who}, id: {marked(one.ref)}{stands}{against if one.contradicts else ''}"
    words = told(shown(one.text))
    return f"{quotation(untrusted(one.sources, trust))}[{marked(one.at[:10])}] {words} ({place})"


def lesson(one: Lesson, *, trust: Sequence[str]) -> str:
    """Return what to do when, with how sure it is and how it went, as one record."""
    when = f"when {told(shown(one.when))}: " if one.when else ""
    good = sum(outcome.good for outcome in one.outcomes)
    went = f", went well {good} of {counted(len(one.outcomes), 'time')}" if one.outcomes else ""
    quote = quotation(untrusted(one.sources, trust))
    words = told(shown(one.text))
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
    return f"{told(shown(one.text))} ({', '.join(facts)})"


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
    return f"{quote}{told(shown(one.summary))} ({how})"


def _sure(known: Sequence[Observation]) -> list[str]:
    """Return how sure an agent is of what it holds true, by kind."""
    kinds: dict[str, list[float]] = {}
    for one in known:
        kinds.setdefault(one.kind, []).append(one.confidence)
    return [
        f"{kind.replace('_', ' ')} {_mean(values):.2f} of {len(values)}"
        for kind, values in sorted(kinds.items())
    ]


def statistics(recent: RecentPast, today: DayUsage) -> list[str]:
    """Return figures of an agent's own running."""
    found = [f"events waiting: {today.waiting}"] if today.waiting else []
    if recent.mode is not None:
        done = f" after {counted(recent.moments[-1].number, 'iteration')}" if recent.moments else ""
        found.append(f"mode: {recent.mode}{done}")
    if recent.mean_seconds is not None:
        found.append(f"an iteration takes {recent.mean_seconds:.1f} s on average")
    if today.calls:
        spent = f"{today.tokens} tokens, ${today.micros / 1_000_000:.4f}"
        found.append(f"spent today: {counted(today.calls, 'model call')}, {spent} in all")
        found.append(f"your last request had {today.last} tokens")
    return found


def block(section: SectionName, title: str, lines: Sequence[str]) -> Block:
    """Return a block of records, each behind a dash."""
    return Block(section=section, title=title, lines=tuple(f"  - {line}" for line in lines))


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return math.fsum(found) / len(found)


WHOLE = (5, 3)
"""So many of the newest are whole: the first number, the second where these take too much."""
CONDENSED = 20
"""The 6th to 20th newest are condensed."""
GROUP = 5
"""Iterations that are condensed into one line, at most."""
SESSIONS = 3
"""Earlier sessions that are told of, at most."""
_SAID, _SHORT, _TRIGGER = 1000, 160, 200


def working_memory(
    recent: RecentPast,
    deeds: Mapping[int, CycleActions],
    *,
    size: Callable[[str], int],
    most: int,
) -> tuple[str, ...]:
    """Return working memory, oldest first: the newest iterations whole, older ones condensed.

    The last 5 stand whole (the last 3, where these are long); those up to the 20th in groups of
    five that end where the focus changes; all before of the same session in one line; earlier
    sessions by what counted most in them. It is made from what was kept: no model is asked.

    `deeds` are those of the cycles by number. Where what is whole takes more than half of the
    `most` tokens, as `size` counts them, less of it is.
    """
    moments = [one for one in recent.moments if _says_something(one)]
    whole: list[str] = []
    kept = 0
    for kept in WHOLE:
        whole = [_whole(one, deeds) for one in moments[-kept:]]
        if sum(map(size, whole)) * 2 <= most:
            break
    kept = min(kept, len(moments))
    early, middle = moments[:-CONDENSED], moments[-CONDENSED : len(moments) - kept]
    return (
        *(_session(one, deeds) for one in recent.stretches[-SESSIONS:]),
        *([_overview(early, recent)] if early else []),
        *(_condensed(group, deeds) for group in _groups(middle)),
        *whole,
    )


def _says_something(moment: LivedMoment) -> bool:
    """Tell whether anything happened: an iteration that found nothing to do is not remembered."""
    return moment.cycle is not None or moment.events > 0 or moment.error is not None


def _whole(moment: LivedMoment, deeds: Mapping[int, CycleActions]) -> str:
    done = deeds.get(moment.cycle or 0)
    facts = [_events(moment.events)] if moment.events else []
    if done is not None:
        facts = [f"began with {told(cut(done.trigger, _TRIGGER))}"] if done.trigger else facts
        facts += _tools([done])
    facts.append(moment.outcome)
    if moment.error:
        facts.append(f"ended with {told(cut(moment.error, _SHORT))}")
    place = [marked(moment.at)]
    if moment.cycle is not None and moment.cycle != moment.number:
        place.insert(0, f"cycle {moment.cycle}")
    place += [moment.mode] if moment.mode else []
    place += [f"on {named(moment.concern)}"] if moment.concern else []
    said = f": {told(cut(done.said, _SAID))}" if done is not None and done.said else ""
    return f"  - {_name(moment)} {moment.number} ({', '.join(place)}) {'; '.join(facts)}{said}"


def _groups(moments: Sequence[LivedMoment]) -> Iterator[list[LivedMoment]]:
    """Yield moments in groups: a group ends at every fifth number, or where the focus changes."""
    for _, group in groupby(moments, key=lambda one: ((one.number - 1) // GROUP, one.concern)):
        yield list(group)


def _condensed(moments: Sequence[LivedMoment], deeds: Mapping[int, CycleActions]) -> str:
    """Return one line for some moments: what came, what was used, and what counted most."""
    done = [deeds[one.cycle] for one in moments if one.cycle and one.cycle in deeds]
    focus = moments[0].concern
    facts = [*_outcomes(moments), *_tools(done)]
    on = f", on {named(focus)}" if focus else ""
    best = _most_significant(moments, deeds)
    said = f": {told(cut(best.said, _SHORT))}" if best is not None else ""
    return f"  - {_range(moments)} ({marked(moments[0].at)}{on}) {'; '.join(facts)}{said}"


def _most_significant(
    moments: Sequence[LivedMoment], deeds: Mapping[int, CycleActions]
) -> CycleActions | None:
    """Return what was done in the moment that counted most and has words, the newest of equals."""
    best: tuple[float, CycleActions] | None = None
    for one in moments:
        done = deeds.get(one.cycle or 0)
        weight = one.significance or 0.0
        if done is not None and done.said and (best is None or weight >= best[0]):
            best = (weight, done)
    return best[1] if best else None


def _overview(moments: Sequence[LivedMoment], recent: RecentPast) -> str:
    """Return one line for all that is older in this session: how many, and where focus went."""
    first = recent.first or moments[0].number
    since = recent.since or moments[0].at
    focus: list[str] = []
    for concern, group in groupby(moments, key=lambda one: one.concern):
        start = next(group).number
        if concern is not None:
            focus.append(f"{named(concern)} from {start}" if focus else named(concern))
    facts = [*_outcomes(moments), *([f"on {', '.join(focus)}"] if focus else [])]
    numbers = f"{first}-{moments[-1].number}" if moments[-1].number > first else str(first)
    return f"  - Earlier, {numbers} (since {marked(since)}) {'; '.join(facts)}"


def _session(stretch: EarlierSession, deeds: Mapping[int, CycleActions]) -> str:
    until = f" to {marked(stretch.until)}" if stretch.until else ""
    facts = [stretch.ended]
    if stretch.first:
        facts.insert(0, f"iterations {stretch.first}-{stretch.last}")
    if stretch.concerns:
        facts.append(f"on {', '.join(map(named, stretch.concerns))}")
    best = deeds.get(stretch.cycle or 0)
    said = f": {told(cut(best.said, _SHORT))}" if best is not None and best.said else ""
    return f"  - Session of {marked(stretch.since)}{until} ({'; '.join(facts)}){said}"


def _outcomes(moments: Sequence[LivedMoment]) -> list[str]:
    """Return how many events some moments took up, and how these ended."""
    events = sum(one.events for one in moments)
    outcomes = Counter(one.outcome for one in moments)
    found = [_events(events)] if events else []
    return [*found, ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))]


def _tools(done: Sequence[CycleActions]) -> list[str]:
    """Return which tools were called, the most often called first."""
    calls: Counter[str] = Counter()
    for one in done:
        calls.update(one.tools)
    if not calls:
        return []
    order = sorted(calls.items(), key=lambda one: (-one[1], one[0]))
    used = (named(tool) if times == 1 else f"{named(tool)} {times} times" for tool, times in order)
    return [f"used {', '.join(used)}"]


def _events(count: int) -> str:
    """Return how many events there were."""
    return counted(count, "event")


def _name(moment: LivedMoment) -> str:
    """Return what a moment is: a cycle, where there is no loop."""
    return "Cycle" if moment.cycle == moment.number and moment.mode is None else "Iteration"


def _range(moments: Sequence[LivedMoment]) -> str:
    """Return the name and numbers of some moments."""
    first, last = moments[0], moments[-1]
    if len(moments) == 1:
        return f"{_name(first)} {first.number}"
    return f"{_name(first)}s {first.number}-{last.number}"
