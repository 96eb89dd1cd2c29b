"""Persons in a store: added, loaded, and a tick kept whole or not at all."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import FencedError, RefusedError, UsageError
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person, PersonIdentity
from mindpipe.person.records.state import Flags, HabitState, Mind, Modes, PersonState
from mindpipe.person.records.thought import (
    PersonMemory,
    PersonTick,
    Snapshot,
    StoredPerson,
    Thought,
)
from mindpipe.person.verbs import persons
from mindpipe.store.sqlite import SqliteStore
from support.stores import store_at

MARA = Person(person="mara", name="Mara", seed=7)
MODES = Modes(**{name: number / 7 for number, name in enumerate(Modes.__struct_fields__)})
STATE = PersonState(
    person="mara",
    t_us=0,
    anchor_us=0,
    modes=MODES,
    flags=Flags(awake=True, since_us=0),
    habit=HabitState(last_meal_us=0),
)
DAY = 86_400_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = store_at(tmp_path / "mind.db")
    yield made
    made.close()


@pytest.fixture
def mara(store: SqliteStore) -> StoredPerson:
    return persons.add(store, person=MARA, state=STATE)


def at(t_us: int, **more: object) -> PersonState:
    return msgspec.structs.replace(STATE, t_us=t_us, anchor_us=t_us, **more)


def thought(t_us: int) -> Thought:
    id_ = f"th:mara:{t_us}"
    return Thought(person="mara", t_us=t_us, id=id_, mode="spontaneous", content="Hm.")


def memory(t_us: int, *, gist: bool = False) -> PersonMemory:
    return PersonMemory(
        person="mara",
        t_us=t_us,
        id=f"{'gi' if gist else 'me'}:mara:{t_us}",
        thought=f"th:mara:{t_us}",
        content="Hm.",
        importance=0.5,
        valence=0.0,
        arousal=0.1,
        snapshot=Snapshot(),
        gist=gist,
    )


def test_a_person_is_loaded_as_it_was_kept(store: SqliteStore, mara: StoredPerson) -> None:
    assert persons.load(store, person="mara") == mara
    assert persons.ids(store) == ["mara"]


def test_a_second_person_of_one_id_is_refused(store: SqliteStore, mara: StoredPerson) -> None:
    with pytest.raises(RefusedError, match="a person mara already"):
        persons.add(store, person=mara.person, state=STATE)


def test_an_unknown_person_is_named_with_the_nearest(
    store: SqliteStore, mara: StoredPerson
) -> None:
    with pytest.raises(UsageError, match=r'no person "marta"; did you mean mara\?'):
        persons.load(store, person="marta")
    assert mara.tick == 0


def test_a_tick_keeps_all_that_happened(store: SqliteStore, mara: StoredPerson) -> None:
    other = msgspec.structs.replace(
        MARA, t_us=9, identity=PersonIdentity(key_memories=("I fell.",), last_updated_us=9)
    )
    happened = (thought(5), memory(5), other)
    tick = PersonTick(person=other, state=at(10), happenings=happened, states=True)
    after = persons.keep(store, before=mara, tick=tick)
    assert (after.tick, after.person, after.state) == (1, other, at(10))
    loaded = persons.load(store, person="mara")
    assert (loaded.thoughts, loaded.memories) == ((thought(5),), (memory(5),))
    assert [state.t_us for state in persons.states(store, person="mara")] == [0, 10]


def test_a_tick_from_an_older_one_is_fenced_and_leaves_nothing(
    store: SqliteStore, mara: StoredPerson
) -> None:
    persons.keep(store, before=mara, tick=PersonTick(person=MARA, state=at(10)))
    late = PersonTick(person=MARA, state=at(20), happenings=(thought(15),))
    with pytest.raises(FencedError, match="went on from tick 0 elsewhere"):
        persons.keep(store, before=mara, tick=late)
    loaded = persons.load(store, person="mara")
    assert (loaded.tick, loaded.state.t_us, loaded.thoughts) == (1, 10, ())


def test_a_tick_that_fails_half_way_leaves_nothing(store: SqliteStore, mara: StoredPerson) -> None:
    twice = PersonTick(person=MARA, state=at(10), happenings=(thought(5), thought(5)))
    with pytest.raises(Exception, match=r"(?i)unique"):
        persons.keep(store, before=mara, tick=twice)
    assert persons.load(store, person="mara") == mara


def test_events_that_were_had_are_known(store: SqliteStore, mara: StoredPerson) -> None:
    fall = PersonEvent(v=1, person="mara", t_us=5, id="fall", type="injury", nrs=3.0)
    persons.keep(store, before=mara, tick=PersonTick(person=MARA, state=at(10), events=(fall,)))
    assert persons.had(store, person="mara") == {"fall"}


def test_a_gist_stands_for_what_it_was_made_of(store: SqliteStore, mara: StoredPerson) -> None:
    first = PersonTick(person=MARA, state=at(10), happenings=(memory(1), memory(2), memory(3)))
    before = persons.keep(store, before=mara, tick=first)
    gone = (memory(1).id, memory(2).id)
    gist = PersonTick(person=MARA, state=at(20), happenings=(memory(2, gist=True),), forgotten=gone)
    persons.keep(store, before=before, tick=gist)
    kept = persons.load(store, person="mara").memories
    assert [one.id for one in kept] == ["gi:mara:2", "me:mara:3"]


def test_thoughts_of_a_week_and_the_most_recent_are_loaded(
    store: SqliteStore, mara: StoredPerson
) -> None:
    first = PersonTick(person=MARA, state=at(10), happenings=(thought(1), thought(2)))
    before = persons.keep(store, before=mara, tick=first)
    mind = Mind(recent=("th:mara:2",))
    late = PersonTick(person=MARA, state=at(8 * DAY, mind=mind), happenings=(thought(7 * DAY),))
    persons.keep(store, before=before, tick=late)
    found = persons.load(store, person="mara").thoughts
    assert [one.t_us for one in found] == [2, 7 * DAY]
