"""A server whose clock is set while others go by it, and processes each on a machine of its own."""

import os

import psycopg

from mindpipe.store.postgres import clock
from support import lasting_server
from support.postgres_server import Server

_STEP = "(SELECT seconds FROM public.step)"


def _machine() -> str:
    return f"the machine of {os.getpid()}"


def step_to(server: Server, seconds: float) -> None:
    """Let the clock of a server be so many seconds ahead of what it is."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS public.step(seconds double precision)")
        # Whoever asks meanwhile finds the one before or this one.
        with connection.transaction():
            connection.execute("DELETE FROM public.step")
            connection.execute("INSERT INTO public.step VALUES(%s)", [seconds])


PATCHES = (
    (clock, "process_place", _machine),
    (clock, "INSTANT", f"{clock.INSTANT} + {_STEP}"),
    *lasting_server.PATCHES,
)
