"""Find what an agent holds true that bears on its present, as a prompt states it."""

from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.context import choosing, prompt
from mindpipe.context.records import BeliefView, Knowledge, Seen, Situation
from mindpipe.core.ports import Clock, Store, Tokens
from mindpipe.core.sources import untrusted
from mindpipe.knowledge.as_of import chosen
from mindpipe.knowledge.confidence import word_of
from mindpipe.knowledge.records import Observation, Status, Wanted
from mindpipe.knowledge.verbs import observations


class Source(NamedTuple):
    """Where beliefs are loaded from, and how their length is counted."""

    store: Store
    clock: Clock
    tokens: Tokens
    knowledge: Knowledge


def stated(source: Source, agent: Agent, where: Situation, seen: Iterable[Seen]) -> Situation:
    """Return a situation with those beliefs that bear on it and on the events, in the budget."""
    budget = agent.knowledge_tokens - source.tokens.count(f"{prompt.KNOWLEDGE}:\n")
    if budget <= 0:
        return where
    wanted = Wanted(agent=agent.name, statuses=(Status.ACTIVE,))
    found = choosing.chosen(
        _held(source, wanted),
        choosing.stems_of(*_words(where, seen)),
        budget=budget,
        cost=lambda one: source.tokens.count(prompt.belief_line(_view(one, agent)) + "\n"),
    )
    return where.with_beliefs(tuple(_view(one, agent) for one in found))


def _held(source: Source, wanted: Wanted) -> list[Observation]:
    """Return what is believed now, the most confident first."""
    rules, given = source.knowledge
    if given is None:
        return observations.list_(source.store, source.clock, wanted=wanted, rules=rules)
    now = source.clock.now()
    return chosen(given, wanted, now=now, as_of=None, windows=rules.windows)


def _words(where: Situation, seen: Iterable[Seen]) -> list[str]:
    """Return what the present is about, in words."""
    here = [space.title for space in where.spaces if space.name == where.place]
    said = [text for event in seen for text in (event.text, event.sender or "")]
    goals, plans = [goal.text for goal in where.goals], [plan.title for plan in where.plans]
    return [*here, *goals, *plans, *said]


def _view(observation: Observation, agent: Agent) -> BeliefView:
    """Return an observation as its agent sees it."""
    return BeliefView(
        id=observation.id,
        key=observation.canonical_key,
        summary=observation.summary,
        confidence=word_of(observation.confidence),
        supported=(observation.last_supported_at or observation.learnt)[:10],
        evidence=observation.components.source_count,
        contested=observation.contested,
        sources=untrusted(observation.sources, agent.trust),
        origins=observation.sources,
    )
