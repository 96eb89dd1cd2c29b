"""PgBouncer in transaction mode in front of a server of the tests, where the program is there."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator

import psycopg

from support.postgres_server import Server, unprivileged

_PORT = 6432
_PATIENCE = 60
# Fewer connections than there are clients, so that each transaction may get another one.
_SETTINGS = """\
[databases]
* = host={folder} port=5432
[pgbouncer]
listen_port = {port}
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 2
server_round_robin = 1
"""


def program() -> str | None:
    """Return the program, or None where this machine has none."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@contextlib.contextmanager
def pooled(server: Server) -> Iterator[str]:
    """Give the address of the database behind a pooler while the block lasts."""
    found = program()
    assert found is not None
    settings = server.folder / "pgbouncer.ini"
    settings.write_text(_SETTINGS.format(folder=server.folder, port=_PORT))
    (server.folder / "users").write_text('"mind" ""\n')
    for file in (settings, server.folder / "users"):
        file.chmod(0o644)
    address = server.url().replace("port=5432", f"port={_PORT}")
    with (
        (server.folder / "pgbouncer.log").open("wb") as log,
        subprocess.Popen([*unprivileged(), found, str(settings)], stdout=log, stderr=log) as it,
    ):
        try:
            until = time.monotonic() + _PATIENCE
            while not _answers(address):
                assert time.monotonic() < until, (server.folder / "pgbouncer.log").read_text()
                assert it.poll() is None, (server.folder / "pgbouncer.log").read_text()
                time.sleep(0.05)
            yield address
        finally:
            it.kill()


def _answers(address: str) -> bool:
    try:
        psycopg.connect(address, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True
