"""Numbers of rows of all agents on a server: from sequences, so that nobody waits for another.

A file, where one writes at a time, numbers on from the last row.
"""

from pathlib import Path

from mindpipe.core.records import Migration

_SERVER = Path(__file__).parent / "postgres"


def _made(script: str) -> str:
    """Return what a script says to a server: one that was taken somewhere stays as it is."""
    return (_SERVER / f"{script}.sql").read_text("utf-8")


MIGRATIONS = (
    Migration(name="0066_numbers", sql="", postgres=_made("numbers")),
    Migration(name="0071_given_back", sql="", postgres=_made("give_back")),
)
