"""Do several things side by side."""

import contextvars
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

LANE = contextvars.ContextVar("lane", default=0)
"""Which of the tasks that run side by side this thread does, from 1; 0 outside of them."""


def abreast(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """Return what the tasks return, in their order; the first error of theirs is raised.

    Each runs in a thread of its own, a single one in this. Whoever is interrupted while waiting
    leaves them behind; they do not keep the program from ending.
    """
    if len(tasks) <= 1:
        return [task() for task in tasks]
    found: dict[int, T] = {}
    errors: dict[int, BaseException] = {}

    def do(place: int) -> None:
        LANE.set(place + 1)
        try:
            found[place] = tasks[place]()
        except BaseException as error:
            errors[place] = error

    threads = [
        threading.Thread(target=do, args=(place,), daemon=True) for place in range(len(tasks))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[min(errors)]
    return [found[place] for place in range(len(tasks))]
