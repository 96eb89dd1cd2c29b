"""Who reads for an agent: the reader that is set, or what `auto` came to when it was first used."""

from collections.abc import Callable, Sequence

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.answers import answer_lines
from mindpipe.core.errors import UnavailableError
from mindpipe.core.models import TextRequest, Write
from mindpipe.core.ports import Store
from mindpipe.knowledge.claims.attributes import ATTRIBUTES
from mindpipe.language import prompts
from mindpipe.language.model import ReadStatement, fault_of, statement_of
from mindpipe.language.readers import AUTO, best_reader, reader_of
from mindpipe.language.records import Statement, StatementReader, Utterance

MODEL_VERSION = 1
"""Of the prompt and of what is made of its answer."""


def reader_for(
    store: Store, *, agent: str, wanted: str, asked_for: bool = False
) -> StatementReader:
    """Return who reads for an agent by the name of a reader.

    What `auto` comes to is kept with the agent and holds from then on, whatever is installed later,
    until it is `asked_for` anew, or another reader has been set meanwhile. Another that is only
    asked for leaves it.

    Raises:
        UnavailableError: the reader is not installed, or no longer.
        UsageError: there is no such agent, or no such reader.
    """
    kept = agents.show(store, name=agent).reader
    if wanted != AUTO:
        if kept is not None and not asked_for:
            agents.set_(store, name=agent, change=AgentChange(reader=None))
        return reader_of(wanted)
    if kept is None or asked_for:
        best = best_reader()
        agents.set_(store, name=agent, change=AgentChange(reader=best))
        return reader_of(best)
    try:
        return reader_of(kept)
    except UnavailableError as error:
        raise UnavailableError(
            f"{agent} is read with {kept}, which auto came to first and which is not installed "
            f"now; install it, or choose again: mind consolidate --agent {agent} --reader auto."
        ) from error


class ModelReader:
    """Reads statements by a model; what it says that the words do not is refused, and told."""

    def __init__(self, write: Write, *, model: str, tell: Callable[[str], object]) -> None:
        self._write = write
        self._model = model
        self._tell = tell
        self._attributes = {name: attribute.told for name, attribute in ATTRIBUTES.items()}

    @property
    def name(self) -> str:
        """Return its name, its version, and the model that is asked."""
        return f"model/{MODEL_VERSION} {self._model}"

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance.

        Raises:
            UnavailableError: the model cannot be asked, or answers with no JSON at all.
        """
        found: list[list[Statement]] = [[] for _ in said]
        for shown in prompts.batches(said):
            for line in answer_lines(self._answer(shown), ReadStatement):
                told = line.record
                if told is None:
                    fault = line.why
                elif not 1 <= told.said <= len(shown):
                    fault = f"$.said: {told.said} was not shown"
                else:
                    one = shown[told.said - 1]
                    fault = fault_of(told, one.said.text, attributes=self._attributes)
                    if not fault:
                        statement = statement_of(told, one.said, reader=self.name)
                        found[one.place].append(statement)
                if fault:
                    self._tell(f"answer line {line.number} is refused: {fault}.")
        return [tuple(dict.fromkeys(one)) for one in found]

    def _answer(self, shown: Sequence[prompts.ShownUtterance]) -> str:
        """Return what the model says of some utterances."""
        system, question = prompts.system_of(self._attributes), prompts.question_of(shown)
        written = self._write(TextRequest(system, question, prompts.ANSWER_TOKENS))
        if fault := written.fault or ("" if "{" in written.text else "its answer has no JSON"):
            raise UnavailableError(
                f"{self._model} reads nothing: {fault}. Nothing was consolidated; run it again, or "
                "read with --reader strict."
            )
        return written.text
