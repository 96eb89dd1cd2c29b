"""Filters over lines about persons: what they read, what they add, and what they leave alone."""

import json
import math

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.person.calendar import instant_us
from mindpipe.person.lines import LinePlace, read_partial
from mindpipe.person.mind.felt import with_felt
from mindpipe.person.mind.salience import Salience, Sense
from mindpipe.person.records.person import PersonSettings
from mindpipe.person.records.state import PersonState
from mindpipe.person.verbs.salience import SalienceWatch
from support.command import Mind
from support.lone_life import happening, person
from support.persons import aware
from support.tables import each_row

SECOND = 1_000_000
HERE = LinePlace("here", 1)


def state(t_us: int = 0, *, awake: bool = True, **more: object) -> PersonState:
    """Return a state of which only some readouts are said; others of its parts go under `mind`."""
    mind = more.pop("mind", {})
    line = {"kind": "state", "person": "ann", "t_us": t_us, "read": more, "mind": mind}
    if not awake:
        line["flags"] = {"awake": False, "since_us": 0}
    found = read_partial(json.dumps(line).encode(), HERE)
    assert found is not None
    assert isinstance(found.record, PersonState)
    return found.record


def test_the_worked_value_of_salience() -> None:
    watch, settings = SalienceWatch(), PersonSettings()
    for t_us in (0, 599 * SECOND):
        watch.salience(state(t_us, arousal=0.27, attention=-0.3), settings)
    found = watch.salience(state(600 * SECOND, arousal=0.70, attention=-0.3), settings)
    assert found is not None
    assert math.isclose(found.salience, 0.628429, rel_tol=1e-6)
    assert found.trigger is not None
    assert (found.trigger.dim, found.trigger.dir) == ("arousal", "+")
    assert found.trigger.text == "your heart is suddenly racing"


def test_a_watch_goes_on_from_what_the_first_state_says_of_salience() -> None:
    salience = Salience()
    salience.evaluate(0, Sense(pain=0.0, arousal=0.25, valence=0.0, energy=0.5))
    known = {"salience": json.loads(json.dumps(_plain(salience)))}
    fresh = SalienceWatch().salience(state(SECOND, pain=0.5), PersonSettings())
    going_on = SalienceWatch().salience(state(SECOND, pain=0.5, mind=known), PersonSettings())
    assert fresh is not None
    assert fresh.trigger is None
    assert going_on is not None
    assert going_on.trigger is not None


def test_being_absorbed_raises_the_threshold_by_the_persons_own_gain() -> None:
    chain = {"chain": {"theme": "pain", "n": 5, "last_us": 0}}
    thresholds = []
    for gain in (0.0, 0.15, 0.3):
        watch = SalienceWatch()
        settings = PersonSettings(absorption_gain=gain)
        found = watch.salience(state(0, mind=chain), settings)
        assert found is not None
        thresholds.append(round(found.threshold, 12))
    assert thresholds == [0.3, 0.45, 0.6]


def test_somebody_asleep_notices_nothing_and_wakes_unnoticed() -> None:
    watch, settings = SalienceWatch(), PersonSettings()
    watch.salience(state(0, arousal=0.3), settings)
    assert watch.salience(state(SECOND, awake=False, arousal=0.05), settings) is None
    woken = watch.salience(state(2 * SECOND, arousal=0.9), settings)
    assert woken is not None
    assert woken.trigger is None


def test_being_pulled_out_of_sleep_is_seen_in_states_of_somebody_aware() -> None:
    population, watch, found = aware([person()]), SalienceWatch(), []
    loud = [happening(at, "noise", db=95.0, dur_us=2 * SECOND) for at in ("00:30", "02:00")]
    population.advance(instant_us("01:59:59"), {"ann": loud})
    for second in range(4):
        (now,) = population.states(read=True)
        found.append(watch.salience(now, PersonSettings()))
        population.advance(instant_us(f"02:00:0{second}"))
    triggers = [line.trigger.text for line in found if line is not None and line.trigger]
    assert triggers == ["you are pulled out of sleep"]


def test_what_a_state_does_not_say_is_not_felt() -> None:
    assert with_felt(state(), timed=False).codes == ("0",)
    assert with_felt(state(pain=0.7), timed=False).codes == ("P1",)
    assert with_felt(state(pain=0.7)).felt == (
        "Something hurts badly; it is hard to think of anything else.",
        "It is night.",
    )


@each_row(
    ("line", "field"),
    [
        (b'{"kind":"state","read":{"arousal":"much"}}', "$.read.arousal"),
        (b'{"kind":"state","read":{"panic":1.0}}', "$.read.panic"),
        (b'{"kind":"state","reads":{}}', "$.reads"),
        (b'{"kind":"state","read":{"arousal":NaN}}', "$.read.arousal"),
        (b'{"kind":"thought"}', "$.content"),
        (b'{"kind":"thought","content":"a","mode":"dream"}', "$.mode"),
    ],
)
def test_what_a_line_says_must_be_right(line: bytes, field: str) -> None:
    with pytest.raises(BadInputError) as caught:
        read_partial(line, HERE)
    assert caught.value.problems[0].field == field


def test_lines_of_other_kinds_pass_byte_for_byte(mind: Mind) -> None:
    lines = b'{"kind":"note",  "x": 1.50}\n[1,  2]\n{"a":"\\u00e9"}\n'
    odd = lines.replace(b"[1,  2]\n", b"")
    for command in ("salience", "feel"):
        assert mind(command, stdin=odd).stdout == odd
        assert mind.run(command, stdin=lines).status == 65


def test_whole_states_are_written_as_they_were_with_what_is_felt_behind(mind: Mind) -> None:
    whole = mind("simulate", "new", "--name", "Ann").stdout
    person, line = whole.splitlines()
    felt = mind("feel", stdin=whole).stdout.splitlines()
    assert felt[0] == person
    assert felt[1].startswith(line.removesuffix(b"}") + b',"felt":["')
    assert mind("feel", stdin=b"\n".join(felt)).stdout.splitlines() == felt
    salience = mind("salience", stdin=whole).stdout
    assert salience == whole, "who is asleep has no salience"


def test_lines_are_written_while_more_are_to_come(mind: Mind) -> None:
    line = b'{"kind":"state","read":{"pain":0.0},"t_us":%d}\n'
    with mind.start("salience", "--json") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for second in range(400):
            running.stdin.write(line % (second * SECOND))
        running.stdin.flush()
        first = running.stdout.readline()
        assert first == line % 0, "before the input has ended"
        running.communicate()
    assert running.returncode == 0


def _plain(salience: Salience) -> dict[str, object]:
    """Return what salience is compared with, as it stands in a state."""
    import msgspec

    found: dict[str, object] = msgspec.to_builtins(salience.record())
    return found
