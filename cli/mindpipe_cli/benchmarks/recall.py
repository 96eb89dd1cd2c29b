"""One table of what recall finds: by words, by vectors, after verdicts, beside simple rankings.

All of it goes through the commands, each a process of its own, as anybody would call them.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import ExitStatus
from mindpipe.core.records import Record, to_json
from mindpipe.io.files import read_whole
from mindpipe.knowledge.audit import OBSERVATION_PREFIX
from mindpipe_cli.benchmarks.commands import mind
from mindpipe_cli.benchmarks.scorers import RecallScore, Scorers, no_data

_AGENT = "reader"
_HITS = "50"
_AT_ONCE = 50
"""Observations that one command shows."""
_CONSOLIDATED = (ExitStatus.DONE, ExitStatus.NOTHING_TO_DO)
"""How `mind consolidate` ends that went well: it may find nothing to believe."""


class Figure(Record):
    """One row of `mind bench recall`: how much of the evidence one ranking finds, in shares.

    `categories` are r@10 by the kind of question. The last three are of chats with labels: new side
    above the old one, old side within 20, both sides of a contradiction within 20.
    """

    what: str
    ranking: str
    r5: float
    r10: float
    r20: float
    mrr: float
    categories: dict[str, float] = {}
    new_above_old: float | None = None
    old20: float | None = None
    both20: float | None = None


class RecallBenchOptions(Record):
    """What is measured: in which folders, dialogues of which shape, with which embedding model."""

    folder: str
    scorers: str
    shape: str | None = None
    model: str | None = None


def figures(wishes: Mapping[str, str | None]) -> Iterator[Figure]:
    """Yield the rows that the options of a command ask for.

    Raises:
        UnavailableError: what is measured with, or by, is not there.
        MindError: a command or a scorer failed.
    """
    options = msgspec.convert(wishes, RecallBenchOptions)
    folder = Path(options.folder)
    sets = [one for one in _sets(folder) if options.shape in (None, one.name.split("_")[0])]
    if not sets:
        raise no_data("dialogues", options.folder)
    scorers = Scorers(Path(options.scorers))
    for one in sets:
        with tempfile.TemporaryDirectory() as place:
            yield from _Bench(scorers, options.model, one, Path(place)).figures()


class _Set(NamedTuple):
    """Some dialogues: their name, and the file or folder that they are in."""

    name: str
    path: Path


def _sets(folder: Path) -> list[_Set]:
    """Return the dialogues below a folder: files of the one shape, folders of the other."""
    if not folder.is_dir():
        return []
    files = [_Set(file.stem, file) for file in sorted(folder.glob("locomo*/*.json"))]
    return files + [_Set(one.name, one) for one in sorted(folder.glob("beam*")) if one.is_dir()]


class _Bench:
    """Measure one set of dialogues; what is prepared, and the stores, go into `place`."""

    def __init__(self, scorers: Scorers, model: str | None, of: _Set, place: Path) -> None:
        self._scorers = scorers
        self._model = model
        self._of = of
        self._place = place

    def figures(self) -> Iterator[Figure]:
        """Yield every row: the simple rankings first."""
        self._scorers.prepare(self._of.path, self._place)
        for name, found in self._scorers.recall_floor(self._of.path).items():
            yield self._figure(name, found)
        labelled = self._of.path.is_dir()
        stores = [self._store(folder, "mind.db") for folder in self._folders()]
        yield from self._ways(stores, "")
        consolidated = [self._store(folder, "consolidated.db") for folder in self._folders()]
        for store in consolidated:
            mind("consolidate", "--agent", _AGENT, store=store, statuses=_CONSOLIDATED)
        yield from self._ways(consolidated, ", consolidated")
        if labelled:
            self._judge(stores)
            yield from self._ways(stores, ", verdicts given")
        else:
            folders = self._folders()
            nameless = [self._store(one, "nameless.db", speakers=False) for one in folders]
            yield from self._ways(nameless, ", no speakers")

    def _folders(self) -> list[Path]:
        """Return the folders of the dialogues, each with items and queries."""
        return sorted(file.parent for file in self._place.glob("*/items.jsonl"))

    def _ways(self, stores: list[Path], more: str) -> Iterator[Figure]:
        """Yield what is found in stores by words, and by words and vectors if they are wished."""
        yield self._recalled(stores, f"words{more}", model=None)
        if self._model:
            for store in stores:
                mind("recall", "embed", "--agent", _AGENT, "--model", self._model, store=store)
            yield self._recalled(stores, f"words and vectors{more}", model=self._model)

    def _recalled(self, stores: list[Path], ranking: str, *, model: str | None) -> Figure:
        """Return what is found in stores, the queries of each beside it."""
        asked = ("recall", "--agent", _AGENT, "-k", _HITS, "--queries", "-", "--json")
        hits = b"".join(
            _of_turns(
                mind(
                    *asked,
                    store=store,
                    stdin=read_whole(store.parent / "queries.jsonl"),
                    model=model,
                ),
                store,
            )
            for store in stores
        )
        return self._figure(ranking, self._scorers.recalled(self._of.path, hits))

    def _store(self, folder: Path, name: str, *, speakers: bool = True) -> Path:
        """Return a store that remembers the dialogue of a folder, with its speakers or without."""
        store = folder / name
        items = read_whole(folder / "items.jsonl")
        if not speakers:
            items = b"".join(_nameless(line) for line in items.splitlines())
        mind("init", "--agent", _AGENT, store=store)
        mind("memory", "add", "--agent", _AGENT, store=store, stdin=items)
        return store

    def _judge(self, stores: list[Path]) -> None:
        """Give the labels of each dialogue to its store as verdicts."""
        labels = [
            msgspec.json.decode(line, type=_Label)
            for line in self._scorers.verdicts(self._of.path).splitlines()
        ]
        for store in stores:
            own = [one for one in labels if one.conversation == store.parent.name]
            lines = b"".join(
                msgspec.json.encode({"relation": one.relation, "old": one.old, "new": one.new})
                + b"\n"
                for one in own
            )
            if own:
                mind(
                    *("consolidate", "--agent", _AGENT, "--verdicts", "-"),
                    store=store,
                    stdin=lines,
                )

    def _figure(self, ranking: str, found: RecallScore) -> Figure:
        """Return what a scorer found as a row."""
        return Figure(what=self._of.name, ranking=ranking, **msgspec.structs.asdict(found))


class TurnHit(msgspec.Struct, frozen=True):
    """What a recall found for a query: a turn, or an observation."""

    query: str
    rank: float
    ref: str


class _Believed(msgspec.Struct):
    """An observation and what it stands on."""

    id: str
    evidence: list["_Evidence"] = []


class _Evidence(msgspec.Struct):
    """A turn, and whether it speaks for what stands on it."""

    ref: str
    stance: str


def _of_turns(hits: bytes, store: Path) -> bytes:
    """Return hits with the turns that an observation rests on in its place, as scorers ask for."""
    found = [msgspec.json.decode(line, type=TurnHit) for line in hits.splitlines()]
    ids = sorted({one.ref for one in found if one.ref.startswith(OBSERVATION_PREFIX)})
    rests_on: dict[str, list[str]] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        for line in mind("observation", "show", *some, "--agent", _AGENT, store=store).splitlines():
            one = msgspec.json.decode(line, type=_Believed)
            rests_on[one.id] = [each.ref for each in one.evidence if each.stance == "support"]
    return b"".join(msgspec.json.encode(one) + b"\n" for one in in_turns(found, rests_on))


def in_turns(found: Iterable[TurnHit], rests_on: Mapping[str, Sequence[str]]) -> Iterator[TurnHit]:
    """Yield hits, in the place of each that rests on turns those, on ranks up to the next one."""
    for one in found:
        turns = rests_on.get(one.ref, [one.ref])
        for place, ref in enumerate(turns):
            yield TurnHit(query=one.query, rank=one.rank + place / len(turns), ref=ref)


class _Label(msgspec.Struct):
    """An update or a contradiction, as the scorers give it."""

    conversation: str
    relation: str
    old: list[str]
    new: list[str]


def _nameless(line: bytes) -> bytes:
    """Return an item without its speaker."""
    item = msgspec.json.decode(line, type=dict[str, object])
    item.pop("speaker", None)
    return to_json(item) + b"\n"
