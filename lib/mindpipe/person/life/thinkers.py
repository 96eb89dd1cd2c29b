"""Who of a folder of persons is taken out of it for a while: a sample, or some by their ids."""

from collections.abc import Collection, Iterator
from itertools import count as numbers

import pyarrow as pa

from mindpipe.person.chance import key_of, uniform
from mindpipe.person.life.people import InputLine
from mindpipe.person.life.population_folder import PopulationFolder
from mindpipe.person.life.shard_file import ids_of, lines_of, read_shard
from mindpipe.person.lines import LinePlace
from mindpipe.person.records.population import PopulationManifest

STREAM = 10
"""The stream of chance that a sample is drawn from, at 0 µs, under the name of nobody."""


def sampled(count: int, wanted: int, *, seed: int) -> set[int]:
    """Return the places of some of so many persons, of all where no more are there.

    A larger sample holds every smaller one.
    """
    if wanted >= count:
        return set(range(count))
    found: set[int] = set()
    key = key_of(seed, "a sample")
    for slot in numbers():
        if len(found) == wanted:
            return found
        found.add(int(uniform(key, 0, STREAM, slot) * count))
    raise AssertionError


def taken(
    folder: PopulationFolder,
    manifest: PopulationManifest,
    *,
    places: Collection[int] = (),
    ids: Collection[str] = (),
) -> Iterator[InputLine]:
    """Yield a person line and a state line of those at some places, or with some ids, in order."""
    number = 0
    for shard, path in enumerate(folder.shards(manifest)):
        first = shard * manifest.shard
        rows = {place - first for place in places if 0 <= place - first < manifest.shard}
        if ids:
            rows |= {row for row, one in enumerate(ids_of(path)) if one in ids}
        if not rows:
            continue
        table, t_us = read_shard(path)
        some = table.take(pa.array(sorted(rows), pa.int64()))
        for octets in lines_of(path, some, t_us, read=False):
            number += 1
            yield InputLine(LinePlace(str(folder.path), number), octets)
