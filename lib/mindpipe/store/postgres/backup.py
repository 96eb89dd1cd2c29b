"""`mind store backup` of a store on a server: PostgreSQL's own pg_dump, of its schema alone."""

import contextlib
import os
import re
import shutil
from pathlib import Path

from mindpipe.core.errors import InputOutputError, UnavailableError
from mindpipe.core.ports import Limits, ProgramCall, ProgramRun
from mindpipe.io.programs import LocalPrograms
from mindpipe.store.address import Address
from mindpipe.store.backup import new_file, require_backup
from mindpipe.store.postgres.connection import connect
from mindpipe.store.postgres.schema import version_of
from mindpipe.store.records import Copied

_SECONDS = 24 * 3600
_LARGEST = 1 << 50
_VERSION = re.compile(rb"\(PostgreSQL\) (\d+)")


def backup(address: Address, *, file: Path) -> Copied:
    """Copy the store, as it is at one moment, into a new private file in pg_dump's custom form.

    Raises:
        RefusedError: the file is there already.
        UnavailableError: there is no pg_dump, or none as new as the server; or there is no store.
        InputOutputError: it failed, or what it wrote cannot be read.
    """
    with contextlib.closing(connect(address)) as connection:
        version = version_of(connection, address)
        major = connection.info.server_version // 10_000
    program = _program(major)
    with new_file(file) as temporary:
        _run(
            program,
            *("--format=custom", "--no-password", "--no-unlogged-table-data"),
            *(f"--schema={address.schema}", f"--file={temporary}", f"--dbname={address.server}"),
        )
        _run(program.with_name("pg_restore"), "--list", str(temporary))
        return Copied(file=str(file), bytes=temporary.stat().st_size, schema=version)


def restoring(address: Address, *, file: Path) -> UnavailableError:
    """Return the error that says by which command a backup becomes a store again.

    Raises:
        UnavailableError: the backup is missing.
    """
    require_backup(file)
    return UnavailableError(
        "a backup of a server is restored by PostgreSQL's own program into a database without "
        f"schema {address.schema}, and no worker may go on in the old one. Run pg_restore "
        f"--exit-on-error --single-transaction --dbname='{address.server}' '{file}'"
    )


def _program(major: int) -> Path:
    """Return the pg_dump of this machine.

    Raises:
        UnavailableError: there is none, or it is older than the server.
    """
    advice = (
        f"Install PostgreSQL's client programs {major} or newer (Debian: "
        f"postgresql-client-{major}), and have their folder first in PATH."
    )
    found = shutil.which("pg_dump")
    if found is None:
        raise UnavailableError(f"a server is backed up by pg_dump, and there is none. {advice}")
    said = _VERSION.search(_run(Path(found), "--version").stdout)
    if said is None or int(said[1]) < major:
        which = said[1].decode() if said else "of no known version"
        raise UnavailableError(
            f"pg_dump is {which} and the server is {major}, which it cannot read. {advice}"
        )
    return Path(found)


def _run(program: Path, *arguments: str) -> ProgramRun:
    """Run one of PostgreSQL's programs, which finds passwords where the driver does."""
    call = ProgramCall(
        argv=(str(program), *arguments),
        seconds=_SECONDS,
        environment=dict(os.environ),
        private_folder=False,
        limits=Limits(cpu_seconds=_SECONDS, file_bytes=_LARGEST),
    )
    ran = LocalPrograms().run(call)
    if ran.status != 0:
        lines = ran.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise InputOutputError(f"{program.name} failed: {lines[0].partition(': ')[2] or lines[0]}")
    return ran
