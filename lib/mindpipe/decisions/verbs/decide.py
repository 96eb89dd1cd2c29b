"""Judge what agents propose, in a store or as it comes by."""

from collections.abc import Callable, Iterable, Iterator

from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.ports import Clock, Deliver, Store
from mindpipe.decisions import tables
from mindpipe.decisions.bands import Bands, DecisionRules, judged
from mindpipe.decisions.records import Action, Decision, DecisionState, Judged, Proposal
from mindpipe.decisions.wording import event_of

Held = Callable[[Decision, Action], str | None]
"""Say why policy lets an action of a decision, or what would undo it, not run unasked, or None."""


def judge(proposals: Iterable[Proposal], bands: Bands) -> Iterator[Judged]:
    """Yield how each proposal is judged by its confidence, importance and kind alone."""
    for proposal in proposals:
        yield judged(proposal, bands)


def decide(
    store: Store, clock: Clock, deliver: Deliver, *, agent: str, rules: DecisionRules, held: Held
) -> list[Decision]:
    """Judge what an agent proposed since, oldest first; it hears of what it must know more for."""
    with store.read() as rows:
        if not tables.list_(rows, agent=agent, states=(DecisionState.PROPOSED,)):
            return []
    made: list[Decision] = []
    with store.write(agent) as rows:
        for found in tables.list_(rows, agent=agent, states=(DecisionState.PROPOSED,)):
            one = _judged(found, clock, rules, held)
            tables.save(rows, one)
            if one.state is DecisionState.RETURNED:
                deliver([event_of(one)])
            made.append(one)
        reach("judge.before_commit")
    reach("judge.after_commit")
    return made


def _judged(found: Decision, clock: Clock, rules: DecisionRules, held: Held) -> Decision:
    """Return a decision with its judgement, and until when a person may answer."""
    asked, undo = found.proposal, found.proposal.undo
    verdict = judged(asked, rules.bands, held=held(found, asked.action()))
    back = verdict.type == "gather"
    return found.to(
        DecisionState.RETURNED if back else DecisionState.DECIDED,
        type=verdict.type,
        why=verdict.why,
        undoable=verdict.undoable,
        undo_why=None if undo is None else held(found, undo),
        expires=None if back else later(clock.now(), seconds=rules.hours * 3600),
    )
