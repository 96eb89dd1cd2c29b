"""Read the journal, and write to it only while the lease holds, which is renewed meanwhile."""

import contextlib
from collections.abc import Callable, Iterator

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.messages import ResultPart
from mindpipe.core.ports import Rows, Store
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.spending import verbs as spending
from mindpipe.think import tables
from mindpipe.think.decide import bad_turns, equal_failures
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call, CallState, Journal, Turn, TurnState

GRACE_SECONDS = 60.0


@contextlib.contextmanager
def holding(means: Means, work: Work) -> Iterator[Rows]:
    """Open a transaction that writes only if this worker still holds the agent.

    Raises:
        FencedError: another worker took it; nothing was written.
    """
    with means.store.write() as rows:
        agents.lease_check(means.store, agent=work.agent.name, owner=means.owner, epoch=work.epoch)
        yield rows


def renewal(means: Means, work: Work) -> Callable[[Store], None]:
    """Return what renews the leases of a worker on a store of its own."""
    clock, owner, seconds = means.clock, means.owner, means.lease

    def renew(store: Store) -> None:
        with store.write():
            agents.lease_renew(
                store,
                clock,
                agent=work.agent.name,
                owner=owner,
                epoch=work.epoch,
                seconds=seconds,
            )
            for event in work.events:
                inbox.extend(store, clock, id=event.id, epoch=event.epoch, seconds=seconds)

    return renew


def load(means: Means, work: Work) -> Journal:
    """Return how far the cycle has come."""
    name = work.agent.name
    with means.store.read() as rows:
        turn = tables.last_turn(rows, agent=name, cycle=work.cycle)
        every = tables.calls_of_cycle(rows, agent=name, cycle=work.cycle)
    number = turn.turn if turn else 0
    return Journal(
        agent=name,
        cycle=work.cycle,
        events=tuple(event.id for event in work.events),
        turn=turn,
        calls=tuple(call for call in every if call.turn == number),
        all_calls=len(every),
        bad_turns=bad_turns(every),
        equal_failures=equal_failures(every),
    )


def tokens_used(means: Means, work: Work) -> int:
    """Return the input and output tokens of all that the cycle's calls used so far."""
    entries = spending.cycle_entries(means.store, agent=work.agent.name, cycle=work.cycle)
    return sum(entry.input_tokens + entry.output_tokens for entry in entries)


def with_turn_state(turn: Turn, state: TurnState) -> Turn:
    """Return the turn after one legal step."""
    return msgspec.structs.replace(turn, state=turn.state.to(state))


def with_call_state(call: Call, state: CallState, result: ResultPart | None = None) -> Call:
    """Return the call after one legal step, with its answer."""
    return msgspec.structs.replace(call, state=call.state.to(state), result=result)
