"""Run the program `mind` of this environment and note which of its own functions ran, and how deep.

Called as `traced.py REPORT TREE TABLE ARGUMENTS…`; REPORT becomes a line of JSON about the code in
`lib` and `cli` of TREE. What other processes run is not seen.
"""

import inspect
import json
import os
import re
import runpy
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import apsw

_WRITES = re.compile(r"\s*(?:insert|replace|update|delete)\b", re.IGNORECASE)


class _Trace:
    """What ran so far: functions, those on the way to a row, and the depth of calls."""

    def __init__(self, tree: Path, table: str) -> None:
        self._own = (f"{tree / 'lib'}{os.sep}", f"{tree / 'cli'}{os.sep}")
        self._row = re.compile(rf"\s*insert\s+(?:or\s+\w+\s+)?into\s+\W?{table}\b", re.IGNORECASE)
        self._ran: set[CodeType] = set()
        self._writing: set[CodeType] = set()
        self._deepest = 0
        self._to_row = 0

    def called(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call of a function of ours; a profile function."""
        if event == "call" and self._is_own(frame.f_code):
            self._ran.add(frame.f_code)
            self._deepest = max(self._deepest, len(self._way(frame)))

    def stated(self, statement: dict[str, Any]) -> None:
        """Note the way to a statement that writes a row."""
        if not _WRITES.match(statement["sql"]):
            return
        way = self._way(sys._getframe(1))
        self._writing.update(way)
        if self._row.match(statement["sql"]):
            self._to_row = max(self._to_row, len(way))

    def report(self) -> dict[str, int]:
        """Return the figures."""
        names = [name.partition(".")[0] for name in sys.modules]
        return {
            "hops to the row": self._to_row,
            "deepest call": self._deepest,
            "functions on the way to all rows": len(self._writing),
            "files on the way to all rows": len({code.co_filename for code in self._writing}),
            "functions run": len(self._ran),
            "files run": len({code.co_filename for code in self._ran}),
            "modules loaded": sum(name in ("mindpipe", "mindpipe_cli") for name in names),
        }

    def _way(self, frame: FrameType | None) -> list[CodeType]:
        """Return the functions of ours that are under way, innermost first."""
        found = []
        while frame is not None:
            if self._is_own(frame.f_code):
                found.append(frame.f_code)
            frame = frame.f_back
        return found

    def _is_own(self, code: CodeType) -> bool:
        """Tell whether code is a function with a name, no body of a module or of a class."""
        named = bool(code.co_flags & inspect.CO_OPTIMIZED) and not code.co_name.startswith("<")
        return named and code.co_filename.startswith(self._own)


def main(report: str, tree: str, table: str, *arguments: str) -> None:
    """Run one command line and write the report; ends as the program does."""
    trace = _Trace(Path(tree), table)
    apsw.connection_hooks.append(_tracing(trace.stated))
    program = Path(sys.executable).parent / "mind"
    sys.argv = [str(program), *arguments]
    process = os.getpid()
    threading.setprofile(trace.called)
    sys.setprofile(trace.called)
    try:
        runpy.run_path(str(program), run_name="__main__")
    finally:
        sys.setprofile(None)
        if os.getpid() == process:
            Path(report).write_text(json.dumps(trace.report()))


def _tracing(stated: Callable[[dict[str, Any]], None]) -> Callable[[apsw.Connection], None]:
    """Return what lets every new connection tell of its statements."""
    return lambda made: made.trace_v2(apsw.SQLITE_TRACE_STMT, stated, id=stated)


if __name__ == "__main__":
    main(*sys.argv[1:])
