"""A history into a file of another program, from a store or from canonical rows."""

import contextlib
import itertools
from collections.abc import Iterator, Mapping
from typing import IO, BinaryIO, Literal

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError, UsageError
from mindpipe.core.messages import Head, Message, decode_message
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.formats.records import Loss, RenderOptions
from mindpipe.formats.rendering import forget
from mindpipe.history.exporting import Export, Listen, rendered
from mindpipe.history.records import Wanted
from mindpipe.stream.files import write_whole
from mindpipe.stream.lines import bounded_lines
from mindpipe_cli import documents, output, telling
from mindpipe_cli.session import Session

Wishes = Mapping[str, str | int | bool | None]


class _Export(Record):
    """What the options of an export ask for."""

    agent: str | None
    format: str
    cycle: int | None
    document: str | None
    sdk: Literal[5, 6, 7]
    strict_roles: bool
    losses: str | None
    output: str | None
    file: str


def export(session: Session, wishes: Wishes) -> None:
    """Write the document, then say what it does not hold."""
    wish = msgspec.convert(wishes, _Export)
    if wish.agent is None:
        _export_rows(session, wish)
    else:
        _export_log(session, wish, agent=wish.agent)


def _export_log(session: Session, wish: _Export, *, agent: str) -> None:
    """Write an agent's history from the store."""
    from mindpipe.agents.verbs import show as known_agent
    from mindpipe.history.verbs.export import export as export_log

    name = known_agent(session.store, name=agent).name
    wanted = Wanted(
        format=wish.format, options=_options(wish), cycle=wish.cycle, document=wish.document
    )
    with _losses(wish.losses) as listen:
        document = export_log(session.store, agent=name, wanted=wanted, listen=listen)
        _write(document, wish)


def _export_rows(session: Session, wish: _Export) -> None:
    """Write canonical rows from a file or stdin, holding one turn at a time."""
    if wish.document is not None:
        raise UsageError("imported documents are in a store. Give --agent NAME.")
    limit = session.settings.number("import.max_bytes") or 0
    with documents.opened(wish.file) as stream, _losses(wish.losses) as listen:
        said = _rows(stream, source=wish.file, limit=limit)
        if wish.cycle is not None:
            said = (message for message in said if message.cycle == wish.cycle)
        if (first := next(said, None)) is None:
            raise NothingToDoError("there are no messages to export.")
        wanted = Wanted(format=wish.format, options=_options(wish))
        said = itertools.chain([first], said)
        _write(rendered(Head(system=""), said, wanted=wanted, listen=listen), wish)


def _options(wish: _Export) -> RenderOptions:
    """Return how a form is written."""
    return RenderOptions(sdk=wish.sdk, strict_roles=wish.strict_roles)


def _rows(stream: BinaryIO, *, source: str, limit: int) -> Iterator[Message]:
    """Yield canonical messages from lines; raises BadInputError at the first line that is none."""
    name = "stdin" if source == "-" else source
    for line in bounded_lines(stream, limit=limit, source=name, setting="import.max_bytes"):
        if isinstance(line, Problem):
            raise BadInputError([line])
        try:
            yield decode_message(line[1])
        except NO_RECORD as error:
            problem = Problem(source=name, line=line[0], message=f"no canonical message: {error}")
            raise BadInputError([problem]) from None


def _write(document: Export, wish: _Export) -> None:
    """Write a document where it was asked for, and say what is not in it."""
    if wish.output is None:
        output.write_bytes(document.chunks())
    else:
        write_whole(documents.path_of(wish.output), document.chunks())
    telling.losses(document.counts())


@contextlib.contextmanager
def _losses(file: str | None) -> Iterator[Listen]:
    """Give a listener whose losses are in the file when all went well."""
    if file is None:
        yield forget
        return
    import tempfile

    with tempfile.TemporaryFile() as spool:
        yield lambda loss: _keep(spool, loss)
        spool.seek(0)
        write_whole(documents.path_of(file), spool)


def _keep(spool: IO[bytes], loss: Loss) -> None:
    """Write one loss as a line."""
    spool.write(to_json(loss) + b"\n")
