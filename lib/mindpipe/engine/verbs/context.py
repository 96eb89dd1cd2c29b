"""Show the exact request of a past turn or of the next one, and how its window is divided."""

import contextlib
from collections.abc import Callable
from typing import TypeVar

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.context.budget.assembly import portions_of
from mindpipe.context.budget.records import Portion
from mindpipe.context.receipt import receipt
from mindpipe.context.records import ShownPrompt
from mindpipe.context.verbs import prompts as prompt_verbs
from mindpipe.context.verbs import timelines
from mindpipe.context.verbs.situations import PromptPorts
from mindpipe.context.verbs.timelines import left_out
from mindpipe.core.errors import InputOutputError, NothingToDoError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Rows, Store
from mindpipe.engine.cycle import claim
from mindpipe.engine.cycle import window as cycle_window
from mindpipe.engine.cycle.request import build, ports_of, prompt_options, request_of
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import TurnState
from mindpipe.engine.tables import journal
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events

Seen = TypeVar("Seen")
STAND_IN = "(What comes next stands here.)"


def show(deps: Dependencies, *, agent: str, text: str | None = None) -> ShownPrompt:
    """Return the next request; what making it would write is rolled back.

    It is the one there would be if `text` had just been pushed. Where nothing is due and no `text`
    is given, a stand-in takes its place, which is told.
    """

    def look(rows: Rows) -> ShownPrompt:
        work = _begun(deps, agent, text)
        cycle_window.before(deps, work, asks=False)
        last = journal.last_turn(rows, agent=agent, cycle=work.cycle)
        committed = last is not None and last.state is TurnState.COMMITTED
        number = last.turn + committed if last else 1
        built = build(deps, work, None if committed else last, number)
        asked, prompt = built.asked, built.prompt
        out = left_out(deps.store, agent=agent, segment=asked.segment)
        shares = receipt(
            prompt.read, asked.unsent, deps.models.tokens, sources=asked.sources, left_out=out
        )
        return ShownPrompt(agent, work.cycle, number, built.request, prompt.read, tuple(shares))

    return _undone(deps.store, agent, look)


def _undone(store: Store, agent: str, look: Callable[[Rows], Seen]) -> Seen:
    """Return what is seen in a transaction that is rolled back."""
    seen: list[Seen] = []
    with contextlib.suppress(_Undo), store.write(agent) as rows:
        seen.append(look(rows))
        raise _Undo
    return seen[0]


class _Undo(Exception):
    """Roll the transaction back: what it was for has been seen."""


def _begun(deps: Dependencies, agent: str, text: str | None) -> OpenCycle:
    """Return the cycle that would come next, in the caller's transaction."""
    if text is None:
        with contextlib.suppress(NothingToDoError):
            return claim.begin(deps, agent=agent)
        deps.holder.tell(f"nothing is due for {agent}; a stand-in is shown in its place.")
    event = NewEvent(agent=agent, text=STAND_IN if text is None else text)
    push_events(deps.store, deps.clock, deps.chance, events=[event], bounds=Bounds())
    return claim.begin(deps, agent=agent)


def past(ports: PromptPorts, *, agent: str, cycle: int, turn: int = 1) -> ShownPrompt:
    """Return the request of a past turn, byte for byte as it was sent last or will be sent next.

    Raises:
        UsageError: there was no such cycle or turn.
        InputOutputError: the rows no longer give the bytes whose hash was stored.
    """
    agents.show(ports.store, name=agent)
    with ports.store.read() as rows:
        found = journal.find_turn(rows, agent=agent, cycle=cycle, turn=turn)
    if found is None:
        raise UsageError(
            f"{agent} has asked nothing in cycle {cycle}, turn {turn}. "
            "mind history cycles lists what there is."
        )
    prompt = prompt_verbs.again(
        ports,
        agent=agent,
        segment=found.asked.segment,
        before=(cycle, turn),
        unsent=found.asked.unsent,
    )
    request = request_of(ports.store, prompt, found.asked.target, found.asked.options, found)
    if found.asked.request_sha256 not in {request.sha256, ""}:
        raise InputOutputError(
            f"cycle {cycle} of {agent} no longer gives the bytes that were sent. "
            "Run mind history verify."
        )
    asked = found.asked
    out = left_out(ports.store, agent=agent, segment=asked.segment)
    shares = receipt(prompt.read, asked.unsent, ports.tokens, sources=asked.sources, left_out=out)
    return ShownPrompt(agent, cycle, turn, request, prompt.read, tuple(shares))


def budget(
    deps: Dependencies, *, agent: str, text: str | None = None, window: int | None = None
) -> tuple[Portion, ...]:
    """Return what each section of the next request, as `show` has it, is given.

    The window of a timeline is that of the settings and the agent, or one of so many tokens. The
    continuous style has no shares: of it this tells what was taken.

    Raises:
        UsageError: a window is given for the continuous style.
        RefusedError: identity, instructions and trigger, which are always whole, do not fit.
    """
    if deps.policy.style_of(agents.show(deps.store, name=agent)) == "continuous":
        if window is not None:
            raise UsageError(f"only a timeline divides its window, and {agent} is shown none.")
        return portions_of(show(deps, agent=agent, text=text).receipt)
    return _undone(deps.store, agent, lambda _: _portions(deps, _begun(deps, agent, text), window))


def _portions(deps: Dependencies, work: OpenCycle, window: int | None) -> tuple[Portion, ...]:
    """Return what each section of the timeline of an open cycle is given."""
    if window is not None:
        budget = deps.prompts.budget.within(window)
        prompts = msgspec.structs.replace(deps.prompts, budget=budget)
        deps = msgspec.structs.replace(deps, prompts=prompts)
        agent = msgspec.structs.replace(work.agent, max_tokens=window)
        work = msgspec.structs.replace(work, agent=agent)
    return timelines.composed(ports_of(deps), prompt_options(deps, work)).portions
