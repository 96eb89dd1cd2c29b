"""Where observers keep what they have seen, and where what they tell goes."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.events import NewEvent
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.io.files import read_if_there, write_whole
from mindpipe.observers.changes import Keeper
from mindpipe.observers.records import ObserverMemory, ObserverStep

HandOver = Callable[[list[NewEvent]], object]
OpenKeeper = Callable[[], AbstractContextManager[Keeper]]
"""Open where an observer keeps what it has seen, in its own thread."""


class StateFile(Record):
    """A file of what observers have seen, as `mind observe files --since-state` writes it."""

    observers: dict[str, ObserverMemory] = {}


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

    def load(self, observer: str) -> ObserverMemory:
        """Return what an observer has seen."""
        return self._state.observers.get(observer, ObserverMemory())

    def keep(self, step: ObserverStep) -> bool:
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

    def load(self, observer: str) -> ObserverMemory:
        """Return what an observer has seen."""
        return self._inner.load(observer)

    def keep(self, step: ObserverStep) -> bool:
        """Take one step; False means that another process took it meanwhile."""
        if step.events:
            self._hand_over(list(step.events))
        return self._inner.keep(msgspec.structs.replace(step, events=()))


class AnnouncingKeeper:
    """Hand events over once they are committed with what was seen."""

    def __init__(self, inner: Keeper, hand_over: HandOver) -> None:
        self._inner = inner
        self._hand_over = hand_over

    def load(self, observer: str) -> ObserverMemory:
        """Return what an observer has seen."""
        return self._inner.load(observer)

    def keep(self, step: ObserverStep) -> bool:
        """Take one step; False means that another process took it meanwhile."""
        kept = self._inner.keep(step)
        if kept and step.events:
            self._hand_over(list(step.events))
        return kept


class LookingKeeper:
    """Know what was seen before, and keep what is seen now for as long as the process lives."""

    def __init__(self, inner: Keeper, looked_at: dict[str, ObserverMemory]) -> None:
        self._inner = inner
        self._looked_at = looked_at

    def load(self, observer: str) -> ObserverMemory:
        """Return what an observer has seen."""
        found = self._looked_at.get(observer)
        return self._inner.load(observer) if found is None else found

    def keep(self, step: ObserverStep) -> bool:
        """Take one step."""
        self._looked_at[step.observer] = after_step(self.load(step.observer), step)
        return True


class ForgetfulKeeper:
    """Remember nothing, for observers that look at nothing twice."""

    def load(self, observer: str) -> ObserverMemory:
        """Return nothing."""
        return ObserverMemory()

    def keep(self, step: ObserverStep) -> bool:
        """Take one step."""
        return True


def forgetful() -> AbstractContextManager[Keeper]:
    """Give a keeper that remembers nothing."""
    return contextlib.nullcontext(ForgetfulKeeper())


def in_file(path: Path) -> OpenKeeper:
    """Return what gives one file to keep what was seen in, whoever asks."""
    keeper = FileKeeper(path)
    return lambda: contextlib.nullcontext(keeper)


def looking(open_keeper: OpenKeeper) -> OpenKeeper:
    """Return what opens a keeper of which is known what it has kept, and leaves it as it is."""
    looked_at: dict[str, ObserverMemory] = {}

    @contextlib.contextmanager
    def opened() -> Iterator[Keeper]:
        with open_keeper() as inner:
            yield LookingKeeper(inner, looked_at)

    return opened


def after_step(known: ObserverMemory, step: ObserverStep) -> ObserverMemory:
    """Return what an observer has seen once a step is taken."""
    files = dict(known.files)
    for path in step.gone:
        files.pop(path, None)
    files.update((seen.path, seen) for seen in step.seen)
    marks: dict[str, str | None] = {**known.marks, **step.marks}
    return ObserverMemory(
        files=files, marks={name: mark for name, mark in marks.items() if mark is not None}
    )
