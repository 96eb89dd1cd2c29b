"""`mind run list|show|cancel`: what agents do for each trigger, over all that they wait for."""

import click

from mindpipe.agents import verbs as agents
from mindpipe.core.records import Record
from mindpipe.history.verbs import cycles
from mindpipe.runs import verbs
from mindpipe.runs.records import Run, RunState
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    any_agent_option,
    every_option,
    limit_option,
    offset_option,
    reason_option,
)
from mindpipe_cli.session import Session

run_argument = click.argument("run", metavar="RUN")


class Line(Record):
    """One run in one line of a table: what began it, and the message whose reply it waits for."""

    id: str
    agent: str
    state: str
    trigger: str
    space: str | None
    sender: str | None
    waits_for: str | None
    until: str | None
    cycles: int
    began: str
    ended: str | None


_COLUMNS = Line.__struct_fields__


@command("list", example="mind run list --agent ava --state waiting_reply --table")
@any_agent_option
@click.option(
    "--state",
    "states",
    type=click.Choice([state.value for state in RunState]),
    multiple=True,
    help="In this state, or one of these [running, waiting_reply].",
)
@every_option
@limit_option(None)
@offset_option
def list_(
    session: Session,
    agent: str | None,
    states: tuple[str, ...],
    limit: int | None,
    offset: int,
    *,
    every: bool,
) -> None:
    """Print the runs that are under way or wait for a reply, the newest first."""
    if agent is not None:
        agents.show(session.store, name=agent)
    found = verbs.list_(
        session.store,
        agent=agent,
        states=_wanted(states, every=every),
        limit=-1 if limit is None else limit,
        offset=offset,
    )
    _write(session, found)


@command("show", example="mind run show run_5Q0vB1kXnYpWc2sRj8LdHa")
@run_argument
def show(session: Session, run: str) -> None:
    """Print one run whole: what began it, its cycles, and all that it waited for."""
    _write(session, [verbs.show(session.store, run=run)])


@command("cancel", example="mind run cancel run_5Q0vB1kXnYpWc2sRj8LdHa --reason obsolete")
@run_argument
@reason_option(required=False)
def cancel(session: Session, run: str, reason: str | None) -> None:
    """Let a run that waits, or is to be tried again, not go on.

    What it said stays said. A message that comes then, or has come, begins a run of its own.
    """
    with session.store.write():
        found = verbs.show(session.store, run=run)
        now = cycles.open_one(session.store, agent=found.agent)
        ended = verbs.cancel(
            session.store,
            session.clock,
            run=run,
            reason=reason or "cancelled",
            open_cycle=now.cycle if now else None,
        )
    _write(session, [ended])


def _wanted(states: tuple[str, ...], *, every: bool) -> tuple[RunState, ...]:
    """Return the states that are asked for."""
    if every:
        return tuple(RunState)
    return tuple(map(RunState, states)) or verbs.LIVE


def _write(session: Session, found: list[Run]) -> None:
    """Print runs: whole as JSON, else a line each."""
    if session.shape == "json":
        session.write(found, columns=_COLUMNS)
    else:
        session.write(map(_line, found), columns=_COLUMNS)


def _line(run: Run) -> Line:
    """Return a run as one line."""
    wait = run.waiting
    return Line(
        id=run.id,
        agent=run.agent,
        state=run.state.value,
        trigger=run.trigger.type,
        space=run.trigger.space,
        sender=run.trigger.sender,
        waits_for=wait.post if wait else None,
        until=wait.until if wait else None,
        cycles=len(run.cycles),
        began=run.began,
        ended=run.ended,
    )
