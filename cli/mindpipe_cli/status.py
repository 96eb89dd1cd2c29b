"""`mind status`: how an agent stands, on one screen."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.text import counted, terminal_text
from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.options import any_agent_option, timeout_option
from mindpipe_cli.output import PIPE_WIDTH
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from mindpipe.monitoring.records import LivedCycles, Status

_COLUMNS = (
    "agent",
    "mode",
    "focus",
    "worker",
    "paused",
    "events",
    "urgent",
    "tickets",
    "decisions",
    "tasks",
    "runs",
    "spent_micros",
    "alerts",
)
_LOOK_SECONDS = 1.0


@command("status", example="mind status --agent ava --watch")
@any_agent_option
@click.option("--watch", is_flag=True, help="Go on showing it while it changes, until Ctrl-C.")
@timeout_option
def COMMAND(session: Session, agent: str | None, timeout: float | None, *, watch: bool) -> None:
    """Print how an agent, or each one, stands: mode, queue, last cycles, spend, concerns, alerts.

    With --watch a terminal shows it anew whenever something changes; a pipe gets one record of an
    agent for each change.
    """
    from mindpipe.agents.verbs import agent as agents

    names = [agent] if agent else [one.name for one in agents.list_(session.store)]
    if not names:
        raise NothingToDoError("there is no agent yet; mind agent new NAME makes one.")
    if timeout is not None and not watch:
        raise UsageError("--timeout is for --watch.")
    if watch:
        _watch(session, names, timeout=timeout)
    else:
        _write(session, _statuses(session, names))


def _statuses(session: Session, names: Sequence[str]) -> "list[Status]":
    """Return how agents stand; nothing is written."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.engine.worker_rules import attention_rules
    from mindpipe.monitoring import watch
    from mindpipe.monitoring.verbs.status import StatusView, status
    from mindpipe.store.presence import place_of, present_at, waiting_for
    from mindpipe.store.worker_sessions import running_sessions

    store, clock = session.store, session.clock
    there = present_at(session.where)
    lives = {life.agent: life for life in running_sessions(session.where, clock)}

    def one(name: str) -> "Status":
        who = agents.show(store, name=name)
        life = lives.get(who.name)
        seen = StatusView(
            life,
            watch.day_cap(session.settings, who),
            attention_rules(session.settings),
            place="" if life is None else place_of(life, there, clock),
            waits=waiting_for(who.name, there),
        )
        return status(store, clock, agent=who.name, seen=seen)

    return [one(name) for name in names]


def _write(session: Session, statuses: "Sequence[Status]") -> None:
    """Draw agents where a table is wanted, else write them as records, or in one row each."""
    if session.shape == "table":
        console = _console()
        for one in statuses:
            console.print(_panel(session, one))
    elif session.shape == "json":
        session.write(statuses, columns=_COLUMNS)
    else:
        session.write(map(_row, statuses), columns=_COLUMNS)


def _row(status: "Status") -> dict[str, object]:
    """Return what of an agent fits into one row."""
    plain: dict[str, object] = msgspec.to_builtins(status)
    return {**plain, **msgspec.to_builtins(status.waiting), "alerts": len(status.alerts)}


def _watch(session: Session, names: Sequence[str], *, timeout: float | None) -> None:
    """Draw agents anew whenever the store changed, for so many seconds or until an interrupt."""
    from mindpipe.store.watch import watching

    until = math.inf if timeout is None else session.clock.boot().seconds + timeout
    with watching(session.where) as changes:

        def wait() -> bool:
            changes(min(_LOOK_SECONDS, max(0.0, until - session.clock.boot().seconds)))
            return session.clock.boot().seconds < until

        if session.watched:
            _live(session, names, wait)
            return
        for statuses in _changes(session, names, wait):
            _write(session, statuses)
            output.flush()


def _live(session: Session, names: Sequence[str], wait: Callable[[], bool]) -> None:
    """Draw on the terminal's own screen."""
    from rich.console import Group
    from rich.live import Live

    with Live(console=_console(), screen=True, auto_refresh=False) as live:
        shown: dict[str, RenderableType] = {}
        for statuses in _changes(session, names, wait):
            shown |= {one.agent: _panel(session, one) for one in statuses}
            live.update(Group(*shown.values()), refresh=True)


def _changes(
    session: Session, names: Sequence[str], wait: Callable[[], bool]
) -> "Iterator[list[Status]]":
    """Yield who stands otherwise than before, first all, then whenever more than the time moved."""
    before: dict[str, Status] = {}
    while True:
        found = dict(zip(names, _statuses(session, names), strict=True))
        timeless = {name: msgspec.structs.replace(one, at="") for name, one in found.items()}
        if changed := [one for name, one in found.items() if timeless[name] != before.get(name)]:
            yield changed
        before = timeless
        if not wait():
            return


def _console() -> "Console":
    """Return where people look."""
    return output.paper(None if output.on_terminal("stdout") else PIPE_WIDTH)


def _panel(session: Session, status: "Status") -> "RenderableType":
    """Return one agent as a panel."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, words in _rows(status, by=_lived_by(session, status.agent)):
        grid.add_row(Text(name), Text(terminal_text(words)))
    title = Text(terminal_text(f"{status.agent}  {status.at}"))
    alarmed = any(one.severity == "critical" for one in status.alerts)
    return Panel(grid, title=title, title_align="left", border_style="red" if alarmed else "")


def _lived_by(session: Session, name: str) -> str:
    """Return the command by which an agent or a simulated person is lived."""
    from mindpipe.person.verbs import refusal

    if refusal.is_person(session.store, name):
        return f"mind simulate run --person {name} lives on"
    return f"mind run --agent {name} starts one, or one of --agents takes it when it is due"


def _rows(status: "Status", *, by: str) -> Iterator[tuple[str, str]]:
    """Yield what is said of an agent, line by line; `by` is how it gets a worker."""
    resting = f", paused: {status.paused}" if status.paused else ""
    yield "mode", f"{status.mode.value}{resting}"
    yield "worker", status.worker or f"none; {by}"
    yield "focus", status.focus or "none"
    waits = status.waiting
    events, runs = counted(waits.events, "event"), counted(waits.runs, "run")
    yield "waiting", f"{events}, {waits.urgent} urgent; {runs} for replies"
    yield (
        "for you",
        f"{counted(waits.tickets, 'ticket')}, {counted(waits.decisions, 'decision')}; "
        f"{counted(waits.tasks, 'task')} under way",
    )
    held = status.window
    yield (
        "window",
        f"{held.tokens:,} of {held.budget:,} tokens at the last request, "
        f"{counted(held.cycles, 'cycle')}",
    )
    if status.plans.next or status.plans.missed:
        lost = f"; {status.plans.missed} of the last day came to nothing (mind plan windows)"
        coming = status.plans.next or "none to come"
        yield "plans", f"next {coming}{lost if status.plans.missed else ''}"
    cap = "" if status.cap_micros is None else f" of ${status.cap_micros / 1e6:.2f}"
    yield "spent today", f"${status.spent_micros / 1e6:.4f}{cap}"
    for share in status.concerns:
        mark = " (focus)" if share.focus else ""
        yield "concern", f"{share.concern}{mark}: {share.given:.0%} of late, {share.share:.0%} due"
    for lived in status.lived:
        yield "iteration", _lived(lived)
    for alert in status.alerts:
        yield (
            alert.severity,
            f"{alert.metric} reached {alert.worst:g}, above {alert.above:g}, since {alert.since}",
        )


def _lived(one: "LivedCycles") -> str:
    """Return an iteration as one line."""
    about = f" on {one.concern}" if one.concern else ""
    return (
        f"{one.number} at {one.at}: {one.outcome}, {counted(one.events, 'event')}{about}, "
        f"{one.seconds:.2f} s, {one.mode.value}"
    )
