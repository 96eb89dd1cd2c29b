"""The port by which a loop reaches those that work on delegated tasks."""

from typing import Protocol

from mindpipe.tasks.records import Identity, Task


class Workers(Protocol):
    """Programs of the operator that work on tasks, each in a process of its own."""

    def is_program(self, to: str) -> bool:
        """Tell whether a task's `to` means a program."""
        ...

    def start(self, task: Task) -> None:
        """Start a process for a task that was sent; it takes the task up by itself, or not."""
        ...

    def lives(self, worker: Identity) -> bool:
        """Tell whether the very process of a worker is there."""
        ...
