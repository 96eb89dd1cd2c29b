"""Which server a store is on, by its address: `postgresql://user@host/database?schema=fleet`."""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from mindpipe.core.errors import UsageError

SCHEMES = ("postgresql://", "postgres://")
SCHEMA = "mindpipe"
"""The schema of a store whose address names none."""
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")


class Address(NamedTuple):
    """Where a store is: how the driver finds the server, and which schema there is the store."""

    server: str
    schema: str

    def __str__(self) -> str:
        """Return it as people give it; there is no password in it."""
        if self.schema == SCHEMA:
            return self.server
        return f"{self.server}{'&' if '?' in self.server else '?'}schema={self.schema}"


def names_a_server(store: str) -> bool:
    """Tell whether a store is named by the address of a server, and not by that of a file."""
    return store.startswith(SCHEMES)


def address_of(store: str) -> Address:
    """Return the parts of an address.

    Raises:
        UsageError: there is a password in it, which everybody on the machine could read, or a
            schema whose name would have to be quoted.
    """
    parts = urlsplit(store)
    given = parse_qsl(parts.query, keep_blank_values=True)
    if parts.password is not None or any(name == "password" for name, _ in given):
        raise UsageError(
            "the store's address has a password in it, which others could read. Take it away, and "
            "put it into ~/.pgpass, a service (pg_service.conf) or PGPASSWORD."
        )
    schema = next((value for name, value in given if name == "schema"), SCHEMA)
    if not _NAME.fullmatch(schema):
        raise UsageError(f"{schema!r} is no name of a schema: a-z, 0-9 and _, a letter first.")
    rest = urlencode([(name, value) for name, value in given if name != "schema"])
    return Address(urlunsplit(parts._replace(query=rest)), schema)
