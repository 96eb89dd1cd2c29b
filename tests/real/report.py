"""Print the table of real parts from what their tests noted: `report.py out/real.jsonl`.

With `--record FILE` the parts that were tested take the place of those in FILE, each with its
version and date; `mind docs write` takes that file into the README. What is missing is named with
how to install it.
"""

import argparse
import datetime
import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import msgspec

from mindpipe.core.records import to_json
from mindpipe_cli.manual.real_parts import RealPart
from real.parts import PARTS


def main(arguments: list[str]) -> int:
    """Print the table, and record it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", type=Path, help="what the tests noted, one JSON object a line")
    parser.add_argument("--record", type=Path, help="keep the rows in this file")
    chosen = parser.parse_args(arguments)
    lines = chosen.notes.read_text().splitlines() if chosen.notes.exists() else []
    tested = tested_of([json.loads(line) for line in lines])
    for part in PARTS:
        found = tested.get(part.name)
        if found is not None:
            sys.stdout.write(f"{part.name} {found.version}: {found.shown}\n")
        elif part.version() is None:
            sys.stdout.write(f"{part.name}: MISSING; {part.advice()}\n")
        else:
            sys.stdout.write(f"{part.name} {part.version()}: NOT SHOWN\n")
    if chosen.record is not None:
        record(chosen.record, tested)
    return 0


def tested_of(notes: list[dict[str, str]]) -> dict[str, RealPart]:
    """Return what was seen of each part; what several tests saw of one stands side by side."""
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    tested = {}
    for part in PARTS:
        seen = [note["shown"] for note in notes if note["part"] == part.name]
        if seen:
            words, version = "; ".join(dict.fromkeys(seen)), part.version() or ""
            tested[part.name] = RealPart(part=part.name, version=version, shown=words, date=date)
    return tested


def record(file: Path, tested: dict[str, RealPart]) -> None:
    """Put what was tested into the file, in the order of the parts; others stay as they are."""
    lines = file.read_bytes().splitlines() if file.exists() else []
    known = {one.part: one for one in (msgspec.json.decode(line, type=RealPart) for line in lines)}
    merged = {**known, **tested}
    rows = [merged[part.name] for part in PARTS if part.name in merged]
    file.write_bytes(b"".join(to_json(row) + b"\n" for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
