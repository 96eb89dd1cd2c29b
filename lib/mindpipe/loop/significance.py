"""Look back on one iteration by rules: what it was, and how significant (0-10); pure."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from mindpipe.core.events import Priority
from mindpipe.core.records import Record
from mindpipe.inbox.ordering import Glimpse
from mindpipe.loop.records import Iteration
from mindpipe.loop.reflection_records import Reflected
from mindpipe.think.records import Call, CallState

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


def reflected(facts: Facts) -> Reflected:
    """Return the reflection on an iteration."""
    one = facts.iteration
    calls = [call for call in facts.calls if call.tool != _CLOSING]
    well = [call for call in calls if call.state is CallState.DONE]
    ill = [call for call in calls if call.state not in {CallState.DONE, *_WAITING}]
    return Reflected(
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
            for tool, count in sorted(Counter(map(_name, calls)).items())
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


def told(one: Reflected) -> str:
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
