"""Persons in columns on disk live as those on lines do, however they are shared and broken off."""

import importlib.util
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import BadInputError, MindError, TemporaryError, UsageError
from mindpipe.core.records import to_json
from mindpipe.io.files import locked_folder
from mindpipe.person.calendar import instant_us
from mindpipe.person.life.birth import Birth, first_state, new_persons
from mindpipe.person.life.people import InputLine
from mindpipe.person.life.population import Population
from mindpipe.person.life.population_folder import PopulationFolder
from mindpipe.person.life.shard_runner import ShardProcesses, shared, tick_shard
from mindpipe.person.lines import LinePlace
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Habits, LearntFact, Person, PersonSettings
from mindpipe.person.verbs import populations
from mindpipe.person.voice.composed import composed
from support.lone_life import happening
from support.persons import aware
from support.populations import make_population

pytestmark = pytest.mark.heavy

pa = pytest.importorskip("pyarrow", reason="persons in columns need the extra arrow")
BIRTH_COUNT = 23
BIRTH = Birth(count=BIRTH_COUNT, seed=5)
DAY_US, HOUR_US = 86_400_000_000, 3_600_000_000


# A day of one shard takes as long with five persons as with twenty.
def _make(folder: Path, *, birth: Birth = BIRTH, shard: int = 12, at_us: int = 0) -> Path:
    make_population(folder, birth, shard=shard, at_us=at_us)
    return folder


def _tick(folder: Path, dt_us: int, *, jobs: int = 1) -> None:
    populations.tick(
        folder,
        to_us=None,
        dt_us=dt_us,
        runner=ShardProcesses(jobs),
        advance=lambda done, total: None,
    )


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def _lines(folder: Path) -> list[bytes]:
    return list(populations.export(folder, None, read=True))


def _on_lines(*ends_us: int) -> list[bytes]:
    persons = list(new_persons(BIRTH))
    population = Population(persons, [first_state(one) for one in persons])
    for until_us in ends_us:
        population.advance(until_us)
    states = population.states(read=True)
    return [to_json(one) for pair in zip(persons, states, strict=True) for one in pair]


def test_columns_live_as_lines_do_for_any_shards_and_processes(tmp_path: Path) -> None:
    few, many = _make(tmp_path / "few", shard=8), _make(tmp_path / "many", shard=23)
    for dt_us in (DAY_US, instant_us("13:05:30")):
        _tick(few, dt_us, jobs=3)
        _tick(many, dt_us)
    assert len(_files(few)) == 4
    assert _lines(few) == _lines(many) == _on_lines(DAY_US, DAY_US + instant_us("13:05:30"))


def test_persons_may_be_born_later(tmp_path: Path) -> None:
    at_us = instant_us("1d09:00")
    assert _lines(_make(tmp_path / "late", at_us=at_us)) == _on_lines(at_us)


def test_a_tick_that_was_killed_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole, killed = _make(tmp_path / "whole"), _make(tmp_path / "killed")
    _tick(whole, DAY_US)
    folder = PopulationFolder(killed)
    before = folder.manifest()
    folder.keep(msgspec.structs.replace(before, to_us=DAY_US))
    tick_shard(folder.shard(1), until_us=DAY_US)
    with pytest.raises(
        UsageError, match=r"was cut short; end it first: mind simulate tick --to 1d"
    ):
        _tick(killed, 2 * DAY_US)
    with pytest.raises(UsageError, match="was cut short"):
        _lines(killed)
    lived = (killed / "00001.arrow").stat()
    _tick(killed, DAY_US)
    assert _files(killed) == _files(whole)
    assert (killed / "00001.arrow").stat().st_mtime_ns == lived.st_mtime_ns
    assert (killed / "00001.arrow").stat().st_ino == lived.st_ino


def test_two_ticks_do_not_live_the_same_persons(tmp_path: Path) -> None:
    folder = _make(tmp_path / "city")
    with locked_folder(folder), pytest.raises(TemporaryError, match="another process writes to or"):
        _tick(folder, DAY_US)


def test_who_reads_a_folder_keeps_ticks_out_and_they_keep_it_out(tmp_path: Path) -> None:
    folder = _make(tmp_path / "city")
    lines = populations.export(folder, None, read=False)
    assert next(lines)
    with pytest.raises(TemporaryError, match="writes to or reads"):
        _tick(folder, DAY_US)
    assert len(_lines(folder)) == 2 * BIRTH_COUNT
    lines.close()
    with locked_folder(folder), pytest.raises(TemporaryError, match="another process writes to"):
        _lines(folder)
    asked = populations.StatsQuestion()
    pytest.importorskip("duckdb", reason="questions need the extra stats")
    with locked_folder(folder), pytest.raises(TemporaryError, match="another process writes to"):
        populations.stats(folder, asked, advance=lambda done, total: None).__enter__()


def _copied(folder: Path) -> None:
    shutil.copy(folder / "00000.arrow", folder / "00001.arrow")


def _ahead(folder: Path) -> None:
    tick_shard(folder / "00001.arrow", until_us=2 * HOUR_US)


def _cut(folder: Path) -> None:
    os.truncate(folder / "00001.arrow", 500)


def _emptied(folder: Path) -> None:
    (folder / "00001.arrow").write_bytes(b"")


def _piped(folder: Path) -> None:
    (folder / "00001.arrow").unlink()
    os.mkfifo(folder / "00001.arrow")


def _lost(folder: Path) -> None:
    (folder / "00001.arrow").unlink()


def _stranger(folder: Path) -> None:
    birth = msgspec.structs.replace(BIRTH, seed=BIRTH.seed + 1)
    other = _make(folder.with_name("other"), birth=birth)
    shutil.copy(other / "00001.arrow", folder / "00001.arrow")


def _fewer(folder: Path) -> None:
    from mindpipe.person.life.shard_file import read_shard, write_shard

    table, t_us = read_shard(folder / "00001.arrow")
    write_shard(folder / "00001.arrow", table.slice(1), t_us)


def _told_fewer(folder: Path) -> None:
    manifest = PopulationFolder(folder).manifest()
    PopulationFolder(folder).keep(msgspec.structs.replace(manifest, count=manifest.count - 1))


def _endless(folder: Path) -> None:
    manifest = PopulationFolder(folder).manifest()
    PopulationFolder(folder).keep(msgspec.structs.replace(manifest, count=2**53 - 1, shard=1))


@pytest.mark.parametrize(
    ("spoil", "words", "status"),
    [
        (_copied, "it is 00000, copied here", 65),
        (_ahead, "it is at 02:00:00", 65),
        (_cut, "no shard of persons", 65),
        (_emptied, "no shard of persons", 65),
        (_piped, "it is no file", 65),
        (_stranger, "made with another seed", 65),
        (_fewer, "it has 10 persons, and should have 11", 65),
        (_told_fewer, "it has 11 persons, and should have 10", 65),
        (_lost, "holds 1 files of persons, and should 2", 69),
        (_endless, "holds 2 files of persons, and should 9007199254740991", 69),
    ],
)
def test_a_file_that_is_not_its_shard_is_refused_by_all_in_the_same_way(
    tmp_path: Path, spoil: Callable[[Path], None], words: str, status: int
) -> None:
    folder = _make(tmp_path / "city")
    spoil(folder)
    ends = [
        lambda: _lines(folder),
        lambda: list(populations.export(folder, "p000020", read=False)),
        lambda: _tick(folder, HOUR_US),
        lambda: _tick(folder, HOUR_US, jobs=2),
    ]
    if importlib.util.find_spec("duckdb"):
        asked, ignore = populations.StatsQuestion(), lambda done, total: None
        ends.append(lambda: populations.stats(folder, asked, advance=ignore).__enter__())
    for end in ends:
        with pytest.raises(MindError, match=words) as raised:
            end()
        assert raised.value.status == status


def test_no_octet_of_a_file_changes_unseen(tmp_path: Path) -> None:
    from mindpipe.person.life.shard_file import read_shard

    path = _make(tmp_path / "city") / "00001.arrow"
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 100):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(BadInputError, match=r"00001\.arrow: no shard of persons"):
            read_shard(path)


def test_a_file_of_those_apart_that_is_broken_is_named(tmp_path: Path) -> None:
    from mindpipe.person.life.apart import ApartLives

    folder = PopulationFolder(_make(tmp_path / "city"))
    lives = ApartLives(folder, folder.manifest(), HOUR_US)
    lives.told.parent.mkdir()
    (lives.told.parent / "1.jsonl").write_bytes(b'{"kind":"thought"}\n')
    with pytest.raises(BadInputError, match=r"1\.jsonl"):
        lives.past(["p01"])
    (folder.path / "apart").mkdir()
    (folder.path / "apart" / "paid.jsonl").write_bytes(b"{}\n")
    with pytest.raises(BadInputError, match=r"paid\.jsonl"):
        lives.paid()


def test_a_file_without_a_seal_is_read_as_before(tmp_path: Path) -> None:
    from mindpipe.person.life.shard_file import read_shard

    folder = _make(tmp_path / "city")
    before, path = _lines(folder), folder / "00001.arrow"
    table, t_us = read_shard(path)
    schema = table.schema.with_metadata({b"t_us": str(t_us).encode(), b"place": b"00001"})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        writer.write_table(table.cast(schema))
    assert _lines(folder) == before


def test_a_name_that_looks_like_an_open_seal_is_kept(tmp_path: Path) -> None:
    from mindpipe.person.life.shard_file import ids_of

    birth = Birth(id="0" * 64, seed=5)
    folder = _make(tmp_path / "city", birth=birth)
    assert ids_of(folder / "00000.arrow") == ["0" * 64]


@pytest.mark.parametrize(
    ("column", "octets"),
    [
        ("who", b"{"),
        ("who", b"[1]"),
        ("who", b'{"nosuch":1}'),
        ("who", b'{"consts":{"nosuch":1}}'),
        ("who", b"\xff"),
        ("acts", b"[]"),
        ("mind", b"{"),
        ("meal_slots", b"{}"),
    ],
)
def test_what_is_no_person_is_said_of_its_file(tmp_path: Path, column: str, octets: bytes) -> None:
    from mindpipe.person.life.shard_file import read_shard, write_shard

    folder = _make(tmp_path / "city")
    path = folder / "00001.arrow"
    table, t_us = read_shard(path)
    place = table.schema.names.index(column)
    spoilt = pa.array([octets] * table.num_rows, pa.binary())
    write_shard(path, table.set_column(place, table.schema.field(place), spoilt), t_us)
    for end in (lambda: _lines(folder), lambda: _tick(folder, HOUR_US)):
        with pytest.raises(BadInputError, match=r"00001\.arrow: no shard of persons"):
            end()


def test_a_process_that_fails_says_why_and_one_that_is_killed_can_be_repeated() -> None:
    def fail(path: Path) -> None:
        raise MindError(f"{path} is broken.")

    def die(path: Path) -> None:
        raise SystemExit(3)

    shards = [Path("a"), Path("b")]
    with pytest.raises(MindError, match="is broken"):
        list(shared(shards, fail, jobs=2))
    with pytest.raises(TemporaryError, match="run the same command again"):
        list(shared(shards, die, jobs=2))


def _all_sorts() -> list[Person]:
    """Return persons who differ in all that may differ."""
    one, two, three, four, five = new_persons(Birth(count=5, seed=9))
    fact = LearntFact(text="a widow", since_us=0, about="Reijo")
    identity = msgspec.structs.replace(
        two.identity, self_narrative="I mend clocks.", learnt=(fact,)
    )
    return [
        one,
        msgspec.structs.replace(two, name="Aino", identity=identity, seed=2**63 - 1),
        msgspec.structs.replace(three, consts={"drink_ml": 300.0}, habits=Habits(meals=False)),
        msgspec.structs.replace(four, settings=PersonSettings(max_calls=3), routine=()),
        msgspec.structs.replace(five, loneliness_trait=0.5, consts={"drink_ml": 300.0}),
    ]


def _busy(person: str) -> list[PersonEvent]:
    """Return events that leave something in every part of a state."""
    return [
        happening("08:00", "task", to=person, load=0.7, dur_us=8 * 3_600_000_000),
        happening("08:30", "speech", to=person, text="You are late again.", valence=-0.8),
        happening("08:30:07", "goal", to=person, text="Write the letter", importance=0.7),
        happening("08:59:59", "thought", to=person, labels=("rumination",), hold_s=600.0),
        happening("08:59:30", "food", to=person, kcal=700.0, dur_us=900_000_000),
    ]


def test_what_few_persons_have_is_kept_too(tmp_path: Path) -> None:
    persons = _all_sorts()
    population = aware(persons, composed)
    population.advance(instant_us("09:00"), {one.person: _busy(one.person) for one in persons[:4]})
    persons, states = population.persons, population.states()
    assert any(one.holds for one in states)
    assert any(one.mind.queue for one in states)
    assert all(one.mind.salience.ready for one in states)
    lines = [
        InputLine(LinePlace("stdin", number), to_json(one))
        for number, one in enumerate(
            (one for pair in zip(persons, states, strict=True) for one in pair), start=1
        )
    ]
    populations.import_(tmp_path / "town", lines)
    kept = list(populations.export(tmp_path / "town", None, read=False))
    assert kept == [line.octets for line in lines]
    _tick(tmp_path / "town", instant_us("06:00"))
    alone = Population(persons, states)
    alone.advance(instant_us("15:00"))
    after = list(populations.export(tmp_path / "town", None, read=True))[1::2]
    assert after == [to_json(one) for one in alone.states(read=True)]


def test_weeks_reach_persons_in_columns_and_days_teach_them(tmp_path: Path) -> None:
    born = zip(new_persons(Birth(count=3, seed=4)), ROUTINES.values(), strict=False)
    persons = [msgspec.structs.replace(one, routine=week) for one, week in born]
    first = persons[0].person
    kind = [
        happening(at, "speech", to=first, text="You did that well.", valence=0.9, source="Ada")
        for at in ("08:00", "10:00", "12:00", "14:00", "16:00", "18:00", "20:00")
    ]
    population = Population(persons, [first_state(one) for one in persons])
    population.advance(instant_us("22:00"), {first: kind})
    persons, states = population.persons, population.states()
    pairs = [to_json(one) for pair in zip(persons, states, strict=True) for one in pair]
    lines = [InputLine(LinePlace("stdin", row), octets) for row, octets in enumerate(pairs, 1)]
    populations.import_(tmp_path / "town", lines)
    _tick(tmp_path / "town", DAY_US)
    population.advance(instant_us("22:00") + DAY_US)
    assert population.persons != persons
    after = zip(population.persons, population.states(read=True), strict=True)
    assert _lines(tmp_path / "town") == [to_json(one) for pair in after for one in pair]
