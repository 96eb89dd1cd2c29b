"""Golden cases on a server: each prints what it prints with a file, but for those about files."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from support.command import ROOT, forked_mind, make_private
from support.golden_cases import CASES, NAMES, each_case, read_part, run_case
from support.postgres_server import EACH_VERSION, Server, programs, running

pytestmark = pytest.mark.skipif(not programs(), reason="there is no program of PostgreSQL")
# One case a line: what it prints is about the file of a store, or says where that is.
ABOUT_FILES = {*(ROOT / "fixtures" / "cases_about_files.txt").read_text().split()}
SHARED = [name for name in NAMES if name not in ABOUT_FILES]
EVERYDAY = SHARED[::15]
_NUMBERS = itertools.count()


@pytest.fixture(scope="module", params=EACH_VERSION)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running(request.param) as started:
        yield started


def test_what_is_said_to_be_about_files_is_a_case() -> None:
    assert ABOUT_FILES - {*NAMES} == set()
    assert len(SHARED) > 3 * len(ABOUT_FILES)


@pytest.mark.parametrize("name", each_case(EVERYDAY))
def test_a_case_prints_on_a_server_what_it_prints_with_a_file(
    name: str, server: Server, tmp_path: Path
) -> None:
    assert on_a_server(name, server, tmp_path) == wanted(name)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in SHARED if name not in EVERYDAY])
def test_every_case_prints_on_a_server_what_it_prints_with_a_file(
    name: str, server: Server, tmp_path: Path
) -> None:
    assert on_a_server(name, server, tmp_path) == wanted(name)


def wanted(name: str) -> dict[str, bytes]:
    """Return what a case prints."""
    return {part: read_part(CASES / name / part) for part in ("expout", "experr", "status")}


def on_a_server(name: str, server: Server, tmp_path: Path) -> dict[str, bytes]:
    """Run a case whose store is in a new database, and return what it prints of `mind.db`."""
    database = f"case_{next(_NUMBERS)}"
    store = server.url(database)
    script = (CASES / name / "cmd").read_text().replace("--store mind.db", '--store "$MIND_STORE"')
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database} STRATEGY file_copy".encode())
        try:
            found = run_case(
                CASES / name,
                make_private(tmp_path / "life"),
                forked_mind(),
                script=script,
                environment={"MIND_STORE": store},
            )
        finally:
            connection.execute(f"DROP DATABASE {database} WITH (FORCE)".encode())
    return {part: said.replace(store.encode(), b"mind.db") for part, said in found.items()}
