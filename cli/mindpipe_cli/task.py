"""`mind task`: work that others do for an agent."""

from typing import TYPE_CHECKING, get_args

import click
import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import NOBODY
from mindpipe.tasks.records import PROGRAM, IfLate, IfLost, IfPartial
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.input import json_object
from mindpipe_cli.options import (
    StoredId,
    agent_option,
    any_agent_option,
    by_option,
    decider,
    every_option,
    note,
    reason_option,
    whole,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.engine.dependencies import Dependencies
    from mindpipe.tasks.records import Task

_COLUMNS = ("id", "agent", "to", "kind", "state", "progress", "retry_count", "due_at", "text")

task_argument = click.argument("task", metavar="ID", type=StoredId("task"))


@command("add", example='mind task add --agent ava --worker program:./sum "Add up the bills"')
@click.argument("text", metavar="TEXT")
@agent_option
@click.option("--worker", "to", metavar="WORKER", required=True, help="An agent, or program:PATH.")
@click.option("--task-kind", "kind", metavar="KIND", default="work", help="What sort of work.")
@click.option(
    "--input", "given", metavar="JSON", default="{}", help="What it needs, as a JSON object."
)
@click.option(
    "--within",
    "due_seconds",
    type=whole(1),
    default=3600,
    metavar="S",
    help="Late after S seconds.",
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
def add(session: Session, agent: str, to: str, given: str, **fields: object) -> None:
    """Delegate a task for an agent; mind act or mind run sends it.

    A program gets the task as JSON on stdin and prints lines of JSON: {"progress": 0.4,
    "checkpoint": {...}} while it works, {"result": ...} or {"error": "..."} at its end. Its
    IDEMPOTENCY_KEY is the same however often the task is sent.
    resume and finish send it again with its checkpoint (resume only if it was more than half done,
    else from its beginning); restart sends it again from its beginning; wait only marks it late;
    escalate opens a ticket for a person, as does a task whose retries are used up.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.core.errors import UsageError
    from mindpipe.tasks.records import NewTask
    from mindpipe.tasks.verbs import task as tasks

    with session.store.write(NOBODY):
        name = agents.show(session.store, name=agent).name
    said = {**fields, "to": _worker(session, to, name), "input": json_object(given, "--input")}
    try:
        new = msgspec.convert(said, NewTask)
    except msgspec.ValidationError as error:
        raise UsageError(f"that is no task: {error}.") from None
    made = tasks.add(session.store, session.clock, session.chance, agent=name, new=new)
    session.write([made], columns=_COLUMNS)


@command("list", example="mind task list --agent ava --table")
@any_agent_option
@every_option
def list_(session: Session, agent: str | None, *, every: bool) -> None:
    """Print the tasks that have not ended, oldest first."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.tasks.verbs import task as tasks

    if agent is not None:
        agents.show(session.store, name=agent)
    session.write(tasks.list_(session.store, agent=agent, every=every), columns=_COLUMNS)


@command("show", example="mind task show k_5Q0vB1kXnYpWc2sRj8LdHa")
@task_argument
@any_agent_option
def show(session: Session, task: str, agent: str | None) -> None:
    """Print the task with the id ID whole; of one that is held, its ticket has the hash."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.tasks.verbs import task as tasks

    if agent is not None:
        agents.show(session.store, name=agent)
    found = tasks.show(session.store, task=task)
    if agent not in (None, found.agent):
        raise UsageError(f"{task} is a task of {found.agent}, and none of {agent}.")
    session.show_document(found, columns=_COLUMNS)


@command("report", example="mind task report k_5Q0vB1kXnYpWc2sRj8LdHa --progress 0.4")
@task_argument
@click.option("--progress", type=click.FloatRange(0, 1), metavar="SHARE", help="How far it is.")
@click.option("--checkpoint", metavar="JSON", help="What it could go on from.")
@click.option("--result", metavar="TEXT", help="What came of it: the task is done.")
@click.option("--error", metavar="TEXT", help="Why it cannot be done: the task failed.")
def report(session: Session, task: str, checkpoint: str | None, **said: object) -> None:
    """Say how far a task is, or how it ended, for whoever works on it."""
    from mindpipe.engine.tools.tasks import handed_back
    from mindpipe.tasks.records import Report
    from mindpipe.tasks.verbs import task as tasks

    found = None if checkpoint is None else json_object(checkpoint, "--checkpoint")
    told = {**said, "checkpoint": found, "beat": True}
    with session.store.write(NOBODY):
        made = tasks.report(
            session.store,
            session.clock,
            session.announce,
            task=task,
            report=msgspec.convert(told, Report),
        )
        made = handed_back(session.store, session.clock, made)
    session.write([made], columns=_COLUMNS)


@command("cancel", example="mind task cancel k_5Q0vB1kXnYpWc2sRj8LdHa --reason done")
@task_argument
@by_option
@reason_option(required=False)
def cancel(session: Session, task: str, by: str | None, reason: str | None) -> None:
    """End a task as failed; its program is ended, and its agent hears of it."""
    from mindpipe.engine.tools.tasks import handed_back
    from mindpipe.tasks.verbs import task as tasks

    with session.store.write(NOBODY):
        made = tasks.cancel(
            session.store, session.announce, task=task, person=decider(by), reason=note(reason)
        )
        made = handed_back(session.store, session.clock, made)
    session.write([made], columns=_COLUMNS)


@command("recover", example="mind task recover --agent ava")
@click.argument("task", metavar="[ID]", required=False, type=StoredId("task"))
@any_agent_option
def recover(session: Session, task: str | None, agent: str | None) -> None:
    """See after the tasks of an agent as after a crash, or send the task ID again.

    What nobody works on is sent again with the same key, goes on from its checkpoint if it was
    more than half done, or is handed to a person. One that waits for its first approval is not
    sent; mind ticket decides it. Nothing to recover is exit status 3.
    """
    from mindpipe.engine.worker import delegation
    from mindpipe.engine.worker.task_programs import delegation_of
    from mindpipe.tasks.verbs import task as tasks

    workers = delegation_of(session.settings, store=session.where, clock=session.clock)
    found = tasks.recover(
        session.store,
        agent=agent,
        task=task,
        mend=lambda who: delegation.recover(_acting(session, who), workers, agent=who),
        send_again=lambda who, one: delegation.send_again(_acting(session, who), workers, task=one),
    )
    session.write(found, columns=_COLUMNS)


@command("work", example="mind task work k_5Q0vB1kXnYpWc2sRj8LdHa --sent 1")
@task_argument
@click.option("--sent", type=whole(1), required=True, metavar="N", help="How often it was sent.")
def work(session: Session, task: str, sent: int) -> None:
    """Run the program of a task that was sent, to its end; mind act starts this by itself."""
    from mindpipe.engine.worker.task_programs import TaskProcess, workers_of
    from mindpipe.tasks.verbs import task as tasks

    workers = workers_of(session.settings, store=session.where, clock=session.clock)

    def run(program: str) -> "Task":
        shift = TaskProcess(session.store, session.clock, session.announce, task=task, sends=sent)
        return shift.work((program,), seconds=session.settings.tasks.most_seconds)

    made = tasks.work(session.store, task=task, program_of=workers.program_of, run=run)
    session.write([made], columns=_COLUMNS)


def _acting(session: Session, agent: str) -> "Dependencies":
    """Return what a worker needs that sends tasks and thinks of nothing."""

    def tell(words: str) -> None:
        output.say(f"mind task: {words}")

    with session.store.write(agent):
        return session.app.dependencies_to_act(session.store, agent=agent, tell=tell)


def _worker(session: Session, to: str, agent: str) -> str:
    """Return who a task goes to, a program by its whole path."""
    from pathlib import Path

    from mindpipe.agents.verbs import agent as agents
    from mindpipe.core.errors import UsageError
    from mindpipe.engine.worker.task_programs import workers_of

    if to.startswith(PROGRAM):
        path = Path(to.removeprefix(PROGRAM)).absolute()
        if not path.is_file():
            raise UsageError(f"no program at {path}.")
        return f"{PROGRAM}{path}"
    workers = workers_of(session.settings, store=session.where, clock=session.clock)
    if to == agent:
        raise UsageError(f"{agent} cannot delegate to itself.")
    return to if workers.is_program(to) else agents.show(session.store, name=to).name


COMMAND = group("task", add, list_, show, report, cancel, recover, work)
