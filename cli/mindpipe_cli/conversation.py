"""A conversation with a person, of lines or of the store: what the commands talk and chat share."""

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record, to_json
from mindpipe_cli import input, output
from mindpipe_cli.person_input import (
    USUAL_SPAN,
    LifeOptions,
    change_people,
    in_store,
    lines_of,
    settle_people,
    span_of,
    stored_people,
)
from mindpipe_cli.person_lines import write_lines
from mindpipe_cli.session import Session
from mindpipe_cli.voices import asked_model, voices_of

if TYPE_CHECKING:
    from mindpipe.person.verbs.talk import ListeningSpeakers, Talk, TalkingLife

_LEAST_TURN_US = 10_000_000


class TalkOptions(Record):
    """With whom somebody talks, as whom, how long a turn takes, and who finds the words.

    `alone` is in a space of the two.
    """

    file: str | None = None
    speaker: str | None = None
    dt: str | None = None
    space: str | None = None
    model: str | None = None
    record: str | None = None
    person: str | None = None
    plain: bool = False
    alone: bool = False


def converse(session: Session, options: TalkOptions, said: Iterable[str]) -> int:
    """Say one thing after the other to a person, as options say; return how many they were.

    Raises:
        UsageError: it is not said to whom, or how is none that can be.
        UnavailableError: there is no such file.
    """
    from mindpipe.person.records.thought import NO_VOICE
    from mindpipe.person.verbs.talk import ListeningSpeakers

    if options.model == NO_VOICE:
        raise UsageError("none is for persons without thoughts; leave --model out, or name one.")
    turn_us = span_of(options.dt or USUAL_SPAN, option="--dt")
    if turn_us < _LEAST_TURN_US:
        raise UsageError("--dt: a turn takes 10 seconds at least.")
    model = asked_model(session, options.model)
    voices = voices_of(session, record=options.record)
    speaking = ListeningSpeakers(voices, model=model)

    def talk_to(life: "TalkingLife") -> "Talk":
        from mindpipe.person.verbs.talk import Talk

        return Talk(
            life,
            speaking=speaking,
            voices=voices,
            model=model,
            speaker=options.speaker or "",
            turn_us=turn_us,
            tell=output.say,
        )

    if options.file is None:
        return _talk_in_store(session, options, said, speaking, talk_to)
    return _talk_in_file(session, options, said, speaking, talk_to)


def _talk_in_store(
    session: Session,
    options: TalkOptions,
    said: Iterable[str],
    speaking: "ListeningSpeakers",
    talk_to: "Callable[[TalkingLife], Talk]",
) -> int:
    """Talk with a person of the store, who is kept there turn by turn."""
    from mindpipe.engine.delivery import deliver_to
    from mindpipe.person.verbs import simulate
    from mindpipe.person.verbs.talk import TalkPlace

    if not in_store(session, person=options.person, file=options.file):
        raise UsageError("talk with whom? Name a file of lines, or --person ID of the store.")
    stored, changed, _ = stored_people(session, LifeOptions(person=options.person))
    if len(stored) > 1:
        raise UsageError(f"{len(stored)} persons live there; give --person ID.")
    store, clock, chance = session.store, session.clock, session.chance
    life = simulate.talk_in_store(
        store,
        clock,
        chance,
        lived=stored[0],
        changed=changed[0],
        speaking=speaking,
        place=TalkPlace(options.speaker, options.space, output.say if options.alone else None),
        deliver=deliver_to(store, clock, chance, session.settings),
    )
    return _talk(session, talk_to(life), life.person.name, said, plain=options.plain)


def _talk_in_file(
    session: Session,
    options: TalkOptions,
    said: Iterable[str],
    speaking: "ListeningSpeakers",
    talk_to: "Callable[[TalkingLife], Talk]",
) -> int:
    """Talk with a person of a file; where answers are shown, the new lines are appended to it."""
    from mindpipe.io.files import locked_append
    from mindpipe.person.life.people import People
    from mindpipe.person.verbs import simulate

    assert options.file is not None
    if options.file == "-":
        raise UsageError("stdin is what is said; name the file that the person is in.")
    if options.space is not None or session.settings.value("store").source == "option":
        raise UsageError("give FILE, or --store and --in-space for a person of a store, not both.")
    with contextlib.ExitStack() as held:
        file = None
        if session.watched or options.plain:
            with input.open_input(options.file):
                pass  # A name that is wrong makes no new file.
            file = held.enter_context(locked_append(input.path_of(options.file)))
        whole = list(lines_of(options.file, apart=False))
        people = People()
        for line in whole:
            people.add(line)
        settle_people(people, LifeOptions())
        known = dict(people.persons)
        change_people(people, LifeOptions())
        life = simulate.talk(people, person=options.person, speaking=speaking)
        first = [line.octets for line in whole]
        changed = people.persons[life.person.person]
        news = [] if known[life.person.person] == changed else [changed]
        if file is None:
            return _talk(session, talk_to(life), life.person.name, said, before=[*first, *news])
        file.end_line()

        def keep(lines: Sequence[bytes]) -> None:
            file.append(b"".join(b"%b\n" % line for line in lines))

        keep(news)
        return _talk(session, talk_to(life), life.person.name, said, keep=keep, plain=options.plain)


def _talk(
    session: Session,
    talk: "Talk",
    name: str,
    said: Iterable[str],
    *,
    before: Sequence[bytes] = (),
    keep: "Callable[[Sequence[bytes]], None] | None" = None,
    plain: bool = False,
) -> int:
    """Let somebody talk to the end; show the answers, or write all lines; return how many."""
    from mindpipe.person.verbs.runs import VoiceFailures

    failures = VoiceFailures()
    turns = 0

    def lines() -> Iterator[bytes]:
        nonlocal turns
        yield from before
        for text in said:
            turns += 1
            if session.watched and not output.on_terminal("stdin"):
                output.write_text(f"> {text}\n")
            answer = None
            for part in talk.say(text):
                failures.hear(part.records)
                answer = part.answer
                told = [to_json(record) for record in part.records]
                if keep is not None:
                    keep(told)
                yield from told
                output.flush()
            if answer is None:
                output.say(f"{name} says nothing.")
            elif plain and not session.watched:
                output.write_text(f"{answer.text}\n")
                output.flush()
            elif session.watched:
                output.write_text(f"{name}: {answer.text}\n")
                output.flush()
        failures.tell(output.say)

    if session.watched or plain:
        deque(lines(), maxlen=0)
    else:
        write_lines(session, lines())
    return turns
