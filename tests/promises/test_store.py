"""Promises 11, 20, 21 and 34: what a full disk, damage, copies and edits of the past do."""

import contextlib
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from mindpipe.compaction.verbs import verify
from mindpipe.core.errors import InputOutputError, MindError, NothingToDoError
from mindpipe.core.events import NewEvent
from mindpipe.history.records import BrokenRow
from mindpipe.history.verbs.history import ChainWalk
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.store.access import make_store, open_store, open_where
from mindpipe.store.backup import backup
from mindpipe.store.check import faults_in
from mindpipe.store.checksums import begin_checksums, checksum_vfs, have_checksums
from mindpipe.store.engine import EngineStore
from mindpipe.store.records import Salvaged
from mindpipe.store.verbs.store import recover
from red import backup_without_log, hash_without_column, opened_unchecked, turn_without_transaction
from support.broken_builds import broken
from support.command import Mind, make_private
from support.damage import PAGE, Original, bit_flipped, cut, edited, edits, head_overwritten
from support.fakes import FixedClock
from support.histories import PROGRAM
from support.life import AGENT, LEASE, Life
from support.patience import until
from support.proofs import proved, turned_red
from support.scripted_model import Scripted, call, calls
from support.validation import faults_of
from support.windows import Long

SEED = 20261122
LONG = "x" * 9000
ROOMY = Bounds(max_open=10**6, max_open_per_source=10**6)
PLAYS = {
    "all": (
        calls(
            call("send_message", text=LONG, space="family"),
            call("keyed", text=LONG),
            call("unsafe", text=LONG),
            call("set_goal", text="Win"),
        ),
        calls(call("set_memory", key="tea", value=LONG[:900]), call("done", summary="Done.")),
    )
}
# A row cannot be kept without the row of these that it names.
PARENTS = {"agent", "space", "entity", "plan"}


def model() -> Scripted:
    return Scripted(PROGRAM, PLAYS)


def lived(folder: Path, cycles: int = 4) -> Life:
    """Return a life of some cycles whose store is one file."""
    life = Life(folder)
    for _ in range(cycles):
        life.push("play all")
        life.think(model())
    return life


def put(store: Path, octets: bytes) -> None:
    """Make these octets the whole store."""
    for suffix in ("-wal", "-shm"):
        store.with_name(store.name + suffix).unlink(missing_ok=True)
    store.write_bytes(octets)


# Promise 11: a full disk.


def half_done(life: Life, *, judged: bool = True) -> list[str]:
    """Return what is damaged or half done: in the file, between its tables, in the history."""
    sql = (
        "SELECT 'turn ' || cycle || '.' || turn FROM turn WHERE (state='folded') != EXISTS("
        "SELECT 1 FROM message AS m WHERE m.agent=turn.agent AND m.cycle=turn.cycle "
        "AND m.turn=turn.turn AND m.role='assistant')"
    )
    posts = (
        "SELECT 'posts' WHERE (SELECT count(*) FROM post WHERE sender='ava') != "
        "(SELECT count(*) FROM call WHERE tool='send_message' AND state='done')"
    )
    try:
        apart = [one for query in (sql, posts) for (one,) in life.rows(query)]
        return [*faults_in(life.path), *apart, *(faults_of(life.path) if judged else [])]
    except (MindError, apsw.Error, KeyError, ValueError) as error:
        return [repr(error)]


def live_in(life: Life, pages: int) -> str:
    """Think in a store that may have so many pages; return how that ended."""
    life.listen = lambda store: store.connection.pragma("max_page_count", pages)
    try:
        return str(life.think(model()).outcome)
    except MindError as error:
        return type(error).__name__
    finally:
        life.listen = lambda _: None


def swept(folder: Path, limits: int) -> tuple[dict[str, int], int]:
    """Fill the disk at many places of a cycle; return how each ended, and what was half done."""
    life = lived(folder, cycles=1)
    life.push("play all")
    before = life.path.read_bytes()
    life.think(model())
    first, last = len(before) // PAGE, len(life.path.read_bytes()) // PAGE
    assert last - first >= 15
    ends: dict[str, int] = {}
    half = 0
    for number in range(limits):
        put(life.path, before)
        life.chance = make_chance(number)
        end = live_in(life, first + number * (last - first) // limits)
        ends[end] = ends.get(end, 0) + 1
        faults = half_done(life, judged=False)
        life.clock.pass_time(LEASE)
        again = live_in(life, 1 << 20)
        faults += half_done(life, judged=number % 3 == 0)
        half += again != "done" or faults != []
    return ends, half


@pytest.mark.heavy
@pytest.mark.of_a_file
@pytest.mark.parametrize("limits", [24, pytest.param(200, marks=pytest.mark.long)])
def test_a_full_disk_leaves_nothing_half_done_and_work_goes_on(tmp_path: Path, limits: int) -> None:
    ends, half = swept(tmp_path / "life", limits)
    assert half == 0
    assert ends == {"InputOutputError": limits}
    proved(11, limits=limits, full=ends["InputOutputError"], half_done=half)


@pytest.mark.heavy
@pytest.mark.of_a_file
def test_a_build_without_transactions_leaves_half_a_turn(tmp_path: Path) -> None:
    with broken(turn_without_transaction.PATCHES):
        _, half = swept(tmp_path / "life", 10)
    assert half > 0
    turned_red(11, "turn_without_transaction", half_done=half)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a disk of 256 KiB."""
    disk = make_private(tmp_path / "disk")
    size = "size=256k,mode=700"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.of_a_file
def test_a_small_disk_is_full_without_harm(small_disk: Path) -> None:
    mind = Mind(small_disk)
    refused = mind.run("init")
    assert (refused.status, refused.words.count("\n")) == (74, 1)
    assert list(small_disk.iterdir()) == []
    _grow(small_disk, "4m")
    mind("init", "--agent", AGENT)
    (small_disk / "filling").write_bytes(bytes(_free(small_disk)))
    push = ("inbox", "push", "--agent", AGENT, "--text", LONG * 10)
    refused = mind.run(*push)
    assert (refused.status, "no space left" in refused.words) == (74, True), refused.words
    (small_disk / "filling").unlink()
    assert faults_in(small_disk / "mind.db") == []
    mind(*push)
    proved(11, small_disks=1)


def _grow(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


def _free(disk: Path) -> int:
    found = os.statvfs(disk)
    return found.f_bavail * found.f_frsize


# Promise 20: damage.


def noticed(store: Path, anchor: str | None = None) -> bool:
    """Tell whether opening the store, or else walking its chain, says that it is damaged."""
    try:
        with contextlib.closing(open_store(store)) as opened:
            return bool(broken_rows(opened, anchor))
    except (InputOutputError, UnicodeDecodeError):
        return True


def broken_rows(store: EngineStore, anchor: str | None = None) -> list[BrokenRow]:
    """Return the broken rows of the life's agent."""
    windows = list(verify.broken(store, agent=AGENT))
    with contextlib.suppress(NothingToDoError):
        return [*ChainWalk(store, agent=AGENT, anchor=anchor).broken(), *windows]
    return windows


def opened_silently(store: Path) -> bool:
    """Tell whether a store opens for writing as if nothing were."""
    try:
        open_store(store).close()
    except MindError as error:
        assert str(error).count("\n") == 0
        return False
    return True


def saved(store: Path, folder: Path) -> dict[str, Salvaged]:
    """Salvage a store; return what became of each table of the new one, which is sound."""
    new = folder / "new.db"
    for name in ("new.db", "new.db.recovery.jsonl"):
        (folder / name).unlink(missing_ok=True)
    told = recover(store, FixedClock(), make_chance(1), new=new)
    assert faults_in(new) == []
    return {one.table: one for one in told}


def lost_by_salvage(
    original: Original, damaged: set[int], store: Path, folder: Path
) -> dict[str, int]:
    """Return, per table, the rows on whole pages that were neither saved nor said to be unplaced.

    Where damage cut their pages off, rows that more than one table could hold have no place.
    """
    told = saved(store, folder)
    gone = {name for name in PARENTS if told[name].rows < original.rows.get(name, 0)}
    lost: dict[str, int] = {}
    for name, expected in original.without(damaged).items():
        if name in told:
            orphans = told[name].refused if gone else 0
            lost[name] = expected - told[name].rows - orphans
    lost = {name: rows for name, rows in lost.items() if rows > 0}
    unplaced = told[""].refused if "" in told else 0
    return lost if sum(lost.values()) > unplaced else {}


@pytest.mark.heavy
@pytest.mark.of_a_file
@pytest.mark.parametrize("times", [6, pytest.param(250, marks=pytest.mark.long)])
def test_damage_is_seen_and_what_is_whole_is_saved(tmp_path: Path, times: int) -> None:
    chance = random.Random(SEED)
    life = lived(tmp_path / "life")
    original = Original(life.path)
    folder = make_private(tmp_path / "damaged")
    silent = dict.fromkeys(("heads", "cuts", "flips", "logs"), 0)
    unsaved: list[dict[str, int]] = []
    for kind, damage in (("heads", head_overwritten), ("cuts", cut)):
        for number in range(times):
            octets, pages = damage(original, chance)
            store = original.copy(folder, octets)
            silent[kind] += opened_silently(store)
            assert store.read_bytes() == octets, "a damaged store was written to"
            if number % 2 == 0:
                unsaved.append(lost_by_salvage(original, pages, store, folder))
    for _ in range(times):
        octets, _ = bit_flipped(original, chance, original.pages_of("message"))
        silent["flips"] += not noticed(original.copy(folder, octets))
    silent["logs"] = sum(not noticed(*one) for one in without_wal(life, folder, times))
    assert silent == dict.fromkeys(silent, 0)
    assert [one for one in unsaved if one] == []
    proved(20, copies=4 * times, silent=0, salvaged=len(unsaved), rows_lost=0)


def with_checksums(store: Path, summed: Path) -> Path:
    """Write a copy of a store whose pages have checksums."""
    summed.write_bytes(store.read_bytes())
    summed.chmod(0o600)
    with contextlib.closing(apsw.Connection(str(summed), vfs=checksum_vfs())) as copy:
        copy.pragma("journal_mode", "delete")
        begin_checksums(copy)
        copy.execute("VACUUM")
    assert have_checksums(summed)
    return summed


@pytest.mark.heavy
@pytest.mark.of_a_file
@pytest.mark.parametrize("summed", [False, True])
def test_salvage_says_of_every_lost_row_that_something_is_missing(
    tmp_path: Path, *, summed: bool
) -> None:
    chance = random.Random(SEED)
    path = lived(tmp_path / "life", cycles=2).path
    if summed:
        path = with_checksums(path, make_private(tmp_path / "summed") / "mind.db")
    original = Original(path)
    folder = make_private(tmp_path / "damaged")
    before = saved(original.copy(folder, original.octets), folder)
    assert not any(one.rows_lost or one.pages_lost for one in before.values())
    losing, silent = 0, []
    for page in chance.sample(sorted(set(original.held) - {1}), 25):
        octets = bytearray(original.octets)
        at = (page - 1) * PAGE + chance.choice((0, 0, chance.randrange(PAGE - 200)))
        octets[at : at + 200] = chance.randbytes(200)
        told = saved(original.copy(folder, octets), folder)
        missing = [name for name, one in before.items() if told[name].rows < one.rows]
        losing += bool(missing)
        for name in missing:
            known = [told[name], *([told[""]] if "" in told else [])]
            if not any(one.refused + one.rows_lost + one.pages_lost for one in known):
                silent.append((page, name))
    assert losing >= 5
    assert silent == []


@pytest.mark.of_a_file
def test_a_last_page_that_is_half_there_is_seen(tmp_path: Path) -> None:
    original = Original(lived(tmp_path / "life", cycles=1).path)
    folder = make_private(tmp_path / "damaged")
    filled = bytes(original.octets[-PAGE:].rstrip(b"\0"))
    kept = original.octets[:-PAGE] + filled.ljust(PAGE - 1, b"\0")
    assert not opened_silently(original.copy(folder, kept))


@pytest.mark.of_a_file
def test_a_row_that_only_its_index_gives_to_its_agent_is_seen(tmp_path: Path) -> None:
    life = lived(tmp_path / "life", cycles=1)
    first = f"{life.value('SELECT id FROM message WHERE seq=1')}user".encode()
    octets = life.path.read_bytes()
    assert b"ava" + first in octets
    damaged = make_private(tmp_path / "damaged") / "mind.db"
    damaged.write_bytes(octets.replace(b"ava" + first, b"avq" + first))
    damaged.chmod(0o600)
    assert noticed(damaged)


def without_wal(life: Life, folder: Path, times: int) -> Iterator[tuple[Path, str]]:
    """Yield stores whose -wal somebody deleted, with the anchor that was kept elsewhere."""
    for _ in range(times):
        with contextlib.closing(open_store(life.path)) as store:
            store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            # While somebody reads, nothing of the turn is moved out of the log.
            with store.read() as rows:
                assert rows.value(int, "SELECT count(*) FROM agent") == 1
                life.push("play all")
                life.think(model())
            walk = ChainWalk(store, agent=AGENT)
            assert list(walk.broken()) == []
            yield Original(life.path).copy(folder, life.path.read_bytes()), walk.verdict.anchor


@pytest.mark.heavy
@pytest.mark.of_a_file
@pytest.mark.parametrize("times", [20, pytest.param(1000, marks=pytest.mark.long)])
def test_page_checksums_find_every_flipped_bit(tmp_path: Path, times: int) -> None:
    chance = random.Random(SEED)
    life = lived(tmp_path / "life", cycles=2)
    summed = make_private(tmp_path / "summed") / "mind.db"
    make_store(summed, FixedClock(), make_chance(2), page_checksums=True).close()
    with contextlib.closing(apsw.Connection(str(life.path))) as source:
        rows = list(source.execute("SELECT sha256, octets FROM blob"))
    with contextlib.closing(open_store(summed)) as store, store.write() as written:
        written.run_many("INSERT INTO blob(sha256, octets) VALUES(?, ?)", rows)
    original = Original(summed)
    folder = make_private(tmp_path / "damaged")
    unseen = 0
    for number in range(times):
        octets, pages = bit_flipped(original, chance)
        store_path = original.copy(folder, octets)
        unseen += opened_silently(store_path) or not faults_in(store_path)
        if number % 10 == 0:
            assert lost_by_salvage(original, pages, store_path, folder) == {}
    assert unseen == 0
    proved(20, bits_flipped=times, unseen=unseen)


@pytest.mark.of_a_file
def test_a_build_without_checks_opens_damaged_stores(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    original = Original(lived(tmp_path / "life").path)
    folder = make_private(tmp_path / "damaged")
    silent = 0
    with broken(opened_unchecked.PATCHES):
        for damage in (head_overwritten, cut) * 5:
            silent += opened_silently(original.copy(folder, damage(original, chance)[0]))
    assert silent > 0
    turned_red(20, "opened_unchecked", opened_silently=silent)


# Promise 21: backups under load.


@contextlib.contextmanager
def writers(life: Life) -> Iterator[None]:
    """Let three processes write to the store: one thinks, two push; they are killed at the end."""

    def think() -> None:
        life.push("play all")
        life.think(model())

    def push() -> None:
        events = [NewEvent(agent=AGENT, type="service", text="play all") for _ in range(5)]
        with life.open() as store:
            push_events(store, life.clock, life.chance, events=events, bounds=ROOMY)

    children = [_forever(life, number, work) for number, work in enumerate((think, push, push))]
    try:
        yield
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _forever(life: Life, number: int, work: Callable[[], None]) -> int:
    """Fork a process that does some work again and again; return its pid."""
    child = os.fork()
    if child == 0:
        life.chance = make_chance(100 + number)
        try:
            while True:
                with contextlib.suppress(MindError):
                    work()
        finally:
            os._exit(1)
    return child


def under_load(life: Life, times: int, copy: Callable[[Path, int], None]) -> None:
    """Copy the store so often while others write to it, once more of it each time."""
    with writers(life):
        for number in range(times):
            _until_written(life)
            copy(life.path, number)


def _until_written(life: Life) -> None:
    """Wait until the writers have committed something new."""
    version = "SELECT count(*) + (SELECT count(*) FROM message) FROM event"
    before = life.value(version)
    until(lambda: life.value(version) != before, "somebody writes")


@pytest.mark.heavy
@pytest.mark.of_a_file
@pytest.mark.parametrize("times", [3, pytest.param(100, marks=pytest.mark.long)])
def test_backups_under_load_are_sound_and_whole(tmp_path: Path, times: int) -> None:
    life = lived(tmp_path / "life", cycles=1)
    copies = make_private(tmp_path / "copies")
    under_load(life, times, lambda path, number: _back_up(path, copies / f"{number}.db"))
    events: set[int] = set()
    for file in sorted(copies.iterdir()):
        life.path = file
        assert half_done(life) == []
        events.add(int(str(life.value("SELECT count(*) FROM event"))))
    assert len(events) > 1, "nothing was written between the backups"
    proved(21, backups=times, half_done=0)


def left_out(folder: Path) -> int:
    """Return how many events a backup lacks that were acknowledged before it, while one reads."""
    life = lived(folder / "life", cycles=1)
    file = make_private(folder / "copies") / "copy.db"
    with life.open() as reader, reader.read() as rows:
        rows.value(int, "SELECT count(*) FROM event")
        for _ in range(5):
            life.push("play all")
        held = life.value("SELECT count(*) FROM event")
        _back_up(life.path, file)
    life.path = file
    return int(str(held)) - int(str(life.value("SELECT count(*) FROM event")))


@pytest.mark.of_a_file
def test_what_was_acknowledged_before_a_backup_is_in_it(tmp_path: Path) -> None:
    missing = left_out(tmp_path)
    assert missing == 0
    proved(21, missing=missing)


@pytest.mark.of_a_file
def test_a_build_that_backs_up_the_file_alone_leaves_out_what_was_acknowledged(
    tmp_path: Path,
) -> None:
    with broken(backup_without_log.PATCHES):
        missing = left_out(tmp_path)
    assert missing > 0
    turned_red(21, "backup_without_log", missing=missing)


def _back_up(store: Path, file: Path) -> None:
    assert backup(store, file=file).bytes > 0


def piecewise(source: Path, target: Path) -> None:
    """Copy a file as a slow disk does, while others get their turn."""
    with source.open("rb") as read, target.open("wb") as written:
        while piece := read.read(16 * PAGE):
            written.write(piece)
            time.sleep(0.005)


@pytest.mark.of_a_file
@pytest.mark.long
def test_plain_copies_under_the_same_load_are_torn(tmp_path: Path) -> None:
    life = lived(tmp_path / "life", cycles=1)
    copies = make_private(tmp_path / "copies")

    def copy(path: Path, number: int) -> None:
        for suffix in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                piecewise(path.with_name(path.name + suffix), copies / f"{number}.db{suffix}")

    under_load(life, 30, copy)
    torn = 0
    for number in range(30):
        life.path = copies / f"{number}.db"
        torn += bool(half_done(life))
    assert torn >= 1
    turned_red(21, "plain_copy", torn=torn)


# Promise 34: edits of the past.


def unseen_edits(life: Life) -> tuple[dict[str, int], list[str]]:
    """Return how many edits of each kind there were, and those that no walk sees."""
    with contextlib.closing(open_where(life.where, read_only=True)) as store:
        walk = ChainWalk(store, agent=AGENT)
        assert list(walk.broken()) == []
        anchor = walk.verdict.anchor
    tried: dict[str, int] = {}
    unseen: list[str] = []
    for kind, statements in edits(life.path):
        tried[kind] = tried.get(kind, 0) + 1
        with edited(life.path, *statements) as store:
            if not broken_rows(store, anchor):
                unseen.append(statements[0])
    return tried, unseen


@pytest.mark.heavy
def test_every_edit_of_the_past_is_seen(tmp_path: Path) -> None:
    life = Long(tmp_path / "life", 3)
    life.fold(keep_cycles=2)
    life.fold(keep_cycles=1)
    life.undo()
    tried, unseen = unseen_edits(life)
    assert unseen == []
    assert min(tried[kind] for kind in ("deletions", "swaps")) >= 4
    assert tried["edits"] >= 100
    proved(34, **tried, unseen=0)


def test_only_an_anchor_kept_elsewhere_shows_a_cut(tmp_path: Path) -> None:
    life = lived(tmp_path / "life", cycles=2)
    mind = Mind(life.path.parent)
    anchor = mind("history", "verify", "--agent", AGENT).record()["anchor"]
    last = "DELETE FROM message WHERE cycle=2"
    with edited(life.path, last) as store:
        assert broken_rows(store) == []
        assert len(broken_rows(store, anchor)) == 1
        store.connection.execute("COMMIT; BEGIN")
    assert mind.run("history", "verify", "--agent", AGENT).status == 0
    assert mind.run("history", "verify", "--agent", AGENT, "--anchor", anchor).status == 65
    proved(34, truncations=1)


@pytest.mark.heavy
def test_a_chain_that_skips_a_column_misses_its_edits(tmp_path: Path) -> None:
    with broken(hash_without_column.PATCHES):
        life = lived(tmp_path / "life", cycles=1)
        _, unseen = unseen_edits(life)
    assert unseen
    assert all('UPDATE message SET "at"=' in statement for statement in unseen)
    turned_red(34, "hash_without_column", unseen=len(unseen))
