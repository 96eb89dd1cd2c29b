"""What the observer writes."""

from mindpipe.core.records import Record
from mindpipe.person.records.ranges import Instant, PersonId


class Observation(Record, tag="observation", tag_field="kind"):
    """A note on a person's recent thoughts, which the person never sees."""

    v: int = 1
    person: PersonId
    t_us: Instant
    content: str
    thoughts: tuple[str, ...]
    model: str
    composed: bool = False
