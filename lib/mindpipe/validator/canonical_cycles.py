"""Walks the rows of one agent: rules H1 to H6 and H10."""

from typing import NamedTuple

from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_list, as_object, as_text, is_whole


class Row(NamedTuple):
    """One row in its place: path, role, numbers, and the ids of the calls it makes."""

    at: str
    role: str
    seq: int
    segment: int
    cycle: int
    turn: int
    calls: tuple[str, ...]


class Cycles:
    """Hold the row before and every call id of one agent.

    Rows that are not `whole` are a window of a log: a summary may stand before them, and numbers
    are left out.
    """

    def __init__(self, ledger: Ledger, *, whole: bool = True) -> None:
        self.ledger = ledger
        self.whole = whole
        self.rows = 0
        self.before: Row | None = None
        self.spoken = 0
        self.call_ids: dict[str, str] = {}

    def read(self, at: str, role: str, fields: dict[str, object]) -> None:
        """Check the numbers of a row, then its place in cycle and turn."""
        row = self._numbered(at, role, fields)
        if row is None:
            return
        self._check_numbers(row)
        if self.before is None or row.cycle != self.before.cycle:
            self._close()
            self._open(row)
        else:
            self._check_place(row, self.before)
        if role == "assistant":
            self._check_calls(row)
        elif role == "tool":
            self._check_results(row, as_list(fields.get("parts")))
        self.before = row
        self.rows += 1

    def _numbered(self, at: str, role: str, fields: dict[str, object]) -> Row | None:
        numbers: list[int] = []
        for name in ("seq", "segment", "cycle", "turn"):
            value = fields.get(name)
            if isinstance(value, int) and is_whole(value) and value >= 0:
                numbers.append(value)
            else:
                self.ledger.add("H1", f"{at}.{name}", f"{name} is a whole number, not {value!r}")
        if len(numbers) < 4:
            return None
        calls = tuple(_call_ids(fields)) if role == "assistant" else ()
        seq, segment, cycle, turn = numbers
        return Row(at, role, seq, segment, cycle, turn, calls)

    def _check_numbers(self, row: Row) -> None:
        before = self.before
        if before is None:
            return
        if row.seq != before.seq + 1 and (self.whole or row.seq <= before.seq):
            what = f"seq {row.seq} follows {before.seq}"
            self.ledger.add("H1", f"{row.at}.seq", what)
        if row.segment < before.segment:
            what = f"segment {row.segment} follows {before.segment}"
            self.ledger.add("H1", f"{row.at}.segment", what)
        if row.cycle < before.cycle:
            self.ledger.add("H1", f"{row.at}.cycle", f"cycle {row.cycle} follows {before.cycle}")
        elif row.cycle == before.cycle and row.turn < before.turn:
            self.ledger.add("H1", f"{row.at}.turn", f"turn {row.turn} follows {before.turn}")

    def _open(self, row: Row) -> None:
        self.spoken = 0
        if row.role != "user":
            what = f"cycle {row.cycle} begins with a {row.role} message, not with the user's"
            self.ledger.add("H2", row.at, what)
        elif row.turn != 0:
            self.ledger.add("H2", f"{row.at}.turn", "the opening of a cycle is turn 0")

    def _check_place(self, row: Row, before: Row) -> None:
        if before.calls and row.role != "tool":
            what = "the calls of this turn have no tool message after them"
            self.ledger.add("H3", before.at, what)
            return
        if row.role == "user":
            self.ledger.add("H2", row.at, f"cycle {row.cycle} has a second user message")
        elif row.role == "tool":
            self._check_tool(row, before)
        elif before.role == "assistant":
            what = f"a {row.role} message follows the message that closed the cycle"
            self.ledger.add("H2", row.at, what)
        if row.role == "assistant":
            self.spoken += 1
            if row.turn != self.spoken:
                what = f"turn {row.turn} stands where turn {self.spoken} belongs"
                self.ledger.add("H2", f"{row.at}.turn", what)
                self.spoken = row.turn

    def _check_tool(self, row: Row, before: Row) -> None:
        if before.role != "assistant" or not before.calls:
            what = "a tool message stands where no call waits"
            self.ledger.add("H3", row.at, what)
        elif row.turn != before.turn:
            what = f"turn {row.turn} answers a call of turn {before.turn}"
            self.ledger.add("H2", f"{row.at}.turn", what)

    def _check_calls(self, row: Row) -> None:
        for name in row.calls:
            if name in self.call_ids:
                what = f"the call id is used before, at {self.call_ids[name]}"
                self.ledger.add("H5", row.at, what, id=name)
            self.call_ids.setdefault(name, row.at)

    def _check_results(self, row: Row, parts: list[object]) -> None:
        calls = self.before.calls if self.before is not None else ()
        if not calls:
            return
        named: list[str] = []
        for position, each in enumerate(parts):
            part = as_object(each)
            name = as_text(part.get("call"))
            if part.get("type") != "result":
                continue
            if name is None or name not in calls:
                what = "the result names no call of the message before it"
                self.ledger.add("H5", f"{row.at}.parts[{position}]", what, id=name)
            else:
                named.append(name)
        self._check_order(row, calls, named)

    def _check_order(self, row: Row, calls: tuple[str, ...], named: list[str]) -> None:
        if list(calls) == named:
            return
        present = set(named)
        missing = [name for name in calls if name not in present]
        for name in missing:
            self.ledger.add("H4", row.at, "a call has no result", id=name)
        if len(named) > len(present):
            self.ledger.add("H4", row.at, "a call has more than one result")
        elif not missing:
            self.ledger.add("H4", row.at, "the results stand in another order than the calls")

    def _close(self) -> None:
        """Report a cycle that another one follows although it was not closed."""
        before = self.before
        if before is None:
            return
        if before.calls:
            self.ledger.add("H3", before.at, "the calls of this turn have no tool message")
        elif before.role != "assistant" and not self._is_summary(before):
            what = f"cycle {before.cycle} ends with a {before.role} message, not the assistant's"
            self.ledger.add("H6", before.at, what)

    def _is_summary(self, row: Row) -> bool:
        """Tell whether a row is what opens a window."""
        return not self.whole and self.rows == 1 and row.role == "user"

    def end(self) -> None:
        """Report what the last cycle of the agent may not end with."""
        before = self.before
        if before is None:
            return
        if before.calls:
            what = "the last turn is unfinished; it belongs in the journal, not in history"
            self.ledger.add("H10", before.at, what)
        elif before.role == "user" and self.whole:
            what = "an open cycle ends with its tool message or a note, not with the user's"
            self.ledger.add("H6", before.at, what)


def _call_ids(fields: dict[str, object]) -> list[str]:
    parts = [as_object(each) for each in as_list(fields.get("parts"))]
    names = [as_text(part.get("id")) for part in parts if part.get("type") == "call"]
    return [name for name in names if name]
