"""The migrations of the four substrates."""

from mindpipe.core.records import Migration
from mindpipe.core.triggers import not_replaced
from mindpipe.memory.tables import edges, items, written

MIGRATIONS = (
    Migration(name="0021_memory", sql=f"{items.SCHEMA}{written.SCHEMA}{edges.SCHEMA}"),
    Migration(
        name="0041_memory_not_replaced",
        sql="".join(
            (
                not_replaced("memory_item", "number", "agent id", "agent key", silently=True),
                not_replaced("reflection", "number", "agent id", "agent key", silently=True),
                not_replaced("lesson", "number", "agent id", "agent key", silently=True),
                not_replaced("lesson_outcome", "number"),
                not_replaced("memory_entity", "number", "agent id version"),
                not_replaced("relation", "number"),
            )
        ),
    ),
    Migration(name="0048_memory_speakers", sql=items.SAID_BY_SCHEMA),
)
