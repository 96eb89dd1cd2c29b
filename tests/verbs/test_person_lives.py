"""Lives of persons: lived again from what they heard, parted at an instant, compared."""

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.core.errors import UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.records import to_json
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import SeededChance
from mindpipe.life.persons.course import PersonCourse, course_of_lines, faults_of_course
from mindpipe.life.persons.records import PersonDifference, PersonReplayed
from mindpipe.life.verbs import kept_person
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import persons as person_lives
from mindpipe.life.verbs.relived import relived
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.lives import Lives
from mindpipe.person.records.event import HOUR_US, PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import LivedTick, Thought, VoiceError, VoiceRequest
from mindpipe.person.verbs import persons, simulate
from mindpipe.person.voice.composed import NAME, composed
from mindpipe.person.voice.speech import Speakers, Words, request_hash
from mindpipe.store.access import open_store
from mindpipe.store.sqlite import SqliteStore
from support.command import Mind
from support.fakes import FixedClock
from support.stores import store_at

pytestmark = pytest.mark.of_a_file  # its lives are copied as files

MODEL = "program:./voice"
FAILS_AT = 7
MINUTE_US = HOUR_US // 60
BEGIN_US, END_US = 8 * HOUR_US, 9 * HOUR_US
FALL = PersonEvent(
    v=1,
    person="mara",
    t_us=BEGIN_US + 25 * MINUTE_US,
    id="fall",
    type="injury",
    cls="fracture",
    nrs=7.0,
    text="You fall down the stairs and your wrist breaks.",
)
CLOCK, CHANCE = FixedClock(), SeededChance(3)


class Said:
    """Voices of which the model says what hangs on each octet of the request, and fails once."""

    def __init__(self) -> None:
        self.asked = 0

    def of(self, name: str) -> Callable[[VoiceRequest], str]:
        return composed if name == NAME else self._say

    def _say(self, asked: VoiceRequest) -> str:
        self.asked += 1
        if self.asked == FAILS_AT:
            raise VoiceError("nobody is there", error_class="unavailable")
        return f"I think of {request_hash(asked)[:6]}."


def speakers(model: str, said: Said | None = None) -> Speakers:
    return Speakers(said or Said(), model=model)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which Mara lived for an hour, by a model and by herself, and fell."""
    path = tmp_path_factory.mktemp("lived") / "mind.db"
    first, second = simulate.new([Person(person="mara", name="Mara", seed=7)], at_us=BEGIN_US)
    with contextlib.closing(store_at(path)) as store:
        simulate.settle(store, CLOCK, CHANCE, lines=[first, second])
        _live(store, speakers(MODEL), [20, 30])
        said = NewEvent(agent="mara", text="Are you hurt?", sender="jonas")
        push_events(store, CLOCK, CHANCE, events=[said], bounds=Bounds())
        _live(store, speakers(NAME), [40], max_calls=200)
        _live(store, None, [45])
        _live(store, speakers(MODEL), [60])
    return path


def _live(
    store: SqliteStore, speaking: Speakers | None, minutes: list[int], **settings: int
) -> None:
    kept = persons.load(store, person="mara")
    who = kept.person
    changed = msgspec.structs.replace(
        who, settings=msgspec.structs.replace(who.settings, **settings)
    )
    mara = persons.Resident(store, CLOCK, lived=kept, speaking=speaking, changed=changed)
    if mara.t_us < FALL.t_us:
        mara.expect([FALL])
    for minute in minutes:
        ahead = mara.ahead(BEGIN_US + minute * MINUTE_US)
        mara.keep(ahead, mara.live(ahead).tick)


@pytest.fixture
def store(lived: Path, tmp_path: Path) -> Iterator[SqliteStore]:
    copy = tmp_path / "mind.db"
    shutil.copy(lived, copy)
    copy.chmod(0o600)
    with contextlib.closing(open_store(copy)) as opened:
        yield opened


def course(store: SqliteStore) -> PersonCourse:
    return kept_person.course(store, person="mara")


def replayed(lived: PersonCourse) -> tuple[list[PersonDifference], PersonReplayed]:
    again = person_lives.PersonReplay(lived)
    found = list(again.differences())
    assert again.verdict is not None
    return found, again.verdict


def test_a_life_comes_out_as_it_was_lived(store: SqliteStore) -> None:
    kept = course(store)
    assert {one.voice for one in kept.ticks} == {MODEL, NAME, ""}
    assert len(kept.failures) == 1
    found, verdict = replayed(kept)
    assert found == []
    assert verdict.equal
    assert verdict.ticks == kept.tick == 5
    assert verdict.thoughts == len(kept.thoughts)
    assert verdict.replies == sum(len(one.replies) for one in kept.ticks) > 3


def test_a_life_file_is_lived_again(store: SqliteStore) -> None:
    octets = b"".join(lives.export(store, CLOCK, agent="mara"))
    reader = lives.opened([octets], name="mara.life")
    assert reader.manifest.person is True
    assert replayed(person_lives.course_of_file(reader))[0] == []


def _other_words(one: PersonCourse) -> PersonCourse:
    """Return a life in which a word of a thought is another."""
    *rest, last = one.thoughts
    return one._replace(thoughts=[*rest, msgspec.structs.replace(last, content="Other words.")])


def _without_reply(one: PersonCourse) -> PersonCourse:
    first, *rest = one.ticks
    return one._replace(ticks=[msgspec.structs.replace(first, replies=first.replies[1:]), *rest])


def _without_event(one: PersonCourse) -> PersonCourse:
    return one._replace(
        ticks=[
            msgspec.structs.replace(each, events=tuple(i for i in each.events if i != "fall"))
            for each in one.ticks
        ]
    )


def _without_thought(one: PersonCourse) -> PersonCourse:
    return one._replace(thoughts=one.thoughts[:-1])


def _other_body(one: PersonCourse) -> PersonCourse:
    flags = msgspec.structs.replace(one.state.flags, since_us=one.state.flags.since_us + 1)
    return one._replace(state=msgspec.structs.replace(one.state, flags=flags))


def _other_seed(one: PersonCourse) -> PersonCourse:
    first, *rest = one.versions
    return one._replace(
        versions=[first._replace(person=msgspec.structs.replace(first.person, seed=8)), *rest]
    )


@pytest.mark.parametrize(
    ("change", "what", "tick"),
    [
        (_other_words, "thought", 5),
        (_without_reply, "prompt", 1),
        (_without_event, "thought", 2),
        (_without_thought, "thought", 5),
        (_other_body, "state", 5),
        (_other_seed, "prompt", 1),
    ],
)
def test_what_is_changed_is_told_at_its_tick(
    store: SqliteStore, change: Callable[[PersonCourse], PersonCourse], what: str, tick: int
) -> None:
    (found, *_), verdict = replayed(change(course(store)))
    assert (found.what, found.tick) == (what, tick)
    assert not verdict.equal


def test_a_changed_prompt_is_told(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a program that asks in other words than then."""
    asked = "mindpipe.life.verbs.relived.request_hash"
    monkeypatch.setattr(asked, lambda one: request_hash(msgspec.structs.replace(one, user="?")))
    (found,), _ = replayed(course(store))
    assert (found.what, found.tick) == ("prompt", 1)
    assert found.then is not None


def test_a_fork_has_the_same_past(store: SqliteStore, tmp_path: Path) -> None:
    kept = course(store)
    at_us = BEGIN_US + 33 * MINUTE_US
    fork = person_lives.PersonFork(kept, at_us=at_us)
    theirs = _forked(store, fork, tmp_path / "eva.db")
    assert theirs.state.t_us == at_us
    assert theirs.thoughts == [one for one in kept.thoughts if one.t_us <= at_us]
    assert theirs.events == [one for one in kept.events if one.t_us <= at_us]
    with contextlib.closing(open_store(tmp_path / "eva.db")) as other:
        # It lives on with its own events, and what it lived can be lived again.
        _live(other, speakers(NAME), [50])
        found, verdict = replayed(course(other))
    assert found == []
    assert verdict.ticks == 4


def _forked(store: SqliteStore, fork: person_lives.PersonFork, into: Path) -> PersonCourse:
    lives.fork(
        store,
        CLOCK,
        CHANCE,
        agent="mara",
        cycle=None,
        into=into,
        change=AgentChange(day_micros=1),
        terms=lives.ForkTerms(begin=partial(person_lives.begin_fork, fork=fork)),
    )
    with contextlib.closing(open_store(into)) as other:
        return course(other)


def test_every_instant_can_be_forked_at(store: SqliteStore) -> None:
    kept = course(store)
    for minute in range(0, 61, 7):
        at_us = BEGIN_US + minute * MINUTE_US
        theirs = person_lives.PersonFork(kept, at_us=at_us).lived
        assert theirs.thoughts == [one for one in kept.thoughts if one.t_us <= at_us]
        assert replayed(theirs)[0] == [] if theirs.ticks else minute == 0


def test_the_week_without_the_fall(store: SqliteStore, tmp_path: Path) -> None:
    kept, said = course(store), Said()
    said.asked = FAILS_AT
    speaking = speakers(MODEL, said)
    speaking.thinker(kept.person)
    asked_of: list[str] = []

    def ask(one: VoiceRequest, voice: str) -> Words:
        asked_of.append(voice)
        return speaking.speak([one])[0]

    fork = person_lives.PersonFork(kept, at_us=None, without=("fall",), ask=ask)
    theirs = _forked(store, fork, tmp_path / "eva.db")
    assert [one.id for one in theirs.events] == [e.id for e in kept.events if e.id != "fall"]
    # Until then all is as it was, and what is asked alike is not asked again.
    before = [one for one in kept.thoughts if one.t_us < FALL.t_us]
    assert theirs.thoughts[: len(before)] == before
    assert fork.asked == said.asked - FAILS_AT > 0
    assert set(asked_of) == {MODEL}, "the voice that she had then, whatever is her own"
    assert replayed(theirs)[0] == []
    found = list(person_lives.diff(person_lives.seen(kept), person_lives.seen(theirs)))
    assert (found[0].what, found[0].key) == ("parting", "08:25:00")
    kinds = {(one.what, one.key, one.change) for one in found}
    assert ("event", "fall", "only_first") in kinds
    assert ("body", "pain", "changed") in kinds
    (pain,) = [one for one in found if one.key == "pain"]
    assert pain.first is not None
    assert pain.second is not None
    assert pain.first["value"] > pain.second["value"] == 0


def test_a_life_is_the_same_as_itself(store: SqliteStore) -> None:
    one = person_lives.seen(course(store))
    assert list(person_lives.diff(one, one)) == []


@pytest.mark.parametrize("minute", [0, 14, 20, 24, 33, 60])
def test_a_life_that_went_on_is_shown_as_it_was_at_an_instant(
    store: SqliteStore, minute: int
) -> None:
    """Given a life of which people set something where its second run began, at 30 past."""
    kept = course(store)
    at_us = BEGIN_US + minute * MINUTE_US
    then = person_lives.seen(kept, at_us=at_us)
    assert (then.state.t_us, then.states[-1].t_us) == (at_us, at_us)
    assert (then.person.settings == kept.person.settings) is (minute > 30)
    theirs = person_lives.PersonFork(kept, at_us=at_us).lived
    assert list(person_lives.diff(then, person_lives.seen(theirs))) == []
    assert (list(person_lives.diff(then, person_lives.seen(kept))) == []) is (at_us == END_US)


@pytest.mark.heavy
def test_what_was_learnt_later_is_not_shown(mind: Mind) -> None:
    """Given a day with a fall, by which she learns something of herself later on."""
    fall = {"type": "injury", "class": "fracture", "nrs": 8, "text": "You break your wrist."}
    said = {"type": "speech", "text": "I am so sorry.", "from": "Jo", "valence": 0.6}
    day = ({"at": "09:30", **fall}, {"at": "18:00", **said, "closeness": 0.9})
    lines = "".join(f"{json.dumps({'kind': 'event', **one})}\n" for one in day)
    (mind.folder / "day.jsonl").write_text(lines)
    born = mind("simulate", "new", "--name", "Mara", "--seed", "7").stdout
    run = ("simulate", "run", "--until", "1d", "--events", "day.jsonl")
    (mind.folder / "lived.jsonl").write_bytes(mind(*run, stdin=born).stdout)
    mind("init")
    mind("life", "import", "lived.jsonl")
    learnt = mind("life", "diff", "mara@12:00", "mara").records()
    assert any(one["what"] == "identity" for one in learnt), "there is something to be shown"
    mind("life", "fork", "mara", "--at", "12:00", "--as", "noon")
    assert mind.run("life", "diff", "mara@12:00", "noon.db").status == 3


def test_how_somebody_was_is_not_made_up(store: SqliteStore) -> None:
    """Given a life of which not every reply is kept, and an instant that has not come."""
    kept = course(store)
    with pytest.raises(UsageError, match="has lived until 09:00:00 only"):
        person_lives.seen(kept, at_us=END_US + 1)
    with pytest.raises(UsageError, match="how mara was at 08:33:00 is not known"):
        person_lives.seen(_without_reply(kept), at_us=BEGIN_US + 33 * MINUTE_US)


def test_lines_without_a_kind_are_without_it_at_any_instant(store: SqliteStore) -> None:
    kept = course(store)
    lines = kept._replace(of_lines=True, memories=())
    then = person_lives.seen(lines, at_us=BEGIN_US + 33 * MINUTE_US)
    assert list(then.memories) == []
    assert then.thoughts


def test_what_never_was_is_refused(store: SqliteStore) -> None:
    kept = course(store)
    with pytest.raises(UsageError, match="did you mean fall"):
        person_lives.PersonFork(kept, at_us=None, without=("fal",))
    with pytest.raises(UsageError, match="has lived until 09:00:00 only"):
        person_lives.PersonFork(kept, at_us=END_US + 1)
    with pytest.raises(UsageError, match="before 08:00:00 is not known"):
        person_lives.PersonFork(kept, at_us=BEGIN_US - 1)


def test_a_life_of_before_ticks_were_kept_begins_where_they_are(store: SqliteStore) -> None:
    store.connection.execute("DELETE FROM person_tick")
    assert course(store).begin() is None
    _live(store, speakers(NAME), [65, 70])
    found, verdict = replayed(course(store))
    assert found == []
    assert (verdict.before, verdict.ticks) == (5, 2)


def test_lines_are_lived_again_and_taken_up(store: SqliteStore, tmp_path: Path) -> None:
    kept = course(store)
    states: list[PersonState] = [kept.states[0]]
    thoughts: list[Thought] = []
    (_, first), *_ = kept.versions
    ticks = [one for one in relived(kept, grid_us=5 * MINUTE_US) if one.then.tick <= 2]
    for one in ticks:
        states.append(one.tick.state)
        thoughts += [had for had in one.tick.happenings if isinstance(had, Thought)]
    failures = kept.failures
    (lines,) = course_of_lines([first, *states, FALL, *failures, *thoughts])
    assert replayed(lines)[0] == []
    with contextlib.closing(store_at(tmp_path / "new.db")) as other:
        came = person_lives.import_(other, CLOCK, CHANCE, lived=lines)
        assert came.thoughts == len(thoughts)
        assert replayed(course(other))[0] == []
        assert to_json(course(other).state) == to_json(lines.state)


@pytest.mark.heavy
def test_a_voice_that_fails_all_day_is_lived_again_from_lines() -> None:
    class Silent(Said):
        def _say(self, asked: VoiceRequest) -> str:
            raise VoiceError("nobody is there", error_class="unavailable")

    who = Person(person="mara", name="Mara", seed=7)
    lives = Lives([who], [first_state(who)], {}, speakers("program:./none", Silent()))
    records: list[object] = [who, first_state(who)]
    for hours in (2, 9, 12):
        records += lives.live(hours * HOUR_US, {})
        records += lives.states(read=True)
    (lines,) = course_of_lines(records)
    assert len(lines.failures) == 1
    assert replayed(lines)[0] == []


def _with_states(kept: PersonCourse) -> list[LivedTick]:
    """Return the ticks as they are where after each of them the state is kept."""
    return [msgspec.structs.replace(one, kept=True) for one in kept.ticks]


@pytest.mark.parametrize(
    ("what", "left"),
    [
        ("memory", lambda kept: kept._replace(memories=kept.memories[1:])),
        ("memory", lambda kept: kept._replace(memories=())),
        ("tick", lambda kept: kept._replace(ticks=[*kept.ticks[:2], *kept.ticks[3:]])),
        ("tick", lambda kept: kept._replace(ticks=kept.ticks[:-1])),
        ("state", lambda kept: kept._replace(ticks=_with_states(kept), states=kept.states[:1])),
    ],
)
def test_what_is_missing_is_told(
    store: SqliteStore, what: str, left: Callable[[PersonCourse], PersonCourse]
) -> None:
    kept = course(store)
    assert replayed(kept)[0] == []
    assert list(faults_of_course(kept)) == []
    assert [one.what for one in replayed(left(kept))[0]] == [what]


def test_lines_of_a_life_without_thoughts_come_out_the_same(mind: Mind) -> None:
    """Nobody spoke there; what broke into awareness was noticed all the same."""
    born = mind("simulate", "new", "--name", "Mara", "--seed", "7").stdout
    lived = mind("simulate", "run", "--until", "08:00", "--model", "none", stdin=born).stdout
    (mind.folder / "lived.jsonl").write_bytes(lived)
    replayed = mind("life", "replay", "lived.jsonl").record()
    assert (replayed["equal"], replayed["thoughts"]) == (True, 0)


@pytest.mark.parametrize(
    ("at", "untils", "told_to"),
    [
        ("00:00", ["1h"], 0),
        ("00:00", ["20m", "1h"], 0),
        ("00:20", ["20m", "1h"], 0),
        ("00:20", ["20m", "1h"], 1),
        ("00:20", ["20m", "40m", "1h"], 1),
        ("00:21", ["20m", "1h"], 1),
    ],
)
def test_what_happens_at_the_instant_of_a_state_is_lived_again(
    mind: Mind, at: str, untils: list[str], told_to: int
) -> None:
    """At the first instant; or where a run ends, told to that run, or to the one after it."""
    event = f'{{"kind": "event", "at": "{at}", "type": "speech", "text": "I am sorry."}}\n'
    (mind.folder / "events.jsonl").write_text(event)
    lines = mind("simulate", "new", "--name", "Mara", "--seed", "5").text
    for number, until in enumerate(untils):
        told = ("--events", "events.jsonl") if number == told_to else ()
        lines = mind("simulate", "run", *told, "--until", until, stdin=lines).text
    assert '"mode":"respond"' in lines
    (mind.folder / "lived.jsonl").write_text(lines)
    verdict = mind("life", "replay", "lived.jsonl").records()[-1]
    assert (verdict["equal"], verdict["at"]) == (True, "01:00:00")


@pytest.mark.parametrize(("untils", "ticks"), [(["1h"], 6), (["1h", "2h"], 12)])
def test_what_was_pushed_where_a_run_begins_is_lived_again(
    mind: Mind, untils: list[str], ticks: int
) -> None:
    mind("init")
    mind("simulate", "new", "--name", "Mara", "--store", "mind.db")
    for until in untils:
        mind("inbox", "push", "--agent", "mara", "--text", "I am sorry.")
        mind("simulate", "run", "--until", until, "--store", "mind.db")
    mind("life", "export", "mara", "--output", "mara.life")
    verdict = mind("life", "replay", "mara.life").records()[-1]
    assert (verdict["equal"], verdict["ticks"]) == (True, ticks)
