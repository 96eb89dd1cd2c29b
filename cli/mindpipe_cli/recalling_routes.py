"""What files answer that an index leads to, among what else is recalled."""

from collections.abc import Iterable, Iterator, Sequence

from mindpipe.recall.indexes import telling
from mindpipe.recall.records import Hit, Recalled, RecallQuery
from mindpipe.recall.verbs import answering, searching
from mindpipe_cli import output
from mindpipe_cli.session import Session

Answers = Iterable[searching.Answer | None]


def index_of(session: Session, named: str | None, asked: searching.Asked) -> str | None:
    """Return the index that leads to files, named or configured; None where none may answer."""
    if not telling.wants_files(asked.filters):
        return None
    return named or session.settings.text("recall.index")


def mixed(
    index: str, answers: Answers, questions: Sequence[RecallQuery], *, limit: int, explain: bool
) -> Iterator[tuple[RecallQuery, list[Recalled]]]:
    """Yield what a store and files answer to each question, best first.

    Raises:
        BadInputError: an index is none.
    """
    from mindpipe.wiring.routing import Routing

    routing = Routing(index, tell=lambda words: output.say(f"mind: {words}"))
    for question, answer in zip(questions, answers, strict=True):
        kept = answering.recalled(answer, explain=explain) if answer is not None else []
        files = telling.recalled(routing.answer(question.query, most=limit), explain=explain)
        yield question, telling.mixed(kept, files, most=limit)


def hits(found: Iterable[tuple[RecallQuery, list[Recalled]]]) -> Iterator[list[Hit]]:
    """Yield what was found for each of many questions as hits."""
    for question, answers in found:
        yield [telling.hit_of(one, query=question.id) for one in answers]
