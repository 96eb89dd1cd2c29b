"""`mind inbox`: the durable queue of events for one mind."""

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import click
import msgspec

from mindpipe.core.errors import NothingToDoError, UnavailableError, UsageError
from mindpipe.core.events import EventType, Priority
from mindpipe.core.ports import NOBODY
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.inbox.records import BATCH, LEASE_SECONDS, Event, Held, Receipt, Release
from mindpipe_cli import input, output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    agent_option,
    any_agent_option,
    attach_option,
    by_option,
    decider,
    file_argument,
    key_option,
    limit_option,
    offset_option,
    on_error_options,
    only_agent,
    output_option,
    reason_option,
    source_option,
    text_option,
    timeout_option,
    whole,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.attachments import Attachment
    from mindpipe.core.lines import BadLines
    from mindpipe.inbox.batch import Batch
    from mindpipe.inbox.push_rules import LineRules, PushRules
    from mindpipe.inbox.records import EventDefaults
    from mindpipe.inbox.wire import Unknown
    from mindpipe.io.spool import Spool

    Found = tuple[int, bytes] | Batch | Problem

RECEIPT = ("id", "key", "duplicate", "lowered")
_SETTING = "inbox.max_bytes"
_COLUMNS = (
    *("id", "priority", "type", "source", "sender", "state", "due", "attempts", "epoch", "text"),
)
_CLAIMED = ("id", "priority", "type", "source", "sender", "state", "attempts", "epoch", "text")
_WATCHED = ("id", "priority", "type", "source", "sender", "text")

event_argument = click.argument("event", default="-", metavar="[ID]", type=StoredId("event"))
epoch_option = click.option(
    "--epoch", type=whole(1), metavar="N", help="The epoch that its claim printed."
)
lease_option = click.option(
    "--lease",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help=f"How long the claim holds [{LEASE_SECONDS:g}].",
)


class PushOptions(Record):
    """What the options of `mind inbox push` ask for."""

    file: str = "-"
    agent: str | None = None
    text: str | None = None
    type: EventType | None = None
    source: str | None = None
    key: str | None = None
    priority: int | None = None
    level: int | None = None
    due: str | None = None
    space: str | None = None
    sender: str | None = None
    max_open: int | None = None
    attached: tuple[str, ...] = ()
    output: str | None = None
    on_error: str = "stop"
    rejects: str | None = None
    strict: bool = False
    stream: bool = False


@command("push", example="mind inbox push --agent ava < events.jsonl")
@file_argument
@any_agent_option
@text_option
@click.option(
    "--type", type=click.Choice(get_args(EventType)), help="What kind of event [service]."
)
@source_option(required=False)
@key_option
@click.option(
    "--priority",
    type=whole(0, 4),
    metavar="0..4",
    help="0 emergency, 1 critical, 2 urgent, 3 normal [default], 4 background.",
)
@click.option(
    "--level",
    type=whole(0, 2),
    metavar="0..2",
    help="Push interrupts: 0 is heard at once, 1 next, 2 ahead of others.",
)
@click.option("--due", metavar="INSTANT", help="Not to be claimed before.")
@click.option("--space", metavar="NAME", help="The space it is from.")
@click.option("--sender", metavar="NAME", help="Who it is from.")
@click.option("--max-open", type=whole(1), metavar="N", help="Open events it may hold.")
@attach_option
@click.option("--strict", is_flag=True, help="Refuse text that would have to be cleaned.")
@click.option("--stream", is_flag=True, help="Push line by line as they come, without an end.")
@on_error_options
@output_option
def push(session: Session, **values: str | int | bool | tuple[str, ...] | None) -> None:
    """Push events, one JSON object per line of FILE or stdin, and print a receipt for each.

    The options hold for every line that does not say it itself; --text without --agent is for the
    only agent of the store. All lines are stored or none; the
    receipts are printed after the commit. The same --key with the same content is one event. With
    --output the lines are appended to that file instead.

    --attach FILE goes along with each event: the agent sees an image or PDF, and reads a text. What
    kind it is is told by its bytes. It counts as words of the event's source. On a terminal, or
    with --attach -, a file alone is one event whose text is its name.

    Without --source they are the operator's own words, on which an agent may act. Name one for what
    others wrote: a line is then of that source, and another that it names is kept as a claim
    (claimed:NAME), which makes it trusted no more.

    --level N is --type interrupt --priority N. One of level 0 reaches a running loop within its
    cycle: the model call under way is closed, a tool has 9 seconds left, and the event is read
    before anything else. Of the operator's own interrupts, a body {"command":"stop"} ends mind run
    in order, {"command":"pause"} lets the agent rest and {"command":"resume"} go on; another is
    refused. No cycle reads a command; mind think obeys the last two, and leaves a stop to a loop:

    echo '{"body":{"command":"stop"}}' | mind inbox push --agent ava --level 0

    A simulated person hears text as speech; what happens to it is a body with a type, e.g.
    {"agent":"mara","body":{"type":"injury","class":"cut","nrs":6}}.
    """
    from pathlib import Path

    from mindpipe.inbox.push_rules import PushRules, anybody
    from mindpipe.io.spool import Spool

    options = PushOptions(**values)  # type: ignore[arg-type]  # click held each to its type
    if options.level is not None and (options.type, options.priority) != (None, None):
        raise UsageError("--level says type and priority already; leave out --type and --priority.")
    if options.file != "-" and not Path(options.file).exists():
        file = options.file
        raise UnavailableError(f'there is no file {file}; to push words, say --text "{file}".')
    if options.attached and options.output is not None:
        raise UsageError("--attach keeps files in a store; take away --output.")
    files, options = _with_files(options)
    if options.text is not None and options.agent is None and options.output is None:
        options = msgspec.structs.replace(options, agent=only_agent(session))
    pushed = 0
    with _bad_lines(options) as bad_lines:
        rules = _rules(session, options)
        push_rules = PushRules(
            bounds=rules.bounds,
            known=anybody if options.output else _known_in(session),
            bad_lines=bad_lines,
            source=rules.source,
            files=files,
        )
        for group in _groups(options, rules):
            with Spool() as spool:
                checked = _Checked(spool, set())
                pushed += _check_group(group, rules, bad_lines, checked)
                _push_group(session, options, push_rules, checked)
    rejected = int(getattr(bad_lines, "count", 0))
    if rejected:
        output.say(f"rejected: {rejected}; see {options.rejects}.")
    elif files and not pushed:
        raise NothingToDoError('no words. To push a file alone, say --text "TEXT" too.')


def _with_files(options: PushOptions) -> "tuple[tuple[Attachment, ...], PushOptions]":
    """Return the files of --attach, and where they are all there is, their names as the text."""
    if not options.attached:
        return (), options
    from mindpipe_cli.attached_files import attached_files, words_for

    files = attached_files(options.attached)
    lines = options.text is not None or options.file != "-"
    if lines or not ("-" in options.attached or output.on_terminal("stdin")):
        return files, options
    return files, msgspec.structs.replace(options, text=words_for(files))


@contextlib.contextmanager
def _bad_lines(options: PushOptions) -> "Iterator[BadLines]":
    """Give what becomes of bad lines."""
    from mindpipe.core.lines import AllOrNothing

    with input.rejects_of(options.on_error, options.rejects) as rejects:
        yield AllOrNothing() if rejects is None else rejects


def _rules(session: Session, options: PushOptions) -> "LineRules":
    """Return what the lines are held to."""
    from mindpipe.engine.delivery import bounds_of
    from mindpipe.inbox.push_rules import LineRules
    from mindpipe.inbox.wire import nobody

    bounds = bounds_of(session.settings)
    if (most := options.max_open) is not None:
        bounds = msgspec.structs.replace(bounds, max_open=most, max_open_per_source=most)
    return LineRules(
        source="--text" if options.text is not None else input.name_of(options.file),
        given=_given(options),
        bounds=bounds,
        agent_needed=options.output is None,
        strict=options.strict,
        unknown=nobody if options.output else _unknown_in(session),
        bodies=None if options.output else _Persons(session),
    )


class _Persons:
    """What may be pushed to persons; their rules are loaded where there is one."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @functools.cache  # noqa: B019  # it lives as long as the command
    def hold_for(self, agent: str) -> bool:
        """Tell whether somebody is a person."""
        from mindpipe.person.verbs import refusal

        return refusal.is_person(self._session.store, agent)

    def faults(self, agent: str, fields: Mapping[str, object]) -> list[tuple[str, str]]:
        """Return path and words of all that is wrong with an event for a person."""
        from mindpipe.person.verbs import persons

        return persons.faults_of(agent, fields)


def _given(options: PushOptions) -> "EventDefaults":
    """Return what holds for lines that do not say it themselves."""
    from mindpipe.core.instants import normal_instant
    from mindpipe.core.text import safe_name
    from mindpipe.inbox.records import EventDefaults

    named = (options.level, options.priority)
    return EventDefaults(
        agent=options.agent and safe_name(options.agent),
        type=options.type or ("service" if options.level is None else "interrupt"),
        source=_word(options.source, "--source") or "operator",
        key=_word(options.key, "--key"),
        priority=next((n for n in named if n is not None), Priority.NORMAL),
        due=options.due and normal_instant(options.due),
        space=_word(options.space, "--space"),
        sender=_word(options.sender, "--sender"),
    )


def _known_in(session: Session) -> Callable[[str], None]:
    """Return what raises UsageError for an agent that is not in the store."""

    def known(agent: str) -> None:
        from mindpipe.agents.verbs import agent as agents

        agents.show(session.store, name=agent)

    return known


def _unknown_in(session: Session) -> "Unknown":
    """Return what says that an agent is not in the store, asking once for each."""
    known = _known_in(session)

    @functools.cache
    def unknown(agent: str) -> str | None:
        try:
            known(agent)
        except UsageError as error:
            return str(error)
        return None

    return unknown


def _word(text: str | None, option: str) -> str | None:
    """Return an option's value as one line of at most 256 bytes; raises UsageError."""
    if text is None:
        return None
    from mindpipe.core.json import MAX_KEY_BYTES
    from mindpipe.core.text import one_line
    from mindpipe.inbox.wire import MAX_WORD

    word = one_line(text, field=option, limit=MAX_WORD)
    if len(word.encode()) > MAX_KEY_BYTES:
        raise UsageError(f"{option} is longer than {MAX_KEY_BYTES} bytes; shorten it.")
    return word


def _groups(options: PushOptions, rules: "LineRules") -> "Iterator[Iterable[Found]]":
    """Yield what is pushed together: everything, or under --stream what comes within 50 ms."""
    limit = rules.bounds.max_bytes
    if options.text is not None:
        from mindpipe.inbox.lines import check_text

        yield [check_text(_text_of(options.text), rules)]
    elif options.stream:
        from mindpipe.io.lines import line_groups

        with input.open_input(options.file) as stream:
            yield from line_groups(
                stream.fileno(), limit=limit, source=rules.source, setting=_SETTING
            )
    else:
        from mindpipe.io.lines import line_blocks

        with input.open_input(options.file) as stream:
            yield line_blocks(stream, limit=limit, source=rules.source, setting=_SETTING)


def _text_of(text: str) -> bytes:
    """Return the words of --text, or those on stdin for `-`."""
    if text == "-":
        return input.words_on_stdin()
    if not text.strip():
        raise UsageError("--text is empty; give it some words.")
    return os.fsencode(text)


class _Checked(NamedTuple):
    """The sound lines of a group, in pieces, and whose inboxes they are for."""

    spool: "Spool"
    agents: set[str]


def _check_group(
    group: "Iterable[Found]", rules: "LineRules", bad_lines: "BadLines", checked: _Checked
) -> int:
    """Read and check a group to its end, and return how many sound lines there are now."""
    from mindpipe.inbox.batch import Batch, packed
    from mindpipe.inbox.lines import check

    count = 0
    for found in group:
        if isinstance(found, Problem):
            bad_lines.refuse([found], b"")
            continue
        piece = found if isinstance(found, Batch) else check(*found, rules, bad_lines)
        if piece is not None:
            checked.spool.add(packed(piece))
            checked.agents.update(piece.agents())
            count += piece.count
    bad_lines.settle()
    return count


def _push_group(
    session: Session, options: PushOptions, push_rules: "PushRules", checked: _Checked
) -> None:
    """Push one group and print its receipts after the commit."""
    if not len(checked.spool):
        return
    from mindpipe.inbox.batch import unpacked
    from mindpipe.inbox.verbs.push import push, push_file
    from mindpipe.io.spool import Spool

    clock, chance, pieces = session.clock, session.chance, map(unpacked, checked.spool.pieces())
    with Spool() as receipts:
        keep = receipts.add
        if options.output is None:
            push(
                session.store,
                clock,
                chance,
                pieces=pieces,
                agents=checked.agents,
                push_rules=push_rules,
                keep=keep,
            )
        else:
            from pathlib import Path

            from mindpipe.io.files import locked_append

            with locked_append(Path(options.output)) as file:
                push_file(file, clock, chance, pieces=pieces, push_rules=push_rules, keep=keep)
            session.note_file(options.output)
        session.write_receipts(receipts.pieces(), kind=Receipt, columns=RECEIPT)


@command("list", example="mind inbox list --agent ava --state dead")
@agent_option
@click.option(
    "--state",
    type=click.Choice(["open", "ready", "leased", "done", "dead"]),
    default="open",
    show_default=True,
    help="Events in this state; open is ready or leased.",
)
@limit_option(100)
@offset_option
def list_(session: Session, agent: str, state: str, limit: int, offset: int) -> None:
    """Print an agent's events, the most urgent first, then in order of arrival."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.inbox.records import EventState
    from mindpipe.inbox.verbs import inbox

    name = agents.show(session.store, name=agent).name
    states = inbox.OPEN_STATES if state == "open" else (EventState(state),)
    events = inbox.list_(session.store, agent=name, states=states, limit=limit, offset=offset)
    session.write(events, columns=_COLUMNS)


@command("claim", example="mind inbox claim --agent ava --limit 1 | work | mind inbox ack")
@agent_option
@limit_option(BATCH)
@lease_option
@click.option("--owner", metavar="NAME", help="Who takes them [this process].")
def claim(session: Session, agent: str, limit: int, lease: float | None, owner: str | None) -> None:
    """Take the events that come next and print them; nothing due is exit status 3.

    Each is held for --lease seconds. Its id and epoch are what ack, release and extend need. If
    nobody reads what is printed, the events are given back. After five claims an event is dead.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.core.failpoints import reach
    from mindpipe.inbox.verbs import inbox

    store, clock = session.store, session.clock
    with store.write(NOBODY):
        found = agents.show(store, name=agent)
        events = inbox.claim(
            store,
            clock,
            agent=found.name,
            owner=owner or f"pid {os.getpid()}",
            limit=limit,
            seconds=_lease_seconds(session, lease),
        )
        reach("claim.before_commit")
    reach("claim.after_commit")
    if not events:
        raise NothingToDoError(f"nothing is due for {agent}.")
    try:
        session.write(inbox.with_files(store, events), columns=_CLAIMED)
        output.flush()
    except OSError:  # nobody reads, or a disk is full
        session.forget_made()
        how = Release(reason="nobody read the claim", clean=True)
        with store.write(NOBODY):
            for event in events:
                inbox.release(store, clock, session.chance, id=event.id, epoch=event.epoch, how=how)
        raise


def _lease_seconds(session: Session, asked: float | None) -> float:
    """Return how long a claim holds: as asked, else as configured."""
    found = asked or session.settings.value("inbox.lease_seconds").value
    return float(found or LEASE_SECONDS)


def _settle(
    session: Session, *, event: str, epoch: int | None, step: Callable[[Held], Event]
) -> None:
    """Take one step with the event that is named, or with all that are piped in, or with none.

    Raises:
        UsageError: an event is named without its epoch.
    """
    if event == "-":
        held = input.records("-", Held)
    elif epoch is None:
        raise UsageError(f"which epoch of {event}? Give --epoch N as its claim printed it.")
    else:
        held = [Held(id=event, epoch=epoch)]
    with session.store.write(NOBODY):
        done = [step(one) for one in held]
    session.write(done, columns=_CLAIMED)


@command("ack", example="mind inbox ack e_0Xq2yV1bT7cR5kE300000001 --epoch 1")
@event_argument
@epoch_option
@click.option(
    "--outcome",
    type=click.Choice(["handled", "skipped"]),
    default="handled",
    show_default=True,
    help="What became of it.",
)
def ack(
    session: Session, event: str, epoch: int | None, outcome: Literal["handled", "skipped"]
) -> None:
    """Make claimed events done: the one with the id ID, or all that claim printed, from stdin.

    An event that another worker holds by now is exit status 75, and then none is changed.
    """
    from mindpipe.engine.cycle import dead_letters

    def step(held: Held) -> Event:
        store, clock = session.store, session.clock
        return dead_letters.settle_event(
            store, clock, id=held.id, epoch=held.epoch, outcome=outcome
        )

    _settle(session, event=event, epoch=epoch, step=step)


@command("release", example='mind inbox release --reason "server down" --clean < claimed.jsonl')
@event_argument
@epoch_option
@reason_option(required=True)
@click.option("--clean", is_flag=True, help="Give the attempt back too.")
@click.option("--wait", type=click.FloatRange(0), metavar="SECONDS", help="Due after this delay.")
def release(
    session: Session, event: str, epoch: int | None, **how: str | float | bool | None
) -> None:
    """Give claimed events back: the one with the id ID, or all that claim printed, from stdin.

    Without --clean or --wait the delay is random and grows with every attempt, up to 5 minutes.
    """
    from mindpipe.inbox.verbs import inbox

    given = msgspec.convert(how, Release)

    def step(held: Held) -> Event:
        store, clock, chance = session.store, session.clock, session.chance
        return inbox.release(store, clock, chance, id=held.id, epoch=held.epoch, how=given)

    _settle(session, event=event, epoch=epoch, step=step)


@command("extend", example="mind inbox extend --lease 300 < claimed.jsonl")
@event_argument
@epoch_option
@lease_option
def extend(session: Session, event: str, epoch: int | None, lease: float | None) -> None:
    """Hold claimed events for longer: the one with the id ID, or all from stdin."""
    from mindpipe.inbox.verbs import inbox

    seconds = _lease_seconds(session, lease)

    def step(held: Held) -> Event:
        store, clock = session.store, session.clock
        return inbox.extend(store, clock, id=held.id, epoch=held.epoch, seconds=seconds)

    _settle(session, event=event, epoch=epoch, step=step)


@command("dead", example='mind inbox dead e_0Xq2yV1bT7cR5kE300000001 --reason "makes no sense"')
@click.argument("event", metavar="ID", type=StoredId("event"))
@reason_option(required=True)
@epoch_option
def dead(session: Session, event: str, reason: str, epoch: int | None) -> None:
    """Let the event with the id ID die; a worker that holds it names its --epoch.

    A run that would have gone on with it is cancelled.
    """
    from mindpipe.engine.cycle import dead_letters

    gone = dead_letters.settle_by_hand(
        session.store, session.clock, id=event, reason=reason, epoch=epoch
    )
    session.write([gone], columns=_COLUMNS)


@command("redrive", example="mind inbox redrive --agent ava --all")
@agent_option
@click.argument("events", nargs=-1, metavar="[ID]...", type=StoredId("event"))
@click.option("--all", "every", is_flag=True, help="All dead events of the agent.")
def redrive(session: Session, agent: str, events: tuple[str, ...], *, every: bool) -> None:
    """Make dead events ready again, with all attempts before them."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.inbox.verbs import inbox

    if bool(events) == every:
        raise click.UsageError("Name the events by ID, or give --all.")
    name = agents.show(session.store, name=agent).name
    back = inbox.redrive(session.store, agent=name, ids=None if every else events)
    session.write(back, columns=_COLUMNS)


@command("trust", example="mind inbox trust e_0Xq2yV1bT7cR5kE300000001")
@click.argument("events", nargs=-1, required=True, metavar="ID...", type=StoredId("event"))
@by_option
def trust(session: Session, events: tuple[str, ...], by: str | None) -> None:
    """Vouch for the events with these ids, once you have read them; it is recorded.

    The cycle that takes them is not tainted by them. One that took them already is another matter:
    mind history trust.
    """
    from mindpipe.context.verbs import trust as trust_verbs

    reader = trust_verbs.Reader(decider(by), session.clock)
    made = trust_verbs.trust_events(session.store, reader, ids=events)
    session.write(made, columns=output.CLEARANCE)


@command("watch", example="mind inbox watch --agent ava --limit 1 && mind think --agent ava")
@agent_option
@timeout_option
@limit_option(None)
def watch(session: Session, agent: str, timeout: float | None, limit: int | None) -> None:
    """Print events that may be claimed, now and as they come, and change nothing.

    Ends after --limit events, or --timeout seconds; none in that time is exit status 3.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.inbox.verbs import inbox
    from mindpipe.store.watch import watching

    name = agents.show(session.store, name=agent).name
    printed = 0
    with watching(session.where) as wait:
        store, clock = session.store, session.clock
        for events in inbox.watch(store, clock, agent=name, wait=wait, timeout=timeout):
            left = None if limit is None else limit - printed
            printed += session.write(events[:left], columns=_WATCHED)
            output.flush()
            if limit is not None and printed >= limit:
                return
    if not printed:
        raise NothingToDoError(f"nothing came for {agent}.")


COMMAND = group("inbox", push, list_, claim, ack, release, extend, dead, redrive, trust, watch)
