"""Add items as the options of `mind memory add` ask, and read which ones are meant."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, get_args

import msgspec

from mindpipe.core.bad_lines import BadLines
from mindpipe.core.errors import UsageError
from mindpipe.core.names import safe_name
from mindpipe.core.records import Record
from mindpipe.memory.faults import item_faults
from mindpipe.memory.records import GivenItem, ItemFilter, ItemKind
from mindpipe.memory.verbs import items
from mindpipe.memory.verbs.settling_file import Settling
from mindpipe.stream.files import write_whole
from mindpipe.stream.spool import Spool
from mindpipe.wiring.quoting import Quoting, held_to_the_log
from mindpipe_cli import documents, remembering
from mindpipe_cli.remembering import Kind, Wish
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from pathlib import Path

_Adder = Quoting | Settling


class Given(Record):
    """What the options of `mind memory add` ask for."""

    file: str = "-"
    agent: str | None = None
    text: str | None = None
    at: str | None = None
    speaker: str | None = None
    key: str | None = None
    source: str | None = None
    on_error: str = "stop"
    rejects: str | None = None
    output: str | None = None


def add(session: Session, given: Given) -> None:
    """Add the items of lines or of --text, to the store and its index, or to a file."""
    if given.agent is None and given.output is None:
        raise UsageError("name whose memory: --agent NAME.")
    if given.text is None and (given.at or given.key or given.speaker):
        raise UsageError("--at, --speaker and --key go with --text; lines say their own.")
    kind: Kind[GivenItem] = Kind(GivenItem, item_faults, _adding(session, given))
    if given.text is not None:
        text = remembering.words_of(given.text)
        item = GivenItem(text=text, at=given.at, speaker=given.speaker, key=given.key)
        remembering.add_one(session, item, kind, source=given.source)
    else:
        wish = Wish(
            file=given.file, source=given.source, on_error=given.on_error, rejects=given.rejects
        )
        remembering.add_lines(session, wish, kind)
    if given.output is None:
        from mindpipe.recall.verbs import indexing

        for _ in indexing.catch_up(session.store):
            pass


def filter_of(wanted: Mapping[str, str | bool | None]) -> ItemFilter:
    """Return which items options mean.

    Raises:
        UsageError: there is no such kind of item.
    """
    kind = wanted.get("kind")
    if kind is not None and kind not in get_args(ItemKind):
        raise UsageError(f'--kind: expected one of {", ".join(get_args(ItemKind))}, got "{kind}".')
    return msgspec.convert(wanted, ItemFilter)


def _adding(session: Session, given: Given) -> Callable[[BadLines], AbstractContextManager[_Adder]]:
    """Return what opens the store, or the file, that items are added to."""
    if given.output is None:
        name = remembering.agent_of(session, given.agent or "")
        return held_to_the_log(
            lambda bad_lines: items.adding(
                session.store, session.clock, session.chance, agent=name, bad_lines=bad_lines
            ),
            session.store,
            agent=name,
        )
    path, agent = documents.path_of(given.output), given.agent and safe_name(given.agent)
    return lambda bad_lines: _to_file(session, path, agent, bad_lines)


@contextlib.contextmanager
def _to_file(
    session: Session, path: "Path", agent: str | None, bad_lines: BadLines
) -> Iterator[Settling]:
    """Give what settles items, and write them to a file, whole or not at all."""
    with Spool() as lines:
        yield Settling(session.clock, agent=agent, keep=lines.add, bad_lines=bad_lines)
        bad_lines.settle()
        write_whole(path, lines.pieces())
