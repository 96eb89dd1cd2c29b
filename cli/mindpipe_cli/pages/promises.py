"""The README's table of promises, from the last recorded run of their tests."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.stream.files import read_if_there

RECORDED = "fixtures/promises.jsonl"
BEGIN, END = "<!-- promises -->", "<!-- /promises -->"
_HEADING = (
    "| # | promise | measured | broken builds it found | shown by | on |\n"
    "| --- | --- | --- | --- | --- | --- |\n"
)


class Proof(Record):
    """What one promise's tests counted, and by what each broken build was found."""

    promise: int
    words: str
    suite: str
    counts: dict[str, int]
    red: dict[str, dict[str, int]]
    date: str
    tier: Literal["everyday", "long"]


def promise_table(root: Path) -> str:
    """Return the recorded run as a table in Markdown; only its heading where there is none.

    Raises:
        BadInputError: a line of the recorded run is no proof.
    """
    lines = (read_if_there(str(root / RECORDED)) or b"").splitlines()
    rows = (_row(_proof(line, number)) for number, line in enumerate(lines, 1))
    return _HEADING + "".join(rows)


def _proof(line: bytes, number: int) -> Proof:
    """Read one line."""
    try:
        return msgspec.json.decode(line, type=Proof)
    except msgspec.DecodeError as error:
        fault = Problem(source=RECORDED, line=number, message=str(error))
        raise BadInputError([fault]) from None


def _row(proof: Proof) -> str:
    """Return one promise as a row."""
    cells = (
        str(proof.promise),
        proof.words,
        words_of(proof.counts),
        str(len(proof.red) or "-"),
        f"{proof.suite}{' (long)' if proof.tier == 'long' else ''}",
        proof.date,
    )
    return f"| {' | '.join(cells)} |\n"


def words_of(counts: Mapping[str, int]) -> str:
    """Return counts in words, e.g. `100 kills, 0 lost`; `most_tries` is `at most 6 tries`."""
    return ", ".join(_said(count, name.replace("_", " ")) for name, count in counts.items())


def _said(count: int, words: str) -> str:
    """Return one count in words."""
    first, _, rest = words.partition(" ")
    return f"at most {count:,} {rest}" if first in {"most", "longest"} else f"{count:,} {words}"
