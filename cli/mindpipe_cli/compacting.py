"""Which of two things `mind compact` is: a change of an agent's window, or a filter."""

from collections.abc import Mapping

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe_cli import documents, output
from mindpipe_cli.asked import Asked
from mindpipe_cli.session import Session

Wishes = Mapping[str, str | int | float | bool | None]


def at_once(session: Session, wishes: Wishes) -> None:
    """Fold the window of an agent, or messages that come in."""
    asked = _asked(wishes)
    if asked.agent is None:
        from mindpipe_cli import filtering

        filtering.fold(session, asked)
    else:
        from mindpipe_cli import folding

        folding.at_once(session, asked)


def plan(session: Session, wishes: Wishes) -> None:
    """Show the plan of an agent's window, or of messages that come in."""
    from mindpipe_cli import comparing

    asked = _asked(wishes)
    if asked.agent is None:
        from mindpipe_cli import filtering

        planned = filtering.plan(session, asked)
    else:
        from mindpipe_cli import folding

        planned = folding.plan(session, asked)
    if session.shape == "table":
        comparing.show(session, planned)
    else:
        session.write([planned.plan, *planned.parts, *planned.reasons], columns=_COLUMNS)


_COLUMNS = ("part", "first", "last", "cycle", "tokens")


def _asked(wishes: Wishes) -> Asked:
    """Return the options.

    Raises:
        UsageError: an agent is named beside what is about messages without a store, or there is
            neither an agent nor a message.
    """
    asked = msgspec.convert(wishes, Asked)
    if asked.agent is None and asked.file == "-" and output.on_terminal("stdin"):
        raise UsageError("which agent? Give --agent NAME, or pipe messages in.")
    if asked.agent is not None:
        foreign = {
            "--format": asked.format,
            "--output": asked.output,
            "--repair": asked.repair,
            "FILE": asked.file != "-",
            "stdin": documents.redirected(),
        }
        if given := [name for name, value in foreign.items() if value]:
            raise UsageError(
                f"{given[0]} is about messages that come in; leave it out, or --agent."
            )
    return asked
