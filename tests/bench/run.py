"""Measure how fast the program is, and print one table: what, the figure, its goal, met or not.

Nothing is asserted: machines differ and are busy. All figures with a goal are ratios to something
that runs in turns with what is measured, or counts, or memory.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

# What draws persons and models, and makes long lives, lies where all tests find it.
sys.path.append(str(Path(__file__).resolve().parents[1]))

import compacting
import doors
import lifetimes
import living
import looping
import pushing
import remembering
import startup
import structure
import vectors
from figures import Figure, table
from measuring import progress

import lives

PARTS = (
    *(
        "structure",
        "startup",
        "push",
        "pushers",
        "think",
        "export",
        "compact",
        "memory",
        "vectors",
        "persons",
        "loop",
        "doors",
        "life",
    ),
)
OUT = Path(__file__).resolve().parents[2] / "out"


class Size(NamedTuple):
    """How much is measured.

    It is turns, events, pushes, messages, tokens, persons, waiting events, cycles of many agents,
    and those of one life.
    """

    turns: int
    events: int
    pushes: int
    messages: int
    tokens: int
    persons: int
    drained: int
    cycles: int
    lived: int


WHOLE = Size(
    turns=21,
    events=1_000_000,
    pushes=25,
    messages=1_000_000,
    tokens=500_000,
    persons=100_000,
    drained=10_000,
    cycles=10_000,
    lived=10_000,
)
QUICK = Size(
    turns=7,
    events=300_000,
    pushes=5,
    messages=20_000,
    tokens=100_000,
    persons=20_000,
    drained=300,
    cycles=3_000,
    lived=300,
)


def main(arguments: Sequence[str]) -> None:
    """Measure the parts that are asked for and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} [all]")
    parser.add_argument("--quick", action="store_true", help="smaller counts, fewer turns")
    parser.add_argument("--json", action="store_true", help="one figure per line, as JSON")
    wish = parser.parse_args(arguments)
    if strangers := set(wish.parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(sorted(strangers))}")
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=OUT) as name:
        parts = wish.parts or PARTS
        found = list(_figures(Path(name), parts, QUICK if wish.quick else WHOLE))
    progress("")
    if wish.json:
        sys.stdout.writelines(f"{json.dumps(one.record())}\n" for one in found)
    else:
        sys.stdout.write(table(found))


def _figures(folder: Path, parts: Sequence[str], size: Size) -> Iterator[Figure]:
    """Yield the figures of some parts; the long life is made once for all that need it."""
    if "structure" in parts:
        yield from structure.figures(_folder(folder, "structure"), rounds=size.turns)
    if "startup" in parts:
        yield from startup.figures(_folder(folder, "startup"), rounds=size.turns)
    if "push" in parts:
        yield from pushing.figures(_folder(folder, "push"), events=size.events, rounds=3)
    if "pushers" in parts:
        progress(f"inbox: {pushing.PUSHERS} pushers at once")
        yield from pushing.pushers(_folder(folder, "pushers"), pushes=size.pushes, lines=10)
    if "think" in parts or "export" in parts:
        short, long = folder / "short", folder / "long"
        living.make_life(short, messages=100)
        yield living.make_life(long, messages=size.messages)
        if "think" in parts:
            yield from living.thinking(short, long, messages=size.messages, rounds=size.turns)
        if "export" in parts:
            yield from living.exporting(long, messages=size.messages)
    if "compact" in parts:
        window, log = _folder(folder, "window"), _folder(folder, "log")
        yield from compacting.large_window(window, tokens=size.tokens, rounds=7)
        yield from compacting.long_log(log, messages=size.messages, rounds=7)
    yield from _found_again(folder, parts, size)
    yield from _drained(folder, parts, size)
    if "doors" in parts:
        place = _folder(folder, "doors")
        yield from doors.figures(place, cycles=size.cycles, rounds=size.turns)
    if "life" in parts:
        place = _folder(folder, "life")
        yield from lives.figures(place, cycles=size.lived, rounds=size.turns)
    yield from _persons(folder, parts, size)


def _found_again(folder: Path, parts: Sequence[str], size: Size) -> Iterator[Figure]:
    """Yield the figures of what is remembered, by words and by meaning."""
    for name, measured in (("memory", remembering), ("vectors", vectors)):
        if name in parts:
            place = _folder(folder, name)
            yield from measured.figures(place, items=size.messages, rounds=size.turns)


def _drained(folder: Path, parts: Sequence[str], size: Size) -> Iterator[Figure]:
    """Yield the figures of a loop."""
    if "loop" in parts:
        place = _folder(folder, "loop")
        yield from looping.figures(place, events=size.drained, messages=size.messages)


def _persons(folder: Path, parts: Sequence[str], size: Size) -> Iterator[Figure]:
    """Yield the figures of persons."""
    if "persons" not in parts:
        return
    folder = _folder(folder, "persons")
    import populations

    yield from populations.figures(persons=size.persons, ticks=10, rounds=size.turns)
    yield from lifetimes.one(folder, rounds=size.turns)
    yield from lifetimes.parsing(folder, thoughts=size.persons, rounds=3)
    yield from lifetimes.many(folder, persons=size.persons // 10)


def _folder(folder: Path, name: str) -> Path:
    """Make a folder that only its owner may enter."""
    made = folder / name
    made.mkdir(mode=0o700)
    return made


if __name__ == "__main__":
    main(sys.argv[1:])
