"""Push events as a command's options ask: from lines, text or a stream, to a store or a file."""

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from mindpipe.core.bad_lines import AllOrNothing, BadLines
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.events import EventType, Priority
from mindpipe.core.instants import normal_instant
from mindpipe.core.names import safe_name
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.strict_json import MAX_KEY_BYTES
from mindpipe.core.text import one_line
from mindpipe.inbox.filing import Filing, LineRules, anybody
from mindpipe.inbox.lines import check, check_text
from mindpipe.inbox.piece import Piece, packed, unpacked
from mindpipe.inbox.receipts import read_receipts
from mindpipe.inbox.records import Given
from mindpipe.inbox.verbs.push import push as push_lines
from mindpipe.inbox.wire import MAX_WORD, Unknown, nobody
from mindpipe.stream.blocks import line_blocks
from mindpipe.stream.spool import Spool
from mindpipe.wiring.inboxes import bounds_of
from mindpipe_cli import documents, output
from mindpipe_cli.input import NO_INPUT, name_of
from mindpipe_cli.rejecting import rejects_of
from mindpipe_cli.session import Session

COLUMNS = ("id", "key", "duplicate", "lowered")
Found = tuple[int, bytes] | Piece | Problem
_SETTING = "inbox.max_bytes"


class Wish(Record):
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
    output: str | None = None
    on_error: str = "stop"
    rejects: str | None = None
    strict: bool = False
    stream: bool = False


def push(session: Session, wish: Wish) -> None:
    """Push what the wish names and print the receipts after the commit."""
    if wish.level is not None and (wish.type, wish.priority) != (None, None):
        raise UsageError("--level says type and priority already; leave out --type and --priority.")
    if wish.file != "-" and not Path(wish.file).exists():
        raise UsageError(f'there is no file {wish.file}; to push words, say --text "{wish.file}".')
    if wish.text is not None and wish.agent is None and wish.output is None:
        raise UsageError("name whose inbox: --agent NAME.")
    pushed = 0
    with _bad_lines(wish) as bad_lines:
        rules = _rules(session, wish)
        filing = Filing(
            bounds=rules.bounds,
            known=anybody if wish.output else _known_in(session),
            bad_lines=bad_lines,
            source=rules.source,
        )
        for group in _groups(wish, rules):
            with Spool() as spool:
                pushed += _check_group(group, rules, bad_lines, spool)
                _push_group(session, wish, filing, spool)
    rejected = int(getattr(bad_lines, "count", 0))
    if rejected:
        output.say(f"rejected: {rejected}; see {wish.rejects}.")
    elif not pushed:
        raise NothingToDoError(NO_INPUT)


@contextlib.contextmanager
def _bad_lines(wish: Wish) -> Iterator[BadLines]:
    """Give what becomes of bad lines."""
    with rejects_of(wish.on_error, wish.rejects) as rejects:
        yield AllOrNothing() if rejects is None else rejects


def _rules(session: Session, wish: Wish) -> LineRules:
    """Return what the lines are held to."""
    bounds = bounds_of(session.settings)
    if (most := wish.max_open) is not None:
        bounds = msgspec.structs.replace(bounds, max_open=most, max_open_per_source=most)
    return LineRules(
        source="--text" if wish.text is not None else name_of(wish.file),
        given=_given(wish),
        bounds=bounds,
        agent_needed=wish.output is None,
        strict=wish.strict,
        unknown=nobody if wish.output else _unknown_in(session),
    )


def _given(wish: Wish) -> Given:
    """Return what holds for lines that do not say it themselves."""
    return Given(
        agent=wish.agent and safe_name(wish.agent),
        type=wish.type or ("service" if wish.level is None else "interrupt"),
        source=_word(wish.source, "--source") or "operator",
        key=_word(wish.key, "--key"),
        priority=next((n for n in (wish.level, wish.priority) if n is not None), Priority.NORMAL),
        due=wish.due and normal_instant(wish.due),
        space=_word(wish.space, "--space"),
        sender=_word(wish.sender, "--sender"),
    )


def _known_in(session: Session) -> Callable[[str], None]:
    """Return what raises UsageError for an agent that is not in the store."""

    def known(agent: str) -> None:
        from mindpipe.agents import verbs as agents

        agents.show(session.store, name=agent)

    return known


def _unknown_in(session: Session) -> Unknown:
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
    word = one_line(text, field=option, limit=MAX_WORD)
    if len(word.encode()) > MAX_KEY_BYTES:
        raise UsageError(f"{option} is longer than {MAX_KEY_BYTES} bytes; shorten it.")
    return word


def _groups(wish: Wish, rules: LineRules) -> Iterator[Iterable[Found]]:
    """Yield what is pushed together: everything, or under --stream what comes within 50 ms."""
    limit = rules.bounds.max_bytes
    if wish.text is not None:
        yield [check_text(_text_of(wish.text), rules)]
    elif wish.stream:
        from mindpipe.stream.groups import line_groups

        with documents.opened(wish.file) as stream:
            yield from line_groups(
                stream.fileno(), limit=limit, source=rules.source, setting=_SETTING
            )
    else:
        with documents.opened(wish.file) as stream:
            yield line_blocks(stream, limit=limit, source=rules.source, setting=_SETTING)


def _text_of(text: str) -> bytes:
    """Return the words of --text, or those on stdin for `-`."""
    if text == "-":
        return documents.whole("-").octets.removesuffix(b"\n")
    if not text.strip():
        raise UsageError("--text is empty; give it some words.")
    return os.fsencode(text)


def _check_group(
    group: Iterable[Found], rules: LineRules, bad_lines: BadLines, spool: Spool
) -> int:
    """Read and check a group to its end, and return how many sound lines the spool now has."""
    count = 0
    for found in group:
        if isinstance(found, Problem):
            bad_lines.refuse([found], b"")
            continue
        piece = found if isinstance(found, Piece) else check(*found, rules, bad_lines)
        if piece is not None:
            spool.add(packed(piece))
            count += piece.count
    bad_lines.settle()
    return count


def _push_group(session: Session, wish: Wish, filing: Filing, spool: Spool) -> None:
    """Push one group and print its receipts after the commit."""
    if not len(spool):
        return
    clock, chance, pieces = session.clock, session.chance, map(unpacked, spool.pieces())
    with Spool() as receipts:
        keep = receipts.add
        if wish.output is None:
            push_lines(session.store, clock, chance, pieces=pieces, filing=filing, keep=keep)
        else:
            from mindpipe.inbox.verbs.push_file import push_file
            from mindpipe.stream.files import locked_append

            with locked_append(Path(wish.output)) as file:
                push_file(file, clock, chance, pieces=pieces, filing=filing, keep=keep)
        _print(session, receipts)


def _print(session: Session, receipts: Spool) -> None:
    """Print receipts, as they are where records are wanted."""
    if session.shape == "json":
        output.write_bytes(receipts.pieces())
    else:
        made = (receipt for piece in receipts.pieces() for receipt in read_receipts(piece))
        session.write(made, columns=COLUMNS)
    output.flush()
