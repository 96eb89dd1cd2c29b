"""`mind task`: work that others do for an agent."""

from typing import get_args

import click

from mindpipe.tasks.records import IfLate, IfLost, IfPartial
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    agent_option,
    any_agent_option,
    by_option,
    every_option,
    reason_option,
    whole,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "agent", "to", "kind", "state", "progress", "retry_count", "due_at", "text")

task_argument = click.argument("task", metavar="ID")


@command("add", example='mind task add --agent ava --worker program:./sum "Add up the bills"')
@click.argument("text", metavar="TEXT")
@agent_option
@click.option("--worker", "to", metavar="WORKER", required=True, help="An agent, or program:PATH.")
@click.option("--task-kind", "kind", metavar="KIND", default="work", help="What sort of work.")
@click.option("--input", "given", metavar="JSON", help="What it needs, as a JSON object.")
@click.option(
    "--within", "due", type=whole(1), default=3600, metavar="S", help="Late after S seconds."
)
@click.option("--max-retries", type=whole(0, 3), default=3, metavar="N", help="Retries at most.")
@click.option(
    "--if-lost",
    type=click.Choice(get_args(IfLost)),
    default="resume",
    help="If its worker is gone: go on from its checkpoint, begin anew, or ask a person.",
)
@click.option(
    "--if-late",
    type=click.Choice(get_args(IfLate)),
    default="escalate",
    help="If it is not done in time: only mark it late, or ask a person.",
)
@click.option(
    "--if-partial",
    type=click.Choice(get_args(IfPartial)),
    default="finish",
    help="If its worker ends without a result: finish, begin anew, or ask a person.",
)
def add(session: Session, **wishes: object) -> None:
    """Delegate a task for an agent; mind act or mind run sends it.

    A program gets the task as JSON on stdin and prints lines of JSON: {"progress": 0.4,
    "checkpoint": {...}} while it works, {"result": ...} or {"error": "..."} at its end. Its
    IDEMPOTENCY_KEY is the same however often the task is sent.
    resume and finish send it again with its checkpoint (resume only if it was more than half done,
    else from its beginning); restart sends it again from its beginning; wait only marks it late;
    escalate opens a ticket for a person, as does a task whose retries are used up.
    """
    from mindpipe_cli import delegating

    session.write([delegating.add(session, wishes)], columns=_COLUMNS)


@command("list", example="mind task list --agent ava --table")
@any_agent_option
@every_option
def list_(session: Session, agent: str | None, *, every: bool) -> None:
    """Print the tasks that have not ended, oldest first."""
    from mindpipe.agents import verbs as agents
    from mindpipe.tasks.verbs import queue

    if agent is not None:
        agents.show(session.store, name=agent)
    session.write(queue.list_(session.store, agent=agent, every=every), columns=_COLUMNS)


@command("show", example="mind task show k_5Q0vB1kXnYpWc2sRj8LdHa")
@task_argument
def show(session: Session, task: str) -> None:
    """Print the task with the id ID whole."""
    from mindpipe.tasks.verbs import queue
    from mindpipe_cli import deciding

    deciding.write_whole(session, queue.show(session.store, task=task), columns=_COLUMNS)


@command("report", example="mind task report k_5Q0vB1kXnYpWc2sRj8LdHa --progress 0.4")
@task_argument
@click.option("--progress", type=click.FloatRange(0, 1), metavar="SHARE", help="How far it is.")
@click.option("--checkpoint", metavar="JSON", help="What it could go on from.")
@click.option("--result", metavar="TEXT", help="What came of it: the task is done.")
@click.option("--error", metavar="TEXT", help="Why it cannot be done: the task failed.")
def report(session: Session, task: str, **said: object) -> None:
    """Say how far a task is, or how it ended, for whoever works on it."""
    from mindpipe_cli import delegating

    session.write([delegating.report(session, task, said)], columns=_COLUMNS)


@command("cancel", example="mind task cancel k_5Q0vB1kXnYpWc2sRj8LdHa --reason done")
@task_argument
@by_option
@reason_option(required=False)
def cancel(session: Session, task: str, by: str | None, reason: str | None) -> None:
    """End a task as failed; its program is ended, and its agent hears of it."""
    from mindpipe_cli import delegating

    session.write([delegating.cancel(session, task, by, reason)], columns=_COLUMNS)


@command("recover", example="mind task recover --agent ava")
@click.argument("task", metavar="[ID]", required=False)
@any_agent_option
def recover(session: Session, task: str | None, agent: str | None) -> None:
    """See after the tasks of an agent as after a crash, or send the task ID again.

    What nobody works on is sent again with the same key, goes on from its checkpoint if it was
    more than half done, or is handed to a person. Nothing to recover is exit status 3.
    """
    from mindpipe_cli import delegating

    session.write(delegating.recover(session, task=task, agent=agent), columns=_COLUMNS)


@command("work", example="mind task work k_5Q0vB1kXnYpWc2sRj8LdHa --sent 1")
@task_argument
@click.option("--sent", type=whole(1), required=True, metavar="N", help="How often it was sent.")
def work(session: Session, task: str, sent: int) -> None:
    """Run the program of a task that was sent, to its end; mind act starts this by itself."""
    from mindpipe_cli import delegating

    session.write([delegating.work(session, task, sent)], columns=_COLUMNS)


COMMAND = group("task", add, list_, show, report, cancel, recover, work)
