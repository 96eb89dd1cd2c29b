"""Whom a server does not let in is told why, and whether it is worth trying again."""

import contextlib
import socket
import threading
from collections.abc import Iterator

import psycopg
import pytest

from support.command import Mind
from support.postgres_server import Server, programs, running

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Give a server whose words are not the driver's, with users that it lets not in."""
    with running(VERSIONS[-1]) as started:
        with psycopg.connect(started.url(), autocommit=True) as connection:
            for told in (
                "CREATE ROLE crowded LOGIN CONNECTION LIMIT 0",
                "CREATE ROLE stranger LOGIN",
                "CREATE DATABASE closed",
                "ALTER DATABASE closed ALLOW_CONNECTIONS false",
                "CREATE DATABASE private",
                "REVOKE CONNECT ON DATABASE private FROM PUBLIC",
            ):
                connection.execute(told)
        yield started


@pytest.mark.parametrize(
    ("old", "new", "status", "told"),
    [
        ("mind@", "nobody@", 69, "the server refuses"),
        ("/postgres?", "/nowhere?", 69, "Make the database, or name another"),
        ("/postgres?", "/closed?", 69, "the server refuses"),
        ("mind@/postgres?", "stranger@/private?", 4, "mind store roles"),
        ("mind@", "crowded@", 75, "Try again"),
        ("port=5432", "port=5433", 75, "Try again"),
        ("port=5432", "port=x", 2, "the store's address"),
        ("port=5432", "port=5432&sslmode=perhaps", 2, "the store's address"),
        ("port=5432", "port=5432&colour=red", 2, "the store's address"),
        ("port=5432", "service=absent", 2, "the store's address"),
        ("port=5432", "port=5432&schema=user", 2, "a word of SQL"),
        ("port=5432", "port=5432&schema=default", 2, "a word of SQL"),
    ],
)
def test_who_is_not_let_in_is_told_why(
    server: Server, mind: Mind, old: str, new: str, status: int, told: str
) -> None:
    ran = mind.run("agent", "list", "--store", server.url().replace(old, new))
    assert (ran.status, ran.words.count("\n")) == (status, 1), ran.words
    assert told in ran.words


def test_a_server_without_tls_is_not_tried_again(mind: Mind) -> None:
    with _refuses_tls() as port:
        ran = mind.run(
            "agent", "list", "--store", f"postgresql://a@127.0.0.1:{port}/b?sslmode=require"
        )
    assert (ran.status, ran.words.count("\n")) == (69, 1), ran.words
    assert "sslmode" in ran.words


def test_who_is_refused_has_asked_once(mind: Mind) -> None:
    words = b"SFATAL\0VFATAL\0C28P01\0MPasswort-Authentifizierung fehlgeschlagen\0\0"
    refusal = b"E" + (len(words) + 4).to_bytes(4, "big") + words
    with _answering(_STARTUP, refusal) as (port, asked):
        address = f"postgresql://a@127.0.0.1:{port}/b?sslmode=disable&gssencmode=disable"
        ran = mind.run("agent", "list", "--store", address)
    assert (ran.status, "a password from" in ran.words) == (69, True), ran.words
    assert len(asked) == 1


@contextlib.contextmanager
def _refuses_tls() -> Iterator[int]:
    """Give the port of what answers as a server without TLS does."""
    with _answering(8, b"N") as (port, _):
        yield port


_STARTUP = 1 << 10
"""More than a client says first."""


@contextlib.contextmanager
def _answering(size: int, answer: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Give the port of what hears so many bytes at most and answers, and what it has heard."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def listen() -> None:
            with contextlib.suppress(OSError):
                while True:
                    client, _ = listening.accept()
                    with client:
                        heard.append(client.recv(size))
                        client.sendall(answer)

        answering = threading.Thread(target=listen)
        answering.start()
        try:
            yield listening.getsockname()[1], heard
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            answering.join()
