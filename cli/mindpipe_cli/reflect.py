"""`mind reflect`: look back on iterations, on patterns over many, and on a day; filter."""

from typing import TYPE_CHECKING

import click

from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    agent_file_option,
    agent_option,
    any_agent_option,
    by_option,
    limit_option,
    only_agent,
    phase_argument,
)
from mindpipe_cli.phase import PhaseRun, phase_of
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.engine.verbs.reflect import Reflector
    from mindpipe.store.engine import EngineStore

_COLUMNS = ("iteration", "cycle", "concern", "outcome", "significance", "decided", "less", "item")
_LIVED = ("number", "at", "mode", "concern", "cycle", "outcome", "events", "queue", "error")
_PATTERNS = ("id", "kind", "iterations", "words", "change", "until", "state")
_DAYS = ("id", "since", "until", "text")


@command("reflect", example="mind reflect --agent ava")
@phase_argument
@any_agent_option
@agent_file_option
@click.option(
    "--iterations", metavar="FILE", help="Of these iterations, as JSON Lines; - is stdin."
)
def alone(
    session: Session,
    file: str | None,
    agent: str | None,
    agent_file: str | None,
    iterations: str | None,
) -> None:
    """Look back, by rules and without a model, on what --agent lived since the last time.

    Each cycle that no loop looked back on gets a reflection: what was taken up, what was called and
    how it ended, what went well and what did not, and how significant that is (0-10). From the
    agent's memory_threshold on it becomes a memory. Every attention.patterns_every of them patterns
    are looked for (mind reflect patterns). Nothing new is status 3. With --iterations it is a
    filter over what mind reflect list --measured prints: nothing is read or kept besides.

    As a phase (--agent with - or FILE, or --agent-file) it reads what mind act prints and prints
    that again with its reflections, patterns and the pause that should follow [mind-life(7)].
    Over a store lines only name cycles: what these were is read from the store.
    """
    from mindpipe.core.errors import UsageError

    if (phase := phase_of(session, "reflect", agent, agent_file, file)) is not None:
        phase.play(lambda: _look_back_on_lines(phase), looks=True)
        return
    if agent is not None and iterations is not None:
        raise UsageError("give either --agent or --iterations.")
    if iterations is not None:
        from mindpipe.engine.worker.significance import Facts, reflected
        from mindpipe.workers.records import Iteration
        from mindpipe_cli.input import records

        given = records(iterations, Iteration)
        session.write([reflected(Facts(iteration=one)) for one in given], columns=_COLUMNS)
        return
    from mindpipe.engine.dependencies import NoRules
    from mindpipe.engine.verbs import reflect
    from mindpipe.engine.worker_rules import reflecting_of

    name, rules = agent or only_agent(session), reflecting_of(session.settings)
    with session.by_rules(reflect.REFLECT, NoRules(), agent=name, rules=rules) as ports:
        made = reflect.reflect(reflect.Reflector(*ports, rules), agent=name)
    session.write(made, columns=_COLUMNS)


def _reflector(session: Session, store: "EngineStore") -> "Reflector":
    """Return what looks back in a store."""
    from mindpipe.engine.delivery import announce_to
    from mindpipe.engine.verbs.reflect import Reflector
    from mindpipe.engine.worker_rules import reflecting_of

    clock, chance, settings = session.clock, session.chance, session.settings
    deliver = announce_to(store, clock, chance, settings)
    return Reflector(store, clock, chance, deliver, reflecting_of(settings))


def _look_back_on_lines(phase: PhaseRun) -> None:
    """Look back on what came; over plain files nothing becomes a memory."""
    from mindpipe.engine.phase_store import missing_cycles, running
    from mindpipe.engine.verbs import reflect
    from mindpipe.engine.worker_rules import timing_rules

    store, timing = phase.store(), timing_rules(phase.session.settings)
    reflector = _reflector(phase.session, store)._replace(scratch=phase.document is not None)
    if missing := missing_cycles(store, phase.lines):
        numbers = ", ".join(map(str, missing))
        output.say(
            f"mind reflect: the store has no cycle {numbers} of {phase.lines.agent}; "
            "what lines say of that is passed on and changes nothing."
        )
    with running(store, phase.lines):
        phase.lines.put(reflect.reflect_on(reflector, phase.lines, timing=timing))


@command("list", example="mind reflect list --agent ava --limit 20")
@agent_option
@limit_option(20)
@click.option("--measured", is_flag=True, help="Iterations of mind run as they are.")
def list_(session: Session, agent: str, limit: int, *, measured: bool) -> None:
    """Print an agent's newest reflections on iterations, oldest first.

    With --measured it prints what each iteration of mind run did and how long its phases took.
    """
    from mindpipe.engine.verbs import reflect
    from mindpipe.engine.worker import log

    if measured:
        lived = log.list_iterations(session.store, agent=_known(session, agent), limit=limit)
        session.write(lived, columns=_LIVED)
        return
    found = reflect.list_(session.store, agent=_known(session, agent), limit=limit)
    session.write(found, columns=_COLUMNS)


@command("patterns", example="mind reflect patterns --agent ava")
@agent_option
@limit_option(20)
def patterns(session: Session, agent: str, limit: int) -> None:
    """Print the newest patterns over an agent's iterations, with what each changed.

    An agent that is stuck (the same action and outcome three times) yields the turns of that
    concern; one that goes to and fro stays in its focus and mode; one whose actions come to nothing
    has a ticket for a person; one whose queue only grows is in overload. The agent is told of it in
    its next prompt. It all holds for attention.change_iterations iterations, or until undone.
    """
    from mindpipe.engine.verbs import reflect

    found = reflect.patterns(session.store, agent=_known(session, agent), limit=limit)
    session.write(found, columns=_PATTERNS)


@command("undo", example="mind reflect undo pt_0Xq2yV1bT7cR5kE3mN8pLz")
@click.argument("pattern", metavar="ID", type=StoredId("pattern"))
@by_option
def undo(session: Session, pattern: str, by: str | None) -> None:
    """Take back what the pattern ID changed, while it holds; a ticket stays with its person."""
    from mindpipe.engine.verbs import reflect
    from mindpipe_cli.options import decider

    found = reflect.undo(session.store, pattern=pattern, by=decider(by))
    session.write([found], columns=_PATTERNS)


@command("day", example="mind reflect day --agent ava")
@agent_option
def day(session: Session, agent: str) -> None:
    """Keep and print a reflection on all that was lived since the last one, or in the last 24 h.

    It says what the agent is good at and what it struggles with, by how its calls ended, in words
    that mind consolidate holds of the agent itself. A tool that mostly failed becomes a lesson, and
    how it went later is an outcome of it. Nothing lived is status 3.
    """
    from mindpipe.engine.dependencies import NoRules
    from mindpipe.engine.verbs import reflect

    with session.by_rules(reflect.REFLECT_DAY, NoRules(), agent=agent) as ports:
        found = reflect.day(ports.store, ports.clock, ports.chance, agent=agent)
    session.write([found], columns=_DAYS)


def _known(session: Session, agent: str) -> str:
    """Return the name of an agent that there is; raises UsageError."""
    from mindpipe.agents.verbs import agent as agents

    return agents.show(session.store, name=agent).name


COMMAND = group("reflect", list_, patterns, undo, day, alone=alone)
