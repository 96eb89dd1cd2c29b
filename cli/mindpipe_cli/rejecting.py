"""Where bad lines go: nowhere, or into a file of their own with their reasons."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindpipe.core.errors import UsageError
from mindpipe_cli import documents

if TYPE_CHECKING:
    from mindpipe.stream.rejects import RejectsFile


@contextlib.contextmanager
def rejects_of(on_error: str, rejects: str | None) -> Iterator["RejectsFile | None"]:
    """Give the file of rejected lines, None where the first bad line ends everything.

    Raises:
        UsageError: lines are to be skipped, and no file is named for them.
    """
    if (named := file_of(on_error, rejects)) is None:
        yield None
        return
    from mindpipe.stream.rejects import RejectsFile

    with RejectsFile(documents.path_of(named)) as file:
        yield file


def file_of(on_error: str, rejects: str | None) -> str | None:
    """Return the name of the file of rejected lines, None where the first ends everything.

    Raises:
        UsageError: lines are to be skipped, and no file is named for them.
    """
    if on_error == "stop":
        return None
    if rejects is None:
        raise UsageError("--on-error skip needs --rejects FILE, so that no line is lost.")
    return rejects
