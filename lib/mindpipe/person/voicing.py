"""What a person's inner voice is asked, and what a voice is."""

from collections.abc import Callable

from mindpipe.core.records import Record
from mindpipe.person.records.person import ParserName
from mindpipe.person.records.ranges import Instant, PersonId
from mindpipe.person.records.state import Coping, Distortion, ThoughtMode
from mindpipe.person.records.thought import Affect, ThoughtContext, Trigger

COMPOSED = "composed"
"""The name of the voice that is built in."""


class Moment(Record):
    """What the composed voice speaks from: codes instead of sentences.

    `codes` are those of the state block in its order; `trigger` is a key of the composed voice's
    table of triggers, e.g. `pain+`, `waking`, `respond-`, `eat`, `drift1`; `memory` is the best
    memory that was selected, or empty.
    """

    person: PersonId
    seed: int
    t_us: Instant
    mode: ThoughtMode
    codes: tuple[str, ...]
    trigger: str
    distortions: tuple[Distortion, ...] = ()
    coping: Coping | None = None
    stress: float = 0.0
    memory: str = ""


class Asked(Record):
    """One call of a voice: the two texts that a model reads, and the moment behind them."""

    system: str
    user: str
    max_tokens: int
    temperature: float
    moment: Moment


class About(Record):
    """All of a thought but its words: it goes beside a request of a pipeline and comes back.

    `mind feel --prompt` writes it under the key `about`, `mind complete` gives it back with the
    answer, and `mind feedback` makes the thought of both. `hold_s` and `parser` are the person's
    settings.
    """

    moment: Moment
    trigger: Trigger
    affect: Affect | None = None
    context: ThoughtContext = ThoughtContext()
    hold_s: float = 1.0
    parser: ParserName = "seed"


class VoiceError(Exception):
    """A call of the voice that failed; `error_class` names the fault in one word."""

    def __init__(self, message: str, *, error_class: str) -> None:
        super().__init__(message)
        self.error_class = error_class


Voice = Callable[[Asked], str]
"""Turns what is asked into words in the first person; raises VoiceError."""
