"""The block WORKING MEMORY: the newest iterations whole, older ones ever more condensed.

The last 5 stand whole (the last 3, where these are long); those up to the 20th in groups of five
that end where the focus changes; all before of the same session in one line; earlier sessions by
what counted most in them. All of it is made from what was kept, so that no model is asked.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from mindpipe.context.recollection.blocks import counted, cut
from mindpipe.context.recollection.records import Deeds, EarlierSession, Lately, LivedMoment
from mindpipe.context.timeline.wording import marked, named, told

WHOLE = (5, 3)
"""So many of the newest are whole: the first number, the second where these take too much."""
CONDENSED = 20
"""The 6th to 20th newest are condensed."""
GROUP = 5
"""Iterations that are condensed into one line, at most."""
SESSIONS = 3
"""Earlier sessions that are told of, at most."""
_SAID, _SHORT, _TRIGGER = 1000, 160, 200


def lines(
    lately: Lately,
    deeds: Mapping[int, Deeds],
    *,
    size: Callable[[str], int],
    most: int,
) -> tuple[str, ...]:
    """Return working memory, oldest first.

    `deeds` are those of the cycles by number. Where what is whole takes more than half of the
    `most` tokens, as `size` counts them, less of it is.
    """
    moments = [one for one in lately.moments if _says_something(one)]
    whole: list[str] = []
    kept = 0
    for kept in WHOLE:
        whole = [_whole(one, deeds) for one in moments[-kept:]]
        if sum(map(size, whole)) * 2 <= most:
            break
    kept = min(kept, len(moments))
    early, middle = moments[:-CONDENSED], moments[-CONDENSED : len(moments) - kept]
    return (
        *(_session(one, deeds) for one in lately.stretches[-SESSIONS:]),
        *([_overview(early, lately)] if early else []),
        *(_condensed(group, deeds) for group in _groups(middle)),
        *whole,
    )


def _says_something(moment: LivedMoment) -> bool:
    """Tell whether anything happened: an iteration that found nothing to do is not remembered."""
    return moment.cycle is not None or moment.events > 0 or moment.error is not None


def _whole(moment: LivedMoment, deeds: Mapping[int, Deeds]) -> str:
    """Return all of one moment."""
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


def _condensed(moments: Sequence[LivedMoment], deeds: Mapping[int, Deeds]) -> str:
    """Return one line for some moments: what came, what was used, and what counted most."""
    done = [deeds[one.cycle] for one in moments if one.cycle and one.cycle in deeds]
    focus = moments[0].concern
    facts = [*_outcomes(moments), *_tools(done)]
    on = f", on {named(focus)}" if focus else ""
    best = _most_significant(moments, deeds)
    said = f": {told(cut(best.said, _SHORT))}" if best is not None else ""
    return f"  - {_range(moments)} ({marked(moments[0].at)}{on}) {'; '.join(facts)}{said}"


def _most_significant(moments: Sequence[LivedMoment], deeds: Mapping[int, Deeds]) -> Deeds | None:
    """Return what was done in the moment that counted most and has words, the newest of equals."""
    best: tuple[float, Deeds] | None = None
    for one in moments:
        done = deeds.get(one.cycle or 0)
        weight = one.significance or 0.0
        if done is not None and done.said and (best is None or weight >= best[0]):
            best = (weight, done)
    return best[1] if best else None


def _overview(moments: Sequence[LivedMoment], lately: Lately) -> str:
    """Return one line for all that is older in this session: how many, and where focus went."""
    first = lately.first or moments[0].number
    since = lately.since or moments[0].at
    focus: list[str] = []
    for concern, group in groupby(moments, key=lambda one: one.concern):
        start = next(group).number
        if concern is not None:
            focus.append(f"{named(concern)} from {start}" if focus else named(concern))
    facts = [*_outcomes(moments), *([f"on {', '.join(focus)}"] if focus else [])]
    numbers = f"{first}-{moments[-1].number}" if moments[-1].number > first else str(first)
    return f"  - Earlier, {numbers} (since {marked(since)}) {'; '.join(facts)}"


def _session(stretch: EarlierSession, deeds: Mapping[int, Deeds]) -> str:
    """Return one line for an earlier session."""
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


def _tools(done: Sequence[Deeds]) -> list[str]:
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
