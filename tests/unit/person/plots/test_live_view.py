"""What is seen of a person on a terminal while it lives."""

import msgspec

from mindpipe.core.records import to_json
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.plots.live_view import REVIEW, SAID, LiveView
from mindpipe.person.records.episode import Episode, LifeSituation
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import Thought
from mindpipe.review.records import ReviewNote

HOUR = 3_600_000_000
MARA, EVE = Person(person="mara", name="Mara"), Person(person="eve", name="Eve")


def state_of(person: Person, t_us: int) -> PersonState:
    """Return how a person is after an undisturbed time."""
    population = Population([person], [first_state(person)])
    population.advance(t_us)
    return population.states(read=True)[0]


def thought(t_us: int, content: str, person: str = "mara") -> bytes:
    id_ = f"th:{person}:{t_us}"
    made = Thought(person=person, t_us=t_us, id=id_, mode="react", content=content)
    return to_json(made)


def seen_with(*lines: bytes) -> list[tuple[str, str]]:
    seen = LiveView(0, 12 * HOUR)
    for line in lines:
        seen.take(line)
    return seen.lines()


def test_a_state_is_seen_as_it_feels_and_what_it_wants() -> None:
    read = to_json(state_of(MARA, 9 * HOUR))
    words = [line for line, _ in seen_with(read)]
    assert words[0] == "mara, 09:00:00, awake"
    assert words[1].startswith("  wants: ")
    assert "  It is morning." in words
    names = [line.split()[0] for line in words if line[:9].strip() in ("arousal", "cortisol")]
    assert names == ["arousal", "cortisol"]


def test_the_bar_shows_simulated_time() -> None:
    *_, (bar, _) = seen_with(to_json(state_of(MARA, 9 * HOUR)))
    assert bar == "━" * 30 + "─" * 10 + "  75% to 12:00:00"


def test_curves_grow_with_states() -> None:
    lines = seen_with(*(to_json(state_of(MARA, hour * HOUR)) for hour in (3, 6, 9)))
    (arousal,) = [line for line, _ in lines if line.lstrip().startswith("arousal")]
    assert len(arousal.split()[1]) == 25, "from the 13th column, 3:00, to the 37th, 9:00"


def test_everything_fits_a_narrow_terminal_with_its_figures_whole() -> None:
    seen = LiveView(0, 12 * HOUR)
    for hour in (0, 3, 6, 9):
        seen.take(to_json(state_of(MARA, hour * HOUR)))
    words = [line for line, _ in seen.lines(40)]
    assert max(map(len, words)) <= 40
    curves = [line.split() for line in words if line.lstrip().startswith(("arousal", "cortisol"))]
    assert [len(curve) for _, curve, _ in curves] == [17, 17]
    assert [float(value) > 0 for *_, value in curves] == [True, True]
    assert words[-1] == "━" * 17 + "─" * 6 + "  75% to 12:00:00"


def test_thoughts_are_seen_as_they_come_and_only_the_latest() -> None:
    first = to_json(state_of(MARA, HOUR))
    lines = seen_with(first, *(thought(n * 1_000_000, f"Thought {n}.") for n in range(20)))
    said = [line for line, _ in lines if "Thought" in line]
    assert len(said) == SAID
    assert said[-1] == "00:00:19 react       Thought 19."


def test_a_note_of_the_observer_is_in_magenta() -> None:
    note = ReviewNote(person="mara", t_us=HOUR, content="Calm.", thoughts=(), model="m")
    lines = seen_with(to_json(state_of(MARA, HOUR)), to_json(note), thought(HOUR, "Hm."))
    assert (f"01:00:00 {REVIEW:<11} Calm.", "magenta") in lines
    assert ("01:00:00 react       Hm.", "") in lines


def test_others_are_counted_and_not_seen() -> None:
    mara, eve = (to_json(state_of(one, HOUR)) for one in (MARA, EVE))
    words = [line for line, _ in seen_with(mara, eve, thought(HOUR, "I am Eve.", "eve"))]
    assert words[0] == "mara and 1 more, 01:00:00, asleep"
    assert not [line for line in words if "I am Eve." in line]


def test_what_a_model_wrote_cannot_move_the_cursor() -> None:
    odd = "Hm.\x1b[2J\nAnd \u202eso."
    words = [line for line, _ in seen_with(to_json(state_of(MARA, HOUR)), thought(HOUR, odd))]
    assert "01:00:00 react       Hm. And so." in words


def test_a_state_without_readouts_and_other_lines_are_no_fault() -> None:
    bare = msgspec.structs.replace(state_of(MARA, HOUR), read=msgspec.UNSET)
    words = [line for line, _ in seen_with(to_json(bare), b'{"text":"hello"}')]
    assert words[0] == "mara, 01:00:00, asleep"
    assert len(words) == 2


def test_where_somebody_is_and_what_happened_are_seen() -> None:
    state = state_of(MARA, 9 * HOUR)
    situation = LifeSituation(place="at home", company=("Ben", "Eve"), activity="cooking")
    heard = Episode(
        id="ev:1",
        t_us=8 * HOUR,
        until_us=8 * HOUR,
        type="speech",
        text="Are you\x1b[2J hurt?",
        source="Ben",
        noticed_us=8 * HOUR,
    )
    fell = Episode(
        id="ev:2",
        t_us=9 * HOUR,
        until_us=9 * HOUR,
        type="injury",
        text="you fell on the stairs",
        count=2,
    )
    mind = msgspec.structs.replace(state.mind, situation=situation, episodes=(fell, heard))
    lines = seen_with(to_json(msgspec.structs.replace(state, mind=mind)))
    words = [line for line, _ in lines]
    assert "  is at home, with Ben and Eve, cooking" in words
    assert ("08:00:00 ◆ Ben: Are you hurt?", "green") in lines
    assert ("09:00:00 ◆ you fell on the stairs (2 times)", "dim") in lines
