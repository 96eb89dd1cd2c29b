"""What one row of the table of validation says."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from mindpipe.person.validation.courses import Courses
from mindpipe.person.validation.judging import Band, Figures


class Row(NamedTuple):
    """One expectation.

    `measure` finds the figures that `bands` judge, from persons who lived `days` days, 0 for none.
    `verified` is whether the target was checked against its source; `remark` is said where the row
    is not good.
    """

    number: int
    group: Literal["A", "B"]
    days: int
    protocol: str
    target: str
    tolerance: str
    measure: Callable[[Courses], Figures]
    bands: tuple[Band, ...]
    source: str
    verified: bool = True
    remark: str = ""
