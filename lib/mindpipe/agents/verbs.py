"""What can be done with agents, their goals and notes, and the lease on their thinking."""

import msgspec

from mindpipe.agents import lease, missing, settings, tables
from mindpipe.agents.records import Agent, AgentChange, AgentFile, Goal, GoalState, Lease, Note
from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.names import safe_name
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.text import one_line, whole_text

GOAL_LENGTH = 2_000
KEY_LENGTH = 128
VALUE_LENGTH = 16_000
_ID_LENGTH = 64


def new(
    store: Store, clock: Clock, chance: Chance, *, name: str, change: AgentChange | None = None
) -> Agent:
    """Make an agent; its title is its name unless the change gives one.

    Raises:
        RefusedError: there is one of this name.
        UsageError: the name or a setting is not allowed.
    """
    safe_name(name)
    with store.write() as rows:
        _refuse_taken(rows, name)
        made = Agent(name=name, title=name, entity=chance.new_id("n", name), created=clock.now())
        agent = settings.changed(made, change or AgentChange())
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
        return _agent(rows, name)


def set_(store: Store, *, name: str, change: AgentChange) -> Agent:
    """Change an agent's settings and return it.

    Raises:
        UsageError: no such agent, or a setting is not allowed.
    """
    with store.write() as rows:
        agent = settings.changed(_agent(rows, name), change)
        tables.put_agent(rows, agent)
    return agent


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
    with store.write() as rows:
        source = _agent(rows, name)
        _refuse_taken(rows, copy)
        now = clock.now()
        other = msgspec.structs.replace(
            source, name=copy, entity=chance.new_id("n", copy), created=now, paused=None
        )
        change = AgentChange() if title is None else AgentChange(title=title)
        other = settings.changed(other, change)
        tables.put_agent(rows, other)
        for goal in tables.goals_of(rows, name):
            _add_goal(rows, chance, msgspec.structs.replace(goal, agent=copy, updated=now))
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
            agent=_agent(rows, name),
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
    with store.write() as rows:
        _refuse_taken(rows, name)
        now = clock.now()
        agent = msgspec.structs.replace(
            settings.changed(given, AgentChange(title=given.shown_name())),
            entity=given.entity or chance.new_id("n", name),
            created=given.created or now,
        )
        tables.put_agent(rows, agent)
        for goal in portrait.goals:
            _settle_goal(rows, chance, msgspec.structs.replace(goal, agent=name), now)
        for note in portrait.notes:
            made = msgspec.structs.replace(note, agent=name, updated=note.updated or now)
            tables.put_note(rows, made)
    return agent


def goal_add(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    text: str,
    state: GoalState = GoalState.ACTIVE,
) -> Goal:
    """Give an agent a goal.

    Raises:
        UsageError: no such agent, or the text is blank or longer than 2,000 characters.
    """
    words = one_line(text, field="the goal", limit=GOAL_LENGTH)
    with store.write() as rows:
        _agent(rows, agent)
        now = clock.now()
        goal = Goal(agent=agent, text=words, state=state, created=now, updated=now)
        return _add_goal(rows, chance, goal)


def goal_list(store: Store, *, agent: str, state: GoalState | None = None) -> list[Goal]:
    """Return an agent's goals in the order in which they were made, all or those in one state.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        _agent(rows, agent)
        goals = tables.goals_of(rows, agent)
    return [goal for goal in goals if state in (None, goal.state)]


def goal_set(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    goal: str,
    text: str | None = None,
    state: GoalState | None = None,
) -> Goal:
    """Change a goal's text, its state or both, and return it.

    Raises:
        UsageError: no such agent or goal, or nothing to change.
    """
    if text is None and state is None:
        raise UsageError("nothing to change; give a text, a state or a priority.")
    with store.write() as rows:
        found = _goal(rows, agent, goal)
        words = found.text if text is None else one_line(text, field="the goal", limit=GOAL_LENGTH)
        reached = found.state if state in (None, found.state) else found.state.to(state)
        made = msgspec.structs.replace(
            found,
            text=words,
            state=reached,
            updated=clock.now(),
            sources=found.sources if text is None else (),
        )
        tables.update_goal(rows, made)
    return made


def goal_rank(store: Store, clock: Clock, *, agent: str, goal: str, priority: int | None) -> Goal:
    """Say how much a goal matters: from 1, the most, to 9; None takes back what was said.

    Raises:
        UsageError: no such agent or goal.
    """
    with store.write() as rows:
        found = _goal(rows, agent, goal)
        made = msgspec.structs.replace(found, priority=priority, updated=clock.now())
        tables.update_goal(rows, made)
    return made


def goal_remove(store: Store, *, agent: str, goal: str) -> Goal:
    """Forget a goal and return what it was.

    Raises:
        UsageError: no such agent or goal.
    """
    with store.write() as rows:
        found = _goal(rows, agent, goal)
        tables.delete_goal(rows, found.id)
    return found


def note_set(store: Store, clock: Clock, *, agent: str, key: str, value: str) -> Note:
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
    with store.write() as rows:
        _agent(rows, agent)
        tables.put_note(rows, note)
    return note


def note_get(store: Store, *, agent: str, key: str) -> Note:
    """Return one note.

    Raises:
        UsageError: no such agent or note.
    """
    with store.read() as rows:
        return _note(rows, agent, key)


def note_list(store: Store, *, agent: str) -> list[Note]:
    """Return an agent's notes by key.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        _agent(rows, agent)
        return tables.notes_of(rows, agent)


def note_delete(store: Store, *, agent: str, key: str) -> Note:
    """Forget a note and return what it was.

    Raises:
        UsageError: no such agent or note.
    """
    with store.write() as rows:
        found = _note(rows, agent, key)
        tables.delete_note(rows, found)
    return found


def lease_acquire(
    store: Store, clock: Clock, *, agent: str, owner: str, seconds: float = 60.0
) -> int:
    """Take the lease on an agent for `seconds` on the boot clock and return its epoch.

    A free or expired lease gives a new epoch; an owner who still holds it renews it.

    Raises:
        TemporaryError: another owner holds it.
        UsageError: there is no such agent.
    """
    with store.write() as rows:
        _agent(rows, agent)
        found = tables.find_lease(rows, agent)
        held = lease.taken(found, owner=owner, now=clock.boot(), seconds=seconds)
        tables.put_lease(rows, held)
    return held.epoch


def lease_of(store: Store, *, agent: str) -> Lease:
    """Return the lease on an agent as it stands, whoever holds it."""
    with store.read() as rows:
        return tables.find_lease(rows, agent)


def lease_check(store: Store, *, agent: str, owner: str, epoch: int) -> None:
    """Pass if `owner` still holds this epoch; call it first in every transaction of a worker.

    Raises:
        FencedError: another worker came.
    """
    with store.read() as rows:
        lease.check(tables.find_lease(rows, agent), owner=owner, epoch=epoch)


def lease_renew(
    store: Store, clock: Clock, *, agent: str, owner: str, epoch: int, seconds: float = 60.0
) -> None:
    """Let the lease end `seconds` from now.

    Raises:
        FencedError: another worker came.
    """
    with store.write() as rows:
        found = tables.find_lease(rows, agent)
        now = clock.boot()
        tables.put_lease(
            rows, lease.renewed(found, owner=owner, epoch=epoch, now=now, seconds=seconds)
        )


def lease_release(store: Store, *, agent: str, owner: str, epoch: int) -> None:
    """Let the agent go.

    Raises:
        FencedError: another worker came.
    """
    with store.write() as rows:
        found = tables.find_lease(rows, agent)
        tables.put_lease(rows, lease.released(found, owner=owner, epoch=epoch))


def free_other_boots(store: Store, clock: Clock) -> int:
    """Let go of the agents that were held before the machine last started."""
    with store.write() as rows:
        return tables.free_other_boots(rows, boot=clock.boot().boot)


def _agent(rows: Rows, name: str) -> Agent:
    """Return one agent; raises UsageError with the nearest name."""
    found = tables.find_agent(rows, safe_name(name))
    if found is None:
        raise missing.unknown_agent(name, tables.agent_names(rows))
    return found


def _refuse_taken(rows: Rows, name: str) -> None:
    """Raise RefusedError if there is an agent of this name."""
    if tables.find_agent(rows, name) is not None:
        raise RefusedError(f"agent {name} is already there; change it with mind agent set {name}.")


def _add_goal(rows: Rows, chance: Chance, goal: Goal) -> Goal:
    """Keep a goal under a new id and return it."""
    number = tables.next_goal_number(rows, goal.agent)
    made = msgspec.structs.replace(goal, id=chance.new_id("g", goal.agent, number))
    tables.add_goal(rows, made, number=number)
    return made


def _settle_goal(rows: Rows, chance: Chance, goal: Goal, now: str) -> None:
    """Keep a goal of a file, under its own id if it has one."""
    number = tables.next_goal_number(rows, goal.agent)
    made = msgspec.structs.replace(
        goal,
        id=goal.id or chance.new_id("g", goal.agent, number),
        created=goal.created or now,
        updated=goal.updated or now,
    )
    tables.add_goal(rows, made, number=number)


def _goal(rows: Rows, agent: str, goal: str) -> Goal:
    """Return one goal of an agent; raises UsageError."""
    _agent(rows, agent)
    wanted = one_line(goal, field="the goal's id", limit=_ID_LENGTH)
    found = tables.find_goal(rows, agent, wanted)
    if found is None:
        raise missing.unknown_goal(wanted, agent)
    return found


def _note(rows: Rows, agent: str, key: str) -> Note:
    """Return one note of an agent; raises UsageError."""
    _agent(rows, agent)
    wanted = one_line(key, field="the key", limit=KEY_LENGTH)
    found = tables.find_note(rows, agent, wanted)
    if found is None:
        known = [note.key for note in tables.notes_of(rows, agent)]
        raise missing.unknown_note(wanted, agent, known)
    return found
