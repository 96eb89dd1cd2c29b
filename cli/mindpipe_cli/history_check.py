"""What the validator says of a file or of an agent's history, as records and as a status."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.history.verbs import check as check_verbs
from mindpipe.validator.records import Finding, Kind, Question
from mindpipe_cli import documents
from mindpipe_cli.session import Session


class _Wish(Record):
    """What the options ask for."""

    agent: str | None
    file: str
    format: str | None
    model: str | None
    sdk: Literal[5, 6, 7]
    strict_roles: bool
    kind: Kind | None
    warnings_as_errors: bool


def check(session: Session, wishes: Mapping[str, str | int | bool | None]) -> None:
    """Write every finding.

    Raises:
        BadInputError: there are errors, or warnings that count as such.
        NothingToDoError: there was nothing to check.
    """
    wish = msgspec.convert(wishes, _Wish)
    source, found = _findings(session, wish)
    session.write(found, columns=("rule", "severity", "at", "id", "what"))
    grave = {"error", "warning"} if wish.warnings_as_errors else {"error"}
    count = sum(finding.severity in grave for finding in found)
    if count:
        raise BadInputError([Problem(source=source, message=_counted(count))])


def _counted(count: int) -> str:
    """Return a number of problems in words."""
    return "1 problem" if count == 1 else f"{count} problems"


def _findings(session: Session, wish: _Wish) -> tuple[str, list[Finding]]:
    """Return what was checked, and everything that was found."""
    question = Question(
        format=wish.format,
        model=wish.model,
        sdk=wish.sdk,
        strict_roles=wish.strict_roles,
        kind=wish.kind,
    )
    if wish.agent is None:
        if wish.format is None:
            raise UsageError("which API? Give --for FORMAT, or --agent NAME.")
        found = documents.whole(wish.file)
        return found.name, check_verbs.check(found.octets, source=found.name, question=question)
    from mindpipe.agents.verbs import show as known_agent
    from mindpipe.compaction.verbs.windows import coverage
    from mindpipe.history.verbs.check_log import check_log

    agent = known_agent(session.store, name=wish.agent).name
    sent = coverage(session.store, agent=agent)
    return agent, check_log(session.store, agent=agent, question=question, coverage=sent)
