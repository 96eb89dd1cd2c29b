"""Compare persons with the literature: run what the rows ask for once, and judge each of them."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.person.constants import MARKS
from mindpipe.person.validation.judging import judge
from mindpipe.person.validation.rig import Advance, run
from mindpipe.person.validation.row import Row
from mindpipe.person.validation.table import ROWS


class Checked(Record):
    """One row of the table of validation, judged.

    Group A was used to fit `constants` or to build the model, group B was not. `measured` are the
    model's figures, by name (true is 1, false 0), `found` the same in short. `sentence` says what
    is not good, empty where all is. `consts` are the overrides that were in force.
    """

    number: int
    group: Literal["A", "B"]
    verdict: Literal["good", "fair", "poor"]
    protocol: str
    measured: dict[str, float]
    found: str
    target: str
    tolerance: str
    used_to_fit: bool
    constants: tuple[str, ...]
    source: str
    verified: bool
    consts: dict[str, float]
    sentence: str = ""


def validate(
    *, group: str | None, numbers: Collection[int], consts: Mapping[str, float], advance: Advance
) -> list[Checked]:
    """Return the rows that are wanted, judged, in order.

    Args:
        group: `A`, `B` or None for both.
        numbers: The rows that are wanted, none of them for all.
        consts: Overrides of constants of the body, by name.
        advance: Is told how much of the work is done, and how much there is.

    Raises:
        UsageError: no row is wanted.
        ValueError: one of the overrides is of no constant.
    """
    wanted = [
        row for row in ROWS if group in (None, row.group) and (not numbers or row.number in numbers)
    ]
    if not wanted:
        raise UsageError("no row is both of this group and of these numbers.")
    courses = run(max(row.days for row in wanted), consts, advance)
    return [_checked(row, row.measure(courses), consts) for row in wanted]


def failed(checked: Checked) -> bool:
    """Tell whether a row makes validation fail: one that the model was fitted to, and is poor."""
    return checked.used_to_fit and checked.verdict == "poor"


def _checked(row: Row, figures: Mapping[str, float], consts: Mapping[str, float]) -> Checked:
    """Return a row with what was measured."""
    verdict = judge(figures, row.bands)
    remark = f" Note: {row.remark}" if row.remark and verdict.sentence else ""
    return Checked(
        number=row.number,
        group=row.group,
        verdict=verdict.mark,
        protocol=row.protocol,
        measured=dict(figures),
        found=", ".join(f"{name} {round(value, 6):.3g}" for name, value in figures.items()),
        target=row.target,
        tolerance=row.tolerance,
        used_to_fit=row.group == "A",
        constants=tuple(_fitted_to(row.number)),
        source=row.source,
        verified=row.verified,
        consts=dict(consts),
        sentence=f"{verdict.sentence}{remark}",
    )


def _fitted_to(number: int) -> Iterator[str]:
    """Yield the constants that were fitted to a row, as their sources say it: `rows 7, 8`."""
    for name, mark in MARKS.items():
        said = re.search(r"\brows? ([0-9, ]+)", mark.source)
        if said and str(number) in re.findall(r"\d+", said.group(1)):
            yield name
