"""Print the table of promises from what their tests noted: `report.py out/proofs.jsonl`.

With `--record FILE` the rows that were proved take the place of those in FILE, each with its date
and tier; `mind docs write` takes that file into the README. Ends with 1 if a promise of the suites
that ran has no proof.
"""

import argparse
import datetime
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from promises.table import PROMISES, Promise

Row = dict[str, object]


def main(arguments: list[str]) -> int:
    """Print the table, record it where that is asked for, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("proofs", type=Path, help="what the tests noted, one JSON object a line")
    parser.add_argument("--record", type=Path, help="keep the rows in this file")
    parser.add_argument("--tier", default="everyday", choices=["everyday", "long"])
    parser.add_argument("--suite", help="only this suite ran")
    chosen = parser.parse_args(arguments)
    lines = chosen.proofs.read_text().splitlines() if chosen.proofs.exists() else []
    rows = rows_of([json.loads(line) for line in lines], tier=chosen.tier)
    for row in rows.values():
        sys.stdout.write(f"{line_of(row)}\n")
    if chosen.record is not None:
        record(chosen.record, rows)
    missing = [
        promise
        for promise in PROMISES
        if promise.number not in rows
        and (chosen.suite or promise.suite) == promise.suite
        and (chosen.tier == "long" or not promise.long)
    ]
    for promise in missing:
        words = f"{promise.words} ({promise.suite})"
        sys.stdout.write(f"{promise.number:>2}  NOT PROVED  {words}\n")
    return 1 if missing else 0


def rows_of(notes: Iterable[Mapping[str, object]], *, tier: str) -> dict[int, Row]:
    """Return one row per proved promise, by its number; counts of one name are added up."""
    counts: dict[int, Counter[str]] = {}
    red: dict[int, dict[str, Counter[str]]] = {}
    for note in notes:
        number = note["promise"]
        assert isinstance(number, int)
        if "red" in note:
            builds = red.setdefault(number, {})
            builds.setdefault(str(note["red"]), Counter()).update(note["counts"])
        else:
            counts.setdefault(number, Counter()).update(note["counts"])
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {
        promise.number: _row(promise, counts, red, date=date, tier=tier)
        for promise in PROMISES
        if promise.number in counts
    }


def _row(
    promise: Promise,
    counts: Mapping[int, Counter[str]],
    red: Mapping[int, Mapping[str, Counter[str]]],
    *,
    date: str,
    tier: str,
) -> Row:
    """Return the row of one promise."""
    builds = red.get(promise.number, {})
    return {
        "promise": promise.number,
        "words": promise.words,
        "suite": promise.suite,
        "counts": dict(counts[promise.number]),
        "red": {name: dict(found) for name, found in sorted(builds.items())},
        "date": date,
        "tier": tier,
    }


def line_of(row: Row) -> str:
    """Return a row as a line of text."""
    counts, red = row["counts"], row["red"]
    assert isinstance(counts, dict)
    assert isinstance(red, dict)
    found = "; ".join(f"{name}: {_words(found)}" for name, found in red.items())
    end = f"\n    red: {found}" if found else ""
    return f"{row['promise']:>2}  {row['words']} ({row['suite']})\n    {_words(counts)}{end}"


def _words(counts: Mapping[str, int]) -> str:
    """Return counts in words."""
    return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())


def record(file: Path, rows: Mapping[int, Row]) -> None:
    """Put the rows into the file, in the order of their numbers; others stay as they are."""
    kept: dict[int, Row] = {}
    if file.exists():
        for line in file.read_text().splitlines():
            row = json.loads(line)
            kept[row["promise"]] = row
    numbers = [promise.number for promise in PROMISES]
    merged = {**kept, **rows}
    file.write_text(
        "".join(json.dumps(merged[number]) + "\n" for number in numbers if number in merged)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
