"""Questions to a population are answered as by whoever reads all that was exported of it."""

import json
import math
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np
import pytest

from mindpipe.core.errors import NothingToDoError, UnavailableError, UsageError
from mindpipe.core.records import to_json
from mindpipe.person.calendar import DAY_US
from mindpipe.person.life.birth import Birth, first_state, new_persons
from mindpipe.person.life.people import InputLine
from mindpipe.person.life.population import Population
from mindpipe.person.life.population_folder import PopulationFolder
from mindpipe.person.life.reading_files import published
from mindpipe.person.life.readings import Readings
from mindpipe.person.life.shard_file import LivingShard, read_shard
from mindpipe.person.life.shard_runner import ShardProcesses, tick_shard
from mindpipe.person.life.shard_worker import ShardWorker
from mindpipe.person.lines import LinePlace
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.records.person import AGE_YEAR_US, Person
from mindpipe.person.records.state import PersonState, Readouts
from mindpipe.person.verbs import populations
from mindpipe.person.verbs.populations import StatsQuestion
from mindpipe_cli.populations import QUESTIONS as NAMED
from support.command import BIN, ROOT, Mind, clean_environment
from support.lone_life import happening
from support.populations import make_population

pytestmark = pytest.mark.heavy

dataset = pytest.importorskip("pyarrow.dataset", reason="persons in columns need the extra arrow")
pytest.importorskip("duckdb", reason="questions need the extra stats")
COUNT = 9
Step = dict[str, PersonState]


def _ignore(done: int, total: int) -> None:
    assert done <= total


def _tick(folder: Path, dt_us: int, *, jobs: int = 1, every_us: int | None = HOUR_US) -> None:
    populations.tick(
        folder,
        to_us=None,
        dt_us=dt_us,
        runner=ShardProcesses(jobs),
        advance=_ignore,
        every_us=every_us,
    )


def _ask(folder: Path, name: str = "overview", *where: str, sql: str | None = None) -> list[dict]:
    with populations.stats(folder, StatsQuestion(name, where, sql), advance=_ignore) as answer:
        rows = list(answer.rows)
        assert all(tuple(row) == answer.columns for row in rows)
    return rows


def _begun() -> Population:
    """Return persons who hear hard words, of whom some have company then, and who work late."""
    persons = [
        msgspec.structs.replace(one, loneliness_trait=0.9 if place % 2 else 0.2)
        for place, one in enumerate(new_persons(Birth(count=COUNT, seed=5)))
    ]
    # One of them turns 40 while they are read, and of three nobody knows how old they are.
    for place, years in enumerate((17.9, 25, 30, 44.5, 40, 89)):
        born_us = -round(years * AGE_YEAR_US) + (2 * DAY_US if years == 40 else 0)
        persons[place] = msgspec.structs.replace(persons[place], born_us=born_us)
    population = Population(persons, [first_state(one) for one in persons])
    lost = {
        one.person: [happening("1d08:30", "speech", to=one.person, text="I leave.", valence=-1.0)]
        for one in persons[:6]
    }
    late = happening("1d08:45", "task", to=persons[8].person, load=0.7, dur_us=20 * HOUR_US)
    for number, one in enumerate(persons[:3], 1):
        good = 0.03 / number
        met = happening("1d08:50", "contact", to=one.person, quality=good, dur_us=DAY_US)
        lost[one.person].append(met)
    population.advance(DAY_US + 9 * HOUR_US, {**lost, persons[8].person: [late]})
    return population


def _lines(persons: list[Person], states: list[PersonState]) -> list[InputLine]:
    whole = (to_json(one) for pair in zip(persons, states, strict=True) for one in pair)
    return [InputLine(LinePlace("stdin", row), octets) for row, octets in enumerate(whole, 1)]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Step]]:
    """Return a folder that was read every hour of two days, and its export at each of them."""
    folder = tmp_path_factory.mktemp("stats") / "town"
    stepped = folder.with_name("stepped")
    population = _begun()
    populations.import_(folder, _lines(population.persons, population.states()))
    populations.import_(stepped, _lines(population.persons, population.states()))
    for hours in (7, 41):
        _tick(folder, hours * HOUR_US)
    steps = []
    for _ in range(48):
        _tick(stepped, HOUR_US, every_us=None)
        lines = populations.export(stepped, None, read=True)
        states = [msgspec.json.decode(line, type=PersonState) for line in list(lines)[1::2]]
        steps.append({one.person: one for one in states})
    return folder, steps


def _read(state: PersonState) -> Readouts:
    assert isinstance(state.read, Readouts)
    return state.read


def _states(steps: list[Step]) -> Iterator[PersonState]:
    for step in steps:
        yield from step.values()


def test_the_questions_of_the_command_are_those_that_there_are() -> None:
    from mindpipe.person.stats.tables import QUESTIONS

    assert tuple(QUESTIONS) == NAMED


def test_without_the_extra_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(UnavailableError, match=r"need the extra stats: pip install '\.\[stats\]'"):
        _ask(tmp_path)


def test_a_reading_is_the_state_of_that_instant(town: tuple[Path, list[Step]]) -> None:
    folder, steps = town
    rows = _ask(folder, sql="select * from readings order by t_us, person")
    expected = sorted(_states(steps), key=lambda one: (one.t_us, one.person))
    assert len(rows) == len(expected) == 48 * COUNT
    for row, state in zip(rows, expected, strict=True):
        read = _read(state)
        assert (row["t_us"], row["person"]) == (state.t_us, state.person)
        assert (row["awake"], row["since_us"]) == (state.flags.awake, state.flags.since_us)
        assert row["isolation_phase"] == read.isolation_phase
        assert row["event_us"] == state.mind.event_us
        for name in ("valence", "arousal", "energy", "stress", "sleepiness", "isolation"):
            assert row[name] == np.float32(getattr(read, name))


def test_persons_are_as_they_are_exported(town: tuple[Path, list[Step]]) -> None:
    folder, steps = town
    for row in _ask(folder, sql="select * from persons"):
        state = steps[-1][row["person"]]
        assert row["t_us"] == state.t_us
        assert row["mode_iso"] == state.modes.iso
        assert (row["coping_1"], row["coping_2"]) == ((*state.psyche.coping, None, None)[:2])
        assert row["distortions"] == list(state.psyche.distortions)
        assert row["mind"] is None or msgspec.json.decode(row["mind"])


def test_mood_by_hour_is_the_mean_of_those_awake(town: tuple[Path, list[Step]]) -> None:
    folder, steps = town
    rows = _ask(folder, "mood-by-hour")
    assert [row["hour"] for row in rows] == list(range(24))
    for row in rows:
        some = [one for one in _states(steps) if one.t_us // HOUR_US % 24 == row["hour"]]
        awake = [_read(one) for one in some if one.flags.awake]
        assert (row["readings"], row["awake"]) == (len(some), len(awake))
        for name in ("valence", "arousal", "energy", "stress"):
            mean = fmean(getattr(one, name) for one in awake) if awake else None
            assert row[name] == (None if mean is None else pytest.approx(mean, abs=1e-6))


def test_mood_by_age_is_of_those_who_were_of_it_then(town: tuple[Path, list[Step]]) -> None:
    folder, steps = town
    lines = list(populations.export(folder, None, read=False))[::2]
    everybody = [msgspec.json.decode(line, type=Person) for line in lines]
    born = {one.person: one.born_us for one in everybody}
    together: defaultdict[tuple[int | None, int], list[PersonState]] = defaultdict(list)
    for state in _states(steps):
        born_us, age = born[state.person], None
        if born_us is not msgspec.UNSET:
            age = math.floor((state.t_us - born_us) / AGE_YEAR_US / 10) * 10
        together[age, state.t_us // HOUR_US % 24].append(state)
    rows = {(row["age"], row["hour"]): row for row in _ask(folder, "mood-by-age-and-hour")}
    assert [age for age, hour in rows if hour == 0] == [10, 20, 30, 40, 80, None]
    assert rows.keys() == together.keys()
    for key, some in together.items():
        awake = [_read(one).valence for one in some if one.flags.awake]
        assert (rows[key]["readings"], rows[key]["awake"]) == (len(some), len(awake))
        mean = pytest.approx(fmean(awake), abs=1e-6) if awake else None
        assert rows[key]["valence"] == mean
    assert rows[30, 23]["readings"] == rows[40, 23]["readings"] + 0 == 3
    (grown,) = _ask(folder, "overview", "age>=40")
    assert grown["persons"] == 3


def test_an_age_changes_nothing_that_is_lived(mind: Mind) -> None:
    young = mind("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "1d").stdout
    old = mind("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "1d", "--age", "70-80")
    (person, state), (older, same) = young.splitlines(), old.stdout.splitlines()
    assert same == state
    born_us = msgspec.json.decode(older, type=Person).born_us
    assert isinstance(born_us, int)
    assert 70 <= -born_us / AGE_YEAR_US <= 80
    assert older == b'%b,"born_us":%d}' % (person.removesuffix(b"}"), born_us)
    for wrong in ("90-18", "151", "old", "-1", "nan"):
        done = mind.run("simulate", "new", "--name", "Mara", "--age", wrong)
        assert (done.status, "write years, as 34" in done.words) == (2, True), done.words


def test_conditions_choose_persons_and_readings(town: tuple[Path, list[Step]]) -> None:
    folder, steps = town
    rows = _ask(folder, "mood-by-hour", "loneliness_trait>0.5", "isolation_phase!=none")
    ids = sorted(steps[0])[1::2]
    some = [
        one for one in _states(steps) if one.person in ids and _read(one).isolation_phase != "none"
    ]
    assert some
    assert sum(row["readings"] for row in rows) == len(some)
    assert _ask(folder, "overview", f"person={ids[0]}")[0]["persons"] == 1
    with pytest.raises(UsageError, match="no column hour"):
        _ask(folder, "bad-sleep", "hour=3")


def test_nights_are_as_long_as_states_say(town: tuple[Path, list[Step]]) -> None:
    folder, steps = town
    asleep: defaultdict[str, int] = defaultdict(int)
    for before, now in pairwise(steps):
        for person, state in now.items():
            from_us, since_us = before[person].t_us, state.flags.since_us
            if not 36 * HOUR_US <= from_us < 60 * HOUR_US:
                continue
            turned_us = max(from_us, since_us)
            awake = state.flags.awake
            asleep[person] += (turned_us - from_us) if awake else (state.t_us - turned_us)
    hours = {person: span_us / HOUR_US for person, span_us in asleep.items()}
    (night,) = [row for row in _ask(folder, "sleep-by-night") if row["night"] == 2]
    assert night["persons"] == COUNT
    assert math.isclose(night["hours"], fmean(hours.values()), abs_tol=1e-6)
    assert (night["least"], night["most"]) == (min(hours.values()), max(hours.values()))
    bad = {row["person"]: row["hours"] for row in _ask(folder, "bad-sleep") if row["night"] == 2}
    assert bad == {person: one for person, one in hours.items() if one < 6}
    assert night["short"] == len(bad) > 0


def test_a_night_that_was_read_in_part_is_none(town: tuple[Path, list[Step]]) -> None:
    folder, _ = town
    assert {row["night"] for row in _ask(folder, "sleep-by-night")} == {2}


def test_survival_of_loneliness_is_by_kaplan_and_meier(town: tuple[Path, list[Step]]) -> None:
    folder, steps = town
    ends: list[tuple[int, bool]] = []
    for person, first in steps[0].items():
        event_us = first.mind.event_us
        heard = [step[person] for step in steps]
        if event_us is None:
            continue
        heard = [one for one in heard if one.mind.event_us == event_us]
        lonely = [_read(one).isolation_phase in ("loneliness", "despair") for one in heard]
        if not lonely[0]:
            continue
        end = lonely.index(False) if False in lonely else len(lonely) - 1
        ends.append((math.ceil((heard[end].t_us - event_us) / HOUR_US), False in lonely))
    share, expected = 1.0, []
    for hour in sorted({hour for hour, _ in ends}):
        risk = sum(one >= hour for one, _ in ends)
        ended = sum(one == hour and over for one, over in ends)
        share *= 1 - ended / risk
        expected.append((hour, risk, ended, round(share, 6)))
    rows = _ask(folder, "loneliness-after-event")
    found = [(row["hour"], row["lonely"], row["ended"], row["share"]) for row in rows]
    assert found == expected
    assert {over for _, over in ends} == {False, True}, ends


QUOTE = "'"
_WRITTEN = "copy (select 1) to (current_setting('temp_directory') || '/o.csv')"
"""Writes into the one folder that DuckDB opens by itself, where it has one."""


def test_statements_only_read_and_reach_nothing_else(
    town: tuple[Path, list[Step]], tmp_path: Path
) -> None:
    folder, _ = town
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\n1\n")
    before = {path: path.read_bytes() for path in folder.rglob("*.arrow")}
    for sql in (
        "select * from read_text('/etc/passwd')",
        "select * from '/etc/passwd'",
        f"select * from read_csv('{outside}')",
        f"select * from '{outside}'",
        "select * from glob('/*')",
        "select * from read_text('https://example.org/')",
        f"copy persons to '{tmp_path / 'out.csv'}'",
        f"attach '{tmp_path / 'out.db'}'",
        f"export database '{tmp_path / 'out'}'",
        f"with x as ({_WRITTEN}) select * from x",
        "from json_execute_serialized_sql(json_serialize_sql("
        f"'with x as ({_WRITTEN.replace(QUOTE, 2 * QUOTE)}) select * from x'))",
        "with x as (insert into persons values (1) returning *) select * from x",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "select 1; select 2",
        "drop view persons",
        "create table made as select 1",
        "pragma database_list",
        "select * from folder",
        "nothing",
        "",
    ):
        with pytest.raises(UsageError):
            _ask(folder, sql=sql)
    assert [path.name for path in tmp_path.iterdir()] == ["outside.csv"]
    assert {path: path.read_bytes() for path in folder.rglob("*.arrow")} == before


def test_a_statement_that_never_ends_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindpipe.person.stats.tables.SQL_SECONDS", 0.2)
    folder = tmp_path / "town"
    make_population(folder, Birth(count=2, seed=3), shard=2)
    endless = "select count(*) from range(1000000000000) a, range(1000000000000) b"
    late = f"select 1 from range(5000) union all ({endless})"
    for sql in (endless, late):
        with pytest.raises(UsageError, match=r"longer than 0\.2 seconds"):
            _ask(folder, sql=sql)


def test_what_an_empty_answer_means_is_said(mind: Mind) -> None:
    mind("simulate", "new", "--count", "3", "--seed", "5", "--format", "arrow", "town")
    ticked = mind.run("simulate", "tick", "town", "--dt", "2h", "--every", "1h", "--jobs", "2")
    assert "town has 1 file, which one process works on: --jobs 2 is no faster" in ticked.words
    for name, words in (
        ("sleep-by-night", "no night was read whole, from noon to noon"),
        ("bad-sleep", "nobody slept under 6 hours, or no night was read whole"),
        ("loneliness-after-event", "nobody was read who is lonely after an event"),
    ):
        asked = mind.run("simulate", "stats", "town", name)
        assert (asked.status, asked.stdout, words in asked.words) == (0, b"", True)
    wrong = mind.run("simulate", "stats", "town", "--sql", "select '\udcff'")
    assert (wrong.status, "are not UTF-8" in wrong.words) == (2, True)
    big = "select max(x) from (select x, row_number() over (order by hash(x)) r from range("
    sorted_ = mind.run("simulate", "stats", "town", "--sql", big + "200000000) t(x)) where r > 5")
    assert (sorted_.status, sorted_.words.count("\n")) == (74, 1), sorted_.words
    assert "the answer needs more than 1GB of memory" in sorted_.words


def test_questions_about_readings_need_some(tmp_path: Path) -> None:
    population = _begun()
    populations.import_(tmp_path / "town", _lines(population.persons, population.states()))
    (row,) = _ask(tmp_path / "town")
    assert (row["persons"], row["readings"], row["first_us"]) == (COUNT, 0, None)
    with pytest.raises(NothingToDoError, match="--every 1h keeps some"):
        _ask(tmp_path / "town", "mood-by-hour")


def test_readings_change_no_state_and_do_not_depend_on_processes(tmp_path: Path) -> None:
    read, unread = tmp_path / "read", tmp_path / "unread"
    for folder, every_us, jobs in ((read, HOUR_US, 3), (unread, None, 1)):
        make_population(folder, Birth(count=7, seed=3), shard=3)
        _tick(folder, 8 * HOUR_US, jobs=jobs, every_us=every_us)
    assert [path.read_bytes() for path in sorted(read.glob("*.*"))] == [
        path.read_bytes() for path in sorted(unread.glob("*.*"))
    ]
    assert not (unread / "readings").exists()
    assert _ask(read)[0]["readings"] == 8 * 7


def test_workers_read_step_by_step_and_what_is_not_published_does_not_count(tmp_path: Path) -> None:
    whole, walked = tmp_path / "whole", tmp_path / "walked"
    for path in (whole, walked):
        make_population(path, Birth(count=4, seed=3), shard=4)
    _tick(whole, 6 * HOUR_US)
    folder = PopulationFolder(walked)
    folder.keep(
        msgspec.structs.replace(folder.manifest(), to_us=6 * HOUR_US, every_us=HOUR_US, attempt=2)
    )
    for attempt, hours in ((1, (2,)), (2, (2, 4)), (3, (5,))):
        worker = ShardWorker(str(walked), attempt)
        worker.take(0)
        for hour in hours:
            assert worker.live(hour * HOUR_US).fault is None
            if attempt == 2:
                folder.publish(0, attempt)
    # A worker of an earlier caller comes late, and one was killed before its shard was published.
    stale = Readings(folder.shard(0), 4 * HOUR_US, 5 * HOUR_US, every_us=HOUR_US)
    stale.add(LivingShard(*read_shard(folder.shard(0))).banks()[0])
    stale.keep()
    _tick(walked, 6 * HOUR_US, every_us=None)
    names = sorted(path.name for path in (walked / "readings").iterdir())
    assert names == [
        "00000_0_7200000000.arrow",
        "00000_14400000000_21600000000.arrow",
        "00000_7200000000_14400000000.arrow",
    ]
    rows = "select * from readings order by t_us, person"
    assert _ask(walked, sql=rows) == _ask(whole, sql=rows)


def test_a_tick_that_was_killed_keeps_reading_as_it_began(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for path in (whole, killed):
        make_population(path, Birth(count=4, seed=3), shard=2)
    _tick(whole, 3 * HOUR_US)
    folder = PopulationFolder(killed)
    begun = folder.manifest()
    folder.keep(msgspec.structs.replace(begun, to_us=3 * HOUR_US, every_us=HOUR_US))
    tick_shard(folder.shard(1), until_us=3 * HOUR_US, every_us=HOUR_US)
    assert published(killed, until_us=begun.t_us) == []
    assert len(published(killed, until_us=3 * HOUR_US)) == 1
    with pytest.raises(UsageError, match="was cut short"):
        _ask(killed)
    with pytest.raises(UsageError, match="reads every 3600s; leave --every out"):
        _tick(killed, 3 * HOUR_US, every_us=2 * HOUR_US)
    _tick(killed, 3 * HOUR_US, every_us=None)
    for name in ("population.json", "00000.arrow", "readings/00000_0_10800000000.arrow"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert _ask(killed)[0]["readings"] == 12


@pytest.mark.long
def test_many_are_asked_in_bounded_memory_and_answered_as_their_files_say(tmp_path: Path) -> None:
    folder, count, hours = tmp_path / "city", 60_000, 36
    make_population(folder, Birth(count=count, seed=5, ages=(18, 89)), shard=20_000)
    _tick(folder, hours * HOUR_US, jobs=2)
    read = dataset.dataset(sorted((folder / "readings").iterdir()), format="ipc").to_table()
    assert read.num_rows == count * hours
    hour = read["t_us"].to_numpy() // HOUR_US % 24
    awake, valence = read["awake"].to_numpy(), read["valence"].to_numpy().astype(np.float64)
    asked = {name: _ask_apart(folder, name) for name in NAMED}
    assert (asked["overview"][0]["persons"], asked["overview"][0]["readings"]) == (
        count,
        count * hours,
    )
    for row in asked["mood-by-hour"]:
        those = (hour == row["hour"]) & awake
        assert (row["readings"], row["awake"]) == ((hour == row["hour"]).sum(), those.sum())
        if those.any():
            assert row["valence"] == pytest.approx(valence[those].mean(), abs=1e-6)
    by_age = asked["mood-by-age-and-hour"]
    assert {row["age"] for row in by_age} == {*range(10, 90, 10)}
    assert sum(row["readings"] for row in by_age) == count * hours
    (night,) = asked["sleep-by-night"]
    assert (night["night"], night["persons"]) == (1, count)
    assert night["short"] == len(asked["bad-sleep"])
    assert all(row["hours"] < 6 for row in asked["bad-sleep"])
    assert asked["loneliness-after-event"] == []


def _ask_apart(folder: Path, name: str) -> list[dict]:
    """Ask in a process of its own, which may take little more than DuckDB's bound."""
    most = folder.with_name("most")
    done = subprocess.run(
        [
            *(sys.executable, ROOT / "tests/support/peak_memory.py", most),
            *(BIN / "mind", "simulate", "stats", folder, name),
        ],
        env=clean_environment(folder.parent),
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 3), done.stderr
    assert int(most.read_text()) < 1300
    return [json.loads(line) for line in done.stdout.splitlines()]
