"""The migrations of the four substrates."""

from mindpipe.core.records import Migration
from mindpipe.memory.tables import edges, items, written

MIGRATIONS = (Migration(name="0021_memory", sql=f"{items.SCHEMA}{written.SCHEMA}{edges.SCHEMA}"),)
