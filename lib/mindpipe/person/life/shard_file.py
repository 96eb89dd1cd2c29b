"""One file of persons in columns of Arrow: how it is read and written, and lived on."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pyarrow as pa

from mindpipe.core.records import to_json
from mindpipe.io.files import file_errors
from mindpipe.person.body import columns
from mindpipe.person.body.bank import Bank
from mindpipe.person.body.constants import constants_of
from mindpipe.person.calendar import instant_text
from mindpipe.person.life import arrow
from mindpipe.person.life.bounds import require_persons
from mindpipe.person.life.population import PersonGroup, Population
from mindpipe.person.life.readings import Readings
from mindpipe.person.life.seal import (
    arrow_faults,
    open_sealed,
    require_file,
    require_own,
    write_sealed,
)
from mindpipe.person.records.person import Person
from mindpipe.person.records.population import PopulationManifest
from mindpipe.person.records.state import PersonState

_INSTANT = b"t_us"
_PERSON, _SEED = (arrow.SCHEMA.names.index(name) for name in ("person", "seed"))
# Persons are shared among processes; more threads would only wait for each other.
pa.set_cpu_count(1)


def write_shard(path: Path, table: pa.Table, t_us: int) -> None:
    """Write a shard, whole or not at all; the same persons give the same bytes."""
    batches = table.combine_chunks().to_batches()
    write_sealed(path, batches, table.schema, {_INSTANT: str(t_us).encode()})


def read_shard(path: Path) -> tuple[pa.Table, int]:
    """Return the persons of a shard, and the instant that they are at.

    Raises:
        UnavailableError: the file is not there.
        BadInputError: it is no shard, or that of another place.
    """
    with shard_faults(path):
        file = open_sealed(path, arrow.SCHEMA)
        table, t_us = file.read_all(), _instant(file.schema)
        require_persons(table, t_us)
        return table, t_us


def ids_of(path: Path) -> list[str]:
    """Return the ids of a shard, without reading how its persons are; raises as `read_shard`."""
    with shard_faults(path):
        table = open_sealed(path, arrow.SCHEMA, [_PERSON]).read_all()
        table.validate(full=True)
        found: list[str] = table.column("person").to_pylist()
        return found


def require_shards(
    paths: Sequence[Path], manifest: PopulationManifest, since_us: int, until_us: int
) -> None:
    """Look whether some files are those of a manifest, without reading how their persons are.

    Raises:
        UnavailableError: a file is not there.
        BadInputError: it is no shard, that of another place, of no instant between the two, or of
            other persons than it should.
    """
    options = pa.ipc.IpcReadOptions(use_threads=False, included_fields=[_SEED])
    for place, path in enumerate(paths):
        with shard_faults(path), file_errors(path):
            require_file(path)
            with pa.memory_map(str(path)) as octets:
                schema = pa.ipc.open_file(octets).schema
                t_us = _instant(schema)
                require_own(path, schema, arrow.SCHEMA)
                seeds = pa.ipc.open_file(octets, options=options).read_all().column(0)
                seeds.validate(full=True)
            if not since_us <= t_us <= until_us:
                least, most = instant_text(since_us), instant_text(until_us)
                expected = least if least == most else f"between {least} and {most}"
                raise ValueError(f"it is at {instant_text(t_us)}, and should be at {expected}")
            count = min(manifest.shard, manifest.count - place * manifest.shard)
            if len(seeds) != count:
                raise ValueError(f"it has {len(seeds)} persons, and should have {count}")
            made_with = {*seeds.unique().to_pylist()}
            if manifest.seed is not None and not made_with <= {manifest.seed}:
                raise ValueError("its persons were made with another seed")


def shard_faults(path: Path) -> AbstractContextManager[None]:
    """Raise BadInputError for what is no shard of the place."""
    return arrow_faults(path, "shard of persons")


def _instant(schema: pa.Schema) -> int:
    """Return the instant of a shard; raises ValueError or KeyError where it says none."""
    return int((schema.metadata or {})[_INSTANT])


def table_of(persons: Sequence[Person], states: Sequence[PersonState]) -> pa.Table:
    """Return persons who are at one instant as a table."""
    together: dict[tuple[tuple[str, float], ...], list[int]] = {}
    for index, person in enumerate(persons):
        together.setdefault(tuple(sorted(person.consts.items())), []).append(index)
    parts = [
        arrow.table_of(
            columns.bank_of(
                [persons[index] for index in members],
                [states[index] for index in members],
                constants_of(consts),
            )
        )
        for consts, members in together.items()
    ]
    return _in_order(parts, list(together.values()))


class LivingShard:
    """The persons of a shard in memory, in a bank for each set of constants, at `t_us`."""

    def __init__(self, table: pa.Table, now_us: int) -> None:
        """Take the persons of a table, who are at an instant."""
        self.t_us = now_us
        self._places: list[list[int]] = []
        self._groups: list[PersonGroup] = []
        self._before: list[pa.Table] = []
        self._changed: list[bool] = []
        for consts, members in arrow.rows_by_constants(table):
            # To take all rows would copy the table.
            before = table if len(members) == table.num_rows else table.take(members)
            self._groups.append(PersonGroup(arrow.bank_of(before, now_us, constants_of(consts))))
            self._places.append(members)
            self._before.append(before)
            self._changed.append(False)

    def live(self, until_us: int, readings: Readings | None = None) -> None:
        """Let them live until an instant, itself included, without awareness.

        They are read on the way wherever readings stop, if any do.
        """
        stops = readings.stops if readings else []
        for number, group in enumerate(self._groups):
            for stop_us in (*stops, *({until_us} - {*stops})):
                # Of what happened, new days may teach a person something of itself.
                if any(isinstance(one, Person) for one in group.advance(stop_us)):
                    self._changed[number] = True
                if readings and stop_us in stops:
                    readings.add(group.bank)
        self.t_us = until_us

    def banks(self) -> list[Bank]:
        """Return the banks that they are in."""
        return [group.bank for group in self._groups]

    def table(self) -> pa.Table:
        """Return them as they are, in the order in which they came."""
        for number, group in enumerate(self._groups):
            known = None if self._changed[number] else self._before[number]
            self._before[number] = arrow.table_of(group.bank, known)
            self._changed[number] = False
        return _in_order(self._before, self._places)


def lived(table: pa.Table, now_us: int, until_us: int) -> pa.Table:
    """Return persons of a table as they are at a later instant, without awareness."""
    if until_us == now_us:
        return table
    shard = LivingShard(table, now_us)
    shard.live(until_us)
    return shard.table()


def tick(path: Path, until_us: int, *, every_us: int | None = None) -> int:
    """Let the persons of a shard live until an instant, itself included; return how many they are.

    Those who are there already stay as they are. At multiples of `every_us`, where that is given,
    they are read, and what was read is kept before they are.
    """
    table, now_us = read_shard(path)
    if now_us < until_us:
        # Half a million records that hold no cycle would be looked through again and again.
        gc.disable()
        readings = Readings(path, now_us, until_us, every_us=every_us) if every_us else None
        with shard_faults(path):
            shard = LivingShard(table, now_us)
        shard.live(until_us, readings)
        if readings:
            readings.keep()
        write_shard(path, shard.table(), until_us)
        gc.enable()
    return int(table.num_rows)


def lines_of(path: Path, table: pa.Table, t_us: int, *, read: bool) -> Iterator[bytes]:
    """Yield a person line and a state line for each person of a table that a shard had."""
    persons: list[Person] = []
    states: list[PersonState] = []
    places: list[int] = []
    with shard_faults(path):
        for consts, members in arrow.rows_by_constants(table):
            bank = arrow.bank_of(table.take(members), t_us, constants_of(consts))
            persons += bank.persons
            states += columns.states_of(bank)
            places += members
    order = np.argsort(places).tolist()
    population = Population([persons[row] for row in order], [states[row] for row in order])
    for person, state in zip(population.persons, population.states(read=read), strict=True):
        yield to_json(person)
        yield to_json(state)


def _in_order(parts: Sequence[pa.Table], places: Sequence[Sequence[int]]) -> pa.Table:
    """Return the rows of some tables in one, each at its place."""
    whole = pa.concat_tables(parts).combine_chunks()
    order = np.concatenate([np.asarray(some) for some in places])
    if (order[1:] > order[:-1]).all():
        return whole
    return whole.take(pa.array(np.argsort(order)))
