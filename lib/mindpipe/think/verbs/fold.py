"""Write an answered turn into history, with everything that becomes true by it, at once."""

from mindpipe.agents import verbs as agents
from mindpipe.context.verbs import origins
from mindpipe.core.errors import IllegalStateError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import Message, Part, RawReply, Role, TextPart
from mindpipe.core.sources import joined, tool_source, untrusted
from mindpipe.history.records import CycleEnd, Outcome
from mindpipe.history.verbs import cycles, log
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.runs.records import RunState
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Post
from mindpipe.spending import verbs as spending
from mindpipe.think import tables
from mindpipe.think.decide import Fold
from mindpipe.think.means import Means, Work, holder_of
from mindpipe.think.records import Call, CallState, Turn, TurnState
from mindpipe.think.verbs.journal import holding, with_turn_state
from mindpipe.think.verbs.reinforcing import reinforce
from mindpipe.think.verbs.remembering import remember
from mindpipe.think.verbs.waiting import begin_wait, end_run, note_seen


def fold(means: Means, work: Work, turn: Turn, step: Fold) -> None:
    """Append the turn, publish what was said in it, and close the cycle if it is the last."""
    with holding(means, work) as rows:
        calls = tables.calls_of_turn(rows, agent=turn.agent, cycle=turn.cycle, turn=turn.turn)
        take_in(means, work, turn, calls)
        log.append(means.store, means.tokens, messages=messages_of(means, work, turn, calls, step))
        said = publish(means, turn, waits=step.stopped is None)
        tables.save_turn(rows, with_turn_state(turn, TurnState.FOLDED))
        if step.last:
            remember(means, work)
            if not step.stopped:
                reinforce(means, work)
            wait = begin_wait(means, work, said)
            end(
                means,
                work,
                outcome=Outcome.STOPPED if step.stopped else Outcome.DONE,
                why=step.stopped,
            )
            if wait is not None:
                means.deliver([wait])
        reach("fold.before_commit")
    reach("fold.after_commit")


def forget(means: Means, work: Work, turn: Turn) -> None:
    """Close a cycle that leaves no trace in history."""
    with holding(means, work) as rows:
        tables.save_turn(rows, with_turn_state(turn, TurnState.FOLDED))
        spaces.drop_held(means.store, holder=holder_of(work.agent.name, work.cycle))
        end(means, work, outcome=Outcome.SKIPPED, why=None)


def publish(means: Means, turn: Turn, *, waits: bool = True) -> list[Post]:
    """Let everybody see what the agent said in this turn, and return it.

    Without `waits` the agent waits for no reply to it.
    """
    holder = holder_of(turn.agent, turn.cycle)
    return spaces.release_held(means.store, holder=holder, deliver=means.deliver, waits=waits)


def end(means: Means, work: Work, *, outcome: Outcome, why: str | None) -> None:
    """Close the cycle, acknowledge its events and give the lease back, in the open transaction."""
    name = work.agent.name
    close(means, work, outcome=outcome, why=why)
    end_run(means, work, RunState.DONE, why)
    note_seen(means, work)
    for event in work.events:
        inbox.ack(
            means.store,
            id=event.id,
            epoch=event.epoch,
            outcome="skipped" if outcome is Outcome.SKIPPED else "handled",
        )
    agents.lease_release(means.store, agent=name, owner=means.owner, epoch=work.epoch)


def close(means: Means, work: Work, *, outcome: Outcome, why: str | None) -> None:
    """Close the cycle with what it took; a call whose reply never came counts in full."""
    name = work.agent.name
    spending.lose_open(means.store, agent=name, cycle=work.cycle)
    entries = spending.cycle_entries(means.store, agent=name, cycle=work.cycle)
    taken = means.clock.boot().seconds - work.began
    cycles.close_cycle(
        means.store,
        means.clock,
        agent=name,
        cycle=work.cycle,
        end=CycleEnd(
            outcome=outcome,
            reason=why,
            input_tokens=sum(entry.input_tokens for entry in entries),
            cached_tokens=sum(entry.cached_tokens for entry in entries),
            output_tokens=sum(entry.output_tokens for entry in entries),
            cost_micros=sum(entry.micros for entry in entries if entry.state.value != "void"),
            milliseconds=max(0, round(taken * 1000)),
        ),
    )


def take_in(means: Means, work: Work, turn: Turn, calls: list[Call]) -> None:
    """Remember whose words the turn read, and whose its tools brought in for the next one."""
    strange = {tool.name for tool in work.agent.tools if "reads_untrusted" in tool.labels}
    brought = (tool_source(call.tool) for call in calls if call.tool in strange and _has_run(call))
    sources = joined(turn.asked.origins, brought)
    origins.add(means.store, agent=turn.agent, cycle=turn.cycle, sources=sources)


def _has_run(call: Call) -> bool:
    """Tell whether the answer of a call may hold what its tool said."""
    return call.state in {CallState.DONE, CallState.FAILED, CallState.UNKNOWN}


def messages_of(
    means: Means, work: Work, turn: Turn, calls: list[Call], step: Fold
) -> list[Message]:
    """Return the turn as rows of history: what was sent, the reply, its results, the last word."""
    sent = list(turn.asked.unsent)
    start = log.log_head(means.store, agent=turn.agent).seq
    if sent and sent[0].seq != start + 1:
        raise IllegalStateError("history moved under the open cycle; nothing was written")
    writer = _Writer(means, turn, start + len(sent), brought=bool(calls) and _brought(means, work))
    answer = turn.answer
    if answer is not None and answer.parts:
        writer.add(Role.ASSISTANT, answer.parts, turn.turn, raw=answer.raw, origin="model")
    if calls:
        results = tuple(call.result for call in calls if call.result is not None)
        writer.add(Role.TOOL, results, turn.turn)
    if step.closing is not None:
        number = turn.turn + 1 if writer.made else turn.turn
        writer.add(Role.ASSISTANT, (TextPart(text=step.closing),), number, synthetic=True)
    return [*sent, *writer.made]


def _brought(means: Means, work: Work) -> bool:
    """Tell whether the cycle took in words that nobody vouches for, its tools' output included."""
    found = origins.of_cycles(means.store, agent=work.agent.name, first=work.cycle, last=work.cycle)
    return bool(untrusted(found.get(work.cycle, ()), work.agent.trust))


class _Writer:
    """Number new messages after those that are there."""

    def __init__(self, means: Means, turn: Turn, seq: int, *, brought: bool) -> None:
        self._means = means
        self._turn = turn
        self._brought = brought
        self._seq = seq
        self.made: list[Message] = []

    def add(
        self,
        role: Role,
        parts: tuple[Part, ...],
        number: int,
        *,
        raw: RawReply | None = None,
        origin: str = "program",
        synthetic: bool = False,
    ) -> None:
        """Add one message of this cycle in turn `number`."""
        self._seq += 1
        turn = self._turn
        self.made.append(
            Message(
                id=self._means.chance.new_id("m", turn.agent, self._seq),
                agent=turn.agent,
                seq=self._seq,
                segment=turn.asked.segment,
                cycle=turn.cycle,
                turn=number,
                role=role,
                parts=parts,
                raw=raw,
                origin=origin,
                taint=turn.asked.taint or (self._brought and role is Role.TOOL),
                synthetic=synthetic,
                at=self._means.clock.now(),
            )
        )
