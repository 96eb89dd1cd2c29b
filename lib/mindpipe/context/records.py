"""What a prompt is made of, independent of where it was loaded from."""

from typing import Literal, NamedTuple

import msgspec

from mindpipe.context.turns import converted
from mindpipe.core.messages import Conversation, FilePart, Message
from mindpipe.core.models import ModelRequest
from mindpipe.core.records import Natural, Positive, Record
from mindpipe.core.sources import joined
from mindpipe.core.tools import Label, ShownClaims
from mindpipe.history.records import Cycle, Window
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.records import Observation


class MemberView(Record):
    """One member of a space as an agent sees it."""

    title: str
    kind: str
    you: bool = False


class SpaceView(Record):
    """One space as an agent sees it."""

    name: str
    title: str
    members: tuple[MemberView, ...] = ()


class GoalView(Record):
    """One goal as an agent sees it: where it stands, and how much it matters if that was said.

    `sources` are the untrusted ones it was written under.
    """

    id: str
    text: str
    state: str
    priority: int | None = None
    sources: tuple[str, ...] = ()

    def standing(self) -> str:
        """Return where it stands, with its priority."""
        return self.state if self.priority is None else f"{self.state}, priority: {self.priority}"


class NoteView(Record):
    """One memory as an agent sees it; `sources` are the untrusted ones it was written under."""

    key: str
    value: str
    sources: tuple[str, ...] = ()


class PlanView(Record):
    """One plan as an agent sees it: its rule in words and the instant of its next run.

    `sources` are the untrusted ones it was written under.
    """

    id: str
    title: str
    rule: str
    next: str | None
    sources: tuple[str, ...] = ()


class Knowledge(NamedTuple):
    """The rules of what is held true, and all of that where it comes from a file, else None."""

    rules: SlotRules = SlotRules()
    given: tuple[Observation, ...] | None = None


Asks = Literal["", "unknown", "now", "asked", "doubted"]
"""Whether a right value is unknown while nobody who knows it is here, to be asked for, or was; and
whether it is to be asked if what is held is wrong at all."""


class BeliefView(Record):
    """One observation as an agent sees it.

    `confidence` is a word of `mindpipe.knowledge.confidence`, `supported` the day of the newest
    evidence for it, `evidence` how many pieces of it there are; `own` is a belief of the mind about
    itself. `denied` is who said that what was believed before is not so, and on which day; `asks`
    whether the right value is to be asked for, "" where it is of no use. `origins` are whose words
    they hold, `sources` the untrusted ones of these.
    """

    id: str
    key: str
    summary: str
    confidence: str
    supported: str
    evidence: int
    contested: bool = False
    own: bool = False
    denied: str = ""
    asks: Asks = ""
    sources: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()


class Situation(Record):
    """All that the state sections of a prompt say."""

    spaces: tuple[SpaceView, ...] = ()
    place: str | None = None
    goals: tuple[GoalView, ...] = ()
    notes: tuple[NoteView, ...] = ()
    beliefs: tuple[BeliefView, ...] = ()
    plans: tuple[PlanView, ...] = ()

    def sources(self) -> tuple[str, ...]:
        """Return the untrusted sources of all that it quotes."""
        return joined(
            *(goal.sources for goal in self.goals),
            *(note.sources for note in self.notes),
            *(belief.sources for belief in self.beliefs),
            *(plan.sources for plan in self.plans),
        )

    def with_beliefs(self, beliefs: tuple[BeliefView, ...]) -> "Situation":
        """Return it with these beliefs."""
        return msgspec.structs.replace(self, beliefs=beliefs)

    def memories(self, *, quoted: bool) -> "Situation":
        """Return it with only those goals, memories, beliefs and plans that are quoted, or not."""
        return msgspec.structs.replace(
            self,
            goals=tuple(goal for goal in self.goals if bool(goal.sources) == quoted),
            notes=tuple(note for note in self.notes if bool(note.sources) == quoted),
            beliefs=tuple(one for one in self.beliefs if bool(one.sources) == quoted),
            plans=tuple(plan for plan in self.plans if bool(plan.sources) == quoted),
        )


class FileView(Record):
    """One attached file as an agent sees it; `text` is that of a text, None where it is gone."""

    part: FilePart
    text: str | None = None


class EventView(Record):
    """One inbox event as an agent sees it.

    `sender_kind` is human, agent or service; `taint` tells whether its source is not trusted.
    `waits` tells that its sender waits for a reply. `resumes` is the agent's own message for whose
    reply a run waited that goes on with this. `files` went along with it.
    """

    id: str
    type: str
    source: str
    text: str
    body: dict[str, object] = {}
    space: str | None = None
    sender: str | None = None
    sender_kind: str | None = None
    taint: bool = False
    waits: bool = False
    resumes: str | None = None
    files: tuple[FileView, ...] = ()


class PromptSection(Record):
    """One named block of a prompt; `text` starts with its name and a colon."""

    name: str
    text: str


SectionName = Literal[
    "system",
    "observations",
    "working_memory",
    "task",
    "self_model",
    "episodic",
    "semantic",
    "procedural",
    "graph",
    "statistics",
]


class Block(Record):
    """One block of a structured prompt: its title, and its lines in order.

    `section` is the part of the budget that it draws on. A line is one record, shown whole or not
    at all; text of others stands in it quoted, so that no line can pass for a title.
    """

    section: SectionName
    title: str
    lines: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return its title without what the title says in brackets: SPACE HISTORY, say."""
        return self.title.partition(" (")[0]

    @property
    def text(self) -> str:
        """Return it as a prompt says it; a place stands on the line of its title."""
        if self.title == "ACTIVE SPACE":
            return f"{self.title}: {' '.join(line.strip() for line in self.lines)}"
        return "\n".join((f"{self.title}:", *self.lines))


class LeftOut(Record):
    """One record that did not fit: its block, its place there (from 1) of so many, and its words.

    `words` are its first ones, at most 60 characters.
    """

    block: str
    place: Positive
    of: Positive
    tokens: Natural
    words: str


class Share(Record, omit_defaults=True):
    """What one section of a prompt took, in tokens, and which of its records did not fit.

    A section of which nothing fitted takes none. The last one of a tainted request takes none and
    names its `sources` that are not trusted.
    """

    section: str
    tokens: int
    sources: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


MemoryKind = Literal["note", "goal", "plan"]
RevokedKind = Literal[
    "note",
    "goal",
    "plan",
    "memory_item",
    "reflection",
    "lesson",
    "entity",
    "relation",
    "observation",
    "decision",
    "mark",
]
ClearedKind = Literal["event", "cycle", "note", "goal", "plan"]


class Memory(Record):
    """Something that is revoked: its key or id, its words, and whose these were.

    `change` tells what became of it: a note, goal or plan is forgotten, what else was remembered
    is retracted; an observation is invalidated, weakened, or made of what is left; what was
    proposed is denied.
    """

    kind: RevokedKind
    agent: str
    subject: str
    text: str
    sources: tuple[str, ...]
    change: str = "retracted"


TrustedBy = Literal["agent", "settings", "manifest"]


class TrustEntry(Record):
    """A name that an agent trusts, with what it took in under it; or one that it does not trust.

    `by` says who trusts it: the agent's own list, security.trust in the settings, or the manifest
    of a program, whose answers it vouches for.
    """

    agent: str
    source: str
    trusted: bool
    by: TrustedBy | None = None
    means: tuple[str, ...] = ()


class ToolTrust(Record):
    """How a tool of an agent is judged under what that agent trusts.

    `answers` is what its answers are called as a source, null where its manifest vouches for them;
    `effect` and `labels` are those in force, with what a trusted server claims.
    """

    tool: str
    answers: str | None
    trusted: bool
    effect: str
    labels: tuple[Label, ...]
    claims: ShownClaims | None = None


class Clearance(Record):
    """What the operator has read and vouches for: one event, cycle, note, goal or plan.

    `subject` is its id, number or key, `sources` names whose words were cleared, `person` says who
    did it and `at` when.
    """

    agent: str
    kind: ClearedKind
    subject: str
    sources: tuple[str, ...]
    person: str
    at: str


class LivedCycle(Cycle):
    """A cycle with the names of all whose words it took in, but for those that were cleared.

    `cached_share` is the share of its input that was read from the provider's cache, null where
    there was no input.
    """

    sources: tuple[str, ...] = ()
    cached_share: float | None = None


class Prompt(Record):
    """What is about to be sent: the window, and the messages that history does not have yet."""

    window: Window
    unsent: tuple[Message, ...]

    def conversation(self, *more: Message) -> Conversation:
        """Return what an API is given, with a paused reply at its end if there is one."""
        said = (*self.window.messages, *self.unsent, *more)
        head, messages = converted(self.window.head, said)
        return Conversation(head=head, messages=messages, blobs=self.window.blobs)

    @property
    def read(self) -> Conversation:
        """Return it as people read it: a timeline stands in the system text as it is kept."""
        said = (*self.window.messages, *self.unsent)
        return Conversation(head=self.window.head, messages=said, blobs=self.window.blobs)

    @property
    def last(self) -> Message:
        """Return the newest message."""
        return (*self.window.messages, *self.unsent)[-1]


class ShownPrompt(msgspec.Struct, frozen=True):
    """A past or coming request with its place and receipt, and how people read it."""

    agent: str
    cycle: int
    turn: int
    request: ModelRequest
    read: Conversation
    receipt: tuple[Share, ...]
