"""What the tests of the promises measured: one line of JSON each, for the table of promises.

Nothing is written unless `MINDPIPE_PROOFS` names a file; `make promises` sets it.
"""

import json
import os


def proved(promise: int, **counts: int) -> None:
    """Say what a test of a promise counted, e.g. `proved(1, kills=100, acknowledged=393, lost=0)`.

    Call it last, when every assertion held.
    """
    _note({"promise": promise, "counts": counts})


def turned_red(promise: int, build: str, **counts: int) -> None:
    """Say by what a broken build of tests/red was found, e.g. `turned_red(1, "name", lost=3)`."""
    _note({"promise": promise, "red": build, "counts": counts})


def _note(line: dict[str, object]) -> None:
    """Append one line; one write, so that tests side by side do not tear it."""
    file = os.environ.get("MINDPIPE_PROOFS")
    if file:
        line["test"] = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, json.dumps(line).encode() + b"\n")
        finally:
            os.close(descriptor)
