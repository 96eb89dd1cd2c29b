"""Keep notes under keys, which an agent has in view."""

import msgspec

from mindpipe.agents import tables
from mindpipe.agents.missing import unknown_note
from mindpipe.agents.records import Note
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.core.text import one_line, whole_text

KEY_LENGTH = 128
VALUE_LENGTH = 16_000


def set_(store: Store, clock: Clock, *, agent: str, key: str, value: str) -> Note:
    """Keep a note under a key, in the place of what was there.

    Raises:
        UsageError: no such agent; the key is no single line of at most 128 characters; the value
            is blank or longer than 16,000 characters.
    """
    note = Note(
        agent=agent,
        key=one_line(key, field="the key", limit=KEY_LENGTH),
        value=whole_text(value, field="the value", limit=VALUE_LENGTH),
        updated=clock.now(),
    )
    with store.write(agent) as rows:
        tables.require_agent(rows, agent)
        tables.put_note(rows, note)
    return note


def get(store: Store, *, agent: str, key: str) -> Note:
    """Return one note.

    Raises:
        UsageError: no such agent or note.
    """
    with store.read() as rows:
        return _find(rows, agent, key)


def list_(store: Store, *, agent: str) -> list[Note]:
    """Return an agent's notes by key.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        notes = tables.notes_of(rows, agent)
        if not notes:
            tables.require_agent(rows, agent)
    return notes


def delete(store: Store, *, agent: str, key: str) -> Note:
    """Forget a note and return what it was.

    Raises:
        UsageError: no such agent or note.
    """
    with store.write(agent) as rows:
        found = _find(rows, agent, key)
        tables.delete_note(rows, found)
    return found


def trust(store: Store, *, agent: str, key: str) -> Note:
    """Take a note, which somebody has read, for the agent's own, and return what it was.

    Raises:
        NothingToDoError: it is the agent's own already.
        UsageError: no such agent or note.
    """
    with store.write(agent) as rows:
        found = _find(rows, agent, key)
        if not found.sources:
            raise NothingToDoError(f"the note {key} of {agent} is trusted already.")
        tables.put_note(rows, msgspec.structs.replace(found, sources=()))
    return found


def _find(rows: Rows, agent: str, key: str) -> Note:
    """Return one note of an agent; raises UsageError."""
    tables.require_agent(rows, agent)
    wanted = one_line(key, field="the key", limit=KEY_LENGTH)
    found = tables.find_note(rows, agent, wanted)
    if found is None:
        known = [note.key for note in tables.notes_of(rows, agent)]
        raise unknown_note(wanted, agent, known)
    return found
