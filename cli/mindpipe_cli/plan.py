"""`mind plan`: cron lines, instants, and times from now."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.events import NewEvent
from mindpipe.plans import verbs
from mindpipe.plans.records import NewPlan
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    agent_of_all_option,
    agent_option,
    any_agent_option,
    at_option,
    by_option,
    decider,
    limit_option,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "agent", "title", "cron", "zone", "next", "last", "state", "sources")
_WINDOW_COLUMNS = ("agent", "plan", "title", "window", "state", "outcome", "attempt", "why")
_EVENT_COLUMNS = ("agent", "key", "text")


@command(
    "add",
    example='mind plan add --agent ava "Daily report" "Write and post it." --cron "0 9 * * 1-5"',
)
@agent_option
@click.argument("title")
@click.argument("text", default="")
@click.option("--cron", metavar="LINE", help='Five fields, like "0 9 * * 1-5".')
@at_option
@click.option("--after", metavar="DURATION", help="Once, so long from now: 90s, 15m, 2h, 3d.")
@click.option(
    "--zone",
    default="UTC",
    show_default=True,
    metavar="ZONE",
    help="Of --cron, and of --at without an offset: an IANA name like Europe/Berlin.",
)
@click.option(
    "--catch-up",
    type=click.Choice(["once", "all", "none"]),
    default="once",
    show_default=True,
    help="What becomes of times that were slept through.",
)
@click.option(
    "--expect",
    "expects",
    multiple=True,
    metavar="POSTCONDITION",
    help="post:SPACE, note:KEY, file:PATH or command:LINE (repeatable).",
)
def add(session: Session, agent: str, **values: object) -> None:
    """Plan that an agent is told TEXT (or TITLE), by exactly one of --cron, --at and --after.

    A time that the zone skips in spring comes at the next valid instant; one that it repeats in
    autumn comes once. Times that were slept through come as one, each, or not at all.

    With --expect a time counts as carried out only if, once the agent has handled it, it said
    something in that space, wrote that note or that file, or the command ends with status 0; it
    runs in an empty folder, for a minute at most. What fails is told to the agent, once; mind plan
    windows shows it and mind plan retry hands it over again.
    """
    from mindpipe.agents.verbs import agent as agents

    known = agents.show(session.store, name=agent)
    new = msgspec.convert(values, NewPlan)
    new = msgspec.structs.replace(new, expects=tuple(map(_of_any_folder, new.expects)))
    _check_spaces(session, new)
    plan = verbs.add(session.store, session.clock, session.chance, agent=known.name, new=new)
    session.write([plan], columns=_COLUMNS)
    if new.at is not None and plan.next is not None and plan.next <= session.clock.now():
        output.say(f"{plan.next} has passed, so that it is due at once.")


def _of_any_folder(expected: str) -> str:
    """Return a postcondition whose file is named by its whole path, wherever the loop runs."""
    kind, _, path = expected.partition(":")
    return f"file:{Path(path).absolute()}" if kind == "file" and path.strip() else expected


def _check_spaces(session: Session, new: NewPlan) -> None:
    """Raise UsageError with the nearest name where a plan expects a post in no space there is."""
    from mindpipe.plans import postconditions
    from mindpipe.spaces import verbs as spaces

    for wanted in map(postconditions.parse, new.expects):
        if wanted.kind == "post":
            spaces.show(session.store, name=wanted.what)


@command("list", example="mind plan list --agent ava")
@agent_of_all_option
def list_(session: Session, agent: str | None) -> None:
    """Print the plans of one agent, or of all."""
    session.write(verbs.list_(session.store, agent=agent), columns=_COLUMNS)


@command("due", example="mind plan due | mind inbox push")
@agent_of_all_option
@click.option("--push", is_flag=True, help="Also push the events, in one step with the claim.")
def due(session: Session, agent: str | None, *, push: bool) -> None:
    """Print an event for each plan that is due, ready for mind inbox push.

    However many run at once, each time of a plan is printed once. Printed is handed over: what the
    reader then does with it is not known here, so a line in a crontab is safer with --push, which
    puts the events into the inboxes in the same transaction. Nothing due is exit status 3.
    """
    if push:
        events = list(_push(session, agent))
        if not events:
            raise NothingToDoError(verbs.NOTHING)
        session.write(events, columns=_EVENT_COLUMNS)
        return

    def print_out(events: list[NewEvent]) -> None:
        session.write(events, columns=_EVENT_COLUMNS)
        output.flush()

    verbs.due(session.store, session.clock, hand_over=print_out, agent=agent)


def _push(session: Session, agent: str | None) -> Iterator[NewEvent]:
    """Push what is due, of each agent as an operation of its life, and yield it."""
    from mindpipe.engine.dependencies import NoRules
    from mindpipe.life.operations import DUE

    known = {one.agent for one in verbs.list_(session.store, agent=agent)}
    for name in sorted(known):
        with (
            contextlib.suppress(NothingToDoError),
            session.by_rules(DUE, NoRules(), agent=name) as ports,
        ):
            yield from verbs.due_push(ports.store, ports.clock, deliver=ports.deliver, agent=name)


@command("windows", example="mind plan windows --agent ava")
@agent_of_all_option
@click.argument("plan", required=False, type=StoredId("plan"))
@limit_option(100)
def windows(session: Session, plan: str | None, agent: str | None, limit: int) -> None:
    """Print the times at which plans came due, with what became of each; of one PLAN or of all.

    The state tells of the handing over: done once the event is in the inbox, skipped where the time
    was let go or slept through (the 100 newest each time), and lost where it could not be handed
    over. The outcome tells whether what the plan expects was there.
    """
    found = verbs.windows(session.store, agent=agent, plan=plan, limit=limit)
    session.write(found, columns=_WINDOW_COLUMNS)


@command("retry", example="mind plan retry p_0Xq2yV1bT7cR5kE3mN8pLz")
@click.argument("plan", type=StoredId("plan"))
@click.argument("window", required=False, metavar="[INSTANT]")
@any_agent_option
def retry(session: Session, plan: str, window: str | None, agent: str | None) -> None:
    """Tell an agent once more of a time at which what PLAN expects was not there.

    It is the newest such time where INSTANT names none, and what has come since then counts, if
    late; with --agent only of a plan of its own. No time of it that failed is exit status 3.
    """
    from mindpipe.engine.delivery import deliver_to

    deliver = deliver_to(session.store, session.clock, session.chance, session.settings)
    again = verbs.retry(
        session.store, session.clock, plan=plan, window=window, deliver=deliver, agent=agent
    )
    session.write([again], columns=_WINDOW_COLUMNS)


@command("remove", example="mind plan remove p_0Xq2yV1bT7cR5kE3mN8pLz")
@click.argument("plan", type=StoredId("plan"))
@any_agent_option
def remove(session: Session, plan: str, agent: str | None) -> None:
    """Forget the plan with the id PLAN and print what it was; with --agent only one of its own."""
    session.write([verbs.remove(session.store, plan=plan, agent=agent)], columns=_COLUMNS)


@command("trust", example="mind plan trust --agent ava p_0Xq2yV1bT7cR5kE3mN8pLz")
@agent_option
@click.argument("plans", nargs=-1, required=True, metavar="PLAN...", type=StoredId("plan"))
@by_option
def trust(session: Session, agent: str, plans: tuple[str, ...], by: str | None) -> None:
    """Vouch for the plans with these ids, once you have read them.

    They are shown as the agent's own from then on, and taint no turn. It is recorded.
    """
    from mindpipe.context.verbs import trust as trust_verbs

    reader = trust_verbs.Reader(decider(by), session.clock)
    made = trust_verbs.trust_memories(
        session.store, reader, kind="plan", agent=agent, subjects=plans
    )
    session.write(made, columns=output.CLEARANCE)


COMMAND = group("plan", add, list_, due, windows, retry, remove, trust)
