"""Look at the machine: Python, SQLite, what is installed beside it, its clocks and time zones."""

import importlib.util
import sys
import time
import zoneinfo
from collections.abc import Iterator, Mapping

from mindpipe.core.instants import parse_instant
from mindpipe.core.ports import Clock
from mindpipe.core.version import RELEASED, VERSION
from mindpipe.store.check import sqlite
from mindpipe.store.place import abilities
from mindpipe.store.records import StoreFinding

EXTRAS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "arrow": ("populations of persons in columns (mind simulate --format arrow)", ("pyarrow",)),
    "embed": (
        "recall by meaning without a server (mind models fetch)",
        ("threadpoolctl", "tokenizers"),
    ),
    "keyring": ("keys in the keyring of the desktop (mind models key)", ("keyring",)),
    "mcp": ("tools of MCP servers, and mind mcp serve", ("mcp",)),
    "nlp": ("a reader that parses English (knowledge.reader = parsed)", ("spacy",)),
    "plot": ("pictures (mind simulate plot --output)", ("matplotlib",)),
    "postgres": ("a store on a PostgreSQL server (--store postgresql://…)", ("psycopg",)),
    "ray": ("populations on a Ray cluster (mind simulate tick --cluster)", ("pyarrow", "ray")),
    "stats": ("questions over populations in columns (mind simulate stats)", ("duckdb", "pyarrow")),
}
"""The extras of the package: what each gives, and the modules by which it is known to be there."""

_ZONES = ("Europe/Berlin", "America/New_York")


def look(clock: Clock) -> Iterator[StoreFinding]:
    """Judge what all commands on this machine stand on; `clock` is the one they go by."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield StoreFinding(check="python", verdict="ok", found=f"{python}, mindpipe {VERSION}")
    yield sqlite()
    yield from extras()
    yield _wall_clock(clock)
    yield _boot_clock(clock)
    yield _zones()
    yield from abilities()


def extras() -> Iterator[StoreFinding]:
    """Say which extras are installed, and what each of the others would give."""
    missing = {
        name: gives
        for name, (gives, modules) in EXTRAS.items()
        if any(importlib.util.find_spec(one) is None for one in modules)
    }
    there = ", ".join(name for name in EXTRAS if name not in missing)
    yield StoreFinding(check="extras", verdict="ok", found=there or "none")
    for name, gives in missing.items():
        advice = f"If you want that: pip install '.[{name}]' in mindpipe's folder."
        found = f"not installed; it gives {gives}"
        yield StoreFinding(check=f"extra {name}", verdict="ok", found=found, advice=advice)


def _wall_clock(clock: Clock) -> StoreFinding:
    """Judge whether the wall clock can be right at all: the program is no older than this."""
    now = clock.now()
    if parse_instant(now) >= parse_instant(f"{RELEASED}T00:00:00Z"):
        return StoreFinding(check="wall clock", verdict="ok", found=now)
    return StoreFinding(
        check="wall clock",
        verdict="bad",
        found=f"{now}, before mindpipe {VERSION} was released ({RELEASED})",
        advice="Set the clock (timedatectl); leases go by another one, plans and days by this.",
    )


def _boot_clock(clock: Clock) -> StoreFinding:
    """Judge the clock that leases go by: it must count sleep and know which boot it is of."""
    moment = clock.boot()
    if moment.boot == "unknown":
        return StoreFinding(
            check="boot clock",
            verdict="note",
            found="this system tells no boot id",
            advice="After a restart of the machine, run mind store recover before any worker.",
        )
    if not hasattr(time, "CLOCK_BOOTTIME"):
        advice = "A lease that was held when the machine slept lasts longer by the sleep."
        found = "it stands still while the machine sleeps"
        return StoreFinding(check="boot clock", verdict="note", found=found, advice=advice)
    found = f"{moment.seconds:.0f} s since boot"
    return StoreFinding(check="boot clock", verdict="ok", found=found)


def _zones() -> StoreFinding:
    """Judge whether time zones are known, which plans and lives go by."""
    for name in _ZONES:
        try:
            zoneinfo.ZoneInfo(name)
        except (zoneinfo.ZoneInfoNotFoundError, OSError, ValueError):
            return StoreFinding(
                check="time zones",
                verdict="bad",
                found=f"{name} is not known here",
                advice="Install the package tzdata (pip install tzdata).",
            )
    return StoreFinding(check="time zones", verdict="ok", found="known")
