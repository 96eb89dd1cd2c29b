"""`mind knowledge`: whether all that is held stands on what it says, and what looks odd in it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe_cli import input, output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_option, any_agent_option, as_of_option, known_option
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.knowledge.records import KnowledgeFinding

_CHECKED = ("check", "observation", "canonical_key", "summary", "other", "why")


@command("verify", example="mind knowledge verify --agent ava")
@agent_option
def verify(session: Session, agent: str) -> None:
    """Hold every observation against its sources and the log: each link, quote, key and figure.

    Prints what is wrong, then how much was looked at. Anything wrong is exit status 65.
    """
    from mindpipe.knowledge.verbs import knowledge

    verification = knowledge.verify(session.store, agent=agent, rules=session.rules)
    session.write(verification.wrong(), columns=_CHECKED)
    verdict = verification.verdict
    session.write([verdict], columns=("agent", "observations", "evidence", "quotes", "wrong"))
    if verdict.wrong:
        raise BadInputError([Problem(source=agent, message=f"{verdict.wrong} wrong")])


@command("audit", example="mind knowledge audit --agent ava --table")
@any_agent_option
@as_of_option
@known_option
def audit(session: Session, agent: str | None, as_of: str | None, known: str | None) -> None:
    """Print what a person should look at among what is held: no model is asked.

    These are claims much alike, claims of one source, contested and stale ones, and orphans.
    """
    from mindpipe.memory.settle import settle_instant

    agent = input.agent_of_one_place(session, agent, known)
    rules, instant = session.rules, settle_instant(as_of)
    found: Iterable[KnowledgeFinding]
    if agent:
        from mindpipe.knowledge.verbs import knowledge

        found = knowledge.audit(
            session.store, session.clock, agent=agent, rules=rules, as_of=instant
        )
    else:
        from mindpipe.knowledge.audit import audited
        from mindpipe.knowledge.explanation import chosen
        from mindpipe.knowledge.records import BeliefStatus, ObservationFilter

        held = chosen(
            input.observations(known or "-", slots=rules.slots),
            ObservationFilter(agent="", statuses=(BeliefStatus.ACTIVE, BeliefStatus.STALE)),
            now=session.clock.now(),
            as_of=instant,
            windows=rules.windows,
        )
        found = audited(held)
    if not session.write(found, columns=_CHECKED):
        output.say("nothing looks odd.")


@command("marks", example="mind knowledge marks --agent ava")
@agent_option
@as_of_option
def marks(session: Session, agent: str, as_of: str | None) -> None:
    """Print which item supersedes or contradicts which, in the order in which it was found."""
    from mindpipe.knowledge.verbs import knowledge
    from mindpipe.memory.settle import settle_instant

    found = knowledge.marks(session.store, agent=agent, as_of=settle_instant(as_of))
    session.write(found, columns=("relation", "old", "new", "at", "by"))


COMMAND = group("knowledge", verify, audit, marks)
