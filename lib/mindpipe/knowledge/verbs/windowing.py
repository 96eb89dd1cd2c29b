"""Claim, read and close the windows in which memory is consolidated: one is open at a time."""

from collections.abc import Iterator
from typing import Literal, Protocol, TypeVar

import msgspec

from mindpipe.core.errors import FencedError, NothingToDoError, RefusedError
from mindpipe.core.leases import deadline, expired
from mindpipe.core.ports import BootTime, Clock, Rows, Store
from mindpipe.core.records import Record
from mindpipe.knowledge.deciding.fairness import mark_after, shared_out
from mindpipe.knowledge.deciding.remembered import Remembered
from mindpipe.knowledge.records import Stretch, Window
from mindpipe.knowledge.tables import windows
from mindpipe.memory.records import Numbered, NumberedItem
from mindpipe.memory.verbs import entities, items, lessons, reflections

R = TypeVar("R", bound=Record)
READ_AT_ONCE = 1_000
LOOKAHEAD = 5
"""Windows ahead in which the oldest items of subjects are looked for that others flood."""
LEASE_SECONDS = 60.0
MOST_ATTEMPTS = 5


class After(Protocol[R]):
    """Return what a substrate has behind a number."""

    def __call__(
        self, store: Store, *, number: int, agent: str | None, limit: int
    ) -> list[Numbered[R]]:
        """Return an agent's records with a greater number, at most `limit`, in order."""
        ...


def claim(store: Store, clock: Clock, *, agent: str, limit: int) -> Window:
    """Return the window that is this run's to do: one that was left, or the next one.

    Raises:
        NothingToDoError: nothing is new, or another run is at work.
        RefusedError: a window was left five times; it is given up, and the next run goes on.
    """
    with store.write() as rows:
        last = windows.last(rows, agent)
        if last is None or last.state != "claimed":
            window = _next(store, rows, last or Window(agent=agent, number=0, opened=""), limit)
            window = _leased(msgspec.structs.replace(window, opened=clock.now()), clock)
            windows.add(rows, window)
            return window
        if not expired(BootTime(boot=last.boot, seconds=last.seconds), clock.boot()):
            raise NothingToDoError(f"another run consolidates the memory of {agent} right now.")
        if last.attempts < MOST_ATTEMPTS:
            window = msgspec.structs.replace(last, attempts=last.attempts + 1)
            return _kept(rows, _leased(window, clock), held=last.attempts)
        close(store, last, state="lost")
    raise RefusedError(
        f"window {last.number} of {agent} was begun {last.attempts} times and never ended, so it "
        f"is given up with its {len(last.items)} items. The next run goes on behind it."
    )


def renew(rows: Rows, clock: Clock, window: Window, *, seconds: float = LEASE_SECONDS) -> Window:
    """Hold a window for another while; raises FencedError if another run has taken it over."""
    return _kept(rows, _leased(window, clock, seconds=seconds), held=window.attempts)


def let_go(store: Store, window: Window) -> None:
    """Let the next run take a window up at once."""
    with store.write() as rows:
        windows.change(
            rows, msgspec.structs.replace(window, boot="", seconds=0.0), held=window.attempts
        )


def close(store: Store, window: Window, *, state: Literal["done", "lost"] = "done") -> None:
    """End a window, and move on the mark up to which everything has been read.

    Raises:
        FencedError: another run has taken it over.
    """
    agent = window.agent
    with store.write() as rows:
        _kept(rows, msgspec.structs.replace(window, state=state), held=window.attempts)
        mark, read = windows.mark(rows, agent), {*windows.ahead(rows, agent), *window.items}
        if read:
            unread = [one.number for one in _from(store, agent, after=mark, upto=max(read))]
            reached = mark_after(mark, unread, frozenset(read))
            windows.add_ahead(rows, agent, sorted(one for one in window.items if one > reached))
            windows.move_mark(rows, agent, to=reached)


def read(store: Store, window: Window) -> Remembered:
    """Return what a window reads, as it is now."""
    agent, wanted = window.agent, frozenset(window.items)
    first, last = min(wanted, default=1) - 1, max(wanted, default=0)
    found = _from(store, agent, after=first, upto=last)
    names = {one.id: one for one in _stretch(store, entities.after, window.entities, agent)}
    return Remembered(
        items=[one.item for one in found if one.number in wanted],
        lessons=_stretch(store, lessons.after, window.lessons, agent),
        reflections=_stretch(store, reflections.after, window.reflections, agent),
        entities=entities.of_ids(store, agent=agent, ids=names),
    )


def is_behind(store: Store, *, agent: str) -> bool:
    """Tell whether an agent has items that no window has read."""
    with store.read() as rows:
        read = len(windows.ahead(rows, agent))
        mark = windows.mark(rows, agent)
        return len(items.after(store, number=mark, agent=agent, limit=read + 1)) > read


def _next(store: Store, rows: Rows, last: Window, limit: int) -> Window:
    """Return the window behind the last one; raises NothingToDoError where nothing is new."""
    agent, mark = last.agent, windows.mark(rows, last.agent)
    read = frozenset(windows.ahead(rows, agent))
    found = items.after(store, number=mark, agent=agent, limit=limit + 1)
    if len(found) > limit or read:
        found = items.after(store, number=mark, agent=agent, limit=limit * LOOKAHEAD)
    unread = [
        (one.number, one.item.subject or one.item.speaker or "")
        for one in found
        if one.number not in read
    ]
    window = Window(
        agent=agent,
        number=last.number + 1,
        items=shared_out(unread, limit=limit),
        lessons=_behind(store, lessons.after, last.lessons, agent, limit),
        reflections=_behind(store, reflections.after, last.reflections, agent, limit),
        entities=_behind(store, entities.after, last.entities, agent, limit),
        opened="",
    )
    others = (window.lessons, window.reflections, window.entities)
    if not window.items and all(one.upto == one.after for one in others):
        raise NothingToDoError(f"nothing is new in the memory of {agent}.")
    return window


def _from(store: Store, agent: str, *, after: int, upto: int) -> Iterator[NumberedItem]:
    """Yield an agent's items with numbers in a stretch."""
    while after < upto:
        found = items.after(store, number=after, agent=agent, limit=READ_AT_ONCE)
        yield from (one for one in found if one.number <= upto)
        after = found[-1].number if found else upto


def _behind(store: Store, find: After[R], last: Stretch, agent: str, limit: int) -> Stretch:
    """Return the stretch of a substrate that comes behind the last one."""
    found = find(store, number=last.upto, agent=agent, limit=limit)
    return Stretch(after=last.upto, upto=found[-1].number if found else last.upto)


def _stretch(store: Store, find: After[R], stretch: Stretch, agent: str) -> list[R]:
    """Return what a substrate has in a stretch."""
    count = max(stretch.upto - stretch.after, 1)
    found = find(store, number=stretch.after, agent=agent, limit=count)
    return [one.record for one in found if one.number <= stretch.upto]


def _leased(window: Window, clock: Clock, *, seconds: float = LEASE_SECONDS) -> Window:
    """Return a window with its lease from now on."""
    end = deadline(clock.boot(), seconds=seconds)
    return msgspec.structs.replace(window, boot=end.boot, seconds=end.seconds)


def _kept(rows: Rows, window: Window, *, held: int) -> Window:
    """Keep a window and return it; raises FencedError if it is not at its `held`th attempt."""
    if not windows.change(rows, window, held=held):
        raise FencedError(
            f"another run has taken over window {window.number} of {window.agent}. Try again."
        )
    return window
