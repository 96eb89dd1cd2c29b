"""Keep refused lines in a file of their own, each with its reasons, so that nothing is lost."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.text import storable_text
from mindpipe.io.files import file_errors, open_private, refuse_database, sync_folder


class Reject(Record, omit_defaults=True):
    """One refused line: where it stood, what was wrong, and the line itself.

    `original` is its base64 where the bytes are no text. A line over the size limit is not kept.
    """

    source: str
    line: int | None = None
    problems: tuple[str, ...]
    record: str
    original: str | None = None


class RejectsFile:
    """Take refused lines, one record each; safe on disk once settled.

    What an earlier run left in the file goes with the first line that is refused.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._stream: BinaryIO | None = None

    def __enter__(self) -> Self:
        """Open the file; raises RefusedError where it is a symlink or a database."""
        refuse_database(str(self.path))
        with file_errors(self.path):
            flags = os.O_WRONLY | os.O_CREAT
            self._stream = os.fdopen(open_private(self.path, flags), "wb")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        if self._stream is not None:
            with file_errors(self.path):
                self._stream.close()

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        """Write one refused line."""
        import base64

        text, odd = storable_text(octets.rstrip(b"\r\n"))
        reject = Reject(
            source=problems[0].source,
            line=problems[0].line,
            problems=tuple(problem.line_of_text() for problem in problems),
            record=text,
            original=base64.b64encode(octets).decode() if odd else None,
        )
        assert self._stream is not None
        with file_errors(self.path):
            # A pipe or a device has nothing to empty.
            if self.count == 0 and stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode):
                self._stream.truncate(0)
            self.count += 1
            self._stream.write(msgspec.json.encode(reject) + b"\n")

    def settle(self) -> None:
        """Make what was written durable, and the file's name."""
        assert self._stream is not None
        with file_errors(self.path):
            self._stream.flush()
            os.fsync(self._stream.fileno())
            sync_folder(self.path.parent)
