"""`mind act`: do what is automatic or approved, queue the rest, call a person."""

from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    agent_file_option,
    any_agent_option,
    only_agent,
    phase_argument,
)
from mindpipe_cli.phase import PhaseRun, phase_of
from mindpipe_cli.session import Session

_COLUMNS = (
    "agent",
    "applied",
    "failed",
    "unknown",
    "refused",
    "expired",
    "queued",
    "escalated",
    "called",
    "sent",
    "late",
    "handed_over",
)


@command("act", example="mind decide --agent ava; mind act --agent ava")
@phase_argument
@any_agent_option
@agent_file_option
def COMMAND(session: Session, file: str | None, agent: str | None, agent_file: str | None) -> None:
    """Do what mind decide judged: run what is automatic or approved, queue the rest for a person.

    What matters calls a person by the program of decisions.escalate. Each action runs once, by a
    ticket of its own, and its agent hears of it as an event. Delegated tasks are sent, and sent
    again or handed to a person where they are lost. Nothing to do is exit status 3.

    As a phase (--agent with - or FILE, or --agent-file) it reads what mind decide prints and prints
    that again, each decision as it stands now, and one record of what was done, for mind reflect.
    Over plain files nothing but this output says what ran: it also has each call before it runs, so
    that after a kill the output, given again with the input, runs nothing twice [mind-life(7)].
    """
    if (phase := phase_of(session, "act", agent, agent_file, file)) is not None:
        phase.play(lambda: _do_lines(phase))
        return
    name = agent or only_agent(session)
    from mindpipe.core.errors import NothingToDoError
    from mindpipe.engine.decision_rules import decision_rules
    from mindpipe.engine.records.phases import Acted
    from mindpipe.engine.verbs.act import act
    from mindpipe.engine.worker.task_programs import delegation_of
    from mindpipe.person.verbs import refusal

    # A store that cannot be written to is refused, whatever there is to do.
    with session.store.write(name):
        refusal.require_none(session.store, agent=name)
    acted = act(
        session.app.dependencies_to_act(session.store, agent=name, tell=_tell),
        agent=name,
        rules=decision_rules(session.settings),
        delegation=delegation_of(session.settings, store=session.where, clock=session.clock),
    )
    if acted == Acted(agent=acted.agent):
        raise NothingToDoError(f"nothing is to be done for {name}.")
    session.write([acted], columns=_COLUMNS)


def _do_lines(phase: PhaseRun) -> None:
    """Do what was decided in what came; only over a store delegated tasks are sent.

    Over plain files what begins is printed before, as nothing else would tell of it after a kill.
    """
    import msgspec

    from mindpipe.engine.decision_rules import decision_rules
    from mindpipe.engine.phase_store import about_run, running, unknown_runs
    from mindpipe.engine.verbs.act import act, admit
    from mindpipe.engine.worker.task_programs import delegation_of

    session, name, store = phase.session, phase.lines.agent, phase.store()
    rules = decision_rules(session.settings)
    deps = session.app.dependencies_to_act(store, agent=name, tell=_tell)
    if phase.document is None:
        delegation = delegation_of(session.settings, store=session.where, clock=session.clock)
        with running(store, phase.lines):
            phase.lines.put(act(deps, agent=name, rules=rules, delegation=delegation))
        return
    known = unknown_runs(phase.lines)
    holder = msgspec.structs.replace(
        deps.holder, begins=lambda ticket: phase.print_now(about_run(store, ticket))
    )
    deps = msgspec.structs.replace(deps, holder=holder)
    with running(store, phase.lines):
        admit(deps, agent=name, rules=rules)
        phase.lines.put(act(deps, agent=name, rules=rules))
    for ticket in unknown_runs(phase.lines):
        if ticket not in known:
            _tell(
                f"it is not known whether {ticket.tool} ran ({ticket.id}). {ticket.result} It "
                f"does not run again. See whether it did, and tell {name} by an event."
            )


def _tell(words: str) -> None:
    """Say why the worker waits."""
    output.say(f"mind act: {words}")
