"""Delegate tasks and see after them, as the commands ask for it."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import BadInputError, NothingToDoError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json
from mindpipe.loop.verbs import delegating
from mindpipe.tasks.records import PROGRAM, NewTask, Report, Task
from mindpipe.tasks.verbs import queue, reporting
from mindpipe.think.tools.handing_back import handed_back
from mindpipe.wiring.deciding import means_to_act
from mindpipe.wiring.delegating import delegation_of, workers_of
from mindpipe.wiring.tasking import Shift
from mindpipe_cli import judging, output
from mindpipe_cli.deciding import deliver
from mindpipe_cli.persons import person
from mindpipe_cli.session import Session
from mindpipe_cli.thinking import workshop


class _Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What the options of `mind task add` say."""

    text: str
    agent: str
    to: str
    kind: str
    given: str | None = None
    due: int
    max_retries: int
    if_lost: str
    if_late: str
    if_partial: str


def add(session: Session, wishes: Mapping[str, object]) -> Task:
    """Keep a task until it is sent.

    Raises:
        BadInputError: the input is no JSON object.
        UsageError: there is no such agent, program or worker, or a word is not allowed.
    """
    wish = msgspec.convert(wishes, _Wishes)
    with session.store.write():
        agent = agents.show(session.store, name=wish.agent).name
    told = {
        "text": wish.text,
        "to": _worker(session, wish.to, agent),
        "kind": wish.kind,
        "input": _object(wish.given, "--input") or {},
        "due_seconds": float(wish.due),
        "max_retries": wish.max_retries,
        "if_lost": wish.if_lost,
        "if_late": wish.if_late,
        "if_partial": wish.if_partial,
    }
    try:
        new = msgspec.convert(told, NewTask)
    except msgspec.ValidationError as error:
        raise UsageError(f"that is no task: {error}.") from None
    return queue.add(session.store, session.clock, session.chance, agent=agent, new=new)


def report(session: Session, task: str, said: Mapping[str, object]) -> Task:
    """Take down what the worker of a task says.

    Raises:
        BadInputError: the checkpoint is no JSON object.
        RefusedError: the task was not sent, or has ended.
    """
    checkpoint = said.get("checkpoint")
    told = {**said, "checkpoint": _object(checkpoint, "--checkpoint"), "beat": True}
    with session.store.write():
        made = reporting.report(
            session.store,
            session.clock,
            deliver(session),
            task=task,
            report=msgspec.convert(told, Report),
        )
        return handed_back(session.store, session.clock, made)


def cancel(session: Session, task: str, by: str | None, reason: str | None) -> Task:
    """End a task.

    Raises:
        RefusedError: it has ended.
    """
    with session.store.write():
        made = queue.cancel(
            session.store,
            deliver(session),
            task=task,
            person=person(by),
            reason=judging.note(reason),
        )
        return handed_back(session.store, session.clock, made)


def recover(session: Session, *, task: str | None, agent: str | None) -> list[Task]:
    """See after an agent's tasks, or send one again.

    Raises:
        NothingToDoError: there is nothing to recover.
        UsageError: neither a task nor an agent is named, or both are.
    """
    if (task is None) == (agent is None):
        raise UsageError("which tasks? Give --agent NAME, or the ID of one.")
    who = agent or queue.show(session.store, task=task or "").agent
    delegation = delegation_of(session.settings, store=session.store_path, clock=session.clock)
    with session.store.write():
        means = means_to_act(workshop(session), session.store, agent=who, tell=_tell)
    if task is not None:
        return [delegating.send_again(means, delegation, task=task)]
    found = delegating.recover(means, delegation, agent=who)
    if not found:
        raise NothingToDoError(f"no task of {who} is to be recovered.")
    return found


def work(session: Session, task: str, sent: int) -> Task:
    """Run the program of a task to its end.

    Raises:
        FencedError: another process has the task, or it was sent anew or ended.
        UsageError: it was not given to a program.
    """
    workers = workers_of(session.settings, store=session.store_path, clock=session.clock)
    with session.store.write():
        found = queue.show(session.store, task=task)
    if not workers.is_program(found.to):
        raise UsageError(f"{task} was given to the agent {found.to}, not to a program.")
    shift = Shift(session.store, session.clock, deliver(session), task=task, sends=sent)
    seconds = session.settings.real("tasks.most_seconds")
    return shift.work((workers.path(found.to),), seconds=seconds)


def _worker(session: Session, to: str, agent: str) -> str:
    """Return who a task goes to, a program by its whole path."""
    if to.startswith(PROGRAM):
        path = Path(to.removeprefix(PROGRAM)).absolute()
        if not path.is_file():
            raise UsageError(f"no program at {path}.")
        return f"{PROGRAM}{path}"
    workers = workers_of(session.settings, store=session.store_path, clock=session.clock)
    if to == agent:
        raise UsageError(f"{agent} cannot delegate to itself.")
    return to if workers.is_program(to) else agents.show(session.store, name=to).name


def _object(words: object, option: str) -> dict[str, object] | None:
    """Return the JSON object that an option holds; raises BadInputError for anything else."""
    if words is None:
        return None
    found = load_json(str(words).encode(), source=option, line=1)
    if not isinstance(found, dict):
        raise BadInputError([Problem(source=option, message="expected a JSON object")])
    return found


def _tell(words: str) -> None:
    """Say why something waits."""
    output.say(f"mind task: {words}")
