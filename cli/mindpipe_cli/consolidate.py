"""`mind consolidate`: turn what is remembered into what is held true, with its evidence."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from mindpipe.core.errors import BadInputError, EmptyInputError, UsageError
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import counted
from mindpipe_cli import input, output
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    WRITTEN,
    agent_or_input_option,
    entities_option,
    file_argument,
    known_option,
    lessons_option,
    limit_option,
    model_options,
    output_option,
    reader_option,
    reflections_option,
)
from mindpipe_cli.reader import ReaderChoice, choose_reader, reading
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.knowledge.deciding.files import Consolidation
    from mindpipe.knowledge.records import Consolidated, Observation
    from mindpipe.memory.records import Item

R = TypeVar("R", bound=msgspec.Struct)
_COLUMNS = ("id", "status", "summary", "confidence", "freshness", "last_supported_at", "contested")
_CHANGED = ("subject", "created", "reinforced", "refined", "superseded", "contested", "marks")
_OBSERVED = ("created", "reinforced", "refined", "superseded", "contested", "retracted")
_OF_FILES = ("known", "lessons", "reflections", "entities", "marks", "decisions", "output")
_JUDGED = ("id", "call", "old_value", "new_value", "by", "why")


class _Options(Record):
    """The options of `mind consolidate`."""

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
    reader: str | None = None
    model: str | None = None
    record: str | None = None
    output: str | None = None


@command("consolidate", example="mind consolidate --known held.jsonl < items.jsonl > next.jsonl")
@file_argument
@agent_or_input_option
@known_option
@limit_option(5_000)
@click.option("--review", is_flag=True, help="Leave every supersession to a person.")
@click.option("--verdicts", metavar="FILE", help="Take these verdicts on items; judge nothing.")
@reader_option
@lessons_option
@reflections_option
@entities_option
@click.option(
    "--marks", type=WRITTEN, metavar="FILE", help="Write which item replaces or contradicts which."
)
@click.option(
    "--decisions", type=WRITTEN, metavar="FILE", help="Write each verdict with its weights."
)
@model_options
@output_option
def COMMAND(session: Session, **wishes: str | int | bool | None) -> None:
    """Read what is new in the memory of --agent and print what changed, subject by subject.

    Statements are read by --reader (strict needs nothing, parsed a pipeline of spaCy, model
    asks one) and weighed against what is held: they support it, say it more exactly, replace it
    or contradict it. One run reads --limit items, the oldest of every subject in turn; two runs
    at a time never do the same work: the second ends with status 75, and 3 says that nothing is
    new. The reader model asks the agent's own, model:MODEL or --model; where it fails nothing is
    changed. Without --agent it is a filter: items on stdin, observations on stdout, those of
    --known first. The lines of --verdicts, such as {"relation": "supersedes", "old": ["m1"],
    "new": ["m3"]}, say which items supersede or contradict which (mind schema given-verdict). With
    --model claims are put into words by a model that must cite the evidence it was shown: what
    does not is refused, and is worded by rules as everything is without it.
    """
    options = msgspec.convert(wishes, _Options)
    choose_reader(session, options.reader)
    if options.model is not None and options.verdicts is not None:
        raise UsageError("--verdicts asks no model; leave it out, or --model.")
    if options.agent is not None and (beside := _beside(options)):
        raise UsageError(f"--agent consolidates a store; leave it out, or {beside}.")
    if options.agent is None:
        _over_files(session, options)
    elif options.verdicts is None:
        _over_store(session, options, options.agent)
    else:
        _judge(session, options.agent, options.verdicts)


def _choice(options: _Options) -> ReaderChoice:
    """Return who is asked to read."""
    return ReaderChoice(options.agent, options.reader, options.model, options.record)


def _beside(options: _Options) -> str | None:
    """Return what was given of files, None where nothing was."""
    if options.file != "-":
        return options.file
    return next((f"--{name}" for name in _OF_FILES if getattr(options, name) is not None), None)


def _over_store(session: Session, options: _Options, agent: str) -> None:
    """Do the work of one window, and print what changed as it changes."""
    from mindpipe.knowledge.verbs import consolidate

    with reading(session, _choice(options)) as (reader, write):
        how = consolidate.ConsolidateOptions(
            rules=session.rules,
            reader=reader,
            limit=options.limit,
            review=options.review,
            write=write,
            tell=output.say,
            look=functools.partial(_say_not_vouched, session, agent),
        )
        changed = session.app.consolidate(session.store, agent=agent, options=how)
        told = changed if session.shape != "table" else _in_words(session, agent, changed)
        session.write(told, columns=_CHANGED)
    if consolidate.is_behind(session.store, agent=agent):
        output.say("more is new; run it again.")


def _say_not_vouched(session: Session, agent: str, items: "Sequence[Item]") -> None:
    """Say how much of what is read nobody vouches for."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.knowledge.verbs.consolidate import not_vouched

    own = agents.show(session.store, name=agent).trust
    trust = (*own, *session.settings.security.sources())
    if words := not_vouched(items, agent=agent, trust=trust):
        output.say(f"{words}.")


def _in_words(
    session: Session, agent: str, changed: "Iterable[Consolidated]"
) -> "Iterator[Consolidated]":
    """Yield what changed with the claims themselves in the place of their ids."""
    from mindpipe.knowledge.records import ObservationFilter
    from mindpipe.knowledge.verbs import observation

    for one in changed:
        ids = {name: getattr(one, name) for name in _OBSERVED}
        wanted = ObservationFilter(
            agent=agent, ids=tuple({id for each in ids.values() for id in each})
        )
        found = observation.list_(session.store, session.clock, wanted=wanted, rules=session.rules)
        claims = {each.id: each.summary for each in found} if wanted.ids else {}
        words = {name: tuple(claims[id] for id in each) for name, each in ids.items()}
        yield msgspec.structs.replace(one, **words)


def _judge(session: Session, agent: str, file: str) -> None:
    """Take in verdicts on items of the store, and print the decisions."""
    from mindpipe.knowledge.records import GivenVerdict
    from mindpipe.knowledge.verbs.consolidate import judge

    verdicts = input.records(file, GivenVerdict)
    found = judge(
        session.store,
        session.clock,
        agent=agent,
        verdicts=verdicts,
        source=input.name_of(file),
    )
    session.write(found.decisions, columns=_JUDGED)


def _over_files(session: Session, options: _Options) -> None:
    """Print what is held after the items of a file were read; write marks and decisions."""
    from mindpipe.knowledge.deciding.applying import Terms
    from mindpipe.knowledge.deciding.consolidation import RememberedClaims
    from mindpipe.knowledge.deciding.files import consolidated
    from mindpipe.knowledge.verbs.wording import worded_by
    from mindpipe.memory.records import GivenEntity, GivenItem, GivenLesson, GivenReflection
    from mindpipe.memory.verbs import file

    def source(named: str | None) -> str:
        return input.name_of(named or "-")

    now, rules = session.clock.now(), session.rules
    items, lessons = _given(options.file, GivenItem), options.lessons
    reflections, entities = options.reflections, options.entities
    remembered = RememberedClaims(
        items=file.items_of(items, source=source(options.file), now=now),
        lessons=file.lessons_of(_given(lessons, GivenLesson), source=source(lessons), now=now),
        reflections=file.reflections_of(
            _given(reflections, GivenReflection), source=source(reflections), now=now
        ),
        entities=file.entities_of(_given(entities, GivenEntity), source=source(entities), now=now),
    )
    known = _known(session, options.known)
    if options.verdicts is None:
        terms = Terms(now, rules.windows, rules.slots, options.review)
        with reading(session, _choice(options)) as (reader, write):
            word = None if write is None else worded_by(write, tell=output.say)
            found = consolidated(known, remembered, terms, reader=reader, word=word)
    else:
        ids = {one.id for one in remembered.items}
        found = _judged(options.verdicts, known, ids, now)
    _write(options.marks, found.marks)
    _write(options.decisions, found.decisions)
    if options.output is None:
        session.write(found.observations, columns=_COLUMNS)
    else:
        _write(options.output, found.observations)
    if known or any(remembered):
        _tell(found)


def _given(file: str | None, into: type[R]) -> list[R]:
    """Read the records of a file, none where there is none or it is empty."""
    try:
        return [] if file is None else input.records(file, into, limit=input.MEMORY_BYTES)
    except EmptyInputError:
        return []


def _known(session: Session, file: str | None) -> "list[Observation]":
    """Return the observations of a file, none where there is none or it is empty."""
    try:
        return [] if file is None else input.observations(file, slots=session.rules.slots)
    except EmptyInputError:
        return []


def _judged(file: str, known: "list[Observation]", ids: set[str], now: str) -> "Consolidation":
    """Return what verdicts on the items of a file come to; what is held stays as it is."""
    from mindpipe.knowledge.deciding.files import Consolidation, given
    from mindpipe.knowledge.records import GivenVerdict

    found = given(input.records(file, GivenVerdict), ids, now=now, source=input.name_of(file))
    if found.problems:
        raise BadInputError(found.problems)
    return Consolidation(known, found.decisions, found.marks)


def _write(file: str | None, records: Iterable[Record]) -> None:
    """Write records to a file, whole or not at all."""
    if file is not None:
        from mindpipe.io.files import write_whole

        write_whole(input.path_of(file), (to_json(one) + b"\n" for one in records))


def _tell(found: "Consolidation") -> None:
    """Say how many verdicts of each kind there were."""
    calls: dict[str, int] = {}
    for one in found.decisions:
        calls[one.call] = calls.get(one.call, 0) + 1
    told = ", ".join(f"{call} {count}" for call, count in sorted(calls.items()))
    output.say(
        f"{counted(len(found.observations), 'observation')}; {told or 'nothing was decided'}."
    )
