"""Random orders of the real verbs on a real store, each step held against the model."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import lease as leases
from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import MindError
from mindpipe.core.events import NewEvent
from mindpipe.core.models import Usage
from mindpipe.inbox.records import Bounds, Release
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import deliverer, push_events
from mindpipe.io.chance import make_chance
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, NewSpaceEntity
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import Caps, NewLedgerEntry, Settlement
from mindpipe.store.access import open_where
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock
from support.model_check.model import Model
from support.server_stores import ON_SERVER, copy_at, make_at, where_at

Rule = Callable[..., Any]
AGENT, SPACE = "ava", "home"
CAP = 100
_OWNERS = st.sampled_from(("one", "two"))
_PLACES = st.integers(0, 7)
_SECONDS = st.sampled_from((5.0, 20.0, 60.0))
_EPOCHS = st.sampled_from((0, 0, 0, -1))
EVERYTHING = "all"
# A life that does everything seldom does one thing after the other, so most keep to one part.
FOCI = (EVERYTHING, "inbox", "inbox", "lease", "money", "posts", "plans", "notes")


def _about(part: str) -> Callable[[Rule], Rule]:
    """Let a rule be used only in lives that are about this part, or about everything."""
    return precondition(lambda self: self.focus in {EVERYTHING, part})


def seen(act: Callable[[], object]) -> object:
    """Return what a call gives, or the name of the error that it raises."""
    try:
        return act()
    except (MindError, BrokenPipeError) as error:
        return type(error).__name__


def make_template(folder: Path) -> Path:
    """Make a store with one agent in one space; it is copied for every run."""
    clock, chance = FixedClock(), make_chance(7)
    path = folder / "template.db"
    with contextlib.closing(make_at(path, clock, chance)) as store:
        agents.new(store, clock, chance, name=AGENT)
        spaces.new(store, clock, name=SPACE)
        spaces.join(store, clock, chance, space=SPACE, who=NewSpaceEntity(name=AGENT, kind="agent"))
    return path


class Machine(RuleBasedStateMachine):
    """One store and its model; `template`, `bug` and `foci` are set by the tests."""

    template: Path
    bug = ""
    foci = FOCI
    focus = EVERYTHING

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(dir=self.template.parent)
        path = Path(self._folder.name) / "mind.db"
        if ON_SERVER:
            copy_at(self.template, path)
        else:
            shutil.copy(self.template, path)
            path.chmod(0o600)
        self.store = open_where(where_at(path))
        if isinstance(self.store, SqliteStore):
            self.store.connection.execute("PRAGMA synchronous=OFF")
        self.clock, self.chance = FixedClock(), make_chance(11)
        self.model = Model(bug=self.bug)
        self.numbers = iter(range(1, 1_000_000))
        self.goals: list[str] = []

    def teardown(self) -> None:
        """Take the store away."""
        self.store.close()
        self._folder.cleanup()

    @initialize(drawn=st.integers(0, len(FOCI) - 1))
    def begin(self, drawn: int) -> None:
        """Choose what this life is about."""
        self.focus = self.foci[drawn % len(self.foci)]

    @rule(seconds=st.sampled_from((1.0, 6.0, 25.0, 70.0)))
    def time_passes(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.pass_time(seconds)
        self.model.now += seconds

    @_about("inbox")
    @rule(key=st.sampled_from((None, "k1", "k2")), text=st.sampled_from("ab"), first=st.booleans())
    def push(self, key: str | None, text: str, first: bool) -> None:  # noqa: FBT001 - drawn
        """Push one event."""
        priority = 1 if first else 3
        event = NewEvent(agent=AGENT, type="service", text=text, key=key, priority=priority)
        found = seen(
            lambda: push_events(
                self.store, self.clock, self.chance, events=[event], bounds=Bounds()
            )[0]
        )
        receipt_id = found if isinstance(found, str) else getattr(found, "id", "")
        told = self.model.push(text, key, priority, receipt_id)
        assert (found if isinstance(found, str) else getattr(found, "duplicate", "")) == told

    @_about("inbox")
    @rule(limit=st.integers(1, 3), seconds=_SECONDS)
    def claim(self, limit: int, seconds: float) -> None:
        """Claim some."""
        taken = inbox.claim(
            self.store, self.clock, agent=AGENT, owner="w", limit=limit, seconds=seconds
        )
        assert [one.id for one in taken] == self.model.claim(limit, seconds)

    def _event(self, place: int, stale: int) -> tuple[int, str, int]:
        """Return an event, the one that is held most of the time, and an epoch of it."""
        held = [n for n, one in enumerate(self.model.events) if one.state == "leased"]
        chosen = held[place % len(held)] if held and place < 6 else place % len(self.model.events)
        event = self.model.events[chosen]
        return chosen, event.id, event.epoch + stale

    @precondition(lambda self: self.model.events)
    @_about("inbox")
    @rule(place=_PLACES, stale=_EPOCHS)
    def ack(self, place: int, stale: int) -> None:
        """Acknowledge one."""
        at, name, epoch = self._event(place, stale)
        found = seen(lambda: inbox.ack(self.store, id=name, epoch=epoch).state.value)
        assert found == self.model.ack(at, epoch)

    @precondition(lambda self: self.model.events)
    @_about("inbox")
    @rule(place=_PLACES, stale=_EPOCHS, clean=st.booleans(), wait=st.sampled_from((None, 5.0)))
    def release(
        self,
        place: int,
        stale: int,
        clean: bool,  # noqa: FBT001 - drawn
        wait: float | None,
    ) -> None:
        """Give one back."""
        at, name, epoch = self._event(place, stale)
        how = Release(reason="r", clean=clean, wait=wait if clean else 5.0)
        found = seen(
            lambda: (
                inbox.release(
                    self.store, self.clock, self.chance, id=name, epoch=epoch, how=how
                ).state.value
            )
        )
        assert found == self.model.release(at, epoch, clean=clean, wait=how.wait)

    @precondition(lambda self: self.model.events)
    @_about("inbox")
    @rule(place=_PLACES, stale=_EPOCHS, seconds=_SECONDS)
    def extend(self, place: int, stale: int, seconds: float) -> None:
        """Hold one longer."""
        at, name, epoch = self._event(place, stale)
        found = seen(
            lambda: (
                inbox.extend(
                    self.store, self.clock, id=name, epoch=epoch, seconds=seconds
                ).state.value
            )
        )
        assert found == self.model.extend(at, epoch, seconds)

    @precondition(lambda self: self.model.events)
    @_about("inbox")
    @rule(place=_PLACES, stale=st.sampled_from((0, -1, None)))
    def die(self, place: int, stale: int | None) -> None:
        """Let one die."""
        at, name, held = self._event(place, stale or 0)
        epoch = None if stale is None else held
        found = seen(lambda: inbox.dead(self.store, id=name, reason="r", epoch=epoch).state.value)
        assert found == self.model.dead(at, epoch)

    @_about("inbox")
    @rule()
    def redrive(self) -> None:
        """Bring the dead back."""
        assert len(inbox.redrive(self.store, agent=AGENT)) == self.model.redrive()

    @_about("lease")
    @rule(owner=_OWNERS, seconds=_SECONDS)
    def acquire(self, owner: str, seconds: float) -> None:
        """Take the agent."""
        found = seen(
            lambda: leases.acquire(
                self.store, self.clock, agent=AGENT, owner=owner, seconds=seconds
            )
        )
        assert found == self.model.acquire(owner, seconds)

    @_about("lease")
    @rule(owner=_OWNERS, stale=_EPOCHS, seconds=_SECONDS)
    def renew(self, owner: str, stale: int, seconds: float) -> None:
        """Hold the agent longer."""
        epoch = self.model.epoch + stale
        found = seen(
            lambda: leases.renew(
                self.store, self.clock, agent=AGENT, owner=owner, epoch=epoch, seconds=seconds
            )
        )
        assert found == self.model.renew(owner, epoch, seconds)

    @_about("lease")
    @rule(owner=_OWNERS, stale=_EPOCHS)
    def give_up(self, owner: str, stale: int) -> None:
        """Let the agent go."""
        epoch = self.model.epoch + stale
        found = seen(lambda: leases.release(self.store, agent=AGENT, owner=owner, epoch=epoch))
        assert found == self.model.give_up(owner, epoch)

    @_about("money")
    @rule(micros=st.sampled_from((10, 30, 41, 60)))
    def reserve(self, micros: int) -> None:
        """Reserve money, to the last micro-dollar or one more."""
        wanted = max(CAP + 1 - self.model.spent(), 1) if micros == 41 else micros
        number = next(self.numbers)
        name = f"l{number}"
        entry = NewLedgerEntry(
            id=name,
            agent=AGENT,
            cycle=1,
            turn=number,
            attempt=1,
            purpose="think",
            model="m",
            micros=wanted,
        )
        caps = Caps(agent_day=CAP)
        found = seen(lambda: spending.reserve(self.store, self.clock, entry=entry, caps=caps))
        assert found == self.model.reserve(name, wanted, CAP)

    @precondition(lambda self: self.model.ledger)
    @_about("money")
    @rule(place=_PLACES, state=st.sampled_from(("settled", "lost", "void")))
    def end_call(self, place: int, state: str) -> None:
        """End a model call."""
        name = list(self.model.ledger)[-1 - place % len(self.model.ledger)]
        ends = {
            "settled": lambda: spending.settle(
                self.store, settlement=Settlement(id=name, micros=7, usage=Usage())
            ),
            "lost": lambda: spending.lose(self.store, entry_id=name),
            "void": lambda: spending.void(self.store, entry_id=name),
        }
        assert seen(ends[state]) == self.model.end(name, state, 7)

    @_about("posts")
    @rule(holder=st.sampled_from((None, "h1", "h2")))
    def post(self, holder: str | None) -> None:
        """Say something."""
        new = NewPost(sender=AGENT, text="words", holder=holder)
        made = spaces.post(
            self.store, self.clock, self.chance, space=SPACE, post=new, deliver=self._deliver()
        )
        self.model.post(made.id, holder)

    @_about("posts")
    @rule(holder=st.sampled_from(("h1", "h2")), keep=st.booleans())
    def end_turn(self, holder: str, keep: bool) -> None:  # noqa: FBT001 - drawn
        """Make what was said visible, or drop it."""
        if keep:
            shown = spaces.release_held(self.store, holder=holder, deliver=self._deliver())
            assert len(shown) == self.model.release_held(holder)
        else:
            assert spaces.drop_held(self.store, holder=holder) == self.model.drop_held(holder)

    def _deliver(self) -> Callable[[list[NewEvent]], None]:
        return deliverer(self.store, self.clock, self.chance, bounds=Bounds())

    @_about("plans")
    @rule(seconds=st.sampled_from((5, 30)))
    def plan(self, seconds: int) -> None:
        """Plan something."""
        title = f"plan {next(self.numbers)}"
        new = NewPlan(title=title, after=f"{seconds}s")
        plans.add(self.store, self.clock, self.chance, agent=AGENT, new=new)
        self.model.plans[title] = self.model.now + seconds

    @_about("plans")
    @rule(leaves=st.sampled_from((False, False, True)))
    def due(self, leaves: bool) -> None:  # noqa: FBT001 - drawn
        """Ask what is planned for now; sometimes who asked leaves before it is told."""
        told: list[str] = []

        def hand_over(events: list[NewEvent]) -> None:
            if leaves:
                raise BrokenPipeError
            told.extend(str(event.body["title"]) for event in events)

        found = seen(lambda: plans.due(self.store, self.clock, hand_over=hand_over))
        assert (found if isinstance(found, str) else sorted(told)) == self.model.due(
            reader_leaves=leaves
        )

    @_about("notes")
    @rule(key=st.sampled_from("xy"), value=st.sampled_from("12"))
    def note(self, key: str, value: str) -> None:
        """Write a note."""
        notes.set_(self.store, self.clock, agent=AGENT, key=key, value=value)
        self.model.notes[key] = value

    @_about("notes")
    @rule(key=st.sampled_from("xy"))
    def forget(self, key: str) -> None:
        """Delete a note."""
        found = seen(lambda: notes.delete(self.store, agent=AGENT, key=key) and None)
        assert found == self.model.forget(key)

    @_about("notes")
    @rule()
    def goal(self) -> None:
        """Give a goal."""
        made = goals.add(self.store, self.clock, self.chance, agent=AGENT, text="Go.")
        self.model.goals.append(made.id)
        self.goals.append(made.id)

    @precondition(lambda self: self.goals)
    @_about("notes")
    @rule(place=_PLACES)
    def drop_goal(self, place: int) -> None:
        """Remove a goal."""
        name = self.goals.pop(place % len(self.goals))
        goals.remove(self.store, agent=AGENT, goal=name)
        self.model.drop_goal(self.model.goals.index(name))

    @invariant()
    def rows_are_as_they_should_be(self) -> None:
        """Compare the rows with the model."""
        with self.store.read() as read:
            self._compare(lambda sql: list(read.each(tuple, sql)))

    def _compare(self, rows: Callable[[str], list[tuple]]) -> None:
        model = self.model
        assert rows("SELECT id, state, attempts, epoch FROM event ORDER BY seq") == [
            (one.id, one.state, one.attempts, one.epoch) for one in model.events
        ]
        held = rows("SELECT owner, epoch FROM agent_lease WHERE epoch > 0")
        assert held == ([(model.owner, model.epoch)] if model.epoch else [])
        assert dict(rows("SELECT id, state FROM ledger")) == {
            name: state for name, (state, _) in model.ledger.items()
        }
        assert dict(rows("SELECT id, state FROM post")) == {
            one.id: "visible" if one.holder is None else "held" for one in model.posts
        }
        seqs = [seq for (seq,) in rows("SELECT seq FROM post WHERE state='visible' ORDER BY seq")]
        assert seqs == list(range(1, len(seqs) + 1))
        assert dict(rows("SELECT key, value FROM note")) == model.notes
        assert {name for (name,) in rows("SELECT id FROM goal")} == set(model.goals)
