"""Run the table of validation and write it, with a bar while persons live."""

from collections import Counter
from collections.abc import Sequence

from mindpipe.core.errors import MindError
from mindpipe.person.verbs.validate import failed, validate
from mindpipe_cli import output
from mindpipe_cli.progress import progress
from mindpipe_cli.session import Session
from mindpipe_cli.spans import constants_with


def measure(
    session: Session,
    group: str | None,
    rows: Sequence[int],
    consts: Sequence[str],
    *,
    columns: Sequence[str],
) -> None:
    """Write the rows that are wanted.

    Raises:
        UsageError: a constant is not given as NAME=VALUE, or not known.
        MindError: a row that was used to fit is poor; all rows were written.
    """
    changed = constants_with({}, consts)
    with progress("living") as advance:
        found = validate(group=group, numbers=rows, consts=changed, advance=advance)
    session.write(found, columns=columns)
    counts = Counter(one.verdict for one in found)
    output.say(", ".join(f"{counts[mark]} {mark}" for mark in ("good", "fair", "poor")))
    if poor := [str(one.number) for one in found if failed(one)]:
        raise MindError(f"used to fit, and poor: row {', '.join(poor)}.")
