"""One test for a whole literal table: every row is tried, and all that fail are told together."""

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from support.source_tree import none_of

Test = Callable[..., None]


def each_row(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Let a test try every row of a table; `names` are those of its arguments that a row fills.

    A table of rows is for what is quick and keeps nothing: what the test asks pytest for besides
    is made once, and the same for all rows. An empty table is an error.
    """
    wanted = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    table = [row if len(wanted) > 1 else (row,) for row in rows]
    assert table, f"no row of {', '.join(wanted)}"

    def of_one_row(test: Test) -> Test:
        @functools.wraps(test)
        def of_every_row(**others: Any) -> None:
            failures = []
            for number, row in enumerate(table):
                try:
                    test(**dict(zip(wanted, row, strict=True)), **others)
                except (Exception, pytest.fail.Exception) as error:
                    told = "".join(traceback.format_exception(error))
                    failures.append(f"row {number}, {row!r}:\n{told}")
            none_of(failures)

        asked = inspect.signature(test)
        left = [one for name, one in asked.parameters.items() if name not in wanted]
        assert len(left) + len(wanted) == len(asked.parameters), "a name is no argument of the test"
        of_every_row.__signature__ = asked.replace(parameters=left)  # type: ignore[attr-defined]
        return of_every_row

    return of_one_row
