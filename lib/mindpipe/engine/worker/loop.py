"""One agent's loop: look, choose a mode, and go through one iteration at a time."""

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.lease import is_held
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import (
    InputOutputError,
    MindError,
    ModelBrokenError,
    ModelBusyError,
    NothingToDoError,
    RecoveryError,
    RefusedError,
    TemporaryError,
)
from mindpipe.core.instants import seconds_between
from mindpipe.core.ports import Clock, Store
from mindpipe.core.records import Record
from mindpipe.decisions.verbs import escalation, settlement
from mindpipe.engine.cycle import tickets
from mindpipe.engine.records.attention import CONSOLIDATION, OTHERS, Attended
from mindpipe.engine.records.journal import CycleReport, EventChoice
from mindpipe.engine.tables import attention as concerns
from mindpipe.engine.worker import checkpoints, timing
from mindpipe.engine.worker import log as worker_log
from mindpipe.engine.worker.backoff import POLL_SECONDS, WorkerBackoff
from mindpipe.engine.worker.checkpoints import CONSOLIDATED
from mindpipe.engine.worker.loop_log import (
    ITERATION,
    MODE,
    IterationEnd,
    ModeQuestion,
    Written,
    change_mode,
    end_iteration,
    into_mode,
    next_mode,
    pace_of,
)
from mindpipe.engine.worker.modes import LoopSituation, attending, idle_until
from mindpipe.engine.worker.phases import Worker
from mindpipe.engine.worker.timing import RATE_WINDOW, LoopPace
from mindpipe.history.verbs import cycles
from mindpipe.inbox.verbs import inbox
from mindpipe.tasks.records import OPEN as UNENDED
from mindpipe.tasks.records import TaskState
from mindpipe.tasks.verbs import task as tasks
from mindpipe.workers.records import Checkpoint, Iteration, LoopCounts, LoopMode


class IterationProgress:
    """An iteration while it goes on: what is known of it so far."""

    def __init__(
        self, worker: Worker, session: Checkpoint, attended: Attended | None, rate: float | None
    ) -> None:
        self._clock = worker.clock
        self.attended = attended or Attended(
            agent=worker.agent,
            at=worker.clock.now(),
            mode=session.mode,
            concern=CONSOLIDATION,
        )
        self.fields: dict[str, object] = {
            "agent": worker.agent,
            "number": session.iteration + 1,
            "life": worker.life.id,
            "at": worker.clock.now(),
            "mode": session.mode,
            "concern": self.attended.concern,
            "queue": self.attended.queue,
            "rate": rate or 0.0,
        }

    @contextlib.contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Measure a phase, also one that fails."""
        began = self._clock.boot().seconds
        try:
            yield
        finally:
            self.took(phase, (self._clock.boot().seconds - began) * 1000)

    def took(self, phase: str, milliseconds: float) -> None:
        """Note how long a phase took."""
        self.fields[phase] = round(milliseconds, 3)

    def iteration(self) -> Iteration:
        """Return the iteration as far as it is known."""
        return msgspec.convert(self.fields, Iteration)


class Arrivals:
    """How many events came in the last seconds; what lay there at first does not count."""

    def __init__(self, store: Store, clock: Clock, agent: str) -> None:
        self._store, self._clock, self._agent = store, clock, agent
        self._last = inbox.arrived(store, agent=agent, after=None)[1]
        self._began = clock.boot().seconds
        self._counted: deque[tuple[float, int]] = deque()
        self.rate: float | None = None

    def count(self) -> None:
        """Count what came since the last time; `rate` is how many a second.

        It is None until the first of them came or the first window has passed.
        """
        now = self._clock.boot().seconds
        came, self._last = inbox.arrived(self._store, agent=self._agent, after=self._last)
        if came:
            self._counted.append((now, came))
        while self._counted and self._counted[0][0] <= now - RATE_WINDOW:
            self._counted.popleft()
        if self._counted or now - self._began >= RATE_WINDOW:
            self.rate = sum(one for _, one in self._counted) / RATE_WINDOW


_LOOK_SECONDS = 5.0
"""How long workers of delegated tasks are let alone by a loop that has nothing else to do."""
ASK_SECONDS = 30.0
"""While nothing waits, an agent is looked at so often although nothing was heard."""
FAR_SECONDS = 3600.0
"""So often one is where whoever looks hears of each change, and nothing of it is under way."""
_ACT_SECONDS = 60.0
_MOST_VAIN = 3
_MOST_SHIFTS = 4
_LONG_AGO = -1e9
_BRIEF = 0.01
PASSING = (RecoveryError, InputOutputError, NothingToDoError, TemporaryError, RefusedError)
"""What ends a life, or is waited out, and is no error of an iteration."""


class QueueGlance(Record):
    """What a look found: what is attended to, and in how many seconds that begins, 0 for now.

    `works` tells that a cycle is to be lived, `acts` that something approved waits, `beat` names
    the rhythm that is due instead.
    """

    seconds: float
    urgent: bool = False
    works: bool = False
    acts: bool = False
    beat: str | None = None
    why: str = ""


class AgentLoop:
    """The loop of one agent: its session, mode and pace between one iteration and the next."""

    def __init__(self, worker: Worker, *, patient: bool, longest: float = ASK_SECONDS) -> None:
        self._worker = worker
        self._patient = patient
        self._longest = longest
        self._patience = WorkerBackoff(worker, patient=patient)
        now = worker.clock.boot().seconds
        self._arrivals = Arrivals(worker.store, worker.clock, worker.agent)
        self.session = self._begun()
        self._mending = worker.mending or self.session.mode is LoopMode.RECOVERY
        self._held = False
        self._obeyed = self._last_order()
        self._lasted = 0
        self._focused = 0
        self._acted = now
        self._vain = 0
        self._seen: Attended | None = None
        self._looked = 0.0
        self._ended = _LONG_AGO
        self.turned = now
        self._active = now - self._idle_before()
        self._saved: Checkpoint | None = self.session if self.session.iteration else None
        self._kept: Checkpoint | None = None
        if (counts := self.session.counts) is not None:
            self._kept = self.session
            self._go_on(counts)

    def _go_on(self, counts: LoopCounts) -> None:
        """Go on from where another loop let the agent go between two iterations."""
        self._lasted, self._focused, self._vain = counts.lasted, counts.focused, counts.looked
        self._patience.go_on(counts)
        passed = seconds_between(self.session.at, self._worker.clock.now())
        self._ended = self._acted = self._now() - max(0.0, passed)
        self.session = msgspec.structs.replace(self.session, counts=None)

    def keep(self) -> bool:
        """Write the session with all that is counted, for who goes on; tell whether it was news."""
        counts = LoopCounts(lasted=self._lasted, focused=self._focused, looked=self._vain)
        session = msgspec.structs.replace(self.session, counts=self._patience.counted(counts))
        if session == self._kept:
            return False
        checkpoints.save_checkpoint(self._worker.store, session)
        self._kept = session
        return True

    def look(self) -> QueueGlance:
        """Look whether something is to be done now, and no later than the next plan comes.

        Only a change of mode is written, and what is planned for now, into the inbox.

        Raises:
            UsageError: the agent is gone.
        """
        planned = self._remind()
        glance = self._look()
        if planned is None or glance.seconds <= planned:
            return glance
        return msgspec.structs.replace(glance, seconds=max(_BRIEF, planned))

    def _remind(self) -> float | None:
        """Bring what is planned into the inbox; return in how many seconds to do so again."""
        try:
            return self._worker.phases.remind()
        except (RecoveryError, InputOutputError):
            raise
        except MindError as fault:
            # The plan stays due, until there is room in the inbox for it.
            self._patience.say(str(fault))
            return POLL_SECONDS

    def _look(self) -> QueueGlance:
        """Look whether something is to be done now; raises UsageError if the agent is gone."""
        worker = self._worker
        agent = agents.show(worker.store, name=worker.agent)
        # Who raises a cap or ends a pause writes into the store, which is heard.
        is_paused = self._patience.is_paused(agent)
        left = self._longest if is_paused else min(self._patience.left(agent), ASK_SECONDS)
        if left > 0:
            return QueueGlance(seconds=left)
        self._arrivals.count()
        if self.is_anothers():
            self._seen = self._nothing()
            return QueueGlance(seconds=0.0, works=True)
        began = self._now()
        is_open = cycles.open_one(worker.store, agent=worker.agent) is not None
        seen = self._attend(is_open=is_open)
        self._seen, self._looked = seen, (self._now() - began) * 1000
        works = is_open or bool(seen.events)
        silent = self._now() - self._acted
        acts = not works and _is_act_due(worker.store, worker.clock, worker.agent, silent=silent)
        if not self._patient and self._vain >= _MOST_VAIN:
            return QueueGlance(seconds=POLL_SECONDS)
        if works or acts:
            urgent = bool(seen.urgent and seen.events) or acts
            hurried = urgent or is_open or self.session.mode is LoopMode.OVERLOAD
            if not hurried and (slow := self._slow_beat(0.0)) is not None:
                return slow
            left = self._pause(seen, urgent=urgent)
            return QueueGlance(seconds=left, urgent=urgent, works=works, acts=acts)
        return self._idle(seen)

    def iterate(self, glance: QueueGlance) -> CycleReport | None:
        """Go through one iteration; return its cycle, if one was lived.

        Raises:
            RecoveryError: the store went into RECOVERY.
            InputOutputError: the disk is full or the store damaged.
            MindError: without patience, whatever the cycle ended with.
        """
        # After a fault its rest is the only pause.
        self._ended = _LONG_AGO
        try:
            if glance.beat is not None:
                self._beat(glance.beat, glance.why)
                return None
            return self._live(glance)
        except (RecoveryError, InputOutputError):
            raise
        except NothingToDoError:
            self._vain += 1
            self._patience.again(POLL_SECONDS)
        except (TemporaryError, RefusedError) as fault:
            self._patience.bear(fault)
        finally:
            self.turned = self._now()
        return None

    def _live(self, glance: QueueGlance) -> CycleReport | None:
        """Go through the phases, and write what came of them; an error is told to the agent."""
        assert self._seen is not None
        made = IterationProgress(self._worker, self.session, self._seen, self._arrivals.rate)
        made.took("observe_ms", self._looked)
        report = None
        try:
            report = self._go_through(made, glance)
        except ModelBrokenError as fault:
            made.fields |= {"error": self._patience.bear_broken(fault), "outcome": "failed"}
        except ModelBusyError as fault:
            self._patience.bear(fault)
            made.fields |= {"error": str(fault), "outcome": "failed"}
        except PASSING:
            raise
        except Exception as error:
            made.fields |= {"error": self._patience.fail(error), "outcome": "failed"}
        else:
            self._patience.end()
            self._vain = 0
        self._close(made)
        if "error" not in made.fields:
            self._ended = self._now()
        return report

    def _go_through(self, made: IterationProgress, glance: QueueGlance) -> CycleReport | None:
        """Think over what is attended to, decide, and act."""
        phases = self._worker.phases
        report = None
        if glance.works:
            with made.timed("think_ms"):
                report = phases.think(EventChoice(only=made.attended.events))
            made.fields |= {
                "cycle": report.cycle,
                "outcome": report.outcome,
                "events": len(report.events),
            }
            self._active = self._now()
        is_late = self._now() - self._acted >= _ACT_SECONDS
        if glance.acts or is_late or (report is not None and report.calls):
            self._acted = self._now()
            with made.timed("decide_ms"):
                judged = phases.decide()
            with made.timed("act_ms"):
                applied = phases.act()
            made.fields |= {
                "decided": judged.decided,
                "confidence": judged.confidence,
                "applied": applied,
            }
        return report

    def _close(self, made: IterationProgress) -> None:
        """Reflect, and write the iteration and what else is due."""
        attended = made.attended
        self._worker.phases.watch(self._end(made, None), attended, self._saved)
        self._lasted += 1
        self._focused = self._focused + 1 if attended.concern == attended.focus else 0

    def _end(self, made: IterationProgress, beat: str | None) -> Iteration:
        """Write an iteration as it ends, and go on from the session after it."""
        worker = self._worker
        ended = IterationEnd(
            iteration=made.iteration(),
            attended=made.attended,
            session=self.session,
            saved=self._mark(),
            rate=self._arrivals.rate,
            beat=beat,
        )
        with worker.recording(
            worker.ports, agent=worker.agent, kind=ITERATION, asked=ended, rules=worker.rules
        ) as ports:
            iteration, written = end_iteration(
                ports, ended, rules=worker.rules, reflect=worker.phases.reflect
            )
        self._stand(written)
        return iteration

    def _mark(self) -> Checkpoint | None:
        """Return what of the last checkpoint says when the next one is due."""
        last = self._saved
        if last is None:
            return None
        return Checkpoint(agent=last.agent, at=last.at, iteration=last.iteration, mode=last.mode)

    def _stand(self, written: Written) -> None:
        """Go on from what was written."""
        self.session = written.session
        if written.saved is written.session:
            self._saved = written.saved

    def _beat(self, beat: str, why: str) -> None:
        """Let a slow rhythm have its turn, which is an iteration without a cycle."""
        worker = self._worker
        made = IterationProgress(worker, self.session, None, self._arrivals.rate)
        made.fields["outcome"] = beat
        try:
            with made.timed("act_ms"):
                doing = worker.phases
                said = doing.consolidate() if beat == CONSOLIDATED else doing.develop()
            worker.note(f"{beat} ({why}): {said or 'nothing new'}.")
        except (RecoveryError, InputOutputError):
            raise
        except Exception as error:
            worker.tell(f"not {beat}: {error}")
            made.fields |= {"error": str(error), "outcome": f"not {beat}"}
        worker.phases.watch(self._end(made, beat), None, self._saved)

    def _begun(self) -> Checkpoint:
        """Return the session of the checkpoint, or one made anew from the log."""
        worker = self._worker
        weight = worker.rules.timing.smoothing
        return checkpoints.restore_checkpoint(
            worker.store, worker.clock, agent=worker.agent, weight=weight
        )

    def _last_order(self) -> str:
        """Return when a person last set the mode, if that was its last change, else nothing."""
        last = worker_log.last_change(self._worker.store, agent=self._worker.agent)
        return last.at if last is not None and last.by == "operator" else ""

    def _idle_before(self) -> float:
        """Return for how many seconds nothing was done when this life began, 0 if not known."""
        active = max(self.session.active, self._obeyed)
        return max(0.0, seconds_between(active, self._worker.clock.now())) if active else 0.0

    def is_anothers(self) -> bool:
        """Tell whether another worker has the agent now, who alone changes its mode then."""
        worker = self._worker
        lease = leases.find(worker.store, agent=worker.agent)
        return lease.owner != worker.life.id and is_held(lease, worker.clock.boot())

    def _nothing(self) -> Attended:
        """Return that nothing is attended to; whoever thinks hears who has the agent."""
        worker, mode = self._worker, self.session.mode
        return Attended(agent=worker.agent, at=worker.clock.now(), mode=mode, concern=OTHERS)

    def _attend(self, *, is_open: bool) -> Attended:
        """Return what is attended to, once no other mode follows."""
        if self._mending and not is_open:
            self._mending = False
            if self.session.mode is not LoopMode.RECOVERY:
                self._shift(self._question(None, crashed=True))
        seen, asked = self._observe()
        for _ in range(_MOST_SHIFTS - 1):
            if asked is None:
                break
            self._shift(asked)
            seen, asked = self._observe()
        if self.session.mode is LoopMode.RECOVERY:
            return msgspec.structs.replace(seen, events=(), marks=(), working=())
        return seen

    def _observe(self) -> tuple[Attended, ModeQuestion | None]:
        """Return what is attended to in the mode of now, and which mode follows, if one does."""
        worker = self._worker
        self._follow()
        session = msgspec.structs.replace(self.session)
        rules = attending(session.mode, worker.rules.modes, held=self._held)
        seen = worker.phases.observe(session, rules)
        asked = self._question(seen)
        follows = next_mode(asked, rules=worker.rules, adjust=worker.phases.adjust)
        return seen, None if follows is None else asked

    def _question(self, seen: Attended | None, *, crashed: bool = False) -> ModeQuestion:
        """Return on what it depends which mode follows."""
        situation = LoopSituation() if seen is None else self._situation(seen)
        return ModeQuestion(
            situation=situation,
            seen=seen,
            session=self.session,
            saved=self._mark(),
            crashed=crashed,
        )

    def _situation(self, seen: Attended) -> LoopSituation:
        """Return what the mode depends on."""
        return LoopSituation(
            queue=seen.queue,
            taken=len(seen.events),
            urgent=seen.urgent,
            relevant=seen.relevant,
            idle_seconds=self._idle_seconds(),
            focused=self._focused,
            lasted=self._lasted,
            mean_seconds=self.session.mean_seconds,
            held=self._held,
            mending=self._mending,
        )

    def _follow(self) -> None:
        """Take over a mode that a person set meanwhile."""
        last = worker_log.last_change(self._worker.store, agent=self._worker.agent)
        self._held = worker_log.is_held(last)
        if last is not None and last.by == "operator" and last.at != self._obeyed:
            self._obeyed, self._active = last.at, self._now()
        if (mode := worker_log.mode_of(last)) is not self.session.mode:
            worker = self._worker
            written = into_mode(worker.ports, self.session, self._saved, mode, rules=worker.rules)
            self._be_in(mode, written)

    def _shift(self, asked: ModeQuestion) -> None:
        """Change the mode, with its record and a checkpoint."""
        worker = self._worker
        with worker.recording(
            worker.ports, agent=worker.agent, kind=MODE, asked=asked, rules=worker.rules
        ) as ports:
            follows, written = change_mode(
                ports, asked, rules=worker.rules, adjust=worker.phases.adjust
            )
        self._be_in(follows.after, written)
        words = f"{worker.agent} goes into {follows.after.value} mode: {follows.reason}."
        worker.note(words)

    def _be_in(self, mode: LoopMode, written: Written) -> None:
        """Count anew what is counted of a mode."""
        self._stand(written)
        self._lasted = 0
        if mode is LoopMode.NORMAL:
            self._focused = 0

    def _pause(self, seen: Attended, *, urgent: bool) -> float:
        """Return how many seconds of the pause are left, by what is known now."""
        drains = self.session.mode is LoopMode.OVERLOAD and bool(seen.events)
        if not self._patient or drains:
            return 0.0
        weight = self._worker.rules.timing.smoothing
        queue = checkpoints.mean(self.session.mean_queue, float(seen.queue), weight=weight)
        now = msgspec.structs.replace(self.session, mean_queue=queue)
        left = self._ended + self._pace(now, urgent=urgent).seconds - self._now()
        return max(0.0, left)

    def _pace(self, session: Checkpoint, *, urgent: bool) -> LoopPace:
        """Return the pause that the formula gives."""
        rate = self._arrivals.rate
        return pace_of(session, rate=rate, urgent=urgent, rules=self._worker.rules)

    def _idle(self, seen: Attended) -> QueueGlance:
        """Return which rhythm is due, or how long nothing is to be done."""
        rules, idle = self._worker.rules, self._idle_seconds()
        if (slow := self._slow_beat(idle)) is not None:
            return slow
        self._worker.phases.rest()
        longest = POLL_SECONDS if seen.queue else self._longest
        if longest > ASK_SECONDS and _is_under_way(self._worker.store, self._worker.agent):
            longest = ASK_SECONDS
        ends = (
            None if self._held else idle_until(self.session.mode, rules.modes),
            timing.idle_until(self.session, rules.rhythms),
        )
        known = [end - idle for end in ends if end is not None]
        due = inbox.next_due(self._worker.store, self._worker.clock, agent=self._worker.agent)
        known += [due] if due is not None else []
        # An instant is known to the second, and a trigger is not to be missed by less.
        triggers = _idle_triggers(self._worker.store, self._worker.agent)
        known += [1.0 + one - idle for one in triggers if 1.0 + one > idle]
        daily = timing.develops_in(self.session, now=self._worker.clock.now(), rules=rules.rhythms)
        known += [daily] if daily is not None else []
        return QueueGlance(seconds=min([longest, *(max(_BRIEF, one) for one in known)]))

    def _slow_beat(self, idle: float) -> QueueGlance | None:
        """Return the slow rhythm that is due after so many idle seconds, or None."""
        now, rules = self._worker.clock.now(), self._worker.rules.rhythms
        due = timing.due(self.session, idle_seconds=idle, now=now, rules=rules)
        return None if due is None else QueueGlance(seconds=0.0, beat=due.beat, why=due.why)

    def _idle_seconds(self) -> float:
        """Return for how long no cycle was lived."""
        return self._now() - self._active

    def _now(self) -> float:
        """Return the boot clock."""
        return self._worker.clock.boot().seconds


class LoopLooks(NamedTuple):
    """What the loops of a process saw: which of them have something to do now, and how long none.

    Where one has, nobody asks for the `seconds`.
    """

    due: Sequence[tuple[QueueGlance, AgentLoop]]
    seconds: float


def _is_act_due(store: Store, clock: Clock, agent: str, *, silent: float) -> bool:
    """Tell whether an agent's act would find something; it asks without writing.

    `silent` are the seconds since the last one: workers of tasks are looked after now and then.
    """
    if tickets.is_due(store, clock, agent=agent) or settlement.is_due(store, agent=agent):
        return True
    if escalation.due(store, clock, agent=agent):
        return True
    states = {one.state for one in tasks.list_(store, agent=agent)}
    if not states.isdisjoint((TaskState.CREATED, TaskState.LOST)):
        return True
    under_way = not states.isdisjoint((TaskState.SENT, TaskState.RUNNING, TaskState.LATE))
    return under_way and silent >= _LOOK_SECONDS


def _is_under_way(store: Store, agent: str) -> bool:
    """Tell whether time alone may make something due of an agent, whose instant nobody knows."""
    if any(one.state in UNENDED for one in tasks.list_(store, agent=agent)):
        return True
    return tickets.may_lapse(store, agent=agent) or escalation.may_be_due(store, agent=agent)


def _idle_triggers(store: Store, agent: str) -> list[float]:
    """Return after how many idle seconds each of an agent's concerns has its turn, if it has."""
    with store.read() as rows:
        known = concerns.concerns_of(rows, agent=agent)
    return [float(one.trigger.idle_seconds) for one in known if one.trigger.idle_seconds]
