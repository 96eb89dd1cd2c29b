"""What the phases of an iteration have in common: they read lines, and print them as they stand."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from mindpipe_cli import input, output

if TYPE_CHECKING:
    from mindpipe.agents.records import AgentFile
    from mindpipe.engine.agent_files import ScratchLife
    from mindpipe.engine.phase_lines import PhaseLines
    from mindpipe.store.sqlite import SqliteStore
    from mindpipe_cli.session import Session


class PhaseInput(NamedTuple):
    """What came to a phase, and whose it is where there is no store: a document and its file."""

    lines: "PhaseLines"
    document: "AgentFile | None"
    source: str


class PhasePlace(NamedTuple):
    """Where a phase is played: in the store, or in one that was filled from the lines."""

    store: "SqliteStore"
    life: "ScratchLife | None" = None


def is_phase(agent: str | None, agent_file: str | None, file: str | None) -> bool:
    """Tell whether a command is one of a pipe of phases.

    Raises:
        UsageError: it is, over a store and over plain files.
    """
    from mindpipe.core.errors import UsageError

    if agent is not None and agent_file is not None:
        raise UsageError("give --agent for a store or --agent-file for plain files, not both.")
    return agent_file is not None or (agent is not None and file is not None)


def read(agent: str | None, agent_file: str | None, file: str | None) -> PhaseInput:
    """Read what the phase before printed, from stdin where no file is named.

    Raises:
        BadInputError: every line that is none of this pipe.
        NothingToDoError: nothing came.
    """
    from pathlib import Path

    from mindpipe.agents.settings import read_agent_file
    from mindpipe.core.errors import NothingToDoError
    from mindpipe.engine.phase_lines import PhaseLines
    from mindpipe.io.files import read_whole
    from mindpipe.io.lines import IMPORT_BYTES, bounded_lines

    document = None
    if agent_file is not None:
        document = read_agent_file(read_whole(Path(agent_file)), source=agent_file)
    lines = PhaseLines(document.agent.name if document else str(agent))
    source, name = file or "-", input.name_of(file or "-")
    with input.open_input(source) as stream:
        found = bounded_lines(stream, limit=IMPORT_BYTES, source=name, setting="import.max_bytes")
        lines.read(found, source=name)
    if not lines:
        raise NothingToDoError("nothing came from the phase before.")
    return PhaseInput(lines, document, str(agent_file))


def place_of(session: "Session", given: PhaseInput) -> PhasePlace:
    """Return the store, or one that was filled from the lines, in which no model goes on."""
    from mindpipe.engine.agent_files import ScratchLife
    from mindpipe.person.verbs import refusal

    if given.document is None:
        # A store that cannot be written to is refused, whatever there is to do.
        with session.store.write():
            refusal.require_none(session.store, agent=given.lines.agent)
        return PhasePlace(session.store)
    life = ScratchLife(session.clock, session.chance, session.tokens)
    life.go_on(given.document, given.source, given.lines, None)
    return PhasePlace(life.store, life)


def run(
    phase: str,
    place: PhasePlace,
    lines: "PhaseLines",
    do: Callable[[], object],
    *,
    looks: bool = False,
) -> None:
    """Play a phase and print all lines as they stand then, whatever it ended with.

    Where a phase before failed, only what `looks` back is played, and ends with the same status.

    Raises:
        EarlierPhaseError: a phase before failed.
        MindError: whatever this one ends with.
    """
    from mindpipe.core.errors import EarlierPhaseError, MindError, NothingToDoError
    from mindpipe.engine import phase_store
    from mindpipe.engine.records.phases import PhaseFailure

    failed = lines.last(PhaseFailure)
    try:
        if failed is None or looks:
            with phase_store.running(place.store, lines, phase=phase):
                do()
    except NothingToDoError:
        _write(lines)
        if failed is None:
            raise
    except MindError:
        _write(lines)
        raise
    else:
        _write(lines)
    if failed is not None:
        words = f"{failed.phase} failed, so nothing more was done: {failed.error}"
        raise EarlierPhaseError(words, status=failed.status)


def _write(lines: "PhaseLines") -> None:
    """Print every line."""
    for line in lines.lines():
        output.write_bytes((line, b"\n"))
    output.flush()
