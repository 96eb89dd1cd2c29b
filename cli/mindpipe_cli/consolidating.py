"""Consolidate a store's memory or that of files, and take in verdicts on items."""

import contextlib
from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError, UsageError
from mindpipe.core.records import Record, to_json
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.given import given
from mindpipe.knowledge.deciding.over_files import Outcome, Word, consolidated
from mindpipe.knowledge.deciding.remembered import Remembered
from mindpipe.knowledge.records import Consolidated, GivenVerdict, Observation, Wanted
from mindpipe.stream.files import write_whole
from mindpipe_cli import believing, documents, input, output
from mindpipe_cli.session import Session
from mindpipe_cli.supposing import entities_of, items_of, lessons_of, reflections_of

COLUMNS = ("id", "status", "summary", "confidence", "freshness", "last_supported_at", "contested")
CHANGED = ("subject", "created", "reinforced", "refined", "superseded", "contested", "marks")
_OBSERVED = ("created", "reinforced", "refined", "superseded", "contested", "retracted")
_OF_FILES = ("known", "lessons", "reflections", "entities", "marks", "decisions", "output")
JUDGED = ("id", "call", "old_value", "new_value", "by", "why")


class Wish(Record):
    """What is consolidated, how, and where the parts of it go."""

    file: str = "-"
    agent: str | None = None
    known: str | None = None
    limit: int = 5_000
    review: bool = False
    verdicts: str | None = None
    lessons: str | None = None
    reflections: str | None = None
    entities: str | None = None
    marks: str | None = None
    decisions: str | None = None
    model: str | None = None
    record: str | None = None
    output: str | None = None


def consolidate(session: Session, wish: Wish) -> None:
    """Consolidate, or take in verdicts, over a store or over files.

    Raises:
        BadInputError: a line is at fault; nothing is written.
        NothingToDoError: nothing is new, or another run is at work.
        UsageError: a model is named beside verdicts, or is none, or files beside an agent.
    """
    if wish.model is not None and wish.verdicts is not None:
        raise UsageError("--verdicts asks no model; leave it out, or --model.")
    if wish.agent is not None and (beside := _beside(wish)):
        raise UsageError(f"--agent consolidates a store; leave it out, or {beside}.")
    if wish.agent is None:
        _over_files(session, wish)
    elif wish.verdicts is None:
        _over_store(session, wish, wish.agent)
    else:
        _judge(session, wish.agent, wish.verdicts)


def _beside(wish: Wish) -> str | None:
    """Return what was given of files, None where nothing was."""
    if wish.file != "-":
        return wish.file
    return next((f"--{name}" for name in _OF_FILES if getattr(wish, name) is not None), None)


def _over_store(session: Session, wish: Wish, agent: str) -> None:
    """Do the work of one window, and print what changed as it changes."""
    from mindpipe.knowledge.verbs import consolidating
    from mindpipe.knowledge.verbs.windowing import is_behind

    with _word(session, wish) as word:
        asked = consolidating.Wish(
            rules=believing.rules(session), limit=wish.limit, review=wish.review, word=word
        )
        changed = consolidating.consolidate(session.store, session.clock, agent=agent, wish=asked)
        told = changed if session.shape != "table" else _in_words(session, agent, changed)
        session.write(told, columns=CHANGED)
    if is_behind(session.store, agent=agent):
        output.say("more is new; run it again.")


def _in_words(
    session: Session, agent: str, changed: Iterable[Consolidated]
) -> Iterator[Consolidated]:
    """Yield what changed with the claims themselves in the place of their ids."""
    from mindpipe.knowledge.verbs import observations

    for one in changed:
        ids = {name: getattr(one, name) for name in _OBSERVED}
        wanted = Wanted(agent=agent, ids=tuple({id for each in ids.values() for id in each}))
        found = observations.list_(
            session.store, session.clock, wanted=wanted, rules=believing.rules(session)
        )
        claims = {each.id: each.summary for each in found} if wanted.ids else {}
        words = {name: tuple(claims[id] for id in each) for name, each in ids.items()}
        yield msgspec.structs.replace(one, **words)


@contextlib.contextmanager
def _word(session: Session, wish: Wish) -> Iterator[Word | None]:
    """Give what words claims, None where rules do.

    What a model costs is entered in the ledger of the agent, which is held meanwhile.
    """
    if wish.model is None:
        yield None
        return
    from mindpipe.agents.verbs import show
    from mindpipe.wiring.wording import worded_by
    from mindpipe_cli.asked import Asked
    from mindpipe_cli.summarising import asking, write_of

    asked = Asked(agent=wish.agent, model=wish.model, record=wish.record)
    if wish.agent is None:
        yield worded_by(write_of(session, asked), tell=output.say)
        return
    with asking(session, asked, show(session.store, name=wish.agent)) as ports:
        yield None if ports.write is None else worded_by(ports.write, tell=output.say)


def _judge(session: Session, agent: str, file: str) -> None:
    """Take in verdicts on items of the store, and print the decisions."""
    from mindpipe.knowledge.verbs.judging import judge

    verdicts = input.records(file, GivenVerdict)
    found = judge(
        session.store,
        session.clock,
        agent=agent,
        verdicts=verdicts,
        source=input.name_of(file),
    )
    session.write(found.decisions, columns=JUDGED)


def _over_files(session: Session, wish: Wish) -> None:
    """Print what is held after the items of a file were read; write marks and decisions."""
    now = session.clock.now()
    remembered = Remembered(
        items=items_of(wish.file, now=now),
        lessons=lessons_of(wish.lessons, now=now),
        reflections=reflections_of(wish.reflections, now=now),
        entities=entities_of(wish.entities, now=now),
    )
    known = _known(session, wish.known)
    if wish.verdicts is None:
        rules = believing.rules(session)
        terms = Terms(now, rules.windows, rules.slots, wish.review)
        with _word(session, wish) as word:
            found = consolidated(known, remembered, terms, word=word)
    else:
        ids = {one.id for one in remembered.items}
        found = _given(wish.verdicts, known, ids, now)
    _write(wish.marks, found.marks)
    _write(wish.decisions, found.decisions)
    if wish.output is None:
        session.write(found.observations, columns=COLUMNS)
    else:
        _write(wish.output, found.observations)
    _tell(found)


def _known(session: Session, file: str | None) -> list[Observation]:
    """Return the observations of a file, none where there is none or it is empty."""
    try:
        return [] if file is None else believing.of_file(session, file)
    except NothingToDoError:
        return []


def _given(file: str, known: list[Observation], ids: set[str], now: str) -> Outcome:
    """Return what verdicts on the items of a file come to; what is held stays as it is."""
    found = given(input.records(file, GivenVerdict), ids, now=now, source=input.name_of(file))
    if found.problems:
        raise BadInputError(found.problems)
    return Outcome(known, found.decisions, found.marks)


def _write(file: str | None, records: Iterable[Record]) -> None:
    """Write records to a file, whole or not at all."""
    if file is not None:
        write_whole(documents.path_of(file), (to_json(one) + b"\n" for one in records))


def _tell(found: Outcome) -> None:
    """Say how many verdicts of each kind there were."""
    calls: dict[str, int] = {}
    for one in found.decisions:
        calls[one.call] = calls.get(one.call, 0) + 1
    told = ", ".join(f"{call} {count}" for call, count in sorted(calls.items()))
    output.say(f"{len(found.observations)} observations; {told or 'nothing was decided'}.")
