"""Persons who come in on lines: who belongs to what, and every fault that keeps a line out."""

import json

import msgspec

from mindpipe.core.records import to_json
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.pace import RunStop, run_stops
from mindpipe.person.life.people import InputLine, People
from mindpipe.person.lines import LinePlace
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Contribution, PersonState
from mindpipe.person.records.thought import Thought
from support.tables import each_row

HOUR = 3_600_000_000
MARA, EVE = Person(person="mara", name="Mara"), Person(person="eve", name="Eve")


def at(person: Person, t_us: int) -> PersonState:
    """Return a state at an instant, which is all that is looked at."""
    return msgspec.structs.replace(first_state(person), t_us=t_us, anchor_us=t_us)


def event(**fields: object) -> bytes:
    return json.dumps({"kind": "event", **fields}).encode()


def people(*lines: bytes, apart: tuple[bytes, ...] = (), late_is_now: bool = False) -> People:
    """Return the people of lines of one file, and of a file of events."""
    found = People(late_is_now=late_is_now)
    for number, octets in enumerate(lines, 1):
        found.add(InputLine(LinePlace("a", number), octets))
    for number, octets in enumerate(apart, 1):
        found.add(InputLine(LinePlace("b", number), octets, apart=True))
    found.settle()
    return found


def mara(t_us: int = HOUR) -> tuple[bytes, bytes]:
    return to_json(MARA), to_json(at(MARA, t_us))


def eve() -> tuple[bytes, bytes]:
    return to_json(EVE), to_json(at(EVE, HOUR))


def faults(found: People) -> list[str]:
    return [problem.line_of_text() for _, some in found.refused for problem in some]


def test_what_is_written_again_stands_where_it_stood() -> None:
    other = b'{"kind":"note","a":1}'
    found = people(other, *mara(), event(type="wake"), *eve(), b'{"x":1}')
    assert found.pieces == [other, mara()[0], "mara", b"", eve()[0], "eve", b'{"x":1}']


def test_a_lone_person_needs_not_be_named_and_an_event_without_a_time_is_now() -> None:
    found = people(event(type="wake"), *mara())
    (only,) = found.events["mara"]
    assert (only.person, only.t_us, only.id) == ("mara", HOUR, f"ev:mara:{HOUR}:0")


def test_of_two_persons_an_event_has_to_name_one() -> None:
    found = people(*mara(), *eve(), event(type="wake", t_us=HOUR))
    assert faults(found) == ["a:5: $.person: missing"]


def test_events_are_in_order_and_numbered_by_instant() -> None:
    some = [event(type="wake", t_us=HOUR + n) for n in (2, 1, 2)]
    other = event(type="sleep", t_us=HOUR + 2, id="x")
    found = people(*mara(), apart=(some[0], other, *some[1:]))
    assert [one.id for one in found.events["mara"]] == [
        f"ev:mara:{HOUR + 1}:0",
        f"ev:mara:{HOUR + 2}:0",
        "x",
        f"ev:mara:{HOUR + 2}:1",
    ]


def test_a_file_that_is_given_again_brings_no_event_twice() -> None:
    day = [event(type="noise", db=db, t_us=HOUR + 5) for db in (60, 70, 60)]
    first = people(*mara(), apart=tuple(day)).events["mara"]
    assert [one.db for one in first] == [60, 70, 60]
    carried = [to_json(one) for one in first]
    for found in (people(*mara(), *carried, apart=tuple(day)), people(*mara(), *carried, *day)):
        assert found.events["mara"] == first
        assert [one.line_of_text().partition("$")[2] for one in found.ignored] == [
            f".id: a second event ev:mara:{HOUR + 5}:{number}; it is ignored" for number in range(3)
        ]


def test_another_event_of_an_instant_takes_the_next_free_number() -> None:
    there = [event(type="toilet", t_us=HOUR, id=f"ev:mara:{HOUR}:{number}") for number in (0, 2)]
    new = [event(type="noise", db=60, t_us=HOUR)] * 2
    found = people(*mara(), *there, apart=tuple(new))
    assert [(one.type, one.id.rpartition(":")[2]) for one in found.events["mara"]] == [
        ("toilet", "0"),
        ("toilet", "2"),
        ("noise", "1"),
        ("noise", "3"),
    ]
    assert not found.ignored


def test_a_second_event_of_one_id_is_ignored_with_a_note() -> None:
    twice = event(type="toilet", t_us=HOUR, id="x")
    found = people(*mara(), twice, twice)
    assert len(found.events["mara"]) == 1
    assert [problem.line_of_text() for problem in found.ignored] == [
        "a:4: $.id: a second event x; it is ignored"
    ]


def test_events_that_a_person_had_are_passed_over() -> None:
    found = People()
    found.had["mara"] = frozenset({"x"})
    for octets in (*mara(), event(type="wake", t_us=0, id="x"), event(type="wake", id="y")):
        found.add(InputLine(LinePlace("a", 1), octets))
    found.settle()
    assert [one.id for one in found.events["mara"]] == ["y"]
    assert faults(found) == []


def test_a_late_event_is_refused_or_is_now() -> None:
    late = event(type="toilet", at="00:30")
    found = people(*mara(), late)
    (fault,) = faults(found)
    assert fault.startswith("a:3: $.t_us: late_event: mara has reached 01:00:00 (3600000000)")
    assert found.pieces[2] == b""
    (now,) = people(*mara(), late, late_is_now=True).events["mara"]
    assert (now.t_us, now.late_from_us) == (HOUR, HOUR // 2)


@each_row(
    ("lines", "fault"),
    [
        (mara()[1:], 'a:1: $.person: no person line for "mara"'),
        (mara()[:1], 'a:1: $.person: no state line for "mara"'),
        (
            (*mara(), mara()[1]),
            "a:3: $.person: a second state of mara, no later than the one a:2; states",
        ),
        ((*mara(), mara(HOUR - 1)[1]), "a:3: $.person: a second state of mara, no later"),
        ((*mara(), event(type="wake", person="bob")), 'a:3: $.person: no person "bob"'),
    ],
)
def test_persons_and_states_come_in_pairs(lines: tuple[bytes, ...], fault: str) -> None:
    found = people(*lines)
    assert len(found.refused) == 1
    assert faults(found)[0].startswith(fault)


def test_a_person_goes_on_from_its_latest_state_and_what_stands_before_is_past() -> None:
    had = event(type="noise", db=60, t_us=HOUR + 1, id="x")
    coming = event(type="noise", db=60, t_us=3 * HOUR, id="y")
    later = mara(2 * HOUR)[1]
    found = people(*mara(), had, coming, thought(HOUR + 2), later, apart=(had, coming))
    assert found.pieces[:6] == [*mara(), had, b"", thought(HOUR + 2), "mara"]
    assert found.states["mara"] == later
    assert [one.id for one in found.events["mara"]] == ["y"]
    assert [one.id for one in found.past["mara"]] == [f"th:mara:{HOUR + 2}"]
    assert len(found.ignored) == 2
    assert faults(found) == []


def test_an_event_at_the_time_of_a_state_that_tells_of_it_happened() -> None:
    number = f"ev:mara:{HOUR}:0"
    acting = Contribution(
        start_us=HOUR, end_us=2 * HOUR, type="noise", event=number, chan={"noise": 1.0}
    )
    state = to_json(msgspec.structs.replace(at(MARA, HOUR), active=(acting,)))
    given = {"type": "noise", "db": 60}
    again = people(to_json(MARA), state, apart=(event(at="01:00", **given),))
    assert not again.events["mara"]
    assert [one.field for one in again.ignored] == ["$.id"]
    for lines, apart in (
        ((), (event(**given),)),
        ((event(at="01:00", **given),), ()),
        ((), (event(at="01:01", **given),)),
    ):
        assert people(to_json(MARA), state, *lines, apart=apart).events["mara"]


def test_events_before_all_states_of_a_person_or_behind_them_are_not_past() -> None:
    late = event(type="toilet", t_us=HOUR)
    for lines in ((late, *mara(), mara(2 * HOUR)[1]), (*mara(), mara(2 * HOUR)[1], late)):
        assert "late_event" in faults(people(*lines))[0]


@each_row(
    ("line", "fault"),
    [
        (to_json(EVE), 'expected event or thought, got "person"'),
        (mara()[1], 'expected event or thought, got "state"'),
        (b'{"type":"wake"}', "missing"),
        (b'{"kind":"evnt","type":"wake"}', 'expected event or thought, got "evnt"; did you mean'),
        (b'{"kind":"salience","person":"mara","t_us":0}', 'expected event or thought, got "sal'),
    ],
)
def test_every_line_of_a_file_of_events_is_one(line: bytes, fault: str) -> None:
    found = people(*mara(), apart=(line,))
    assert len(found.refused) == 1
    assert faults(found)[0].startswith(f"b:1: $.kind: {fault}")


def thought(t_us: int) -> bytes:
    made = Thought(
        person="mara",
        t_us=t_us,
        id=f"th:mara:{t_us}",
        mode="react",
        content="I can't stop thinking.",
        labels=("rumination",),
    )
    return to_json(made)


def test_a_thought_of_the_past_is_looked_back_on_and_passes() -> None:
    found = people(*mara(), thought(HOUR - 1))
    assert [one.id for one in found.past["mara"]] == [f"th:mara:{HOUR - 1}"]
    assert not found.events["mara"]
    assert found.pieces[2] == thought(HOUR - 1)


def test_a_new_thought_happens_and_passes_too() -> None:
    found = people(*mara(), thought(HOUR + 1))
    (only,) = found.events["mara"]
    assert (only.type, only.labels, only.id) == ("thought", ("rumination",), f"th:mara:{HOUR + 1}")
    assert found.pieces[2] == thought(HOUR + 1)
    assert found.passing == {only.id}


def test_a_thought_of_a_file_of_events_happens_and_is_not_written_again() -> None:
    found = people(*mara(), apart=(thought(HOUR + 1),))
    assert len(found.events["mara"]) == 1
    assert found.pieces[2] == b""
    assert not found.passing


def test_a_thought_that_is_written_again_has_to_say_when_it_was() -> None:
    said = b'{"kind":"thought","labels":["rumination"]}'
    assert faults(people(*mara(), said)) == ["a:3: $.t_us: missing"]
    (only,) = people(*mara(), apart=(said,)).events["mara"]
    assert (only.t_us, only.id) == (HOUR, f"th:mara:{HOUR}")


def test_stops_are_where_states_are_told_and_where_somebody_looks() -> None:
    assert list(run_stops(0, 100, every_us=40, within_us=None)) == [
        RunStop(40, told=True),
        RunStop(80, told=True),
        RunStop(100, told=True),
    ]
    near = list(run_stops(5, 50, every_us=40, within_us=20))
    assert near == [
        RunStop(20, told=False),
        RunStop(40, told=True),
        RunStop(50, told=True),
    ]
