"""Propose what a person may have to decide first."""

import functools

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import UsageError
from mindpipe.decisions.records import Action, Proposal
from mindpipe.decisions.verbs.proposal import ProposalOrigin
from mindpipe.decisions.verbs.proposal import propose as propose_verb
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.engine.tools.specs import fault_of_action
from mindpipe.engine.tools.versions import version_now


def propose(scope: ToolScope, args: specs.Propose) -> ToolAnswer:
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
    agent = agents.show(scope.store, name=scope.agent)
    for action in (proposal.action(), undo):
        fault = action and fault_of_action(agent, action, by_agent=True)
        if fault:
            raise UsageError(fault)
    made = propose_verb(
        scope.store,
        scope.clock,
        scope.chance,
        agent=scope.agent,
        proposal=proposal,
        origin=ProposalOrigin(scope.cycle, scope.call, scope.sources),
        version_of=functools.partial(version_now, agent=agent),
    )
    words = "Nothing has run. You will get the outcome as an event."
    return {"success": True, "decisionId": made.id, "note": words}
