"""Go on with the agent's fallback model where its own is failing."""

import msgspec

from mindpipe.context.verbs import prompts as context
from mindpipe.core.models import ModelFault
from mindpipe.core.retrying import PASSING
from mindpipe.history.verbs import cycles, segments
from mindpipe.think import tables
from mindpipe.think.means import Means, Work
from mindpipe.think.records import TurnState
from mindpipe.think.verbs.asking import anew
from mindpipe.think.verbs.failure import without_try
from mindpipe.think.verbs.journal import holding
from mindpipe.think.verbs.request import frame_of, ports_of

_REASON = "fallback"


def instead(means: Means, work: Work, fault: ModelFault) -> Means | None:
    """Return means that ask the fallback model, under a segment of its own; None where none may be.

    The model is failing if it is left alone, asks for a long wait, or was asked in vain until a
    turn had one try left: tries and time of a turn are for both models together.
    """
    if means.fallback is None or fault.fault not in PASSING:
        return None
    other = msgspec.structs.replace(means, model=means.fallback, fallback=None)
    name, target = work.agent.name, other.model.target
    with holding(means, work) as rows:
        turn = tables.last_turn(rows, agent=name, cycle=work.cycle)
        if turn is not None and without_try(turn, means.clock.boot()):
            return None
        now = segments.current_segment(means.store, agent=name)
        if turn is not None and turn.state is TurnState.ASKING:
            anew(other, work, turn, _REASON)
        elif now is not None and now.target != target:
            context.frame(ports_of(other), frame_of(other, work), anew=_REASON)
        cycles.update_cycle(means.store, agent=name, cycle=work.cycle, model=target.label())
    means.tell(f"{means.model.target.label()} is failing; {target.label()} is asked instead.")
    return other
