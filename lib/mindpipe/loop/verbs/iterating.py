"""One agent's loop: look, choose a mode, and go through one iteration at a time."""

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.lease import is_held
from mindpipe.core.errors import (
    InputOutputError,
    ModelBrokenError,
    ModelBusyError,
    NothingToDoError,
    RecoveryError,
    RefusedError,
    TemporaryError,
)
from mindpipe.core.instants import seconds_between
from mindpipe.core.records import Record
from mindpipe.history.verbs import cycles
from mindpipe.loop import checkpoints, rhythms
from mindpipe.loop.attention_records import OTHERS, Attended
from mindpipe.loop.modes import Shift, Situation, attending, idle_until, shift
from mindpipe.loop.records import Mode, Session
from mindpipe.loop.timing import Load, Pace, pace
from mindpipe.loop.verbs import acting, iterations, moding, sessions
from mindpipe.loop.verbs.arriving import Arrivals
from mindpipe.loop.verbs.bearing import POLL_SECONDS, Patience
from mindpipe.loop.verbs.making import Making
from mindpipe.loop.worker import Worker
from mindpipe.think.records import Choice, CycleReport

ASK_SECONDS = 30.0
"""While nothing waits, an agent is looked at so often although nothing was heard."""
_ACT_SECONDS = 60.0
_MOST_VAIN = 3
_MOST_SHIFTS = 4
_LONG_AGO = -1e9
PASSING = (RecoveryError, InputOutputError, NothingToDoError, TemporaryError, RefusedError)
"""What ends a life, or is waited out, and is no error of an iteration."""
SIGNIFICANT = 7.0
"""From this significance (0-10) on an iteration is worth a checkpoint of its own."""


class Glance(Record):
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

    def __init__(self, worker: Worker, *, patient: bool) -> None:
        self._worker = worker
        self._patient = patient
        self._patience = Patience(worker, patient=patient)
        now = worker.clock.boot().seconds
        self._arrivals = Arrivals(worker.store, worker.clock, worker.agent)
        self.session = self._begun()
        self._mending = worker.mending or self.session.mode is Mode.RECOVERY
        self._held = False
        self._lasted = 0
        self._focused = 0
        self._acted = now
        self._vain = 0
        self._seen: Attended | None = None
        self._looked = 0.0
        self._ended = _LONG_AGO
        self.turned = now
        self._active = now - self._idle_before()
        self._saved: Session | None = self.session if self.session.iteration else None

    def look(self) -> Glance:
        """Look whether something is to be done now; only a change of mode is written.

        Raises:
            UsageError: the agent is gone.
        """
        worker = self._worker
        agent = agents.show(worker.store, name=worker.agent)
        left = POLL_SECONDS if self._patience.is_paused(agent) else self._patience.left(agent)
        if left > 0:
            return Glance(seconds=min(left, POLL_SECONDS))
        self._arrivals.count()
        if self.is_anothers():
            self._seen = self._nothing()
            return Glance(seconds=0.0, works=True)
        began = self._now()
        is_open = cycles.open_one(worker.store, agent=worker.agent) is not None
        seen = self._attend(is_open=is_open)
        self._seen, self._looked = seen, (self._now() - began) * 1000
        works = is_open or bool(seen.events)
        silent = self._now() - self._acted
        acts = not works and acting.is_due(worker.store, worker.clock, worker.agent, silent=silent)
        if not self._patient and self._vain >= _MOST_VAIN:
            return Glance(seconds=POLL_SECONDS)
        if works or acts:
            urgent = bool(seen.urgent and seen.events) or acts
            hurried = urgent or is_open or self.session.mode is Mode.OVERLOAD
            if not hurried and (slow := self._slow_beat(0.0)) is not None:
                return slow
            left = self._pause(seen, urgent=urgent)
            return Glance(seconds=left, urgent=urgent, works=works, acts=acts)
        return self._idle(seen)

    def iterate(self, glance: Glance) -> CycleReport | None:
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

    def _live(self, glance: Glance) -> CycleReport | None:
        """Go through the phases, and write what came of them; an error is told to the agent."""
        assert self._seen is not None
        made = Making(self._worker, self.session, self._seen, self._arrivals.rate)
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

    def _go_through(self, made: Making, glance: Glance) -> CycleReport | None:
        """Think over what is attended to, decide, and act."""
        phases = self._worker.phases
        report = None
        if glance.works:
            with made.timed("think_ms"):
                report = phases.think(Choice(only=made.attended.events))
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

    def _close(self, made: Making) -> None:
        """Reflect, and write the iteration and what else is due, in one transaction."""
        worker, before = self._worker, self.session
        rules = worker.rules
        iteration = made.iteration()
        with worker.store.write():
            with made.timed("reflect_ms"):
                made.fields["significance"] = worker.phases.reflect(
                    iteration, made.attended, before
                )
            after = checkpoints.after(before, made.iteration(), weight=rules.timing.smoothing)
            after = msgspec.structs.replace(after, queue=made.attended.events)
            planned = self._pace(after, urgent=False)
            made.fields["interval_ms"] = round(planned.seconds * 1000)
            iterations.add(worker.store, made.iteration())
            self._keep(after, significant=(made.iteration().significance or 0.0) >= SIGNIFICANT)
        self.session = after
        worker.phases.watch(made.iteration(), made.attended, self._saved)
        self._lasted += 1
        self._focused = self._focused + 1 if made.attended.concern == made.attended.focus else 0

    def _keep(self, session: Session, *, significant: bool = False) -> None:
        """Write a checkpoint where one is due."""
        rules = self._worker.rules
        if checkpoints.is_due(
            session,
            self._saved,
            every=rules.checkpoint_every,
            seconds=rules.checkpoint_seconds,
            significant=significant,
        ):
            sessions.save(self._worker.store, session)
            self._saved = session

    def _beat(self, beat: str, why: str) -> None:
        """Let a slow rhythm have its turn, which is an iteration without a cycle."""
        worker = self._worker
        made = Making(worker, self.session, None, self._arrivals.rate)
        made.fields["outcome"] = beat
        try:
            with made.timed("act_ms"):
                doing = worker.phases
                said = doing.consolidate() if beat == "consolidated" else doing.develop()
            worker.note(f"{beat} ({why}): {said or 'nothing new'}.")
        except (RecoveryError, InputOutputError):
            raise
        except Exception as error:
            worker.tell(f"not {beat}: {error}")
            made.fields |= {"error": str(error), "outcome": f"not {beat}"}
        now = worker.clock.now()
        mark = (
            {"since_consolidation": 0, "consolidated": now}
            if beat == "consolidated"
            else {"developed": now}
        )
        with worker.store.write():
            iterations.add(worker.store, made.iteration())
            after = checkpoints.after(
                self.session, made.iteration(), weight=worker.rules.timing.smoothing
            )
            self.session = msgspec.structs.replace(after, **mark)
            self._keep(self.session, significant=True)
        worker.phases.watch(made.iteration(), None, self._saved)

    def _begun(self) -> Session:
        """Return the session of the checkpoint, or one made anew from the log."""
        worker = self._worker
        weight = worker.rules.timing.smoothing
        return sessions.restore(worker.store, worker.clock, agent=worker.agent, weight=weight)

    def _idle_before(self) -> float:
        """Return for how many seconds nothing was done when this life began, 0 if not known."""
        active = self.session.active
        return max(0.0, seconds_between(active, self._worker.clock.now())) if active else 0.0

    def is_anothers(self) -> bool:
        """Tell whether another worker has the agent now, who alone changes its mode then."""
        worker = self._worker
        lease = agents.lease_of(worker.store, agent=worker.agent)
        return lease.owner != worker.life.id and is_held(lease, worker.clock.boot())

    def _nothing(self) -> Attended:
        """Return that nothing is attended to; whoever thinks hears who has the agent."""
        worker, mode = self._worker, self.session.mode
        return Attended(agent=worker.agent, at=worker.clock.now(), mode=mode, concern=OTHERS)

    def _attend(self, *, is_open: bool) -> Attended:
        """Return what is attended to, once no other mode follows."""
        if self._mending and not is_open:
            self._mending = False
            if self.session.mode is not Mode.RECOVERY:
                self._shift(Mode.RECOVERY, "the life before this one crashed")
        seen, follows = self._observe()
        for _ in range(_MOST_SHIFTS - 1):
            if follows is None:
                break
            self._shift(follows.after, follows.reason)
            seen, follows = self._observe()
        if self.session.mode is Mode.RECOVERY:
            return msgspec.structs.replace(seen, events=(), marks=(), working=())
        return seen

    def _observe(self) -> tuple[Attended, Shift | None]:
        """Return what is attended to in the mode of now, and the mode that follows from it."""
        worker = self._worker
        self._follow()
        session = msgspec.structs.replace(self.session)
        rules = attending(session.mode, worker.rules.modes, held=self._held)
        seen = worker.phases.observe(session, rules)
        follows = shift(session.mode, self._situation(seen), worker.rules.modes)
        return seen, worker.phases.adjust(session, seen, follows)

    def _situation(self, seen: Attended) -> Situation:
        """Return what the mode depends on."""
        return Situation(
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
        last = moding.last(self._worker.store, agent=self._worker.agent)
        self._held = moding.is_held(last)
        if (mode := moding.mode_of(last)) is not self.session.mode:
            self._in_mode(mode)

    def _shift(self, after: Mode, reason: str) -> None:
        """Change the mode, with its record and a checkpoint."""
        worker = self._worker
        with worker.store.write():
            moding.change(
                worker.store,
                worker.clock,
                agent=worker.agent,
                after=after,
                by="loop",
                reason=reason,
            )
            self._in_mode(after)
        worker.note(f"{worker.agent} goes into {after.value} mode: {reason}.")

    def _in_mode(self, mode: Mode) -> None:
        """Be in another mode from now on."""
        self.session = msgspec.structs.replace(self.session, mode=mode, at=self._worker.clock.now())
        self._lasted = 0
        if mode is Mode.NORMAL:
            self._focused = 0
        with self._worker.store.write():
            self._keep(self.session)

    def _pause(self, seen: Attended, *, urgent: bool) -> float:
        """Return how many seconds of the pause are left, by what is known now."""
        drains = self.session.mode is Mode.OVERLOAD and bool(seen.events)
        if not self._patient or drains:
            return 0.0
        weight = self._worker.rules.timing.smoothing
        queue = checkpoints.mean(self.session.mean_queue, float(seen.queue), weight=weight)
        now = msgspec.structs.replace(self.session, mean_queue=queue)
        left = self._ended + self._pace(now, urgent=urgent).seconds - self._now()
        return max(0.0, left)

    def _pace(self, session: Session, *, urgent: bool) -> Pace:
        """Return the pause that the formula gives."""
        load = Load(
            mode=session.mode,
            rate=self._arrivals.rate,
            mean_queue=session.mean_queue,
            mean_seconds=session.mean_seconds,
            urgent=urgent,
        )
        return pace(load, self._worker.rules.timing)

    def _idle(self, seen: Attended) -> Glance:
        """Return which rhythm is due, or how long nothing is to be done."""
        rules, idle = self._worker.rules, self._idle_seconds()
        if (slow := self._slow_beat(idle)) is not None:
            return slow
        self._worker.phases.rest()
        # What is due later, or held by somebody, makes no sound when its time comes.
        longest = POLL_SECONDS if seen.queue else ASK_SECONDS
        ends = (
            idle_until(self.session.mode, rules.modes),
            rhythms.idle_until(self.session, rules.rhythms),
        )
        known = [max(0.01, end - idle) for end in ends if end is not None]
        return Glance(seconds=min([longest, *known]))

    def _slow_beat(self, idle: float) -> Glance | None:
        """Return the slow rhythm that is due after so many idle seconds, or None."""
        now, rules = self._worker.clock.now(), self._worker.rules.rhythms
        due = rhythms.due(self.session, idle_seconds=idle, now=now, rules=rules)
        return None if due is None else Glance(seconds=0.0, beat=due.beat, why=due.why)

    def _idle_seconds(self) -> float:
        """Return for how long no cycle was lived."""
        return self._now() - self._active

    def _now(self) -> float:
        """Return the boot clock."""
        return self._worker.clock.boot().seconds
