"""`mind doctor`: what is wrong with a store, its agents, keys, disks and clocks, and what to do."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from mindpipe.core.errors import UsageError
from mindpipe_cli.command import command
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.ports import Clock
    from mindpipe.monitoring.verbs.doctor import Look
    from mindpipe.store.records import StoreFinding

_COLUMNS = ("about", "check", "verdict", "found", "advice")


@command("doctor", example="mind doctor --online")
@click.option(
    "--online", is_flag=True, help="Also ask providers for their lists of models, which is free."
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Also look at a Ray cluster: local, ray://HOST:PORT or HOST:PORT.",
)
@click.option(
    "--population",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="A folder of persons that every node of the cluster has to see.",
)
def COMMAND(session: Session, cluster: str | None, population: str | None, *, online: bool) -> None:
    """Look over this machine, the settings, the store, its agents and the models they name.

    One line says of each thing whether it is ok, deserves a look (note) or is wrong (bad), and
    what to do. Nothing is written, and without --online nobody is asked. Ends with 1 if anything is
    wrong, also where a store is damaged or in RECOVERY. Without a store the rest is looked at; with
    the address of a server (postgresql://…) its settings, clock, connections and dead rows. With
    --cluster each node is asked for its versions and clock, and what it sees of --population.
    """
    from mindpipe.monitoring.verbs import doctor

    if population is not None and cluster is None:
        raise UsageError("--population is for --cluster.")
    found = [
        *doctor.doctor(_looks(session, online=online)),
        *doctor.doctor(_cluster(cluster, population)),
    ]
    session.write(found, columns=_COLUMNS)
    doctor.raise_wrong(found)


def _looks(session: Session, *, online: bool) -> "Iterator[Look]":
    """Yield what is looked at, each independent of the others."""
    from mindpipe.monitoring.checks import agents, machine, models
    from mindpipe.monitoring.verbs.doctor import Look

    yield Look("settings", lambda: _settings(session))
    yield Look("machine", lambda: machine.look(_clock(session)))
    yield Look("store", lambda: _store(session))
    yield Look("agents", lambda: agents.look(session.where, session.clock, session.settings))
    yield Look("models", lambda: _models(session))
    if online:
        yield Look("models", lambda: models.asked(session.app.models))


def _cluster(address: str | None, population: str | None) -> "Iterator[Look]":
    """Yield the look at a cluster, where one is named."""
    from mindpipe.core.errors import UnavailableError
    from mindpipe.monitoring.verbs.doctor import Look

    def look() -> "Iterator[StoreFinding]":
        if find_spec("ray") is None or find_spec("pyarrow") is None:
            raise UnavailableError(
                "a cluster needs the extra ray. Run pip install '.[ray]' in mindpipe's folder."
            )
        from mindpipe.monitoring.checks.cluster import look

        yield from look(str(address), population)

    if address is not None:
        yield Look("cluster", look)


def _clock(session: Session) -> "Clock":
    """Return the clock of this machine, also where a store goes by its server's.

    Settings that cannot be read say nothing of it.
    """
    from mindpipe.core.errors import BadInputError
    from mindpipe.io.clock import make_clock

    try:
        return make_clock(session.settings.now)
    except BadInputError:
        return make_clock(None)


def _settings(session: Session) -> "Iterator[StoreFinding]":
    """Check all that is set here, as mind config check does."""
    from mindpipe.core.errors import BadInputError
    from mindpipe.engine.verbs import config
    from mindpipe.store.records import StoreFinding

    if problems := config.check(session.settings):
        raise BadInputError(problems)
    given = sum(value.source != "default" for value in session.settings.all())
    yield StoreFinding(check="settings", verdict="ok", found=f"{given} given")


def _store(session: Session) -> "Iterator[StoreFinding]":
    """Look at the store; that there is none is only wrong where somebody named it."""
    from mindpipe.store.address import Address, is_there
    from mindpipe.store.records import StoreFinding
    from mindpipe.store.verbs import store

    where = session.where
    if not is_there(where) and not session.settings.is_given("store"):
        advice = "mind init makes one; --store names another."
        yield StoreFinding(check="store", verdict="note", found=f"no {where} here", advice=advice)
        return
    yield from store.look(where, session.clock)
    if not isinstance(where, Address):
        yield store.recovery_mode(where)


def _models(session: Session) -> "Iterator[StoreFinding]":
    """Look at the keys that are kept, and at each model that settings and agents name."""
    from mindpipe.io.stored_keys import StoredKeys
    from mindpipe.model_access import models_file_of
    from mindpipe.monitoring.checks import agents, models
    from mindpipe.spending import verbs as spending

    variables = models_file_of(session.settings).key_variables_set(os.environ)
    stored = StoredKeys(os.environ)
    yield models.keys(spending.key(stored, "list", name=None, given=None, variables=variables))
    catalog = session.app.models
    named = dict.fromkeys([*catalog.named(), *agents.models_named(session.where)])
    yield from models.required(catalog, named)
    if (embedder := catalog.embedder()) is not None:
        yield models.is_there(embedder.name)
