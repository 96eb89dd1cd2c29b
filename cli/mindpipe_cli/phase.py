"""What the phases of an iteration have in common: they read lines, and print them as they stand."""

from typing import TYPE_CHECKING

from mindpipe_cli import input, output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mindpipe.agents.records import AgentFile
    from mindpipe.core.records import Record
    from mindpipe.store.engine import EngineStore
    from mindpipe_cli.session import Session


class PhaseRun:
    """One phase of a pipe: what came to it, and where it is played."""

    def __init__(
        self,
        session: "Session",
        name: str,
        *,
        agent: str | None,
        agent_file: str | None,
        file: str | None,
    ) -> None:
        """Read what the phase before printed, from stdin where no file is named.

        Raises:
            BadInputError: every line that is none of this pipe.
            NothingToDoError: nothing came.
        """
        from pathlib import Path

        from mindpipe.agents.settings import read_agent_file
        from mindpipe.core.errors import BadInputError, NothingToDoError
        from mindpipe.engine.phase_lines import PhaseLines
        from mindpipe.engine.phase_store import failure_of
        from mindpipe.io.files import read_whole
        from mindpipe_cli.schema import RECORDS

        self.session, self.name, self.source = session, name, str(agent_file)
        self.document: AgentFile | None = None
        if agent_file is not None:
            self.document = read_agent_file(read_whole(Path(agent_file)), source=agent_file)
        name_of_agent = self.document.agent.name if self.document else str(agent)
        self.lines = PhaseLines(name_of_agent, RECORDS)
        try:
            self._read(file or "-")
        except BadInputError as error:
            # Whoever reads stdout would say else that nothing came.
            self.lines.put(failure_of(error, self.lines, phase=name))
            self._write()
            raise
        if not self.lines:
            raise NothingToDoError("nothing came from the phase before.")

    def _read(self, file: str) -> None:
        """Read every line."""
        from mindpipe.io.lines import IMPORT_BYTES, bounded_lines

        source = input.name_of(file)
        with input.open_input(file, may_be_empty=True) as stream:
            self.lines.read(
                bounded_lines(
                    stream, limit=IMPORT_BYTES, source=source, setting="import.max_bytes"
                ),
                source=source,
            )

    def store(self) -> "EngineStore":
        """Return the store, or one that is filled from the lines, in which no model goes on."""
        from mindpipe.engine.agent_files import ScratchLife
        from mindpipe.person.verbs import refusal

        session = self.session
        if self.document is None:
            # A store that cannot be written to is refused, whatever there is to do.
            with session.store.write(self.lines.agent):
                refusal.require_none(session.store, agent=self.lines.agent)
            return session.store
        life = ScratchLife(session.clock, session.chance, session.tokens)
        life.go_on(self.document, self.source, self.lines, None)
        return life.store

    def play(self, do: "Callable[[], None]", *, looks: bool = False) -> None:
        """Play the phase and print all lines as they stand then, whatever it ends with.

        Where a phase before failed, only one that `looks` back is played, and ends as that one did.

        Raises:
            EarlierPhaseError: a phase before failed.
            MindError: whatever this one ends with.
        """
        from mindpipe.core.errors import EarlierPhaseError, MindError, NothingToDoError
        from mindpipe.engine.phase_store import failure_of
        from mindpipe.engine.records.phases import PhaseFailure

        failed, ended = self.lines.last(PhaseFailure), None
        if failed is not None and failed.phase == self.name:
            # It is tried again.
            self.lines.drop(PhaseFailure)
            failed = None
        try:
            if failed is None or looks:
                do()
        except MindError as error:
            ended = error
        if failed is not None:
            words = f"{failed.phase} failed, so nothing more was done: {failed.error}"
            ended = EarlierPhaseError(words, status=failed.status)
        elif ended is not None and not isinstance(ended, NothingToDoError):
            self.lines.put(failure_of(ended, self.lines, phase=self.name))
        self._write()
        if ended is not None:
            raise ended

    def print_now(self, records: "Iterable[Record]") -> None:
        """Print records as they stand, at once; where stdout is a file, the disk has them then."""
        from mindpipe.core.records import to_json
        from mindpipe.engine.phase_lines import fields_of

        output.write_bytes([b"".join(to_json(fields_of(one)) + b"\n" for one in records)])
        output.sync()

    def _write(self) -> None:
        """Print every line."""
        for line in self.lines.lines():
            output.write_bytes((line, b"\n"))
        output.flush()


def phase_of(
    session: "Session", name: str, agent: str | None, agent_file: str | None, file: str | None
) -> PhaseRun | None:
    """Return the phase that a command is, None where it is none of a pipe.

    Raises:
        UsageError: it is one over a store and over plain files.
    """
    from mindpipe.core.errors import UsageError

    if agent is not None and agent_file is not None:
        raise UsageError("give --agent for a store or --agent-file for plain files, not both.")
    if agent_file is None and (agent is None or file is None):
        return None
    return PhaseRun(session, name, agent=agent, agent_file=agent_file, file=file)
