"""Put together what a worker thinks with."""

import contextlib
import functools
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.agents.records import Agent, ContextStyle
from mindpipe.context.recollecting.records import Lately
from mindpipe.context.records import Knowledge
from mindpipe.core.errors import FencedError, MindError
from mindpipe.core.ports import Chance, Clock, Model, Preview, Store
from mindpipe.knowledge.records import Observation
from mindpipe.knowledge.rules import rules_of
from mindpipe.recall.indexes.telling import FilesOf, no_files
from mindpipe.spending.records import Caps
from mindpipe.stream.programs import LocalPrograms
from mindpipe.think.approval import HOURS
from mindpipe.think.means import Means
from mindpipe.wiring.allocating import allocations_of
from mindpipe.wiring.delegating import programs_of
from mindpipe.wiring.files_at_hand import FilesAtHand
from mindpipe.wiring.heartbeat import INTERVAL_SECONDS, beating
from mindpipe.wiring.inboxes import announce_to
from mindpipe.wiring.models import ModelShop
from mindpipe.wiring.settings import Settings
from mindpipe.wiring.stores import open_store

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore

_NO_FILE = ":memory:"


class Models(NamedTuple):
    """Whom a worker asks, and whom where that one is failing."""

    model: Model
    fallback: Model | None


class Workshop:
    """What workers share: settings, environment, clock and chance."""

    def __init__(
        self,
        *,
        settings: Settings,
        environment: Mapping[str, str],
        clock: Clock,
        chance: Chance,
    ) -> None:
        self.settings = settings
        self.environment = environment
        self.clock = clock
        self.chance = chance
        self._models = ModelShop(settings=settings, environment=environment, clock=clock)
        self.tokens = self._models.tokens
        self._at_hand: FilesAtHand | None = None

    def models(self, name: str | None, *, agent: Agent, record: Path | None) -> Models:
        """Return the model that is asked for alone, or the agent's own or the configured one.

        The agent's fallback stands beside these, unless it is the same.
        """
        model = self._models.model(name or agent.model, record=record)
        if name or not agent.fallback:
            return Models(model, None)
        other = self._models.model(agent.fallback, record=record)
        return Models(model, None if other.target == model.target else other)

    def means(
        self,
        store: "SqliteStore",
        models: Models,
        agent: Agent,
        preview: Preview | None,
        *,
        tell: Callable[[str], None],
        cycle_micros: int | None = None,
    ) -> Means:
        """Return what one worker needs; `cycle_micros` may lower the cap of its cycle."""
        lease = float(self.settings.text("inbox.lease_seconds") or 60.0)
        return Means(
            store=store,
            clock=self.clock,
            chance=self.chance,
            tokens=self.tokens,
            knowledge=self.knowledge(),
            programs=LocalPrograms(),
            model=models.model,
            fallback=models.fallback,
            embedder=self._models.embedder(),
            deliver=announce_to(store, self.clock, self.chance, self.settings),
            prices=self._models.prices(),
            keep_alive=functools.partial(_keep_alive, store.path, lease / 3),
            owner=f"{os.getpid()}-{secrets.token_hex(8)}",
            lease=lease,
            caps=self._caps(agent, cycle_micros),
            preview=preview,
            tell=tell,
            environment=self._without_keys(),
            trust=tuple((self.settings.text("security.trust") or "").replace(",", " ").split()),
            approval_hours=float(self.settings.text("approvals.hours") or HOURS),
            style=msgspec.convert(self.settings.text("context.style"), ContextStyle),
            space_messages=self.settings.whole("context.space_messages"),
            wait_seconds=self.settings.real("context.wait_seconds"),
            budget=allocations_of(self.settings),
            lately=_lately,
            max_depth=self.settings.whole("context.max_chain_depth"),
            workers=tuple(programs_of(self.settings)),
            lasting=str(store.path) != _NO_FILE,
            files=self._files(tell),
        )

    def _files(self, tell: Callable[[str], None]) -> FilesOf:
        """Return what answers from files, if an index leads to some."""
        index = self.settings.text("recall.index")
        if not index:
            return no_files
        if self._at_hand is None:
            self._at_hand = FilesAtHand(index, tell=tell)
        return self._at_hand

    def knowledge(self, given: tuple[Observation, ...] | None = None) -> Knowledge:
        """Return the rules of what is held true, and all of that where it is given."""
        rules = rules_of(
            slots=self.settings.text("knowledge.slots"),
            windows=self.settings.text("knowledge.windows"),
        )
        return Knowledge(rules, given)

    def _without_keys(self) -> dict[str, str]:
        """Return what of the environment a tool may be given, if its manifest names it."""
        keys = self._models.key_variables()
        return {name: value for name, value in self.environment.items() if name not in keys}

    def _caps(self, agent: Agent, cycle_micros: int | None) -> Caps:
        """Return the caps of settings, agent and command, whichever is lowest."""
        number = self.settings.number
        return Caps(
            call=number("caps.call_micros"),
            cycle=_lower(number("caps.cycle_micros"), agent.cycle_micros, cycle_micros),
            purpose_day=number("caps.think_day_micros"),
            agent_day=_lower(number("caps.agent_day_micros"), agent.day_micros),
            store_day=number("caps.store_day_micros"),
        )


def _lower(*caps: int | None) -> int | None:
    """Return the lowest of caps, of which each may be missing."""
    given = [cap for cap in caps if cap is not None]
    return min(given) if given else None


def _lately(store: Store, agent: str) -> Lately:
    """Return what the loop knows of an agent; only a timeline asks, so nothing is loaded before."""
    from mindpipe.wiring.lately import lately_of

    return lately_of(store, agent)


@contextlib.contextmanager
def _keep_alive(
    path: Path, interval: float, renew: Callable[[Store], None], seconds: float
) -> Iterator[None]:
    """Renew a lease from a thread with a connection of its own.

    Only one who was fenced stops; a store that is busy once is asked again at the next beat.
    """
    if str(path) == _NO_FILE:
        yield
        return

    def beat() -> bool:
        try:
            store = open_store(path)
            try:
                renew(store)
            finally:
                store.close()
        except FencedError:
            return False
        except MindError:
            return True
        return True

    with beating(beat, interval=min(interval, INTERVAL_SECONDS), seconds=seconds):
        yield
