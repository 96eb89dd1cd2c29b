"""What finds items in what was said: rules, and a model that labels them and finds more."""

from collections.abc import Sequence

import msgspec

from mindpipe.core.errors import UnavailableError
from mindpipe.core.lines import BadLines
from mindpipe.core.models import TextRequest, Write
from mindpipe.language.records import StatementReader
from mindpipe.language.strict import STRICT
from mindpipe.memory import prompts
from mindpipe.memory.extraction.finder import Finder
from mindpipe.memory.extraction.records import FindItems, SpeakerWords
from mindpipe.memory.records import Item
from mindpipe.memory.settle import holder_of


def by_rules(reader: StatementReader = STRICT) -> FindItems:
    """Return what finds items by a reader; what it was given before makes words recur."""
    finder = Finder(reader)
    return lambda pieces: [item for said in pieces for item in finder.items_in(said)]


def with_model(write: Write, *, bad_lines: BadLines, reader: StatementReader = STRICT) -> FindItems:
    """Return what finds items by what a reader reads, and asks a model for more.

    What it says of words that stand in an item labels that item; of others it makes one more. A
    line of its answer whose quote is not in the log goes to `bad_lines`. It raises UnavailableError
    where the model cannot be asked.
    """
    rules = by_rules(reader)

    def look(pieces: Sequence[SpeakerWords]) -> list[Item]:
        found = rules(pieces)
        for number, batch in enumerate(prompts.batches(pieces), 1):
            asked = TextRequest(prompts.SYSTEM, prompts.question_of(batch), prompts.ANSWER_TOKENS)
            written = write(asked)
            if written.fault:
                raise UnavailableError(f"no items were asked for: {written.fault}.")
            for one in prompts.items_of(written.text, batch, source=f"answer {number}"):
                if isinstance(one, prompts.RefusedItem):
                    bad_lines.refuse(one.problems, one.line.encode())
                elif (held := holder_of(one, found)) is not None:
                    found[held] = _labelled(found[held], one)
                else:
                    found.append(one)
        bad_lines.settle()
        return found

    return look


def _labelled(item: Item, model: Item) -> Item:
    """Return an item with what a model said of its words.

    It stands then under the words of all that the model read, as what the model finds itself does.
    """
    return msgspec.structs.replace(
        item,
        kind=item.kind if item.tags else model.kind,
        tags=tuple(dict.fromkeys((*item.tags, *model.tags))),
        subject=item.subject or model.subject,
        significance=max(item.significance, model.significance),
        sources=model.sources,
        trusted=model.trusted,
        vouched=model.vouched,
    )
