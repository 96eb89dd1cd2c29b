"""What comes of what a cycle recalled: items in use fade later, a belief waits for a reaction.

That an agent said something makes it no truer. A belief has more support only where somebody who is
known, and whom the answer was for, takes it for right in a later cycle.
"""

import contextlib
import re
from collections.abc import Iterator

import msgspec

from mindpipe.context.verbs import origins
from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import CallPart, Message, Role, TextPart
from mindpipe.core.records import NO_RECORD
from mindpipe.core.sources import untrusted
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call
from mindpipe.engine.tables import journal
from mindpipe.history.verbs.history import show
from mindpipe.inbox.records import Event

RECALL = "recall"
LOOKED_BACK = 5
"""So many cycles before a reaction at most the one lies to which it reacts."""
_ACCEPTS = re.compile(
    r"\W*(?:(?:yes|yep|yeah|ok|okay|ah|oh|ja|s[ií])\b\W*)?"
    r"(?:exactly|correct|right|true|perfect|great|thanks|thank\s+(?:you|u)|ty|cheers|spot\s+on"
    r"|(?:that|this|it)(?:['’]?s|\s+is|\s+was)\s+(?:\w+\s+)?(?:right|correct|true|it|helpful)"
    r"|you(?:['’]?re|\s+are)\s+right|genau|stimmt|richtig|danke|perfekt|gracias|exacto|correcto"
    r"|\U0001f44d|\u2705)",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"(?<!\w)(?:no|nope|not|never|wrong|false|incorrect|actually|but|however|nothing|instead"
    r"|nein|nicht|nie|falsch|aber|sondern|kein\w*|pero|sino|nunca|mal)(?!\w)|n['’]t(?!\w)",
    re.IGNORECASE,
)


def accepts(text: str) -> bool:
    """Tell whether a reaction begins by taking an answer for right, and objects to nothing."""
    return _ACCEPTS.match(text) is not None and _REFUSES.search(text) is None


def settle(deps: Dependencies, work: OpenCycle) -> None:
    """Count what the cycle recalled and used, and what its events take for right, in this commit.

    Items that it used fade more slowly. Observations that an earlier answer to the same person in
    the same space used have a little more support (see `used` for what counts) where that person
    accepts it now. It is no evidence: nothing is made fresher, and nothing new is believed. A cycle
    that read words which nobody vouches for strengthens nothing, so that no stranger can.
    """
    name = work.agent.name
    if _is_vouched(deps, work, work.cycle) and (ids := _used(deps, name, work.cycle)):
        from mindpipe.memory.verbs import memory

        memory.recalled(deps.store, deps.clock, agent=name, ids=ids)
    answered = sorted(set(_answered(deps, work)))
    for id in sorted({id for cycle in answered for id in _used(deps, name, cycle)}):
        from mindpipe.knowledge.verbs import observation

        # What the rules in force would no longer let in is not to keep a cycle from closing.
        with contextlib.suppress(BadInputError):
            observation.reinforce(
                deps.store,
                deps.clock,
                agent=name,
                ids=[id],
                by=RECALL,
                rules=deps.prompts.knowledge.rules,
            )


def _is_vouched(deps: Dependencies, work: OpenCycle, cycle: int) -> bool:
    """Tell whether a cycle read only words that somebody vouches for."""
    taken = origins.of_cycles(deps.store, agent=work.agent.name, first=cycle, last=cycle)
    return not untrusted(taken.get(cycle, ()), work.agent.trust)


def _answered(deps: Dependencies, work: OpenCycle) -> Iterator[int]:
    """Yield the earlier cycles whose answers the events of this one accept."""
    accepted = {_party(event) for event in work.events if accepts(event.text or "")}
    if not accepted or not _is_vouched(deps, work, work.cycle):
        return
    for cycle in range(work.cycle - 1, max(0, work.cycle - 1 - LOOKED_BACK), -1):
        events = origins.events_of(deps.store, work.agent.name, cycle)
        heard = accepted & set(map(_party, events))
        if heard and _is_vouched(deps, work, cycle):
            yield cycle
        accepted -= heard


def _party(event: Event) -> tuple[str | None, str | None, str]:
    """Return who says something where."""
    return (event.sender, event.space, "" if event.space else event.source)


def _used(deps: Dependencies, agent: str, cycle: int) -> tuple[str, ...]:
    """Return the ids of what a cycle recalled and used afterwards."""
    with deps.store.read() as rows:
        calls = journal.calls_of_cycle(rows, agent=agent, cycle=cycle)
    recalls = [call for call in calls if call.tool == RECALL]
    if not recalls:
        return ()
    lived = list(show(deps.store, agent=agent, cycle=cycle))
    return tuple(sorted({id for call in recalls for id in _used_of(call, lived)}))


def _used_of(call: Call, lived: list[Message]) -> tuple[str, ...]:
    """Return the ids of what a call recalled and the turns after it used."""
    from mindpipe.engine.tools.history import RecallAnswer, used

    try:
        answered = msgspec.convert(call.result.json if call.result else None, RecallAnswer)
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
