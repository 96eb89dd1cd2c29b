"""`mind run mode` and `mind run timing`: how a loop attends, and how long it pauses."""

from collections.abc import Iterator

import click
import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.records import Record
from mindpipe.loop.checkpoints import mean
from mindpipe.loop.records import Mode, Session
from mindpipe.loop.timing import Load, Pace, TimingRules, pace
from mindpipe.loop.verbs import iterations, moding, sessions
from mindpipe.wiring.loop_rules import timing_rules
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    agent_option,
    any_agent_option,
    explain_option,
    limit_option,
    reason_option,
)
from mindpipe_cli.session import Session as CliSession

_MODES = tuple(mode.value for mode in Mode)
_NOW = ("agent", "mode", "since", "by", "held", "reason")
_CHANGED = ("agent", "at", "before", "after", "by", "reason")
_PACE = ("mode", "seconds", "by")
_PARTS = ("part", "value", "factor", "seconds")


class ModeNow(Record):
    """The mode of an agent's loop, since when, by whom and why; `held` until a person sets it."""

    agent: str
    mode: Mode
    since: str | None = None
    by: str | None = None
    reason: str | None = None
    held: bool = False


class Part(Record):
    """One factor of a pause: its value, what that multiplies by, and the seconds up to here.

    `value` is not there where nothing was measured, as of the base.
    """

    part: str
    value: float | str | msgspec.UnsetType = msgspec.UNSET
    factor: float
    seconds: float


class Wish(Record):
    """What a pause is reckoned from; what is not given is that of the agent, if one is named."""

    agent: str | None = None
    mode: Mode | None = None
    rate: float | None = None
    queue: float | None = None
    mean_queue: float | None = None
    took: float | None = None
    mean_seconds: float | None = None
    urgent: bool = False
    explain: bool = False


@command("mode", example="mind run mode sleep --agent ava --reason 'quiet night'")
@click.argument("mode", required=False, type=click.Choice(_MODES), metavar="[MODE]")
@agent_option
@reason_option(required=False)
@click.option("--log", is_flag=True, help="All changes that are kept, the oldest first.")
@limit_option(100)
def mode(
    session: CliSession,
    mode: str | None,
    agent: str,
    reason: str | None,
    limit: int,
    *,
    log: bool,
) -> None:
    """Show the mode of an agent's loop, or set it to MODE; a loop that runs takes it up at once.

    Modes are normal, deep_focus, exploration, overload and sleep; recovery comes after a crash
    only. Sleep and deep_focus stay until a person sets another mode: in such a sleep nothing but
    events of priority 0-2, and what waited too long, is taken up. The others end by themselves,
    and normal lets the loop choose again. Each change is kept with who made it and why.
    """
    agents.show(session.store, name=agent)
    if log and mode is not None:
        raise click.UsageError("--log shows changes; leave out the mode.")
    if log:
        session.write(moding.list_(session.store, agent=agent, limit=limit), columns=_CHANGED)
    elif mode is not None:
        made = moding.change(
            session.store,
            session.clock,
            agent=agent,
            after=Mode(mode),
            by="operator",
            reason=reason or "set by hand",
        )
        session.write([made], columns=_CHANGED)
    else:
        session.write([_now(session, agent)], columns=_NOW)


@command("timing", example="mind run timing --explain --rate 12 --queue 60 --took 0.2")
@any_agent_option
@click.option("--mode", type=click.Choice(_MODES), help="The mode [normal].")
@click.option("--rate", type=click.FloatRange(0), metavar="N", help="Events that come a second.")
@click.option("--queue", type=click.FloatRange(0), metavar="N", help="Events that wait.")
@click.option(
    "--mean-queue", type=click.FloatRange(0), metavar="N", help="The average of these before."
)
@click.option(
    "--took", type=click.FloatRange(0), metavar="S", help="Seconds of the last iteration."
)
@click.option(
    "--mean-seconds", type=click.FloatRange(0), metavar="S", help="The average of these before."
)
@click.option("--urgent", is_flag=True, help="Something of priority 0-2 waits.")
@explain_option
def timing(session: CliSession, **wishes: object) -> None:
    """Print how long a loop pauses after an iteration, in seconds.

    pause = base x arrivals x queue x load x mode, between loop.min_interval_ms and
    loop.max_interval_ms; none where something urgent waits. Queue and load are moving averages
    that start at their first value. With --explain each factor has a line. With --agent what is not
    given is what its loop last knew.
    """
    wish = msgspec.convert(wishes, Wish)
    rules = timing_rules(session.settings)
    known = _known(session, wish.agent)
    load = Load(
        mode=wish.mode or known.mode,
        rate=_rate(session, wish),
        mean_queue=_mean(wish.mean_queue, known.mean_queue, wish.queue, rules),
        mean_seconds=_mean(wish.mean_seconds, known.mean_seconds, wish.took, rules),
        urgent=wish.urgent,
    )
    found = pace(load, rules)
    if wish.explain:
        session.write(_parts(found), columns=_PARTS)
    else:
        session.write([found], columns=_PACE)


def _now(session: CliSession, agent: str) -> ModeNow:
    """Return the mode of an agent's loop."""
    last = moding.last(session.store, agent=agent)
    if last is None:
        return ModeNow(agent=agent, mode=Mode.NORMAL)
    held = moding.is_held(last)
    return ModeNow(
        agent=agent, mode=last.after, since=last.at, by=last.by, reason=last.reason, held=held
    )


def _known(session: CliSession, agent: str | None) -> Session:
    """Return what an agent's loop last knew, or nothing."""
    if agent is None:
        return Session(agent="", at="")
    agents.show(session.store, name=agent)
    now = moding.mode_of(moding.last(session.store, agent=agent))
    saved = sessions.load(session.store, agent=agent) or Session(agent=agent, at="")
    return msgspec.structs.replace(saved, mode=now)


def _rate(session: CliSession, wish: Wish) -> float | None:
    """Return the rate of arrivals, that of the agent's last iteration if none is given."""
    if wish.rate is not None or wish.agent is None:
        return wish.rate
    last = iterations.list_(session.store, agent=wish.agent, limit=1)
    return last[0].rate if last else None


def _mean(
    given: float | None, known: float | None, newest: float | None, rules: TimingRules
) -> float | None:
    """Return a moving average with its newest value, if there is one."""
    before = known if given is None else given
    return before if newest is None else mean(before, newest, weight=rules.smoothing)


def _parts(found: Pace) -> Iterator[Part]:
    """Yield the factors of a pause in their order, and what came of them."""
    seconds = found.base
    yield Part(part="base", factor=1.0, seconds=seconds)
    for part, value, factor in (
        ("arrivals", found.rate, found.rate_factor),
        ("queue", found.mean_queue, found.queue_factor),
        ("load", found.mean_seconds, found.load_factor),
        ("mode", found.mode.value, found.mode_factor),
    ):
        seconds *= factor
        shown = round(value, 6) if isinstance(value, float) else value
        measured = msgspec.UNSET if shown is None else shown
        yield Part(part=part, value=measured, factor=factor, seconds=round(seconds, 6))
    yield Part(part="pause", value=found.by, factor=1.0, seconds=round(found.seconds, 6))
