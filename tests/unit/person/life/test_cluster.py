"""Persons on a cluster live as those of one process do, whoever is killed on the way."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from support.clusters import TestCluster, cluster, descendants, workers_of
from support.command import BIN, Mind, Ran, clean_environment
from support.patience import until

pytest.importorskip("ray", reason="a cluster needs the extra ray")
pytestmark = pytest.mark.heavy
END = "1d12:00"
_NOT_NEEDED = (b"/monitor.py", b"/log_monitor.py", b"/dashboard.py")


@pytest.fixture(scope="module")
def nodes() -> Iterator[TestCluster]:
    with cluster(2, 1) as found:
        yield found


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """Return a folder of new persons in seven shards, and its lines where they lived till END."""
    folder = tmp_path_factory.mktemp("town")
    _ended(folder, "new", "--count", "35", "--seed", "3", *_FORM, "--shard", "5", "town")
    shutil.copytree(folder / "town", folder / "lived")
    _ended(folder, "tick", "lived", "--to", END)
    return folder / "town", _lines(folder / "lived")


_FORM = ("--format", "arrow")


def _started(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [BIN / "mind", "simulate", *arguments],
        cwd=folder,
        # So long a client seeks a cluster that it has lost.
        env={**clean_environment(folder), "RAY_CLIENT_RECONNECT_GRACE_PERIOD": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _after(process: subprocess.Popen[bytes]) -> Ran:
    stdout, stderr = process.communicate()
    return Ran((), process.returncode, stdout, stderr)


def _ended(folder: Path, *arguments: str) -> Ran:
    done = _after(_started(folder, *arguments))
    assert done.status == 0, done.words
    return done


def _lines(folder: Path) -> bytes:
    return _ended(folder.parent, "export", folder.name).stdout


def _await_checkpoint(folder: Path, ticking: subprocess.Popen[bytes]) -> None:
    """Wait until one more shard has been published, or all is done."""

    def published() -> dict[Path, int]:
        return {path: path.stat().st_ino for path in folder.glob("?????.arrow")}

    begun = published()
    until(lambda: published() != begun or ticking.poll() is not None, "a checkpoint")


def _ticking(town: Path, *options: str, end: str = END) -> subprocess.Popen[bytes]:
    """Begin a tick of many small steps; return when one of them is done."""
    ticking = _started(
        town.parent, "tick", town.name, "--to", end, "--checkpoint-every", "1h", *options
    )
    _await_checkpoint(town, ticking)
    assert ticking.poll() is None, _after(ticking).words
    return ticking


def _program(pid: int) -> str:
    return Path(f"/proc/{pid}/exe").resolve().name


def _kill(pids: Sequence[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _copied(town: tuple[Path, bytes], folder: Path) -> Path:
    shutil.copytree(town[0], folder / "town")
    return folder / "town"


def test_what_is_no_cluster_is_told_in_a_line(mind: Mind) -> None:
    mind("simulate", "new", "--count", "2", *_FORM, "town")
    tick = ("simulate", "tick", "town", "--dt", "1h")
    away = mind.run(*tick, "--cluster", "127.0.0.1:1")
    assert away.status == 69
    assert away.words.startswith("mind simulate tick: no cluster answers at 127.0.0.1:1 (")
    assert away.words.count("\n") == 1
    for wrong, words in (
        ((*tick, "--cluster", "http://here"), "local, ray://HOST:PORT"),
        ((*tick, "--checkpoint-every", "1h"), "--checkpoint-every is for --cluster"),
        (("simulate", "tick", "--cluster", "local"), "lets the persons of a folder live"),
        (("simulate", "new", "--count", "2", "--shard", "5"), "--shard is for --format arrow"),
    ):
        done = mind.run(*wrong)
        assert (done.status, words in done.words) == (2, True), done.words


def test_without_ray_it_is_named(tmp_path: Path) -> None:
    _ended(tmp_path, "new", "--count", "2", *_FORM, "town")
    tick = ["simulate", "tick", "town", "--dt", "1h", "--cluster", "local"]
    program = "import sys; sys.modules['ray'] = None; from mindpipe_cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *tick],
        cwd=tmp_path,
        env=clean_environment(tmp_path),
        capture_output=True,
        check=False,
    )
    words = b"a cluster needs the extra ray: pip install '.[ray]' in mindpipe's folder.\n"
    assert (done.returncode, done.stderr) == (69, b"mind simulate tick: " + words)


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, -15), pytest.param(signal.SIGINT, 130, marks=pytest.mark.long)],
)
def test_a_local_cluster_is_interrupted_and_taken_down(
    town: tuple[Path, bytes], tmp_path: Path, number: int, status: int
) -> None:
    here = _copied(town, tmp_path)
    ticking = _ticking(here, "--cluster", "local", "--jobs", "1")
    started = descendants(ticking.pid)
    # Ray's programs in Python write their titles over what they were started with.
    listening = {_program(pid): pid for pid in started}
    for name in ("gcs_server", "raylet"):
        environment = Path(f"/proc/{listening[name]}/environ").read_bytes().split(b"\0")
        assert {b"RAY_USAGE_STATS_ENABLED=0", b"RAY_AUTH_MODE=token"} <= {*environment}
    # Nobody looks at this cluster, gives it machines, or reads what its workers log.
    commands = b" ".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in started)
    assert not [one for one in _NOT_NEEDED if one in commands]
    # A worker that stands still gives no answer at which the signal could be looked for.
    (worker,) = workers_of(ticking.pid)
    os.kill(worker, signal.SIGSTOP)
    ticking.send_signal(number)
    done = _after(ticking)
    words = "the tick was cut short; the same command goes on with it.\n"
    assert (done.status, done.words, done.stdout) == (status, words, b"")
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started), "their end")
    _ended(tmp_path, "tick", "town", "--to", END)
    assert _lines(here) == town[1]


def test_shards_of_killed_workers_go_on_from_their_checkpoints(
    nodes: TestCluster, town: tuple[Path, bytes], tmp_path: Path
) -> None:
    here = _copied(town, tmp_path)
    ticking = _ticking(here, "--cluster", nodes.address)
    _kill(workers_of(nodes.pid))
    done = _after(ticking)
    assert done.status == 0, done.words
    lost = [line for line in done.words.splitlines() if "waiting for" not in line]
    assert lost
    assert all("a worker was lost; another one takes 0" in line for line in lost), lost
    assert _lines(here) == town[1]
    assert sorted(path.suffix for path in here.iterdir()) == [*[".arrow"] * 7, ".json"]


def test_a_tick_whose_caller_was_killed_goes_on_elsewhere_beside_its_old_workers(
    nodes: TestCluster, town: tuple[Path, bytes], tmp_path: Path
) -> None:
    pytest.importorskip("grpc", reason="a client of a cluster needs the extra ray")
    here = _copied(town, tmp_path)
    ticking = _ticking(here, "--cluster", nodes.client, "--jobs", "1")
    ticking.kill()
    _after(ticking)
    again = ("--to", END, "--cluster", nodes.address, "--jobs", "1")
    done = _ended(tmp_path, "tick", "town", *again)
    assert done.record()["to_us"] is None
    assert _lines(here) == town[1]


def test_a_tick_that_loses_its_cluster_says_so_and_goes_on_without_one(
    town: tuple[Path, bytes], tmp_path: Path
) -> None:
    pytest.importorskip("grpc", reason="a client of a cluster needs the extra ray")
    here = _copied(town, tmp_path)
    with cluster(1, 1) as nodes:
        ticking = _ticking(here, "--cluster", nodes.client, "--jobs", "1")
        _kill([*descendants(nodes.pid), nodes.pid])
        done = _after(ticking)
    lost = f"the connection to the cluster {nodes.client} was lost; run the same command again."
    assert (done.status, lost in done.words) == (75, True), done.words
    _ended(tmp_path, "tick", "town", "--to", END)
    assert _lines(here) == town[1]


@pytest.mark.long
def test_a_cluster_without_a_node_is_not_waited_for(
    town: tuple[Path, bytes], tmp_path: Path
) -> None:
    here = _copied(town, tmp_path)
    # A worker outlives its node for some steps, and is not to be done by then.
    ticking = _ticking(here, "--cluster", "local", "--jobs", "1", end="1000d")
    _kill([pid for pid in descendants(ticking.pid) if _program(pid) == "raylet"])
    done = _after(ticking)
    # It may hear of the node's end from workers that are lost one after the other.
    assert (done.status, "; run the same command again." in done.words) == (75, True), done.words


def test_a_folder_that_a_node_does_not_see_is_refused(
    nodes: TestCluster, town: tuple[Path, bytes], tmp_path: Path
) -> None:
    _copied(town, tmp_path)
    mine = "/proc/self/cwd/town"
    done = _after(
        _started(tmp_path, "tick", mine, "--to", "1d", "--cluster", nodes.address, "--jobs", "1")
    )
    words = "is not what a node of the cluster sees there; it must lie on storage that all share."
    assert (done.status, done.words) == (69, f"mind simulate tick: {mine} {words}\n")


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 3])
def test_any_shards_nodes_and_kills_give_the_same_lines(tmp_path: Path, count: int) -> None:
    with cluster(count, 2 if count == 1 else 1) as nodes:
        told = set()
        for shards in (1, 7, 64):
            here = tmp_path / str(shards)
            size = str(-(-448 // shards))
            _ended(tmp_path, "new", "--count", "448", "--seed", "3", *_FORM, "--shard", size, here)
            ticking = _ticking(here, "--cluster", nodes.address)
            for _ in range(10):
                _await_checkpoint(here, ticking)
                _kill(workers_of(nodes.pid)[:1])
            done = _after(ticking)
            assert done.status == 0, done.words
            assert "a worker was lost" in done.words
            told.add(_lines(here))
        _ended(tmp_path, "new", "--count", "448", "--seed", "3", *_FORM, "alone")
        _ended(tmp_path, "tick", "alone", "--to", END)
        assert told == {_lines(tmp_path / "alone")}
