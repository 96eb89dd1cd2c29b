"""Which workers are there for a store, also while they wait and nothing of them is in it.

Nobody writes that he waits. On a server the connections of a worker have a name that says who it
is, which everybody sees there. Who works with a file is on its machine: a worker holds the lock of
a note in its user's folder for what can be made anew; a note that nobody holds says nothing.
"""

import contextlib
import fcntl
import os
import socket
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import mkstemp

import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.ports import Clock
from mindpipe.core.records import NO_RECORD
from mindpipe.io.files import alone_in, make_folder
from mindpipe.io.user_files import cache_folder
from mindpipe.store.address import Where
from mindpipe.store.engine import EngineStore
from mindpipe.store.postgres.clock import sees
from mindpipe.store.records import Presence
from mindpipe.workers.records import WorkerSession


@contextlib.contextmanager
def present(store: EngineStore, clock: Clock, *, names: Sequence[str]) -> Iterator[None]:
    """Let others see, until the block ends, that this process is there for some agents.

    Where that cannot be shown, nobody sees it, and nothing else is otherwise.
    """
    who = Presence(
        host=socket.gethostname(), pid=os.getpid(), since=clock.now(), names=tuple(names)
    )
    if isinstance(store.where, Path):
        with _noted(store.where, who):
            yield
        return
    from mindpipe.store.postgres.presence import named
    from mindpipe.store.postgres.store import PostgresStore

    assert isinstance(store, PostgresStore)
    with named(store, who):
        yield


def present_at(where: Where) -> list[Presence]:
    """Return the workers that are seen, the oldest first; only reads."""
    if isinstance(where, Path):
        found = [who for path in _notes(where) if (who := _held(path)) is not None]
    else:
        from mindpipe.store.postgres.presence import shown

        found = shown(where)
    return sorted(found, key=lambda one: (one.since, one.host, one.pid))


def place_of(life: WorkerSession, there: Sequence[Presence], clock: Clock) -> str:
    """Return where a life goes on that is not on this machine, in words behind its process."""
    if sees(clock, life.boot):
        return ""
    hosts = {one.host for one in there if one.pid == life.pid and _is_for(one, life.agent)}
    return f" of {hosts.pop()}" if len(hosts) == 1 else " of another machine"


def waiting_for(agent: str, there: Sequence[Presence]) -> str | None:
    """Return who takes up an agent once it is due, in words, or None."""
    return next(
        (
            f"pid {one.pid} of {one.host} is there since {one.since}"
            for one in there
            if _is_for(one, agent)
        ),
        None,
    )


def idle(there: Iterable[Presence], lives: Iterable[WorkerSession]) -> Iterator[Presence]:
    """Yield the workers that live nobody; processes of two machines may have one number."""
    left = list(lives)
    for one in there:
        own = next((run for run in left if run.pid == one.pid and _is_for(one, run.agent)), None)
        if own is None:
            yield one
        else:
            left.remove(own)


def _is_for(who: Presence, agent: str) -> bool:
    """Tell whether a worker is there for an agent."""
    return any(fnmatchcase(agent, name) for name in who.names)


@contextlib.contextmanager
def _noted(file: Path, who: Presence) -> Iterator[None]:
    """Hold the lock of a note, and take away those that nobody holds."""
    with contextlib.ExitStack() as held:
        # RuntimeError: there is no home.
        with contextlib.suppress(OSError, MindError, RuntimeError):
            folder = _folder()
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            make_folder(folder)
            # Nobody else takes a note for one that nobody holds, before its lock is held.
            with alone_in(folder):
                for path in _notes(file):
                    if _held(path) is None:
                        path.unlink(missing_ok=True)
                # Processes of two containers may have one number.
                descriptor, name = mkstemp(suffix=".json", prefix=_stem(file), dir=folder)
                note = held.enter_context(os.fdopen(descriptor, "wb"))
                held.callback(Path(name).unlink, missing_ok=True)
                fcntl.flock(note, fcntl.LOCK_EX)
                note.write(msgspec.json.encode(who))
                note.flush()
        yield


def _held(path: Path) -> Presence | None:
    """Return who holds a note, None where nobody does."""
    with contextlib.suppress(OSError, *NO_RECORD), path.open("rb") as note:
        try:
            fcntl.flock(note, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return msgspec.json.decode(note.read(), type=Presence)
    return None


def _folder() -> Path:
    return cache_folder(os.environ) / "workers"


def _notes(file: Path) -> list[Path]:
    """Return the notes of a file's workers."""
    with contextlib.suppress(OSError, RuntimeError):
        return sorted(_folder().glob(f"{_stem(file)}*.json"))
    return []


def _stem(file: Path) -> str:
    """Return how the notes of a file begin, which can have several names."""
    found = file.stat()
    return f"{found.st_dev:x}-{found.st_ino:x}-"
