"""What other programs remember, read one memory after the other: dumps of mem0, blocks of Letta.

They are sentences that a model wrote, and no words that anybody said, so that nothing is proved by
them.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from mindpipe.core.ports import Octets
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import breaks_a_line, hides
from mindpipe.providers.archives import ArchiveEntry, entries, instant_of, parts_of
from mindpipe.providers.documents import refusal
from mindpipe.providers.items import Members, word
from mindpipe.providers.left_out import timed

MOST_WORD = 200
_DUMP = "what get_all of mem0 returns, as JSON"
_LISTS = ("results", "memories", "data")
_AGENT_FILE = "an agent file (.af) of Letta"
_BLOCKS = ("blocks", "core_memory", "memory_blocks")


class ForeignMemory(Record, omit_defaults=True):
    """One memory of another program, with the names that an item of ours has."""

    text: str
    key: str
    kind: Literal["semantic", "note"]
    origin: Literal["agent"]
    at: str | None = None
    speaker: str | None = None
    subject: str | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()


class WrittenMemory(Record):
    """One memory of a dump that is written: as mem0 names what an item of ours has."""

    id: str
    memory: str
    created_at: str | None
    updated_at: str | None
    user_id: str | None
    actor_id: str | None
    role: str
    agent_id: str | None
    run_id: str | None
    categories: tuple[str, ...]


class NotTaken:
    """What memories had that an item has no place for."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}

    def add(self, what: str) -> None:
        """Count one thing."""
        self.names[what] = self.names.get(what, 0) + 1

    def words(self) -> tuple[str, ...]:
        """Return all of it, with how often."""
        return tuple(timed(what, times) for what, times in self.names.items())


def _name(members: Members, name: str) -> str | None:
    """Return a member that can be a name, else nothing."""
    found = word(members, name).strip()
    sound = 0 < len(found) <= MOST_WORD and not breaks_a_line(found) and not hides(found)
    return found if sound else None


def _listed(
    entry: ArchiveEntry, names: tuple[str, ...]
) -> tuple[Members, Iterator[ArchiveEntry]] | None:
    """Return the members of an object and the objects of the first list in it that has a name."""
    for name in names:
        values, start = parts_of(entry, name)
        if start is not None:
            return values, _objects(entry, name, start)
    return None


def _objects(entry: ArchiveEntry, name: str, start: int) -> Iterator[ArchiveEntry]:
    """Yield the objects of a list of an object."""
    cursor = entry.span.cursor(start)
    for at in cursor.places(f"{entry.at}.{name}"):
        if cursor.peek() != "{":
            raise refusal(entry.span.source, f"{at}: an object is expected here")
        begin = cursor.place
        cursor.skip(at)
        yield ArchiveEntry(entry.span._replace(start=begin, end=cursor.place), at)


def _members(entry: ArchiveEntry) -> Members:
    return parts_of(entry, "")[0]


def mem0_memories(octets: Octets, source: str, left_out: NotTaken) -> Iterator[ForeignMemory]:
    """Yield the memories of a dump: a list of them, or an object that holds one.

    One that was changed since is another memory, so that a later dump adds what is new in it.

    Raises:
        BadInputError: it is no such dump.
    """
    for entry in entries(octets, source=source, wanted=_DUMP):
        listed = _listed(entry, _LISTS) if entry.at == "$" else None
        if listed is not None and isinstance(relations := listed[0].get("relations"), list):
            for _ in relations:
                left_out.add("relation between entities")
        for one in [entry] if listed is None else listed[1]:
            yield _of_mem0(one, left_out)


def _of_mem0(entry: ArchiveEntry, left_out: NotTaken) -> ForeignMemory:
    """Return one memory of mem0."""
    members = _members(entry)
    id_, text = word(members, "id"), word(members, "memory") or word(members, "data")
    if not id_ or not text:
        what = f"{entry.at}: a memory has an id and its text as memory; give {_DUMP}"
        raise refusal(entry.span.source, what)
    made, changed = word(members, "created_at"), word(members, "updated_at")
    for name in ("metadata", "structured_attributes", "expiration_date"):
        if members.get(name):
            left_out.add(f"field {name!r} of memories")
    # What an assistant said of a user is no word of that user.
    told = "assistant" in (word(members, "role"), word(members, "attributed_to"))
    categories = members.get("categories")
    tags = (
        [one for one in categories if isinstance(one, str)] if isinstance(categories, list) else []
    )
    return ForeignMemory(
        text=text,
        key=f"mem0:{id_}" if changed in {"", made} else f"mem0:{id_}@{changed}",
        kind="semantic",
        origin="agent",
        at=instant_of(made) or None,
        speaker=_name(members, "actor_id") or _name(members, "agent_id" if told else "user_id"),
        subject=_name(members, "user_id"),
        session=_name(members, "run_id"),
        tags=tuple(tag for tag in tags if _name({"tag": tag}, "tag") == tag),
    )


def letta_memories(octets: Octets, source: str, left_out: NotTaken) -> Iterator[ForeignMemory]:
    """Yield the memory blocks of an agent file, each with its label; empty ones say nothing.

    Raises:
        BadInputError: it is no such file.
    """
    for entry in entries(octets, source=source, wanted=_AGENT_FILE):
        listed = _listed(entry, _BLOCKS)
        if listed is None:
            raise refusal(source, f"{entry.at}: no memory blocks; give {_AGENT_FILE}")
        _, blocks = listed
        for one in blocks:
            block = _members(one)
            label, value = _name(block, "label") or "block", word(block, "value").strip()
            if not value:
                left_out.add("empty memory block")
                continue
            text = f"{label}: {value}"
            yield ForeignMemory(
                text=text,
                key=f"letta:{hashlib.sha256(text.encode()).hexdigest()[:32]}",
                kind="note",
                origin="agent",
                tags=(label,),
            )


_READERS: dict[str, Callable[[Octets, str, NotTaken], Iterator[ForeignMemory]]] = {
    "letta": letta_memories,
    "mem0": mem0_memories,
}


def foreign_memories(
    octets: Octets, *, format: str, source: str, left_out: NotTaken
) -> Iterator[ForeignMemory]:
    """Yield what another program remembers; `format` is one of `MEMORY_FORMATS`.

    Raises:
        BadInputError: the file is not of the form.
    """
    yield from _READERS[format](octets, source, left_out)


def mem0_dump(memories: Iterable[WrittenMemory]) -> Iterator[bytes]:
    """Yield what get_all of mem0 returns, memory by memory."""
    yield b'{"results":['
    comma = b"\n"
    for one in memories:
        yield comma + to_json(one)
        comma = b",\n"
    yield b"\n]}\n"
