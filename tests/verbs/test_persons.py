"""Persons in a store: added, loaded, and a tick kept whole or not at all."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import FencedError, RefusedError, UsageError
from mindpipe.person.records.event import Event
from mindpipe.person.records.kept import Lived, Tick
from mindpipe.person.records.person import Identity, Person
from mindpipe.person.records.state import Flags, Habit, Mind, Modes, State
from mindpipe.person.records.thought import Memory, Snapshot, Thought
from mindpipe.person.tables import MIGRATIONS
from mindpipe.person.verbs import keeping
from mindpipe.store.sqlite import SqliteStore
from stores import store_at

MARA = Person(person="mara", name="Mara", seed=7)
MODES = Modes(**{name: number / 7 for number, name in enumerate(Modes.__struct_fields__)})
STATE = State(
    person="mara",
    t_us=0,
    anchor_us=0,
    modes=MODES,
    flags=Flags(awake=True, since_us=0),
    habit=Habit(last_meal_us=0),
)
DAY = 86_400_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = store_at(tmp_path / "mind.db", *MIGRATIONS)
    yield made
    made.close()


@pytest.fixture
def mara(store: SqliteStore) -> Lived:
    return keeping.add(store, person=MARA, state=STATE)


def at(t_us: int, **more: object) -> State:
    return msgspec.structs.replace(STATE, t_us=t_us, anchor_us=t_us, **more)


def thought(t_us: int) -> Thought:
    id_ = f"th:mara:{t_us}"
    return Thought(person="mara", t_us=t_us, id=id_, mode="spontaneous", content="Hm.")


def memory(t_us: int, *, gist: bool = False) -> Memory:
    return Memory(
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


def test_a_person_is_loaded_as_it_was_kept(store: SqliteStore, mara: Lived) -> None:
    assert keeping.load(store, person="mara") == mara
    assert keeping.ids(store) == ["mara"]


def test_a_second_person_of_one_id_is_refused(store: SqliteStore, mara: Lived) -> None:
    with pytest.raises(RefusedError, match="a person mara already"):
        keeping.add(store, person=mara.person, state=STATE)


def test_an_unknown_person_is_named_with_the_nearest(store: SqliteStore, mara: Lived) -> None:
    with pytest.raises(UsageError, match=r'no person "marta"; did you mean mara\?'):
        keeping.load(store, person="marta")
    assert mara.tick == 0


def test_a_tick_keeps_all_that_happened(store: SqliteStore, mara: Lived) -> None:
    other = msgspec.structs.replace(
        MARA, t_us=9, identity=Identity(key_memories=("I fell.",), last_updated_us=9)
    )
    happened = (thought(5), memory(5), other)
    tick = Tick(person=other, state=at(10), happenings=happened, states=True)
    after = keeping.keep(store, before=mara, tick=tick)
    assert (after.tick, after.person, after.state) == (1, other, at(10))
    loaded = keeping.load(store, person="mara")
    assert (loaded.thoughts, loaded.memories) == ((thought(5),), (memory(5),))
    assert [state.t_us for state in keeping.states(store, person="mara")] == [0, 10]


def test_a_tick_from_an_older_one_is_fenced_and_leaves_nothing(
    store: SqliteStore, mara: Lived
) -> None:
    keeping.keep(store, before=mara, tick=Tick(person=MARA, state=at(10)))
    late = Tick(person=MARA, state=at(20), happenings=(thought(15),))
    with pytest.raises(FencedError, match="went on from tick 0 elsewhere"):
        keeping.keep(store, before=mara, tick=late)
    loaded = keeping.load(store, person="mara")
    assert (loaded.tick, loaded.state.t_us, loaded.thoughts) == (1, 10, ())


def test_a_tick_that_fails_half_way_leaves_nothing(store: SqliteStore, mara: Lived) -> None:
    twice = Tick(person=MARA, state=at(10), happenings=(thought(5), thought(5)))
    with pytest.raises(Exception, match="UNIQUE"):
        keeping.keep(store, before=mara, tick=twice)
    assert keeping.load(store, person="mara") == mara


def test_events_that_were_had_are_known(store: SqliteStore, mara: Lived) -> None:
    fall = Event(v=1, person="mara", t_us=5, id="fall", type="injury", nrs=3.0)
    keeping.keep(store, before=mara, tick=Tick(person=MARA, state=at(10), events=(fall,)))
    assert keeping.had(store, person="mara") == {"fall"}


def test_a_gist_stands_for_what_it_was_made_of(store: SqliteStore, mara: Lived) -> None:
    first = Tick(person=MARA, state=at(10), happenings=(memory(1), memory(2), memory(3)))
    before = keeping.keep(store, before=mara, tick=first)
    gone = (memory(1).id, memory(2).id)
    gist = Tick(person=MARA, state=at(20), happenings=(memory(2, gist=True),), forgotten=gone)
    keeping.keep(store, before=before, tick=gist)
    kept = keeping.load(store, person="mara").memories
    assert [one.id for one in kept] == ["gi:mara:2", "me:mara:3"]


def test_thoughts_of_a_week_and_the_most_recent_are_loaded(store: SqliteStore, mara: Lived) -> None:
    first = Tick(person=MARA, state=at(10), happenings=(thought(1), thought(2)))
    before = keeping.keep(store, before=mara, tick=first)
    mind = Mind(recent=("th:mara:2",))
    late = Tick(person=MARA, state=at(8 * DAY, mind=mind), happenings=(thought(7 * DAY),))
    keeping.keep(store, before=before, tick=late)
    found = keeping.load(store, person="mara").thoughts
    assert [one.t_us for one in found] == [2, 7 * DAY]
