"""What a mind believes of lives whose truth is known, and finds of them again, by reader and style.

Each life is fed through the commands, each a process of its own, by the scorer that counts.
"""

import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from operator import add
from pathlib import Path

import msgspec

from mindpipe.core.records import Record
from mindpipe.io.files import write_whole
from mindpipe.providers.local_models import data_folder
from mindpipe_cli.benchmarks.scorers import LifeScore, Scorers, no_data

ALL = "all"
_PROGRAM = """#!{python}
import sys

from mindpipe_cli.main import main

sys.exit(main())
"""


class Figure(Record):
    """One row of `mind bench lives`: counts, and two shares, of one life or of all.

    Of `active` beliefs, each counted once, `right` are true at the end, `precision` is their share.
    Of `facts` that hold at the end `believed` are. Traps are what a careless reader would believe;
    ended facts may still be active. Of the questions that are `asked` some are answered by evidence
    within the first three; of those that have stale evidence (`stale`), it stands above in some.
    """

    life: str
    reader: str
    style: str
    right: int
    active: int
    precision: float | None
    believed: int
    facts: int
    recall: float | None
    sprung: int
    traps: int
    ended_active: int
    ended: int
    top3: int
    asked: int
    stale_above: int
    stale: int


class LivesBenchOptions(Record):
    """What is measured: in which folder, by which scorers, of which lives, by whom and how fed."""

    folder: str
    scorers: str
    only: Sequence[str]
    readers: Sequence[str]
    styles: Sequence[str]


def figures(wishes: Mapping[str, str | Sequence[str] | None]) -> Iterator[Figure]:
    """Yield the rows of each reader and style: those of the lives, then that of all.

    Raises:
        UnavailableError: what is measured with, or by, is not there.
        MindError: a command or a scorer failed.
    """
    options = msgspec.convert(wishes, LivesBenchOptions)
    lives = [
        file.parent
        for file in sorted(Path(options.folder).glob("lives*/*/facts.jsonl"))
        if not options.only or file.parent.name in options.only
    ]
    if not lives:
        raise no_data("lives", options.folder)
    scorers = Scorers(Path(options.scorers))
    for reader in options.readers:
        environment = {
            "MIND_KNOWLEDGE_READER": reader,
            "XDG_DATA_HOME": str(data_folder(os.environ).absolute()),
        }
        for style in options.styles:
            found: list[Figure] = []
            for life in lives:
                with tempfile.TemporaryDirectory() as work:
                    score = scorers.lived(
                        life,
                        style,
                        programs=_programs(Path(work)),
                        work=Path(work),
                        environment=environment,
                    )
                found.append(_figure(score, life.name, reader=reader, style=style))
                yield found[-1]
            if len(found) > 1:
                yield functools.reduce(_together, found)


def _programs(work: Path) -> Path:
    """Return a folder with this program under its name."""
    own = Path(sys.executable).parent
    if shutil.which("mind", path=str(own)):
        return own
    program = work / "bin" / "mind"
    program.parent.mkdir()
    write_whole(program, [_PROGRAM.format(python=sys.executable).encode()])
    program.chmod(0o700)
    return program.parent


def _figure(score: LifeScore, life: str, *, reader: str, style: str) -> Figure:
    """Return what a scorer found of one life as a row."""
    beliefs, questions = score.beliefs, score.questions
    return Figure(
        life=life,
        reader=reader,
        style=style,
        right=beliefs.right,
        active=beliefs.active,
        precision=_share(beliefs.right, beliefs.active),
        believed=beliefs.stated,
        facts=beliefs.facts,
        recall=_share(beliefs.stated, beliefs.facts),
        sprung=sum(beliefs.sprung.values()),
        traps=sum(beliefs.traps.values()),
        ended_active=beliefs.ended_active,
        ended=beliefs.ended_facts,
        top3=questions.top3,
        asked=questions.asked,
        stale_above=questions.stale_above,
        stale=questions.stale_asked,
    )


def _together(one: Figure, other: Figure) -> Figure:
    """Return two rows as one."""
    counts = [name for name, kind in Figure.__annotations__.items() if kind is int]
    whole = {name: add(getattr(one, name), getattr(other, name)) for name in counts}
    return msgspec.structs.replace(
        one,
        life=ALL,
        **whole,
        precision=_share(whole["right"], whole["active"]),
        recall=_share(whole["believed"], whole["facts"]),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
