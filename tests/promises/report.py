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
from typing import Literal

import msgspec
from msgspec.structs import replace

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from mindpipe.core.records import to_json
from mindpipe_cli.manual.promises import Proof, words_of
from promises.table import PROMISES

Tier = Literal["everyday", "long"]
_PROOF = msgspec.json.Decoder(Proof)


def main(arguments: list[str]) -> int:
    """Print the table, record it where that is asked for, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("proofs", type=Path, help="what the tests noted, one JSON object a line")
    parser.add_argument("--record", type=Path, help="keep the rows in this file")
    parser.add_argument("--tier", default="everyday", choices=["everyday", "long"])
    parser.add_argument("--suite", help="only this suite ran")
    chosen = parser.parse_args(arguments)
    lines = chosen.proofs.read_text().splitlines() if chosen.proofs.exists() else []
    proofs = proofs_of([json.loads(line) for line in lines], tier=chosen.tier)
    for proof in proofs.values():
        sys.stdout.write(f"{line_of(proof)}\n")
    if chosen.record is not None:
        record(chosen.record, proofs)
    wanted = [
        promise
        for promise in PROMISES
        if (chosen.suite or promise.suite) == promise.suite
        and (chosen.tier == "long" or not promise.long)
    ]
    missing = [(one, "NOT PROVED") for one in wanted if one.number not in proofs]
    if not chosen.suite and any(proof.server for proof in proofs.values()):
        missing += [
            (one, "NOT PROVED ON A SERVER")
            for one in wanted
            if "server" in one.stores and one.number in proofs and not proofs[one.number].server
        ]
    for promise, what in missing:
        words = f"{promise.words} ({promise.suite})"
        sys.stdout.write(f"{promise.number:>2}  {what}  {words}\n")
    return 1 if missing else 0


def proofs_of(notes: Iterable[Mapping[str, object]], *, tier: Tier) -> dict[int, Proof]:
    """Return one proof per proved promise, by its number.

    Counts of one name are added up; of `most_…` and `longest_…` the highest is taken.
    """
    counts: dict[int, Counter[str]] = {}
    server: dict[int, Counter[str]] = {}
    red: dict[int, dict[str, Counter[str]]] = {}
    for note in notes:
        number = note["promise"]
        assert isinstance(number, int)
        if "red" in note:
            builds = red.setdefault(number, {})
            take_in(builds.setdefault(str(note["red"]), Counter()), note["counts"])
        else:
            where = server if note.get("store") == "server" else counts
            take_in(where.setdefault(number, Counter()), note["counts"])
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {
        promise.number: Proof(
            promise=promise.number,
            words=promise.words,
            suite=promise.suite,
            counts=dict(counts[promise.number]),
            red={name: dict(found) for name, found in sorted(red.get(promise.number, {}).items())},
            date=date,
            tier=tier,
            stores=promise.stores,
            server=dict(server.get(promise.number, {})),
            server_date=date if promise.number in server else "",
        )
        for promise in PROMISES
        if promise.number in counts
    }


def take_in(known: Counter[str], more: Mapping[str, int]) -> None:
    """Put counts beside those that are known."""
    for name, count in more.items():
        highest = name.startswith(("most_", "longest_"))
        known[name] = max(known[name], count) if highest else known[name] + count


def line_of(proof: Proof) -> str:
    """Return a promise as lines of text."""
    red = "; ".join(f"{name}: {words_of(counts)}" for name, counts in proof.red.items())
    end = f"\n    red: {red}" if red else ""
    return f"{proof.promise:>2}  {proof.words} ({proof.suite})\n    {words_of(proof.counts)}{end}"


def record(file: Path, proofs: Mapping[int, Proof]) -> None:
    """Put the proofs into the file, in the order of their numbers; others stay as they are.

    What the long tier proved is only replaced by what the long tier proves, and what was measured
    on a server by what is measured on one.
    """
    lines = file.read_bytes().splitlines() if file.exists() else []
    merged = {proof.promise: proof for proof in map(_PROOF.decode, lines)}
    for number, proof in proofs.items():
        known = merged.get(number)
        if known is not None and not proof.server:
            proof = replace(proof, server=known.server, server_date=known.server_date)
        if known is not None and known.tier == "long" != proof.tier:
            there = {"server": proof.server, "server_date": proof.server_date}
            proof = replace(known, stores=proof.stores, **there)
        merged[number] = proof
    file.write_bytes(b"".join(to_json(merged[number]) + b"\n" for number in sorted(merged)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
