"""What is held true: listed, shown, explained, and how it came to be so."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import UsageError
from mindpipe.core.names import did_you_mean
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.knowledge import as_of as instants
from mindpipe.knowledge.explaining import explained
from mindpipe.knowledge.records import Explained, Observation, Stood, Wanted
from mindpipe.knowledge.rules import Rules
from mindpipe.knowledge.standing import aged
from mindpipe.knowledge.tables import decisions, observations
from mindpipe.knowledge.verbs import origins


def list_(
    store: Store, clock: Clock, *, wanted: Wanted, rules: Rules, as_of: str | None = None
) -> list[Observation]:
    """Return observations without evidence as they stand now, or stood at `as_of`, best first.

    Raises:
        UsageError: there is no such agent.
    """
    agents.show(store, name=wanted.agent)
    now = as_of or clock.now()
    with store.read() as rows:
        found = observations.find(rows, wanted, as_of=as_of)
    return instants.ranked(aged(one, now=now, windows=rules.windows) for one in found)


def show(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    ids: Sequence[str],
    rules: Rules,
    as_of: str | None = None,
) -> list[Observation]:
    """Return observations by their ids with all their evidence.

    Raises:
        UsageError: there is no such agent, or no such observation (at `as_of`).
    """
    agents.show(store, name=agent)
    now = as_of or clock.now()
    with store.read() as rows:
        found = find_all(rows, agent=agent, ids=ids, as_of=as_of)
        return [
            aged(with_evidence(rows, one, as_of=as_of), now=now, windows=rules.windows)
            for one in found
        ]


def explain(
    store: Store, shown: Iterable[Observation], *, rules: Rules, as_of: str | None = None
) -> Iterator[Explained]:
    """Yield why each observation is believed as much as it is, down to the words of the log."""
    for one in shown:
        agent = one.agent or ""
        with store.read() as rows:
            made = decisions.find(rows, agent=agent, key=one.canonical_key)
        yield from explained(
            one,
            texts={
                place: found.text
                for place, found in origins.sources_of(
                    store, agent=agent, evidence=one.evidence
                ).items()
            },
            log=origins.log_of(store, agent=agent, evidence=one.evidence),
            decisions=[each for each in made if as_of is None or each.at <= as_of],
            windows=rules.windows,
        )


def history(store: Store, *, agent: str, id: str, as_of: str | None = None) -> list[Stood]:
    """Return how an observation, and all others of its key, have stood, oldest first.

    Raises:
        UsageError: there is no such agent or observation.
    """
    agents.show(store, name=agent)
    with store.read() as rows:
        (named,) = find_all(rows, agent=agent, ids=[id], as_of=as_of)
        chain = observations.find(rows, Wanted(agent=agent, keys=(named.canonical_key,)))
        lines = [
            msgspec.structs.replace(line, value=one.value)
            for one in chain
            for line in observations.stood(rows, agent=agent, observation=one.id, as_of=as_of)
        ]
    return sorted(lines, key=lambda line: line.at)


def find_all(
    rows: Rows, *, agent: str, ids: Sequence[str], as_of: str | None = None
) -> list[Observation]:
    """Return observations by their ids, in that order; raises UsageError for one that is none."""
    wanted = Wanted(agent=agent, ids=tuple(ids))
    found = {one.id: one for one in observations.find(rows, wanted, as_of=as_of)}
    for id in ids:
        if id not in found:
            raise unknown(
                id, agent, (one.id for one in observations.find(rows, Wanted(agent=agent)))
            )
    return [found[id] for id in dict.fromkeys(ids)]


def with_evidence(rows: Rows, observation: Observation, *, as_of: str | None = None) -> Observation:
    """Return an observation with its evidence."""
    evidence = observations.evidence_of(
        rows, agent=observation.agent or "", observation=observation.id, as_of=as_of
    )
    return msgspec.structs.replace(observation, evidence=evidence)


def unknown(id: str, agent: str, known: Iterable[str]) -> UsageError:
    """Return the error for an observation that the agent does not have."""
    return UsageError(
        f'agent {agent} has no observation "{id}"; {did_you_mean(id, known)}'
        f"mind observation list --agent {agent} shows them."
    )
