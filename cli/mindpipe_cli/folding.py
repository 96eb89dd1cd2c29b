"""Plan and change the window of an agent in the store."""

import contextlib
import os
from collections.abc import Iterator

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Agent, StrategyName
from mindpipe.compaction.plans.plan_lines import read_plan
from mindpipe.compaction.records import WindowPlan
from mindpipe.compaction.verbs import applying, listing, planning, undoing
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.context.verbs.compacting import ports_of
from mindpipe.core.errors import NothingToDoError
from mindpipe.history.verbs.segments import current_segment
from mindpipe.think.verbs.compacting import with_cache, with_waiting
from mindpipe.wiring.models import ModelShop
from mindpipe_cli import changes, comparing, documents, output, telling
from mindpipe_cli.asked import Asked
from mindpipe_cli.session import Session


def at_once(session: Session, asked: Asked) -> None:
    """Plan and change a window, and print the change.

    Raises:
        NothingToDoError: no cycle would leave.
        RefusedError: system text and tools alone leave no room in the budget.
        TemporaryError: a worker has the agent.
    """
    planned = _planned(session, asked)
    made = applying.at_once(_ports(session), planned=planned)
    if session.shape == "table":
        comparing.show(session, planned)
    else:
        session.write([*planned.reasons, made], columns=changes.COLUMNS)


def plan(session: Session, asked: Asked) -> WindowPlan:
    """Return what would be folded.

    Raises:
        NothingToDoError: no cycle would leave.
        RefusedError: system text and tools alone leave no room in the budget.
    """
    return _planned(session, asked)


def apply(session: Session, *, file: str) -> None:
    """Put the window of a plan in force and print the change.

    Raises:
        BadInputError: it is no plan, or does not fit the log.
        TemporaryError: the log has moved, or a worker has the agent.
    """
    ports = _ports(session)
    found = documents.whole(file)
    agent = read_plan(found.octets, source=found.name).plan.agent
    made = applying.apply(ports, agent=agent, octets=found.octets, source=found.name)
    changes.write(session, listing.changes(session.store, agent=agent), number=made.number)


def undo(session: Session, *, agent: str) -> None:
    """Bring back the window before the present one and print the change.

    It is said where the next cycle would fold it again.

    Raises:
        NothingToDoError: no window is in force.
        TemporaryError: a worker has the agent.
    """
    made = undoing.undo(_ports(session), agent=agent)
    changes.write(session, listing.changes(session.store, agent=agent), number=made.number)
    most = agents.show(session.store, name=agent).max_tokens
    if made.tokens_after > most:
        output.say(
            f"{agent} is over max_tokens ({most}) and will be folded with the next cycle; raise it "
            f"with mind agent set {agent} --max-tokens N"
        )


def list_(session: Session, *, agent: str) -> None:
    """Write every change of a window.

    Raises:
        NothingToDoError: there is none.
    """
    if not (found := listing.changes(session.store, agent=agent)):
        raise NothingToDoError(f"the window of {agent} was never changed.")
    changes.write(session, found)


def _planned(session: Session, asked: Asked) -> WindowPlan:
    """Plan the window of the agent that is named; its model is asked only where that is wished."""
    agent = agents.show(session.store, name=asked.agent or "")
    wish = with_waiting(session.store, session.clock, asked.wish(agent), agent=agent)
    if (segment := current_segment(session.store, agent=agent.name)) is not None:
        shop = ModelShop(settings=session.settings, environment=os.environ, clock=session.clock)
        wish = with_cache(session.store, wish, target=segment.target, prices=shop.prices())
    with _asking(session, asked, agent, wish.strategy) as ports:
        planned = planning.plan(ports, wish=wish)
    telling.fallback(planned)
    return planned


@contextlib.contextmanager
def _asking(
    session: Session, asked: Asked, agent: Agent, strategy: StrategyName
) -> Iterator[Ports]:
    """Give what a window is planned with, and the model that a strategy asks."""
    if strategy == "model":
        from mindpipe_cli.summarising import asking

        with asking(session, asked, agent) as ports:
            yield ports
    elif strategy == "semantic":
        from mindpipe_cli.embedding import embed_of

        yield _ports(session)._replace(embed=embed_of(session))
    else:
        yield _ports(session)


def _ports(session: Session) -> Ports:
    """Return what a window is planned and written with."""
    return ports_of(session.store, session.clock, session.tokens)
