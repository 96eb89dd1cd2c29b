"""`mind goal`: what an agent wants to reach."""

import click

from mindpipe.agents.records import GoalState
from mindpipe.agents.verbs import goal as verbs
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import StoredId, agent_option, by_option, decider, whole
from mindpipe_cli.session import Session

_COLUMNS = ("id", "agent", "text", "state", "priority", "updated", "sources")
_standing_option = click.option(
    "--standing",
    "state",
    type=click.Choice([state.value for state in GoalState]),
    help="Where the goal stands.",
)
_priority_option = click.option(
    "--priority", type=whole(1, 9), metavar="1..9", help="How much it matters, 1 the most."
)


@command("add", example='mind goal add --agent ava "Finish the report by Friday"')
@agent_option
@click.argument("text")
@_standing_option
@_priority_option
def add(session: Session, agent: str, text: str, state: str | None, priority: int | None) -> None:
    """Give an agent the goal TEXT, active unless --standing says otherwise."""
    goal = verbs.add(
        session.store,
        session.clock,
        session.chance,
        agent=agent,
        text=text,
        state=GoalState(state or "active"),
        priority=priority,
    )
    session.write([goal], columns=_COLUMNS)


@command("list", example="mind goal list --agent ava --standing active")
@agent_option
@_standing_option
def list_(session: Session, agent: str, state: str | None) -> None:
    """Print an agent's goals, all or those in one state, in the order they were made."""
    wanted = None if state is None else GoalState(state)
    goals = verbs.list_(session.store, agent=agent, state=wanted)
    session.write(goals, columns=_COLUMNS)


@command("set", example="mind goal set --agent ava g_0Xq2yV1bT7cR5kE3mN8pLz --standing done")
@agent_option
@click.argument("goal", type=StoredId("goal"))
@click.argument("text", required=False)
@_standing_option
@_priority_option
def set_(
    session: Session,
    agent: str,
    goal: str,
    text: str | None,
    state: str | None,
    priority: int | None,
) -> None:
    """Change the text, the state or the priority of the goal with the id GOAL."""
    changed = verbs.set_(
        session.store,
        session.clock,
        agent=agent,
        goal=goal,
        text=text,
        state=None if state is None else GoalState(state),
        priority=priority,
    )
    session.write([changed], columns=_COLUMNS)


@command("remove", example="mind goal remove --agent ava g_0Xq2yV1bT7cR5kE3mN8pLz")
@agent_option
@click.argument("goal", type=StoredId("goal"))
def remove(session: Session, agent: str, goal: str) -> None:
    """Forget the goal with the id GOAL and print what it was."""
    session.write([verbs.remove(session.store, agent=agent, goal=goal)], columns=_COLUMNS)


@command("trust", example="mind goal trust --agent ava g_0Xq2yV1bT7cR5kE3mN8pLz")
@agent_option
@click.argument("goals", nargs=-1, required=True, metavar="GOAL...", type=StoredId("goal"))
@by_option
def trust(session: Session, agent: str, goals: tuple[str, ...], by: str | None) -> None:
    """Vouch for the goals with these ids, once you have read them.

    They are shown as the agent's own from then on, and taint no turn. It is recorded.
    """
    from mindpipe.context.verbs import trust as trust_verbs

    reader = trust_verbs.Reader(decider(by), session.clock)
    made = trust_verbs.trust_memories(
        session.store, reader, kind="goal", agent=agent, subjects=goals
    )
    session.write(made, columns=output.CLEARANCE)


COMMAND = group("goal", add, list_, set_, remove, trust)
