"""A log of what happened, as JSON Lines in files that rotate and are kept for so many days.

The file being written is `mind.jsonl`; one that is full gets its period as a suffix. Rotation and
retention are those of `logging.handlers`; files and folder are for their owner alone.
"""

import io
import logging
import math
import os
from collections.abc import Mapping
from logging.handlers import TimedRotatingFileHandler
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.records import to_json
from mindpipe.io.files import alone_in, file_errors, open_private

NAME = "mind.jsonl"
_PERIODS = {"hourly": ("h", 24.0), "daily": ("midnight", 1.0), "weekly": ("w0", 1 / 7)}
_LEVELS = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40}


class LogRotation(NamedTuple):
    """Where a log is kept, from which level on, when a new file begins, and for how many days."""

    folder: Path
    level: str = "INFO"
    rotation: str = "daily"
    retention_days: int = 30


class _PrivateFiles(TimedRotatingFileHandler):
    """Rotate files with mode 0600 that are never opened through a symlink.

    Several processes may write the same: one of them begins the new file, the others follow it.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, into the newest file."""
        if self._is_left_behind():
            self._follow()
        super().emit(record)

    def doRollover(self) -> None:
        """Begin a new file, unless another process just did."""
        with alone_in(Path(self.baseFilename).parent):
            if self._is_left_behind():
                self._follow()
            else:
                super().doRollover()

    def handleError(self, record: logging.LogRecord) -> None:
        """Let what is wrong be heard by whoever writes."""
        del record
        raise

    def _is_left_behind(self) -> bool:
        """Tell whether the file is not the one that has its name now."""
        try:
            there = Path(self.baseFilename).stat()
        except FileNotFoundError:
            return True
        return self.stream is None or not os.path.samestat(there, os.fstat(self.stream.fileno()))

    def _follow(self) -> None:
        """Go on in the file that has the name now."""
        if self.stream is not None:
            self.stream.close()
            self.stream = None
        self.stream = self._open()
        self.rolloverAt = self.computeRollover(int(Path(self.baseFilename).stat().st_mtime))

    def _open(self) -> io.TextIOWrapper:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        return os.fdopen(open_private(Path(self.baseFilename), flags), "a", encoding="utf-8")


class Logbook:
    """Write lines while it is open.

    Raises:
        InputOutputError: the folder cannot be made or written to.
        RefusedError: the log is a symlink.
    """

    def __init__(self, keeping: LogRotation) -> None:
        when, per_day = _PERIODS[keeping.rotation]
        self._least = _LEVELS[keeping.level]
        with file_errors(keeping.folder):
            keeping.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._files = _PrivateFiles(
                keeping.folder / NAME,
                when=when,
                backupCount=math.ceil(keeping.retention_days * per_day),
                encoding="utf-8",
                utc=True,
            )
        self._files.setFormatter(logging.Formatter("%(message)s"))

    def write(self, what: str, fields: Mapping[str, object], *, at: str, level: str) -> None:
        """Write one line: when, how odd it is, what happened, and its fields.

        Raises:
            InputOutputError: it cannot be written.
        """
        if _LEVELS[level] < self._least:
            return
        line = to_json({"at": at, "level": level, "what": what, **fields}).decode()
        record = logging.LogRecord("mind", _LEVELS[level], "", 0, line, None, None)
        with file_errors(Path(self._files.baseFilename)):
            self._files.emit(record)

    def close(self) -> None:
        """Write no more."""
        self._files.close()
