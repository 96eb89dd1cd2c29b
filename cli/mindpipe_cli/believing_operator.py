"""What a person says to observations: their name, their words, their answers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.core.text import whole_text
from mindpipe.knowledge.records import Decision
from mindpipe.knowledge.verbs import decisions
from mindpipe.knowledge.verbs.operating import Corrected, Operator
from mindpipe_cli.believing import rules
from mindpipe_cli.persons import person
from mindpipe_cli.session import Session

_LENGTH = 4096


class Correction(NamedTuple):
    """What a person says instead, and who that is."""

    to: Corrected
    by: str | None


def of(session: Session, agent: str, by: str | None) -> Operator:
    """Return the operator who speaks."""
    return Operator(
        session.store,
        session.clock,
        session.chance,
        agent=agent,
        by=person(by),
        rules=rules(session),
    )


def correction(wishes: Mapping[str, str | bool | None]) -> Correction:
    """Read what is said instead; raises UsageError unless it is a value, or that it is false."""
    value = wishes["value"]
    if (value is None) != bool(wishes["is_false"]):
        raise UsageError("say the VALUE that holds instead, or --false where none does.")
    to = Corrected(
        value=_text(value, "VALUE"),
        summary=_text(wishes["summary"], "--summary"),
        since=_text(wishes["at"], "--at"),
    )
    return Correction(to, _text(wishes["by"], "--by"))


def answered(
    session: Session, ids: Sequence[str], *, agent: str, by: str | None, approve: bool
) -> list[Decision]:
    """Answer decisions that wait, and return them as they are then."""
    answer = decisions.approve if approve else decisions.deny
    return answer(
        session.store, session.clock, agent=agent, ids=ids, by=person(by), rules=rules(session)
    )


def _text(given: object, field: str) -> str | None:
    """Return words that were given, fit to be kept."""
    return None if given is None else whole_text(str(given), field=field, limit=_LENGTH)
