"""Read the indexes and files that questions lead to."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.errors import BadInputError, UnavailableError
from mindpipe.core.problems import Problem
from mindpipe.core.yaml import load_yaml, record_of
from mindpipe.io.files import file_errors, read_whole
from mindpipe.recall.indexes import (
    FoundPassages,
    Index,
    IndexedDocument,
    IndexPassage,
    RoutedEntry,
    RouteStep,
    Stems,
    best,
    companion_of,
    leads,
    passages_of,
    ranked,
    routed,
    stems_of,
)

MOST_INDEXES = 500
"""So many indexes are read for one command at most."""
MOST_FILES = 20
"""So many files at most are read for one question, those that bear on it the most."""
FILE_BYTES = 4 << 20
"""No longer file is read."""


class _Stamp(NamedTuple):
    """What tells one state of a file from another: its inode, size, and times in nanoseconds."""

    inode: int
    size: int
    written: int
    changed: int


def _stamp_of(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _Stamp(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


class _Read:
    """One index that was read: what it says, its folder, and the lines of what it names."""

    def __init__(self, name: str, index: Index, lines: dict[str, int]) -> None:
        self.name = name
        self.index = index
        self.entry_lines = [
            lines.get(f"$.entries[{number}]") for number in range(len(index.entries))
        ]
        self.intent_lines = [
            lines.get(f"$.intent_mappings[{number}].load_index")
            for number in range(len(index.intent_mappings))
        ]


class Routing:
    """Answers questions by an index and what it leads to; each file is read once.

    `tell` hears of files that an index names and that are not there, or too long.
    """

    def __init__(self, root: str, *, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._stamps: dict[Path, _Stamp | None] = {}
        self._indexes: dict[str, _Read] = {}
        self._files: dict[str, tuple[IndexPassage, ...] | None] = {}
        self._root = self._read_index(Path(root), root)
        self._base = _base_of(Path(root).parent, self._root.index)

    def answer(self, question: str, *, most: int) -> list[FoundPassages]:
        """Return the passages that answer a question, best first, at most so many.

        Raises:
            BadInputError: an index is none, or names what is not there or outside of its base.
        """
        asked = stems_of(question)
        found = list(self._routed(asked))
        documents = [
            document for one in best(found, most=MOST_FILES) for document in self._documents(one)
        ]
        return ranked(documents, asked, most=most)

    @property
    def is_stale(self) -> bool:
        """Tell whether any file that was looked at is another one by now."""
        return any(_stamp_of(path) != stamp for path, stamp in self._stamps.items())

    def _routed(self, asked: Stems) -> Iterator[RoutedEntry]:
        """Yield the entries of all indexes that a question leads to, each index once."""
        waiting: list[tuple[_Read, tuple[RouteStep, ...]]] = [(self._root, ())]
        seen = {self._root.name}
        while waiting:
            here, way = waiting.pop(0)
            yield from routed(here.index, asked, name=here.name, way=way, lines=here.entry_lines)
            for intent, keyword in leads(here.index, asked):
                line = here.intent_lines[here.index.intent_mappings.index(intent)]
                path = self._inside(intent.load_index, here.name, line)
                name = str(path.relative_to(self._base))
                if name not in seen:
                    seen.add(name)
                    waiting.append(
                        (self._led(path, name, here, line), (*way, RouteStep(here.name, keyword)))
                    )

    def _led(self, path: Path, name: str, by: _Read, line: int | None) -> _Read:
        """Return the index that another one names."""
        if len(self._indexes) >= MOST_INDEXES:
            raise _bad(by.name, line, f"more than {MOST_INDEXES} indexes")
        try:
            return self._read_index(path, name)
        except UnavailableError:
            raise _bad(by.name, line, f"the index {name} is not there") from None

    def _read_index(self, path: Path, name: str) -> _Read:
        """Return an index, read once."""
        if name not in self._indexes:
            self._stamps[path] = _stamp_of(path)
            document = load_yaml(read_whole(path), source=name)
            index = record_of(document, Index, source=name)
            self._indexes[name] = _Read(name, index, document.lines)
        return self._indexes[name]

    def _documents(self, found: RoutedEntry) -> Iterator[IndexedDocument]:
        """Yield the file of an entry, and its companion first where there is one."""
        place = self._inside(found.entry.path, found.name, found.line)
        companion = companion_of(found.entry.path)
        if companion is not None:
            there = self._base / companion
            self._stamps.setdefault(there, _stamp_of(there))
        if companion is not None and (self._base / companion).exists():
            other = self._inside(companion, found.name, found.line)
            yield from self._document(other, companion, found, companion=True)
        yield from self._document(place, found.entry.path, found, companion=False)

    def _document(
        self, place: Path, path: str, found: RoutedEntry, *, companion: bool
    ) -> Iterator[IndexedDocument]:
        """Yield a file with its passages, unless it cannot be read."""
        if path not in self._files:
            self._files[path] = self._passages(place, path, found)
        passages = self._files[path]
        if passages is not None:
            yield IndexedDocument(path, found, companion, passages)

    def _passages(
        self, place: Path, path: str, found: RoutedEntry
    ) -> tuple[IndexPassage, ...] | None:
        """Return the passages of a file; None, with a word, for one that cannot be read."""
        at = f"{found.name}:{found.line}: {path}"
        self._stamps[place] = _stamp_of(place)
        try:
            with file_errors(place):
                if place.stat().st_size > FILE_BYTES:
                    self._tell(f"{at} is longer than {FILE_BYTES} bytes; it is left out.")
                    return None
            return passages_of(read_whole(place).decode("utf-8", "replace"))
        except UnavailableError:
            self._tell(f"{at} is not there; it is left out.")
            return None

    def _inside(self, path: str, name: str, line: int | None) -> Path:
        """Return where a path leads; raises BadInputError for one that leaves the base."""
        place = (self._base / path).resolve()
        if not place.is_relative_to(self._base):
            raise _bad(name, line, f"{path} leads out of {self._base}")
        return place


def _base_of(folder: Path, index: Index) -> Path:
    """Return the folder that all paths count from, for a first index that is in `folder`."""
    given = folder / (index.base or ".")
    with file_errors(given):
        base = given.resolve(strict=True)
    named = [*(one.load_index for one in index.intent_mappings), *(e.path for e in index.entries)]
    if index.base is not None or not named:
        return base
    # People write paths from the root of what they keep, and keep their indexes somewhere in it:
    # below the folder in which they work, or else in a folder of its own there.
    work = Path.cwd()
    inside = base.is_relative_to(work)
    above = [one for one in base.parents if one.is_relative_to(work)] if inside else [base.parent]
    there = (one for one in (base, *above) if (one / named[0]).exists())
    return next(there, base)


def _bad(name: str, line: int | None, words: str) -> BadInputError:
    return BadInputError([Problem(source=name, line=line, message=words)])
