"""Keep persons in a store: add one, load it, and let it live on, each tick kept whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import (
    BadInputError,
    FencedError,
    RefusedError,
    UnsafeNameError,
    UsageError,
)
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.records import to_json
from mindpipe.core.text import did_you_mean, safe_name, with_nearest
from mindpipe.inbox.records import Event as Queued
from mindpipe.inbox.verbs import inbox
from mindpipe.person import tables
from mindpipe.person.lines import LinePlace, read_line
from mindpipe.person.records.event import TYPES, PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import (
    Failure,
    LifeRow,
    LifeRowKind,
    LivedTick,
    PersonMemory,
    PersonRow,
    PersonTick,
    SalienceLine,
    StoredPerson,
    Thought,
)

if TYPE_CHECKING:
    from mindpipe.person.life.population import Happening
    from mindpipe.person.voice.speech import Speakers

OWNER = "simulate"
"""Who holds the events of an inbox that a person takes."""
SPOKEN = frozenset({"speech", "action"})
REMEMBERED_US = 7 * 86_400_000_000
EVER_US = -(1 << 62)
"""How far back thoughts are loaded: patterns of a week are the longest that anything looks for."""


def add(store: Store, *, person: Person, state: PersonState) -> StoredPerson:
    """Keep a new person with its first state.

    Raises:
        RefusedError: there is one of this id.
    """
    with store.write(person.person) as rows:
        if tables.find_person(rows, person.person) is not None:
            raise RefusedError(f"there is a person {person.person} already.")
        lived = StoredPerson(person=person, state=state, tick=0)
        tables.insert_person(rows, kept_row(lived))
        tables.insert_rows(rows, [row_of(person, 0), row_of(state, 0)])
    return lived


def ids(store: Store) -> list[str]:
    """Return the ids of all persons in order."""
    with store.read() as rows:
        return tables.ids(rows)


def load(store: Store, *, person: str) -> StoredPerson:
    """Return a person with its memories, its thoughts of a week and its most recent ones.

    Raises:
        UsageError: there is none of this id; names the nearest.
    """
    with store.read() as rows:
        kept = _found(rows, person)
        state = msgspec.json.decode(kept.state, type=PersonState)
        since = kept.t_us - REMEMBERED_US
        bodies = tables.thoughts_since(rows, person, since=since)
        found = [msgspec.json.decode(body, type=Thought) for body in bodies]
        known = {thought.id for thought in found}
        older = tables.thoughts_by_id(rows, [id for id in state.mind.recent if id not in known])
        return StoredPerson(
            person=msgspec.json.decode(kept.body, type=Person),
            state=state,
            tick=kept.tick,
            thoughts=(*(msgspec.json.decode(body, type=Thought) for body in older), *found),
            memories=tuple(
                msgspec.json.decode(body, type=PersonMemory)
                for body in tables.memories(rows, person)
            ),
        )


def had(store: Store, *, person: str) -> frozenset[str]:
    """Return the ids of the events that a person had."""
    with store.read() as rows:
        return frozenset(tables.event_ids(rows, person))


def keep(store: Store, *, before: StoredPerson, tick: PersonTick) -> StoredPerson:
    """Keep what a tick made of a person, in one transaction, and return the person as it is then.

    Raises:
        FencedError: another tick of the person was kept since `before` was loaded.
        RefusedError: its life goes on in another store.
    """
    after = StoredPerson(person=tick.person, state=tick.state, tick=before.tick + 1)
    with store.write(after.person.person) as rows:
        agents.require_here(store, name=after.person.person)
        if not tables.put_person(rows, kept_row(after)):
            raise FencedError(
                f"{after.person.person} went on from tick {before.tick} elsewhere; run again."
            )
        if before.tick and not tables.has_tick(rows, after.person.person, before.tick):
            # It lived before ticks were kept: from here on it can be lived again.
            tables.insert_rows(rows, [row_of(before.state, before.tick)])
        tables.insert_rows(rows, _rows(tick, after.tick))
        tables.delete_memories(rows, tick.forgotten)
    return after


def states(store: Store, *, person: str) -> list[PersonState]:
    """Return the states that were kept of a person, oldest first."""
    with store.read() as rows:
        return [msgspec.json.decode(body, type=PersonState) for body in tables.states(rows, person)]


def lived(store: Store, *, person: str) -> list[PersonState | PersonEvent | Thought]:
    """Return all that was kept of a person: states, the present one last, events and thoughts.

    Raises:
        UsageError: there is none of this id; names the nearest.
    """
    with store.read() as rows:
        now = msgspec.json.decode(_found(rows, person).state, type=PersonState)
        return [
            *(one for one in states(store, person=person) if one.t_us < now.t_us),
            now,
            *(msgspec.json.decode(body, type=PersonEvent) for body in tables.events(rows, person)),
            *(
                msgspec.json.decode(body, type=Thought)
                for body in tables.thoughts_since(rows, person, since=EVER_US)
            ),
        ]


def _found(rows: Rows, person: str) -> PersonRow:
    """Return the row of a person; raises UsageError where there is none."""
    kept = tables.find_person(rows, person)
    if kept is None:
        near = did_you_mean(person, tables.ids(rows))
        raise UsageError(f'no person "{person}"; {near}mind simulate new --store makes one.')
    return kept


def _rows(tick: PersonTick, number: int) -> Iterator[LifeRow]:
    """Yield what a tick adds."""
    for event in tick.events:
        yield row_of(event, number)
    for happening in tick.happenings:
        yield row_of(happening, number)
    if tick.states:
        yield row_of(tick.state, number)
    lived = LivedTick(
        person=tick.person.person,
        tick=number,
        t_us=tick.state.t_us,
        voice=tick.voice,
        events=tuple(event.id for event in tick.events),
        replies=tick.replies,
        kept=tick.states,
    )
    yield row_of(lived, number)


def row_of(
    record: Person | PersonState | PersonEvent | Thought | PersonMemory | Failure | LivedTick,
    number: int,
) -> LifeRow:
    """Return a record as it rests."""
    return LifeRow(
        kind=_KINDS[type(record)],
        person=record.person,
        t_us=record.t_us,
        body=to_json(record).decode(),
        id=getattr(record, "id", ""),
        number=number,
    )


_KINDS: dict[type, LifeRowKind] = {
    Person: "person",
    PersonState: "state",
    PersonEvent: "event",
    Thought: "thought",
    PersonMemory: "memory",
    Failure: "failure",
    LivedTick: "tick",
}


def kept_row(lived: StoredPerson) -> PersonRow:
    """Return the row of a person."""
    return PersonRow(
        person=lived.person.person,
        tick=lived.tick,
        t_us=lived.state.t_us,
        body=to_json(lived.person).decode(),
        state=to_json(lived.state).decode(),
    )


def settle(
    store: Store, clock: Clock, chance: Chance, *, person: Person, state: PersonState
) -> StoredPerson:
    """Keep a new person, with an agent of its name: so it has an inbox, and may join spaces.

    The agent is paused, so that no worker thinks in the person's place.

    Raises:
        RefusedError: there is a person or an agent of this name.
        UnsafeNameError: an agent may not have this name.
    """
    why = f"a simulated person; mind simulate run --person {person.person}"
    try:
        safe_name(person.person)
    except UnsafeNameError as error:
        words = f"{str(error).removesuffix('.')} where it lives in a store"
        raise UnsafeNameError(f"{words}; give --id ID.") from None
    with store.write(person.person):
        if person.person in ids(store):
            lives_on = f"mind simulate run --person {person.person} lives on"
            raise RefusedError(f"{person.person} is already there; {lives_on}, or give --id.")
        agents.new(
            store,
            clock,
            chance,
            name=person.person,
            change=AgentChange(title=person.name[:64], paused=why),
        )
        return add(store, person=person, state=state)


class ResidentStep(NamedTuple):
    """What one tick of a person made of it, all that happened, and what is to be said of it."""

    tick: PersonTick
    happenings: "list[Happening]"
    notes: list[str]


class TickAhead(NamedTuple):
    """A tick that is still to be lived: until when, what happens, and how its inbox stood."""

    until_us: int
    events: list[PersonEvent]
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
        lived: StoredPerson,
        speaking: "Speakers | None",
        changed: Person | None = None,
    ) -> None:
        """Take a person as it was kept, or as it is `changed`, which its next tick keeps."""
        self._store = store
        self._clock = clock
        self._news = () if changed in (None, lived.person) else (changed,)
        who = changed or lived.person
        self._lived = msgspec.structs.replace(lived, person=who)
        # Who only looks into a store does without arrays.
        from mindpipe.person.life.lives import Lives

        past: list[Thought | PersonMemory] = [*lived.thoughts, *lived.memories]
        self._speaking = speaking
        self._lives = Lives([who], [lived.state], {who.person: past}, speaking)
        self._coming: list[PersonEvent] = []

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

    def expect(self, events: Sequence[PersonEvent]) -> None:
        """Add events that are to come, in the order of time."""
        self._coming += events

    def refused(self) -> bool:
        """Tell whether it made all calls of a run and wanted one more."""
        return self._lives.refused()

    def ahead(self, until_us: int) -> TickAhead:
        """Return what the tick until an instant will bring; what waits in the inbox comes now."""
        queued = inbox.peek(self._store, self._clock, agent=self.id)
        heard, dead = self._heard(queued)
        due = [event for event in self._coming if event.t_us <= until_us]
        self._coming = self._coming[len(due) :]
        events = sorted((*heard, *due), key=lambda event: event.t_us)
        return TickAhead(until_us, events, queued, dead)

    def live(self, ahead: TickAhead) -> ResidentStep:
        """Live until the end of a tick and return what came of it; nothing is kept yet."""
        happenings = self._lives.live(ahead.until_us, {self.id: ahead.events})
        (state,) = self._lives.states(read=True)
        (person,) = self._lives.persons()
        lasting = [one for one in happenings if not isinstance(one, SalienceLine)]
        tick = PersonTick(
            person=person,
            state=state,
            events=tuple(ahead.events),
            happenings=(*self._news, *lasting, *self._lives.gists()),
            forgotten=tuple(self._lives.forgotten()),
            voice=self._speaking.model(person.person) if self._speaking else "",
            replies=self._speaking.replies(person.person) if self._speaking else (),
        )
        return ResidentStep(tick, happenings, [*self._lives.notes(), *ahead.dead.values()])

    def keep(
        self, ahead: TickAhead, tick: PersonTick, *, beside: Callable[[], None] | None = None
    ) -> None:
        """Keep a tick that was lived, all of it or nothing, with what `beside` keeps of it.

        What cannot happen is dead in the inbox, with the reason.

        Raises:
            FencedError: the person, or an event in its inbox, went on elsewhere.
        """
        with self._store.write(self.id):
            self._lived = keep(self._store, before=self._lived, tick=tick)
            self._take(ahead.queued, ahead.dead)
            if beside is not None:
                beside()
            reach("live.before_commit")
        reach("live.after_commit")
        self._news = ()

    def _heard(self, queued: Sequence[Queued]) -> tuple[list[PersonEvent], dict[str, str]]:
        """Return what waits in the inbox as events, and by id why some of it can be none."""
        heard: list[PersonEvent] = []
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
        for one in inbox.adopt(self._store, self._clock, ids=living, owner=OWNER):
            inbox.ack(self._store, id=one.id, epoch=one.epoch)
        for event, reason in dead.items():
            inbox.dead(self._store, id=event, reason=reason)


def event_of(queued: Queued, *, person: str, t_us: int) -> PersonEvent:
    """Return what an event of an inbox is to a person, now.

    A `body` with a `type` of section 8 is that event, with the fields of its type; anything else is
    speech, its words the text. Its sender is who it is from.

    Raises:
        BadInputError: a field is missing, unknown or out of range, there is nothing to hear, or
            there are no words but a type of which there is none.
    """
    found = _happening(dict(queued.body), queued.text, queued.sender, person=person, id=queued.id)
    return msgspec.structs.replace(found, t_us=max(found.t_us, t_us))


def faults_of(person: str, fields: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return path and words of all that is wrong with a line that is pushed to a person."""
    body = dict(cast("Mapping[str, object]", fields.get("body") or {}))
    text, sender = (cast("str", fields.get(name) or "") for name in ("text", "sender"))
    try:
        _happening(body, text, sender, person=person, id="")
    except BadInputError as error:
        whole = "$.body" if body else "$"
        return [(whole + (one.field or "$")[1:], one.message) for one in error.problems]
    return []


def _happening(
    body: Mapping[str, object], text: str | None, sender: str | None, *, person: str, id: str
) -> PersonEvent:
    """Return what a body and words are to a person; raises BadInputError where they are nothing."""
    said = body.get("type")
    if isinstance(said, str) and said not in TYPES and not text and "text" not in body:
        words = with_nearest(f'no type of event, got "{said}"', said, TYPES)
        raise BadInputError([LinePlace(f"inbox of {person}").problem("$.type", words)])
    given = body if body.get("type") in TYPES else {"type": "speech"}
    made: dict[str, object] = {
        "kind": "event",
        "person": person,
        "t_us": 0,
        "id": f"in:{id}",
        **given,
    }
    if text and "text" not in made:
        made["text"] = text
    if sender and made["type"] in SPOKEN and "from" not in made:
        made["from"] = sender
    found = read_line(to_json(made), LinePlace(f"inbox of {person}"))
    assert isinstance(found, PersonEvent)
    return found
