"""Take the steps of observers: what they tell and what they have seen, in one transaction."""

from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Deliver, Store
from mindpipe.observers import tables
from mindpipe.observers.records import ObserverMemory, ObserverStep


def load(store: Store, *, observer: str) -> ObserverMemory:
    """Return what an observer has seen."""
    with store.read() as rows:
        return ObserverMemory(
            files=tables.files_of(rows, observer), marks=tables.marks_of(rows, observer)
        )


def keep(store: Store, *, step: ObserverStep, deliver: Deliver) -> bool:
    """Hand over the events of a step and keep what was seen, both or neither.

    False means that nothing was done, as another process has taken a step with these files since
    they were loaded.

    Raises:
        RefusedError: an inbox has no room for the events.
    """
    with store.write(f"observer {step.observer}") as rows:
        there = tables.files_at(rows, step.observer, list(step.before))
        marks = tables.marks_of(rows, step.observer)
        if any(there.get(path) != seen for path, seen in step.before.items()) or any(
            marks.get(name) != mark for name, mark in step.marks_before.items()
        ):
            return False
        tables.drop_files(rows, step.observer, step.gone)
        tables.put_files(rows, step.observer, step.seen)
        tables.put_marks(rows, step.observer, step.marks)
        if step.events:
            deliver(list(step.events))
        reach("observe.before_commit")
    reach("observe.after_commit")
    return True


class StoreKeeper:
    """Keep what was seen in a store, in one transaction with what is delivered."""

    def __init__(self, store: Store, deliver: Deliver) -> None:
        self._store = store
        self._deliver = deliver

    def load(self, observer: str) -> ObserverMemory:
        """Return what an observer has seen."""
        return load(self._store, observer=observer)

    def keep(self, step: ObserverStep) -> bool:
        """Take one step; False means that another process took it meanwhile."""
        return keep(self._store, step=step, deliver=self._deliver)
