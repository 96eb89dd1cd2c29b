"""Items out of an agent's log, or out of messages and items where no store is wanted."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

import msgspec

from mindpipe.core.bad_lines import AllOrNothing, BadLines
from mindpipe.core.errors import BadInputError, NothingToDoError, UsageError
from mindpipe.core.faults import problems_of
from mindpipe.core.messages import Message
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.sources import HISTORY
from mindpipe.core.strict_json import load_json
from mindpipe.history.words import searched_text
from mindpipe.memory.extraction.pieces import piece_of, pieces_of
from mindpipe.memory.extraction.records import Said, Whose
from mindpipe.memory.faults import item_faults
from mindpipe.memory.records import GivenItem, Item
from mindpipe.memory.settling import settle_item
from mindpipe.stream.lines import IMPORT_BYTES, bounded_lines
from mindpipe.wiring import logs
from mindpipe_cli import documents, output
from mindpipe_cli.input import NO_INPUT, name_of
from mindpipe_cli.rejecting import rejects_of
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.compaction.task import Write
    from mindpipe.stream.rejects import RejectsFile
    from mindpipe_cli.asked import Asked

R = TypeVar("R", bound=msgspec.Struct)
_COLUMNS = ("at", "kind", "significance", "speaker", "text", "tags")
_PAGE = 200


class _Wish(Record):
    """What the options of an extraction ask for."""

    agent: str | None
    since_cycle: int | None
    least: float
    model: str | None
    record: str | None
    file: str
    on_error: str
    rejects: str | None

    def asked(self) -> "Asked":
        """Return what is asked of a model."""
        from mindpipe_cli.asked import Asked

        return Asked(agent=self.agent, model=self.model, record=self.record)


def extract(session: Session, wishes: Mapping[str, object]) -> None:
    """Write the items that were found.

    Raises:
        BadInputError: a line is bad, or a model misquoted the log, unless these are skipped.
        NothingToDoError: there is no line, or nothing that is worth remembering.
        UsageError: options contradict each other, or there is no such agent.
    """
    wish = msgspec.convert(wishes, _Wish)
    if wish.agent is None and wish.since_cycle is not None:
        raise UsageError("--since-cycle is of an agent's log; name it with --agent.")
    if wish.agent is not None and wish.file != "-":
        raise UsageError("--agent reads the agent's own log; leave the file away.")
    with rejects_of(wish.on_error, wish.rejects) as rejects:
        made = _of_lines if wish.agent is None else _of_log
        count = session.write(made(session, wish, rejects), columns=_COLUMNS)
        if rejects is not None:
            rejects.settle()
    if rejects is not None and rejects.count:
        output.say(f"{rejects.count} lines were rejected; see {wish.rejects}.")
    if not count:
        raise NothingToDoError("nothing new is worth remembering there.")


def _of_log(session: Session, wish: _Wish, rejects: "RejectsFile | None") -> Iterator[Item]:
    """Yield the items of an agent's log that were not kept yet, as they are kept."""
    from mindpipe.agents.verbs import show

    found = show(session.store, name=wish.agent or "")
    trusted = (session.settings.text("security.trust") or "").replace(",", " ").split()
    trust = (*found.trust, *trusted)
    agent = msgspec.structs.replace(found, trust=trust)
    with contextlib.ExitStack() as stack:
        look = logs.by_rules()
        if wish.model is not None:
            from mindpipe_cli.summarising import asking

            ports = stack.enter_context(asking(session, wish.asked(), agent))
            look = _look(ports.write, rejects)
        reading = logs.Reading(agent, wish.since_cycle, wish.least, look)
        yield from logs.read_log(session.store, session.clock, session.chance, reading=reading)


def _of_lines(session: Session, wish: _Wish, rejects: "RejectsFile | None") -> Iterator[Item]:
    """Yield the items of canonical messages, or of items, on lines."""
    write = None
    if wish.model is not None:
        from mindpipe_cli.summarising import write_of

        write = write_of(session, wish.asked())
    look = logs.by_rules() if write is None else _look(write, rejects)
    bad_lines: BadLines = rejects or AllOrNothing()
    page: list[Said] = []
    for said in _pieces(wish.file, session.clock.now(), bad_lines):
        page.append(said)
        if len(page) == _PAGE:
            yield from (item for item in look(page) if item.significance >= wish.least)
            page = []
    bad_lines.settle()
    yield from (item for item in look(page) if item.significance >= wish.least)


def _look(write: "Write | None", rejects: "RejectsFile | None") -> logs.Look:
    """Return what asks a model beside the rules."""
    if write is None:
        return logs.by_rules()
    return logs.with_model(write, bad_lines=rejects or AllOrNothing())


def _pieces(file: str, now: str, bad_lines: BadLines) -> Iterator[Said]:
    """Yield what is said on the lines of a file or of stdin."""
    source = name_of(file)
    count = 0
    with documents.opened(file) as stream:
        for line in bounded_lines(
            stream, limit=IMPORT_BYTES, source=source, setting="inbox.max_bytes"
        ):
            count += 1
            try:
                yield from _said(line, source, now)
            except BadInputError as error:
                bad_lines.refuse(error.problems, line[1] if isinstance(line, tuple) else b"")
    if not count:
        raise NothingToDoError(NO_INPUT)


def _said(line: tuple[int, bytes] | Problem, source: str, now: str) -> Iterator[Said]:
    """Yield the pieces of one line; raises BadInputError for one that is neither."""
    if isinstance(line, Problem):
        raise BadInputError([line])
    number, octets = line
    value = load_json(octets, source=source, line=number)
    if isinstance(value, dict) and "role" in value:
        yield from _of_message(_sound(value, Message, source, number), now)
        return
    given = _sound(value, GivenItem, source, number)
    missing = "missing; what is found quotes the item by its id"
    faults = [*item_faults(given), *([] if given.id else [("$.id", missing)])]
    if faults or given.id is None:
        raise BadInputError(
            [Problem(source=source, line=number, field=at, message=words) for at, words in faults]
        )
    piece = piece_of(settle_item(given, id=given.id, agent=None, now=now))
    if piece is not None:
        yield piece


def _of_message(given: Message, now: str) -> Iterator[Said]:
    """Yield the pieces of a message; of a tainted one it is not known whom it heard."""
    message = given if given.at else msgspec.structs.replace(given, at=now)
    whose = Whose(sources=(HISTORY,) if message.taint else ())
    yield from pieces_of(message, log=searched_text(message), whose=lambda _: whose)


def _sound(value: object, into: type[R], source: str, number: int) -> R:
    """Return a line as a record; raises BadInputError with all that is wrong with it."""
    if faults := problems_of(value, into, source=source, line=number):
        raise BadInputError(faults)
    return msgspec.convert(value, into)
