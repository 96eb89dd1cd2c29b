"""`mind life`: one life as one file."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
import msgspec
from msgspec import UNSET

from mindpipe.core.errors import InputOutputError, MindError, UsageError
from mindpipe.core.records import Record
from mindpipe.core.text import counted
from mindpipe.life.records import LifePart
from mindpipe_cli import input, output, startup
from mindpipe_cli.command import command, group
from mindpipe_cli.named_lives import (
    NOW,
    LifePoint,
    MomentType,
    is_lines,
    lived_on_lines,
    pair,
    pieces,
    taken,
)
from mindpipe_cli.options import (
    F,
    day_micros_option,
    file_argument,
    instructions_option,
    model_option,
    output_option,
    whole,
)
from mindpipe_cli.session import Session
from mindpipe_cli.voices import voices_of

if TYPE_CHECKING:
    from mindpipe.life.records import (
        LifeEffect,
        LifeImported,
        LifeReplayed,
        ReplayDifference,
    )
    from mindpipe.life.verbs.life import Supposed
    from mindpipe.life.verbs.relived import Ask
    from mindpipe.person.records.person import Person
    from mindpipe.person.records.thought import VoiceRequest
    from mindpipe.person.voice.speech import Words

_IMPORTED = ("agent", "moved", "cycles", "messages", "rows", "spaces", "tasks")
_VERDICT = ("agent", "moved", "cycles", "messages", "windows", "beliefs", "quotes", "wrong")
_FORKED = ("agent", "store", "cycle", "messages", "day_micros", "asks_first")
_PERSON_VERDICT = ("person", "at", "ticks", "thoughts", "memories", "states", "wrong")
_REWOUND = ("agent", "number", "cycle", "left_cycles", "messages", "micros")
_REWIND = ("number", "at", "parted")
_REDACTED = ("agent", "number", "cycle", "rows", "messages", "others")
_DIFFERENCE = ("what", "key", "change", "first", "second")
_REPLAYED = (
    "agent",
    "cycles",
    "lived",
    "prompts",
    "changes",
    "given",
    "given_cycles",
    "cut",
    "different",
    "equal",
)
_REPLAY_DIFFERENCE = ("cycle", "kind", "part", "what", "table", "key", "then", "now")
_WRONG = ("agent", "table", "number", "what")
_PERSON_FORKED = ("person", "store", "at", "thoughts", "kept_replies", "asked", "without")
_PERSON_IMPORTED = ("person", "at", "events", "thoughts", "memories", "states")
_PERSON_REPLAYED = ("person", "at", "ticks", "thoughts", "replies", "memories", "states", "equal")
_PERSON_DIFFERENCE = ("at", "tick", "what", "key", "then", "now")


def _at_option(metavar: str, also: str = "") -> Callable[[F], F]:
    """Give a command the moment of which it is; `also` says what it may be besides a cycle."""
    told = f"As it was when this cycle ended (0: before the first){also}.  [default: as it is]"
    return click.option("--at", "moment", type=MomentType(), metavar=metavar, help=told)


_branch_option = click.option(
    "--branch",
    type=whole(1),
    metavar="REWIND",
    help="What this rewind left, as it was then (mind life rewind --list).",
)


class _ExportOptions(Record):
    """Whose life is written, as of when, without what, and where to."""

    agent: str
    move: bool
    moment: LifePoint | None
    without: tuple[LifePart, ...]
    output: str | None
    branch: int | None = None


@command("export", example="mind life export ava > ava.life")
@click.argument("agent", metavar="AGENT")
@click.option(
    "--move", is_flag=True, help="Let it rest here: it goes on where the file is imported."
)
@_at_option("CYCLE")
@click.option(
    "--without",
    multiple=True,
    type=click.Choice(sorted(get_args(LifePart))),
    help="Leave a part out of a copy; may be repeated.",
)
@_branch_option
@output_option
def export(session: Session, **values: object) -> None:
    """Write all that AGENT lived, remembers, holds true and plans, as one file.

    A person of the store is written so too, as it is, with all of its ticks; as it was at an
    instant, from its fork there (mind life fork --at).

    The file is JSON Lines under gzip, and its last line seals it: mind life verify finds a changed
    bit. It is not encrypted and not signed; pipe it through age, or sign it with ssh-keygen -Y.

    With --move the agent rests in this store from now on, and nothing of it can be changed here;
    the life goes on where the file is imported. As long as it has not come back, the same command
    writes the same file again. Without, the file is a copy, which rests where it is imported.

    Tools are named with their hashes, and are not in the file; files that plans or observers look
    at are not either. Of its MCP servers the values of headers and environment, and what else may
    be a key, stay here, but for variables (${VAR}): where the life goes on, mind agent set --mcp
    gives them again.
    """
    session.prints("a life file")
    options = msgspec.convert(values, _ExportOptions)
    if options.output is None and output.on_terminal("stdout"):
        raise UsageError("a life file is no text; send it to a file (> ava.life) or give --output.")
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.life.verbs import life
    from mindpipe.person.verbs import refusal

    moment = options.moment or NOW
    if moment is not NOW and refusal.is_person(session.store, options.agent):
        raise UsageError(
            f"{options.agent} is a person, written as it is: mind life fork {options.agent} --at "
            "INSTANT --as NAME makes one of that instant, which can be exported."
        )
    if options.move and (since := agents.away_since(session.store, name=options.agent)):
        output.say(f"{options.agent} left at {since}; this is the file with which it went, again.")
    pieces = life.export(
        session.store,
        session.clock,
        agent=options.agent,
        without=options.without,
        move=options.move,
        cycle=moment.of_agent(options.agent),
        branch=options.branch,
    )
    if options.output is None:
        output.write_bytes(pieces)
        output.sync()
    else:
        from mindpipe.io.files import write_whole

        write_whole(input.path_of(options.output), pieces)
    _say_left_out(session, options.agent, there=True)


def _say_left_out(session: Session, agent: str, *, there: bool) -> None:
    """Say which values of its MCP servers an agent's life file does not have, here or not."""
    from mindpipe.agents.mcp_servers import left_out, servers_of
    from mindpipe.agents.verbs import agent as agents

    servers = servers_of(agents.show(session.store, name=agent).tools)
    if there:
        servers = {name: server.bare() for name, server in servers.items()}
    if fields := left_out(servers):
        output.say(
            f"the file does not have what MCP servers keep for themselves ({fields}); "
            f"mind agent set {agent} --mcp FILE gives it again where the life goes on."
        )


@command("import", example="mind life import < ava.life")
@file_argument
def import_(session: Session, file: str) -> None:
    """Take a life up from FILE (or stdin) into this store: all of it, or nothing.

    One that has moved goes on here; in the store that it left it comes in the place of what it left
    there, if the file goes on from that. With the file with which it left it is taken back; no
    store can know whether it lives in another one from that file, too. If so it lives twice, and
    one of them has to leave before the other comes home in its place. A copy of an agent rests: its
    life goes on where it was copied; should that be lost, mind agent set NAME --unset paused lets
    this one go on instead. A person comes also from the lines that mind simulate run printed.

    What others share stays as it is: in a space that is there already, the agent is only let in.
    """
    from mindpipe.life.verbs import life

    if is_lines(file):
        startup.load_arrays()
        from mindpipe.life.verbs import persons

        lived = lived_on_lines(file)
        found = persons.import_(session.store, session.clock, session.chance, lived=lived)
        session.write([found], columns=_PERSON_IMPORTED)
        return
    with input.open_input(file) as stream:
        brought = life.import_(session.store, pieces=pieces(stream), name=input.name_of(file))
    session.write([brought], columns=_IMPORTED)
    _say_left_out(session, brought.agent, there=False)
    _say_where_it_lives(brought)
    if brought.versions:
        _say_versions("written", {name: (one,) for name, one in brought.versions.items()})


def _say_where_it_lives(brought: "LifeImported") -> None:
    """Say what is true of a life that moved, as no store can know of another one."""
    if not brought.moved:
        return
    if brought.rows:
        words = "import this file nowhere else, or it lives twice"
    else:
        words = "it is as it left; where this file was imported meanwhile, let it rest"
    output.say(f"{brought.agent} goes on here: {words}.")


@command("verify", example="mind life verify ava.life")
@file_argument
def verify(session: Session, file: str) -> None:
    """Check the life in FILE (or stdin): seal, chain, windows, beliefs and their quotations.

    Of a belief each quotation is looked up, and its confidence and status are counted again from
    the weights of its evidence at every decision on it. Of a person it is looked whether every row
    is what it says and refers to what is there; mind life replay proves the rest. Lines that mind
    simulate run printed of a person have no seal: what they refer to is looked up, and they are
    lived again up to the first difference.

    No store is needed. What is wrong is printed first, then what was looked at; it ends with 74 if
    anything is. Of redacted messages only their place is proved. Keep the anchor elsewhere: of a
    life that was written anew it is another one. That
    of a person, who has no chain, says nothing.
    """
    from mindpipe.life.verbs import life

    name = input.name_of(file)
    if is_lines(file):
        wrong = _verify_lines(session, file)
    else:
        with input.open_input(file) as stream:
            rules = session.app.knowledge().rules
            check = life.verify(pieces(stream), name=name, rules=rules)
            wrong = session.write(check.wrong(), columns=_WRONG)
        session.write(filter(None, (check.verdict,)), columns=_VERDICT)
    if wrong:
        raise InputOutputError(f"{name}: {wrong} of its rows are not what was written.")


def _verify_lines(session: Session, file: str) -> int:
    """Check what mind simulate run printed of a person; return how much of it is wrong."""
    from mindpipe.life.verbs import persons

    startup.load_arrays()
    check = persons.PersonCheck(lived_on_lines(file))
    wrong = session.write(check.wrong(), columns=_WRONG)
    session.write(filter(None, (check.verdict,)), columns=_PERSON_VERDICT)
    return wrong


class _ForkOptions(Record):
    """Whose life goes on a second time, from when on, under which name, and how it differs."""

    agent: str
    moment: LifePoint | None
    name: str
    model: str | None
    instructions: str | None
    day_micros: int | None
    effects: bool
    without: str | None
    beliefs: tuple[str, ...] = ()


@command("fork", example="mind life fork ava --at 12 --as eva --model anthropic/claude-haiku-4-5")
@click.argument("agent", metavar="AGENT")
@_at_option("CYCLE|INSTANT", ", or a person at this instant")
@click.option(
    "--as",
    "name",
    required=True,
    metavar="NAME",
    help="Its store, NAME.db beside this one (of a server's: here); it keeps its name there.",
)
@model_option
@instructions_option
@day_micros_option
@click.option(
    "--effects", is_flag=True, help="Let its tools have effects unasked, as those of the other do."
)
@click.option(
    "--without",
    metavar="SOURCE|EVENT",
    help="As if nothing had ever come from there; of a person, as if this event had never been.",
)
@click.option(
    "--belief",
    "beliefs",
    multiple=True,
    metavar="ID=VALUE",
    help="As if this observation said VALUE; with ID= as if it were false.  [repeatable]",
)
def fork(session: Session, **values: object) -> None:
    """Make a second life with AGENT's past up to a cycle, in a new store, NAME.db.

    There it has the same name, an inbox of its own and copies of its spaces: nothing that it does
    reaches anybody here. It may spend a dollar a day, or --day-micros. Its tools with effects
    outside do not run, unless there are to be --effects: the same call as in AGENT's life is
    answered as it was there, marked as such, and of any other a person is asked.

    With --without SOURCE (web, mail/*, @jo) the past ends with the last cycle before one took in
    words from there, as what followed from them cannot be told apart; its events are gone, and
    those that others pushed since then wait in the inbox, to be lived with. What was said in spaces
    since (mind ask, mind chat) or given to memory is gone, as its own doings are: say it again
    there. With --belief it holds something else from there on, by your word, as after mind
    observation correct.

    Of a person the past goes up to an instant (--at 2d16:00). With --without EVENT, the id of one,
    it is lived again as if that had never been. What its model said then is said again where it is
    asked the same, to the byte; else its voice is asked, or --model, for a dollar in all or
    --day-micros, and the composed voice speaks when that is spent.

    The two are compared by mind life diff AGENT NAME.db, and seen by mind view AGENT NAME.db.
    """
    from mindpipe.agents.records import AgentChange
    from mindpipe.context.verbs.trust import Revoker
    from mindpipe.core.text import safe_name
    from mindpipe.life.verbs import life
    from mindpipe.person.verbs import refusal

    given = msgspec.convert(values, _ForkOptions)
    folder = session.where.parent if isinstance(session.where, Path) else Path()
    into = folder / f"{safe_name(given.name)}.db"
    if refusal.is_person(session.store, given.agent):
        _fork_person(session, given, into)
        return
    change = AgentChange(
        model=UNSET if given.model is None else given.model,
        instructions=UNSET if given.instructions is None else given.instructions,
        day_micros=life.FORK_DAY_MICROS if given.day_micros is None else given.day_micros,
    )
    revoker = Revoker(session.clock, session.chance, session.rules)
    forked = life.fork(
        session.store,
        session.clock,
        session.chance,
        agent=given.agent,
        cycle=(given.moment or NOW).of_agent(given.agent),
        into=into,
        change=session.app.change_of_agent(change),
        terms=life.ForkTerms(
            effects=given.effects,
            without=None if given.without is None else life.Unheard(given.without, revoker),
            supposed=_supposed(session, given.beliefs),
        ),
    )
    session.write([forked], columns=_FORKED)
    if forked.unsaid:
        output.say(
            f"what others said in spaces since cycle {forked.cycle} is not in it "
            f"({counted(forked.unsaid, 'message')}), as what followed from {given.without} cannot "
            "be told apart; say it again there."
        )
    _say_where(forked.agent, into, forked.day_micros, "a day")


def _supposed(session: Session, beliefs: Sequence[str]) -> "Supposed | None":
    """Return what a fork believes instead; raises UsageError where that is not ID=VALUE."""
    from mindpipe.life.verbs.life import Supposed
    from mindpipe_cli.options import decider

    found: list[tuple[str, str | None]] = []
    for one in beliefs:
        id, equals, value = one.partition("=")
        if not equals:
            raise UsageError(f'"{one}" is no belief; write ID=VALUE (mind observation list).')
        found.append((id, value or None))
    return Supposed(found, decider(None), session.rules) if found else None


def _say_where(name: str, into: Path, micros: int, each: str) -> None:
    """Say which name a second life has, and in which store, as --as is the name of that alone."""
    from mindpipe.spending.verbs import dollars

    output.say(
        f"The second life is {name} with --store {into.name}, and may spend {dollars(micros)} "
        f"{each} (--day-micros)."
    )


def _fork_person(session: Session, given: _ForkOptions, into: Path) -> None:
    """Make a second life of a person."""
    startup.load_arrays()
    from mindpipe.agents.records import AgentChange
    from mindpipe.life.verbs import kept_person, life, persons

    if given.effects or given.beliefs or given.instructions is not None:
        raise UsageError(
            f"{given.agent} is a person: it has no tools, instructions or observations."
        )
    if given.model is not None and given.without is None:
        raise UsageError("--model goes with --without here; mind simulate run --model lives on.")
    without = () if given.without is None else (given.without,)
    lived = kept_person.course(session.store, person=given.agent)
    budget = life.FORK_DAY_MICROS if given.day_micros is None else given.day_micros
    made = persons.PersonFork(
        lived,
        at_us=(given.moment or NOW).of_person(given.agent),
        without=without,
        ask=asking(session, lived.person, model=given.model, budget=budget),
    )
    life.fork(
        session.store,
        session.clock,
        session.chance,
        agent=given.agent,
        cycle=None,
        into=into,
        change=AgentChange(day_micros=budget),
        terms=life.ForkTerms(begin=partial(persons.begin_fork, fork=made)),
    )
    forked = persons.forked(made, into=str(into), without=without)
    session.write([forked], columns=_PERSON_FORKED)
    _say_where(given.agent, into, budget, "in all")


@command("rewind", example="mind life rewind ava --to 12")
@click.argument("agent", metavar="AGENT")
@click.option(
    "--to",
    "to",
    metavar="CYCLE",
    help="The cycle at whose end it is again; 0: before the first.  [default: the last but one]",
)
@_branch_option
@click.option("--list", "only_list", is_flag=True, help="Only print the rewinds there were.")
def rewind(
    session: Session, agent: str, to: str | None, branch: int | None, *, only_list: bool
) -> None:
    """Let AGENT go back to how it was when a cycle ended: all of it, or nothing.

    Conversation, inbox, memory, beliefs, plans, goals, notes, window and tickets go back; events
    that came since are not heard again. What people have set of it (model, trust, tools, caps)
    stays, and so does what others have: what it posted in spaces, tasks that it gave out, what its
    tools did, what was spent. The record names each of these effects; they are told by kind and
    place, with --full one by one. What people took back of memory meanwhile stays so (mind memory
    revoke and retract); what an earlier mindpipe took back is remembered again, and named.

    Nothing is lost: --list prints the rewinds, and --branch takes up what one of them left; that is
    a rewind, too. It is also written by mind life export --branch, to be read, or to go on in
    another store (mind life import). Other agents are never changed. A person
    does not go back: mind life fork parts another one from it.
    """
    from mindpipe.context.verbs.trust import Revoker
    from mindpipe.life.verbs import rewind as rewinds
    from mindpipe.person.verbs import refusal

    if refusal.is_person(session.store, agent):
        raise UsageError(
            f"{agent} is a person, whose life only goes on: mind life fork {agent} --at INSTANT "
            "--as NAME makes a second one of that instant, in a store of its own."
        )
    if to is not None and not to.isdecimal():
        raise UsageError(f'"{to}" is no cycle; write its number, 0 for before the first.')
    cycle = None if to is None else int(to)
    if (cycle is not None) + (branch is not None) + only_list > 1:
        raise UsageError("--to, --branch and --list do not go together.")
    if only_list:
        session.write(rewinds.list_(session.store, agent=agent), columns=_REWIND)
        return
    revoker = Revoker(session.clock, session.chance, session.rules)
    done = rewinds.rewind(session.store, revoker, agent=agent, cycle=cycle, branch=branch)
    session.write([done], columns=_REWOUND)
    for words in _effects_of(done.effects, full=session.full):
        output.say(words)
    if done.beliefs:
        words = counted(done.beliefs, "belief")
        output.say(f"went back: {words}; mind consolidate --agent {agent} weighs what is left.")
    if done.revived:
        ids = " ".join(done.revived)
        output.say(f"remembered again, though it had been taken back meanwhile: {ids}")


def _effects_of(effects: "Sequence[LifeEffect]", *, full: bool) -> Iterator[str]:
    """Yield a line for each effect, or for all of one kind at one place."""
    by: dict[tuple[str, str], list[str]] = {}
    for one in effects:
        by.setdefault((one.kind, one.what), []).append(one.id)
    for (kind, what), ids in by.items():
        words = "not heard again" if kind == "event" else "stays"
        if len(ids) > 1 and not full:
            yield f"{words}: {counted(len(ids), kind)} ({what})"
        else:
            yield from (f"{words}: {kind} {id} ({what})" for id in ids)


@command("redact", example="mind life redact ava < secret.txt")
@click.argument("agent", metavar="AGENT")
def redact(session: Session, agent: str) -> None:
    """Take a secret out of all that AGENT lived, for good.

    It is typed without being shown, or is all of stdin but its last line end; it is never an
    argument. [redacted---] of its length stands for it in history, prompts, replies, inbox, memory,
    beliefs, the log of changes and the posts of AGENT's spaces; the file of the store is written
    anew. It cannot be undone. Copies, life files and other agents' lives are not changed; agents
    that have it too are named.

    The redaction is noted in the life: mind life verify says how many messages prove no more than
    their place since then, and mind life replay which operations cannot be compared.
    """
    from mindpipe.life.verbs import redact as redactions

    ask = partial(input.secret, "What is taken out")
    done = redactions.redact(session.store, session.clock, agent=agent, ask=ask)
    session.write([done], columns=_REDACTED)
    for other in done.others:
        output.say(f"{other} has it, too; run mind life redact {other} with it.")


@command("diff", example="mind life diff ava@12 ava --table")
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.option(
    "--at", metavar="CYCLE|INSTANT", help="As both were then, where @ does not say otherwise."
)
def diff(session: Session, first: str, second: str, at: str | None) -> None:
    """Print what differs between two lives, or one life at two moments.

    Each is an agent of this store, a life file (- is stdin) or a store with one life, as of mind
    life fork; NAME@CYCLE or FILE@CYCLE is how it was when that cycle ended. First comes the message
    at which the two part, then what is only in one of them or changed, by kind: settings, goals,
    plans, notes, beliefs, memory, summaries, decisions, tickets, events, cycles, prompts, spend. A
    table says each side in words, and of prompts and spend how many there are, with --full which;
    records have all columns. Nothing printed and status 3: they are the same. A fork at the end of
    the cycle at which it parted is still its origin: what it was made with comes behind that. Files
    need no store.

    Two persons (of the store, of life files, or of lines that mind simulate run printed) differ
    first where they part, then in settings, events, body (where each curve is farthest from the
    other), sleep, episodes, thoughts, memories, identity and relations. NAME@INSTANT is how one
    was then: it lives again up to there, as for a fork, which takes as long.
    """
    from mindpipe.core.errors import NothingToDoError
    from mindpipe.life.words import in_words

    if at is not None:
        first, second = (one if "@" in one else f"{one}@{at}" for one in (first, second))
    with pair(session, first, second) as both:
        is_read = session.shape == "table"
        found = in_words(both.found, full=session.full) if is_read else both.found
        count = session.write(found, columns=_DIFFERENCE)
    if not count:
        raise NothingToDoError(f"{first} and {second} are the same.")


def _say_what_it_left(verdict: "LifeReplayed") -> None:
    """Say how much of a life that was lived again is not proved by that."""
    if verdict.given:
        rows = ", ".join(f"{count:,} {table}" for table, count in verdict.given_rows.items())
        output.say(
            f"{counted(verdict.given, 'change')} beside {verdict.changes:,} that were made again "
            f"came from outside or from people, and stand as they were (rows: {rows})."
        )
    if count := verdict.redacted:
        output.say(f"{counted(count, 'operation')} cannot be compared: redacted since.")
    if versions := verdict.versions:
        _say_versions("lived", versions)


def _say_versions(done: str, versions: "Mapping[str, Sequence[str]]") -> None:
    """Say which versions a life was lived or written with that are others here."""
    named = ", ".join(f"{name} {' and '.join(given)}" for name, given in versions.items())
    output.say(f"it was {done} with other versions than are here: {named}.")


@command("replay", example="mind life replay ava.life")
@click.argument("life", metavar="LIFE")
@click.option(
    "--upto",
    type=MomentType(least=1),
    metavar="CYCLE|INSTANT",
    help="Live it again up to there.  [default: all]",
)
@click.option(
    "--rules",
    type=click.Choice(("recorded", "today")),
    default="recorded",
    show_default=True,
    help="Today: list all that would come out otherwise, each from what was recorded before it.",
)
def replay(session: Session, life: str, upto: LifePoint | None, rules: str) -> None:
    """Live a life again, by this program, from what it heard alone, and hold it against itself.

    LIFE is a life file (- is stdin), an agent of the store, or a store with one life. All that its
    cycles made of it is taken back; then they are lived again: clocks, chance, models, programs and
    prices answer as they did, nothing is sent or run, and every prompt, message and row has to come
    out the same. What came from outside (events, settings, what a person did) is given as it was.

    LIFE may be a person, or the lines that mind simulate run printed of one: it lives again from
    its first state, by what happened to it and what its model said then, and every request to the
    model, thought, memory, state and version of who it is has to come out the same. Lines have no
    requests; there the words are given at their instants.

    The first difference is printed, with status 1, then what was lived again. It begins where
    mindpipe began to keep such a record; what a rewind left is lived again too.

    With --rules today each cycle and consolidation goes on from what was recorded before it, and
    all is listed that would be believed, folded, recalled or asked otherwise now; status 0.
    """
    from mindpipe.life.persons.course import PersonCourse
    from mindpipe.life.verbs import life as lives
    from mindpipe.life.verbs import persons
    from mindpipe.model_access import make_tokens

    moment, goes_on = upto or NOW, rules == "today"
    with contextlib.ExitStack() as held:
        lived = taken(session, life, held)
        if isinstance(lived, PersonCourse):
            startup.load_arrays()
            person = persons.PersonReplay(lived, upto_us=moment.of_person(lived.id))
            different = session.write(person.differences(), columns=_PERSON_DIFFERENCE)
            session.write(filter(None, (person.verdict,)), columns=_PERSON_REPLAYED)
        else:
            if lived is None:
                pieces = lives.export(session.store, session.clock, agent=life)
                lived = lives.opened(pieces, name=life)
            cycle = moment.of_agent(lived.manifest.agent)
            agent = lives.replay(lived, make_tokens=make_tokens, upto=cycle, goes_on=goes_on)
            found, lines = agent.differences(), list[str]()
            if session.shape == "table":
                found = _without_long(found, lines)
            different = session.write(found, columns=_REPLAY_DIFFERENCE)
            for line in lines:
                output.say(line)
            session.write(filter(None, (agent.verdict,)), columns=_REPLAYED)
            if agent.verdict is not None:
                _say_what_it_left(agent.verdict)
    if different and not goes_on:
        raise MindError(f"{life} does not come out as it was lived; the difference is above.")


def _without_long(
    found: "Iterator[ReplayDifference]", lines: list[str]
) -> "Iterator[ReplayDifference]":
    """Yield differences for a table: what is told by a diff of lines is told by these alone."""
    for one in found:
        lines += one.diff
        long = {line.split()[1] for line in one.diff if line.startswith(("--- ", "+++ "))}
        sides = [
            {name: cell for name, cell in side.items() if name not in long}
            if isinstance(side, dict)
            else side
            for side in (one.then, one.now)
        ]
        yield msgspec.structs.replace(one, then=sides[0] or None, now=sides[1] or None)


def asking(session: Session, person: "Person", *, model: str | None, budget: int) -> "Ask":
    """Return what asks a model, else the voice that was then, for so many micro-dollars in all."""
    from mindpipe.core.text import RecordedWords
    from mindpipe.person.voice.speech import Speakers

    voices = voices_of(session, record=None, budget=budget)
    opened: dict[str, Speakers] = {}

    def ask(asked: "VoiceRequest", voice: str) -> "Words":
        name = model or voice
        if name not in opened:
            # Whose model is out of reach is only opened where no reply of it is kept.
            opened[name] = Speakers(voices, model=name)
            opened[name].thinker(person)
        (said,) = opened[name].speak([asked])
        is_other = name != voice and isinstance(said, str) and not isinstance(said, RecordedWords)
        return RecordedWords(str(said), name) if is_other else said

    return ask


COMMAND = group("life", export, import_, verify, replay, fork, rewind, redact, diff)
