"""What a prompt is made of, independent of where it was loaded from."""

from typing import NamedTuple

from mindpipe.core.messages import Conversation, Message
from mindpipe.core.models import ModelRequest
from mindpipe.core.records import Record
from mindpipe.history.records import Window


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
    """One goal as an agent sees it."""

    id: str
    text: str
    state: str


class NoteView(Record):
    """One memory as an agent sees it."""

    key: str
    value: str


class PlanView(Record):
    """One plan as an agent sees it: its rule in words and the instant of its next run."""

    id: str
    title: str
    rule: str
    next: str | None


class Situation(Record):
    """All that the state sections of a prompt say."""

    spaces: tuple[SpaceView, ...] = ()
    place: str | None = None
    goals: tuple[GoalView, ...] = ()
    notes: tuple[NoteView, ...] = ()
    plans: tuple[PlanView, ...] = ()


class Seen(Record):
    """One inbox event as an agent sees it.

    `sender_kind` is human, agent or service; `taint` tells whether its source is not trusted.
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


class Section(Record):
    """One named block of a prompt; `text` starts with its name and a colon."""

    name: str
    text: str


class Share(Record):
    """What one section of a prompt took, in tokens."""

    section: str
    tokens: int


class Prompt(Record):
    """What is about to be sent: the window, and the messages that history does not have yet."""

    window: Window
    unsent: tuple[Message, ...]

    def conversation(self, *more: Message) -> Conversation:
        """Return all of it as one conversation, with a paused reply at its end if there is one."""
        return Conversation(
            head=self.window.head,
            messages=(*self.window.messages, *self.unsent, *more),
            blobs=self.window.blobs,
        )

    @property
    def last(self) -> Message:
        """Return the newest message."""
        return (*self.window.messages, *self.unsent)[-1]


class Shown(NamedTuple):
    """A past or coming request with its place and receipt."""

    agent: str
    cycle: int
    turn: int
    request: ModelRequest
    receipt: tuple[Share, ...]
