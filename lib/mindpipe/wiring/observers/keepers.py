"""Where observers keep what they have seen, and where what they tell goes."""

import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Deliver, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.observers import verbs
from mindpipe.observers.memory import Keeper
from mindpipe.observers.records import Remembered, Step
from mindpipe.stream.files import read_if_there, write_whole

HandOver = Callable[[list[NewEvent]], object]


class StoreKeeper:
    """Keep what was seen in a store, in one transaction with what is delivered."""

    def __init__(self, store: Store, deliver: Deliver) -> None:
        self._store = store
        self._deliver = deliver

    def load(self, observer: str) -> Remembered:
        """Return what an observer has seen."""
        return verbs.load(self._store, observer=observer)

    def keep(self, step: Step) -> bool:
        """Take one step; False means that another process took it meanwhile."""
        return verbs.keep(self._store, step=step, deliver=self._deliver)


class StateFile(Record):
    """A file of what observers have seen, as `mind observe files --since-state` writes it."""

    observers: dict[str, Remembered] = {}


class FileKeeper:
    """Keep what was seen in a file that is there whole or not at all; nothing is delivered."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._one_by_one = threading.Lock()
        octets = read_if_there(str(path))
        try:
            self._state = msgspec.json.decode(octets, type=StateFile) if octets else StateFile()
        except NO_RECORD as error:
            words = f"is no file of what observers have seen: {error}"
            raise BadInputError([Problem(source=str(path), message=words)]) from None

    def load(self, observer: str) -> Remembered:
        """Return what an observer has seen."""
        return self._state.observers.get(observer, Remembered())

    def keep(self, step: Step) -> bool:
        """Take one step."""
        with self._one_by_one:
            stepped = after_step(self.load(step.observer), step)
            self._state = StateFile(observers={**self._state.observers, step.observer: stepped})
            write_whole(self._path, [to_json(self._state)])
        return True


class PrintingKeeper:
    """Hand events over first, then keep what was seen.

    Where the process dies in between they are handed over again, under the same keys.
    """

    def __init__(self, inner: Keeper, hand_over: HandOver) -> None:
        self._inner = inner
        self._hand_over = hand_over

    def load(self, observer: str) -> Remembered:
        """Return what an observer has seen."""
        return self._inner.load(observer)

    def keep(self, step: Step) -> bool:
        """Take one step; False means that another process took it meanwhile."""
        if step.events:
            self._hand_over(list(step.events))
        return self._inner.keep(msgspec.structs.replace(step, events=()))


class AnnouncingKeeper:
    """Hand events over once they are committed with what was seen."""

    def __init__(self, inner: Keeper, hand_over: HandOver) -> None:
        self._inner = inner
        self._hand_over = hand_over

    def load(self, observer: str) -> Remembered:
        """Return what an observer has seen."""
        return self._inner.load(observer)

    def keep(self, step: Step) -> bool:
        """Take one step; False means that another process took it meanwhile."""
        kept = self._inner.keep(step)
        if kept and step.events:
            self._hand_over(list(step.events))
        return kept


class LookingKeeper:
    """Know what was seen before, and keep what is seen now for as long as the process lives."""

    def __init__(self, inner: Keeper, looked_at: dict[str, Remembered]) -> None:
        self._inner = inner
        self._looked_at = looked_at

    def load(self, observer: str) -> Remembered:
        """Return what an observer has seen."""
        found = self._looked_at.get(observer)
        return self._inner.load(observer) if found is None else found

    def keep(self, step: Step) -> bool:
        """Take one step."""
        self._looked_at[step.observer] = after_step(self.load(step.observer), step)
        return True


class ForgetfulKeeper:
    """Remember nothing, for observers that look at nothing twice."""

    def load(self, observer: str) -> Remembered:
        """Return nothing."""
        return Remembered()

    def keep(self, step: Step) -> bool:
        """Take one step."""
        return True


def after_step(known: Remembered, step: Step) -> Remembered:
    """Return what an observer has seen once a step is taken."""
    files = dict(known.files)
    for path in step.gone:
        files.pop(path, None)
    files.update((seen.path, seen) for seen in step.seen)
    marks: dict[str, str | None] = {**known.marks, **step.marks}
    return Remembered(
        files=files, marks={name: mark for name, mark in marks.items() if mark is not None}
    )
