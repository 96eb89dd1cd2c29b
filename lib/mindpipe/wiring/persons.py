"""Let persons of a store live tick by tick, each tick kept whole with what it took of an inbox."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import AgentChange
from mindpipe.core.errors import BadInputError, RefusedError, UnsafeNameError
from mindpipe.core.failpoints import reach
from mindpipe.core.names import did_you_mean, safe_name
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.core.records import to_json
from mindpipe.inbox.records import Event as Queued
from mindpipe.inbox.verbs import queue
from mindpipe.person.life.group import Happening
from mindpipe.person.reading import Place, read_line
from mindpipe.person.records.event import TYPES, Event
from mindpipe.person.records.kept import Lived, Tick
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.records.thought import Memory, SalienceLine, Thought
from mindpipe.person.verbs import keeping
from mindpipe.review.records import Observation, ReviewFailure
from mindpipe.review.verbs import notes
from mindpipe.wiring.living import Lives
from mindpipe.wiring.speaking import Speaking

OWNER = "simulate"
SPOKEN = frozenset({"speech", "action"})


def settle(store: Store, clock: Clock, chance: Chance, *, person: Person, state: State) -> Lived:
    """Keep a new person, with an agent of its name: so it has an inbox, and may join spaces.

    The agent is paused, so that no worker thinks in the person's place.

    Raises:
        RefusedError: there is a person or an agent of this name.
        UnsafeNameError: an agent may not have this name.
    """
    why = f"a simulated person; mind simulate run --person {person.person}"
    _require_safe(person.person)
    with store.write():
        if person.person in keeping.ids(store):
            lives_on = f"mind simulate run --person {person.person} lives on"
            raise RefusedError(f"{person.person} is already there; {lives_on}, or give --id.")
        agents.new(
            store,
            clock,
            chance,
            name=person.person,
            change=AgentChange(title=person.name[:64], paused=why),
        )
        return keeping.add(store, person=person, state=state)


def _require_safe(person: str) -> None:
    """Raise UnsafeNameError where no agent may have the id of a person."""
    try:
        safe_name(person)
    except UnsafeNameError as error:
        words = f"{str(error).removesuffix('.')} where it lives in a store"
        raise UnsafeNameError(f"{words}; give --id ID.") from None


class Step(NamedTuple):
    """What one tick of a person made of it, all that happened, and what is to be said of it."""

    tick: Tick
    happenings: list[Happening]
    notes: list[str]


class Ahead(NamedTuple):
    """A tick that is still to be lived: until when, what happens, and how its inbox stood."""

    until_us: int
    events: list[Event]
    queued: Sequence[Queued]
    dead: dict[str, str]


class Resident:
    """A person of a store who lives on from its latest tick.

    A tick is taken in three steps, `ahead`, `live` and `keep`, so that several persons may live at
    once: only `live` may run in another thread, which does not touch the store.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        lived: Lived,
        speaking: Speaking | None,
        changed: Person | None = None,
    ) -> None:
        """Take a person as it was kept, or as it is `changed`, which its next tick keeps."""
        self._store = store
        self._clock = clock
        self._news = () if changed in (None, lived.person) else (changed,)
        who = changed or lived.person
        self._lived = msgspec.structs.replace(lived, person=who)
        past: list[Thought | Memory] = [*lived.thoughts, *lived.memories]
        self._lives = Lives([who], [lived.state], {who.person: past}, speaking)
        self._coming: list[Event] = []

    @property
    def id(self) -> str:
        """Return who it is."""
        return self._lived.person.person

    @property
    def person(self) -> Person:
        """Return who it is by now, as a record."""
        return self._lived.person

    @property
    def t_us(self) -> int:
        """Return how far it lived."""
        return self._lived.state.t_us

    def expect(self, events: Sequence[Event]) -> None:
        """Add events that are to come, in the order of time."""
        self._coming += events

    def refused(self) -> bool:
        """Tell whether it made all calls of a run and wanted one more."""
        return self._lives.refused()

    def ahead(self, until_us: int) -> Ahead:
        """Return what the tick until an instant will bring; what waits in the inbox comes now."""
        queued = queue.peek(self._store, self._clock, agent=self.id)
        heard, dead = self._heard(queued)
        due = [event for event in self._coming if event.t_us <= until_us]
        self._coming = self._coming[len(due) :]
        events = sorted((*heard, *due), key=lambda event: event.t_us)
        return Ahead(until_us, events, queued, dead)

    def live(self, ahead: Ahead) -> Step:
        """Live until the end of a tick and return what came of it; nothing is kept yet."""
        happenings = self._lives.live(ahead.until_us, {self.id: ahead.events})
        (state,) = self._lives.states(read=True)
        (person,) = self._lives.persons()
        lasting = [one for one in happenings if not isinstance(one, SalienceLine)]
        tick = Tick(
            person=person,
            state=state,
            events=tuple(ahead.events),
            happenings=(*self._news, *lasting, *self._lives.gists()),
            forgotten=tuple(self._lives.forgotten()),
        )
        return Step(tick, happenings, [*self._lives.notes(), *ahead.dead.values()])

    def keep(
        self, ahead: Ahead, tick: Tick, *, observed: Iterable[Observation | ReviewFailure]
    ) -> None:
        """Keep a tick that was lived, and what was noted of it: all of it, or nothing of it.

        What cannot happen is dead in the inbox, with the reason.

        Raises:
            FencedError: the person, or an event in its inbox, went on elsewhere.
        """
        with self._store.write():
            self._lived = keeping.keep(self._store, before=self._lived, tick=tick)
            self._take(ahead.queued, ahead.dead)
            for note in observed:
                if isinstance(note, Observation):
                    notes.keep(self._store, note)
            reach("live.before_commit")
        reach("live.after_commit")
        self._news = ()

    def _heard(self, queued: Sequence[Queued]) -> tuple[list[Event], dict[str, str]]:
        """Return what waits in the inbox as events, and by id why some of it can be none."""
        heard: list[Event] = []
        dead: dict[str, str] = {}
        for one in queued:
            try:
                heard.append(event_of(one, person=self.id, t_us=self.t_us))
            except BadInputError as error:
                dead[one.id] = f"{one.id}: {error}"
        return heard, dead

    def _take(self, queued: Sequence[Queued], dead: Mapping[str, str]) -> None:
        """Take events out of the inbox, as handled or as dead."""
        living = [one.id for one in queued if one.id not in dead]
        for one in queue.adopt(self._store, self._clock, ids=living, owner=OWNER):
            queue.ack(self._store, id=one.id, epoch=one.epoch)
        for event, reason in dead.items():
            queue.dead(self._store, id=event, reason=reason)


def event_of(queued: Queued, *, person: str, t_us: int) -> Event:
    """Return what an event of an inbox is to a person, now.

    A `body` with a `type` of section 8 is that event, with the fields of its type; anything else is
    speech, its words the text. Its sender is who it is from.

    Raises:
        BadInputError: a field is missing, unknown or out of range, there is nothing to hear, or
            there are no words but a type of which there is none.
    """
    body = dict(queued.body)
    said = body.get("type")
    if isinstance(said, str) and said not in TYPES and not queued.text and "text" not in body:
        words = f'no type of event, got "{said}"; {did_you_mean(said, TYPES)}'.rstrip("; ")
        raise BadInputError([Place(f"inbox of {person}").problem("$.type", words)])
    given = body if body.get("type") in TYPES else {"type": "speech"}
    made: dict[str, object] = {
        "kind": "event",
        "person": person,
        "t_us": t_us,
        "id": f"in:{queued.id}",
        **given,
    }
    if queued.text and "text" not in made:
        made["text"] = queued.text
    if queued.sender and made["type"] in SPOKEN and "from" not in made:
        made["from"] = queued.sender
    found = read_line(to_json(made), Place(f"inbox of {person}"))
    assert isinstance(found, Event)
    return msgspec.structs.replace(found, t_us=max(found.t_us, t_us))
