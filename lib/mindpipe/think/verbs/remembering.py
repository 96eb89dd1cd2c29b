"""Keep what was significant of a cycle when it closes: what was said to the agent in it."""

from mindpipe.context.verbs import origins
from mindpipe.history.verbs.show import show
from mindpipe.history.words import searched_text
from mindpipe.memory.extraction.finding import items_in
from mindpipe.memory.extraction.pieces import pieces_of
from mindpipe.memory.verbs import extracting
from mindpipe.think.means import Means, Work


def remember(means: Means, work: Work) -> None:
    """Keep the items of a cycle that reach the agent's threshold, in the open transaction.

    Each is quarantined under the untrusted sources of the event that it quotes. Nothing is kept
    over plain files, where it would be thrown away.
    """
    if not means.lasting:
        return
    name, cycle = work.agent.name, work.cycle
    whose = origins.whose_words(means.store, work.agent, cycle=cycle)
    pieces = (
        piece
        for message in show(means.store, agent=name, cycle=cycle)
        for piece in pieces_of(message, log=searched_text(message), whose=whose)
    )
    found = [item for item in items_in(pieces) if item.significance >= work.agent.memory_threshold]
    if found:
        extracting.keep(means.store, means.clock, means.chance, agent=name, found=found)
