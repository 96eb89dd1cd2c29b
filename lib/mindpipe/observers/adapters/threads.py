"""Observe while a worker lives: a thread for each observer, its events in the inbox by itself."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from mindpipe.core.errors import MindError, RefusedError, StoreBusyError
from mindpipe.core.ports import Chance, Clock
from mindpipe.core.yaml import load_yaml
from mindpipe.engine.delivery import bounds_of
from mindpipe.inbox.batch import Batch
from mindpipe.inbox.push_rules import PushRules
from mindpipe.inbox.records import Receipt
from mindpipe.io.files import read_whole
from mindpipe.io.programs import LocalPrograms
from mindpipe.observers.adapters.folders import FolderObserver
from mindpipe.observers.adapters.keepers import (
    AnnouncingKeeper,
    HandOver,
    OpenKeeper,
    PrintingKeeper,
)
from mindpipe.observers.adapters.lines import LineTaker, TakePieces, onto_output
from mindpipe.observers.adapters.programs import LifeObserver, ProgramObserver
from mindpipe.observers.adapters.repositories import RepositoryObserver
from mindpipe.observers.changes import Keeper
from mindpipe.observers.config import read_config
from mindpipe.observers.records import Endpoint, ObserverConfig
from mindpipe.observers.rules import failures_after, pause
from mindpipe.settings import Settings

Tell = Callable[[str], None]
STATE_IGNORED = "state_persistence is ignored: the store keeps all state."
KINDS = ("files", "git", "processes", "programs", "http")


class Observer(Protocol):
    """Something that observes until it is told to stop."""

    name: str

    def run(self, stop: threading.Event) -> None:
        """Observe until `stop` is set; raises MindError, and may then be run again."""
        ...


class ObserverOutputs(NamedTuple):
    """Where an observer keeps what it has seen, and where lines of others go."""

    keeper: Keeper
    take: TakePieces


Place = Callable[[], AbstractContextManager[ObserverOutputs]]
"""Open what one observer needs, in its own thread."""


class ObserverContext:
    """A configuration with what observers need: its folder, for whom, clock, chance, settings."""

    def __init__(
        self,
        config: ObserverConfig,
        folder: Path,
        *,
        agent: str | None,
        settings: Settings,
        clock: Clock,
        chance: Chance,
        tell: Tell,
    ) -> None:
        self.config = config
        self.agent = agent or self.config.agent
        self.settings = settings
        self.clock = clock
        self.chance = chance
        self.tell = tell
        self._folder = folder.resolve()
        if self.config.state_persistence is not None:
            tell(STATE_IGNORED)

    def observers(self, ends: ObserverOutputs, kinds: Sequence[str] = KINDS) -> list[Observer]:
        """Return the observers of some kinds, in the order of the kinds."""
        made: dict[str, list[Observer]] = {
            "files": [*self.folders(ends.keeper)],
            "git": [*self.repositories(ends.keeper)],
            "processes": [
                LifeObserver(entry, ends.keeper, agent=self.agent, clock=self.clock)
                for entry in self.config.processes
            ],
            "programs": [*self.programs(ends.take)],
            "http": self._endpoints(ends.take),
        }
        return [one for kind in kinds for one in made[kind]]

    def folders(self, keeper: Keeper) -> list[FolderObserver]:
        """Return the observer of the folder, if it has observation points."""
        if not self.config.points():
            return []
        root = self._folder / self.config.root
        return [FolderObserver(self.config, root, keeper, agent=self.agent, clock=self.clock)]

    def repositories(self, keeper: Keeper) -> list[RepositoryObserver]:
        """Return the observers of git repositories."""
        programs = LocalPrograms()
        return [
            RepositoryObserver(
                entry,
                self._folder,
                keeper,
                agent=self.agent,
                programs=programs,
                clock=self.clock,
            )
            for entry in self.config.git
        ]

    def programs(self, take: TakePieces) -> list[ProgramObserver]:
        """Return the observers of programs that speak."""
        return [
            ProgramObserver(
                entry,
                self._taker(take, entry.agent, entry.observer),
                clock=self.clock,
                tell=self.tell,
            )
            for entry in self.config.programs
        ]

    def _endpoints(self, take: TakePieces) -> list[Observer]:
        """Return what listens for services."""
        entry = self.config.http
        if entry is None:
            return []
        from mindpipe.observers.adapters.http import EndpointObserver

        taker = self._taker(take, entry.agent, entry.observer)
        return [
            EndpointObserver(
                entry,
                lambda: self.secret(entry),
                taker,
                clock=self.clock,
                tell=self.tell,
            )
        ]

    def secret(self, entry: Endpoint) -> bytes:
        """Return the secret of an endpoint; raises UnavailableError, RefusedError."""
        from mindpipe.observers.adapters.http import secret_of

        return secret_of(entry, self._folder, os.environ)

    def _taker(self, take: TakePieces, agent: str | None, observer: str) -> LineTaker:
        """Return what checks the lines of one observer."""
        return LineTaker(
            take, bounds=bounds_of(self.settings), agent=agent or self.agent, observer=observer
        )


def config_of(file: Path) -> ObserverConfig:
    """Read a file of observers; raises BadInputError with lines, UnavailableError."""
    return read_config(load_yaml(read_whole(file), source=str(file)), source=str(file))


def printing(keeper: OpenKeeper, hand_over: HandOver) -> Place:
    """Return a place from which everything is handed over, and only what was seen is kept."""

    @contextlib.contextmanager
    def place() -> Iterator[ObserverOutputs]:
        with keeper() as inner:
            yield ObserverOutputs(PrintingKeeper(inner, hand_over), onto_output(hand_over))

    return place


def announcing(place: Place, hand_over: HandOver, report: Callable[[list[Receipt]], None]) -> Place:
    """Return a place from which what was committed is handed over, and reported, as well."""

    @contextlib.contextmanager
    def announced() -> Iterator[ObserverOutputs]:
        with place() as ends:

            def take(pieces: Sequence[Batch], push_rules: PushRules) -> list[Receipt]:
                receipts = ends.take(pieces, push_rules)
                report(receipts)
                return receipts

            yield ObserverOutputs(AnnouncingKeeper(ends.keeper, hand_over), take)

    return announced


def collect(
    around: ObserverContext, ends: ObserverOutputs, kinds: Sequence[str] = ("files", "git")
) -> int:
    """Look once at folders and repositories; return how many events were told."""
    told = 0
    if "files" in kinds:
        told += sum(one.look() for one in around.folders(ends.keeper))
    if "git" in kinds:
        told += sum(one.look() for one in around.repositories(ends.keeper))
    return told


class ObserverThreads:
    """Observers at work, each in a thread of its own, from the beginning of a block to its end.

    Patient ones go on whatever happens to one of them; another one only where there is no room
    or the trouble is passing, and `wait` raises what else went wrong.
    """

    def __init__(
        self, around: ObserverContext, place: Place, *, patient: bool, kinds: Sequence[str] = KINDS
    ) -> None:
        self._around = around
        self._place = place
        self._kinds = kinds
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._wrong: list[BaseException] = []
        self._going_on: tuple[type[Exception], ...] = (
            (Exception,) if patient else (RefusedError, StoreBusyError)
        )
        self._threads = [
            threading.Thread(target=self._observe, args=(at,), name=f"observer-{at}", daemon=True)
            for at in range(_count(around.config, kinds))
        ]

    def __enter__(self) -> "ObserverThreads":
        """Begin."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop one after the other."""
        self._stop.set()
        for thread in reversed(self._threads):
            thread.join()

    def wait(self) -> None:
        """Wait until all have ended by themselves; raises what one of them died of."""
        while any(thread.is_alive() for thread in self._threads) and not self._wrong:
            # A signal that came just before the wait is heard after it.
            self._ended.wait(_TURN_SECONDS)
            self._ended.clear()
            for thread in self._threads:
                thread.join(0 if self._wrong else _LAST_SECONDS)
        if self._wrong:
            raise self._wrong[0]

    def _observe(self, at: int) -> None:
        """Run one observer to its end, again and again where that helps."""
        try:
            self._run_again(at)
        except BaseException as error:
            self._wrong.append(error)
        finally:
            self._ended.set()

    def _run_again(self, at: int) -> None:
        """Run one observer until it ends by itself; rest between failures."""
        failures, said = 0, ""
        while not self._stop.is_set():
            began = self._around.clock.boot().seconds
            try:
                with self._place() as ends:
                    self._around.observers(ends, self._kinds)[at].run(self._stop)
                return
            except self._going_on as error:
                lasted = self._around.clock.boot().seconds - began
                failures = failures_after(failures, lasted=lasted)
                words = str(error) if isinstance(error, MindError) else repr(error)
                if words != said:
                    self._around.tell(words)
                said = words
                self._stop.wait(pause(failures))


_LAST_SECONDS = 0.05
_TURN_SECONDS = 0.5


def _count(config: ObserverConfig, kinds: Sequence[str]) -> int:
    """Return how many observers of some kinds there are."""
    counts = {
        "files": int(bool(config.points())),
        "git": len(config.git),
        "processes": len(config.processes),
        "programs": len(config.programs),
        "http": int(config.http is not None),
    }
    return sum(counts[kind] for kind in kinds)
