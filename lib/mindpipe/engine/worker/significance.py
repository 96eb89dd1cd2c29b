"""Look back by rules: how significant an iteration was, and what is amiss over many; pure."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from mindpipe.core.events import Priority
from mindpipe.core.records import Record
from mindpipe.engine.records.attention import (
    CHANGES,
    Concern,
    IterationPattern,
    IterationReflection,
    PatternFinding,
    PatternKind,
    ReflectionRules,
)
from mindpipe.engine.records.journal import Call, CallState
from mindpipe.inbox.ordering import Glimpse
from mindpipe.memory.records import NewLesson
from mindpipe.workers.records import Iteration

MOST = 10.0
_LIVED = 1.0
_OUTCOMES = {"failed": 4.0, "stopped": 2.0, "skipped": -1.0}
_URGENCIES = {Priority.EMERGENCY: 4.0, Priority.CRITICAL: 3.0, Priority.URGENT: 1.5}
_ERROR, _UNKNOWN = 2.0, 2.0
_DECIDED, _APPLIED = (0.5, 2.0), (0.5, 1.5)
_LISTED = 8
_TIMES = " x "
_CLOSING = "done"
_WAITING = {CallState.TICKETED, CallState.PLANNED, CallState.STARTED}


class Facts(Record):
    """What is known of an iteration once it ended; `novelty` (0-2) is the mean of its events."""

    iteration: Iteration
    focus: str | None = None
    seen: tuple[Glimpse, ...] = ()
    calls: tuple[Call, ...] = ()
    novelty: float = 0.0


def significance(facts: Facts) -> float:
    """Return how significant an iteration was, from 0 (nothing happened) to 10.

    A cycle counts 1, to which its outcome (failed 4, stopped 2, skipped -1), an error (2), a call
    of which nobody knows whether it ran (2), decisions (0.5 each to 2, applied 0.5 each to 1.5),
    the novelty of its events and the most urgent of them (emergency 4, critical 3, urgent 1.5) add.
    """
    one = facts.iteration
    if one.cycle is None and one.error is None:
        return 0.0
    most = min((event.priority for event in facts.seen), default=int(Priority.BACKGROUND))
    unknown = any(call.state is CallState.UNKNOWN for call in facts.calls)
    found = (
        _LIVED
        + _OUTCOMES.get(one.outcome, 0.0)
        + _ERROR * (one.error is not None)
        + _UNKNOWN * unknown
        + min(_DECIDED[1], _DECIDED[0] * one.decided)
        + min(_APPLIED[1], _APPLIED[0] * one.applied)
        + facts.novelty
        + _URGENCIES.get(Priority(most), 0.0)
    )
    return round(max(0.0, min(MOST, found)), 2)


def reflected(facts: Facts) -> IterationReflection:
    """Return the reflection on an iteration."""
    one = facts.iteration
    calls = [call for call in facts.calls if call.tool != _CLOSING]
    well = [call for call in calls if call.state is CallState.DONE]
    # What waits for a person has gone neither well nor badly; how it ends is not the agent's doing.
    ended = [call for call in calls if call.state not in _WAITING]
    ill = [call for call in ended if call.state is not CallState.DONE]
    return IterationReflection(
        agent=one.agent,
        iteration=one.number,
        at=one.at,
        mode=one.mode,
        concern=one.concern,
        focus=facts.focus,
        cycle=one.cycle,
        observed=_counted(event.type for event in facts.seen),
        sources=tuple(sorted({event.source for event in facts.seen}))[:_LISTED],
        decided=_counted(f"{_name(call)} {call.state.value}" for call in calls),
        outcome="failed" if one.error is not None else one.outcome,
        well=_counted(f"{call.tool} did what it should" for call in well),
        less=(*_counted(f"{_name(call)} {call.state.value}" for call in ill), *_ending(one)),
        significance=significance(facts),
        action=signature(calls),
        tried=len(calls) + one.decided,
        effective=len(well) + one.applied,
        tools={
            tool: (count, sum(_name(call) == tool for call in well))
            for tool, count in sorted(Counter(map(_name, ended)).items())
        },
        queue=one.queue,
    )


def signature(calls: Sequence[Call]) -> str:
    """Return what is equal for the same tools with the same arguments in the same order."""
    if not calls:
        return ""
    named = "+".join(map(_name, calls[:3]))
    whole = "\x1f".join(f"{call.tool}\x1e{call.args_sha256}" for call in calls)
    return f"{named}:{hashlib.sha256(whole.encode()).hexdigest()[:12]}"


def _name(call: Call) -> str:
    """Return a call's tool; the name of one that was not valid is the model's own word."""
    return "a tool" if call.state is CallState.INVALID else call.tool


def told(one: IterationReflection) -> str:
    """Return a reflection as the text of a memory, without counts: they are no facts to hold."""
    lived = f"iteration {one.iteration}" + (f" (cycle {one.cycle})" if one.cycle else "")
    parts = [
        f"In {lived} I worked on {one.concern or 'what came'}; it ended {one.outcome}.",
        _listed("I took up", one.observed),
        _listed("I called", one.decided),
        _listed("It went well:", one.well),
        _listed("It went less well:", one.less),
    ]
    return " ".join(part for part in parts if part)


def _ending(one: Iteration) -> tuple[str, ...]:
    """Return what is to be said of how an iteration ended."""
    said = [] if one.outcome in {"done", "idle", "skipped"} else [f"it ended {one.outcome}"]
    return (*said, *(["an error ended it"] if one.error is not None else []))


def _listed(head: str, words: Sequence[str]) -> str:
    """Return a sentence that lists something, or nothing."""
    named = ", ".join(word.split(_TIMES)[-1] for word in words)
    return f"{head} {named}." if words else ""


def _counted(words: Iterable[str]) -> tuple[str, ...]:
    """Return words with how often each came, the most frequent first."""
    found = sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0]))
    shown = tuple(
        f"{count}{_TIMES}{word}" if count > 1 else word for word, count in found[:_LISTED]
    )
    return (*shown, f"{len(found) - _LISTED} more") if len(found) > _LISTED else shown


STUCK_AFTER = 3
ALTERNATIONS = 4
_CALM = {"done", "skipped", "idle"}


def find(lived: Sequence[IterationReflection], rules: ReflectionRules) -> list[PatternFinding]:
    """Return the patterns in which some iterations end, in their order: those that hold now.

    Each kind is found at most once, but being stuck once for each concern.
    """
    found = [*_stuck(lived), *_oscillating(lived)]
    ineffective = _ineffective(lived, rules.ineffective_after)
    overloaded = _overloaded(lived, rules.overloaded_after)
    return [*found, *(one for one in (ineffective, overloaded) if one is not None)]


def _stuck(lived: Sequence[IterationReflection]) -> Iterator[PatternFinding]:
    """Yield each concern whose last three iterations did the same with the same outcome."""
    concerns = sorted({one.concern or "" for one in lived})
    for concern in concerns:
        last = [one for one in lived if (one.concern or "") == concern][-STUCK_AFTER:]
        if len(last) < STUCK_AFTER or len({_attempt(one) for one in last}) > 1:
            continue
        if last[0].action or last[0].outcome not in _CALM:
            yield PatternFinding(
                kind=PatternKind.STUCK,
                iterations=_numbers(last),
                words=f"the same {STUCK_AFTER} times: {_done(last[0])}",
                concern=concern or None,
            )


def _oscillating(lived: Sequence[IterationReflection]) -> Iterator[PatternFinding]:
    """Yield the first of focus, mode and action that goes to and fro at the end."""
    looks: tuple[tuple[str, Callable[[IterationReflection], str]], ...] = (
        ("focus", lambda one: one.focus or ""),
        ("mode", lambda one: one.mode.value),
        ("action", lambda one: one.action),
    )
    for name, look in looks:
        runs = [list(run) for _, run in groupby(lived, key=look)][-ALTERNATIONS:]
        kinds = [look(run[0]) for run in runs]
        if len(runs) < ALTERNATIONS or not kinds[0] or not kinds[1]:
            continue
        # The last run may go on; the two whole ones in the middle tell how fast it changes.
        short = all(len(run) < STUCK_AFTER for run in runs[1:])
        if short and kinds[0] == kinds[2] and kinds[1] == kinds[3]:
            yield PatternFinding(
                kind=PatternKind.OSCILLATING,
                iterations=tuple(run[-1].iteration for run in runs),
                words=f"{name} goes to and fro: {' - '.join(_short(kind) for kind in kinds)}",
            )
            return


def _ineffective(lived: Sequence[IterationReflection], after: int) -> PatternFinding | None:
    """Return that of the last iterations that tried something none came to anything, if so."""
    last = [one for one in lived if one.tried][-after:]
    if len(last) < after or any(one.effective for one in last):
        return None
    tried = sum(one.tried for one in last)
    words = f"{tried} actions in {after} iterations, none with an effect or an approval"
    return PatternFinding(kind=PatternKind.INEFFECTIVE, iterations=_numbers(last), words=words)


def _overloaded(lived: Sequence[IterationReflection], after: int) -> PatternFinding | None:
    """Return that the queue grew in each of the last iterations, if so."""
    last = lived[-(after + 1) :]
    if len(last) <= after or any(two.queue <= one.queue for one, two in pairwise(last)):
        return None
    words = f"the queue grew from {last[0].queue} to {last[-1].queue} in {after} iterations"
    return PatternFinding(kind=PatternKind.OVERLOADED, iterations=_numbers(last), words=words)


def _numbers(lived: Sequence[IterationReflection]) -> tuple[int, ...]:
    return tuple(one.iteration for one in lived)


def _attempt(one: IterationReflection) -> tuple[str, tuple[str, ...], str]:
    """Return what an iteration did, what came of each call, and how it ended."""
    return one.action, one.decided, one.outcome


def _done(one: IterationReflection) -> str:
    """Return what an iteration did and how it ended."""
    return f"{_short(one.action) or 'no call'}, {one.outcome}"


def _short(action: str) -> str:
    """Return an action without the hash of its arguments."""
    return action.split(":")[0]


OFTEN, GOOD, BAD = 5, 0.8, 0.5
"""Calls of a tool in a day from which it says something, and shares that ended well or badly."""
_MOST_LISTED = 5
_ASKS = {
    PatternKind.STUCK: "Do something else this time, or say that it cannot be done.",
    PatternKind.OSCILLATING: "Stay with one of them until it is finished.",
    PatternKind.INEFFECTIVE: "A person was told. Do not try the same again before they answer.",
    PatternKind.OVERLOADED: "Take up what is urgent, and be brief.",
}


def tag(concern: str) -> str:
    """Return the tag of reflections on a concern."""
    return f"concern:{concern}"


def of_focus(concern: Concern, left: str | None) -> str:
    """Return what an agent is told of the focus that it has now."""
    said = f"Your focus is {concern.name}."
    if concern.text:
        said = f"{said} {concern.text}"
    return f"{said}\nHow you left it: {left}" if left else said


def of_work(
    concern: Concern, lived: Sequence[IterationReflection], *, since: str, until: str
) -> str:
    """Return what was done for a concern while it had the focus."""
    head = f"{concern.name} had the focus from {since} to {until}."
    return " ".join([head, *of_iterations(lived)])


def of_iterations(lived: Sequence[IterationReflection]) -> list[str]:
    """Return, in sentences, what some iterations were: counts, outcomes, actions, what mattered."""
    cycles = [one.cycle for one in lived if one.cycle is not None]
    span = f", cycles {cycles[0]} to {cycles[-1]}" if cycles else ""
    ended = _ranked(one.outcome for one in lived)
    said = [f"{len(lived)} iteration{'s' if len(lived) > 1 else ''}{span}: {ended}."]
    calls, well = tools(lived)
    if calls:
        shown = (f"{name} ({well[name]} of {n} well)" for name, n in _most(calls))
        said.append(f"Called: {', '.join(shown)}.")
    less = Counter(words for one in lived for words in one.less)
    if less:
        said.append(f"Less well: {', '.join(name for name, _ in _most(less))}.")
    weighty = sorted(lived, key=lambda one: (-one.significance, one.iteration))[0]
    said.append(f"What mattered most: iteration {weighty.iteration} ({weighty.significance:g}).")
    return said


def tools(lived: Sequence[IterationReflection]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each tool was called in some iterations, and how often it ended well."""
    calls: Counter[str] = Counter()
    well: Counter[str] = Counter()
    for one in lived:
        for name, (count, good) in one.tools.items():
            calls[name] += count
            well[name] += good
    return calls, well


def standing(lived: Sequence[IterationReflection]) -> dict[str, bool | None]:
    """Return of each tool that was called often whether it mostly ended well; None: in between."""
    calls, well = tools(lived)
    found: dict[str, bool | None] = {}
    for name, count in sorted(calls.items()):
        if count >= OFTEN:
            share = well[name] / count
            found[name] = True if share >= GOOD else False if share < BAD else None
    return found


def of_day(
    lived: Sequence[IterationReflection], patterns: Sequence[IterationPattern], *, since: str
) -> str:
    """Return what a day was, with what it says of the agent in words that knowledge reads."""
    said = [f"Since {since}:", *of_iterations(lived)]
    found = Counter(one.kind.value for one in patterns)
    if found:
        said.append(f"Patterns: {_ranked(found.elements())}.")
    for name, good in standing(lived).items():
        if good is not None:
            said.append(f"I am good at calling {name}." if good else f"I struggle with {name}.")
    return " ".join(said)


def strategy(tool: str) -> NewLesson:
    """Return the lesson of a tool that often went wrong; every later day is an outcome of it."""
    return NewLesson(
        key=f"strategy:{tool}",
        when=f"calling {tool}",
        text=f"Check what {tool} needs first, and after a failure change the call or ask a person.",
        tags=("strategy",),
        origin="program",
    )


def note_of(pattern: IterationPattern) -> str:
    """Return the key of the note that tells an agent of a pattern."""
    return ".".join(filter(None, ("attention", pattern.kind.value, pattern.concern)))


def of_pattern(found: PatternFinding) -> str:
    """Return what an agent is told of a pattern in its next prompt."""
    numbers = ", ".join(map(str, found.iterations))
    whose = f" with {found.concern}" if found.concern else ""
    head = f"You are {found.kind.value}{whose}: {found.words} (iterations {numbers})."
    return f"{head} {_ASKS[found.kind]}"


def why(found: PatternFinding) -> str:
    """Return in a line why something changes."""
    return f"{found.kind.value}: {found.words}; so {CHANGES[found.kind].value}"


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return the most frequent words with their counts, equals by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_LISTED]


def _ranked(words: Iterable[str]) -> str:
    """Return words with how often each came."""
    return ", ".join(f"{count} {word}" for word, count in _most(Counter(words)))
