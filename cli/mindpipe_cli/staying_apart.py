"""Let several workers stay, each in its own process: none waits for the model of another."""

import functools
import gc
import signal

import click
import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.statuses import ExitStatus
from mindpipe.stream.forks import Ended, Forks
from mindpipe.think.records import CycleReport
from mindpipe_cli import main, output
from mindpipe_cli.session import Session
from mindpipe_cli.thinking import COLUMNS


def stay(session: Session, names: tuple[str, ...], words: dict[str, str | None]) -> None:
    """Run `mind run` for each agent, print what their cycles did, and end with them.

    `words` are the options that each is given. The first agent's process also observes. One that
    is told to stop ends alone; one that fails ends all.

    Raises:
        KeyboardInterrupt: SIGINT came.
        click.exceptions.Exit: one failed, which said why.
        UsageError: there is no such agent.
    """
    for name in names:
        agents.show(session.store, name=name)
    session.store.close()
    # What all of them will need is loaded once, and shared.
    session.tokens.count("shared")
    gc.freeze()
    everywhere = {
        key: value if value is None else str(value) for key, value in session.options.items()
    }
    failed = 0
    with Forks() as forks:
        for name in names:
            given = {**everywhere, **words, "agent": name}
            if name != names[0]:
                given["observe"] = ""
            forks.start(name, functools.partial(_live, given))
        for heard in forks.heard():
            if isinstance(heard, Ended):
                if heard.status and not failed:
                    failed = _status_of(heard)
                    forks.send(signal.SIGTERM)
            else:
                session.write([msgspec.json.decode(heard, type=CycleReport)], columns=COLUMNS)
                output.flush()
    if forks.number == signal.SIGINT:
        raise KeyboardInterrupt
    if failed:
        raise click.exceptions.Exit(failed)


def _live(given: dict[str, str | None]) -> int:
    """Run one agent's `mind run`; return its exit status."""
    options = [f"--{name}={value}" for name, value in given.items() if value is not None]
    return int(main.run(["run", "--json", *options]))


def _status_of(ended: Ended) -> int:
    """Return the exit status for one that failed; who was killed could not say so."""
    if ended.status < 0:
        output.say(f"mind run: {ended.name}'s process was ended by signal {-ended.status}.")
        return int(ExitStatus.FAILED)
    return ended.status
