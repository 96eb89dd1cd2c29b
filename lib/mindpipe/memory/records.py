"""What travels and rests of a memory: items, reflections, lessons and entities.

Each of the four can be given without an id, the instant it was learnt and its agent; what is kept
and printed has all three. What was printed can be given again.
"""

from typing import Annotated, Generic, Literal, NamedTuple, TypeVar

import msgspec

from mindpipe.core.records import Natural, Record
from mindpipe.core.sources import Sources

ITEM_BYTES = 1 << 20
"""No item, reflection, lesson or profile is longer."""

ItemKind = Literal["episodic", "semantic", "procedural", "note"]
EntityType = Literal["person", "organization", "project", "tool", "place", "agent", "thing"]
Origin = Literal["human", "operator", "tool", "program", "agent", "recalled"]
"""Who brought a text forth. `agent` is the model's own words, `recalled` a text that memory itself
put into a prompt: neither is ever evidence."""
EVIDENCE: tuple[Origin, ...] = ("human", "operator", "tool", "program")
Significance = Annotated[float, msgspec.Meta(ge=0, le=10)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class QuotedSpan(Record, omit_defaults=True):
    """The words of the log that something stands on: message, first and last character, words.

    `start` and `end` count characters of the message's searched text, `end` the first that is out.
    """

    message: Id
    start: Natural
    end: Natural
    quote: str

    def part(self, start: int, end: int) -> "QuotedSpan":
        """Return some characters of the words alone, counted from their first."""
        first = self.start + start
        quote = self.quote[start:end]
        return QuotedSpan(message=self.message, start=first, end=first + len(quote), quote=quote)

    def holds(self, other: "QuotedSpan") -> bool:
        """Tell whether other words are these or stand among them."""
        within = self.start <= other.start and other.end <= self.end
        return self.message == other.message and within


class NewItem(Record, omit_defaults=True):
    """One thing remembered, as it is given.

    `at` is when it was true (UTC instant), `until` when it ceased to be, `learnt` when the mind got
    to know it. `session` names the talk that it was said in, `significance` lies in 0-10. `key`
    makes giving it twice harmless; where none is given, the id is the key. `sources` are the
    untrusted ones that it was written under; with any, it is quarantined. `trusted` are those that
    were trusted then: they quarantine nothing, and can be revoked like the others.

    `speaker` is who is known to have said it, `claimed_speaker` who it says that it is of where its
    sources may not speak for anybody. `vouched` tells whether all its sources were trusted when it
    was kept, which its sources decide; null where that was not noted then.
    """

    id: Id | None = None
    kind: ItemKind = "episodic"
    text: str
    at: str | None = None
    until: str | None = None
    learnt: str | None = None
    speaker: Word | None = None
    claimed_speaker: Word | None = None
    subject: Word | None = None
    session: Word | None = None
    entities: tuple[Word, ...] = ()
    tags: tuple[Word, ...] = ()
    significance: Significance = 5.0
    span: QuotedSpan | None = None
    origin: Origin = "human"
    sources: Sources = ()
    trusted: Sources = ()
    vouched: bool | None = True
    key: Id | None = None


class GivenItem(NewItem, omit_defaults=True):
    """One thing remembered as a line may say it: new, or as it was printed.

    `archived` and `retracted` tell since when it is set aside or taken back, `recalled` how often
    it was found and used, `recalled_at` when last. `agent` tells whose it was. `claimed_speaker` is
    who it says that it is of where its sources may not speak for anybody; `vouched` is what its
    sources say, whatever a line says.
    """

    agent: str | None = None
    archived: str | None = None
    retracted: str | None = None
    recalled: Natural = 0
    recalled_at: str | None = None


R = TypeVar("R")


class Numbered(NamedTuple, Generic[R]):
    """A reflection, lesson or version of an entity with its number in the store."""

    number: int
    record: R


class Item(GivenItem, omit_defaults=True):
    """One thing remembered, as it is kept and printed.

    `speaker` is who is known to have said it, `claimed_speaker` who it says that it is of where its
    sources may not speak for anybody. `vouched` tells whether all its sources were trusted when it
    was kept; true is left out, null where that was not noted then.
    """

    id: Id  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out
    at: str  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out
    learnt: str  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out


class NumberedItem(NamedTuple):
    """An item with its number in the store, which only grows: what comes after a mark is new."""

    number: int
    item: Item


class ItemFilter(Record):
    """Which items are meant; None means any.

    `since` and `until` bound when it was true (`until` is the first instant that is out). With
    `as_of` only what was learnt by then counts, with the status that it had then. What is archived
    or retracted is left out unless `archived` is set.
    """

    kind: ItemKind | None = None
    speaker: str | None = None
    subject: str | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None
    as_of: str | None = None
    archived: bool = False


class NewReflection(Record, omit_defaults=True):
    """A summary of a period, with the ids of the items that were read for it; as it is given."""

    id: Id | None = None
    text: str
    since: str
    until: str
    items: tuple[Id, ...] = ()
    tags: tuple[Word, ...] = ()
    learnt: str | None = None
    origin: Origin = "operator"
    sources: Sources = ()
    key: Id | None = None


class Period(Record):
    """What a reflection is made of: a time, and how many of its items are read at most.

    Without `since` it begins where the last reflection ends, or with the first item.
    """

    since: str | None = None
    until: str
    limit: int = 50


class GivenReflection(NewReflection, omit_defaults=True):
    """A summary of a period as a line may say it: new, or as it was printed."""

    agent: str | None = None
    retracted: str | None = None


class Reflection(GivenReflection, omit_defaults=True):
    """A summary of a period, as it is kept and printed."""

    id: Id  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out
    learnt: str  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out


class LessonOutcome(Record, omit_defaults=True):
    """How it went when a lesson was followed."""

    at: str
    good: bool
    note: str | None = None


class StoredOutcome(Record):
    """An outcome in its row: whose, when the mind got to know it, and what it made of the lesson.

    `confidence` is that of the lesson from then on.
    """

    agent: str
    lesson: Id
    at: str
    good: bool
    note: str | None = None
    learnt: str
    confidence: Share


class NewLesson(Record, omit_defaults=True):
    """What to do when: something actionable that was learnt, as it is given.

    `when` says where it applies, `text` what to do, `confidence` how sure it is (0-1), `items` what
    it was learnt from.
    """

    id: Id | None = None
    text: str
    when: str | None = None
    subject: Word | None = None
    confidence: Share = 0.5
    outcomes: tuple[LessonOutcome, ...] = ()
    items: tuple[Id, ...] = ()
    tags: tuple[Word, ...] = ()
    learnt: str | None = None
    origin: Origin = "operator"
    sources: Sources = ()
    key: Id | None = None


class GivenLesson(NewLesson, omit_defaults=True):
    """What to do when as a line may say it: new, or as it was printed."""

    agent: str | None = None
    retracted: str | None = None


class Lesson(GivenLesson, omit_defaults=True):
    """What to do when, as it is kept and printed."""

    id: Id  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out
    learnt: str  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out


WORKS_AT = "works at"
"""The type of an edge from somebody to where he works."""


class Relation(Record, omit_defaults=True):
    """An edge of the graph: how an entity stands to another, from when to when, by which items."""

    type: Word
    to: Id
    since: str | None = None
    until: str | None = None
    items: tuple[Id, ...] = ()


class StoredRelation(Record):
    """An edge in its row: whose, from which entity, when the mind got to know it, under whom.

    The same edge can be there more than once: each time with other items, sources or times.
    """

    agent: str
    source: Id
    type: Word
    target: Id
    since: str | None = None
    until: str | None = None
    items: tuple[Id, ...] = ()
    learnt: str
    sources: Sources = ()
    retracted: str | None = None


class NewEntity(Record, omit_defaults=True):
    """Somebody or something with a name, as it is given; giving it again adds to it.

    `sources` and `trusted` are those of an item.
    """

    id: Id | None = None
    name: Word
    type: EntityType = "thing"
    aliases: tuple[Word, ...] = ()
    profile: str = ""
    relations: tuple[Relation, ...] = ()
    learnt: str | None = None
    origin: Origin = "operator"
    sources: Sources = ()
    trusted: Sources = ()


class GivenEntity(NewEntity, omit_defaults=True):
    """Somebody or something with a name as a line may say it: new, or as it was printed."""

    agent: str | None = None
    version: Natural = 1
    retracted: str | None = None


class Entity(GivenEntity, omit_defaults=True):
    """Somebody or something with a name, as it is kept; `version` counts its changes."""

    id: Id  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out
    learnt: str  # pyright: ignore[reportGeneralTypeIssues]  # no longer left out


class Retracted(Record):
    """Something that was taken back because of whose words it holds: a receipt."""

    kind: Literal["memory_item", "reflection", "lesson", "entity", "relation"]
    agent: str
    id: Id
    text: str
    sources: Sources


class Added(Record, omit_defaults=True):
    """What became of one line that was given: its id, and whether it was there already."""

    id: Id
    key: Id
    duplicate: bool = False
