"""Where a store is: a file, or a schema of a server, `postgresql://user@host/base?schema=fleet`."""

import re
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.errors import UnavailableError, UsageError

SCHEMES = ("postgresql://", "postgres://")
SCHEMA = "mindpipe"
"""The schema of a store whose address names none."""
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_OF_OTHERS = re.compile(r"pg_|(?:public|information_schema)\Z")
"""Schemas that are the server's own, or everybody's."""
_OTHER_KIND = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*:/|\s*(?:host|hostaddr|port|dbname|user|service|password) ?="
)
_SECRET = (
    "password",
    "sslpassword",
    "scram_client_key",
    "scram_server_key",
    "oauth_client_secret",
)


class Address(NamedTuple):
    """Where a store is: how the driver finds the server, and which schema there is the store."""

    server: str
    schema: str

    def __str__(self) -> str:
        """Return it as people give it; there is no password in it."""
        if self.schema == SCHEMA:
            return self.server
        return f"{self.server}{'&' if '?' in self.server else '?'}schema={self.schema}"


Where = Path | Address
"""Where a store is."""


def where_of(name: str) -> Where:
    """Return where a store is that has this name.

    Raises:
        UnavailableError: it is on a server, whose driver is not installed.
        UsageError: see `address_of`; or it is an address of another kind.
    """
    if not name.startswith(SCHEMES):
        if _OTHER_KIND.match(name):
            raise UsageError(
                "the store's name is no file, nor an address that is known: one on a server is "
                "postgresql://USER@HOST/DATABASE, see mind help server."
            )
        return Path(name)
    from importlib.util import find_spec

    if find_spec("psycopg") is None:
        raise UnavailableError(
            "a store on a server needs the extra postgres: pip install '.[postgres]' in mindpipe's "
            "folder."
        )
    return address_of(name)


def is_there(where: Where) -> bool:
    """Tell whether a file is there; what is on a server is found out by whoever opens it."""
    return isinstance(where, Address) or where.exists()


def file_of(where: Where) -> Path:
    """Return the file of a store.

    Raises:
        UnavailableError: it is on a server, and what is wanted is about a file.
    """
    if isinstance(where, Path):
        return where
    raise UnavailableError(
        "this is about a store's file, and a server has none; mind help server says what to do "
        "there instead."
    )


def address_of(store: str) -> Address:
    """Return the parts of an address.

    Raises:
        UsageError: there is a password in it, which everybody on the machine could read, or a
            schema whose name would have to be quoted, or that others use, too.
    """
    from urllib.parse import parse_qsl, quote, urlencode, urlsplit

    try:
        parts = urlsplit(store)
    except ValueError as error:
        raise UsageError(f"the store's address: {error}.") from None
    given = parse_qsl(parts.query, keep_blank_values=True)
    if "@" in f"{parts.path}{parts.query}" or parts.fragment or "%00" in store:
        # It may be the end of a password, which is not repeated.
        raise UsageError(
            "the store's address has one of / ? # @ where none belongs; within a name it is %2F, "
            "%3F, %23 or %40, and no password stands in an address."
        )
    if parts.password is not None or any(name in _SECRET for name, _ in given):
        raise UsageError(
            "the store's address has a password in it, which others could read. Take it away, and "
            "put it into ~/.pgpass, a service (pg_service.conf) or PGPASSWORD."
        )
    schema, *others = [value for name, value in given if name == "schema"] or [SCHEMA]
    if others:
        raise UsageError("the store's address names two schemas; leave one out.")
    if not _NAME.fullmatch(schema):
        raise UsageError(
            f"{schema!r} is no name of a schema: a-z, 0-9 and _, a letter first, at most 63."
        )
    if _OF_OTHERS.match(schema):
        raise UsageError(
            f"schema {schema} is not a store's alone; name another one (?schema=), or none."
        )
    # A server takes %20 for a space and nothing else, and may have no host (a service names one).
    options = [(name, value) for name, value in given if name != "schema"]
    rest = urlencode(options, quote_via=quote)
    server = f"{parts.scheme}://{parts.netloc}{parts.path}"
    return Address(f"{server}?{rest}" if rest else server, schema)
