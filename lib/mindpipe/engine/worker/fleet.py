"""A fleet's worker: it takes any agent that is due, runs its iterations, and releases it.

No worker stays with an agent that has nothing to do. A released agent is stored with the instant at
which to look at it next, and the last change that was known of it. Agents are due whose instant has
come or that have changed since, and one query finds them all. So an idle fleet costs one query per
worker, however many agents it has, and any worker may take an agent next.
"""

import contextlib
import os
from collections.abc import Callable, Sequence

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import (
    InputOutputError,
    MindError,
    RecoveryError,
    RefusedError,
    TemporaryError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.ports import Clock
from mindpipe.engine.worker import crashes
from mindpipe.engine.worker.backoff import POLL_SECONDS
from mindpipe.engine.worker.loop import ASK_SECONDS, FAR_SECONDS, AgentLoop, LoopLooks, QueueGlance
from mindpipe.engine.worker.phases import Worker
from mindpipe.store import next_looks
from mindpipe.store.engine import EngineStore
from mindpipe.store.move_mark import require_not_left
from mindpipe.store.worker_sessions import is_any_lost, is_own
from mindpipe.workers import verbs as workers

STAYS_SECONDS = 10.0
"""An agent is kept through a pause of so many seconds at most, unless another one is due."""
LOST_SECONDS = 5.0
"""While any agent has a worker, lost workers are looked for so often."""
_KNOWN_SECONDS = 1.0
_APART = 16
"""Workers that all found the same agents due spread over the first so many of them."""


class FleetPorts(msgspec.Struct, frozen=True, kw_only=True):
    """The ports of a worker of a fleet.

    `take` begins a session with an agent, None where another worker has it by now; `let_go` forgets
    one whose row is gone or closed. `pass_on` wakes another process of this machine, as more is
    due. `recover` puts right what lost workers left. `check` raises when the process has to end,
    `wait` returns when the store may have changed.
    """

    store: EngineStore
    clock: Clock
    check: Callable[[], None]
    wait: Callable[[float], None]
    tell: Callable[[str], None]
    take: Callable[[str], Worker | None]
    let_go: Callable[[Worker], None]
    pass_on: Callable[[], None]
    recover: Callable[[], object]


class _Held(msgspec.Struct):
    """The agent that was taken, and its loop once that has begun."""

    worker: Worker
    loop: AgentLoop | None = None

    def begun(self, *, patient: bool) -> AgentLoop:
        """Return the loop; it begins with what the worker before left."""
        if self.loop is None:
            with self.worker.store.read():
                self.loop = AgentLoop(self.worker, patient=patient, longest=FAR_SECONDS)
        return self.loop


class _Unable(msgspec.Struct, frozen=True):
    """An agent that cannot run here: its last known change, and until when it is left alone."""

    position: int
    until: float


class Fleet:
    """A worker for all agents whose names match some patterns; it holds one at a time."""

    def __init__(self, ports: FleetPorts, *, patterns: Sequence[str], patient: bool) -> None:
        self._ports, self._patterns, self._patient = ports, patterns, patient
        self.clock, self.wait, self.tell = ports.clock, ports.wait, ports.tell
        self.pid = os.getpid()
        self._held: _Held | None = None
        self._due: list[str] = []
        self._unable: dict[str, _Unable] = {}
        self._asked = self._sought = -FAR_SECONDS
        self._missed = 0
        self._said = ""

    def check(self) -> None:
        """Raise when the process has to end; obey commands of the operator to the agent held."""
        self._ports.check()
        if self._held is not None:
            # A server that is away is waited for by the next look.
            with contextlib.suppress(TemporaryError):
                self._held.worker.check()

    def looks(self) -> LoopLooks:
        """Look at the agent held, and take another that is due where that one has nothing to do.

        A server that is away is waited for; an agent that moved to another store is left alone.
        """
        try:
            self._seek_lost()
            found = self._looks()
        except TemporaryError as fault:
            if not self._patient:
                raise
            self._say(str(fault))
            return LoopLooks((), POLL_SECONDS)
        except (RefusedError, UsageError) as fault:
            if self._held is None:
                raise
            self._say(str(fault))
            name = self._held.worker.agent
            known = next_looks.position(self._ports.store, agent=name)
            self.leave()
            self._leave_alone(name, known)
            return LoopLooks((), POLL_SECONDS)
        self._said = ""
        return found

    def passes_over(self, fault: MindError) -> bool:
        """Leave the agent that failed and go on with others; False where they would fail, too."""
        if self._held is None or isinstance(fault, (InputOutputError, RecoveryError)):
            return False
        name = self._held.worker.agent
        self.leave()
        self._leave_alone(name, next_looks.position(self._ports.store, agent=name))
        return True

    def leave(self) -> None:
        """Release the agent held at once, its session ended clean; the next worker looks at it."""
        held, self._held = self._held, None
        if held is None:
            return
        store, life = self._ports.store, held.worker.life
        try:
            if workers.is_running(store, run=life):
                # Where it cannot be written, the next session begins from the log.
                with contextlib.suppress(RefusedError, UsageError):
                    if held.loop is not None:
                        held.loop.keep()
                workers.end(store, self.clock, run=life)
        except MindError as fault:
            # The row stays running, and the next worker recovers.
            self._say(str(fault))
        self._ports.let_go(held.worker)

    def _looks(self) -> LoopLooks:
        while True:
            held, glance, known = self._mine(), None, 0
            if held is not None:
                known = next_looks.position(self._ports.store, agent=held.worker.agent)
                loop = held.begun(patient=self._patient)
                glance = loop.look()
                if glance.seconds <= 0:
                    return LoopLooks([(glance, loop)], 0.0)
            name = self._next()
            if held is not None and glance is not None:
                if name is None and glance.seconds <= STAYS_SECONDS:
                    return LoopLooks((), self._seconds(glance))
                if not self._let_go(held, glance, known):
                    continue
            if name is None:
                return LoopLooks((), self._seconds(None))
            self._take(name)

    def _mine(self) -> _Held | None:
        """Return the agent held, if its session still runs: others may have taken it for lost."""
        held = self._held
        if held is not None and not workers.is_running(self._ports.store, run=held.worker.life):
            held.worker.tell(f"another worker has {held.worker.agent} by now.")
            self._drop(held)
        return self._held

    def _drop(self, held: _Held) -> None:
        self._held = None
        self._ports.let_go(held.worker)

    def _let_go(self, held: _Held, glance: QueueGlance, known: int) -> bool:
        """Release an agent, unless it has changed since the look; tell whether it was released."""
        life = held.worker.life
        seconds = glance.seconds
        changes = 1 if held.begun(patient=self._patient).keep() else 0
        store = self._ports.store
        if not next_looks.let_go(
            store, self.clock, run=life, known=known, changes=changes, seconds=seconds
        ):
            return False
        self._drop(held)
        return True

    def _next(self) -> str | None:
        """Return an agent that is due and free, or None; each is offered once per query."""
        now = self.clock.boot().seconds
        if not self._due or now - self._asked > _KNOWN_SECONDS:
            store = self._ports.store
            due = next_looks.to_look_at(store, self.clock, patterns=self._patterns)
            self._due = self._able(due, now)
            self._asked, self._missed = now, 0
        if not self._due:
            return None
        # Whoever came too late for one would come too late for the next as well.
        place = self.pid % min(len(self._due), _APART) if self._missed else 0
        return self._due.pop(place)

    def _take(self, name: str) -> None:
        """Take an agent, if it is still free; one that cannot run here is looked at later."""
        store = self._ports.store
        with store.read():
            known = next_looks.position(store, agent=name)
            is_lived = workers.is_lived(store, agent=name)
            left = 0.0 if is_lived else crashes.rest_left(store, self.clock, agent=name)
        if is_lived:
            self._missed += 1
            return
        try:
            if left > 0:
                self.tell(f"{name} crashed again at the same place; it rests {left:.0f} s.")
                self._put_off(name, known, left)
                return
            worker = self._ports.take(name)
        except (RecoveryError, InputOutputError, TemporaryError):
            raise
        except (RefusedError, UnavailableError, UsageError) as fault:
            self._say(str(fault))
            self._leave_alone(name, known)
            return
        if worker is None:
            self._missed += 1
            return
        # Whatever fails from here on, it is known who is held.
        self._held = _Held(worker)
        if self._due:
            self._ports.pass_on()

    def _able(self, due: Sequence[str], now: float) -> list[str]:
        """Return the agents but those that could not run here and have not changed since."""
        unable = [name for name in due if self._unable.get(name, _Unable(0, now)).until > now]
        if not unable:
            return list(due)
        known = next_looks.positions(self._ports.store, agents=unable)
        same = {name for name in unable if known.get(name) == self._unable[name].position}
        return [name for name in due if name not in same]

    def _leave_alone(self, name: str, known: int) -> None:
        """Try an agent that cannot run again when it changes, or much later.

        For one that moved to another store that holds for all workers. A key, program or extra that
        its model lacks here may be on another machine, whose workers are to find it due.
        """
        if agents.away_since(self._ports.store, name=name) is not None:
            self._put_off(name, known, FAR_SECONDS)
        else:
            self._unable[name] = _Unable(known, self.clock.boot().seconds + FAR_SECONDS)

    def _put_off(self, agent: str, known: int, seconds: float) -> None:
        """Let an agent be looked at later, unless it changes from what was known of it."""
        store = self._ports.store
        next_looks.put_off(store, self.clock, agent=agent, known=known, seconds=seconds)

    def _seek_lost(self) -> None:
        """Recover the agents of lost workers, so that others may take them.

        Sessions that this process began or ended without an answer to the commit are ended, too.
        """
        now = self.clock.boot().seconds
        if now - self._sought >= LOST_SECONDS:
            self._sought = now
            store = self._ports.store
            running = workers.running(store)
            held = None if self._held is None else self._held.worker.life.id
            for life in running:
                if life.id != held and is_own(life, self.clock):
                    workers.end(store, self.clock, run=life)
            if is_any_lost(store, running, self.clock):
                self._ports.recover()

    def _seconds(self, glance: QueueGlance | None) -> float:
        """Return for how many seconds nothing is to be done, as far as is known.

        In a store that has moved that is for ever, and no push would wake it.

        Raises:
            RefusedError: the store has moved.
        """
        store = self._ports.store
        with store.read():
            require_not_left(store)
            coming = next_looks.next_look_in(store, self.clock, patterns=self._patterns)
            is_any_lived = bool(workers.running(store))
        known = [ASK_SECONDS] if coming is None else [ASK_SECONDS, max(0.0, coming)]
        known += [LOST_SECONDS] if is_any_lived else []
        return min([*known, glance.seconds] if glance is not None else known)

    def _say(self, words: str) -> None:
        """Say why something is not done, unless it was the last thing said."""
        if words != self._said:
            self._said = words
            self.tell(words)
