"""`mind inbox`: the durable queue of events for one mind."""

from typing import Literal, get_args

import click
import msgspec

from mindpipe.core.events import EventType
from mindpipe.inbox.records import BATCH, LEASE_SECONDS, Event, Held, Release
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    agent_option,
    any_agent_option,
    by_option,
    file_argument,
    key_option,
    limit_option,
    offset_option,
    on_error_options,
    output_option,
    reason_option,
    source_option,
    text_option,
    timeout_option,
    whole,
)
from mindpipe_cli.session import Session

_COLUMNS = (
    *("id", "priority", "type", "source", "sender", "state", "due", "attempts", "epoch", "text"),
)

event_argument = click.argument("event", default="-", metavar="[ID]")
epoch_option = click.option(
    "--epoch", type=whole(1), metavar="N", help="The epoch that its claim printed."
)
lease_option = click.option(
    "--lease",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help=f"How long the claim holds [{LEASE_SECONDS:g}].",
)


@command("push", example="mind inbox push --agent ava < events.jsonl")
@file_argument
@any_agent_option
@text_option
@click.option(
    "--type", type=click.Choice(get_args(EventType)), help="What kind of event [service]."
)
@source_option(required=False)
@key_option
@click.option(
    "--priority",
    type=whole(0, 4),
    metavar="0..4",
    help="0 emergency, 1 critical, 2 urgent, 3 normal [default], 4 background.",
)
@click.option(
    "--level",
    type=whole(0, 2),
    metavar="0..2",
    help="Push interrupts: 0 is heard at once, 1 next, 2 ahead of others.",
)
@click.option("--due", metavar="INSTANT", help="Not to be claimed before.")
@click.option("--space", metavar="NAME", help="The space it is from.")
@click.option("--sender", metavar="NAME", help="Who it is from.")
@click.option("--max-open", type=whole(1), metavar="N", help="Open events it may hold.")
@click.option("--strict", is_flag=True, help="Refuse text that would have to be cleaned.")
@click.option("--stream", is_flag=True, help="Push line by line as they come, without an end.")
@on_error_options
@output_option
def push(session: Session, **wishes: str | int | bool | None) -> None:
    """Push events, one JSON object per line of FILE or stdin, and print a receipt for each.

    The options hold for every line that does not say it itself. All lines are stored or none; the
    receipts are printed after the commit. The same --key with the same content is one event. With
    --output the lines are appended to that file instead.

    Without --source they are the operator's own words, on which an agent may act. Name one for what
    others wrote: a line that claims another is then not trusted more than it.

    --level N is --type interrupt --priority N. One of level 0 reaches a running loop within its
    cycle: the model call under way is closed, a tool has 9 seconds left, and the event is read
    before anything else. Of the operator's own interrupts, a body {"command":"stop"} ends mind run
    in order, {"command":"pause"} lets the agent rest and {"command":"resume"} go on; another is
    refused:

    echo '{"body":{"command":"stop"}}' | mind inbox push --agent ava --level 0

    A simulated person hears text as speech; what happens to it is a body with a type, e.g.
    {"agent":"mara","body":{"type":"injury","class":"cut","nrs":6}}.
    """
    from mindpipe_cli import pushing

    pushing.push(session, pushing.Wish(**wishes))  # type: ignore[arg-type]  # click held each to its type


@command("list", example="mind inbox list --agent ava --state dead")
@agent_option
@click.option(
    "--state",
    type=click.Choice(["open", "ready", "leased", "done", "dead"]),
    default="open",
    show_default=True,
    help="Events in this state; open is ready or leased.",
)
@limit_option(100)
@offset_option
def list_(session: Session, agent: str, state: str, limit: int, offset: int) -> None:
    """Print an agent's events, the most urgent first, then in order of arrival."""
    from mindpipe.agents import verbs as agents
    from mindpipe.inbox.records import EventState
    from mindpipe.inbox.verbs import look

    name = agents.show(session.store, name=agent).name
    states = look.OPEN if state == "open" else (EventState(state),)
    events = look.list_(session.store, agent=name, states=states, limit=limit, offset=offset)
    session.write(events, columns=_COLUMNS)


@command("claim", example="mind inbox claim --agent ava --limit 1 | work | mind inbox ack")
@agent_option
@limit_option(BATCH)
@lease_option
@click.option("--owner", metavar="NAME", help="Who takes them [this process].")
def claim(session: Session, agent: str, limit: int, lease: float | None, owner: str | None) -> None:
    """Take the events that come next and print them; nothing due is exit status 3.

    Each is held for --lease seconds. Its id and epoch are what ack, release and extend need. If
    nobody reads what is printed, the events are given back. After five claims an event is dead.
    """
    from mindpipe_cli import working

    working.claim(session, agent=agent, limit=limit, owner=owner, lease=lease)


@command("ack", example="mind inbox ack e_0Xq2yV1bT7cR5kE300000001 --epoch 1")
@event_argument
@epoch_option
@click.option(
    "--outcome",
    type=click.Choice(["handled", "skipped"]),
    default="handled",
    show_default=True,
    help="What became of it.",
)
def ack(
    session: Session, event: str, epoch: int | None, outcome: Literal["handled", "skipped"]
) -> None:
    """Make claimed events done: the one with the id ID, or all that claim printed, from stdin.

    An event that another worker holds by now is exit status 75, and then none is changed.
    """
    from mindpipe.think.verbs import burying
    from mindpipe_cli import working

    def step(held: Held) -> Event:
        store, clock = session.store, session.clock
        return burying.settle(store, clock, id=held.id, epoch=held.epoch, outcome=outcome)

    working.settle(session, event=event, epoch=epoch, step=step)


@command("release", example='mind inbox release --reason "server down" --clean < claimed.jsonl')
@event_argument
@epoch_option
@reason_option(required=True)
@click.option("--clean", is_flag=True, help="Give the attempt back too.")
@click.option("--wait", type=click.FloatRange(0), metavar="SECONDS", help="Due after this delay.")
def release(
    session: Session, event: str, epoch: int | None, **how: str | float | bool | None
) -> None:
    """Give claimed events back: the one with the id ID, or all that claim printed, from stdin.

    Without --clean or --wait the delay is random and grows with every attempt, up to 5 minutes.
    """
    from mindpipe.inbox.verbs import queue
    from mindpipe_cli import working

    wish = msgspec.convert(how, Release)

    def step(held: Held) -> Event:
        store, clock, chance = session.store, session.clock, session.chance
        return queue.release(store, clock, chance, id=held.id, epoch=held.epoch, how=wish)

    working.settle(session, event=event, epoch=epoch, step=step)


@command("extend", example="mind inbox extend --lease 300 < claimed.jsonl")
@event_argument
@epoch_option
@lease_option
def extend(session: Session, event: str, epoch: int | None, lease: float | None) -> None:
    """Hold claimed events for longer: the one with the id ID, or all from stdin."""
    from mindpipe.inbox.verbs import queue
    from mindpipe_cli import working

    seconds = working.lease_seconds(session, lease)

    def step(held: Held) -> Event:
        store, clock = session.store, session.clock
        return queue.extend(store, clock, id=held.id, epoch=held.epoch, seconds=seconds)

    working.settle(session, event=event, epoch=epoch, step=step)


@command("dead", example='mind inbox dead e_0Xq2yV1bT7cR5kE300000001 --reason "makes no sense"')
@click.argument("event", metavar="ID")
@reason_option(required=True)
@epoch_option
def dead(session: Session, event: str, reason: str, epoch: int | None) -> None:
    """Let the event with the id ID die; a worker that holds it names its --epoch.

    A run that would have gone on with it is cancelled.
    """
    from mindpipe.think.verbs import burying

    gone = burying.bury(session.store, session.clock, id=event, reason=reason, epoch=epoch)
    session.write([gone], columns=_COLUMNS)


@command("redrive", example="mind inbox redrive --agent ava --all")
@agent_option
@click.argument("events", nargs=-1, metavar="[ID]...")
@click.option("--all", "every", is_flag=True, help="All dead events of the agent.")
def redrive(session: Session, agent: str, events: tuple[str, ...], *, every: bool) -> None:
    """Make dead events ready again, with all attempts before them."""
    from mindpipe.inbox.verbs import queue

    if bool(events) == every:
        raise click.UsageError("Name the events by ID, or give --all.")
    back = queue.redrive(session.store, agent=agent, ids=None if every else events)
    session.write(back, columns=_COLUMNS)


@command("trust", example="mind inbox trust e_0Xq2yV1bT7cR5kE300000001")
@click.argument("events", nargs=-1, required=True, metavar="ID...")
@by_option
def trust(session: Session, events: tuple[str, ...], by: str | None) -> None:
    """Vouch for the events with these ids, once you have read them; it is recorded.

    The cycle that takes them is not tainted by them. One that took them already is another matter:
    mind history trust.
    """
    from mindpipe_cli import clearing

    clearing.events(session, ids=events, by=by)


@command("watch", example="mind inbox watch --agent ava --limit 1 && mind think --agent ava")
@agent_option
@timeout_option
@limit_option(None)
def watch(session: Session, agent: str, timeout: float | None, limit: int | None) -> None:
    """Print events that may be claimed, now and as they come, and change nothing.

    Ends after --limit events, or --timeout seconds; none in that time is exit status 3.
    """
    from mindpipe_cli import watching

    watching.watch(session, agent=agent, timeout=timeout, limit=limit)


COMMAND = group("inbox", push, list_, claim, ack, release, extend, dead, redrive, trust, watch)
