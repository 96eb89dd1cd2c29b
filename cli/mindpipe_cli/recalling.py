"""What is found again: for one question or for many, in a store or in files."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, get_args

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    NothingToDoError,
    RecoveryError,
    RefusedError,
    UsageError,
)
from mindpipe.core.instants import normal_instant
from mindpipe.core.messages import Role
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.knowledge.records import Kind
from mindpipe.memory.records import EntityType, ItemKind
from mindpipe.recall.records import EntrySource, Filters, RecallQuery, Reindexed
from mindpipe.recall.verbs import answering, indexing, searching
from mindpipe_cli import output, recall_embed, recalling_files, recalling_routes
from mindpipe_cli.input import name_of, records
from mindpipe_cli.recalling_files import NOBODY, Files
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.ports import Rows, Store
    from mindpipe.recall.verbs.meaning import Meant

_KINDS = tuple(
    dict.fromkeys(
        (
            *get_args(EntrySource),
            "file",
            *get_args(ItemKind),
            *get_args(Kind),
            *(role.value for role in Role),
            *get_args(EntityType),
        )
    )
)
_RECALLED = ("rank", "source", "ref", "at", "speaker", "score", "why", "text")
_HITS = ("query", "rank", "ref", "score", "why")


class _Wish(Record):
    """What the options ask for."""

    agent: str | None
    limit: int
    index: str | None
    queries: str | None
    files: Files
    kind: str | None
    speaker: str | None
    subject: str | None
    since: str | None
    until: str | None
    as_of: str | None
    trusted: bool
    history: bool
    explain: bool
    query: str | None


def recall(session: Session, wishes: Mapping[str, str | int | bool | None]) -> None:
    """Write what one query finds, or what each line of a file of queries does.

    Raises:
        UsageError: not one of query and file of queries, or of agent and items, is given.
        NothingToDoError: there is no answer.
    """
    files = msgspec.convert({name: wishes[name] for name in Files.__struct_fields__}, Files)
    rest = {name: value for name, value in wishes.items() if name not in Files.__struct_fields__}
    wish = msgspec.convert({**rest, "files": files}, _Wish)
    _check(wish)
    questions = _questions(wish)
    asked = _asked(wish, now=session.clock.now())
    index = recalling_routes.index_of(session, wish.index, asked)
    if index is None and wish.agent is None and not wish.files.given:
        raise UsageError("files have no speaker, subject, time or sources; leave such filters out.")
    if index is None:
        told = _told(wish, _answers(session, wish, asked, questions))
    else:
        told = _with_files(session, wish, asked, questions, index)
    found = itertools.chain.from_iterable(told)
    columns = _RECALLED if wish.queries is None else _HITS
    status = ["status"] if wish.history and wish.queries is None else []
    route = ["route"] if wish.explain and index is not None and wish.queries is None else []
    shown = [*columns, *status, *route, *(["signals"] if wish.explain else [])]
    if not session.write(found, columns=shown):
        raise NothingToDoError("nothing found.")


def _check(wish: _Wish) -> None:
    """Raise UsageError where options do not go together."""
    if (wish.query is None) == (wish.queries is None):
        raise UsageError("give a QUERY or --queries FILE, one of them.")
    if (wish.agent is None) != bool(wish.files.given) and (wish.agent or not wish.index):
        raise UsageError("give --agent NAME or --items FILE, one of them.")
    if [*wish.files.given, wish.queries].count("-") > 1:
        raise UsageError("stdin can be only one of the files.")
    if wish.query is not None and not wish.query.strip():
        raise UsageError("give some words.")


def _answers(
    session: Session, wish: _Wish, asked: searching.Asked, questions: Sequence[RecallQuery]
) -> Iterator[searching.Answer]:
    """Yield what the store or the files in its place answer to each question."""
    store = _store(session, wish)

    def meaning(rows: "Rows", texts: Callable[[], list[str]]) -> "Meant | None":
        if not session.settings.text("embed.model"):
            return None
        return recall_embed.meant(session, rows, texts(), agent=asked.agent)

    return searching.search(store, asked, questions, meaning=meaning)


def _with_files(
    session: Session,
    wish: _Wish,
    asked: searching.Asked,
    questions: Sequence[RecallQuery],
    index: str,
) -> Iterator[Sequence[Record]]:
    """Yield what the store, if one is asked, and the files that an index leads to answer."""
    answers: Iterable[searching.Answer | None] = itertools.repeat(None, len(questions))
    if asked.filters.kind != "file" and (wish.agent is not None or wish.files.given):
        answers = _answers(session, wish, asked, questions)
    mixed = recalling_routes.mixed(
        index, answers, questions, limit=asked.limit, explain=wish.explain
    )
    if wish.queries is not None:
        yield from recalling_routes.hits(mixed)
    else:
        yield from (answers for _, answers in mixed)


def reindex(session: Session) -> None:
    """Make the index anew and write how many entries it has."""
    session.write([Reindexed(entries=indexing.rebuild(session.store))], columns=("entries",))


def _told(wish: _Wish, answers: Iterator[searching.Answer]) -> Iterator[Sequence[Record]]:
    """Yield the records of each answer."""
    for answer in answers:
        if wish.queries is None:
            yield answering.recalled(answer, explain=wish.explain)
        else:
            yield answering.hits(answer, explain=wish.explain)


def _questions(wish: _Wish) -> list[RecallQuery]:
    """Return what is asked; raises BadInputError for what is no question, or at no instant."""
    if wish.query is not None:
        return [RecallQuery(id="query", query=wish.query)]
    file = wish.queries or "-"
    asked = records(file, RecallQuery)
    problems: list[Problem] = []
    seen: set[str] = set()
    for number, one in enumerate(asked):
        if one.id in seen:
            words = f"{one.id} is there twice; give each query an id of its own."
            problems.append(Problem(source=name_of(file), field="$.id", message=words))
        seen.add(one.id)
        try:
            at = None if one.at is None else normal_instant(one.at)
        except UsageError as error:
            words = f"of query {one.id}: {error}"
            problems.append(Problem(source=name_of(file), field="$.at", message=words))
        else:
            asked[number] = msgspec.structs.replace(one, at=at)
    if problems:
        raise BadInputError(problems)
    return asked


def _asked(wish: _Wish, *, now: str) -> searching.Asked:
    """Return how it is asked, with instants in the one form; raises UsageError for no kind."""
    if wish.kind is not None and wish.kind not in _KINDS:
        raise UsageError(f'--kind: expected one of {", ".join(_KINDS)}, got "{wish.kind}".')
    instants = {
        name: normal_instant(value)
        for name in ("since", "until", "as_of")
        if (value := getattr(wish, name)) is not None
    }
    if instants.get("since", "") >= instants.get("until", "~"):
        raise UsageError(f"--until {wish.until} is not after --since {wish.since}.")
    filters = Filters(
        kind=wish.kind,
        speaker=wish.speaker,
        subject=wish.subject,
        trusted=wish.trusted,
        history=wish.history,
        **instants,
    )
    return searching.Asked(wish.agent or NOBODY, now=now, filters=filters, limit=wish.limit)


def _store(session: Session, wish: _Wish) -> "Store":
    """Return the store that is searched, its index abreast of it: the agent's, or one of files."""
    if wish.agent is None:
        store = recalling_files.store_of(session, wish.files)
        recall_embed.embed_files(session, store, agent=NOBODY)
        return store
    from mindpipe.agents.verbs import show as known_agent

    known_agent(session.store, name=wish.agent)
    if indexing.is_behind(session.store):
        try:
            for _ in indexing.catch_up(session.store):
                pass
        except (RefusedError, RecoveryError) as error:
            output.say(f"mind: {error} Only what was indexed before is searched.")
    return session.store
