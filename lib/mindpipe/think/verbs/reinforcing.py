"""Strengthen what an agent recalled and then used, when its cycle closes."""

import contextlib

import msgspec

from mindpipe.context.verbs import origins
from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import CallPart, Message, Role, TextPart
from mindpipe.core.records import NO_RECORD
from mindpipe.core.sources import untrusted
from mindpipe.history.verbs.show import show
from mindpipe.knowledge.verbs import operating
from mindpipe.memory.verbs import items
from mindpipe.think import tables
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call
from mindpipe.think.using import Answered, used

RECALL = "recall"


def reinforce(means: Means, work: Work) -> None:
    """Count each thing that the cycle recalled and then used, in the open transaction.

    Items fade more slowly by it, and observations have a little more support (see `used` for what
    counts). It is no evidence: nothing is made fresher, and nothing new is believed. A cycle that
    read words which nobody vouches for strengthens nothing, so that no stranger can.
    """
    name, cycle = work.agent.name, work.cycle
    with means.store.read() as rows:
        calls = tables.calls_of_cycle(rows, agent=name, cycle=cycle)
    recalls = [call for call in calls if call.tool == RECALL]
    taken = origins.of_cycles(means.store, agent=name, first=cycle, last=cycle)
    if not recalls or untrusted(taken.get(cycle, ()), work.agent.trust):
        return
    lived = list(show(means.store, agent=name, cycle=cycle))
    ids = sorted({id for call in recalls for id in _used(call, lived)})
    if not ids:
        return
    items.recalled(means.store, means.clock, agent=name, ids=ids)
    for id in ids:
        # What the rules in force would no longer let in is not to keep a cycle from closing.
        with contextlib.suppress(BadInputError):
            operating.reinforce(
                means.store,
                means.clock,
                agent=name,
                ids=[id],
                by=RECALL,
                rules=means.knowledge.rules,
            )


def _used(call: Call, lived: list[Message]) -> tuple[str, ...]:
    """Return the ids of what a call recalled and the turns after it used."""
    try:
        answered = msgspec.convert(call.result.json if call.result else None, Answered)
    except NO_RECORD:
        return ()
    said = [
        part.text if isinstance(part, TextPart) else part.args_text
        for message in lived
        if message.role is Role.ASSISTANT and message.turn > call.turn
        for part in message.parts
        if isinstance(part, TextPart | CallPart)
    ]
    return used(answered.recalled, "\n".join(said))
