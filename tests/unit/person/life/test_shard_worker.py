"""A worker writes checkpoints that are taken from it or never read, whenever it writes them."""

from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import UnavailableError
from mindpipe.person.calendar import instant_us
from mindpipe.person.life.birth import Birth
from mindpipe.person.life.population_folder import PopulationFolder
from mindpipe.person.life.shard_runner import ShardProcesses
from mindpipe.person.life.shard_worker import ShardWorker, WorkerNode, fault_of, versions
from mindpipe.person.verbs import populations
from support.populations import make_population

pytest.importorskip("pyarrow", reason="persons in columns need the extra arrow")
HOUR_US = 3_600_000_000


def _city(folder: Path) -> PopulationFolder:
    make_population(folder, Birth(count=5, seed=2), shard=3)
    return PopulationFolder(folder)


def _files(folder: PopulationFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.path.iterdir())}


def test_a_worker_that_was_given_up_changes_nothing(tmp_path: Path) -> None:
    city = _city(tmp_path / "city")
    stale, later = ShardWorker(str(city.path), 1), ShardWorker(str(city.path), 2)
    assert stale.take(1).t_us == later.take(1).t_us == 0
    assert later.live(8 * HOUR_US).t_us == 8 * HOUR_US
    city.publish(1, 2)
    published = city.shard(1).read_bytes()
    assert stale.live(HOUR_US).t_us == HOUR_US
    assert city.shard(1).read_bytes() == published
    assert later.live(9 * HOUR_US).t_us == 9 * HOUR_US
    city.publish(1, 2)
    assert ShardWorker(str(city.path), 3).take(1).t_us == 9 * HOUR_US
    assert city.checkpoint(1, 1).exists()
    city.clear()
    assert sorted(_files(city)) == ["00000.arrow", "00001.arrow", "population.json"]
    with pytest.raises(UnavailableError):
        city.publish(1, 2)


def test_steps_of_a_worker_end_where_one_tick_does(tmp_path: Path) -> None:
    walked, whole = _city(tmp_path / "walked"), _city(tmp_path / "whole")
    for place in (0, 1):
        worker = ShardWorker(str(walked.path), place + 1)
        worker.take(place)
        for hour in (7, 8, 30):
            assert worker.live(hour * HOUR_US).fault is None
            walked.publish(place, place + 1)
    walked.keep(msgspec.structs.replace(walked.manifest(), t_us=30 * HOUR_US))
    populations.tick(
        whole.path,
        to_us=instant_us("1d06:00"),
        dt_us=0,
        runner=ShardProcesses(1),
        advance=lambda done, total: None,
    )
    assert _files(walked) == _files(whole)


def test_what_a_killed_worker_left_unfinished_goes_and_nothing_else(tmp_path: Path) -> None:
    city = _city(tmp_path / "city")
    known = _files(city)
    for name in ("00001.arrow.7", ".00001.arrow.7.abcdefgh.unfinished"):
        (city.path / name).write_bytes(b"half")
    (city.path / "notes.7").write_bytes(b"mine")
    city.clear()
    assert _files(city) == known | {"notes.7": b"mine"}


def test_a_broken_shard_is_told_as_a_fault(tmp_path: Path) -> None:
    city = _city(tmp_path / "city")
    city.shard(0).write_bytes(b"no columns")
    assert "no shard of persons" in str(ShardWorker(str(city.path), 1).take(0).fault)


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (WorkerNode(attempt=4, versions=versions()), None),
        (WorkerNode(attempt=5, versions=versions()), None),
        (WorkerNode(attempt=3, versions=versions()), "storage that all share"),
        (WorkerNode(attempt=None, versions=versions()), "storage that all share"),
        (WorkerNode(attempt=4, versions=versions() | {"numpy": "0.1"}), "has numpy 0.1, here it"),
        (WorkerNode(attempt=4, versions={}), "has mindpipe None"),
    ],
)
def test_a_worker_works_where_it_finds_the_same(
    tmp_path: Path, node: WorkerNode, words: str | None
) -> None:
    fault = fault_of(node, 4, PopulationFolder(tmp_path))
    assert fault is None if words is None else words in str(fault)


def test_a_worker_tells_what_it_finds(tmp_path: Path) -> None:
    city = _city(tmp_path / "city")
    assert ShardWorker(str(tmp_path / "nowhere"), 1).node().attempt is None
    assert ShardWorker(str(city.path), 1).node().attempt is None
    city.keep(msgspec.structs.replace(city.manifest(), attempt=6))
    assert ShardWorker(str(city.path), 1).node() == WorkerNode(attempt=6, versions=versions())
