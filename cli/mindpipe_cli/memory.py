"""`mind memory`: all that agents remember, whatever form it has."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TypeVar, get_args

import click
import msgspec

from mindpipe.core.errors import (
    BadInputError,
    EmptyInputError,
    NothingToDoError,
    RefusedError,
    UsageError,
)
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import counted
from mindpipe.providers.formats import MEMORY_FORMATS
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    agent_option,
    agent_or_input_option,
    any_agent_option,
    archived_option,
    as_of_option,
    at_option,
    before_option,
    dry_run_option,
    file_argument,
    key_option,
    kind_option,
    limit_option,
    model_options,
    on_error_options,
    only_agent,
    output_option,
    reader_option,
    since_option,
    source_option,
    speaker_option,
    subject_option,
    text_option,
    whole,
)
from mindpipe_cli.reader import ReaderChoice, choose_reader, reading
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from mindpipe.context.records import Memory
    from mindpipe.core.lines import BadLines
    from mindpipe.core.messages import Message
    from mindpipe.core.models import Write
    from mindpipe.core.problems import Problem
    from mindpipe.io.rejects import RejectsFile
    from mindpipe.language.records import StatementReader
    from mindpipe.memory.extraction.records import FindItems, SpeakerWords
    from mindpipe.memory.records import GivenItem, Item, ItemFilter
    from mindpipe.memory.verbs.file import FileSettlement
    from mindpipe_cli.additions import Adder

R = TypeVar("R", bound=msgspec.Struct)
_COLUMNS = ("id", "kind", "at", "speaker", "subject", "significance", "text", "sources")
_FOUND_COLUMNS = ("at", "kind", "significance", "speaker", "text", "tags")
_AT_ONCE = 200
"""So many pieces of lines are looked at together."""
_FILTERS = (
    kind_option,
    speaker_option,
    subject_option,
    since_option,
    before_option,
    as_of_option,
    archived_option,
    limit_option(None),
)


def _filtering(function: click.decorators.FC) -> click.decorators.FC:
    """Declare which items are meant."""
    return functools.reduce(lambda made, option: option(made), reversed(_FILTERS), function)


class _AddOptions(Record):
    """The options of `mind memory add`."""

    file: str
    agent: str | None
    text: str | None
    at: str | None
    speaker: str | None
    key: str | None
    source: str | None
    on_error: str
    rejects: str | None
    output: str | None
    format: str | None


class _ExtractOptions(Record):
    """The options of `mind memory extract`."""

    file: str
    agent: str | None
    since_cycle: int | None
    least: float
    reader: str | None
    model: str | None
    record: str | None
    on_error: str
    rejects: str | None


@command("add", example="mind memory add --agent ava < items.jsonl")
@file_argument
@any_agent_option
@text_option
@at_option
@speaker_option
@key_option
@source_option(required=False)
@click.option(
    "--format",
    type=click.Choice(sorted(MEMORY_FORMATS)),
    help="FILE is what another program remembers.",
)
@on_error_options
@output_option
def add(session: Session, **wishes: str | None) -> None:
    """Remember items, one JSON object per line of FILE or stdin; print a receipt for each.

    All are kept or none. An item whose id or key is there with the same content is a duplicate and
    changes nothing; with other content it is refused, and so is one whose span quotes words that
    the log has not. With --output they are written to that file as they would be kept, without any
    store.

    What is added with --source stands under words of that source. Where the agent does not trust
    it, no line is the operator's, and whom it names as its speaker it only claims to be of.

    With --format mem0 FILE is a dump of mem0 (what its get_all returns), with --format letta an
    agent file of Letta, whose memory blocks become notes. They stand under the source import:mem0
    or import:letta unless --source names another. Adding a later dump adds what is new in it, and
    what was changed since.
    """
    from mindpipe.memory.faults import item_faults
    from mindpipe.memory.records import GivenItem
    from mindpipe_cli import additions, input

    options = msgspec.convert(wishes, _AddOptions)
    if options.agent is None and options.output is None:
        options = msgspec.structs.replace(options, agent=only_agent(session))
    if options.text is None and (options.at or options.key or options.speaker):
        raise UsageError("--at, --speaker and --key go with --text; lines say their own.")
    if options.format is not None:
        if options.text is not None:
            raise UsageError("--format goes with a file, not with --text.")
        options = msgspec.structs.replace(
            options, source=options.source or f"import:{options.format}"
        )
    kind = additions.Kind(GivenItem, item_faults, _adding(session, options))
    under = _under(session, options)
    if options.text is not None:
        text = input.words_of(options.text)
        item = GivenItem(text=text, at=options.at, speaker=options.speaker, key=options.key)
        additions.add_one(session, item, kind, source=options.source, under=under)
    else:
        lines = additions.AddOptions(
            file=options.file,
            source=options.source,
            on_error=options.on_error,
            rejects=options.rejects,
        )
        ready = None if options.format is None else _foreign_lines(options.file, options.format)
        additions.add_lines(session, lines, kind, under=under, ready=ready)
    if options.output is None:
        from mindpipe.recall.verbs import reindex

        for _ in reindex.catch_up(session.store):
            pass


@command("list", example="mind memory list --agent ava --kind semantic --since 2026-03-01")
@agent_option
@_filtering
@click.option("--format", type=click.Choice(["mem0"]), help="Write them as a dump of mem0.")
def list_(
    session: Session,
    agent: str,
    limit: int | None,
    format: str | None,
    **wanted: str | bool | None,
) -> None:
    """Print an agent's items, in the order in which they came.

    What was archived or taken back is left out unless --archived is given. A dump of mem0 (what its
    get_all returns, as JSON) has their texts, who said them of whom, when, and their tags; it has
    no place for their kind, weight, span and sources.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import memory

    if format is not None:
        session.prints("a dump of mem0", "json")
    name = agents.show(session.store, name=agent).name
    if format is not None:
        output.write_bytes(
            memory.dump(session.store, agent=name, wanted=_filter_of(wanted), limit=limit)
        )
        return
    found = memory.list_(session.store, agent=name, wanted=_filter_of(wanted), limit=limit)
    session.write(_for_people(session, found), columns=_COLUMNS)


@command("show", example="mind memory show it_0Xq2yV1bT7cR5kE300000001 --agent ava")
@click.argument("item", metavar="ID", type=StoredId("memory_item"))
@agent_option
@as_of_option
def show(session: Session, item: str, agent: str, as_of: str | None) -> None:
    """Print the item with the id ID."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import memory as items

    name = agents.show(session.store, name=agent).name
    found = items.show(session.store, agent=name, id=item, as_of=as_of)
    session.write(_for_people(session, [found]), columns=_COLUMNS)


@command("search", example='mind memory search "night train" --agent ava --limit 20')
@click.argument("words")
@agent_option
@_filtering
def search(
    session: Session, words: str, agent: str, limit: int | None, **wanted: str | bool | None
) -> None:
    """Print an agent's items that have all of WORDS in their text, in the order in which they came.

    Capitals do not count, and part of a word does. None is exit status 3.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import memory as items

    name = agents.show(session.store, name=agent).name
    chosen = _filter_of(wanted)
    found = items.search(session.store, agent=name, words=words, wanted=chosen, limit=limit)
    if not session.write(_for_people(session, found), columns=_COLUMNS):
        raise NothingToDoError(f'nothing has "{words}" in it.')


@command("archive", example="mind memory archive --agent ava --dry-run")
@agent_option
@click.option(
    "--below",
    type=click.FloatRange(0, 1),
    metavar="0..1",
    help="Set aside what is weaker [0.05].",
)
@dry_run_option
def archive(session: Session, agent: str, below: float | None, *, dry_run: bool) -> None:
    """Set aside the items that have faded, and print them; none is exit status 3.

    Their strength is significance/10, halved again and again: every 30 days (episodic), 90 (note)
    or 180 (semantic, procedural), and half as often with each time that they were recalled.
    Nothing is deleted: mind recall --history and --archived find them as before.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.life.operations import ARCHIVE, ArchiveAsked
    from mindpipe.memory.strength import ARCHIVE_BELOW
    from mindpipe.memory.verbs import memory as items

    name = agents.show(session.store, name=agent).name
    least = ARCHIVE_BELOW if below is None else below
    with session.by_rules(ARCHIVE, ArchiveAsked(below=least), agent=name) as ports:
        gone = items.archive(ports.store, ports.clock, agent=name, below=least, dry_run=dry_run)
    session.write(_for_people(session, gone), columns=_COLUMNS)


@command("revoke", example="mind memory revoke --source web --dry-run")
@source_option(required=True)
@any_agent_option
@dry_run_option
def revoke(session: Session, source: str, agent: str | None, *, dry_run: bool) -> None:
    """Forget all that was written under words of a source, and print each change that follows.

    Notes, goals and plans are gone; items, reflections, lessons, entities and relations are taken
    back, and what is believed on them is settled anew; whether the source was trusted does not
    matter. The source may leave its sender out (space:family), be all below a name (mail/*), or who
    speaks in spaces (@husam). Without --agent all agents forget; one whose life goes on in another
    store is to forget there, which is said at the end, with exit status 4. The log is not touched.
    Nothing that depends on it is exit status 3.
    """
    from mindpipe.context.verbs import trust

    refused = None
    if dry_run:
        revoker = trust.Revoker(session.clock, session.chance, session.rules)
        gone = trust.revoke(session.store, revoker, source=source, agent=agent, dry_run=True)
    else:
        gone, refused = _revoked(session, source, agent)
    session.write(gone, columns=("kind", "agent", "subject", "text", "sources", "change"))
    if refused is not None:
        raise refused


def _revoked(
    session: Session, source: str, agent: str | None
) -> "tuple[list[Memory], RefusedError | None]":
    """Let one agent forget what was written under words of a source, or each of them.

    Return what is gone, and the first error of an agent who may not forget here.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.context.verbs import trust
    from mindpipe.life.operations import REVOKE, RevokeAsked

    gone: list[Memory] = []
    refused: RefusedError | None = None
    names = [one.name for one in agents.list_(session.store)] if agent is None else [agent]
    for name in names:
        try:
            with session.by_rules(REVOKE, RevokeAsked(source=source), agent=name) as ports:
                revoker = trust.Revoker(ports.clock, ports.chance, session.rules)
                gone += trust.revoke(ports.store, revoker, source=source, agent=name)
        except NothingToDoError:
            continue
        except RefusedError as fault:
            refused = refused or fault
    if not gone and refused is None:
        raise NothingToDoError(f"no memory depends on {source}.")
    return gone, refused


@command("retract", example="mind memory retract it_7 --agent ava")
@click.argument(
    "ids",
    nargs=-1,
    required=True,
    metavar="ID...",
    type=StoredId("memory_item", "lesson", "reflection", "memory_entity"),
)
@agent_option
@dry_run_option
def retract(session: Session, ids: tuple[str, ...], agent: str, *, dry_run: bool) -> None:
    """Take items, lessons, reflections or entities back by their ids; print what follows.

    What was learnt from an item goes with it, but for what the operator wrote, and with an entity
    its relations; what is believed on them is settled anew without them. Nothing is deleted: mind
    memory list --archived shows the items that were taken back.
    """
    from mindpipe.context.verbs import trust
    from mindpipe.life.operations import RETRACT, RetractAsked

    with session.by_rules(RETRACT, RetractAsked(ids=ids), agent=agent) as ports:
        revoker = trust.Revoker(ports.clock, ports.chance, session.rules)
        gone = trust.retract(ports.store, revoker, agent=agent, ids=ids, dry_run=dry_run)
    session.write(gone, columns=("kind", "agent", "subject", "text", "sources", "change"))


@command("extract", example="mind memory extract --agent ava")
@file_argument
@agent_or_input_option
@click.option(
    "--since-cycle", type=whole(1), metavar="N", help="Read from this cycle on [what is new]."
)
@click.option(
    "--least",
    type=click.FloatRange(0, 10),
    default=0.0,
    metavar="0..10",
    help="Only what is of this significance or more [0].",
)
@reader_option
@model_options
@on_error_options
def extract(session: Session, **wishes: str | float | None) -> None:
    """Find what is worth remembering in what was said; print each item with its quote.

    With --agent its own log is read from where it was read last, and what is found is kept, once.
    Without, the messages (mind history export) or items on FILE or stdin are read, and nothing is
    kept. An item is what somebody says in one line, of a longer one some sentences; its tags tell
    what is understood of it by the agent's reader, or --reader, as in consolidate. What only asks
    gives none, nor do words of the mind itself, of other agents and of tools; of more than 4,000
    characters only what claims something is taken, from the first 1000 passages. A model of --model
    labels items and finds more; a line of its answer that does not quote the log letter by letter
    is refused. Nothing found is exit status 3.
    """
    from mindpipe_cli import output
    from mindpipe_cli.input import rejects_of

    options = msgspec.convert(wishes, _ExtractOptions)
    choose_reader(session, options.reader)
    if options.agent is None and options.since_cycle is not None:
        raise UsageError("--since-cycle is of an agent's log; name it with --agent.")
    if options.agent is not None and options.file != "-":
        raise UsageError("--agent reads the agent's own log; leave the file away.")
    with rejects_of(options.on_error, options.rejects) as rejects:
        found = _found_in_lines if options.agent is None else _found_in_log
        said = found(session, options, rejects)
        count = session.write(_for_people(session, said), columns=_FOUND_COLUMNS)
        if rejects is not None:
            rejects.settle()
    if rejects is not None and rejects.count:
        output.say(f"rejected {counted(rejects.count, 'line')}; see {options.rejects}.")
    if not count:
        raise NothingToDoError("nothing new is worth remembering there.")


def _for_people(session: Session, found: "Iterable[Item]") -> "Iterable[Item]":
    """Return items with who said them in words, where they are shown and not handed on."""
    from mindpipe.core.sources import attribution

    if session.shape == "json":
        return found
    return (
        msgspec.structs.replace(
            one, speaker=attribution(one.speaker, one.claimed_speaker, one.sources)
        )
        for one in found
    )


def _filter_of(wanted: Mapping[str, str | bool | None]) -> "ItemFilter":
    """Return which items options mean; raises UsageError for a kind that is none."""
    from mindpipe.memory.records import ItemFilter, ItemKind

    kind = wanted.get("kind")
    if kind is not None and kind not in get_args(ItemKind):
        raise UsageError(f'--kind: expected one of {", ".join(get_args(ItemKind))}, got "{kind}".')
    return msgspec.convert(wanted, ItemFilter)


def _under(session: Session, options: _AddOptions) -> "Callable[[GivenItem, str], GivenItem]":
    """Return what puts an item under the words of a source, as its agent trusts it."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.settle import under_source

    trust: tuple[str, ...] = ()
    if options.source is not None and options.output is None:
        own = agents.show(session.store, name=options.agent or "").trust
        trust = (*own, *session.settings.security.sources())

    def under(given: "GivenItem", source: str) -> "GivenItem":
        return under_source(given, source, trust=trust)

    return under


def _foreign_lines(file: str, format: str) -> "Iterator[bytes]":
    """Yield what another program remembers as lines of items, and say what is not in them."""
    from mindpipe.providers.memories import NotTaken, foreign_memories
    from mindpipe_cli import input, output

    left_out = NotTaken()
    with input.open_document(file) as (name, octets):
        for one in foreign_memories(octets, format=format, source=name, left_out=left_out):
            yield to_json(one)
    output.say_changes(name, (), left_out.words())


def _adding(
    session: Session, options: _AddOptions
) -> "Callable[[BadLines], AbstractContextManager[Adder[GivenItem]]]":
    """Return what opens the store, or the file, that items are added to."""
    if options.output is not None:
        from mindpipe.core.text import safe_name
        from mindpipe_cli.input import path_of

        path, owner = path_of(options.output), options.agent and safe_name(options.agent)
        return lambda bad_lines: _to_file(session, path, owner, bad_lines)
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.history.verbs import log
    from mindpipe.memory.verbs import memory

    agent = agents.show(session.store, name=options.agent or "").name
    return lambda bad_lines: memory.adding(
        session.store,
        session.clock,
        session.chance,
        agent=agent,
        bad_lines=bad_lines,
        log=lambda ids: log.words_of(session.store, agent=agent, ids=ids),
    )


@contextmanager
def _to_file(
    session: Session, path: "Path", agent: str | None, bad_lines: "BadLines"
) -> "Iterator[FileSettlement]":
    """Give what settles items, and write them to a file, whole or not at all."""
    from mindpipe.io.files import write_whole
    from mindpipe.io.spool import Spool
    from mindpipe.memory.verbs.file import FileSettlement

    with Spool() as lines:
        yield FileSettlement(
            session.clock,
            agent=agent,
            keep=lambda item: lines.add(to_json(item) + b"\n"),
            bad_lines=bad_lines,
        )
        bad_lines.settle()
        write_whole(path, lines.pieces())


def _found_in_log(
    session: Session, options: _ExtractOptions, rejects: "RejectsFile | None"
) -> "Iterator[Item]":
    """Yield the items of an agent's log that were not kept yet, as they are kept."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.context.verbs.said import said
    from mindpipe.language.strict import STRICT
    from mindpipe.life.operations import EXTRACT, ExtractAsked
    from mindpipe.life.verbs.rules_again import extracted
    from mindpipe.memory.verbs import memory

    found = agents.show(session.store, name=options.agent or "")
    trusted = tuple(session.settings.security.sources())
    agent = msgspec.structs.replace(found, trust=(*found.trust, *trusted))
    with reading(session, _choice(options)) as (reader, write):
        if write is None and reader is STRICT:
            asked = ExtractAsked(
                since_cycle=options.since_cycle, least=options.least, trusted=trusted
            )
            with session.by_rules(EXTRACT, asked, agent=agent.name) as ports:
                yield from extracted(ports, agent=agent.name, asked=asked)
            return
        yield from memory.extract(
            session.store,
            session.clock,
            session.chance,
            agent=agent.name,
            pages=said(session.store, agent, since_cycle=options.since_cycle),
            look=_look(reader, write, rejects),
            least=options.least,
            reader=reader,
        )


def _choice(options: _ExtractOptions) -> ReaderChoice:
    """Return who is asked to read."""
    return ReaderChoice(options.agent, options.reader, options.model, options.record)


def _found_in_lines(
    session: Session, options: _ExtractOptions, rejects: "RejectsFile | None"
) -> "Iterator[Item]":
    """Yield the items of canonical messages, or of items, on lines."""
    from mindpipe.core.lines import AllOrNothing

    bad_lines: BadLines = rejects or AllOrNothing()
    with reading(session, _choice(options)) as (reader, write):
        look = _look(reader, write, rejects)
        page: list[SpeakerWords] = []
        for said in _said_in_lines(options.file, session.clock.now(), bad_lines):
            page.append(said)
            if len(page) == _AT_ONCE:
                yield from (item for item in look(page) if item.significance >= options.least)
                page = []
        bad_lines.settle()
        yield from (item for item in look(page) if item.significance >= options.least)


def _look(
    reader: "StatementReader", write: "Write | None", rejects: "RejectsFile | None"
) -> "FindItems":
    """Return what finds items: a reader, and a model beside it where one is asked."""
    from mindpipe.core.lines import AllOrNothing
    from mindpipe.memory.verbs.extract import by_rules, with_model

    if write is None:
        return by_rules(reader)
    return with_model(write, bad_lines=rejects or AllOrNothing(), reader=reader)


def _said_in_lines(file: str, now: str, bad_lines: "BadLines") -> "Iterator[SpeakerWords]":
    """Yield what is said on the lines of a file or of stdin."""
    from mindpipe.io.lines import IMPORT_BYTES, bounded_lines
    from mindpipe_cli.input import name_of, open_input

    source = name_of(file)
    count = 0
    with open_input(file) as stream:
        for line in bounded_lines(
            stream, limit=IMPORT_BYTES, source=source, setting="inbox.max_bytes"
        ):
            count += 1
            try:
                yield from _said_in_line(line, source, now)
            except BadInputError as error:
                bad_lines.refuse(error.problems, line[1] if isinstance(line, tuple) else b"")
    if not count:
        raise EmptyInputError(f"{source} is empty.")


def _said_in_line(
    line: "tuple[int, bytes] | Problem", source: str, now: str
) -> "Iterator[SpeakerWords]":
    """Yield the pieces of one line; raises BadInputError for one that is neither."""
    from mindpipe.core.json import load_json
    from mindpipe.core.messages import Message
    from mindpipe.core.problems import Problem
    from mindpipe.memory.extraction.pieces import piece_of
    from mindpipe.memory.faults import item_faults
    from mindpipe.memory.records import GivenItem
    from mindpipe.memory.settle import settle_item

    if isinstance(line, Problem):
        raise BadInputError([line])
    number, octets = line
    value = load_json(octets, source=source, line=number)
    if isinstance(value, dict) and "role" in value:
        yield from _said_in_message(_sound(value, Message, source, number), now)
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


def _said_in_message(given: "Message", now: str) -> "Iterator[SpeakerWords]":
    """Yield the pieces of a message; of a tainted one it is not known whom it heard."""
    from mindpipe.core.sources import HISTORY, speakers
    from mindpipe.history.rows import searched_text
    from mindpipe.memory.extraction.pieces import pieces_of
    from mindpipe.memory.extraction.records import Whose

    message = given if given.at else msgspec.structs.replace(given, at=now)
    sources = (HISTORY,) if message.taint else ()

    def whose(_text: str, named: str | None) -> Whose:
        said_by = speakers(named, None, sources)
        return Whose(sources, speaker=said_by.known, claimed=said_by.claimed)

    return pieces_of(message, log=searched_text(message), whose=whose)


def _sound(value: object, into: type[R], source: str, number: int) -> R:
    """Return a line as a record; raises BadInputError with all that is wrong with it."""
    from mindpipe.core.problems import problems_of

    if faults := problems_of(value, into, source=source, line=number):
        raise BadInputError(faults)
    return msgspec.convert(value, into)


COMMAND = group("memory", add, list_, show, search, archive, retract, revoke, extract)
