"""Open what a crash left with plain SQLite and say what is wrong with it."""

import contextlib
import functools
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

import apsw
import msgspec

from mindpipe.core.errors import MindError
from mindpipe.store.migrations import SCHEMA
from support.powerloss.facts import LINES, OLDER, STORE
from support.validation import faults_of

Expected = Mapping[tuple[str, str], set[str]]
"""By file and query: the texts that the query must give."""

DAMAGED, SCHEMA_LOST, LOST = "damaged", "schema lost", "acknowledged lost"
UNREADABLE = (sqlite3.DatabaseError, apsw.Error, MindError, msgspec.MsgspecError, ValueError)
"""What reading a damaged file raises, from the database down to the words in a row."""
_RELEASED = 8
_HISTORY = (
    "SELECT * FROM message ORDER BY agent, seq",
    "SELECT * FROM segment ORDER BY agent, segment",
)


class Examiner:
    """Look at images, each in the same folder; what was seen before is not judged again."""

    def __init__(self, folder: Path) -> None:
        self.missing: set[str] = set()
        self._folder = folder
        self._sound: set[bytes] = set()
        self._judged: set[bytes] = set()

    def faults(self, image: Mapping[str, bytes], expected: Expected) -> Iterator[str]:
        """Yield what is wrong with an image, by the name of the counter."""
        stores = {name for name in image if not name.startswith(".") and name.count("-") == 0}
        stores = {name for name in stores if name.endswith(".db")}
        stores |= {file for file, sql in expected if sql != LINES}
        for name in sorted(stores):
            yield from self._of_store(name, image, expected)
        for (name, sql), members in expected.items():
            if sql == LINES and int(max(members, key=int)) > _lines(image.get(name, b"")):
                self.missing.add(f"{name}: {max(members, key=int)} lines")
                yield LOST

    def faults_now(self, expected: Expected) -> list[str]:
        """Return what is wrong with the store that was laid out, after somebody went on with it."""
        return list(self._of_store(STORE, {STORE: b""}, expected, again=True))

    def lay_out(self, image: Mapping[str, bytes]) -> Path:
        """Write the image into the folder, emptied before, and return where its store is."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(mode=0o700)
        for name, octets in image.items():
            descriptor = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(octets)
        return self._folder / STORE

    def _of_store(
        self, name: str, image: Mapping[str, bytes], expected: Expected, *, again: bool = False
    ) -> Iterator[str]:
        """Yield what is wrong with one SQLite file and what belongs to it."""
        needed = {sql: members for (file, sql), members in expected.items() if file == name}
        if name not in image:
            yield SCHEMA_LOST
            return
        print_of = _print(name, image, needed)
        if print_of in self._sound and not again:
            return
        if not again:
            self.lay_out({one: image[one] for one in image if one.startswith(name)})
        found = []
        try:
            with contextlib.closing(_open(self._folder / name)) as plain:
                found = list(self._inside(name, plain, needed))
        except sqlite3.OperationalError as error:
            found = [SCHEMA_LOST if "no such table" in str(error) else DAMAGED]
        except UNREADABLE:
            found = [DAMAGED]
        if not found and not again:
            self._sound.add(print_of)
        yield from found

    def _inside(
        self, name: str, plain: sqlite3.Connection, needed: Mapping[str, set[str]]
    ) -> Iterator[str]:
        if plain.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            yield DAMAGED
            return
        steps = plain.execute("SELECT count(*) FROM migration").fetchone()[0]
        if steps not in range(_RELEASED if name.startswith(OLDER) else len(SCHEMA), 99):
            yield SCHEMA_LOST
        elif name == OLDER and steps > _RELEASED and not self._kept_before():
            yield LOST
        for sql, members in needed.items():
            if lost := members - {text for (text,) in plain.execute(sql)}:
                self.missing |= {f"{name}: {one} of {sql.strip()}" for one in lost}
                yield LOST
        if name == STORE and not self._lawful(plain):
            yield DAMAGED

    def _kept_before(self) -> bool:
        """Tell whether the copy that a migration makes first is there."""
        return any(path.name.startswith(f"{OLDER}.before-") for path in self._folder.iterdir())

    def _lawful(self, plain: sqlite3.Connection) -> bool:
        """Tell whether the validator accepts every history in the store."""
        rows = [row for sql in _HISTORY for row in plain.execute(sql)]
        print_of = hashlib.sha256(repr(rows).encode()).digest()
        if print_of not in self._judged:
            if faults_of(self._folder / STORE):
                return False
            self._judged.add(print_of)
        return True


def _open(path: Path) -> sqlite3.Connection:
    plain = sqlite3.connect(path, isolation_level=None)
    plain.execute("PRAGMA synchronous=OFF")
    return plain


def _print(name: str, image: Mapping[str, bytes], needed: Mapping[str, set[str]]) -> bytes:
    """Return what tells one state of a file, with what is expected of it, from all others."""
    wanted = sorted((sql, sorted(members)) for sql, members in needed.items())
    digest = hashlib.sha256(repr(wanted).encode())
    for end in ("", "-wal", "-journal"):
        octets = image.get(name + end)
        digest.update(b"-" if octets is None else b"%d:" % len(octets) + octets)
    return digest.digest()


@functools.lru_cache(maxsize=256)
def _lines(octets: bytes) -> int:
    """Return how many whole lines of JSON there are; damaged ones count as none at all."""
    whole = octets[: octets.rfind(b"\n") + 1].splitlines()
    try:
        return len([json.loads(line) for line in whole])
    except ValueError:
        return 0
