"""One table of what consolidation judges by itself, and of which state recall puts first after it.

All of it goes through the commands, each a process of its own, as anybody would call them.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from mindpipe.core.instants import later
from mindpipe.core.records import Record, to_json
from mindpipe.io.files import read_whole
from mindpipe.knowledge.claims.prose import stems
from mindpipe.language.topics import topic_words
from mindpipe_cli.benchmarks.commands import mind
from mindpipe_cli.benchmarks.scorers import MarksScore, Scorers, no_data

_AGENT = "reader"
_FIRST = "2026-01-01T09:00:00Z"
_SESSION_SECONDS = 7 * 86_400
_MOVES = re.compile(r"\bmov(?:e|ing)\b", re.IGNORECASE)


class Figure(Record, omit_defaults=True):
    """One row of `mind bench knowledge`, in shares.

    Of chats: updates that are marked, the right way round; pairs of statements that stand side by
    side and are marked all the same; contradictions that are marked as updates; and how many marks
    there are per chat. Of dialogues in which somebody moves: questions of which the first answer is
    of the newest home.
    """

    what: str
    way: str
    detected: float | None = None
    false_supersession: float | None = None
    settled_silently: float | None = None
    marks_per_chat: float | None = None
    newest_first: float | None = None
    count: int = 0


class KnowledgeBenchOptions(Record):
    """What is measured: in which folder, by which scorers."""

    folder: str
    scorers: str


class _Item(msgspec.Struct, omit_defaults=True):
    """A turn of a dialogue."""

    id: str
    text: str
    at: str
    speaker: str
    session: str


def figures(wishes: Mapping[str, str | None]) -> Iterator[Figure]:
    """Yield the rows for all that is found in a folder.

    Raises:
        UnavailableError: what is measured with, or by, is not there.
        MindError: a command or a scorer failed.
    """
    options = msgspec.convert(wishes, KnowledgeBenchOptions)
    folder = Path(options.folder)
    chats = [one for one in sorted(folder.glob("beam*")) if one.is_dir()]
    states = sorted(folder.glob("structmem*/*.json"))
    if not chats and not states:
        raise no_data("dialogues", options.folder)
    scorers = Scorers(Path(options.scorers))
    for one in chats:
        yield from _judged(scorers, one)
    if states:
        yield from _newest_first(states)


def _judged(scorers: Scorers, chats: Path) -> Iterator[Figure]:
    """Yield what is marked in chats: by consolidation, and in the simplest way."""
    with tempfile.TemporaryDirectory() as place:
        scorers.prepare(chats, Path(place))
        files = sorted(Path(place).glob("*/items.jsonl"))
        own = [mark for file in files for mark in _marks(file)]
        nearest = [mark for file in files for mark in _nearest(file)]
    for way, marks in (("consolidate", own), ("the nearest earlier message", nearest)):
        found: MarksScore = scorers.judged(chats, b"".join(to_json(mark) + b"\n" for mark in marks))
        yield Figure(
            what=chats.name,
            way=way,
            detected=found.detected,
            false_supersession=found.false_supersession,
            settled_silently=found.settled_silently,
            marks_per_chat=len(marks) / len(files),
            count=found.updates,
        )


def _marks(items: Path) -> list[dict[str, str]]:
    """Return the items of one chat that consolidation marks as superseded."""
    marks = items.with_name("marks.jsonl")
    mind("consolidate", "--marks", str(marks), str(items))
    lines = map(msgspec.json.decode, read_whole(marks).splitlines())
    return [
        {"conversation": items.parent.name, "old": one["old"], "new": one["new"]}
        for one in lines
        if one["relation"] == "supersedes"
    ]


def _nearest(items: Path) -> list[dict[str, str]]:
    """Return for each message of the user the earlier one that shares most of its words."""
    said = [msgspec.json.decode(line, type=_Item) for line in _lines(items)]
    own = [(one, stems(topic_words(one.text))) for one in said if one.speaker == "user"]
    marks = []
    for place, (one, words) in enumerate(own):
        shared = [(len(words & others), earlier) for earlier, (_, others) in enumerate(own[:place])]
        most, nearest = max(shared, default=(0, 0))
        if most:
            old = own[nearest][0].id
            marks.append({"conversation": items.parent.name, "old": old, "new": one.id})
    return marks


def _lines(file: Path) -> list[bytes]:
    """Return the lines of a file that hold something of the kind of an item."""
    return read_whole(file).splitlines()


def _newest_first(files: Sequence[Path]) -> Iterator[Figure]:
    """Yield how often recall puts what was said since the last move first, with and without."""
    firsts: dict[str, list[bool]] = {"recall alone": [], "consolidate, then recall": []}
    for file in files:
        case = msgspec.json.decode(read_whole(file))
        moves = [place for place, one in enumerate(case["sessions"]) if _MOVES.search(one["topic"])]
        if not moves:
            continue
        for way, first in zip(firsts, _first_answers(case), strict=True):
            firsts[way].append(int(first) >= moves[-1])
    for way, found in firsts.items():
        share = sum(found) / len(found) if found else None
        yield Figure(what=files[0].parent.name, way=way, newest_first=share, count=len(found))


def _first_answers(case: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[str]:
    """Yield the session of the first answer to a dialogue's question, before and after."""
    with tempfile.TemporaryDirectory() as place:
        store = Path(place) / "mind.db"
        items = {one.id: one for one in _turns(case)}
        mind("init", "--agent", _AGENT, store=store)
        lines = b"".join(to_json(one) + b"\n" for one in items.values())
        mind("memory", "add", "--agent", _AGENT, store=store, stdin=lines)
        question = str(case["queries"][0]["question"])
        for consolidates in (False, True):
            if consolidates:
                mind("consolidate", "--agent", _AGENT, store=store)
            asked = ("recall", "--agent", _AGENT, "--json", question)
            found = mind(*asked, store=store, statuses=(0, 3)).splitlines()
            refs = [msgspec.json.decode(one)["ref"] for one in found]
            # Above what was said a belief may stand that it led to, which is of no session.
            yield next((items[ref].session for ref in refs if ref in items), "-1")


def _turns(case: Mapping[str, Sequence[Mapping[str, object]]]) -> Iterator[_Item]:
    """Yield the turns of a dialogue; its sessions lie a week apart."""
    for number, session in enumerate(case["sessions"]):
        said = msgspec.convert(session["messages"], list[dict[str, str]])
        for place, one in enumerate(said):
            yield _Item(
                id=f"{number}-{place}",
                text=one["content"],
                at=later(_FIRST, seconds=number * _SESSION_SECONDS + place),
                speaker=one["role"],
                session=str(number),
            )
