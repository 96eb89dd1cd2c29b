"""Propose what a person may have to decide first."""

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import UsageError
from mindpipe.decisions.records import Action, Proposal
from mindpipe.decisions.verbs.proposing import Origin
from mindpipe.decisions.verbs.proposing import propose as keep
from mindpipe.think import proposing_tools
from mindpipe.think.applicable import fault_of_action
from mindpipe.think.tools.desk import Desk, Found


def propose(desk: Desk, args: proposing_tools.Propose) -> Found:
    """Keep a proposal until it is judged; raises UsageError where it could never be done."""
    undo = Action(tool=args.undo_tool, arguments=args.undo_arguments) if args.undo_tool else None
    proposal = Proposal(
        kind=args.kind,
        tool=args.tool,
        arguments=args.arguments,
        confidence=args.confidence,
        importance=args.importance,
        reason=args.reason,
        undo=undo,
    )
    agent = agents.show(desk.store, name=desk.agent)
    for action in (proposal.action(), undo):
        fault = action and fault_of_action(agent, action)
        if fault:
            raise UsageError(fault)
    made = keep(
        desk.store,
        desk.clock,
        desk.chance,
        agent=desk.agent,
        proposal=proposal,
        origin=Origin(desk.cycle, desk.call, desk.sources),
    )
    words = "Nothing has run. You will get the outcome as an event."
    return {"success": True, "decisionId": made.id, "note": words}
