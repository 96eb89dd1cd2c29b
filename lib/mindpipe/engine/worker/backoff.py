"""Bear what keeps a worker from living a cycle: wait it out, tell its agent, or let it rest."""

import hashlib

import msgspec

from mindpipe.agents.records import Agent, AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError, ModelBrokenError, TemporaryError
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.ports import NOBODY
from mindpipe.engine.cycle import tickets
from mindpipe.engine.worker import crashes
from mindpipe.engine.worker.phases import Worker
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import MAX_ATTEMPTS
from mindpipe.workers.records import LoopCounts

POLL_SECONDS = 1.0
MOST_ERRORS = 5
MOST_BROKEN = 2 * MAX_ATTEMPTS
"""A model that failed so often in a row fails whatever the event is."""
_LONGEST_REST = 60.0
_SOURCE = "loop"


class WorkerBackoff:
    """What a worker has said, how often it failed in a row, and until when it rests."""

    def __init__(self, worker: Worker, *, patient: bool) -> None:
        self._worker = worker
        self._patient = patient
        self._said = ""
        self._vain = 0
        self._errors = 0
        self._broken = 0
        self._until = worker.clock.boot().seconds
        self._before: Agent | None = None

    def go_on(self, counts: LoopCounts) -> None:
        """Go on from what another loop of the agent had counted."""
        self._vain, self._errors, self._broken = counts.vain, counts.failed, counts.broken
        if counts.rests_until is not None:
            most = self._worker.clock.boot().seconds + _LONGEST_REST
            self._until = min(counts.rests_until, most)

    def counted(self, counts: LoopCounts) -> LoopCounts:
        """Return some counts with what is counted here, for who goes on with the agent."""
        now = self._worker.clock.boot().seconds
        return msgspec.structs.replace(
            counts,
            vain=self._vain,
            failed=self._errors,
            broken=self._broken,
            rests_until=self._until if self._until > now else None,
        )

    def is_paused(self, agent: Agent) -> bool:
        """Tell whether the agent is paused, and say why once; without patience thinking raises."""
        if not self._patient or not agent.paused:
            return False
        self.say(
            f"{agent.name} is paused: {agent.paused}. Run mind agent set {agent.name} "
            "--unset paused."
        )
        return True

    def left(self, agent: Agent) -> float:
        """Return how many seconds of a rest are left; a changed setting ends it."""
        left = self._until - self._worker.clock.boot().seconds
        if left <= 0 or (self._before is not None and agent != self._before):
            self._before = None
            return 0.0
        return left

    def again(self, seconds: float) -> None:
        """Rest after a cycle that was split or has to wait.

        Without patience, where a rest would count as nothing to do, wait here.
        """
        if self._patient:
            self.rest(seconds)
        else:
            self._worker.wait(seconds)

    def end(self) -> None:
        """Note that a cycle was lived."""
        self._said, self._vain, self._errors, self._broken = "", 0, 0, 0

    def bear(self, fault: MindError) -> None:
        """Wait for what passes by itself, or for a person who raises a cap; raises without it."""
        if not self._patient:
            raise fault
        self.say(str(fault))
        passing = isinstance(fault, TemporaryError)
        self._vain = 0 if passing else self._vain + 1
        self.rest(POLL_SECONDS if passing else 2.0**self._vain)

    def bear_broken(self, fault: ModelBrokenError) -> str:
        """Try again after a failure of the model itself; pause the agent where no event helps.

        The tries of one event follow each other at once, so that a bad event stops nobody; from
        then on the rests double. Returns the fault in words; raises it without patience.
        """
        if not self._patient:
            raise fault
        said = str(fault)
        self.say(said)
        self._broken += 1
        if self._broken < MOST_BROKEN:
            more = self._broken - MAX_ATTEMPTS
            self.rest(2.0**more if more > 0 else POLL_SECONDS)
        else:
            last = said.rstrip(".")
            self._pause(f"the model failed {MOST_BROKEN} times in a row, the last: {last}")
            self._broken = 0
        return said

    def fail(self, error: Exception) -> str:
        """Tell the agent of an error, once in this life; the fifth in a row pauses it.

        Returns the error in words; raises it without patience.
        """
        if not self._patient:
            raise error
        said = str(error) if isinstance(error, MindError) else f"{type(error).__name__}: {error}"
        self.say(said)
        if agents.show(self._worker.store, name=self._worker.agent).paused:
            return said
        self._errors += 1
        if self._errors < MOST_ERRORS:
            self._raise_event(said)
            self.rest(2.0**self._errors)
        else:
            self._pause(f"{MOST_ERRORS} errors in a row, the last: {said.rstrip('.')}")
            self._errors = 0
        return said

    def say(self, said: str) -> None:
        """Say why nothing happens, unless it was the last thing said."""
        if said != self._said:
            self._worker.tell(said)
            self._said = said

    def rest(self, seconds: float) -> None:
        """Rest, at most a minute, or until somebody changes the agent's settings."""
        self._before = agents.show(self._worker.store, name=self._worker.agent)
        self._until = self._worker.clock.boot().seconds + min(seconds, _LONGEST_REST)

    def _raise_event(self, said: str) -> None:
        """Push a critical event about an error; the same error is the same event."""
        life = self._worker.life
        key = f"{life.id}:{hashlib.sha256(said.encode()).hexdigest()[:16]}"
        with self._worker.store.write(NOBODY):
            self._worker.deliver(
                [
                    NewEvent(
                        agent=life.agent,
                        source=_SOURCE,
                        key=key,
                        priority=Priority.CRITICAL,
                        text=crashes.of_error(said),
                    )
                ]
            )

    def _pause(self, why: str) -> None:
        """Let the agent rest until a person has looked, with a ticket that says why."""
        worker, name = self._worker, self._worker.agent
        with worker.store.write(name):
            open_one = cycles.open_one(worker.store, agent=name)
            agents.set_(worker.store, name=name, change=AgentChange(paused=why))
            matter = tickets.TicketMatter("escalation", why, open_one.cycle if open_one else 0)
            tickets.open_matter(
                worker.store, worker.clock, worker.chance, agent=name, matter=matter
            )
