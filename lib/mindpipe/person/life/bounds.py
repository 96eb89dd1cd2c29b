"""What columns may hold: what a line of a person and its state may, and nothing else.

Arrow reads any number that somebody wrote; one that no body can have would end in a traceback, or
in persons that nobody can read back from lines.
"""

from collections.abc import Mapping

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from mindpipe.person.body.columns import COPING, DISTORTIONS
from mindpipe.person.body.modes import MODES
from mindpipe.person.body.personality import TRAITS
from mindpipe.person.lines import LEAST_MODE, MOST_MODE
from mindpipe.person.records.scales import MOST_US, Born, Hours, Seed, Share, Signed

Bounds = Mapping[str, tuple[float, float]]
"""The least and the greatest number of columns."""
INSTANT = -MOST_US, MOST_US
LEVEL = LEAST_MODE, MOST_MODE
_IDS = pc.MatchSubstringOptions("^[A-Za-z0-9_.-]{1,64}$")


def _ends(scale: object) -> tuple[float, float]:
    """Return the least and the greatest number of a scale of records."""
    (meta,) = (one for one in getattr(scale, "__metadata__", ()) if isinstance(one, msgspec.Meta))
    assert meta.ge is not None and meta.le is not None
    return meta.ge, meta.le


OF_PERSONS: Bounds = {
    "seed": _ends(Seed),
    **dict.fromkeys(TRAITS, _ends(Share)),
    "chronotype_h": _ends(Hours),
    "loneliness_trait": _ends(Share),
    **dict.fromkeys(
        ("anchor_us", "since_us", "stay_awake_us", "last_meal_us", "episode_us"), INSTANT
    ),
    **{f"mode_{mode.name}": LEVEL for mode in MODES},
    **dict.fromkeys(("x_ser", "x_allo"), LEVEL),
    "control": _ends(Signed),
    **dict.fromkeys(("coping_1", "coping_2"), (-1, len(COPING) - 1)),
    "distortions": (0, (1 << len(DISTORTIONS)) - 1),
}


class _Age(msgspec.Struct):
    """What of that which is written of a person nobody has to live to be asked for."""

    born_us: Born | msgspec.UnsetType = msgspec.UNSET


_READ_AGE = msgspec.json.Decoder(_Age).decode


def require_persons(table: pa.Table, t_us: int) -> None:
    """Raise ValueError where the columns of a shard at an instant hold what no person can have.

    What is written of them as JSON is read where they live, but for their age.
    """
    require_within(table, OF_PERSONS)
    ids = table.column("person")
    if not _are_all(pc.call_function("match_substring_regex", [ids], _IDS)):
        raise ValueError("a person's id is none: 1 to 64 of A-Z, a-z, 0-9, _ . -")
    if pc.call_function("count_distinct", [ids]).as_py() != table.num_rows:
        raise ValueError("two of its persons have one id")
    if not -MOST_US <= t_us <= MOST_US:
        raise ValueError(f"its instant, {t_us}, is past the end of time")
    require_within(table, {"anchor_us": (-MOST_US, t_us)})
    for octets in table.column("who").drop_null().to_pylist():
        _READ_AGE(octets)


def require_within(rows: pa.Table | pa.RecordBatch, bounds: Bounds) -> None:
    """Raise ValueError where rows are no sound columns, lack a cell, or a number is out of bounds.

    What may be missing is passed over.
    """
    # Arrow itself reads texts at whichever place a file says, also beyond its end.
    rows.validate(full=True)
    for field in rows.schema:
        if not field.nullable and rows.column(field.name).null_count:
            raise ValueError(f"a cell of {field.name} is missing")
    for name, (least, most) in bounds.items():
        column = rows.column(name)
        # What is no number is within no bounds.
        ends = (("greater_equal", least), ("less_equal", most))
        inside = (pc.call_function(how, [column, pa.scalar(end, column.type)]) for how, end in ends)
        if not all(map(_are_all, inside)):
            raise ValueError(f"a number of {name} is not within {least:g}..{most:g}")


def _are_all(column: pa.ChunkedArray | pa.Array) -> bool:
    """Tell whether a column of truths has no other one; what is missing is passed over."""
    every = pc.ScalarAggregateOptions(min_count=0)
    return bool(pc.call_function("all", [column], every).as_py())
