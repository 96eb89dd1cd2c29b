"""Reflections: add them, show them, and make one of a period by rules."""

from contextlib import AbstractContextManager

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.lines import AllOrNothing, BadLines
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.memory.records import (
    EVIDENCE,
    ItemFilter,
    NewReflection,
    Numbered,
    Period,
    Reflection,
)
from mindpipe.memory.settle import instant, settle_instant, settle_reflection
from mindpipe.memory.summaries import summary, weightiest
from mindpipe.memory.tables import written
from mindpipe.memory.verbs import memory
from mindpipe.memory.verbs.keep import Addition, Substrate, keeping, numbered, one_body, record_of

_KIND = Substrate("reflection", "rf", Reflection, settle_reflection, lambda _rows, _agent, one: one)


def add(
    store: Store, clock: Clock, chance: Chance, *, agent: str, bad_lines: BadLines
) -> AbstractContextManager[Addition[NewReflection, Reflection]]:
    """Return what adds reflections part by part; raises BadInputError as `keeping` does."""
    return keeping(store, clock, chance, agent=agent, substrate=_KIND, bad_lines=bad_lines)


def list_(
    store: Store, *, agent: str, as_of: str | None = None, archived: bool = False
) -> list[Reflection]:
    """Return an agent's reflections in the order in which they came, as of an instant.

    Those that were taken back are left out unless `archived` is set.
    """
    instant = settle_instant(as_of)
    with store.read() as rows:
        return [
            record_of(body, Reflection)
            for body in written.bodies(rows, "reflection", agent=agent, as_of=instant)
            if archived or body.retracted is None
        ]


def show(store: Store, *, agent: str, id: str, as_of: str | None = None) -> Reflection:
    """Return one reflection as of an instant; raises UsageError if the agent has none such."""
    with store.read() as rows:
        body = one_body(rows, "reflection", agent=agent, id=id, as_of=as_of)
        return record_of(body, Reflection)


def after(
    store: Store, *, number: int, agent: str | None = None, limit: int = 1000
) -> list[Numbered[Reflection]]:
    """Return the reflections with a greater number, in the order of numbers."""
    with store.read() as rows:
        found = written.bodies_after(rows, "reflection", number, agent=agent, limit=limit)
    return numbered(found, Reflection)


def make(store: Store, clock: Clock, chance: Chance, *, agent: str, period: Period) -> Reflection:
    """Make, keep and return the summary of a period from its most significant items.

    What the model itself said, and what was recalled, is not read: it would become evidence.

    Raises:
        NothingToDoError: there is no item in the period.
        UsageError: an instant is none, or the period ends before it begins.
    """
    until = instant(period.until)
    with store.write(agent):
        since = settle_instant(period.since) or _last(store, agent=agent, until=until)
        if since is not None and until < since:
            raise UsageError(f"the period ends at {until}, before it begins at {since}.")
        wanted = ItemFilter(since=since, until=until)
        found = [
            one for one in memory.list_(store, agent=agent, wanted=wanted) if one.origin in EVIDENCE
        ]
        if not found:
            raise NothingToDoError(
                f"{agent} has no item from {since or 'the beginning'} to {until}."
            )
        begun = since or min(one.at for one in found)
        read = weightiest(found, most=period.limit)
        given = summary(found, read, since=begun, until=until)
        with add(store, clock, chance, agent=agent, bad_lines=AllOrNothing()) as addition:
            added = addition.add([given])
    return show(store, agent=agent, id=added[0].id)


def _last(store: Store, *, agent: str, until: str) -> str | None:
    """Return when the last reflection ends that ends before an instant, or None."""
    ends = [one.until for one in list_(store, agent=agent) if one.until < until]
    return max(ends, default=None)
