"""What a person thinks and keeps, what its voice is asked, and what a tick adds to a store."""

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec

from mindpipe.core.records import Natural, Record
from mindpipe.person.records.episode import ComingThing, Episode, LifeSituation, RoutineBlock
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import ParserName, Person, PersonIdentity, Traits
from mindpipe.person.records.scales import Count, Instant, PersonId, Share, Signed
from mindpipe.person.records.state import (
    Coping,
    Dimension,
    Direction,
    Distortion,
    PersonState,
    QueueCategory,
    ThoughtMode,
)


class ThoughtTrigger(Record, omit_defaults=True):
    """What a thought came from.

    `dim`, `dir`, `salience` and `threshold` belong to a reaction, `category` and `source` to a
    spontaneous thought, `type`, `event` and `valence` to an answer; `text` is what stands in the
    prompt; `episode` is the id of what happened, where the thought is of that.
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
    episode: str | None = None


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
    trigger: ThoughtTrigger = ThoughtTrigger()
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


class PersonMemory(Record, tag="memory", tag_field="kind"):
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
    trigger: ThoughtTrigger | None = None
    salience: float = 0.0
    threshold: float = 0.0


class VoiceReply(Record, omit_defaults=True):
    """What a model answered a person, to the request of a hash, or how it failed.

    `model` is who a recording says found the words. Of lines, which have no requests, `request` is
    empty, and the words are those of the thought at `t_us`.
    """

    t_us: Instant
    request: str = ""
    words: str = ""
    model: str = ""
    error_class: str = ""


class LivedTick(Record, tag="tick", tag_field="kind", omit_defaults=True):
    """How one tick was lived: until when, with whose voice, and all that came from outside.

    `voice` is the name of its model, empty where nothing was thought. `events` are the ids of what
    happened, in order; `replies` what a model answered. `kept` says that its state is kept.
    """

    person: PersonId
    tick: Natural
    t_us: Instant
    voice: str = ""
    events: tuple[str, ...] = ()
    replies: tuple[VoiceReply, ...] = ()
    kept: bool = False


LifeRowKind = Literal["person", "state", "event", "thought", "memory", "failure", "tick"]


class PersonRow(Record):
    """The row of a person after tick `tick`: its latest version and state, both as JSON."""

    person: PersonId
    tick: Natural
    t_us: Instant
    body: str
    state: str


class LifeRow(Record):
    """One record as it rests, as JSON; `number` is the tick that a version of a person is of."""

    kind: LifeRowKind
    person: PersonId
    t_us: Instant
    body: str
    id: str = ""
    number: Natural = 0


class StoredPerson(Record):
    """A person after tick `tick`, with what it remembers, oldest first."""

    person: Person
    state: PersonState
    tick: Natural
    thoughts: tuple[Thought, ...] = ()
    memories: tuple[PersonMemory, ...] = ()


class PersonTick(Record):
    """What one tick makes of a person: who and how it is then, and what happened until then.

    `happenings` are in time order and then the new gists, `forgotten` the ids of the memories that
    these stand for.
    With `states` the state is kept beside the latest one, for those who look back. `voice` and
    `replies` are those of `LivedTick`.
    """

    person: Person
    state: PersonState
    events: tuple[PersonEvent, ...] = ()
    happenings: tuple[Person | Thought | PersonMemory | Failure, ...] = ()
    forgotten: tuple[str, ...] = ()
    states: bool = False
    voice: str = ""
    replies: tuple[VoiceReply, ...] = ()


COMPOSED = "composed"
"""The name of the voice that is built in."""
NO_VOICE = "none"
"""The name of no voice: whoever has it does not think."""


ThoughtStep = Literal["passing", "noticing", "meaning", "leaning"]
"""How far a thought about one thing has come: at first it passes, or is noticed, and so on."""


class LifeMoment(Record, omit_defaults=True):
    """What a person who lives at its own pace knows at an instant, besides how its body is.

    `episode` is what the thought is of, `ago` when that was ("yesterday evening"); `memory` is
    something else that comes back, from `memory_ago`. `said` are the CRC-32 of the sentences of
    the last five days, which are not said again, and `quoted` what was quoted in the last
    hours, in small letters; `lately` are the words of the last thoughts, newest first, and
    `introduced` those of the relational markers that were said in full in the last day.
    `weighs` is the worst thing that is not over yet, `since` something that came to mind after
    `episode` and has to do with it. `met` are those who had a part in something of the last
    day; `ails` is the hurt or the illness that is not healed yet. `goal` is what is wanted,
    `goal_us` when it is due, and `goal_over` is true where that has passed and nobody has told
    how it ended. `quiet_us` is for how long nothing was thought in words, since waking at most,
    and `fresh` whether something reached the mind in the last two hours; `coming` is what the
    routine says comes next, at `coming_us`, and `plans` all that lies ahead, soonest first,
    with the work that goes on before it. It woke at `woke_us`, where that is known.
    `language` is the folder of the tables from which the composed voice speaks, empty for
    English.
    """

    name: str = ""
    traits: Traits = Traits()
    identity: PersonIdentity = PersonIdentity()
    situation: LifeSituation = LifeSituation()
    affect: Affect
    step: ThoughtStep = "passing"
    episode: Episode | None = None
    ago: str = ""
    memory: Episode | None = None
    memory_ago: str = ""
    weighs: Episode | None = None
    since: Episode | None = None
    goal: str = ""
    goal_over: bool = False
    goal_us: Instant | None = None
    dream: bool = False
    said: tuple[int, ...] = ()
    quoted: tuple[str, ...] = ()
    lately: tuple[str, ...] = ()
    introduced: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    ails: Episode | None = None
    quiet_us: Instant = 0
    fresh: bool = False
    coming: RoutineBlock | None = None
    coming_us: Instant = 0
    plans: tuple[ComingThing, ...] = ()
    woke_us: Instant | None = None
    language: str = ""


class ThoughtMoment(Record):
    """What the composed voice speaks from: codes instead of sentences.

    `codes` are those of the state block in its order; `trigger` is a key of the composed voice's
    table of triggers, e.g. `pain+`, `waking`, `respond-`, `eat`, `drift1`; `memory` is the best
    memory that was selected, or empty. `lived` is None where the pacing is that of the seed.
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
    lived: LifeMoment | None = None


class VoiceRequest(Record):
    """One call of a voice: the two texts that a model reads, and the moment behind them."""

    system: str
    user: str
    max_tokens: int
    temperature: float
    moment: ThoughtMoment


class PendingThought(Record):
    """All of a thought but its words: it goes beside a request of a pipeline and comes back.

    `mind feel --prompt` writes it under the key `about`, `mind complete` gives it back with the
    answer, and `mind feedback` makes the thought of both. `hold_s` and `parser` are the person's
    settings.
    """

    moment: ThoughtMoment
    trigger: ThoughtTrigger
    affect: Affect | None = None
    context: ThoughtContext = ThoughtContext()
    hold_s: float = 1.0
    parser: ParserName = "seed"


BUDGET = "budget"
"""The class of the error of a voice whose run has no money left for it."""
SPENT = "spent"
"""That of a voice which is asked for nothing any more, as a budget for many is used up."""


class VoiceError(Exception):
    """A call of the voice that failed; `error_class` names the fault in one word."""

    def __init__(self, message: str, *, error_class: str) -> None:
        super().__init__(message)
        self.error_class = error_class


Voice = Callable[[VoiceRequest], str]
"""Turns what is asked into words in the first person; raises VoiceError."""


class RequestText(Record):
    """A part of a message that is text."""

    type: Literal["text"] = "text"
    text: str


class UserMessage(Record):
    """What is said to the model."""

    role: Literal["user"] = "user"
    parts: tuple[RequestText]


class ThoughtRequest(Record):
    """One request for a thought: the object of the program protocol, and what it is about."""

    system: str
    messages: tuple[UserMessage]
    max_tokens: int
    temperature: float
    about: PendingThought
