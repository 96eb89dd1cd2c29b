"""`mind think`: one cycle of one agent, over a store or over plain files."""

from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from mindpipe.core.records import Record
from mindpipe_cli import output
from mindpipe_cli.command import command, command_words
from mindpipe_cli.options import (
    agent_file_options,
    any_agent_option,
    dry_run_option,
    max_micros_option,
    max_seconds_option,
    max_turns_option,
    model_options,
    only_agent,
    phase_argument,
    quiet_option,
    wait_any_option,
    whole,
)
from mindpipe_cli.phase import PhaseRun
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mindpipe.agents.records import Agent
    from mindpipe.engine.agent_files import ScratchLife
    from mindpipe.engine.dependencies import Dependencies
    from mindpipe.engine.phase_lines import PhaseLines
    from mindpipe.engine.records.journal import CycleLimits
    from mindpipe_cli.preview import TerminalPreview

COLUMNS = (
    "agent",
    "cycle",
    "outcome",
    "turns",
    "calls",
    "cost_micros",
    "milliseconds",
    "compacted",
    "summary",
)


class ThinkOptions(Record):
    """The options of `mind think`, and of what shows the request it would send."""

    agent: str | None = None
    model: str | None = None
    record: str | None = None
    agent_file: str | None = None
    history: str | None = None
    events: str | None = None
    known: str | None = None
    dry_run: bool = False
    max_turns: int | None = None
    max_tokens: int | None = None
    max_seconds: float | None = None
    max_micros: int | None = None
    wait_any: bool = False
    quiet: bool = False
    file: str | None = None

    def is_phase(self) -> bool:
        """Tell whether it is a phase of a pipe; with the agent's file alone it always is."""
        if self.agent_file is None:
            return self.file is not None
        return not (self.history or self.events or self.dry_run)


class AgentToThink(NamedTuple):
    """An agent with what thinking needs; `life` is its scratch store where it comes from files."""

    agent: "Agent"
    deps: "Dependencies"
    life: "ScratchLife | None" = None


@command("think", example="mind think --agent ava --model anthropic/claude-haiku-4-5")
@phase_argument
@any_agent_option
@model_options
@agent_file_options
@dry_run_option
@max_turns_option
@click.option(
    "--cycle-tokens",
    "max_tokens",
    type=whole(1),
    metavar="N",
    help="Most tokens of one cycle.",
)
@max_seconds_option
@max_micros_option
@wait_any_option
@quiet_option
def COMMAND(session: Session, **values: object) -> None:
    """Live one cycle: claim what is due, ask the model, run its tools, close.

    Without --agent it is the only one of the store.

    With --agent-file and --history or --events it reads files instead of a store, prints the
    messages of the cycle and changes nothing. Nothing due is exit status 3.
    With --dry-run it prints the request.

    As a phase (--agent with - or FILE, or --agent-file without --history and --events) it reads
    what mind observe prints and prints that again with the cycle: its events, messages, calls,
    tickets and decisions, one record a line, for mind decide [mind-life(7)].
    """
    from mindpipe.engine.verbs import think

    options = options_of(values)
    if options.wait_any:
        session.choose("context.wait_any", value=True)
    if options.is_phase():
        _as_phase(session, options)
        return
    agent, deps, life = thinker_of(session, options, asks=not options.dry_run)
    if options.dry_run:
        from mindpipe.engine.verbs import context

        session.prints("a request as JSON", "json")
        output.write_bytes((context.show(deps, agent=agent.name).request.body, b"\n"))
        return
    try:
        report = think.think(deps, agent=agent.name, limits=lowered_limits(agent, options))
    finally:
        end_preview(deps)
    if life is not None:
        session.write(life.new_messages(agent), columns=("cycle", "role", "parts"))
        return
    session.write([report], columns=COLUMNS)
    if report.calls:
        from mindpipe.engine.verbs import ticket as tickets

        say_waiting(tickets.of_cycle(deps.store, deps.clock, agent=agent.name, cycle=report.cycle))


def say_waiting(tickets: "Iterable[str]") -> None:
    """Say which calls of a cycle wait for a person."""
    for ticket in tickets:
        output.say(f"a call waits for you: mind ticket show {ticket}, or mind ticket review")


def options_of(values: dict[str, object]) -> ThinkOptions:
    """Return the options; raises UsageError where both a store and plain files are meant."""
    from mindpipe.core.errors import UsageError

    options = msgspec.convert(values, ThinkOptions)
    if options.agent_file is None and (options.history or options.events or options.known):
        raise UsageError("--history, --events and --known go with --agent-file FILE.")
    if options.file is not None and (options.history or options.events or options.dry_run):
        raise UsageError("a phase reads one FILE; leave --history, --events and --dry-run out.")
    if options.agent_file is not None and options.agent is not None:
        raise UsageError("give --agent for a store or --agent-file for plain files, not both.")
    return options


def thinker_of(
    session: Session,
    options: ThinkOptions,
    *,
    asks: bool = True,
    lines: "PhaseLines | None" = None,
    preview: "TerminalPreview | None" = None,
) -> AgentToThink:
    """Return the agent in the store that is to think, or that of plain files or of `lines`.

    Without `asks` its request is only shown, for which no key is needed. `preview` stands for the
    usual one in a store.

    Raises:
        RefusedError: it is a simulated person.
        UsageError: there is no such agent, or none is named and there are several.
    """
    if options.agent_file is not None:
        return _of_files(session, options, options.agent_file, asks=asks, lines=lines)
    from mindpipe.agents.verbs import agent as agents

    if not asks:
        session.suppose()
    agent = agents.show(session.store, name=options.agent or only_agent(session))
    if not asks and not (options.model or agent.model or session.settings.model):
        _tell("no model is configured; what is shown is what a program would be asked.")
    deps = session.app.dependencies_to_think(
        agent,
        tell=_tell,
        model=options.model,
        record=_path(options.record),
        preview=preview or _preview(options),
        cycle_micros=options.max_micros,
        asks=asks,
    )
    return AgentToThink(agent, deps)


def _as_phase(session: Session, options: ThinkOptions) -> None:
    """Live one cycle over what came that is attended to, and print it with what came.

    Over plain files what is attended to is chosen here, as what observes knows of no inbox.
    """
    from mindpipe.engine.phase_store import running
    from mindpipe.engine.records.attention import Attended
    from mindpipe.engine.records.journal import EventChoice
    from mindpipe.engine.records.phases import PhaseFailure
    from mindpipe.engine.verbs import concern, think
    from mindpipe.engine.worker_rules import mode_rules

    phase = PhaseRun(
        session,
        "think",
        agent=options.agent if options.agent_file else options.agent or only_agent(session),
        agent_file=options.agent_file,
        file=options.file,
    )
    lines = phase.lines
    lines.drop(PhaseFailure)

    def live() -> None:
        agent, deps, life = thinker_of(session, options, lines=lines)
        attended = lines.last(Attended) if life is None else None
        with running(deps.store, lines):
            if attended is None:
                rules = mode_rules(session.settings)
                attended = concern.attend_now(
                    deps.store, session.clock, agent=agent.name, rules=rules
                )
                lines.put(attended)
            limits, choice = lowered_limits(agent, options), EventChoice(only=attended.events)
            try:
                think.think(deps, agent=agent.name, limits=limits, choice=choice)
            finally:
                end_preview(deps)

    phase.play(live)


def _of_files(
    session: Session,
    options: ThinkOptions,
    source: str,
    *,
    asks: bool,
    lines: "PhaseLines | None",
) -> AgentToThink:
    """Fill a scratch store from the plain files of an agent, or from the lines between phases."""
    from pathlib import Path

    from mindpipe.agents.settings import read_agent_file
    from mindpipe.engine.agent_files import LifeFiles, ScratchLife
    from mindpipe.io.files import read_whole
    from mindpipe_cli import input

    app = session.app
    document = read_agent_file(read_whole(Path(source)), source=source)
    models = app.models_of(document.agent, options.model, record=_path(options.record), asks=asks)
    life = ScratchLife(app.clock, app.chance, app.tokens)
    target = models.model.target
    if lines is not None:
        agent = life.go_on(document, source, lines, target)
    else:
        files = LifeFiles(document, source, _path(options.history), _path(options.events))
        agent = life.settle(files, target)
    deps = app.dependencies(
        life.store,
        models,
        agent,
        _preview(options),
        tell=_tell,
        cycle_micros=options.max_micros,
        asks=lines is not None,
    )
    slots = session.rules.slots
    known = tuple(input.observations(options.known, slots=slots)) if options.known else ()
    prompts = msgspec.structs.replace(deps.prompts, knowledge=app.knowledge(known))
    return AgentToThink(agent, msgspec.structs.replace(deps, prompts=prompts), life)


def _path(name: str | None) -> "Path | None":
    """Return a file's path, where one was named."""
    from pathlib import Path

    return Path(name) if name else None


def _preview(options: ThinkOptions) -> "TerminalPreview | None":
    """Return what shows a reply while it is written, where a person looks."""
    if options.quiet or not output.on_terminal("stderr"):
        return None
    from mindpipe_cli.preview import TerminalPreview

    return TerminalPreview()


def _tell(words: str) -> None:
    """Say why the worker waits, or what is shown instead."""
    output.say(f"{command_words(click.get_current_context())}: {words}")


def end_preview(deps: "Dependencies") -> None:
    """End the line that a preview left open."""
    if deps.models.preview is None:
        return
    from mindpipe_cli.preview import TerminalPreview

    if isinstance(deps.models.preview, TerminalPreview):
        deps.models.preview.end()


def lowered_limits(agent: "Agent", options: ThinkOptions) -> "CycleLimits":
    """Return the agent's limits, lowered by the command's options."""
    from mindpipe.engine.dependencies import limits_of

    return limits_of(
        agent,
        turns=options.max_turns,
        seconds=options.max_seconds,
        tokens=options.max_tokens,
    )
