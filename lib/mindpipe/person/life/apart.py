"""Persons of a folder who live one tick apart from their shards, since they hear or think.

They live first, each as it would on lines, and what became of them is kept in the folder `apart`.
Then the shards live as if nobody were apart, whoever runs them; and at last each of those persons
is put back into its shard. So neither shards nor processes change what they think, and a tick that
was killed goes on behind what was done. What they said stays in the folder `thoughts`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.io.files import (
    locked_append,
    make_folder,
    read_if_there,
    reading,
    write_whole,
)
from mindpipe.person.calendar import instant_text
from mindpipe.person.life.lives import Lives, Past, PersonLines, WordFinder
from mindpipe.person.life.pace import run_stops
from mindpipe.person.life.population import Happening
from mindpipe.person.life.population_folder import APART, PopulationFolder, record_in
from mindpipe.person.life.reading_files import ReadingFile, files_of
from mindpipe.person.life.readings import Readings, read_readings, write_readings
from mindpipe.person.life.shard_file import read_shard, table_of, write_shard
from mindpipe.person.lines import kind_of
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.records.person import Person
from mindpipe.person.records.population import PopulationManifest
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import PersonMemory, Thought

if TYPE_CHECKING:
    from mindpipe.person.voice.budget import PaidReply

THOUGHTS = "thoughts"
_KINDS: Mapping[str, type[Thought | PersonMemory]] = {"thought": Thought, "memory": PersonMemory}
Tell = Callable[[str], None]


class ApartPart(NamedTuple):
    """Some who live apart, and who finds words for them, nobody where they do not think."""

    some: PersonLines
    speaking: WordFinder | None


class ApartLives:
    """Those who live apart in one tick of a folder, whose lock is held."""

    def __init__(
        self, folder: PopulationFolder, manifest: PopulationManifest, until_us: int
    ) -> None:
        self.folder, self.manifest, self._until_us = folder, manifest, until_us
        self._path = folder.path / APART
        self._outcome = self._path / "persons.arrow"
        self._paid = self._path / "paid.jsonl"
        self.told = folder.path / THOUGHTS / f"{until_us}.jsonl"

    @property
    def lived(self) -> bool:
        """Tell whether they have lived, and only have to be put back."""
        return self._outcome.is_file() and read_shard(self._outcome)[1] == self._until_us

    def paid(self) -> list["PaidReply"]:
        """Return the calls of this tick before it was killed, and what models answered."""
        from mindpipe.person.voice.budget import PaidReply

        if not self._paid.is_file():
            return []
        with locked_append(self._paid) as file:
            return [record_in(self._paid, line, PaidReply) for line in file.lines()]

    def pay(self, reply: "PaidReply") -> None:
        """Keep that a model is called, or what it answered, durably."""
        make_folder(self._path)
        with locked_append(self._paid) as file:
            file.append(to_json(reply) + b"\n")

    def past(self, ids: Sequence[str]) -> Past:
        """Return the thoughts and memories of persons from earlier ticks, oldest first."""
        found: dict[str, list[Thought | PersonMemory]] = {one: [] for one in ids}
        files = sorted(self.told.parent.glob("*.jsonl"), key=lambda path: (len(path.name), path))
        for path in files:
            if path == self.told:
                continue
            with reading(path) as lines:
                for line in lines:
                    kind = _KINDS.get(kind_of(line) or "")
                    if kind is not None:
                        one = record_in(path, line, kind)
                        if one.person in found:
                            found[one.person].append(one)
        return found

    def live(self, parts: Sequence[ApartPart], *, every_us: int | None, tell: Tell) -> None:
        """Let them live to the end of the tick, hour by hour, and keep what became of them."""
        lives = [_lives(part) for part in parts]
        events = [part.some.events for part in parts]
        readings = None
        if every_us:
            begin_us = self.manifest.t_us
            readings = Readings(self._outcome, begin_us, self._until_us, every_us=every_us)
        told: list[Happening] = []
        for stop_us in self._stops(readings):
            some = [
                happening
                for one, given in zip(lives, events, strict=True)
                for happening in one.live(stop_us, given)
                if not isinstance(happening, Person)
            ]
            events = [{} for _ in lives]
            told += sorted(some, key=lambda one: (one.t_us, one.person))
            for note in (note for one in lives for note in one.notes()):
                tell(note)
            if readings and stop_us in readings.stops:
                for bank in (bank for one in lives for bank in one.banks()):
                    readings.add(bank)
        late = sum(len(one.waiting()) for one in lives)
        if late:
            tell(f"events after the end, which did not happen: {late}")
        persons = [person for one in lives for person in one.persons()]
        states = [state for one in lives for state in one.states(read=False)]
        self._keep(persons, states, told, readings)

    def lines(self) -> Iterator[bytes]:
        """Yield what came of them in this tick, as lines in the order of time."""
        yield from (read_if_there(str(self.told)) or b"").splitlines()

    def put_back(self) -> None:
        """Put them into their shards, and into what was read of these; any number of times."""
        if not self.lived:
            return
        those = read_shard(self._outcome)[0]
        read = [one for one in files_of(self.folder.path) if self._is_of_tick(one)]
        for place in range(len(self.folder.shards(self.manifest))):
            path = self.folder.shard(place)
            table, t_us = read_shard(path)
            mine = _of(those, table)
            if mine.num_rows:
                # What was read goes first: the shard tells that it is done.
                for file in (one for one in read if one.shard == path.stem):
                    self._put_readings(file)
                write_shard(path, _replaced(table, mine), t_us)

    def clear(self) -> None:
        """Forget them, once they are put back."""
        self.folder.clear_apart()

    def _stops(self, readings: Readings | None) -> list[int]:
        """Return the instants at which they are looked at: hours, readings and the end."""
        hours = run_stops(self.manifest.t_us, self._until_us, every_us=HOUR_US, within_us=None)
        return sorted({*(stop.t_us for stop in hours), *(readings.stops if readings else ())})

    def _keep(
        self,
        persons: Sequence[Person],
        states: Sequence[PersonState],
        told: Sequence[Happening],
        readings: Readings | None,
    ) -> None:
        """Keep what became of them; last of all how they are, which tells that they have lived."""
        make_folder(self._path)
        if told:
            make_folder(self.told.parent)
            write_whole(self.told, [b"%b\n" % to_json(one) for one in told])
        if readings:
            readings.keep()
        write_shard(self._outcome, table_of(persons, states), self._until_us)

    def _is_of_tick(self, file: ReadingFile) -> bool:
        """Tell whether a file of readings counts and is of this tick."""
        return file.attempt is None and file.begin_us >= self.manifest.t_us

    def _put_readings(self, file: ReadingFile) -> None:
        """Put what was read of them into what was read of their shard."""
        ending = [one.path for one in files_of(self._path) if one.end_us == self._until_us]
        at_us = read_readings(ending[0]) if ending else {}
        put = []
        for t_us, batch in read_readings(file.path).items():
            if t_us not in at_us:
                words = f"nobody who lived apart was read at {instant_text(t_us)}"
                raise BadInputError([Problem(source=str(file.path), message=words)])
            table = pa.table(batch)
            mine = _of(pa.table(at_us[t_us]), table)
            put += _replaced(table, mine).combine_chunks().to_batches()
        write_readings(file.path, put)


def _lives(part: ApartPart) -> Lives:
    """Return the lives of a part."""
    some = part.some
    persons = [msgspec.json.decode(line, type=Person) for line in some.persons]
    states = [msgspec.json.decode(line, type=PersonState) for line in some.states]
    return Lives(persons, states, some.past, part.speaking)


def _of(those: pa.Table, table: pa.Table) -> pa.Table:
    """Return the rows of those who are in a table."""
    there = set(table.column("person").to_pylist())
    ids = those.column("person").to_pylist()
    rows = [row for row, one in enumerate(ids) if one in there]
    return those.take(pa.array(rows, pa.int64()))


def _replaced(table: pa.Table, those: pa.Table) -> pa.Table:
    """Return a table in which the rows of some persons, who are all in it, are others."""
    places = {one: row for row, one in enumerate(table.column("person").to_pylist())}
    order = np.arange(table.num_rows)
    for number, one in enumerate(those.column("person").to_pylist()):
        order[places[one]] = table.num_rows + number
    both = pa.concat_tables([table, those.cast(table.schema)]).combine_chunks()
    return both.take(pa.array(order))
