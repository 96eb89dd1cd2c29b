"""`mind view`: a life as one page."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.options import any_agent_option, only_agent, output_option, person_option
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.ports import Store


class ViewOptions(Record):
    """Whose life is shown, and where the page is written (None: to stdout)."""

    file: str | None = None
    other: str | None = None
    agent: str | None = None
    person: str | None = None
    output: str | None = None


@command("view", example="mind view --agent ava > life.html")
@click.argument("file", required=False, metavar="[FILE|FIRST")
@click.argument("other", required=False, metavar="SECOND]")
@any_agent_option
@person_option
@output_option
def COMMAND(session: Session, **given: str | None) -> None:
    """Print the life of an agent, or of a person, or two lives, as one HTML page without network.

    Of an agent (the only one of the store, if nobody is named) it shows all cycles by what they
    cost, their messages, calls and tickets, what compaction did to the window, what is believed as
    of any moment with the quoted words, the exact prompt of each turn, spend, plans and waits. Of a
    person, in the store or in FILE (what mind simulate run prints, - for stdin), it shows body
    curves, sleep, events and thoughts; a store has the curves of those whom mind simulate run lived
    with --keep-states. FILE can be a life file too; what it prints that a command shows is shown
    where that was imported.

    Two lives, FIRST and SECOND, are named as for mind life diff (an agent or a person of the store,
    a life file, the store of a fork, lines, each with @CYCLE or @INSTANT). They stand beside each
    other from where they first differ, which is marked; what both share is folded.

    A page has at most 1 MB, and for each byte of the compressed history half of one more. What has
    no room is cut: its beginning is there, its SHA-256, and the command that prints it whole.
    """
    session.prints("an HTML page")
    options = msgspec.convert(given, ViewOptions)
    if options.other is not None and (options.agent is not None or options.person is not None):
        raise UsageError("name two lives without --agent and --person, as for mind life diff.")
    if options.file is None and options.person is None:
        options = msgspec.structs.replace(options, agent=options.agent or only_agent(session))
    elif options.agent is not None:
        raise UsageError("name an --agent, or a --person, or a FILE: one of these.")
    if options.file is None or options.other is not None:
        _write(_page(session, options), options.output)
        return
    from mindpipe_cli.named_lives import life_in

    with life_in(options.file) as found:
        if found is None:
            _write(_page(session, options), options.output)
            return
        if options.person is not None:
            raise UsageError("a life file holds one life; take away --person.")
        store, manifest = found
        is_person = manifest.person is True
        _write(_page_of(session, store, manifest.agent, is_person=is_person), options.output)


def _page(session: Session, options: ViewOptions) -> Iterator[bytes]:
    """Return the pieces of the page that is asked for."""
    from mindpipe.monitoring.verbs import view

    if options.agent is not None:
        return _page_of(session, session.store, options.agent, is_person=False)
    if options.file is not None and options.other is not None:
        return _two(session, options.file, options.other)
    if options.file is not None:
        from mindpipe_cli.person_input import records_of

        records = records_of(options.file)
        return view.view_persons(
            records, session.clock, person=options.person, files=session.app.page_files()
        )
    return _page_of(session, session.store, options.person or "", is_person=True)


def _page_of(session: Session, store: "Store", name: str, *, is_person: bool) -> Iterator[bytes]:
    """Return the pieces of the page of somebody in a store."""
    from mindpipe.monitoring.verbs import view

    clock, files = session.clock, session.app.page_files()
    if not is_person:
        trust = tuple(session.settings.security.sources())
        return view.view(store, clock, agent=name, files=files, trust=trust)
    kept = view.lived(store, person=name)
    return view.view_persons(kept, clock, person=name, files=files, advice=view.OF_STORE)


def _two(session: Session, first: str, second: str) -> Iterator[bytes]:
    """Return the pieces of the page of two lives."""
    from mindpipe.life.words import in_words
    from mindpipe.monitoring.page.records import PairDifference, PairMoment, PairSide
    from mindpipe.monitoring.verbs import view
    from mindpipe_cli.named_lives import beside

    sides, found = beside(session, first, second)
    one, other = (
        PairSide(side.name, tuple(PairMoment(*each) for each in side.moments), *side[2:])
        for side in sides
    )
    differences = [
        PairDifference(what=each.what, key=each.key, first=each.first, second=each.second)
        for each in in_words(found)
    ]
    files = session.app.page_files()
    return view.view_pair(one, other, session.clock, differences=differences, files=files)


def _write(pieces: Iterator[bytes], to: str | None) -> None:
    """Write the page to stdout, or whole or not at all to a file."""
    if to is None:
        output.write_bytes(pieces)
        return
    from mindpipe.io.files import write_whole

    write_whole(Path(to), pieces)
