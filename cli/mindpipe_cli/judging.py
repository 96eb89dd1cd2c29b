"""Judge proposals over lines or over a store, act on them, and take what a person decides."""

from collections.abc import Iterator

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.core.strict_json import load_json
from mindpipe.core.text import whole_text
from mindpipe.decisions.records import Decision, Judged, Proposal
from mindpipe.decisions.verbs import judging
from mindpipe.decisions.verbs.queue import Approval, OpenTicket
from mindpipe.loop.verbs import acting, deciding
from mindpipe.person.verbs import keeping
from mindpipe.think.verbs.applying import ticketing
from mindpipe.wiring.deciding import means_to_act, rules_of
from mindpipe.wiring.delegating import delegation_of
from mindpipe_cli import output
from mindpipe_cli.deciding import deliver
from mindpipe_cli.input import records
from mindpipe_cli.persons import person
from mindpipe_cli.session import Session
from mindpipe_cli.thinking import workshop

_TEXT_LENGTH = 16_000
_SHOWN = 40


def over_lines(session: Session, file: str) -> Iterator[Judged]:
    """Judge each proposal of a file or of stdin.

    Raises:
        BadInputError: a line is no proposal.
        NothingToDoError: there is no line.
    """
    return judging.judge(records(file, Proposal), rules_of(session.settings).bands)


def over_store(session: Session, agent: str) -> list[Decision]:
    """Judge what an agent proposed since.

    Raises:
        NothingToDoError: it proposed nothing.
    """
    _require_agent(session, agent)
    made = deciding.decide(
        session.store,
        session.clock,
        deliver(session),
        agent=agent,
        rules=rules_of(session.settings),
    )
    if not made:
        raise NothingToDoError(f"{agent} proposed nothing.")
    return made


def act(session: Session, agent: str) -> acting.Acted:
    """Do what is automatic or approved, queue the rest, call a person.

    Raises:
        NothingToDoError: nothing was to be done.
        TemporaryError: another worker holds the agent.
    """
    _require_agent(session, agent)
    means = means_to_act(workshop(session), session.store, agent=agent, tell=_tell)
    acted = acting.act(
        means,
        agent=agent,
        rules=rules_of(session.settings),
        delegation=delegation_of(session.settings, store=session.store_path, clock=session.clock),
    )
    if acted == acting.Acted(agent=acted.agent):
        raise NothingToDoError(f"nothing is to be done for {agent}.")
    return acted


def opening(session: Session) -> OpenTicket:
    """Return what opens the ticket by which an approved decision runs."""
    hours = rules_of(session.settings).hours
    return ticketing(session.store, session.clock, session.chance, hours=hours)


def approval(
    by: str | None, reason: str | None, sha256: str | None, arguments: str | None = None
) -> Approval:
    """Return who approves what.

    Raises:
        BadInputError: the arguments are no JSON object.
        UsageError: a name or words that cannot be kept.
    """
    given: dict[str, object] | None = None
    if arguments is not None:
        found = load_json(arguments.encode(), source="--args", line=1)
        if not isinstance(found, dict):
            raise BadInputError([Problem(source="--args", message="expected a JSON object")])
        given = found
    return Approval(person(by), note(reason), sha256, given)


def note(reason: str | None) -> str | None:
    """Return a person's words, fit to be kept."""
    return reason and whole_text(reason, field="--reason", limit=_TEXT_LENGTH)


def _require_agent(session: Session, agent: str) -> None:
    """Refuse a person, and a store that cannot be written to, whatever there is to do."""
    with session.store.write():
        keeping.require_none(session.store, agent=agent)


def _tell(words: str) -> None:
    """Say why the worker waits."""
    output.say(f"mind act: {words}")


def line_of(found: Decision) -> dict[str, object]:
    """Return a decision as one line of a table; mind decision show has all of it."""
    proposal = found.proposal
    arguments = to_json(proposal.arguments).decode()
    cut = f"{arguments[:_SHOWN]}…" if len(arguments) > _SHOWN else arguments
    return {
        "id": found.id,
        "agent": found.agent,
        "state": found.state.value,
        "kind": proposal.kind,
        "tool": proposal.tool,
        "arguments": cut,
        "confidence": proposal.confidence,
        "expires": found.expires,
    }
