"""Keep what an agent wants to reach."""

import msgspec

from mindpipe.agents import tables
from mindpipe.agents.missing import unknown_goal
from mindpipe.agents.records import Goal, GoalState
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.text import one_line

LENGTH = 2_000
_ID_LENGTH = 64


def add(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    text: str,
    state: GoalState = GoalState.ACTIVE,
    priority: int | None = None,
) -> Goal:
    """Give an agent a goal; `priority` says how much it matters, from 1, the most, to 9.

    Raises:
        UsageError: no such agent, or the text is blank or longer than 2,000 characters.
    """
    words = one_line(text, field="the goal", limit=LENGTH)
    with store.write(agent) as rows:
        tables.require_agent(rows, agent)
        now = clock.now()
        goal = Goal(agent=agent, text=words, state=state, created=now, updated=now)
        made = keep(rows, chance, goal)
        if priority is None:
            return made
        return rank(store, clock, agent=agent, goal=made.id, priority=priority)


def list_(store: Store, *, agent: str, state: GoalState | None = None) -> list[Goal]:
    """Return an agent's goals in the order in which they were made, all or those in one state.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        goals = tables.goals_of(rows, agent)
        if not goals:
            tables.require_agent(rows, agent)
    return [goal for goal in goals if state in (None, goal.state)]


def set_(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    goal: str,
    text: str | None = None,
    state: GoalState | None = None,
    priority: int | None = None,
) -> Goal:
    """Change what is given of a goal's text, state and priority, and return it.

    Raises:
        UsageError: no such agent or goal, or nothing to change.
    """
    if text is None and state is None and priority is None:
        raise UsageError("nothing to change; give a text, a state or a priority.")
    with store.write(agent) as rows:
        if priority is not None:
            ranked = rank(store, clock, agent=agent, goal=goal, priority=priority)
            if text is None and state is None:
                return ranked
        found = _find(rows, agent, goal)
        words = found.text if text is None else one_line(text, field="the goal", limit=LENGTH)
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


def rank(store: Store, clock: Clock, *, agent: str, goal: str, priority: int | None) -> Goal:
    """Say how much a goal matters: from 1, the most, to 9; None takes back what was said.

    Raises:
        UsageError: no such agent or goal.
    """
    with store.write(agent) as rows:
        found = _find(rows, agent, goal)
        made = msgspec.structs.replace(found, priority=priority, updated=clock.now())
        tables.update_goal(rows, made)
    return made


def remove(store: Store, *, agent: str, goal: str) -> Goal:
    """Forget a goal and return what it was.

    Raises:
        UsageError: no such agent or goal.
    """
    with store.write(agent) as rows:
        found = _find(rows, agent, goal)
        tables.delete_goal(rows, found.id)
    return found


def trust(store: Store, *, agent: str, goal: str) -> Goal:
    """Take a goal, which somebody has read, for the agent's own, and return what it was.

    Raises:
        NothingToDoError: it is the agent's own already.
        UsageError: no such agent or goal.
    """
    with store.write(agent) as rows:
        found = _find(rows, agent, goal)
        if not found.sources:
            raise NothingToDoError(f"the goal {goal} of {agent} is trusted already.")
        tables.update_goal(rows, msgspec.structs.replace(found, sources=()))
    return found


def keep(rows: Rows, chance: Chance, goal: Goal) -> Goal:
    """Keep a goal as the newest of its agent, under a new id unless it has one, and return it."""
    number = tables.next_goal_number(rows, goal.agent)
    made = msgspec.structs.replace(goal, id=goal.id or chance.new_id("g", goal.agent, number))
    tables.add_goal(rows, made, number=number)
    return made


def _find(rows: Rows, agent: str, goal: str) -> Goal:
    """Return one goal of an agent; raises UsageError."""
    tables.require_agent(rows, agent)
    wanted = one_line(goal, field="the goal's id", limit=_ID_LENGTH)
    found = tables.find_goal(rows, agent, wanted)
    if found is None:
        raise unknown_goal(wanted, agent)
    return found
