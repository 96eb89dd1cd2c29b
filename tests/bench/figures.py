"""What was found: one figure each, with its goal where it has one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure: what it is of, its unit, and what it should be at most or at least.

    `beside` says what it is to be read beside, e.g. what nobody could go under.
    """

    part: str
    what: str
    value: float
    unit: str = "x pass"
    most: float | None = None
    least: float | None = None
    beside: str = ""

    @property
    def goal(self) -> str:
        """Return the goal in words."""
        if self.most is not None:
            return f"<= {self.most:,g}"
        return "" if self.least is None else f">= {self.least:,g}"

    @property
    def met(self) -> bool | None:
        """Tell whether the goal is met; None where there is none."""
        if self.most is not None:
            return self.value <= self.most
        return None if self.least is None else self.value >= self.least

    def record(self) -> dict[str, object]:
        """Return the figure for a line of JSON."""
        return {
            "part": self.part,
            "what": self.what,
            "value": round(self.value, 3),
            "unit": self.unit,
            "goal": self.goal or None,
            "met": self.met,
            "beside": self.beside or None,
        }


def table(figures: Iterable[Figure]) -> str:
    """Return all figures as lines of text."""
    rows = [("part", "what", "figure", "", "goal", "met?", "beside")]
    for one in figures:
        met = {True: "yes", False: "NO", None: ""}[one.met]
        rows.append((one.part, one.what, _number(one.value), one.unit, one.goal, met, one.beside))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "".join(f"{_line(row, widths)}\n" for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    """Return one row, figures to the right."""
    cells = [
        cell.rjust(width) if place == 2 else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _number(value: float) -> str:
    """Return a figure with as many digits as mean something, a count as it is."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.2f}" if abs(value) < 100 else f"{value:,.0f}"
