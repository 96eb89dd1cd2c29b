"""Kill a command again and again, each time in the same life, and look at what it left."""

import contextlib
import fnmatch
import itertools
import json
import os
import pty
import random
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import psycopg

from support.command import (
    ROOT,
    clean_environment,
    fork_server,
    looked_into,
    make_private,
    mind_first,
)
from support.killed_steps import AT, COUNT
from support.processes import Nursery
from support.server_stores import ON_SERVER, LookedInto, copy_at
from support.writing_commands import BASE, Trial

CASES = ROOT / "fixtures" / "cases"
MOST_DRAWS = 5
# All is well, or there is nothing to be verified.
_SOUND = (0, 3)
MAGIC = b"SQLite format 3\0"
COMPANIONS = ("-wal", "-shm", "-journal")
SECONDS = 240.0
BUILD = "support.killed_steps"
State = dict[str, object]
"""What is in a folder: the rows of each store by `file/table`, and the bytes of each other file."""


def rows_of(path: Path) -> dict[str, list[tuple]]:
    """Return the rows of every table of a store."""
    with contextlib.closing(apsw.Connection(str(path))) as store:
        store.set_busy_timeout(30_000)
        tables = [
            str(name)
            for (name,) in store.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' "
                "AND name NOT GLOB '*_text_*' ORDER BY name"
            )
            if name not in _OF_WORKERS
        ]
        return {name: _plain_rows(store, name) for name in tables}


def _rows_on_server(path: Path) -> dict[str, list[tuple]]:
    """Return the rows of every table of a store on the server."""
    with contextlib.closing(LookedInto(path)) as store:
        return {
            name: sorted((_plain_cells(row) for row in rows), key=repr)
            for name, rows in store.whole_rows()
            if name not in _OF_WORKERS
        }


def _plain_cells(row: Mapping[str, object]) -> tuple:
    return tuple((name, _plain(cell)) for name, cell in row.items() if name not in _OF_ITS_RUN)


# The clock since boot, processes, inodes, and what a cycle took: no two runs agree on them.
_OF_ITS_RUN = {
    "boot",
    "seconds",
    "pid",
    "milliseconds",
    "owner",
    "ctime_ns",
    "inode",
    "settled",
} | {f"{what}_{unit}" for what in ("lease", "first", "retry") for unit in ("boot", "seconds")}
_FIGURES = re.compile(
    rb'("(?:ctime_ns|inode|mean_seconds|seconds|took|processing_seconds|settled)":) ?[-0-9.a-z]+'
)
_NO_FIGURE = re.compile(rb":(?=[,}])")
# A lease is of whoever holds it.
_OF_WORKERS = ("agent_lease",)


def _plain_rows(store: apsw.Connection, table: str) -> list[tuple]:
    """Return all rows of a table as pairs, without what no two runs agree on."""
    names = [str(one) for (_, one, *_) in store.execute(f'PRAGMA table_info("{table}")')]
    kept = [name for name in names if name not in _OF_ITS_RUN]
    columns = ", ".join(f'"{name}"' for name in kept)
    rows = [
        tuple(zip(kept, map(_plain, row), strict=True))
        for row in store.execute(f'SELECT {columns} FROM "{table}"')
    ]
    return sorted(rows, key=repr)


def _plain(cell: object) -> object:
    if isinstance(cell, str):
        return _FIGURES.sub(rb"\1", cell.encode("utf-8", "surrogatepass"))
    return _FIGURES.sub(rb"\1", cell) if isinstance(cell, bytes) else cell


def state_of(folder: Path) -> State:
    """Return what is in a folder."""
    found: State = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not path.is_file() or ".git/" in f"{name}/" or name.endswith(COMPANIONS):
            continue
        octets = path.read_bytes()
        # What is to be appended to is made first, and a reserve is there for its size.
        if not octets.strip(b"\0"):
            continue
        if not octets.startswith(MAGIC):
            found[name] = _FIGURES.sub(rb"\1", octets)
            continue
        try:
            found |= {f"{name}/{table}": rows for table, rows in rows_of(path).items()}
        except apsw.Error as error:
            found[name] = repr(error)
    if ON_SERVER:
        rows = _rows_on_server(folder / "mind.db")
        found |= {f"mind.db/{table}": told for table, told in rows.items()}
    return found


def is_litter(name: str) -> bool:
    """Tell whether a file is one that only a command at work has."""
    return any(part.startswith(".") for part in name.split("/"))


def without_litter(state: State) -> State:
    """Return what stays when nobody is at work."""
    return {name: what for name, what in state.items() if not is_litter(name)}


def differing(one: State, other: State) -> list[str]:
    """Return the names of tables and files in which two states differ."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def details(found: State, wanted: State) -> dict[str, list]:
    """Return what of each table or file is only in one of two states."""
    told = {}
    for name in differing(found, wanted):
        pair = found.get(name), wanted.get(name)
        both = [one if isinstance(one, list) else [one] for one in pair]
        told[name] = [[row for row in one if row not in other] for one, other in (both, both[::-1])]
    return told


@dataclass(frozen=True, kw_only=True)
class Ran:
    """How a command ended, what it printed, how many steps it took, and in what time."""

    status: int
    stdout: bytes
    stderr: str
    steps: int
    seconds: float


def _hear(terminal: int) -> None:
    """Read what a program says on a terminal until it is left, so that nobody waits for it."""
    with contextlib.suppress(OSError):
        while os.read(terminal, 1 << 16):
            pass


@dataclass
class Stage:
    """A prepared life, put back before each run of a trial."""

    trial: Trial
    folder: Path
    build: str = BUILD
    arguments: list[str] = field(init=False)
    environment: dict[str, str] = field(init=False)
    runs: int = 0

    def __post_init__(self) -> None:
        self._kept = self._aside("kept")
        make_private(self.folder)
        self.nursery = Nursery(self.folder, self.build)
        self._prepare()
        shutil.copytree(self.folder, self._kept, symlinks=True)
        if ON_SERVER:
            copy_at(self.folder / "mind.db", self._kept / "mind.db")

    def close(self) -> None:
        """End the parent of its processes."""
        self.nursery.close()

    def _aside(self, name: str) -> Path:
        """Return a place beside the folder."""
        return self.folder.with_name(f"{self.folder.name}-{name}")

    def _prepare(self) -> None:
        """Live what comes before, and keep what the shell made of the command line."""
        begin = ":" if self.trial.empty else BASE
        script = (
            f"{{ {begin}\n{self.trial.stage}\n}} >{self._aside('told')}\n"
            f"set -- {self.trial.line}\nprintf '%s\\0' \"$@\"\nprintf '\\0'\nenv -0\n"
        )
        if ON_SERVER:
            script = script.replace("--store mind.db", '--store "$MIND_STORE"')
        environment = {**clean_environment(self.folder), "CASES": str(CASES)}
        done = subprocess.run(
            ["sh", "-euc", script],
            cwd=self.folder,
            env=mind_first(fork_server().program, environment),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, (self.trial.line, done.returncode, done.stderr)
        words, _, variables = done.stdout.decode().partition("\0\0")
        self.arguments = words.split("\0")
        self.environment = dict(one.split("=", 1) for one in variables.split("\0")[:-1])
        # Caches of libraries, and what they try there, are not what is looked at.
        aside = str(make_private(self._aside("temporary")))
        self.environment |= {"TMPDIR": aside, "HOME": aside}

    def put_back(self) -> None:
        """Let the folder be what it was before the command."""
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        shutil.copytree(self._kept, self.folder, symlinks=True, dirs_exist_ok=True)
        if ON_SERVER:
            copy_at(self._kept / "mind.db", self.folder / "mind.db")

    def run(self, *, at: int = 0, delay: float | None = None) -> Ran:
        """Run the command; kill it before a step or after so many seconds."""
        if self.trial.typed:
            with self._terminal() as terminal:
                return self._run(self.arguments, stdin=terminal, at=at, delay=delay)
        stdin = str(CASES / self.trial.stdin) if self.trial.stdin else os.devnull
        return self._run(self.arguments, stdin=stdin, at=at, delay=delay)

    @contextlib.contextmanager
    def _terminal(self) -> Iterator[str]:
        """Give a terminal on which somebody has typed, and to which the next stderr goes."""
        person, program = pty.openpty()
        reader = threading.Thread(target=_hear, args=(person,))
        # Where the file of its stderr would be made there is a name of the terminal.
        told = self._aside(f"out{self.runs + 1}.err")
        told.symlink_to(os.ttyname(program))
        os.write(person, self.trial.typed.encode())
        reader.start()
        try:
            yield os.ttyname(program)
        finally:
            told.unlink()
            told.write_text("")
            os.close(program)
            reader.join()
            os.close(person)

    def mind(self, *arguments: str) -> Ran:
        """Run another command there."""
        return self._run(arguments)

    def _run(
        self,
        arguments: Sequence[str],
        *,
        stdin: str = os.devnull,
        at: int = 0,
        delay: float | None = None,
    ) -> Ran:
        self.runs += 1
        out, count = self._aside(f"out{self.runs}"), self._aside(f"count{self.runs}")
        environment = {**self.environment, AT: str(at), COUNT: str(count)}
        began = time.monotonic()
        born = self.nursery.start(arguments, out, environment, stdin=stdin)
        if delay is not None and not born.ended(delay):
            born.kill(signal.SIGKILL)
        status = born.status()
        return Ran(
            status=status,
            stdout=out.read_bytes() if out.exists() else b"",
            stderr=born.words() if status >= 0 and not Path(f"{out}.err").is_symlink() else "",
            # Who dies while it writes this down has done everything.
            steps=int(count.read_text() or 0) if count.exists() else 0,
            seconds=time.monotonic() - began,
        )

    def end_leases(self) -> None:
        """Let the time of all leases be over, since whoever held them has died."""
        if not ON_SERVER and not (self.folder / "mind.db").exists():
            return
        missing = (apsw.SQLError, psycopg.errors.UndefinedTable)
        with contextlib.suppress(*missing), looked_into(self.folder) as store, store:
            store.execute("UPDATE agent_lease SET seconds = 0")
            store.execute("UPDATE event SET lease_seconds = 0 WHERE state = 'leased'")
            store.execute("UPDATE plan_window SET seconds = 0 WHERE state = 'claimed'")
            store.execute("UPDATE consolidation_window SET seconds = 0")
            if ON_SERVER:
                # Whoever died took numbers with it, which a file gives to the next one.
                store.execute("SELECT align_numbers()")


@dataclass
class Killed:
    """A trial: what the command does when nobody kills it, and what each kill left."""

    stage: Stage
    struck: int = 0
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        stage = self.stage
        self.before = state_of(stage.folder)
        self._sound: dict[bytes, list[str]] = {}
        self._amiss: set[tuple[str, int]] = set()
        self._unsound(self.before)
        self.first = stage.run()
        self.after = state_of(stage.folder)
        stage.end_leases()
        self.again = stage.run()
        self.twice = state_of(stage.folder)

    def kill(self, kills: int, chance: random.Random) -> None:
        """Kill it so many times: three times in four before a drawn step, else at a drawn time."""
        steps = self.first.steps
        for number in itertools.count():
            if self.struck == kills:
                return
            assert number < MOST_DRAWS * kills, "the command is too short to be struck"
            if number % 4 == 3:
                self.stage.put_back()
                delay = chance.uniform(0, self.first.seconds)
                self._look(self.stage.run(delay=delay), f"after {delay:.3f} s")
            else:
                # Every part of its way is met, whatever is drawn.
                part = number - number // 4
                self.kill_before(1 + int((part % kills + chance.random()) * steps / kills))

    def kill_before(self, step: int) -> None:
        """Kill it before a step."""
        self.stage.put_back()
        self._look(self.stage.run(at=step), f"before step {step} of {self.first.steps}")

    def _look(self, ran: Ran, where: str) -> None:
        """Note what is wrong with what a kill left, and with what the same command makes of it."""
        if ran.status != -signal.SIGKILL:
            return
        self.struck += 1
        self.faults += [f"{where}: {fault}" for fault in (*self._left(ran), *self._resumed())]

    def _left(self, ran: Ran) -> Iterator[str]:
        """Yield what is wrong with what a kill left."""
        left = without_litter(state_of(self.stage.folder))
        whole = left in (self.before, self.after)
        if not self.stage.trial.steps:
            if not whole:
                yield f"in part: {self._which(left)}"
            if b"\n" in ran.stdout and left != self.after:
                yield f"it said so and did not: {ran.stdout[:200]!r}"
        for name, what in left.items():
            known = (self.before.get(name), self.after.get(name))
            if isinstance(what, bytes) and what not in known and not self._may_be(name, what):
                yield f"torn: {name}"
        yield from self._unsound(left)

    def _may_be(self, name: str, octets: bytes) -> bool:
        """Tell whether a file is on its way to what the command writes, or whole in itself."""
        whole, trial = self.after.get(name), self.stage.trial
        if trial.grows:
            return isinstance(whole, bytes) and whole.startswith(octets)
        return name in trial.traces and isinstance(json.loads(_NO_FIGURE.sub(b":0", octets)), dict)

    def _which(self, left: State) -> str:
        before, after = (differing(left, one) for one in (self.before, self.after))
        return f"not as before {before}, nor as after {after}"

    def _unsound(self, left: State) -> list[str]:
        """Return what the commands that check a store say of it; of one state they say the same."""
        if "mind.db/agent" not in left:
            return []
        known = repr(left).encode()
        if known not in self._sound:
            checks = [("store", "check")]
            if "('name', b'ava')" in repr(left.get("mind.db/agent")):
                checks += [(part, "verify", "--agent", "ava") for part in ("history", "knowledge")]
            ran = {" ".join(one): self.stage.mind(*one) for one in checks}
            bad = {(line, its.status) for line, its in ran.items() if its.status not in _SOUND}
            if not self._sound:
                # What was amiss before the command is not its doing.
                self._amiss = bad
            self._sound[known] = [
                f"{line}: {status}: {ran[line].stdout.decode()} {ran[line].stderr}"
                for line, status in bad - self._amiss
            ]
        return self._sound[known]

    def _resumed(self) -> Iterator[str]:
        """Yield what is wrong with what the same command makes of what is left."""
        left = without_litter(state_of(self.stage.folder))
        self.stage.end_leases()
        onward = self.stage.trial.onward.split()
        ran = self.stage.mind(*onward) if onward else self.stage.run()
        found = state_of(self.stage.folder)
        if rubbish := {name for name in found if is_litter(name)}:
            yield f"never removed: {sorted(rubbish)}"
        found = without_litter(found)
        ends = [(self.first.status, self.after), (self.again.status, self.twice)]
        if onward:
            if ran.status not in _SOUND:
                yield f"{self.stage.trial.onward}: {ran.status} {ran.stderr}"
            return
        if not self.stage.trial.steps:
            ends = ends[:1] if left == self.before else ends[1:]
        if (ran.status, found) not in ends and not self._ends_alike(ran, found):
            wrong = [details(found, state) for _, state in ends]
            yield f"run again: {ran.status} {ran.stderr!r}, other than when it lives: {wrong}"

    def _ends_alike(self, ran: Ran, found: State) -> bool:
        """Tell whether the end is the same but for the traces of the one who died."""
        traces = self.stage.trial.traces
        if not traces or ran.status not in {self.first.status, self.again.status}:
            return False
        return any(
            _without(traces, found) == _without(traces, end) for end in (self.after, self.twice)
        )


def _without(traces: Sequence[str], state: State) -> State:
    """Return a state without some tables and some columns, named `table` and `table.column`."""
    return {
        name: [tuple(pair for pair in row if f"{table}.{pair[0]}" not in traces) for row in what]
        if isinstance(what, list)
        else what
        for name, what in state.items()
        if not _is_trace(table := name.rpartition("/")[2], name, traces)
    }


def _is_trace(table: str, name: str, traces: Sequence[str]) -> bool:
    """Tell whether a table, or the name of a file, is among the traces; * stands for anything."""
    return table in traces or any(fnmatch.fnmatch(name, trace) for trace in traces)
