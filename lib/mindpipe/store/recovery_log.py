"""The recovery log beside a store (`mind.db.recovery.jsonl`): is it in RECOVERY, and why.

The mode is in a file of its own because a store that fails its check must not be written to. Each
line enters RECOVERY or leaves it; the last whole one holds.
"""

import contextlib
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from mindpipe.core.errors import RecoveryError
from mindpipe.core.records import Record, to_json
from mindpipe.io.files import locked_append, read_if_there
from mindpipe.store.address import Where

Cause = Literal["check", "restore", "crashes"]


class RecoveryPassage(Record):
    """One line of the log: RECOVERY was entered or left at an instant, what for, and why."""

    at: str
    state: Literal["entered", "left"]
    cause: Cause
    why: str

    @property
    def way_out(self) -> str:
        """Return the command that ends the RECOVERY which this entered."""
        return "mind store recover" + ("" if self.cause == "check" else " --resume")


class Log(NamedTuple):
    """What a recovery log says: its last passage, and whether its last line is torn."""

    last: RecoveryPassage | None
    torn: bool

    @property
    def entered(self) -> RecoveryPassage | None:
        """Return the passage under which RECOVERY goes on, or None."""
        return self.last if self.last is not None and self.last.state == "entered" else None


def log_of(store: Path) -> Path:
    """Return where the recovery log of a store is."""
    return store.with_name(f"{store.name}.recovery.jsonl")


def read(store: Path) -> Log:
    """Return what the log says; a store without one was never in RECOVERY.

    Every opening of a store asks this, so that it costs one look for a file. A torn last line is
    passed over; a whole one that cannot be read counts as entered, for nobody can say otherwise.
    """
    octets = read_if_there(f"{store}.recovery.jsonl")
    if not octets:
        return Log(last=None, torn=False)
    *lines, rest = octets.split(b"\n")
    if not lines:
        return Log(last=None, torn=True)
    try:
        last = msgspec.json.decode(lines[-1], type=RecoveryPassage)
    except msgspec.DecodeError:
        words = f"the last line of {log_of(store).name} cannot be read"
        last = RecoveryPassage(at="", state="entered", cause="check", why=words)
    return Log(last=last, torn=bool(rest))


def passages(store: Where) -> list[RecoveryPassage]:
    """Return every whole line of the log that can be read, oldest first."""
    if not isinstance(store, Path):
        return []
    found = []
    for line in (read_if_there(f"{store}.recovery.jsonl") or b"").split(b"\n")[:-1]:
        with contextlib.suppress(msgspec.DecodeError):
            found.append(msgspec.json.decode(line, type=RecoveryPassage))
    return found


def note(store: Path, passage: RecoveryPassage) -> None:
    """Append one line, durably."""
    with locked_append(log_of(store)) as file:
        file.append(to_json(passage) + b"\n")


def enter(store: Path, *, at: str, cause: Cause, why: str) -> None:
    """Write down, durably, that the store is in RECOVERY from now on."""
    note(store, RecoveryPassage(at=at, state="entered", cause=cause, why=why))


def refusal_of(store: Where) -> RecoveryError | None:
    """Return why nothing can be written, or None; what is on a server is in nobody's RECOVERY."""
    entered = read(store).entered if isinstance(store, Path) else None
    return None if entered is None or not isinstance(store, Path) else refusal(store, entered)


def refusal(store: Path, passage: RecoveryPassage) -> RecoveryError:
    """Return the error of a command that would write while the store is in RECOVERY."""
    return RecoveryError(f"{store.name} is in RECOVERY ({passage.why}). Run {passage.way_out}.")
