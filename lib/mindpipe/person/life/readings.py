"""What is kept of the persons of a shard at stated instants of a tick, for who asks later.

A shard holds its persons at one instant. What their moods, their sleep and their loneliness were
on the way is written beside it while they live, of every person at every multiple of a span, as
one file for each shard and tick: the same persons give the same bytes.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from mindpipe.io.files import make_folder, write_whole
from mindpipe.person.body import flow, readouts, vitals
from mindpipe.person.body.bank import Bank
from mindpipe.person.life.pace import run_stops
from mindpipe.person.life.reading_files import FOLDER, publish

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
        if not self._batches:
            return
        stream = pa.BufferOutputStream()
        options = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=False)
        with pa.ipc.new_file(stream, SCHEMA, options=options) as writer:
            # Those of one instant come after each other.
            for batch in sorted(self._batches, key=lambda one: one.column(0)[0].as_py()):
                writer.write_batch(batch)
        make_folder(self._path.parent)
        octets = stream.getvalue().to_pybytes()
        write_whole(self._path.with_name(f"{self._path.name}.{attempt}"), [octets])


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
