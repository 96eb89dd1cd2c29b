"""`mind recall`: find again what was lived through, remembered or held true."""

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from mindpipe.core.errors import (
    BadInputError,
    EmptyInputError,
    NothingToDoError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.text import counted
from mindpipe_cli import hook, input, output
from mindpipe_cli.command import command, group
from mindpipe_cli.hook import hook_option
from mindpipe_cli.options import (
    agent_option,
    any_agent_option,
    as_of_option,
    embedders,
    entities_option,
    explain_option,
    kind_option,
    known_option,
    lessons_option,
    only_agent,
    queries_option,
    reflections_option,
    since_option,
    speaker_option,
    subject_option,
    until_option,
    whole,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.ports import Embedder, Rows, Store
    from mindpipe.knowledge.records import BeliefMark
    from mindpipe.memory.records import GivenItem
    from mindpipe.recall.records import Embedded, Recalled, RecallQuery
    from mindpipe.recall.verbs.embed import Meant
    from mindpipe.recall.verbs.files import FileRecords
    from mindpipe.recall.verbs.recall import SearchAnswer, SearchRequest

NOBODY = "nobody"
"""Whose all of it is where no agent is named."""
R = TypeVar("R", bound=msgspec.Struct)
_RECALLED = ("rank", "source", "ref", "at", "speaker", "score", "why", "text")
_HITS = ("query", "rank", "ref", "score", "why")
_EMBEDDED = ("agent", "model", "entries", "vectors", "known")


class _Options(Record):
    """The options of `mind recall`."""

    agent: str | None
    limit: int
    queries: str | None
    items: str | None
    index: str | None
    lessons: str | None
    reflections: str | None
    entities: str | None
    known: str | None
    marked: str | None
    kind: str | None
    speaker: str | None
    subject: str | None
    since: str | None
    until: str | None
    trusted: bool
    as_of: str | None
    history: bool
    explain: bool
    hook: bool
    query: str | None

    @property
    def files(self) -> list[str]:
        """Return the files that are searched in the place of a store."""
        named = (
            self.items,
            self.lessons,
            self.reflections,
            self.entities,
            self.known,
            self.marked,
        )
        return [file for file in named if file is not None]


@command("recall", example="mind recall 'Which hotel did Mia like last May?' --agent ava -k 5")
@any_agent_option
@click.option(
    "-k", "limit", type=whole(1, 10_000), default=10, metavar="N", help="So many answers [10]."
)
@queries_option
@click.option("--items", metavar="FILE", help="Items as JSON Lines, in the place of a store's.")
@click.option(
    "--index",
    metavar="FILE",
    help="A YAML index that leads to files, which answer too [recall.index].",
)
@lessons_option
@reflections_option
@entities_option
@known_option
@click.option(
    "--marked", metavar="FILE", help="The marks of items, as mind consolidate --marks writes them."
)
@kind_option
@speaker_option
@subject_option
@since_option
@until_option
@click.option("--trusted", is_flag=True, help="Nothing written under untrusted sources.")
@as_of_option
@click.option("--history", is_flag=True, help="What was archived, replaced or refuted as well.")
@explain_option
@hook_option
@click.argument("query", required=False)
def alone(session: Session, **wishes: str | int | bool | None) -> None:
    """Print what answers QUERY best, of all that --agent lived, remembers and holds true.

    Nothing in the query is syntax, but for double quotes around words that belong together. Names,
    and dates like "last May", "yesterday", "2026-06-07" or "between 1 June and 10 June", are
    understood; these count from --now, or from the query's "at". What was added counts as known
    from then on, unless its line has "learnt": --as-of an earlier instant does not find it.
    With --queries each record names its query and its rank, and what was found by its ref. Else of
    a message what was said is printed, by whom, of each event on its own that has words of the
    query. The files of --items, --lessons, --reflections, --entities, --known and --marked are
    searched in the place of an agent, and no store is needed.

    Of why: words, vector and graph (relations of who is named) are how well it fits, "nearby" and
    "in its session" what stands beside it; named: said by or about who is named; days: of the days
    asked for; other side: it disagrees with what fits as well. What replaced something stands above
    it, as does what takes back the words right before it ("Sorry, other way about"), and the other
    side right below; the score of each is at least that of what stands under it ("its place").
    Scores compare the answers to one query alone, those of files among themselves.

    A --kind is a kind of item or observation, a role, or one of item, message, reflection, lesson,
    entity, observation and file.

    --index leads to Markdown files: an intent whose keywords are in the query leads to another
    index, an entry to its file, and the passages of it that share words with the query answer.
    Those of a companion (kant_memory.md beside kant.md) count twice, and under the same heading
    come before its file's. Paths count from base: of the first index, else from its folder or the
    nearest one above in which the first path is there. Filters leave files out; recall-index in
    mind-records(5) is what an index holds.

    With --hook the query is a prompt that somebody is about to send to another program, as its hook
    says it ({"prompt": ...}, or plain text). What bears on it is printed as text, with its day, who
    said it and whose words nobody vouches for; where nothing does, nothing, and the status is 0.
    """
    options = msgspec.convert(wishes, _Options)
    if options.hook:
        _before_prompt(session, options)
        return
    _require_sense(options)
    if options.agent is None and not options.files and not options.index:
        options = msgspec.structs.replace(options, agent=only_agent(session))
    questions = _questions(options)
    if not questions:
        return
    asked = _asked(options, now=session.clock.now())
    index = _index_of(session, options, asked)
    if index is None and options.agent is None and not options.files:
        raise UsageError("files have no speaker, subject, time or sources; leave such filters out.")
    if index is None:
        told = _told(options, _answers(session, options, asked, questions))
    else:
        told = _told_with_files(session, options, asked, questions, index)
    columns = _RECALLED if options.queries is None else _HITS
    status = ["status"] if options.history and options.queries is None else []
    route = ["route"] if options.explain and index and options.queries is None else []
    shown = [*columns, *status, *route, *(["signals"] if options.explain else [])]
    found: Iterable[Record] = itertools.chain.from_iterable(told)
    if options.query is not None and options.agent is not None:
        found = _in_words(session, options.agent, options.query, found)
    if not session.write(found, columns=shown):
        raise NothingToDoError("nothing found.")


@command("reindex", example="mind recall reindex")
def reindex(session: Session) -> None:
    """Make the index of all agents anew from what they lived, remember and hold true.

    It is made from these alone; everything new is taken in by itself when it is searched.
    """
    from mindpipe.recall.records import Reindexed
    from mindpipe.recall.verbs import reindex as reindex_verbs
    from mindpipe.store.changes import note_all_made_anew

    entries = reindex_verbs.reindex(session.store, note_all_made_anew)
    session.write([Reindexed(entries=entries)], columns=("entries",))


@command("embed", example="mind recall embed --agent ava")
@agent_option
@click.option(
    "--model",
    type=embedders(),
    metavar="MODEL",
    help="openai/NAME, local/NAME or local/FOLDER [embed.model].",
)
def embed(session: Session, agent: str, model: str | None) -> None:
    """Give all that an agent can recall its vectors by an embedding model, and say how many.

    What has vectors of this model already is passed over, so that it can be ended at any time and
    goes on where it was. Those of two models stand side by side and are never compared.
    """
    from mindpipe.agents.verbs import agent as agents

    agents.show(session.store, name=agent)
    embedder = _embedder(session, model)
    if embedder is None:
        raise UsageError(
            "no embedding model is configured. Give --model or set MIND_EMBED_MODEL: openai/NAME, "
            "local/NAME or local/FOLDER."
        )
    session.write([_embed(session.store, embedder, agent=agent)], columns=_EMBEDDED)


def _before_prompt(session: Session, options: _Options) -> None:
    """Print what bears on a prompt that a hook stands before."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.context.verbs import remembered

    if options.query is not None or options.queries is not None or options.files:
        raise UsageError("--hook takes its query from stdin, and recalls from a store.")
    agent = agents.show(session.store, name=options.agent or only_agent(session))
    output.write_text(
        remembered.before_prompt(
            session.store, session.clock, agent, text=hook.prompt(), most=options.limit
        )
    )


def _require_sense(options: _Options) -> None:
    """Raise UsageError where options do not go together."""
    if (options.query is None) == (options.queries is None):
        raise UsageError("give a QUERY or --queries FILE, one of them.")
    if options.agent is not None and options.files:
        raise UsageError("give --agent NAME or --items FILE, one of them.")
    if [*options.files, options.queries].count("-") > 1:
        raise UsageError("stdin can be only one of the files.")
    if options.query is not None and not options.query.strip():
        raise UsageError("give some words.")


def _questions(options: _Options) -> "list[RecallQuery]":
    """Return what is asked; raises BadInputError for what is no question, or at no instant."""
    from mindpipe.core.instants import normal_instant
    from mindpipe.recall.records import RecallQuery

    if options.query is not None:
        return [RecallQuery(id="query", query=options.query)]
    file = options.queries or "-"
    asked = input.records(file, RecallQuery)
    problems: list[Problem] = []
    seen: set[str] = set()
    for number, one in enumerate(asked):
        if one.id in seen:
            words = f"{one.id} is there twice; give each query an id of its own."
            problems.append(Problem(source=input.name_of(file), field="$.id", message=words))
        seen.add(one.id)
        try:
            at = None if one.at is None else normal_instant(one.at)
        except UsageError as error:
            words = f"of query {one.id}: {error}"
            problems.append(Problem(source=input.name_of(file), field="$.at", message=words))
        else:
            asked[number] = msgspec.structs.replace(one, at=at)
    if problems:
        raise BadInputError(problems)
    return asked


def _asked(options: _Options, *, now: str) -> "SearchRequest":
    """Return how it is asked, with instants in the one form; raises UsageError for no kind."""
    from mindpipe.core.instants import normal_instant
    from mindpipe.recall.records import Filters
    from mindpipe.recall.verbs.recall import SearchRequest

    if options.kind is not None and options.kind not in (kinds := _kinds()):
        raise UsageError(f'--kind: expected one of {", ".join(kinds)}, got "{options.kind}".')
    instants = {
        name: normal_instant(value)
        for name in ("since", "until", "as_of")
        if (value := getattr(options, name)) is not None
    }
    if instants.get("since", "") >= instants.get("until", "~"):
        raise UsageError(f"--until {options.until} is not after --since {options.since}.")
    filters = Filters(
        kind=options.kind,
        speaker=options.speaker,
        subject=options.subject,
        trusted=options.trusted,
        history=options.history,
        **instants,
    )
    return SearchRequest(options.agent or NOBODY, now=now, filters=filters, limit=options.limit)


def _kinds() -> tuple[str, ...]:
    """Return what --kind may be: a substrate, or a kind within one, each once."""
    from typing import get_args

    from mindpipe.core.messages import Role
    from mindpipe.knowledge.records import Kind
    from mindpipe.memory.records import EntityType, ItemKind
    from mindpipe.recall.records import EntrySource

    kinds = (
        *get_args(EntrySource),
        "file",
        *get_args(ItemKind),
        *get_args(Kind),
        *(role.value for role in Role),
        *get_args(EntityType),
    )
    return tuple(dict.fromkeys(kinds))


def _answers(
    session: Session, options: _Options, asked: "SearchRequest", questions: "Sequence[RecallQuery]"
) -> "Iterator[SearchAnswer]":
    """Yield what the store or the files in its place answer to each question."""
    from mindpipe.recall.verbs.recall import recall

    store = _store(session, options)

    def meaning(rows: "Rows", texts: Callable[[], list[str]]) -> "Meant | None":
        if not session.settings.embed.model:
            return None
        return _meant(session, rows, texts(), agent=asked.agent)

    return recall(store, asked, questions, meaning=meaning)


def _store(session: Session, options: _Options) -> "Store":
    """Return the store that is searched, its index abreast of it: the agent's, or one of files."""
    from mindpipe.recall.verbs import reindex as reindex_verbs

    if options.agent is None:
        store = _scratch(session, options)
        _embed_files(session, store)
        return store
    from mindpipe.agents.verbs import agent as agents

    agents.show(session.store, name=options.agent)
    reindex_verbs.caught_up(session.store, lambda words: output.say(f"mind: {words}"))
    return session.store


def _told(options: _Options, answers: "Iterator[SearchAnswer]") -> Iterator[Sequence[Record]]:
    """Yield the records of each answer."""
    from mindpipe.recall.verbs.recall import hits, recalled

    for answer in answers:
        if options.queries is None:
            yield recalled(answer, explain=options.explain)
        else:
            yield hits(answer, explain=options.explain)


def _in_words(
    session: Session, agent: str, query: str, found: "Iterable[Record]"
) -> "Iterator[Record]":
    """Yield what was found with messages as what was said in them, by whom."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.context.verbs import remembered
    from mindpipe.recall.records import Recalled

    whose = agents.show(session.store, name=agent)
    for one in found:
        if isinstance(one, Recalled):
            yield from remembered.quoted(session.store, whose, one, query=query)
        else:
            yield one


def _index_of(session: Session, options: _Options, asked: "SearchRequest") -> str | None:
    """Return the index that leads to files, named or configured; None where none may answer."""
    from mindpipe.recall.indexes import wants_files

    if not wants_files(asked.filters):
        return None
    return options.index or session.settings.recall.index


def _told_with_files(
    session: Session,
    options: _Options,
    asked: "SearchRequest",
    questions: "Sequence[RecallQuery]",
    index: str,
) -> Iterator[Sequence[Record]]:
    """Yield what the store, if one is asked, and the files that an index leads to answer.

    Raises:
        BadInputError: an index is none.
    """
    from mindpipe.recall import indexes
    from mindpipe.recall.routes import Routing
    from mindpipe.recall.verbs.recall import recalled

    answers: Iterable[SearchAnswer | None] = itertools.repeat(None, len(questions))
    if asked.filters.kind != "file" and (options.agent is not None or options.files):
        answers = _answers(session, options, asked, questions)
    routes = Routing(index, tell=lambda words: output.say(f"mind: {words}"))
    for question, answer in zip(questions, answers, strict=True):
        kept: list[Recalled] = []
        if answer is not None:
            kept = recalled(answer, explain=options.explain)
        found = routes.answer(question.query, most=asked.limit)
        files = indexes.recalled(found, explain=options.explain)
        mixed = indexes.mixed(kept, files, most=asked.limit)
        if options.queries is None:
            yield mixed
        else:
            yield [indexes.hit_of(one, query=question.id) for one in mixed]


def _scratch(session: Session, options: _Options) -> "Store":
    """Return a store in memory that holds what the files do, its index abreast of it.

    Raises:
        BadInputError: lines are at fault.
    """
    from mindpipe.recall.verbs.files import fill
    from mindpipe.store.scratch import scratch_store

    store = scratch_store()
    slots = session.rules.slots
    held = _held(session, options)
    fill(store, session.clock, session.chance, agent=NOBODY, held=held, slots=slots)
    return store


def _held(session: Session, options: _Options) -> "FileRecords":
    """Return what the files hold, settled as a file of it is."""
    from mindpipe.memory.records import GivenEntity, GivenLesson, GivenReflection
    from mindpipe.memory.verbs import file
    from mindpipe.recall.verbs.files import FileRecords

    now = session.clock.now()
    items = [] if options.items is None else _items(session, options.items)
    named = {
        "lessons": options.lessons,
        "reflections": options.reflections,
        "entities": options.entities,
    }
    sources = {name: input.name_of(one or "-") for name, one in named.items()}
    lessons = file.lessons_of(
        _lines_of(options.lessons, GivenLesson), source=sources["lessons"], now=now
    )
    reflections = file.reflections_of(
        _lines_of(options.reflections, GivenReflection), source=sources["reflections"], now=now
    )
    entities = file.entities_of(
        _lines_of(options.entities, GivenEntity), source=sources["entities"], now=now
    )
    return FileRecords(
        items=items,
        lessons=lessons,
        reflections=reflections,
        entities=entities,
        known=_read(
            options.known, lambda known: input.observations(known, slots=session.rules.slots)
        ),
        marks=_read(options.marked, _marks),
        sources=sources,
    )


def _items(session: Session, file: str) -> "list[GivenItem]":
    """Return the items of a file, settled as a file of items is."""
    from mindpipe.core.lines import AllOrNothing, RecordLines
    from mindpipe.memory.faults import item_faults
    from mindpipe.memory.records import GivenItem
    from mindpipe.memory.verbs.file import FileSettlement
    from mindpipe_cli.additions import found_in

    settled: list[GivenItem] = []
    bad_lines = AllOrNothing()
    settling = FileSettlement(session.clock, agent=None, keep=settled.append, bad_lines=bad_lines)
    source = input.name_of(file)
    for found in found_in(file, RecordLines(GivenItem, item_faults, source=source), bad_lines):
        settling.add(found.records, source=source, numbers=found.numbers)
    bad_lines.settle()
    return settled


def _lines_of(file: str | None, into: type[R]) -> Sequence[R]:
    """Return the records on the lines of a file of memory."""
    return _read(file, lambda named: input.records(named, into, limit=input.MEMORY_BYTES))


def _marks(file: str) -> "list[BeliefMark]":
    """Return the marks of a file; raises BadInputError for one of an item with itself."""
    from mindpipe.knowledge.records import BeliefMark

    marks = input.records(file, BeliefMark)
    problems = [
        Problem(source=input.name_of(file), line=line, field="$.new", message="is the same as old")
        for line, one in enumerate(marks, 1)
        if one.old == one.new
    ]
    if problems:
        raise BadInputError(problems)
    return marks


def _read(file: str | None, read: Callable[[str], Sequence[R]]) -> Sequence[R]:
    """Return what a file holds; none, or an empty one, holds nothing."""
    try:
        return () if file is None else read(file)
    except EmptyInputError:
        return ()


def _embed_files(session: Session, store: "Store") -> None:
    """Embed what files hold, if a model is configured; where it cannot be, say so on stderr."""
    try:
        embedder = _embedder(session)
        if embedder is not None:
            _embed(store, embedder, agent=NOBODY)
    except UnavailableError as error:
        output.say(f"mind: {error}")


def _embed(store: "Store", embedder: "Embedder", *, agent: str) -> "Embedded":
    """Embed what has no vectors yet under a bar, and return what was done."""
    from mindpipe.recall.verbs import embed as embed_verbs
    from mindpipe.recall.verbs import reindex as reindex_verbs

    for _ in reindex_verbs.catch_up(store):
        pass
    total = embed_verbs.count(store, agent=agent)
    with output.progress(f"embedding what {agent} can recall") as advance:
        steps = embed_verbs.embed(store, embedder, agent=agent)
        done = next(steps)
        for done in steps:
            advance(done.entries + done.known, total)
    return done


def _embedder(session: Session, model: str | None = None) -> "Embedder | None":
    """Return the embedding model that is asked for, else the configured one, or None."""
    name = model or session.settings.embed.model
    if not name:
        return None
    from mindpipe.model_access import ModelFactory, models_file_of

    file = models_file_of(session.settings)
    return ModelFactory(environment=os.environ, clock=session.clock, file=file).embedder(name)


def _meant(
    session: Session, rows: "Rows", questions: Sequence[str], *, agent: str
) -> "Meant | None":
    """Return what questions mean, and say on stderr what the embedding model took for it.

    It is None where words alone are searched, which is said where another thing was wished.
    """
    embedder = _embedder(session)
    if embedder is None:
        return None
    from mindpipe.recall.verbs import embed as embed_verbs

    try:
        found = embed_verbs.meant(rows, embedder, questions, agent=agent, clock=session.clock)
    except UnavailableError as error:
        output.say(f"mind: {error} Searched by words alone.")
        return None
    asked = counted(len(questions), "question")
    output.say(f"mind: {embedder.name} took {found.seconds:.3f} s for {asked}.")
    return found


COMMAND = group("recall", reindex, embed, alone=alone)
