"""A server that is spoken with over TLS: who it is is checked as far as the address asks."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command import Mind
from support.postgres_server import FAST, Server, give_away, programs, running


def _speaks_tls(programs: Path) -> bool:
    """Tell whether a server was built with TLS."""
    asked = [programs / "pg_config", "--configure"]
    return b"ssl" in subprocess.run(asked, capture_output=True, check=False).stdout


VERSIONS = sorted(version for version, folder in programs().items() if _speaks_tls(folder))
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not VERSIONS, reason="there is no PostgreSQL that was built with TLS"),
    pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl for certificates"),
]
_NAMED = "localhost"
_SETTINGS = (*FAST, "listen_addresses=127.0.0.1", "ssl=on")
_LET_IN = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n"


_CERTIFICATE = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
    f"-subj /CN={_NAMED} -addext subjectAltName=DNS:{_NAMED} -keyout server.key -out server.crt"
)


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Give the papers of a server, which vouch for themselves, and those of another one."""
    folders = {name: tmp_path_factory.mktemp(name) for name in ("known", "other")}
    for folder in folders.values():
        subprocess.run(_CERTIFICATE.split(), cwd=folder, check=True, capture_output=True)
    return folders


@pytest.fixture(scope="module", params=VERSIONS)
def server(request: pytest.FixtureRequest, papers: dict[str, Path]) -> Iterator[Server]:
    """Give a server of each version that lets others in over TLS alone."""

    def prepare(data: Path) -> None:
        for paper in papers["known"].iterdir():
            taken = Path(shutil.copy(paper, data))
            taken.chmod(0o600)
            give_away(taken)
        (data / "pg_hba.conf").write_text(_LET_IN)

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running(request.param, settings=_SETTINGS, port=port, prepare=prepare) as started:
        yield started


def address(server: Server, host: str, **parameters: object) -> str:
    """Return the address of the server over the network."""
    told = "&".join(f"{name}={value}" for name, value in parameters.items())
    return f"postgresql://mind@{host}:{server.port}/postgres?{told}"


def test_a_server_that_is_known_is_sound(
    server: Server, mind: Mind, papers: dict[str, Path]
) -> None:
    store = address(
        server, _NAMED, sslmode="verify-full", sslrootcert=papers["known"] / "server.crt"
    )
    assert mind.run("init", "--store", store).status == 0
    looked = mind.run("doctor", "--store", store, "--json")
    (found,) = [one for one in looked.records() if one["check"] == "encryption"]
    assert (found["verdict"], found["found"]) == ("ok", "TLS, verify-full")


@pytest.mark.parametrize(
    ("host", "mode", "issuer", "told"),
    [
        (_NAMED, "verify-full", "other", "cannot be trusted as asked"),
        ("127.0.0.1", "verify-full", "known", "cannot be trusted as asked"),
        (_NAMED, "disable", "known", "the server refuses"),
    ],
)
def test_who_is_not_who_was_asked_for_is_told_nothing(
    server: Server,
    mind: Mind,
    papers: dict[str, Path],
    host: str,
    mode: str,
    issuer: str,
    told: str,
) -> None:
    store = address(server, host, sslmode=mode, sslrootcert=papers[issuer] / "server.crt")
    ran = mind.run("agent", "list", "--store", store)
    assert (ran.status, ran.words.count("\n")) == (69, 1), ran.words
    assert told in ran.words
