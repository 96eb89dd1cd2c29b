"""What a person thinks and keeps of it, and the calls of its voice that failed."""

from typing import Annotated, Literal

import msgspec

from mindpipe.core.records import Record
from mindpipe.person.records.ranges import Count, Instant, PersonId, Share, Signed
from mindpipe.person.records.state import Dimension, Direction, QueueCategory, ThoughtMode


class Trigger(Record, omit_defaults=True):
    """What a thought came from.

    `dim`, `dir`, `salience` and `threshold` belong to a reaction, `category` and `source` to a
    spontaneous thought, `type`, `event` and `valence` to an answer; `text` is what stands in the
    prompt.
    """

    dim: Dimension | None = None
    dir: Direction | None = None
    category: QueueCategory | None = None
    source: str | None = None
    type: Literal["speech", "action"] | None = None
    text: str = ""
    salience: float | None = None
    threshold: float | None = None
    event: str | None = None
    valence: Signed | None = None


class Affect(Record):
    """How a thought felt."""

    arousal: float
    valence: float
    energy: float
    stress: float


class ThoughtContext(Record):
    """What stood in the prompt: ids, its estimated tokens, and whether it was compressed."""

    memories: tuple[str, ...] = ()
    thoughts: tuple[str, ...] = ()
    tokens_est: Count = 0
    compressed: bool = False


class Thought(Record, tag="thought", tag_field="kind"):
    """One thought; `rates` are per second, by quantity, for `hold_s` seconds."""

    v: int = 1
    person: PersonId
    t_us: Instant
    id: str
    mode: ThoughtMode
    trigger: Trigger = Trigger()
    content: str
    model: str = ""
    composed: bool = False
    labels: tuple[str, ...] = ()
    parser: str = ""
    rates: dict[str, float] = {}
    hold_s: Annotated[float, msgspec.Meta(ge=0.0, le=3600.0)] = 1.0
    affect: Affect | None = None
    memory_id: str | None = None
    context: ThoughtContext = ThoughtContext()


class Snapshot(Record):
    """The six bodily dimensions of a moment."""

    arousal: float | None = None
    valence: float | None = None
    body_temp_c: float | None = None
    pain: float | None = None
    fatigue: float | None = None
    hunger: float | None = None


class Memory(Record, tag="memory", tag_field="kind"):
    """An episode that was kept; a gist stands for `count` of them."""

    v: int = 1
    person: PersonId
    t_us: Instant
    id: str
    thought: str
    content: str
    importance: Share
    valence: Signed
    arousal: Share
    snapshot: Snapshot
    gist: bool = False
    count: Count = 1


class Failure(Record, tag="failure", tag_field="kind"):
    """A call of the voice that failed: nothing was thought, and the timers stay as they are."""

    v: int = 1
    person: PersonId
    t_us: Instant
    mode: ThoughtMode
    model: str
    error_class: str
    message: str


class SalienceLine(Record, tag="salience", tag_field="kind"):
    """Salience at one instant; `trigger` is None where nothing broke into awareness."""

    v: int = 1
    person: PersonId = ""
    t_us: Instant = 0
    dims: dict[Dimension, float] = {}
    trigger: Trigger | None = None
    salience: float = 0.0
    threshold: float = 0.0
