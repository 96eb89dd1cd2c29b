"""Decide: judge what an agent proposed, by its confidence and by what policy lets it do unasked."""

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Agent
from mindpipe.core.ports import Clock, Deliver, Store
from mindpipe.core.sources import untrusted
from mindpipe.decisions.records import Decision
from mindpipe.decisions.rules import Rules
from mindpipe.decisions.verbs import judging
from mindpipe.think.policy import reason_to_ask


def decide(
    store: Store, clock: Clock, deliver: Deliver, *, agent: str, rules: Rules
) -> list[Decision]:
    """Judge what an agent proposed since, oldest first; nothing runs.

    A call that its agent could not make unasked is never automatic.
    """
    who = agents.show(store, name=agent)
    return judging.judge_waiting(
        store,
        clock,
        deliver,
        agent=who.name,
        rules=rules,
        held=lambda one: held_by_policy(one, who, rules),
    )


def held_by_policy(decision: Decision, agent: Agent, rules: Rules) -> str | None:
    """Say why an agent's policy lets a proposed call not run unasked, or None."""
    tool = next((one for one in agent.tools if one.name == decision.proposal.tool), None)
    if tool is None:
        return None
    return reason_to_ask(tool, agent, untrusted(decision.sources, (*agent.trust, *rules.trust)))
