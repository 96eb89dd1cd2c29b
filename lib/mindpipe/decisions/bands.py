"""The bands of confidence by which proposals are judged, and the rules of judging."""

from collections.abc import Mapping

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.core.tools import APPROVAL_HOURS
from mindpipe.decisions.records import DecisionType, Judged, KindName, Proposal, Share


class Bands(Record):
    """Where the bands of confidence begin.

    Over `act` a proposal is done, from `log` on it is done and kept in view, from `suggest` on a
    person is asked, below that the agent must know more. `thresholds` raise the bar of kinds and of
    tools, whatever an agent calls the kind, and cannot lower it. From `escalate` on, importance
    calls a person where nothing is done.
    """

    act: Share = 0.9
    log: Share = 0.7
    suggest: Share = 0.5
    escalate: Share = 0.8
    thresholds: Mapping[KindName, Share] = {}

    def __post_init__(self) -> None:
        """Refuse bands that are not in their order."""
        if not self.suggest <= self.log <= self.act:
            raise UsageError(
                f"the bands of decisions are out of order: suggest {self.suggest:g}, log "
                f"{self.log:g}, act {self.act:g}; each must be at most the next."
            )


def thresholds_of(text: str) -> dict[str, float]:
    """Read bars of kinds as they stand in a setting: `message=0.95 memory=0.8`.

    Raises:
        UsageError: a word is no kind with a number of 0 to 1.
    """
    found: dict[str, float] = {}
    for word in text.split():
        kind, equals, number = word.partition("=")
        try:
            name = msgspec.convert(kind, KindName)
            found[name] = msgspec.convert(number, Share, strict=False)
        except msgspec.ValidationError:
            # One message tells of a bad kind, a bad number and a missing sign.
            equals = ""
        if not equals:
            raise UsageError(f'"{word}" is no threshold; write KIND=NUMBER, e.g. message=0.95.')
    return found


def judged(proposal: Proposal, bands: Bands, *, held: str | None = None) -> Judged:
    """Return how a proposal is judged.

    `held` says why policy lets no call of its tool run unasked: nothing makes it automatic then.
    """
    raised = [bands.thresholds.get(name, 0.0) for name in (proposal.kind, proposal.tool)]
    sure, bar = proposal.confidence, max(bands.log, *raised)
    important = proposal.importance >= bands.escalate
    if sure < bands.suggest:
        low = f"confidence {sure:g} is below {bands.suggest:g}"
        if important:
            return _judged(proposal, bar, "escalate", f"{low}, and {_weight(proposal)}")
        return _judged(proposal, bar, "gather", low)
    if held is None and sure >= bar:
        if sure > bands.act:
            why = f"confidence {sure:g} is over {bands.act:g}"
        else:
            then = " to be undone" if proposal.undo else "; nothing is named that would undo it"
            why = f"confidence {sure:g} is not over {bands.act:g}: kept in view{then}"
        return _judged(proposal, bar, "automatic", why)
    why = f"confidence {sure:g} is below {bar:g}" if held is None or sure < bar else held
    if important:
        return _judged(proposal, bar, "escalate", f"{why}, and {_weight(proposal)}")
    return _judged(proposal, bar, "suggested", why)


def _weight(proposal: Proposal) -> str:
    return f"it matters (importance {proposal.importance:g})"


def _judged(proposal: Proposal, bar: float, type_: DecisionType, why: str) -> Judged:
    undoable = proposal.undo is not None
    return Judged(proposal=proposal, type=type_, threshold=bar, why=why, undoable=undoable)


class DecisionRules(Record):
    """What the operator set.

    A proposal that waits expires after `hours`. `trust` names sources whose text all agents may act
    on. `escalate` is the program that calls a person, for `seconds` at most; empty calls nobody.
    """

    bands: Bands = Bands()
    hours: float = APPROVAL_HOURS
    trust: tuple[str, ...] = ()
    escalate: tuple[str, ...] = ()
    seconds: float = 30.0
