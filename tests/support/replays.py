"""Lives that are lived again from what they heard."""

import contextlib
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import to_json
from mindpipe.life.archive import LifeReader
from mindpipe.life.records import LifeReplayed, ReplayDifference
from mindpipe.life.tape import TapePart
from mindpipe.life.verbs import life as lives
from mindpipe.store.access import open_store
from support.fakes import FixedClock
from support.life import AGENT
from support.stores import WordTokens

Found = tuple[list[ReplayDifference], LifeReplayed]


def opened(pieces: Iterable[bytes]) -> LifeReader:
    """Return a reader of a life file."""
    return lives.opened(pieces, name="ava.life")


def replayed(path: Path, *, upto: int | None = None, goes_on: bool = False) -> Found:
    """Return how a life in a store differs as it is lived again, and what came of it."""
    with contextlib.closing(open_store(path)) as store:
        pieces = list(lives.export(store, FixedClock(), agent=AGENT))
    reader = opened(pieces)
    again = lives.replay(reader, make_tokens=lambda _: WordTokens(), upto=upto, goes_on=goes_on)
    found = list(again.differences())
    assert again.verdict is not None
    return found, again.verdict


def change_part(rows: Rows, operation: int, part: int, change: Callable[[TapePart], None]) -> None:
    """Change what was heard before one transaction of an operation."""
    where = "WHERE operation = :operation AND part = :part"
    place = {"operation": operation, "part": part}
    heard = rows.value(bytes, f"SELECT heard FROM operation_part {where}", place)
    assert heard is not None
    told = msgspec.json.decode(zlib.decompress(heard), type=TapePart)
    change(told)
    packed = zlib.compress(to_json(told))
    rows.run(f"UPDATE operation_part SET heard = :heard {where}", {**place, "heard": packed})


def kinds_of(rows: Rows) -> dict[str, tuple[int, int]]:
    """Return the last operation and part in which each kind of reading was heard."""
    found = {}
    for operation, part, heard in rows.each(
        tuple, "SELECT operation, part, heard FROM operation_part ORDER BY operation, part"
    ):
        told = msgspec.json.decode(zlib.decompress(heard), type=TapePart)
        found |= {queue.partition("/")[0]: (operation, part) for queue in told.heard}
    return found
