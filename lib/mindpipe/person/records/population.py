"""What is known of many persons in a folder without looking at any of them."""

from msgspec import UNSET, UnsetType

from mindpipe.core.records import Positive, Record
from mindpipe.person.records.scales import Count, Instant, Seed, Span


class PopulationManifest(Record, tag="population", tag_field="kind"):
    """How many persons there are, in shards of `shard` persons each, and at which instant.

    `to_us` is where a tick brings them that has not ended, `every_us` the span at whose multiples
    it reads them, if it does, and `apart` whether some live apart in it. `seed` is what they were
    made with, None where they came in on lines. `attempt` is the number of the latest worker of a
    cluster that was let in here.
    """

    v: int = 1
    count: Count
    shard: Positive
    seed: Seed | None = None
    t_us: Instant = 0
    to_us: Instant | None = None
    attempt: Positive | UnsetType = UNSET
    every_us: Span | UnsetType = UNSET
    apart: bool | UnsetType = UNSET
