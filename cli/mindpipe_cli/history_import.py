"""A file of another program into a history, or into canonical rows where no store is wanted."""

from collections.abc import Mapping

import msgspec

from mindpipe.core.records import Record
from mindpipe.formats.records import ImportOptions
from mindpipe.history.adoption import Foreign, convert, read
from mindpipe_cli import documents, output, telling
from mindpipe_cli.session import Session

Wishes = Mapping[str, str | int | bool | None]
_ROWS = ("seq", "cycle", "turn", "role", "origin", "at", "parts")
_RECEIPT = ("id", "name", "first_cycle", "last_cycle", "first_seq", "last_seq", "duplicate")
NOBODY = "imported"
"""Whose rows are printed where no agent is named."""


class _Import(Record):
    """What the options of an import ask for."""

    agent: str | None
    format: str
    repair: bool
    trust: bool
    file: str


def import_(session: Session, wishes: Wishes) -> None:
    """Write a receipt per conversation, or their rows where no agent is named."""
    wish = msgspec.convert(wishes, _Import)
    found = documents.whole(wish.file)
    nobody = "" if wish.format == "mindpipe" else NOBODY
    options = ImportOptions(
        agent=nobody if wish.agent is None else wish.agent,
        name=found.name,
        at=session.clock.now(),
        repair=wish.repair,
        trust=wish.trust,
    )
    foreign = Foreign(octets=found.octets, format=wish.format, options=options)
    if wish.agent is None:
        _print_rows(session, foreign)
    else:
        _store(session, foreign)


def _store(session: Session, foreign: Foreign) -> None:
    """Take a file into an agent's history."""
    from mindpipe.agents.verbs import show as known_agent
    from mindpipe.history.verbs.import_ import import_ as take
    from mindpipe_cli.progress import progress

    known_agent(session.store, name=foreign.options.agent)
    with progress(f"importing {foreign.options.name}") as advance:
        receipts = take(
            session.store, session.clock, session.tokens, foreign=foreign, advance=advance
        )
    session.write(receipts, columns=_RECEIPT)
    for receipt in receipts:
        telling.changes(foreign.options.name, receipt.repairs, receipt.left_out)
        if receipt.repeats is not None:
            output.say(
                f"{foreign.options.name}: begins with all of import {receipt.repeats}, "
                "which is now in the history twice"
            )


def _print_rows(session: Session, foreign: Foreign) -> None:
    """Print the rows of a file's conversations."""
    conversations = read(foreign)
    session.write(convert(foreign, documents=conversations), columns=_ROWS)
    for one in conversations:
        telling.changes(foreign.options.name, one.repairs, one.left_out)
