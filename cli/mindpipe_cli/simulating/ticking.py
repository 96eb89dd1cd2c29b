"""Let persons on lines live for one tick, and write them again with all that is still to come."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from mindpipe.core.errors import BadInputError, RefusedError, UsageError
from mindpipe.core.records import to_json
from mindpipe.person.calendar import instant_text
from mindpipe.person.records.person import Person
from mindpipe.wiring.living import AT_ONCE, Lived, Some, Span, Ticked
from mindpipe.wiring.settings import of_persons
from mindpipe_cli import output, spans
from mindpipe_cli.session import Session
from mindpipe_cli.simulating import sharing
from mindpipe_cli.simulating.company import Company
from mindpipe_cli.simulating.failing import Failures
from mindpipe_cli.simulating.person_lines import company_of
from mindpipe_cli.simulating.telling_persons import write_lines
from mindpipe_cli.simulating.wishes import TickWish
from mindpipe_cli.speaking_up import Speech, asked_model

USUAL = "60"


def tick(session: Session, wishes: Mapping[str, object]) -> None:
    """Write every line of the input again, states as they are after the tick."""
    wish = msgspec.convert(wishes, TickWish)
    span = _span(wish)
    speech = None
    if wish.think:
        speech = Speech(
            session.options, asked_model(session, wish.model, wish.settings), wish.record
        )
    if wish.person is not None or session.settings.value("store").source == "option":
        _tick_store(session, wish, span, speech)
        return
    company = company_of(wish)
    _require_ahead(company, span)
    change(company, settings=wish.settings, consts=wish.consts)
    ticked = sharing.shared(chunks(company), span, speech, jobs=wish.jobs)
    refused: list[str] = []
    failures = Failures()
    write_lines(session, _written(company, _heard(ticked, refused, failures)))
    failures.tell()
    if refused:
        raise RefusedError(refused[0])


def _tick_store(session: Session, wish: TickWish, span: Span, speech: Speech | None) -> None:
    """Let persons of the store live for one tick, and print what came of it."""
    from mindpipe_cli.simulating.keeping_persons import Household, Wanted, refuse_jobs

    refuse_jobs(wish.jobs)
    wanted = Wanted(wish.person, wish, span.read, settings=wish.settings, consts=wish.consts)
    household = Household(session, wanted, speech.speaking() if speech else None)
    if span.to_us is not None:
        household.require_ahead(span.to_us)
    write_lines(session, household.each(span.to_us, span.dt_us))
    household.end()


def _heard(ticked: Iterable[Ticked], refused: list[str], failures: Failures) -> Iterator[Lived]:
    """Yield what became of everybody; say what is to be noted, and note what failed or is spent."""
    for some in ticked:
        for note in some.notes:
            output.say(note)
        if some.refused:
            refused.append("calls were refused; raise the setting max_calls to allow more.")
        for lived in some.lived:
            failures.hear(lived.happened)
            yield lived


def _span(wish: TickWish) -> Span:
    """Return how far everybody lives; raises UsageError for two ways to say it."""
    if wish.dt is not None and wish.to is not None:
        raise UsageError("give --dt or --to, not both.")
    to_us = spans.instant_of(wish.to, option="--to") if wish.to else None
    dt_us = spans.span_of(wish.dt or USUAL, option="--dt")
    return Span(to_us, dt_us, read=wish.read == "all")


def _require_ahead(company: Company, span: Span) -> None:
    """Raise BadInputError for persons who have lived beyond the end."""
    until_us = span.to_us
    if until_us is not None:
        words = f"later than --to, {instant_text(until_us)}; time does not run backwards"
        problems = [
            company.place(person).problem(
                "$.t_us", f"{instant_text(company.t_us(person))} is {words}"
            )
            for person in company.states
            if company.t_us(person) > until_us
        ]
        if problems:
            raise BadInputError(problems)


def change(company: Company, *, settings: Sequence[str], consts: Sequence[str]) -> None:
    """Change everybody as options and variables say; raises UsageError for what is no setting."""
    if not settings and not consts and not of_persons(os.environ):
        return
    for person, line in company.persons.items():
        known = msgspec.json.decode(line, type=Person)
        changed = spans.changed(known, settings=settings, consts=consts)
        company.rewrite(person, to_json(changed))


def _written(company: Company, lives: Iterator[Lived]) -> Iterator[bytes]:
    """Yield the lines in their order; each state is followed by events that are still to come."""
    for piece in company.pieces:
        if isinstance(piece, bytes):
            if piece:
                yield piece
            continue
        lived = next(lives)
        yield from lived.happened
        yield lived.state
        for event in lived.waiting:
            if event.id not in company.passing:
                yield to_json(event)


def chunks(company: Company) -> Iterator[Some]:
    """Yield everybody, so many at a time."""
    order = [piece for piece in company.pieces if isinstance(piece, str)]
    for start in range(0, len(order), AT_ONCE):
        ids = order[start : start + AT_ONCE]
        yield Some(
            [company.persons[one] for one in ids],
            [company.states.pop(one) for one in ids],
            {one: company.events.pop(one) for one in ids if one in company.events},
            {one: company.past.pop(one) for one in ids if one in company.past},
        )
