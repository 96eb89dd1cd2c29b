"""A life that delegates to programs, whose workers are processes that may die at any failpoint."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mindpipe.core.errors import FencedError
from mindpipe.engine.records.journal import Ticket
from mindpipe.engine.records.phases import Acted
from mindpipe.engine.verbs import act
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.engine.worker import delegation
from mindpipe.engine.worker.delegation import Delegation
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.tasks.records import Identity, NewTask, Report, Task, TaskState
from mindpipe.tasks.verbs import task as tasks
from support.decisions import Deciding
from support.life import AGENT, LEASE, KilledError, MortalStore

HEARTBEAT = 300.0
SUM = "program:/bin/sum"


@dataclass
class Staff:
    """Workers that were started and have not taken their task up, and those that live."""

    waiting: list[Task] = field(default_factory=list)
    programs: dict[str, str] = field(default_factory=dict)
    living: set[int] = field(default_factory=set)
    count: int = 0

    def is_program(self, to: str) -> bool:
        """Tell whether a task's `to` means a program."""
        return to.startswith("program:")

    def program_of(self, to: str) -> str | None:
        """Return the program that `to` means."""
        return self.programs.get(to, to.removeprefix("program:"))

    def start(self, task: Task) -> None:
        """Start a process that will take the task up."""
        self.waiting.append(task)

    def lives(self, worker: Identity) -> bool:
        """Tell whether a process is there."""
        return worker.pid in self.living

    def heard_since(self) -> str:
        """Return since when they can be heard: always, as the store was never away."""
        return ""

    def next(self) -> tuple[Task, Identity]:
        """Return a task and the process that was started for it."""
        self.count += 1
        self.living.add(self.count)
        return self.waiting.pop(0), Identity(pid=self.count, born="b", boot="boot")


class Tasking(Deciding):
    """A life whose agent delegates; `effects` are the keys under which work was done outside."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.staff = Staff()
        self.delegation = Delegation(self.staff, HEARTBEAT)
        self.effects: list[str] = []
        self.begun_from: list[dict[str, object] | None] = []

    def add(self, to: str = SUM, **fields: object) -> str:
        """Delegate a task; return its id."""
        origin = tasks.TaskOrigin(sources=fields.pop("sources", ()))
        new = NewTask(text="Add up.", to=to, **fields)
        with self.open() as store:
            return tasks.add(store, self.clock, self.chance, agent=AGENT, new=new, origin=origin).id

    def task(self, task: str) -> Task:
        """Return a task as it is now."""
        with self.open() as store:
            return tasks.show(store, task=task)

    @contextlib.contextmanager
    def _dying(self, dies: tuple[str, int] | None) -> Iterator[MortalStore]:
        with self.open() as store, self._failing(store, dies, None):
            try:
                yield store
            except KilledError:
                self.clock.pass_time(LEASE)
                raise

    def act(self, *, dies: tuple[str, int] | None = None) -> Acted:
        """Let the loop act."""
        with self._dying(dies) as store:
            deps = self.dependencies(store, self.model)
            return act.act(deps, agent=AGENT, rules=self.rules, delegation=self.delegation)

    def recover(self, *, dies: tuple[str, int] | None = None) -> list[Task]:
        """Let a loop start after a crash."""
        with self._dying(dies) as store:
            deps = self.dependencies(store, self.model)
            return delegation.recover(deps, self.delegation, agent=AGENT)

    def send_again(self, task: str) -> Task:
        """Let a person send a task again."""
        with self.open() as store:
            deps = self.dependencies(store, self.model)
            return delegation.send_again(deps, self.delegation, task=task)

    def ticket_of(self, task: str) -> Ticket:
        """Return the ticket of a task."""
        with self.open() as store:
            return tickets.show(store, self.clock, ticket=str(self.task(task).ticket))

    def approve_task(self, task: str, *, sha256: str | None = None, **how: object) -> None:
        """Let a person approve a task that is held."""
        ticket = self.ticket_of(task)
        with self.open() as store:
            deliver = deliverer(store, self.clock, self.chance, bounds=Bounds())
            tickets.approve(
                store,
                self.clock,
                deliver,
                ticket=ticket.id,
                sha256=str(ticket.sha256) if sha256 is None else sha256,
                verdict=tickets.TicketVerdict("husam"),
                **how,
            )

    def deny_task(self, task: str) -> None:
        """Let a person deny a task that is held."""
        verdict = tickets.TicketVerdict("husam", "No.")
        ticket = self.ticket_of(task).id
        with self.open() as store:
            deliver = deliverer(store, self.clock, self.chance, bounds=Bounds())
            tickets.deny(store, self.clock, deliver, ticket=ticket, verdict=verdict)

    def work(
        self, *reports: Report, killed: bool = False, dies: tuple[str, int] | None = None
    ) -> None:
        """Let the worker that was started first take its task up and work.

        It does something outside under the task's key, says `reports` (of none, the result), and
        ends; one that is `killed` dies before its last report, or at a failpoint (`dies`).
        """
        task, me = self.staff.next()
        said = reports or (Report(progress=0.6, checkpoint={"at": 6}), Report(result="42"))
        try:
            with self.open() as store, self._failing(store, dies, None):
                deliver = deliverer(store, self.clock, self.chance, bounds=Bounds())
                found = tasks.begin(store, self.clock, task=task.id, sends=task.sends, worker=me)
                self.begun_from.append(found.checkpoint)
                self.effects.append(found.key)
                for one in said[:-1]:
                    tasks.heard(
                        store, self.clock, deliver, task=task.id, sends=task.sends, report=one
                    )
                if not killed:
                    tasks.end(
                        store, self.clock, deliver, task=task.id, sends=task.sends, report=said[-1]
                    )
        except (KilledError, FencedError):
            self.staff.living.discard(me.pid)
            raise
        self.staff.living.discard(me.pid)

    def silent(self) -> Identity:
        """Let the worker that was started first take its task up and say nothing any more."""
        task, me = self.staff.next()
        with self.open() as store:
            tasks.begin(store, self.clock, task=task.id, sends=task.sends, worker=me)
        return me

    def ownerless(self) -> list[Task]:
        """Return the open tasks that no process works on or is about to, and no person looks at."""
        with self.open() as store:
            return [one for one in tasks.list_(store, agent=AGENT) if not self._has_owner(one)]

    def _has_owner(self, task: Task) -> bool:
        if task.state is TaskState.ESCALATED:
            found = self.value(f"SELECT state FROM ticket WHERE id='{task.ticket}'")
            return found in ("open", "pending") and self.heard_of(task.id)[-1] == "escalated"
        started = any((one.id, one.sends) == (task.id, task.sends) for one in self.staff.waiting)
        return started or (task.worker is not None and self.staff.lives(task.worker))

    def heard_of(self, task: str) -> list[str]:
        """Return the states of a task that its agent heard of, by the events it got."""
        found = self.rows(
            f"SELECT key FROM event WHERE agent='{AGENT}' AND source='task' "
            f"AND key LIKE '{task}:%' ORDER BY seq"
        )
        return [key.split(":")[1] for (key,) in found]
