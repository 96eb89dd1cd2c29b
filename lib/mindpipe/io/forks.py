"""Processes forked off from this one, which print lines and end when this one ends."""

import contextlib
import os
import selectors
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NamedTuple, NoReturn, Self

_PIECE = 1 << 16
_STDOUT = 1
_FAILED = 1


class EndedProcess(NamedTuple):
    """Which process ended, and its exit status, negative for a signal."""

    name: str
    status: int


class NewsPipes(NamedTuple):
    """Through which pipes a process is told that something may have changed.

    `own` is told for it alone. Through `any`, which does not block, one of all processes is told;
    `tells_any` is its other end.
    """

    own: int
    any: int
    tells_any: int


class _Fork(NamedTuple):
    """A process: its name, what it prints into, and the pipe by whose end it knows that we live.

    Through `news` it is told that something may have changed.
    """

    name: str
    pid: int
    stdout: int
    lifeline: int
    news: int


class Forks:
    """Processes that share what this one has loaded; SIGTERM and SIGINT are passed on to them.

    This process must have one thread and no store open when one is started. Each has a session of
    its own, so that a terminal interrupts it through this process only. When this one is gone,
    however it ended, they are asked to end. `number` is the first signal that came.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self._is_over = False
        self._forks: list[_Fork] = []
        self._telling = threading.Lock()
        # Of those that wait for any word, one alone reads what is told through this.
        self._any, self._tells_any = os.pipe()
        os.set_blocking(self._any, False)
        os.set_blocking(self._tells_any, False)
        self._before: dict[int, object] = {}

    def __enter__(self) -> Self:
        """Begin to pass signals on."""
        for number in (signal.SIGTERM, signal.SIGINT):
            self._before[number] = signal.signal(number, self._pass_on)
        return self

    def __exit__(self, *_error: object) -> None:
        """Ask those that are left to end, and wait for them."""
        for one in self._forks:
            os.close(one.stdout)
        self.send(signal.SIGTERM)
        while self._forks:
            self._wait_for(self._forks[0])
        with self._telling:
            self._is_over = True
            os.close(self._any)
            os.close(self._tells_any)
        self._restore()

    def start(
        self, name: str, work: Callable[[], int], *, hear: Callable[[NewsPipes], None] | None = None
    ) -> None:
        """Start a process that works and ends with the status that `work` returns.

        There `hear` is given the pipes into which `tell` writes, before. Nothing may wait to be
        flushed, here or after `work`.
        """
        heard, told = os.pipe()
        ours, held = os.pipe()
        read, news = os.pipe()
        os.set_blocking(news, False)
        # What comes between the fork and its own handlers is heard by those.
        numbers = signal.pthread_sigmask(signal.SIG_BLOCK, self._before)
        pid = os.fork()
        if pid == 0:
            others: tuple[int, ...] = (heard, held, news)
            if hear is None:
                others += (read,)
            else:
                hear(NewsPipes(read, self._any, self._tells_any))
            self._become(work, stdout=told, lifeline=ours, others=others)
        self._forks.append(_Fork(name, pid, heard, held, news))
        signal.pthread_sigmask(signal.SIG_SETMASK, numbers)
        for descriptor in (told, ours, read):
            os.close(descriptor)

    def tell(self) -> None:
        """Tell that something may have changed; one that was told and has not read knows it."""
        with self._telling:
            told = [] if self._is_over else [*(one.news for one in self._forks), self._tells_any]
            for pipe in told:
                with contextlib.suppress(BlockingIOError, BrokenPipeError):
                    os.write(pipe, b"c")

    def heard(self) -> Iterator[bytes | EndedProcess]:
        """Yield each line that one of them prints, and how each ended, until all have."""
        rests = dict.fromkeys((one.stdout for one in self._forks), b"")
        with selectors.DefaultSelector() as selector:
            for one in self._forks:
                selector.register(one.stdout, selectors.EVENT_READ, one)
            while selector.get_map():
                for key, _ in selector.select():
                    piece = os.read(key.fd, _PIECE)
                    *lines, rests[key.fd] = (rests[key.fd] + piece).split(b"\n")
                    yield from lines
                    if not piece:
                        selector.unregister(key.fd)
                        os.close(key.fd)
                        yield self._wait_for(key.data)

    def send(self, number: int) -> None:
        """Send a signal to all that have not ended."""
        for one in self._forks:
            os.kill(one.pid, number)

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        """Note a signal, and send it on."""
        self.number = self.number or number
        self.send(number)

    def _wait_for(self, one: _Fork) -> EndedProcess:
        """Wait for the end of a process; until it is forgotten its number is nobody else's."""
        os.waitid(os.P_PID, one.pid, os.WEXITED | os.WNOWAIT)
        with self._telling:
            self._forks.remove(one)
            os.close(one.news)
        os.close(one.lifeline)
        return EndedProcess(one.name, os.waitstatus_to_exitcode(os.waitpid(one.pid, 0)[1]))

    def _restore(self) -> None:
        """Let the signals do again what they did."""
        for number, before in self._before.items():
            signal.signal(number, before)  # type: ignore[arg-type]  # what signal.signal returned

    def _become(
        self, work: Callable[[], int], *, stdout: int, lifeline: int, others: tuple[int, ...]
    ) -> NoReturn:
        """Be the process that works, and end with it."""
        status = _FAILED
        try:
            os.setsid()
            os.dup2(stdout, _STDOUT)
            for one in self._forks:
                others += (one.stdout, one.lifeline, one.news)
            for descriptor in (stdout, *others):
                os.close(descriptor)
            threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
            self._restore()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, self._before)
            status = work()
        except Exception:
            # Nobody else would say why it ends; who was asked to end knows.
            traceback.print_exc()
        finally:
            os._exit(status)


def _end_with(lifeline: int) -> None:
    """Ask this process to end when the one that started it has."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
