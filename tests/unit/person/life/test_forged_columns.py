"""Files of a population that somebody forged are refused in one line, whoever reads them."""

import importlib.util
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.core.records import to_json
from mindpipe.person.life.birth import Birth
from mindpipe.person.life.shard_runner import ShardProcesses
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.verbs import populations
from support.populations import make_population

pa = pytest.importorskip("pyarrow", reason="persons in columns need the extra arrow")
COUNT = 3
FLOATS = (math.nan, math.inf, -math.inf, 1e300)
OTHERS = {
    "person": ("", "a b", "p" * 65, "p\x00"),
    "coping_1": (-2, 7),
    "coping_2": (-2, 7),
    "distortions": (1 << 11,),
    "seed": (-1,),
    "who": (
        b'{"person":"p000002"}',
        b'{"born_us":1}',
        b'{"born_us":99999999999999999999999999}',
        b'{"consts":{"drink_ml":1e9}}',
        b'{"settings":{"max_calls":-1}}',
    ),
    "meal_slots": (b'[[9223372036854775808,"B"]]', b'[[99999999999999999999999999,"B"]]'),
    "acts": (
        b'{"pending":[{"at_us":0,"what":"car","arg":1e300}]}',
        b'{"holds":[{"start_us":0,"end_us":1,"rates":{"nosuch":1.0}}]}',
        b'{"active":[{"start_us":0,"end_us":1,"type":"food","event":"e","chan":{"nosuch":1.0}}]}',
    ),
    "mind": (b'{"voice":{"day":9223372036854775807}}', b'{"met":[99999999999999999999999999]}'),
}


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder of a few persons who were read."""
    folder = tmp_path_factory.mktemp("forged") / "city"
    make_population(folder, Birth(count=COUNT, seed=5), shard=COUNT)
    _tick(folder)
    return folder


def _tick(folder: Path) -> None:
    populations.tick(
        folder,
        to_us=None,
        dt_us=2 * HOUR_US,
        runner=ShardProcesses(1),
        advance=lambda done, total: None,
        every_us=HOUR_US,
    )


def _export(folder: Path) -> None:
    assert len(list(populations.export(folder, None, read=True))) == 2 * COUNT


def _ask(folder: Path) -> None:
    asked, ignore = populations.StatsQuestion("mood-by-age-and-hour"), lambda done, total: None
    with populations.stats(folder, asked, advance=ignore) as answer:
        list(answer.rows)


def _readers() -> list[Callable[[Path], None]]:
    asking = [_ask] if importlib.util.find_spec("duckdb") else []
    return [_export, *asking, _tick]


def _refusal(read: Callable[[Path], None], folder: Path) -> str:
    with pytest.raises(BadInputError) as raised:
        read(folder)
    (problem,) = raised.value.problems
    line = problem.line_of_text()
    assert "\n" not in line
    return line


def _impossible() -> Iterator[tuple[str, object]]:
    from mindpipe.person.life.arrow import SCHEMA

    for field in SCHEMA:
        if pa.types.is_floating(field.type):
            yield from ((field.name, value) for value in FLOATS)
        elif field.name.endswith("_us"):
            yield from ((field.name, value) for value in (-(2**63), 2**63 - 1))
        yield from ((field.name, value) for value in OTHERS.get(field.name, ()))
        if not field.nullable:
            yield field.name, None


def _forged(table: Any, column: str, value: object) -> Any:
    """Return a table whose first row has another value."""
    place = table.schema.names.index(column)
    field = table.schema.field(place)
    cells = [value, *table.column(column).to_pylist()[1:]]
    return table.set_column(place, field, pa.array(cells, field.type))


def test_no_column_holds_what_no_person_can_have(city: Path) -> None:
    from mindpipe.person.life.shard_file import read_shard, write_shard

    path = city / "00000.arrow"
    whole = path.read_bytes()
    table, t_us = read_shard(path)
    for column, value in _impossible():
        write_shard(path, _forged(table, column, value), t_us)
        assert "00000.arrow" in _refusal(_export, city), (column, value)
    path.write_bytes(whole)
    _export(city)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("person", "p000002"),
        ("mode_adr", math.nan),
        ("anchor_us", 3 * HOUR_US),
        ("seed", None),
        ("who", b'{"born_us":1}'),
        ("who", b"{"),
    ],
)
def test_everybody_who_reads_a_shard_refuses_what_no_person_can_have(
    city: Path, column: str, value: object
) -> None:
    from mindpipe.person.life.shard_file import read_shard, write_shard

    path, manifest = city / "00000.arrow", city / "population.json"
    whole, known = path.read_bytes(), manifest.read_bytes()
    table, t_us = read_shard(path)
    write_shard(path, _forged(table, column, value), t_us)
    for read in _readers():
        assert "00000.arrow" in _refusal(read, city), read
    path.write_bytes(whole)
    manifest.write_bytes(known)
    _export(city)


def _read_of(city: Path) -> Path:
    (path,) = (city / "readings").glob("*.arrow")
    return path


def test_no_octet_of_a_file_of_readings_changes_unseen(city: Path) -> None:
    from mindpipe.person.life.readings import read_readings

    path = _read_of(city)
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 50):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert path.name in _refusal(read_readings, path)
    path.write_bytes(whole)
    assert len(read_readings(path)) == 2


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("t_us", 5),
        ("t_us", -(2**63)),
        ("since_us", 2**63 - 1),
        ("person", None),
        ("awake", None),
        ("phase", 4),
        ("phase", -1),
        ("event_us", 2**63 - 1),
        ("valence", math.nan),
        ("isolation", math.inf),
    ],
)
def test_no_readings_are_what_nobody_can_have_been(city: Path, column: str, value: object) -> None:
    pytest.importorskip("duckdb", reason="questions need the extra stats")
    from mindpipe.person.life.readings import read_readings, write_readings

    path = _read_of(city)
    whole = path.read_bytes()
    batches = [*read_readings(path).values()]
    forged = _forged(pa.table(batches[0]), column, value).combine_chunks().to_batches()
    write_readings(path, [*forged, *batches[1:]])
    assert path.name in _refusal(_ask, city)
    path.write_bytes(whole)
    _ask(city)


def test_readings_of_another_tick_count_nowhere_else(city: Path) -> None:
    pytest.importorskip("duckdb", reason="questions need the extra stats")
    path = _read_of(city)
    other = path.with_name("00000_0_3600000000.arrow")
    other.write_bytes(path.read_bytes())
    assert "copied here" in _refusal(_ask, city)
    other.unlink()
    _ask(city)


@pytest.mark.parametrize(
    "said",
    [
        {"seed": 2**70},
        {"seed": -1},
        {"t_us": 2**63},
        {"every_us": 0},
        {"every_us": -5},
        {"count": -1},
        {"shard": 0},
        {"attempt": 2**60},
        {"v": "1"},
        {"to_us": 1.5},
    ],
)
def test_a_manifest_that_says_what_cannot_be_is_refused(
    city: Path, said: dict[str, object]
) -> None:
    path = city / "population.json"
    whole = path.read_bytes()
    path.write_bytes(to_json({**msgspec.json.decode(whole), **said}))
    for read in _readers():
        assert "population.json" in _refusal(read, city)
    path.write_bytes(whole)
    _export(city)
