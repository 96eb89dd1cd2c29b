"""Let a worker stay: recover first, hear its signals, and print what each cycle did."""

import os
import signal
from pathlib import Path

import msgspec

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.instants import normal_instant
from mindpipe.core.records import Record
from mindpipe.loop.records import Bounds, Mode
from mindpipe.loop.verbs import living, moding
from mindpipe.person.verbs import keeping
from mindpipe.wiring import staying
from mindpipe.wiring.endable import EndableClock
from mindpipe.wiring.phases import Wish
from mindpipe.wiring.recovery import Recovery
from mindpipe.wiring.stopping import Stop, StoppedError, stop_of
from mindpipe.wiring.worker import Workshop
from mindpipe.wiring.workers import lost_lives
from mindpipe_cli import output, staying_apart
from mindpipe_cli.session import Session
from mindpipe_cli.thinking import COLUMNS
from mindpipe_cli.version import VERSION


class Stay(Record):
    """What the options of `mind run` ask for."""

    agents: tuple[str, ...]
    model: str | None = None
    record: str | None = None
    once: bool = False
    cycles: int | None = None
    until: str | None = None
    observe: str | None = None
    together: bool = False


def stay(session: Session, wish: Stay) -> None:
    """Live cycles until the wish is met or a signal comes; SIGTERM is an orderly end.

    Several agents live in a process each, unless the end counts what all of them did.

    Raises:
        NothingToDoError: with --once, nothing was due at all.
        RefusedError: the agent is a simulated person.
        KeyboardInterrupt: SIGINT came.
    """
    names = tuple(dict.fromkeys(wish.agents))
    for name in names:
        keeping.require_none(session.store, agent=name)
    until = None if wish.until is None else normal_instant(wish.until)
    if len(names) > 1 and not (wish.once or wish.cycles or wish.together):
        _recover(session)
        words = {"model": wish.model, "record": wish.record, "observe": wish.observe}
        staying_apart.stay(session, names, {**words, "until": until})
        return
    bounds = Bounds(once=wish.once, cycles=wish.cycles, until=until)
    lived = 0
    with stop_of(session.settings) as stop:
        try:
            lived = _live(session, stop, msgspec.structs.replace(wish, agents=names), bounds)
        except StoppedError:
            if stop.number == signal.SIGINT:
                raise KeyboardInterrupt from None
            return
    if wish.once and not lived:
        raise NothingToDoError(f"nothing is due for {', '.join(names)}.")


def _live(session: Session, stop: Stop, wish: Stay, bounds: Bounds) -> int:
    """Recover if an earlier worker crashed, then stay; return how many cycles were lived."""
    lost = _recover(session)
    lost |= {name for name in wish.agents if _is_recovering(session, name)}
    shop = Workshop(
        settings=session.settings,
        environment=os.environ,
        clock=EndableClock(session.clock, stop),
        chance=session.chance,
    )
    record = Path(wish.record) if wish.record else None
    observe = wish.observe
    if observe is None:
        observe = session.settings.text("observe.config")
    house = staying.Household(
        wishes=[Wish(name, wish.model, record) for name in wish.agents],
        program=VERSION,
        mending=lost,
        observe=Path(observe) if observe else None,
    )
    lived = 0
    with staying.staying(shop, session.store, stop, house, tell=_tell) as workers:
        if output.on_terminal("stderr") and not bounds.once:
            _tell(f"waits for what comes to {', '.join(wish.agents)}; Ctrl-C ends it.")
        for report in living.run(workers, bounds=bounds):
            lived += session.write([report], columns=COLUMNS)
            output.flush()
    return lived


def _recover(session: Session) -> set[str]:
    """Put right what crashed workers left, and return whose they were."""
    lost = {life.agent for life in lost_lives(session.store_path, session.clock)}
    recovery = Recovery(session.store_path, session.clock, session.chance, session.settings)
    for found in recovery.after_crash():
        if found.verdict != "ok":
            _tell(f"recovered: {found.check}: {found.found}.")
    return lost


def _is_recovering(session: Session, name: str) -> bool:
    """Tell whether somebody else put right what an agent's worker left, and no life began since."""
    return moding.mode_of(moding.last(session.store, agent=name)) is Mode.RECOVERY


def _tell(words: str) -> None:
    """Say why the worker waits, or what it found."""
    output.say(f"mind run: {words}")
