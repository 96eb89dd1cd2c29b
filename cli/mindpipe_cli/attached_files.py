"""Files that a command line attaches: read, told apart by their bytes, held to their limits."""

from collections.abc import Sequence
from pathlib import Path

from mindpipe.core.attachments import MOST_BYTES, Attachment, check_together
from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe_cli import input


def attached_files(names: Sequence[str]) -> tuple[Attachment, ...]:
    """Return the files of --attach, `-` for stdin.

    Raises:
        BadInputError: one of them, or all together, are not what a model can be sent.
    """
    found = tuple(map(_attached, names))
    check_together(found)
    return found


def words_for(files: Sequence[Attachment]) -> str:
    """Return what is said where files go along and nobody said a word: their names."""
    return ", ".join(one.part.name for one in files)


def _attached(name: str) -> Attachment:
    from mindpipe.history.verbs import attachments

    with input.open_input(name) as file:
        octets = file.read(MOST_BYTES + 1)
    shown = "stdin" if name == "-" else Path(name).name
    if len(octets) > MOST_BYTES:
        message = f"longer than {MOST_BYTES:,} bytes, the most that can be attached"
        raise BadInputError([Problem(source=shown, message=message)])
    return attachments.attached(shown, octets)
