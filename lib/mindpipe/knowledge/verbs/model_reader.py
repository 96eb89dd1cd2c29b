"""The reader that asks a language model, and refuses what the words do not bear out."""

from collections.abc import Callable, Sequence

from mindpipe.core.answers import answer_lines
from mindpipe.core.errors import UnavailableError
from mindpipe.core.models import TextRequest, Write
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, known_attribute
from mindpipe.language import prompts
from mindpipe.language.figures import figure_statements
from mindpipe.language.model import FIGURES, ReadStatement, fault_of, statement_of
from mindpipe.language.named_attributes import KNOWN
from mindpipe.language.records import ENDING, REPLACEMENT, Statement, Utterance

MODEL_VERSION = 3
"""Of the prompt and of what is made of its answer."""


class ModelReader:
    """Reads statements by a model; what it says that the words do not is refused, and told."""

    def __init__(
        self, write: Write, *, model: str, tell: Callable[[str], object], named: Sequence[str] = ()
    ) -> None:
        """Take what asks it, and the attributes that a setting adds, `KIND.SLOT`, as `named`."""
        self._write = write
        self._model = model
        self._tell = tell
        of_table = [one for one in ATTRIBUTES if one not in FIGURES | {REPLACEMENT, ENDING}]
        self._attributes = {
            name: known_attribute(name).told for name in dict.fromkeys((*of_table, *KNOWN, *named))
        }

    @property
    def name(self) -> str:
        """Return its name, its version, and the model that is asked."""
        return f"model/{MODEL_VERSION} {self._model}"

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance; figures are read by rules.

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
                    fault = fault_of(told, one.said, attributes=self._attributes)
                    if not fault:
                        statement = statement_of(told, one.said, reader=self.name)
                        found[one.place].append(statement)
                if fault:
                    self._tell(f"answer line {line.number} is refused: {fault}.")
        return [
            (*dict.fromkeys(read), *figure_statements(one, reader=self.name))
            for one, read in zip(said, found, strict=True)
        ]

    def _answer(self, shown: Sequence[prompts.ShownUtterance]) -> str:
        """Return what the model says of some utterances."""
        listed = {
            name: f"{told} (one of several at a time)" if name.endswith(".*") else told
            for name, told in self._attributes.items()
        }
        system, question = prompts.system_of(listed), prompts.question_of(shown)
        written = self._write(TextRequest(system, question, prompts.ANSWER_TOKENS))
        if fault := written.fault or ("" if "{" in written.text else "its answer has no JSON"):
            raise UnavailableError(
                f"{self._model} reads nothing: {fault}. Nothing was consolidated; run it again, or "
                "read with --reader strict."
            )
        return written.text
