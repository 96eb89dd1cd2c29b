"""The name that the connections of a worker have on a server: `mind run PID@HOST …`.

A server takes 63 octets of ASCII for a name and shows it to everybody: who it is comes first, and
of the agents for whom it is there as many as have room. Somebody may give a name of his own in the
address; a pooler shows that of whoever asked last.
"""

import binascii
import contextlib
import re
from collections.abc import Iterator

from mindpipe.core.instants import later, seconds_between
from mindpipe.store.address import Address
from mindpipe.store.postgres.connection import connect, named_as, server_errors
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.store.records import Presence

_MOST, _MOST_OF_HOST = 63, 20
_CUT = ".."
_EPOCH = "1970-01-01T00:00:00Z"
_NAME = re.compile(r"mind run ([0-9]+)@(\S*) ([0-9a-f]+)([0-9a-f]{4}) (.*)")
_SHOWN = (
    "SELECT DISTINCT application_name FROM pg_stat_activity "
    "WHERE datname = current_database() AND starts_with(application_name, 'mind run ')"
)


@contextlib.contextmanager
def named(store: PostgresStore, who: Presence) -> Iterator[None]:
    """Let the connections of this process have the name of a worker until the block ends."""
    named_as(store.address, name_of(who, store.address))
    store.connect_anew()
    try:
        yield
    finally:
        named_as(store.address, None)


def shown(address: Address) -> list[Presence]:
    """Return the workers of a store whose connections a server shows."""
    with server_errors(address), connect(address) as connection:
        names = [str(name) for (name,) in connection.execute(_SHOWN)]
    return [who for name in names if (who := who_has(name, address)) is not None]


def name_of(who: Presence, address: Address) -> str:
    """Return the name of a worker's connections: of a long host the first word, or its end."""
    host = who.host.partition(".")[0][-_MOST_OF_HOST:]
    since = f"{int(seconds_between(_EPOCH, who.since)):x}{_mark(address)}"
    whole = f"mind run {who.pid}@{host} {since} {','.join(who.names)}"
    plain = whole.encode("ascii", "replace").decode()
    return plain if len(plain) <= _MOST else f"{plain[: _MOST - len(_CUT)]}{_CUT}"


def who_has(name: str, address: Address) -> Presence | None:
    """Return the worker that has a name, None where it is none of this store's.

    Of an agent whose name was cut, all are meant that begin so.
    """
    found = _NAME.fullmatch(name)
    if found is None or found[4] != _mark(address):
        return None
    since = later(_EPOCH, seconds=int(found[3], 16))
    *names, last = found[5].split(",")
    if len(name) == _MOST and last.endswith(_CUT):
        begun = last.removesuffix(_CUT).rstrip("*")
        last = f"{begun}*" if begun else ""
    told = (*names, last) if last else tuple(names)
    return Presence(host=found[2], pid=int(found[1]), since=since, names=told)


def _mark(address: Address) -> str:
    """Return what tells the stores of a database apart, as far as so little can."""
    return f"{binascii.crc_hqx(address.schema.encode(), 0):04x}"
