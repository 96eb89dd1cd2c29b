"""What is kept of the persons of a shard at stated instants of a tick, for who asks later.

A shard holds its persons at one instant. What their moods, their sleep and their loneliness were
on the way is written beside it while they live, of every person at every multiple of a span, as
one file for each shard and tick: the same persons give the same bytes.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from mindpipe.io.files import make_folder
from mindpipe.person.body import flow, readouts, vitals
from mindpipe.person.body.bank import Bank
from mindpipe.person.life.bounds import INSTANT, LEVEL, require_within
from mindpipe.person.life.pace import run_stops
from mindpipe.person.life.reading_files import FOLDER, publish
from mindpipe.person.life.seal import arrow_faults, open_sealed, write_sealed

LEVELS = ("valence", "arousal", "energy", "stress", "sleepiness", "isolation")
"""The readouts that are kept, in 24 bits each."""
SCHEMA = pa.schema(
    (
        pa.field("t_us", pa.int64(), nullable=False),
        pa.field("person", pa.string(), nullable=False),
        pa.field("awake", pa.bool_(), nullable=False),
        pa.field("since_us", pa.int64(), nullable=False),
        pa.field("phase", pa.int8(), nullable=False),
        pa.field("event_us", pa.int64()),
        *(pa.field(name, pa.float32(), nullable=False) for name in LEVELS),
    )
)
"""A row is a person at an instant, awake or asleep since another; `phase` is a place in
`readouts.PHASES`, `event_us` the latest event with words."""
_BOUNDS = {
    **dict.fromkeys(("t_us", "since_us", "event_us"), INSTANT),
    "phase": (0, len(readouts.PHASES) - 1),
    **dict.fromkeys(LEVELS, LEVEL),
}


class Readings:
    """The readings of one shard in one tick, or in one step of it."""

    def __init__(self, shard: Path, now_us: int, until_us: int, *, every_us: int) -> None:
        """Begin with none.

        Args:
            shard: The file of the shard.
            now_us: The instant that its persons are at.
            until_us: The instant that the tick, or the step, brings them to.
            every_us: Readings are at the multiples of it since midnight of day 0.
        """
        stops = run_stops(now_us, until_us, every_us=every_us, within_us=None)
        self.stops = [stop.t_us for stop in stops if stop.t_us % every_us == 0]
        self._path = shard.parent / FOLDER / f"{shard.stem}_{now_us}_{until_us}.arrow"
        self._batches: list[pa.RecordBatch] = []

    def add(self, bank: Bank) -> None:
        """Read the persons of a bank at its `t_us`, which all of them share."""
        self._batches.append(read(bank))

    def keep(self) -> None:
        """Write them, whole or not at all, for good; only for who holds the lock of the folder."""
        if self._batches:
            self.write(_KEEPER)
            publish(self._path.parent.parent, self._path.name.partition("_")[0], _KEEPER)

    def write(self, attempt: int) -> None:
        """Write them, whole or not at all, under the number of who did so, to be published."""
        if self._batches:
            make_folder(self._path.parent)
            # Those of one instant stand together: one batch.
            together: dict[int, list[pa.RecordBatch]] = {}
            for batch in self._batches:
                together.setdefault(batch.column(0)[0].as_py(), []).append(batch)
            batches = [
                pa.Table.from_batches(together[t_us]).combine_chunks().to_batches()[0]
                for t_us in sorted(together)
            ]
            write_readings(self._path.with_name(f"{self._path.name}.{attempt}"), batches)


_KEEPER = 0
"""The number of who writes and publishes by itself."""


def read(bank: Bank) -> pa.RecordBatch:
    """Return the persons [N] of a bank as they are at its `t_us`, which all of them share."""
    t_us = int(bank.t_us[0])
    reading = readouts.read(vitals.view_of(bank, flow.at(bank, t_us), bank.t_us))
    found: dict[str, Any] = {
        "t_us": np.full(len(bank.persons), t_us),
        "person": [one.person for one in bank.persons],
        "awake": bank.awake,
        "since_us": bank.since_us.copy(),
        "phase": reading.isolation_phase,
        "event_us": [life.mind.event_us for life in bank.lives],
    }
    found |= {name: getattr(reading, name).astype(np.float32) for name in LEVELS}
    return pa.record_batch(
        [pa.array(found[field.name], field.type) for field in SCHEMA], schema=SCHEMA
    )


def write_readings(path: Path, batches: Sequence[pa.RecordBatch]) -> None:
    """Write a file of readings, whole or not at all: a batch for each instant, in order."""
    write_sealed(path, batches, SCHEMA, {})


def read_readings(path: Path) -> dict[int, pa.RecordBatch]:
    """Return the batches of a file of readings by their instants, in order.

    Raises:
        UnavailableError: the file is not there.
        BadInputError: it holds no readings, or those of another shard or tick.
    """
    return dict(_instants(path))


def require_readings(path: Path) -> None:
    """Look over a file of readings, and keep none; raises as `read_readings`."""
    for _ in _instants(path):
        pass


def _instants(path: Path) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield the instants of a file of readings, in order, each with its batch."""
    with arrow_faults(path, "readings of persons"):
        file = open_sealed(path, SCHEMA)
        last_us: int | None = None
        for number in range(file.num_record_batches):
            batch = file.get_batch(number)
            require_within(batch, _BOUNDS)
            instants = batch.column(0).unique().to_pylist()
            if len(instants) != 1 or (last_us is not None and instants[0] <= last_us):
                raise ValueError("each batch of it should be of one instant, and they in order")
            last_us = instants[0]
            yield instants[0], batch
