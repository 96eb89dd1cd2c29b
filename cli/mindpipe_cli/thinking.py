"""Make a worker from a command's options and let it think, over a store or over files."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.files import read_agent_file
from mindpipe.agents.records import Agent
from mindpipe.context.budget.records import Portion
from mindpipe.context.records import Shown
from mindpipe.context.verbs.prompts import Ports
from mindpipe.core.errors import UsageError
from mindpipe.core.messages import Message
from mindpipe.core.records import Record
from mindpipe.person.verbs import keeping
from mindpipe.stream.files import read_whole
from mindpipe.think.means import Means
from mindpipe.think.records import CycleReport, Limits
from mindpipe.think.verbs import budgeting, cycle, show
from mindpipe.wiring.lives import Files, Life
from mindpipe.wiring.worker import Workshop
from mindpipe_cli import believing, output
from mindpipe_cli.preview import TerminalPreview
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore

COLUMNS = (
    "agent",
    "cycle",
    "outcome",
    "turns",
    "calls",
    "cost_micros",
    "milliseconds",
    "compacted",
    "summary",
)


class Wish(Record):
    """What the options of `mind think` ask for."""

    agent: str | None = None
    model: str | None = None
    record: str | None = None
    agent_file: str | None = None
    history: str | None = None
    events: str | None = None
    known: str | None = None
    dry_run: bool = False
    max_turns: int | None = None
    max_tokens: int | None = None
    max_seconds: float | None = None
    max_micros: int | None = None
    quiet: bool = False


def workshop(session: Session) -> Workshop:
    """Return what workers of this command share."""
    return Workshop(
        settings=session.settings,
        environment=os.environ,
        clock=session.clock,
        chance=session.chance,
    )


def check_mode(wish: Wish) -> None:
    """Refuse options of both modes at once: a store's, and plain files'."""
    if wish.agent_file is None and (wish.history or wish.events or wish.known):
        raise UsageError("--history, --events and --known go with --agent-file FILE.")
    if wish.agent_file is not None and wish.agent is not None:
        raise UsageError("give --agent for a store or --agent-file for plain files, not both.")


def over_store(session: Session, wish: Wish) -> CycleReport:
    """Live one cycle of an agent in the store."""
    agent = _agent(session, wish)
    means = _means(session, session.store, agent, wish)
    try:
        return cycle.think(means, agent=agent.name, limits=_limits(agent, wish))
    finally:
        _end_preview(means)


def over_files(session: Session, wish: Wish) -> Iterator[Message]:
    """Live one cycle over plain files and yield its messages; no file is changed."""
    agent, life, means = _life(session, wish)
    try:
        cycle.think(means, agent=agent.name, limits=_limits(agent, wish))
    finally:
        _end_preview(means)
    yield from life.new_messages(agent)


def coming(session: Session, wish: Wish) -> Shown:
    """Return the request that the next cycle would send first; nothing is spent or changed."""
    if wish.agent_file is not None:
        agent, _, means = _life(session, wish)
    else:
        agent = _agent(session, wish)
        means = _means(session, session.store, agent, wish)
    return show.coming(means, agent=agent.name)


def portions(session: Session, wish: Wish, *, window: int | None) -> Sequence[Portion]:
    """Return what each section of the next request is given; nothing is spent or changed."""
    agent = _agent(session, wish)
    means = _means(session, session.store, agent, wish)
    return budgeting.coming(means, agent=agent.name, window=window)


def past(session: Session, *, agent: str | None, number: int, turn: int) -> Shown:
    """Return the request of a past turn, byte for byte."""
    shop = workshop(session)
    ports = Ports(session.store, shop.clock, shop.chance, shop.tokens)
    return show.past(ports, agent=_named(agent), cycle=number, turn=turn)


def _agent(session: Session, wish: Wish) -> Agent:
    """Return the agent in the store that is to think; raises RefusedError for a person."""
    keeping.require_none(session.store, agent=_named(wish.agent))
    return agents.show(session.store, name=_named(wish.agent))


def _named(agent: str | None) -> str:
    """Return the agent's name; raises UsageError where none was given."""
    if agent is None:
        raise UsageError("which agent? Give --agent NAME, or --agent-file FILE.")
    return agent


def _life(session: Session, wish: Wish) -> tuple[Agent, Life, Means]:
    """Open the plain files of an agent, and a worker for it."""
    shop = workshop(session)
    source = wish.agent_file or ""
    document = read_agent_file(read_whole(Path(source)), source=source)
    models = shop.models(wish.model, agent=document.agent, record=_path(wish.record))
    files = Files(document, source, _path(wish.history), _path(wish.events))
    life = Life(shop.clock, shop.chance, shop.tokens)
    agent = life.settle(files, models.model.target)
    means = shop.means(
        life.store, models, agent, _preview(wish), tell=_tell, cycle_micros=wish.max_micros
    )
    known = tuple(believing.of_file(session, wish.known)) if wish.known else ()
    return agent, life, msgspec.structs.replace(means, knowledge=shop.knowledge(known))


def _path(name: str | None) -> Path | None:
    """Return a file's path, where one was named."""
    return Path(name) if name else None


def _means(session: Session, store: "SqliteStore", agent: Agent, wish: Wish) -> Means:
    """Return what a worker needs."""
    shop = workshop(session)
    models = shop.models(wish.model, agent=agent, record=_path(wish.record))
    return shop.means(
        store, models, agent, _preview(wish), tell=_tell, cycle_micros=wish.max_micros
    )


def _preview(wish: Wish) -> TerminalPreview | None:
    """Return what shows a reply while it is written, where a person looks."""
    return TerminalPreview() if output.on_terminal("stderr") and not wish.quiet else None


def _tell(words: str) -> None:
    """Say why the worker waits."""
    output.say(f"mind think: {words}")


def _end_preview(means: Means) -> None:
    """End the line that a preview left open."""
    if isinstance(means.preview, TerminalPreview):
        means.preview.end()


def _limits(agent: Agent, wish: Wish) -> Limits:
    """Return the agent's limits, lowered by the command's options."""
    return Limits(
        turns=wish.max_turns or agent.max_turns,
        calls=agent.max_calls,
        seconds=wish.max_seconds or agent.max_seconds,
        tokens=wish.max_tokens,
    )
