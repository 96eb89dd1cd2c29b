"""What differs between the lives of two persons: where they part, then kind by kind."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.records import Record, to_json
from mindpipe.life.persons.course import PersonCourse
from mindpipe.life.records import Change, LifeDifference, Shown
from mindpipe.person.calendar import instant_text
from mindpipe.person.plots.lives import COLUMNS, clock, gather
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.records.state import PersonState, Readouts

PLACES = 4
"""To how many decimal places readouts are compared and shown."""
SLEEP_US = HOUR_US // 4
"""By how much sleep has to begin or end at another time to be another."""


class _Moment(NamedTuple):
    """Something of a life at an instant, as it is compared."""

    t_us: int
    what: str
    key: str
    words: str


def differences(first: PersonCourse, second: PersonCourse) -> Iterator[LifeDifference]:
    """Yield what differs: where the lives part, then by kind all that is not the same.

    Curves are compared at the instants of which both have a state.
    """
    parting = _parting(first, second)
    if parting is not None:
        yield parting
    yield from _fields("settings", _settings(first), _settings(second))
    yield from _rows("event", _by_id(first.events), _by_id(second.events))
    yield from _body(first, second)
    yield from _sleep(first, second)
    yield from _rows(
        "episode", _by_id(first.state.mind.episodes), _by_id(second.state.mind.episodes)
    )
    yield from _rows("thought", _by_id(first.thoughts), _by_id(second.thoughts))
    yield from _rows("memory", _by_id(first.memories), _by_id(second.memories))
    yield from _fields("identity", _identity(first), _identity(second))
    yield from _rows("relation", _relations(first), _relations(second))


def _parting(first: PersonCourse, second: PersonCourse) -> LifeDifference | None:
    """Return the first thing that only one of two lives has, beside what the other has then."""
    ours, theirs = _moments(first), _moments(second)
    only_ours = sorted(ours - theirs)
    only_theirs = sorted(theirs - ours)
    instants = [one[0].t_us for one in (only_ours, only_theirs) if one]
    if not instants:
        return _parting_of_states(first, second)
    at_us = min(instants)
    return LifeDifference(
        what="parting",
        key=instant_text(at_us),
        change="changed",
        first=_shown_at(only_ours, at_us),
        second=_shown_at(only_theirs, at_us),
    )


def _parting_of_states(first: PersonCourse, second: PersonCourse) -> LifeDifference | None:
    """Return the first state in which two lives differ that have had and thought the same."""
    theirs = {one.t_us: one for one in second.states}
    for one in first.states:
        other = theirs.get(one.t_us)
        if other is not None and to_json(one) != to_json(other):
            found = next(iter(_fields("state", _plain(one), _plain(other))), None)
            if found is not None:
                return msgspec.structs.replace(
                    found, what="parting", key=instant_text(one.t_us), change="changed"
                )
    return None


def _moments(lived: PersonCourse) -> set[_Moment]:
    """Return the events and thoughts of a life."""
    events = {_Moment(one.t_us, "event", one.id, one.text or one.type) for one in lived.events}
    return events | {_Moment(one.t_us, "thought", one.id, one.content) for one in lived.thoughts}


def _shown_at(moments: Sequence[_Moment], at_us: int) -> Shown | None:
    """Return what of one life is at the instant of the parting, if anything is."""
    found = next((one for one in moments if one.t_us == at_us), None)
    return None if found is None else {found.what: found.key, "words": found.words}


def _body(first: PersonCourse, second: PersonCourse) -> Iterator[LifeDifference]:
    """Yield for each curve where two lives are farthest from each other, and by how much."""
    ours, theirs = _read(first.states), _read(second.states)
    common = sorted(ours.keys() & theirs.keys())
    for name in COLUMNS:
        pairs = [(float(getattr(ours[t], name)), float(getattr(theirs[t], name))) for t in common]
        apart = [abs(one - other) for one, other in pairs]
        if not apart or round(max(apart), PLACES) == 0:
            continue
        place = apart.index(max(apart))
        one, other = pairs[place]
        at = instant_text(common[place])
        yield LifeDifference(
            what="body",
            key=name,
            change="changed",
            first={"at": at, "value": round(one, PLACES), "mean": _mean(p[0] for p in pairs)},
            second={"at": at, "value": round(other, PLACES), "mean": _mean(p[1] for p in pairs)},
        )


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(sum(found) / len(found), PLACES)


def _read(states: Iterable[PersonState]) -> dict[int, Readouts]:
    """Return the readouts of states that have them, by instant."""
    return {one.t_us: one.read for one in states if isinstance(one.read, Readouts)}


def _sleep(first: PersonCourse, second: PersonCourse) -> Iterator[LifeDifference]:
    """Yield spans of sleep that the other life has not, or at another time."""
    ours, theirs = _nights(first), _nights(second)
    while ours or theirs:
        one = ours[0] if ours else None
        other = theirs[0] if theirs else None
        if one is not None and other is not None and one[0] < other[1] and other[0] < one[1]:
            ours, theirs = ours[1:], theirs[1:]
            if max(abs(one[0] - other[0]), abs(one[1] - other[1])) < SLEEP_US:
                continue
            change: Change = "changed"
        elif other is None or (one is not None and one[0] < other[0]):
            ours, other, change = ours[1:], None, "only_first"
        else:
            theirs, one, change = theirs[1:], None, "only_second"
        begun = one or other
        assert begun is not None
        yield LifeDifference(
            what="sleep",
            key=clock(begun[0]),
            change=change,
            first=_slept(one),
            second=_slept(other),
        )


def _nights(lived: PersonCourse) -> list[tuple[int, int]]:
    """Return the spans of sleep that the states of a life show."""
    states = [one for one in lived.states if isinstance(one.read, Readouts)]
    return gather(states, COLUMNS[:1])[0].nights() if states else []


def _slept(night: tuple[int, int] | None) -> Shown | None:
    if night is None:
        return None
    since, until = night
    hours = round((until - since) / HOUR_US, 2)
    return {"from": clock(since), "until": clock(until), "hours": hours}


def _settings(lived: PersonCourse) -> Shown:
    """Return who somebody is but for its identity and the time of that."""
    shown = _plain(lived.person)
    for name in ("identity", "t_us", "person"):
        shown.pop(name, None)
    settings = shown.pop("settings", {})
    return {**shown, **{f"settings.{name}": value for name, value in settings.items()}}


def _identity(lived: PersonCourse) -> Shown:
    """Return what somebody holds itself to be; what it learnt of itself each by itself."""
    shown = _plain(lived.person.identity)
    learnt = shown.pop("learnt", ())
    shown.pop("last_updated_us", None)
    return {**shown, **{f"learnt: {one['text']}": one for one in learnt}}


def _relations(lived: PersonCourse) -> dict[str, Shown]:
    return {one.name: _plain(one) for one in lived.state.mind.relations}


def _by_id(some: Iterable[Record]) -> dict[str, Shown]:
    """Return records as they are compared, by their ids."""
    found: dict[str, Shown] = {}
    for one in some:
        shown = _plain(one)
        found[str(shown.pop("id"))] = {
            name: value for name, value in shown.items() if name not in ("v", "kind", "person")
        }
    return found


def _plain(record: Record) -> Shown:
    found: Shown = msgspec.to_builtins(record)
    return found


def _fields(what: str, ours: Shown, theirs: Shown) -> Iterator[LifeDifference]:
    """Yield each field that is not the same."""
    for name in dict.fromkeys((*ours, *theirs)):
        one, other = ours.get(name), theirs.get(name)
        if one == other:
            continue
        yield LifeDifference(
            what=what,
            key=name,
            change="changed" if name in ours and name in theirs else _only(first=name in ours),
            first={"value": one} if name in ours else None,
            second={"value": other} if name in theirs else None,
        )


def _rows(
    what: str, ours: Mapping[str, Shown], theirs: Mapping[str, Shown]
) -> Iterator[LifeDifference]:
    """Yield each record that only one of two lives has, or that is not the same."""
    for key in dict.fromkeys((*ours, *theirs)):
        one, other = ours.get(key), theirs.get(key)
        if one == other:
            continue
        change: Change
        if one is not None and other is not None:
            names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
            one = {name: one[name] for name in names if name in one}
            other = {name: other[name] for name in names if name in other}
            change = "changed"
        else:
            change = _only(first=one is not None)
        yield LifeDifference(what=what, key=key, change=change, first=one, second=other)


def _only(*, first: bool) -> Change:
    return "only_first" if first else "only_second"
