"""Keep one program: start it under its limits, end all that came of it, remove its folder.

It is a program of its own, started by `programs.py`. Having one thread, it may set limits between
fork and exec, so nothing runs without them; and every orphan that the system gives to it is one of
its program's. Memory it watches itself: the system bounds address space, of which some programs
(Node, Java) reserve many times what they use. When the other end of `control` closes, which it also
does when the worker is killed, it ends the program: SIGTERM to the group, some seconds' grace,
SIGKILL to all.

A program may kill or stop its keeper. So the process that was started watches it, does nothing else
and ends what such a program leaves behind; whoever started that one looks for what is left where
the watcher is killed too.
"""

import ctypes
import errno
import os
import resource
import select
import signal
import sys
import time

_PARENT_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36
_BOUNDED = (
    resource.RLIMIT_CORE,
    resource.RLIMIT_CPU,
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_NOFILE,
)
_UNBOUNDED = 1 << 40
_FASTEST_GROWTH = 4 << 30
"""Bytes a second by which no process is taken to grow; sooner than that nobody need look again."""
_SHORTEST_REST, _LONGEST_REST = 0.01, 1.0
_OF_MEMORY = (b"RssAnon:", b"RssShmem:", b"VmSwap:")
_BETWEEN_LOOKS = 0.001
_HURRIED_GRACE = 0.5


def main() -> None:
    """Run `keeper CONTROL GRACE FOLDER CPU FILE FILES MEMORY PROGRAM…`; FOLDER may be empty.

    What is written to CONTROL at the end: `ended STATUS` (negative for a signal), `outgrew STATUS`
    where a process of it had more than MEMORY bytes of its own, or `failed ERRNO`. The exit status
    is 1 where the keeper did not come to that.
    """
    control, grace, folder, *bounds, memory = sys.argv[1:8]
    told, watcher = int(control), os.getpid()
    _ask_system(_CHILD_SUBREAPER, 1)
    keeper = os.fork()
    if keeper:
        os.close(told)
        os._exit(_watch(keeper, folder))
    _ask_system(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != watcher:
        return
    os.set_inheritable(told, False)  # noqa: FBT003 - the only form there is
    try:
        answer = _keep(
            sys.argv[8:],
            control=told,
            grace=float(grace),
            folder=folder,
            bounds=[0, *map(int, bounds)],
            memory=int(memory),
        )
    except OSError as error:
        answer = f"failed {error.errno}"
    try:
        os.write(told, answer.encode())
    except BrokenPipeError:
        return


def _watch(keeper: int, folder: str) -> int:
    """Wait for the keeper, whatever is done to it; return 1 if it did not end by itself.

    One that is stopped is killed, since it keeps nothing any more.
    """
    _hear_nothing()
    ended = status = 0
    while ended != keeper:
        ended, status = os.waitpid(-1, os.WUNTRACED)
        if ended == keeper and os.WIFSTOPPED(status):
            os.kill(keeper, signal.SIGKILL)
            ended = 0
    if status == 0:
        return 0
    while _has_children():
        _kill_descendants()
        time.sleep(_BETWEEN_LOOKS)
    if folder:
        remove(folder)
    return 1


def _has_children() -> bool:
    """Take in all that ended; tell whether anything is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _hear_nothing() -> None:
    """Let go of the pipes of the program, which end when it does."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _keep(
    command: list[str], *, control: int, grace: float, folder: str, bounds: list[int], memory: int
) -> str:
    """Run the program in its folder and return how it ended once nothing is left of it."""
    _ask_system(_CHILD_SUBREAPER, 1)
    wakeups, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    if folder:
        os.mkdir(folder, 0o700)
    try:
        tree = ProcessTree(_start(command, folder, bounds))
        fits = tree.wait(control, wakeups, grace, memory)
        status = tree.end()
        return f"ended {status}" if fits else f"outgrew {status}"
    finally:
        if folder:
            remove(folder)


def _start(command: list[str], folder: str, bounds: list[int]) -> int:
    """Start the program in a session of its own; raises OSError if it cannot."""
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        _become(command, folder, bounds, told)
    os.close(told)
    _hear_nothing()
    trouble = os.read(heard, 16)
    if trouble:
        os.waitpid(child, 0)
        raise OSError(int(trouble), "the program cannot start")
    return child


def _become(command: list[str], folder: str, bounds: list[int], told: int) -> None:
    """Turn this forked process into the program, or tell the number of the error and end."""
    number = errno.EAGAIN
    try:
        os.setsid()
        _ask_system(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        # Python ignores these two, and a program would inherit that.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        if folder:
            os.chdir(folder)
        for kind, bound in zip(_BOUNDED, bounds, strict=True):
            _limit(kind, bound)
        os.execvpe(command[0], command, os.environ)
    except OSError as error:
        number = error.errno or number
    finally:
        os.write(told, str(number).encode())
        os._exit(127)


def _limit(kind: int, bound: int) -> None:
    """Set one limit, or leave the one there is if it is lower."""
    hard = resource.getrlimit(kind)[1]
    bound = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
    try:
        resource.setrlimit(kind, (bound, bound))
    except ValueError:
        # macOS has no limit on address space.
        if sys.platform == "linux":
            raise OSError(errno.EPERM, "a limit cannot be set") from None


class ProcessTree:
    """A program and whatever descends from it."""

    def __init__(self, child: int) -> None:
        self._child = child
        self._status: int | None = None

    def wait(self, control: int, wakeups: int, grace: float, memory: int) -> bool:
        """Wait until the program ended; if `control` closes, ask it to and wait for `grace`.

        Where it says a byte before it closes, hardly any grace is left. Return False as soon as a
        process of it has more than `memory` bytes of its own.
        """
        watched = select.poll()
        watched.register(wakeups, select.POLLIN)
        watched.register(control, select.POLLIN)
        until: float | None = None
        while self._any_lives() and self._status is None:
            rest = _rest_within(memory)
            if rest is not None and rest <= 0:
                return False
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                return True
            waits = [wait * 1000 for wait in (rest, left) if wait is not None]
            ready = [found for found, _ in watched.poll(min(waits, default=None))]
            if wakeups in ready:
                os.read(wakeups, 512)
            if control in ready:
                watched.unregister(control)
                _signal_group(self._child, signal.SIGTERM)
                until = time.monotonic() + (_HURRIED_GRACE if _is_hurried(control) else grace)
        return True

    def end(self) -> int:
        """Kill all that is left, orphans too where they come to us; return the exit status."""
        _signal_group(self._child, signal.SIGKILL)
        while self._any_lives():
            _kill_descendants()
            time.sleep(_BETWEEN_LOOKS)
        return 0 if self._status is None else os.waitstatus_to_exitcode(self._status)

    def _any_lives(self) -> bool:
        """Take in all that ended; tell whether anything is left."""
        while True:
            try:
                ended, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if ended == 0:
                return True
            if ended == self._child:
                self._status = status


def _is_hurried(control: int) -> bool:
    """Tell whether whoever closed `control` said a byte before."""
    try:
        return bool(os.read(control, 1))
    except OSError:
        return False


def _rest_within(memory: int) -> float | None:
    """Return for how many seconds no process can outgrow its memory, 0 if one has, None if ever."""
    if memory >= _UNBOUNDED or sys.platform != "linux":
        return None
    room = memory - max(map(_memory_of, _descendants()), default=0)
    if room < 0:
        return 0.0
    return min(max(room / _FASTEST_GROWTH, _SHORTEST_REST), _LONGEST_REST)


def _memory_of(pid: int) -> int:
    """Return how many bytes a process has that are no pages of files, also those swapped out."""
    lines = _octets(f"/proc/{pid}/status").splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(_OF_MEMORY))


def _descendants() -> list[int]:
    """Return the processes that came of the program, whose orphans are given to this one."""
    found = [os.getpid()]
    for pid in found:
        try:
            threads = os.listdir(f"/proc/{pid}/task")
        except OSError:
            continue
        for thread in threads:
            found += map(int, _octets(f"/proc/{pid}/task/{thread}/children").split())
    return found[1:]


def _octets(path: str) -> bytes:
    """Return what a file of /proc says, nothing where its process is gone."""
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return b""


def _kill_descendants() -> None:
    """Kill each descendant as soon as it is seen, with its group, which it cannot fork out of."""
    ours = {os.getpid()}
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        found = _parent_and_group(name) if name.isdecimal() else None
        if found is not None and found[0] in ours:
            ours.add(int(name))
            _signal_group(found[1], signal.SIGKILL)


def _parent_and_group(name: str) -> tuple[int, int] | None:
    """Return the parent and the group of a process, or None if it is gone."""
    try:
        descriptor = os.open(f"/proc/{name}/stat", os.O_RDONLY)
    except OSError:
        return None
    try:
        fields = os.read(descriptor, 4096).rpartition(b")")[2].split()
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return int(fields[1]), int(fields[2])


def _signal_group(group: int, number: int) -> None:
    """Send a signal to a process group that may be gone."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return


def _ask_system(option: int, value: int) -> None:
    """Set a property of this process where the system has it (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def remove(folder: str) -> None:
    """Remove a folder however deep it is: what lies deeper is moved up before it is removed."""
    moved = 0
    try:
        while inner := os.listdir(folder):
            for path in (f"{folder}/{name}" for name in inner):
                if os.path.islink(path) or not os.path.isdir(path):
                    os.unlink(path)
                    continue
                os.chmod(path, 0o700)
                for deeper in os.listdir(path):
                    moved += 1
                    os.rename(f"{path}/{deeper}", f"{folder}/.moved-{moved}")
                os.rmdir(path)
        os.rmdir(folder)
    except OSError:
        return


if __name__ == "__main__":
    main()
