"""Make agents, show and change them, copy them, and take them in from files."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec
from msgspec import UNSET

from mindpipe.agents import settings, tables
from mindpipe.agents.missing import moved_away
from mindpipe.agents.records import Agent, AgentChange, AgentFile
from mindpipe.agents.verbs import goal as goals
from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.text import did_you_mean, safe_name

C = TypeVar("C")


def new(
    store: Store, clock: Clock, chance: Chance, *, name: str, change: AgentChange | None = None
) -> Agent:
    """Make an agent; its title is its name unless the change gives one.

    It has all built-in tools unless the change chooses some.

    Raises:
        RefusedError: there is one of this name.
        UsageError: the name or a setting is not allowed.
    """
    safe_name(name)
    with store.write(name) as rows:
        _refuse_taken(rows, name)
        made = Agent(name=name, title=name, entity=chance.new_id("n", name), created=clock.now())
        agent = _changed(store, made, change or AgentChange())
        tables.put_agent(rows, agent)
    return agent


def list_(store: Store) -> list[Agent]:
    """Return all agents by name."""
    with store.read() as rows:
        return tables.all_agents(rows)


def show(store: Store, *, name: str) -> Agent:
    """Return one agent.

    Raises:
        UsageError: there is none of this name.
    """
    with store.read() as rows:
        return tables.require_agent(rows, name)


def require_here(store: Store, *, name: str) -> None:
    """Raise RefusedError where an agent's life goes on in another store."""
    since = away_since(store, name=name)
    if since is not None:
        raise moved_away(name, since)


def away_since(store: Store, *, name: str) -> str | None:
    """Return since when an agent's life goes on in another store, or None where it does not."""
    with store.read() as rows:
        who = tables.find_agent(rows, name)
    return None if who is None else who.away


def set_(store: Store, *, name: str, change: AgentChange) -> Agent:
    """Change an agent's settings and return it.

    Raises:
        UsageError: no such agent, or a setting is not allowed.
    """
    with store.write(name) as rows:
        agent = _changed(store, tables.require_agent(rows, name), change)
        tables.put_agent(rows, agent)
    return agent


def _changed(store: Store, agent: Agent, change: AgentChange) -> Agent:
    """Return an agent with other settings, and without secrets in its instructions."""
    made = settings.changed(agent, change)
    clean = store.redactor.text(made.instructions)
    return msgspec.structs.replace(made, instructions=clean)


def trust(store: Store, *, name: str, add: Iterable[str] = (), remove: Iterable[str] = ()) -> Agent:
    """Let an agent act on the words of more sources, or of fewer, and return it.

    What was written while a source was trusted stays. A name to remove that ends in `*` means all
    that begin so.

    Raises:
        UsageError: there is no such agent, a name is none that a source can have, or one that is
            to be removed is not trusted.
    """
    with store.write(name) as rows:
        trusted = tables.require_agent(rows, name).trust
        unwanted: set[str] = set()
        for source in remove:
            meant = {one for one in trusted if one == source}
            if source.endswith("*"):
                meant |= {one for one in trusted if one.startswith(source[:-1])}
            if not meant:
                told = ", ".join(trusted) or "nobody"
                hint = did_you_mean(source, trusted)
                raise UsageError(
                    f"{name} has no {source} among those it trusts: {told}. {hint}".rstrip()
                )
            unwanted |= meant
        every = (one for one in dict.fromkeys((*trusted, *add)) if one not in unwanted)
        return set_(store, name=name, change=AgentChange(trust=tuple(every)))


def fork(
    store: Store, clock: Clock, chance: Chance, *, name: str, copy: str, title: str | None = None
) -> Agent:
    """Make the agent `copy` with the settings, tools, goals and notes of `name`.

    The copy has an entity of its own and no history, and does not rest even if the other does.

    Raises:
        RefusedError: there is an agent named `copy`.
        UsageError: no agent `name`, or a name or title is not allowed.
    """
    safe_name(copy)
    with store.write(name, copy) as rows:
        source = tables.require_agent(rows, name)
        _refuse_taken(rows, copy)
        now = clock.now()
        other = msgspec.structs.replace(
            source,
            name=copy,
            entity=chance.new_id("n", copy),
            created=now,
            paused=None,
            lacks=UNSET,
        )
        change = AgentChange() if title is None else AgentChange(title=title)
        other = settings.changed(other, change)
        tables.put_agent(rows, other)
        for goal in tables.goals_of(rows, name):
            goals.keep(rows, chance, msgspec.structs.replace(goal, id="", agent=copy, updated=now))
        for note in tables.notes_of(rows, name):
            tables.put_note(rows, msgspec.structs.replace(note, agent=copy, updated=now))
    return other


def export_(store: Store, *, name: str) -> AgentFile:
    """Return an agent with its goals and notes, to live in a file; plans and spaces are empty.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        return AgentFile(
            agent=tables.require_agent(rows, name),
            goals=tuple(tables.goals_of(rows, name)),
            notes=tuple(tables.notes_of(rows, name)),
        )


def settle(store: Store, clock: Clock, chance: Chance, *, portrait: AgentFile) -> Agent:
    """Make the agent of a file, with its goals and notes; what the file left out is filled in.

    Raises:
        RefusedError: there is one of this name.
        UsageError: the name or a setting is not allowed.
    """
    given = portrait.agent
    name = safe_name(given.name)
    with store.write(name) as rows:
        _refuse_taken(rows, name)
        now = clock.now()
        agent = msgspec.structs.replace(
            _changed(store, given, AgentChange(title=given.shown_name())),
            entity=given.entity or chance.new_id("n", name),
            created=given.created or now,
        )
        tables.put_agent(rows, agent)
        for goal in portrait.goals:
            kept = msgspec.structs.replace(
                goal, agent=name, created=goal.created or now, updated=goal.updated or now
            )
            goals.keep(rows, chance, kept)
        for note in portrait.notes:
            made = msgspec.structs.replace(note, agent=name, updated=note.updated or now)
            tables.put_note(rows, made)
    return agent


def clearances(store: Store, *, name: str, find: Callable[[str], list[C]]) -> list[C]:
    """Return what the operator has vouched for of an agent, as `find` knows it.

    Raises:
        UsageError: there is no such agent.
    """
    return find(show(store, name=name).name)


def _refuse_taken(rows: Rows, name: str) -> None:
    """Raise RefusedError if there is an agent of this name."""
    if tables.find_agent(rows, name) is not None:
        raise RefusedError(f"agent {name} is already there; change it with mind agent set {name}.")
