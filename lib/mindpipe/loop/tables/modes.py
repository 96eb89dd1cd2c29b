"""Rows of changes of mode, with who made them and why; their table is made beside iterations."""

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.loop.records import ModeChange

_COLUMNS = ", ".join(f'"{name}"' for name in ModeChange.__struct_fields__)
_MARKS = ", ".join(f":{name}" for name in ModeChange.__struct_fields__)


def insert_change(rows: Rows, change: ModeChange, *, keep: int) -> None:
    """Add a change; of its agent the newest `keep` stay."""
    rows.run(
        f"INSERT INTO mode_change({_COLUMNS}) VALUES({_MARKS})", msgspec.structs.asdict(change)
    )
    rows.run(
        "DELETE FROM mode_change WHERE agent=:agent AND number <= (SELECT number FROM mode_change "
        "WHERE agent=:agent ORDER BY number DESC LIMIT 1 OFFSET :keep)",
        {"agent": change.agent, "keep": keep},
    )


def last_change(rows: Rows, *, agent: str) -> ModeChange | None:
    """Return an agent's last change of mode, or None."""
    found = changes_of(rows, agent=agent, limit=1)
    return found[0] if found else None


def changes_of(rows: Rows, *, agent: str, limit: int) -> list[ModeChange]:
    """Return an agent's newest changes of mode, the oldest first."""
    found = rows.all(
        ModeChange,
        f"SELECT {_COLUMNS} FROM mode_change WHERE agent=:agent ORDER BY number DESC LIMIT :limit",
        {"agent": agent, "limit": limit},
    )
    return found[::-1]
