"""Show the exact request of a past turn, or the one that would come next."""

from mindpipe.agents import verbs as agents
from mindpipe.context.receipt import receipt
from mindpipe.context.records import Shown
from mindpipe.context.verbs import prompts as context
from mindpipe.context.verbs.timelines import left_out
from mindpipe.core.errors import InputOutputError, UsageError
from mindpipe.think import tables
from mindpipe.think.means import Means
from mindpipe.think.records import TurnState
from mindpipe.think.verbs import claim, compacting
from mindpipe.think.verbs.request import build, request_of


def coming(means: Means, *, agent: str) -> Shown:
    """Return the next request; what making it would write is rolled back.

    Raises:
        NothingToDoError: no event is due.
    """
    try:
        with means.store.write() as rows:
            work = claim.begin(means, agent=agent)
            compacting.before(means, work, asks=False)
            last = tables.last_turn(rows, agent=agent, cycle=work.cycle)
            folded = last is not None and last.state is TurnState.FOLDED
            number = last.turn + folded if last else 1
            asked, request, _, prompt = build(means, work, None if folded else last, number)
            out = left_out(means.store, agent=agent, segment=asked.segment)
            shares = receipt(
                prompt.read, asked.unsent, means.tokens, sources=asked.sources, left_out=out
            )
            raise _Undo(Shown(agent, work.cycle, number, request, prompt.read, tuple(shares)))
    except _Undo as undo:
        return undo.shown


class _Undo(Exception):
    """Roll the transaction back and carry what was seen in it."""

    def __init__(self, shown: Shown) -> None:
        super().__init__()
        self.shown = shown


def past(ports: context.Ports, *, agent: str, cycle: int, turn: int = 1) -> Shown:
    """Return the request of a past turn, byte for byte as it was sent last or will be sent next.

    Raises:
        UsageError: there was no such cycle or turn.
        InputOutputError: the rows no longer give the bytes whose hash was stored.
    """
    agents.show(ports.store, name=agent)
    with ports.store.read() as rows:
        found = tables.find_turn(rows, agent=agent, cycle=cycle, turn=turn)
    if found is None:
        raise UsageError(
            f"{agent} has asked nothing in cycle {cycle}, turn {turn}. "
            "mind history cycles lists what there is."
        )
    prompt = context.again(
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
    return Shown(agent, cycle, turn, request, prompt.read, tuple(shares))
