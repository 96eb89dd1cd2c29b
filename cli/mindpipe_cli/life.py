"""`mind life`: one life as one file."""

import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, get_args

import click
import msgspec
from msgspec import UNSET

from mindpipe.core.errors import InputOutputError, MindError, UsageError
from mindpipe.core.records import Record
from mindpipe.life.records import LifePart
from mindpipe_cli import input, output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    day_micros_option,
    file_argument,
    instructions_option,
    model_option,
    output_option,
    whole,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.life.differences import Picture

_IMPORTED = ("agent", "moved", "cycles", "messages", "rows", "spaces", "tasks")
_VERDICT = ("agent", "moved", "cycles", "messages", "windows", "beliefs", "quotes", "wrong")
_FORKED = ("agent", "store", "cycle", "messages", "day_micros", "asks_first")
_REWOUND = ("agent", "rewind", "cycle", "left_cycles", "messages", "micros")
_REWIND = ("number", "at", "cycle")
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
_PIECE = 1 << 20
_at_option = click.option(
    "--at",
    "cycle",
    type=whole(1),
    metavar="CYCLE",
    help="As it was when this cycle ended.  [default: as it is]",
)


class _ExportOptions(Record):
    """Whose life is written, as of when, without what, and where to."""

    agent: str
    move: bool
    cycle: int | None
    without: tuple[LifePart, ...]
    output: str | None


@command("export", example="mind life export ava > ava.life")
@click.argument("agent", metavar="AGENT")
@click.option(
    "--move", is_flag=True, help="Let it rest here: it goes on where the file is imported."
)
@_at_option
@click.option(
    "--without",
    multiple=True,
    type=click.Choice(sorted(get_args(LifePart))),
    help="Leave out a part of it; may be repeated.",
)
@output_option
def export(session: Session, **values: str | int | bool | tuple[str, ...] | None) -> None:
    """Write all that AGENT lived, remembers, holds true and plans, as one file.

    The file is JSON Lines under gzip, and its last line seals it: mind life verify finds a changed
    bit. It is not encrypted and not signed; pipe it through age, or sign it with ssh-keygen -Y.

    With --move the agent rests in this store from now on, and nothing of it can be changed here;
    the life goes on where the file is imported. As long as it has not come back, the same command
    writes the same file again. Without, the file is a copy, which rests where it is imported.

    Tools are named with their hashes, and are not in the file; files that plans or observers look
    at are not either.
    """
    session.prints("a life file")
    options = msgspec.convert(values, _ExportOptions)
    if options.output is None and output.on_terminal("stdout"):
        raise UsageError("a life file is no text; send it to a file (> ava.life) or give --output.")
    from mindpipe.life.verbs import life

    pieces = life.export(
        session.store,
        session.clock,
        agent=options.agent,
        without=options.without,
        move=options.move,
        cycle=options.cycle,
    )
    if options.output is None:
        output.write_bytes(pieces)
        output.sync()
    else:
        from mindpipe.io.files import write_whole

        write_whole(input.path_of(options.output), pieces)


@command("import", example="mind life import < ava.life")
@file_argument
def import_(session: Session, file: str) -> None:
    """Take a life up from FILE (or stdin) into this store: all of it, or nothing.

    One that has moved goes on here. A copy of an agent rests: its life goes on where it was copied;
    should that be lost, mind agent set NAME --unset paused lets this one go on instead.

    What others share stays as it is: in a space that is there already, the agent is only let in.
    """
    from mindpipe.life.verbs import life

    with input.open_input(file) as stream:
        brought = life.import_(session.store, pieces=_pieces(stream), name=input.name_of(file))
    session.write([brought], columns=_IMPORTED)


@command("verify", example="mind life verify ava.life")
@file_argument
def verify(session: Session, file: str) -> None:
    """Check the life in FILE (or stdin): seal, chain, windows, beliefs and their quotations.

    No store is needed. What is wrong is printed first, then what was looked at; it ends with 74 if
    anything is. Keep the anchor elsewhere: of a life that was written anew it is another one.
    """
    from mindpipe.life.verbs import life

    with input.open_input(file) as stream:
        name = input.name_of(file)
        rules = session.app.knowledge().rules
        check = life.verify(_pieces(stream), name=name, rules=rules)
        wrong = session.write(check.wrong(), columns=_WRONG)
    session.write(filter(None, (check.verdict,)), columns=_VERDICT)
    if wrong:
        raise InputOutputError(f"{name}: {wrong} of its rows are not what was written.")


class _ForkOptions(Record):
    """Whose life goes on a second time, from when on, under which name, and how it differs."""

    agent: str
    cycle: int | None
    name: str
    model: str | None
    instructions: str | None
    day_micros: int | None
    effects: bool
    without: str | None


@command("fork", example="mind life fork ava --at 12 --as eva --model anthropic/claude-haiku-4-5")
@click.argument("agent", metavar="AGENT")
@_at_option
@click.option(
    "--as", "name", required=True, metavar="NAME", help="Its store: NAME.db beside this one."
)
@model_option
@instructions_option
@day_micros_option
@click.option(
    "--effects", is_flag=True, help="Let its tools have effects unasked, as those of the other do."
)
@click.option(
    "--without",
    metavar="SOURCE",
    help="As if nothing had ever come from there; ends where it was first heard.",
)
def fork(session: Session, **values: str | int | bool | None) -> None:
    """Make a second life with AGENT's past up to a cycle, in a new store, NAME.db.

    There it has the same name, an inbox of its own and copies of its spaces: nothing that it does
    reaches anybody here. It may spend a dollar a day, or --day-micros, and asks a person before a
    tool that has effects outside, unless there are to be --effects.

    With --without SOURCE (web, mail/*, @jo) the past ends with the last cycle before one took in
    words from there, as what followed from them cannot be told apart; its events are gone.

    The two are compared by mind life export AGENT --store NAME.db | mind life diff AGENT -.
    """
    from mindpipe.agents.records import AgentChange
    from mindpipe.context.verbs.trust import Revoker
    from mindpipe.core.text import safe_name
    from mindpipe.life.verbs import life

    given = msgspec.convert(values, _ForkOptions)
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
        cycle=given.cycle,
        into=session.store_path.with_name(f"{safe_name(given.name)}.db"),
        change=session.app.change_of_agent(change),
        terms=life.ForkTerms(
            effects=given.effects,
            without=None if given.without is None else life.Unheard(given.without, revoker),
        ),
    )
    session.write([forked], columns=_FORKED)


@command("rewind", example="mind life rewind ava --to 12")
@click.argument("agent", metavar="AGENT")
@click.option(
    "--to",
    "cycle",
    type=whole(0),
    metavar="CYCLE",
    help="The cycle at whose end it is again; 0: before the first.  [default: the last but one]",
)
@click.option(
    "--branch",
    type=whole(1),
    metavar="REWIND",
    help="Take up again what this rewind left, which is the last one, as it was then.",
)
@click.option("--list", "only_list", is_flag=True, help="Only print the rewinds there were.")
def rewind(
    session: Session, agent: str, cycle: int | None, branch: int | None, *, only_list: bool
) -> None:
    """Let AGENT go back to how it was when a cycle ended: all of it, or nothing.

    Conversation, inbox, memory, beliefs, plans, goals, notes, window and tickets go back; events
    that came since are not heard again. What people have set of it (model, trust, tools, caps)
    stays, and so does what others have: what it posted in spaces, tasks that it gave out, what its
    tools did, what was spent. The record names these effects, and each is told.

    Nothing is lost: --list prints the rewinds, and --branch takes up what the last of them left;
    that is a rewind, too. Other agents are never changed.
    """
    from mindpipe.life.verbs import rewind as rewinds

    if (cycle is not None) + (branch is not None) + only_list > 1:
        raise UsageError("--to, --branch and --list do not go together.")
    if only_list:
        session.write(rewinds.list_(session.store, agent=agent), columns=_REWIND)
        return
    done = rewinds.rewind(session.store, session.clock, agent=agent, cycle=cycle, branch=branch)
    session.write([done], columns=_REWOUND)
    for one in done.effects:
        words = "not heard again" if one.kind == "event" else "stays"
        output.say(f"{words}: {one.kind} {one.id} ({one.what})")


@command("diff", example="mind life diff ava@12 ava --table")
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
def diff(session: Session, first: str, second: str) -> None:
    """Print what differs between two lives, or one life at two moments.

    Each is an agent of this store or a life file (- is stdin); NAME@CYCLE or FILE@CYCLE is how it
    was when that cycle ended. First comes the message at which the two part, then what is only in
    one of them or changed, by kind: settings, goals, plans, notes, beliefs, memory, summaries,
    decisions, tickets, events, cycles, spend. Nothing printed and status 3: they are the same.
    """
    from mindpipe.core.errors import NothingToDoError
    from mindpipe.life.verbs import life

    one, other = _picture(session, first), _picture(session, second)
    if not session.write(life.diff(one, other), columns=_DIFFERENCE):
        raise NothingToDoError(f"{first} and {second} are the same.")


@command("replay", example="mind life replay ava.life")
@click.argument("life", metavar="LIFE")
@click.option(
    "--upto", type=whole(1), metavar="CYCLE", help="Live it again up to this cycle.  [default: all]"
)
@click.option(
    "--rules",
    type=click.Choice(("recorded", "today")),
    default="recorded",
    show_default=True,
    help="Today: list all that would come out otherwise, each from what was recorded before it.",
)
def replay(session: Session, life: str, upto: int | None, rules: str) -> None:
    """Live a life again, by this program, from what it heard alone, and hold it against itself.

    LIFE is a life file (- is stdin) or an agent of the store. All that its cycles made of it is
    taken back; then they are lived again: clocks, chance, models, programs and prices answer as
    they did, nothing is sent or run, and every prompt, message and row has to come out the same.
    What came from outside (events, settings, what a person did) is given as it was.

    The first difference is printed, with status 1, then what was lived again. It begins where
    mindpipe began to keep such a record; what a rewind left is lived again too.

    With --rules today each cycle and consolidation goes on from what was recorded before it, and
    all is listed that would be believed, folded, recalled or asked otherwise now; status 0.
    """
    from mindpipe.life.verbs import life as lives
    from mindpipe.model_access import make_tokens

    with contextlib.ExitStack() as opened:
        if _is_file(life):
            pieces = _pieces(opened.enter_context(input.open_input(life)))
            name = input.name_of(life)
        else:
            pieces, name = lives.export(session.store, session.clock, agent=life), life
        goes_on = rules == "today"
        again = lives.replay(pieces, name=name, make_tokens=make_tokens, upto=upto, goes_on=goes_on)
        different = session.write(again.differences(), columns=_REPLAY_DIFFERENCE)
    session.write(filter(None, (again.verdict,)), columns=_REPLAYED)
    if different and not goes_on:
        raise MindError(f"{name} does not come out as it was lived; the difference is above.")


def _picture(session: Session, given: str) -> "Picture":
    """Return what is compared of an agent of the store, or of a file."""
    from mindpipe.life.verbs import life

    name, at, cycle = given.rpartition("@")
    if not (at and cycle.isdecimal()):
        name, cycle = given, ""
    moment = int(cycle) if cycle else None
    if _is_file(name):
        with input.open_input(name) as stream:
            shown = input.name_of(name)
            return life.picture_of_file(_pieces(stream), name=shown, cycle=moment)
    return life.picture(session.store, agent=name, cycle=moment)


def _is_file(life: str) -> bool:
    """Tell whether a life file is meant, and no agent of the store."""
    return life == "-" or Path(life).is_file()


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    return iter(partial(stream.read, _PIECE), b"")


COMMAND = group("life", export, import_, verify, replay, fork, rewind, diff)
