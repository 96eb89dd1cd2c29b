"""In which mode a loop attends: when each begins and ends, and what it takes up; pure.

normal: when no other mode is on; takes up everything.
deep_focus: begins when the focus took `FOCUS_AFTER` iterations in a row, each of over
    `FOCUS_SECONDS` in the mean; ends when nothing of it waits, after `FOCUS_MOST` iterations, or in
    overload; takes up what the focus is about, and priorities 0-2.
exploration: begins after a while without work; ends with it, when something urgent comes, or in
    sleep; takes up everything, what is new first.
overload: begins above an upper bound of what waits, ends below a lower one; takes up priorities
    0-2, and when none of them waits the oldest of the others.
sleep: begins after a long while without work; ends when anything more urgent than background comes.
recovery: begins when the life before crashed, ends when the cycle that it left open is closed;
    takes up that cycle alone.

A person may set each mode but recovery, whatever the mode before it, and it holds until a person
sets another; only a crash comes between. In a sleep that holds nothing but priorities 0-2 is taken
up. Normal, set by a person, gives the loop its own modes back, and its idle time begins anew.
Whatever the mode, what waited too long goes first.
"""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from mindpipe.core.events import Priority
from mindpipe.core.records import Natural, Positive, Record
from mindpipe.core.text import counted
from mindpipe.engine.records.attention import Adjustments, Attended, AttentionRules
from mindpipe.workers.records import LoopMode

FOCUS_AFTER, FOCUS_SECONDS, FOCUS_MOST = 3, 5.0, 10
"""Deep focus begins after so many iterations of such mean length, and lasts so many."""

MOST: Mapping[LoopMode, int] = {
    LoopMode.NORMAL: 10,
    LoopMode.DEEP_FOCUS: 5,
    LoopMode.EXPLORATION: 15,
    LoopMode.OVERLOAD: 3,
    LoopMode.SLEEP: 1,
}
"""How many events one iteration takes up at most."""

HOLDING = frozenset(LoopMode) - {LoopMode.NORMAL, LoopMode.RECOVERY}
"""Modes that hold when a person set them."""


class ModeRules(Record):
    """When modes begin and end, in waiting events and seconds, and how many events each takes up.

    `primary_share`, `primary_boost` and `longest_wait` are those of attention.
    """

    overload_queue: Natural = 50
    overload_ends: Natural = 20
    exploration_seconds: float = 300.0
    sleep_seconds: float = 1800.0
    most: Mapping[LoopMode, Positive] = msgspec.field(default_factory=lambda: MOST)
    primary_share: float = 0.6
    primary_boost: int = 3
    longest_wait: float = 3600.0


class LoopSituation(Record, omit_defaults=True):
    """What a mode depends on.

    `queue` counts what waits, `taken` what of it this mode takes up, `urgent` what of it has
    priority 0-2, `relevant` what the focus is about. `idle_seconds` passed since a cycle was lived.
    `focused` iterations in a row were the focus's, `lasted` were in this mode, `mean_seconds` is
    how long they take. `held` tells that a person set the mode, `mending` that a crash is not
    made good yet.
    """

    queue: Natural = 0
    taken: Natural = 0
    urgent: Natural = 0
    relevant: Natural = 0
    idle_seconds: float = 0.0
    focused: Natural = 0
    lasted: Natural = 0
    mean_seconds: float | None = None
    held: bool = False
    mending: bool = False


class ModeShift(NamedTuple):
    """A change of mode, and why."""

    after: LoopMode
    reason: str


def shift(mode: LoopMode, now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return the mode that follows at once, or None where this one goes on."""
    found = _ending(mode, now, rules) if mode is not LoopMode.NORMAL else _beginning(now, rules)
    if found is not None:
        mode.to(found.after)
    return found


def attending(mode: LoopMode, rules: ModeRules, *, held: bool = False) -> AttentionRules:
    """Return what bounds attention in a mode, which a person set if it is `held`."""
    up_to = Priority.BACKGROUND
    if mode is LoopMode.OVERLOAD or (mode is LoopMode.SLEEP and held):
        up_to = Priority.URGENT
    elif mode is LoopMode.SLEEP:
        up_to = Priority.NORMAL
    return AttentionRules(
        most=rules.most.get(mode, 1),
        up_to=int(up_to),
        drains=mode is not LoopMode.SLEEP,
        focus_only=mode is LoopMode.DEEP_FOCUS,
        novel_first=mode is LoopMode.EXPLORATION,
        primary_share=rules.primary_share,
        primary_boost=rules.primary_boost,
        longest_wait=rules.longest_wait,
    )


def idle_until(mode: LoopMode, rules: ModeRules) -> float | None:
    """Return after how many idle seconds the mode may change by itself, or None."""
    if mode is LoopMode.NORMAL:
        return min(rules.exploration_seconds, rules.sleep_seconds)
    return rules.sleep_seconds if mode is LoopMode.EXPLORATION else None


def _beginning(now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return the mode that begins in normal mode, or None."""
    if now.mending:
        return ModeShift(LoopMode.RECOVERY, "the life before this one crashed")
    if (too_much := _overload(now, rules)) is not None:
        return too_much
    if not now.taken:
        return _idle(now, rules)
    is_long = now.mean_seconds is not None and now.mean_seconds > FOCUS_SECONDS
    if is_long and now.relevant and now.focused >= FOCUS_AFTER:
        return ModeShift(
            LoopMode.DEEP_FOCUS, f"{now.focused} long iterations in a row were of the focus"
        )
    return None


def _ending(mode: LoopMode, now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return the mode that follows another than normal, or None."""
    if now.mending:
        crashed = ModeShift(LoopMode.RECOVERY, "the life before this one crashed")
        return None if mode is LoopMode.RECOVERY else crashed
    if now.held:
        return None
    return _ENDINGS[mode](now, rules)


def _mended(now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return the end of recovery."""
    del now, rules
    return ModeShift(LoopMode.NORMAL, "what the crash left is made good")


def _relief(now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return the end of overload: little waits, or nothing that may be taken up."""
    if now.queue < rules.overload_ends:
        return ModeShift(
            LoopMode.NORMAL,
            f"{counted(now.queue, 'event')} waiting, less than {rules.overload_ends}",
        )
    return None if now.taken else ModeShift(LoopMode.NORMAL, "nothing that waits is due")


def _overload(now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return overload where it begins: events that are due later are no load."""
    if now.queue > rules.overload_queue and now.taken:
        return ModeShift(
            LoopMode.OVERLOAD,
            f"{counted(now.queue, 'event')} waiting, more than {rules.overload_queue}",
        )
    return None


def _focus_ends(now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return the end of a deep focus that the loop began."""
    if (too_much := _overload(now, rules)) is not None:
        return too_much
    if not now.relevant:
        return ModeShift(LoopMode.NORMAL, "nothing of the focus waits")
    if now.lasted >= FOCUS_MOST:
        return ModeShift(
            LoopMode.NORMAL, f"it lasted {now.lasted} iterations; others have their turn"
        )
    return None


def _exploration_ends(now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return the end of exploration."""
    if (too_much := _overload(now, rules)) is not None:
        return too_much
    if now.urgent:
        return ModeShift(LoopMode.NORMAL, f"{now.urgent} urgent events came")
    if now.lasted and not now.taken and now.idle_seconds < rules.exploration_seconds:
        return ModeShift(LoopMode.NORMAL, "it is idle no more")
    if not now.taken and now.idle_seconds >= rules.sleep_seconds:
        return _asleep(now)
    return None


def _wakes(now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return the end of a sleep that the loop began."""
    if (too_much := _overload(now, rules)) is not None:
        return too_much
    return (
        ModeShift(LoopMode.NORMAL, f"{counted(now.taken, 'event')} woke it") if now.taken else None
    )


def _idle(now: LoopSituation, rules: ModeRules) -> ModeShift | None:
    """Return what begins where nothing was done for a while."""
    if now.idle_seconds >= rules.sleep_seconds:
        return _asleep(now)
    if now.idle_seconds >= rules.exploration_seconds:
        return ModeShift(LoopMode.EXPLORATION, f"idle for {now.idle_seconds:.0f} s")
    return None


def _asleep(now: LoopSituation) -> ModeShift:
    """Return the beginning of sleep."""
    return ModeShift(LoopMode.SLEEP, f"idle for {now.idle_seconds:.0f} s")


_ENDINGS = {
    LoopMode.RECOVERY: _mended,
    LoopMode.OVERLOAD: _relief,
    LoopMode.SLEEP: _wakes,
    LoopMode.DEEP_FOCUS: _focus_ends,
    LoopMode.EXPLORATION: _exploration_ends,
}

_WHY = "patterns over iterations ask for it (mind reflect patterns)"
_ALWAYS = frozenset({LoopMode.OVERLOAD, LoopMode.RECOVERY})


def adjusted(
    mode: LoopMode, follows: ModeShift | None, asked: Adjustments, seen: Attended, *, iteration: int
) -> ModeShift | None:
    """Return the change of mode that patterns in force leave, or ask for.

    Nothing is asked of a loop for which nothing waits, so that it comes to rest as ever; overload
    and recovery begin as ever.
    """
    if not seen.queue or mode is LoopMode.RECOVERY:
        return follows
    if asked.mode is not None:
        if mode is asked.mode:
            return None
        return ModeShift(asked.mode, _WHY) if asked.mode in mode.successors() else follows
    if asked.dwell_until is not None and iteration < asked.dwell_until:
        return follows if follows is not None and follows.after in _ALWAYS else None
    return follows
