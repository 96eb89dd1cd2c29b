"""Numbers of rows of all agents on a server: from sequences, so that nobody waits for another.

A file, where one writes at a time, numbers on from the last row.
"""

from pathlib import Path

from mindpipe.core.records import Migration

NUMBERS = Path(__file__).parent / "postgres" / "numbers.sql"
"""Makes the sequences of a server, and what takes numbers from them."""

MIGRATIONS = (Migration(name="0066_numbers", sql="", postgres=NUMBERS.read_text("utf-8")),)
