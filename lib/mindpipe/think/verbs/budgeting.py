"""Show how the window of the coming request is divided, and what does not fit into it."""

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.context.budget.records import Portion
from mindpipe.context.budget.taken import portions_of
from mindpipe.context.verbs import timelines
from mindpipe.core.errors import UsageError
from mindpipe.think.means import Means, Work
from mindpipe.think.verbs import claim, show
from mindpipe.think.verbs.request import frame_of, ports_of


def coming(means: Means, *, agent: str, window: int | None = None) -> tuple[Portion, ...]:
    """Return what each section of the next request is given; what making it would write is undone.

    The window of a timeline is that of the settings and the agent, or one of so many tokens. The
    continuous style has no shares: of it this tells what was taken.

    Raises:
        NothingToDoError: no event is due.
        UsageError: a window is given for the continuous style.
        RefusedError: identity, instructions and trigger, which are always whole, do not fit.
    """
    if means.style_of(agents.show(means.store, name=agent)) == "continuous":
        if window is not None:
            raise UsageError(f"only a timeline divides its window, and {agent} is shown none.")
        return portions_of(show.coming(means, agent=agent).receipt)
    try:
        with means.store.write():
            raise _Undo(_portions(means, claim.begin(means, agent=agent), window))
    except _Undo as undo:
        return undo.portions


class _Undo(Exception):
    """Roll the transaction back and carry what was seen in it."""

    def __init__(self, portions: tuple[Portion, ...]) -> None:
        super().__init__()
        self.portions = portions


def _portions(means: Means, work: Work, window: int | None) -> tuple[Portion, ...]:
    """Return what each section of the timeline of an open cycle is given."""
    if window is not None:
        means = msgspec.structs.replace(means, budget=means.budget.within(window))
        agent = msgspec.structs.replace(work.agent, max_tokens=window)
        work = msgspec.structs.replace(work, agent=agent)
    frame = frame_of(means, work)
    wish = timelines.Wish(
        frame.agent, frame.target, frame.tools, frame.cycle, frame.events, frame.whole or 1
    )
    return timelines.composed(ports_of(means), wish).portions
