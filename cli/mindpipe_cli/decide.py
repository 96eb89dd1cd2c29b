"""`mind decide`: judge what an agent proposes, in the store or as it comes by."""

from typing import TYPE_CHECKING

from mindpipe_cli.command import command
from mindpipe_cli.options import agent_file_option, agent_or_input_option, phase_argument
from mindpipe_cli.phase import PhaseRun, phase_of
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.decisions.records import Decision

_JUDGED = ("type", "threshold", "why", "undoable", "proposal")
_DECIDED = ("id", "agent", "state", "type", "why", "proposal")


@command(
    "decide",
    example="""echo '{"kind":"note","tool":"set_memory","confidence":0.8}' | mind decide""",
)
@phase_argument
@agent_or_input_option
@agent_file_option
def COMMAND(session: Session, file: str | None, agent: str | None, agent_file: str | None) -> None:
    """Judge proposals by their confidence, their importance and the bar of their kind and tool.

    With --agent it judges what that agent proposed since, calls of tools with approval = decide
    among it, and nothing runs: mind act does that.
    Without it is a filter, and no store is needed: one proposal per line of FILE or stdin, and one
    judgement per line on stdout. An agent that proposed nothing is exit status 3.

    As a phase (--agent with - or FILE, or --agent-file) it reads what mind think prints and prints
    that again, each decision that was proposed as it is judged, for mind act [mind-life(7)].
    """
    from mindpipe.engine.decision_rules import decision_rules

    if (phase := phase_of(session, "decide", agent, agent_file, file)) is not None:
        phase.play(lambda: _judge_lines(phase))
    elif agent is None:
        from mindpipe.decisions.records import Proposal
        from mindpipe.decisions.verbs.decide import judge
        from mindpipe_cli.input import records

        judged = judge(records(file or "-", Proposal), decision_rules(session.settings).bands)
        session.write(judged, columns=_JUDGED)
    else:
        session.write(_decided(session, agent), columns=_DECIDED)


def _judge_lines(phase: PhaseRun) -> None:
    """Judge what is proposed in what came."""
    from mindpipe.engine.decision_rules import decision_rules
    from mindpipe.engine.delivery import announce_to
    from mindpipe.engine.dependencies import RulePorts
    from mindpipe.engine.phase_store import running
    from mindpipe.engine.verbs import act

    session, name = phase.session, phase.lines.agent
    clock, settings = session.clock, session.settings
    store, rules = phase.store(), decision_rules(settings)
    with running(store, phase.lines):
        deliver = announce_to(store, clock, session.chance, settings)
        ports = RulePorts(store, clock, session.chance, deliver)
        act.decide(ports, agent=name, rules=rules)


def _decided(session: Session, agent: str) -> "list[Decision]":
    """Judge what an agent proposed since.

    Raises:
        NothingToDoError: it proposed nothing.
        RefusedError: it is a person.
    """
    from mindpipe.core.errors import NothingToDoError
    from mindpipe.engine.decision_rules import decision_rules
    from mindpipe.engine.dependencies import NoRules
    from mindpipe.engine.verbs import act
    from mindpipe.person.verbs import refusal

    # A store that cannot be written to is refused, whatever there is to do.
    with session.store.write(agent):
        refusal.require_none(session.store, agent=agent)
    rules = decision_rules(session.settings)
    with session.by_rules(act.DECIDE, NoRules(), agent=agent, rules=rules) as ports:
        made = act.decide(ports, agent=agent, rules=rules)
    if not made:
        raise NothingToDoError(f"{agent} proposed nothing.")
    return made
