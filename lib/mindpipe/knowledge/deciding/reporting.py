"""Say what weighing claims has changed: which beliefs are new, reinforced, replaced, contested."""

from collections.abc import Iterable

from mindpipe.knowledge.records import Call, Change, Consolidated, Decision


def report_on(
    subject: str, changes: Iterable[Change], decisions: Iterable[Decision], *, marks: int
) -> Consolidated:
    """Return what was changed of one subject."""
    new = [one.observation for one in changes if not one.expected]
    said = list(decisions)
    return Consolidated(
        subject=subject,
        created=tuple(one.id for one in new),
        reinforced=_called(said, "corroborate"),
        refined=_called(said, "refine"),
        superseded=_called(said, "supersede"),
        contested=_called(said, "contradict"),
        retracted=_called(said, "retract"),
        queued=tuple(one.id for one in said if one.state == "queued"),
        marks=marks,
    )


def _called(decisions: Iterable[Decision], call: Call) -> tuple[str, ...]:
    """Return the observations on which a verdict was given and applied, each once."""
    found = (one.observation for one in decisions if one.call == call and one.state == "applied")
    return tuple(dict.fromkeys(one for one in found if one is not None))
