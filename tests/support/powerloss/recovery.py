"""Go on living where a crash left a store: what the real commands make of an image."""

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from support.powerloss.workload import THINK
from support.processes import Nursery

FAILED = "recovery failed"
# Recovery that finds nothing to put right, and an inbox that is empty, end with 3.
_WELL = frozenset({0, 3})
_COMMANDS: Sequence[tuple[str, ...]] = (("store", "recover"), THINK)

Recover = Callable[[Path], list[str]]
"""Recover the store at a path; the names of the counters that this makes go up."""


def recovering(nursery: Nursery, folder: Path) -> Recover:
    """Return what recovers a store and lives one cycle in it, with the programs of this folder."""
    numbers = count()

    def recover(store: Path) -> list[str]:
        for command in _COMMANDS:
            out = folder / "out" / f"recovery {next(numbers)}"
            born = nursery.start(command, out, {"MIND_STORE": str(store)})
            if born.status() not in _WELL:
                return [f"{FAILED}: {command[:2]}: {born.words()[-300:]}"]
        return []

    return recover
