"""Run real `mind` processes in a folder and an environment of their own."""

import atexit
import contextlib
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import apsw

from mindpipe.store.holding import ORDERED
from support.canaries import CANARIES
from support.fork_server import ForkServer
from support.server_stores import ON_SERVER, RUN, TABLES, LookedInto, copy_at, named_at

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
NOW = "2026-11-21T20:00:00Z"
SECONDS = 120.0
SHARED = RUN
"""The variable that names the folder of a fork server which several test processes use."""
_PATIENCE_MILLISECONDS = 30_000


@contextlib.contextmanager
def looked_into(folder: Path, name: str = "mind.db") -> Iterator[apsw.Connection]:
    """Open the store in a folder beside whoever else opens or leaves it at the same time."""
    if ON_SERVER:
        with contextlib.closing(LookedInto(folder / name)) as on_server:
            yield cast("apsw.Connection", on_server)
        return
    with contextlib.closing(apsw.Connection(str(folder / name))) as store:
        store.set_busy_timeout(_PATIENCE_MILLISECONDS)
        yield store


_TABLES = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' "
    "AND name NOT GLOB '*_text_*'",
    TABLES,
)
"""What lists the tables in which a store's rows are: in a file, on a server."""
_UNDER_WAY = (
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL "
    "AND pid != pg_backend_pid()"
)


def all_rows(store: apsw.Connection) -> dict[str, list[tuple]]:
    """Return all rows of all tables, each time in the same order."""
    names = [str(name) for (name,) in store.execute(_TABLES[ON_SERVER])]
    # A server gives rows as they lie, and one that was changed lies elsewhere.
    return {
        name: sorted(store.execute(f'SELECT * FROM "{name}"'), key=repr) for name in sorted(names)
    }


def is_held(folder: Path) -> bool:
    """Tell whether somebody is amid a transaction that may write to the store in a folder."""
    if ON_SERVER:
        with looked_into(folder) as store:
            return list(store.execute(_UNDER_WAY)) != []
    with contextlib.closing(apsw.Connection(str(folder / "mind.db"))) as plain:
        try:
            plain.execute("BEGIN IMMEDIATE; ROLLBACK")
        except apsw.BusyError:
            return True
    return False


def end_leases(folder: Path, agent: str) -> None:
    """Let the time of all leases of an agent be over whose one worker has died."""
    with looked_into(folder) as store, store:
        store.execute("UPDATE agent_lease SET seconds = 0 WHERE agent = ?", (agent,))
        store.execute(
            "UPDATE event SET lease_seconds = 0 WHERE agent = ? AND state = 'leased'", (agent,)
        )


def clean_environment(home: Path) -> dict[str, str]:
    """Return the whole environment of a case: nothing of the caller's, time and chance fixed.

    Its secrets are canaries; a run of the tests fails where one is found in a file or an output.
    """
    return {
        "PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "MIND_NOW": NOW,
        "MIND_SEED": "1",
        ORDERED: "1",
        # What is offered costs nothing here, and tests use what they need.
        "MIND_AGENTS_TOOLS": "all",
        # No test writes to the keyring of whoever runs it.
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        **({"MIND_STORE": named_at(home / "mind.db")} if ON_SERVER else {}),
        **CANARIES,
    }


@functools.cache
def fork_server() -> ForkServer:
    """Return the parent of `mind` processes, for as long as this process lives."""
    folder = os.environ.get(SHARED) or tempfile.mkdtemp()
    server = ForkServer(Path(folder))
    if SHARED not in os.environ:
        atexit.register(shutil.rmtree, folder)
    atexit.register(server.close)
    return server


def forked_mind() -> Path:
    """Return a `mind` that starts within milliseconds, for as long as this process lives."""
    return fork_server().program


def forked_python() -> Path:
    """Return an interpreter for programs of the tests that has loaded all, for so long too."""
    return fork_server().python


def mind_first(program: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which a shell finds this `mind` before any other."""
    return {**environment, "PATH": f"{program.parent}:{environment['PATH']}"}


@dataclass(frozen=True)
class Ran:
    """How one command ended and what it wrote."""

    arguments: tuple[str, ...]
    status: int
    stdout: bytes
    stderr: bytes

    @property
    def text(self) -> str:
        """Return stdout as text."""
        return self.stdout.decode()

    @property
    def words(self) -> str:
        """Return stderr as text."""
        return self.stderr.decode()

    def records(self) -> list[dict]:
        """Return stdout as records, one per line."""
        return [json.loads(line) for line in self.stdout.splitlines()]

    def record(self) -> dict:
        """Return the only record of stdout."""
        (only,) = self.records()
        return only


@dataclass
class Mind:
    """The command `mind` in one folder; the store is that folder's mind.db, or stands for it."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    forked: bool = True

    @property
    def program(self) -> Path:
        """Return what is run: a fork of one that has loaded all, or the installed program."""
        return forked_mind() if self.forked else BIN / "mind"

    def like(self, folder: Path) -> "Mind":
        """Fill the folder with all that another one holds, and return this."""
        shutil.copytree(folder, self.folder, dirs_exist_ok=True)
        if ON_SERVER:
            copy_at(folder / "mind.db", self.folder / "mind.db")
        return self

    def placed(self, arguments: Sequence[str]) -> list[str]:
        """Return arguments in which the store is named as it is called where it is."""
        name = named_at(self.folder / "mind.db") if "mind.db" in arguments else ""
        on_server = name if ON_SERVER else "mind.db"
        return [on_server if one == "mind.db" else one for one in arguments]

    def __call__(self, *arguments: str, stdin: bytes | str = b"") -> Ran:
        """Run `mind` with these arguments; fail the test if it does not end with status 0."""
        ran = self.run(*arguments, stdin=stdin)
        assert ran.status == 0, f"mind {' '.join(arguments)}: {ran.status}: {ran.words}"
        return ran

    def run(
        self,
        *arguments: str,
        stdin: bytes | str = b"",
        environment: Mapping[str, str] | None = None,
        seconds: float = SECONDS,
    ) -> Ran:
        """Run `mind` with these arguments to its end, whatever its status."""
        if self.forked:
            return Ran(
                arguments,
                *fork_server().run(
                    self.placed(arguments),
                    stdin=stdin.encode() if isinstance(stdin, str) else stdin,
                    folder=self.folder,
                    environment=self._environment(environment),
                    seconds=seconds,
                ),
            )
        done = subprocess.run(
            [self.program, *self.placed(arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=self.folder,
            env=self._environment(environment),
            timeout=seconds,
            check=False,
        )
        return Ran(arguments, done.returncode, done.stdout, done.stderr)

    def start(
        self, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start `mind` with pipes for all three streams; the caller ends it."""
        return subprocess.Popen(
            [str(self.program), *self.placed(arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self._environment(environment),
        )

    def shell(self, script: str, *, stdin: bytes = b"", seconds: float = SECONDS) -> Ran:
        """Run a shell script (`sh -eu`) in the folder, with `mind` on its PATH."""
        done = subprocess.run(
            ["sh", "-euc", script],
            input=stdin,
            capture_output=True,
            cwd=self.folder,
            env=mind_first(self.program, self._environment(None)),
            timeout=seconds,
            check=False,
        )
        return Ran(("sh",), done.returncode, done.stdout, done.stderr)

    def failing(self, failpoint: str) -> dict[str, str]:
        """Return the variables under which a command fails at `name:action[@n]`."""
        return {"MIND_TESTING": "1", "MIND_FAIL": failpoint}

    def _environment(self, more: Mapping[str, str] | None) -> dict[str, str]:
        return {**clean_environment(self.folder), **self.environment, **(more or {})}


def make_private(folder: Path) -> Path:
    """Make a folder that only its owner may enter, whatever the umask is."""
    folder.mkdir(parents=True, exist_ok=True)
    os.chmod(folder, 0o700)  # noqa: PTH101 - mkdir's mode is masked by the umask
    return folder
