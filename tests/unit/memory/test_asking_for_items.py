"""What a model is shown of a log, and which lines of its answer are taken."""

from mindpipe.memory import prompts
from mindpipe.memory.extraction.records import SpeakerWords
from mindpipe.memory.records import Item, Origin, QuotedSpan
from mindpipe.memory.settle import holder_of, holds, place_of
from support.tables import each_row

AT = "2023-05-08T13:56:00Z"
LOG = 'INBOX (1 event):\n[f] eva (human): "We met \\"Bo\\" in Oslo."'
START = LOG.index("We met")
TEXT = 'We met "Bo" in Oslo.'
# One place for each character of the text: a quotation mark has two characters in the log.
PLACES = (*range(START, START + 8), *range(START + 9, START + 11), *range(START + 12, len(LOG)))


def said(text: str, *, id: str = "m_1", origin: Origin = "human") -> SpeakerWords:
    return SpeakerWords(message=id, text=text, at=AT, speaker="eva", origin=origin)


def test_a_prompt_numbers_what_was_said_and_quotes_every_line() -> None:
    shown = prompts.question_of([said("One.\nTwo."), said("Three.")])
    assert shown == f"> [1] eva, {AT}: One.\n> Two.\n> [2] eva, {AT}: Three."


def test_what_is_no_evidence_is_not_shown_and_no_prompt_shows_too_much() -> None:
    long = "word " * (prompts.CHARACTERS // 10)
    pieces = [said(long), said(long), said("x", origin="agent"), said("y", origin="recalled")]
    assert [len(batch) for batch in prompts.batches([*pieces, said(long)])] == [2, 1]
    many = [said("Hello.")] * (prompts.PIECES + 1)
    assert [len(batch) for batch in prompts.batches(many)] == [prompts.PIECES, 1]


def test_an_answer_gives_items_that_quote_the_log() -> None:
    piece = SpeakerWords(message="m_1", text=TEXT, at=AT, log=LOG, places=PLACES, sources=("web",))
    answer = (
        '{"piece":1,"quote":"We met \\"Bo\\"","kind":"episodic","tags":["event"],'
        '"subject":"Bo","significance":7}'
    )
    (item,) = prompts.items_of(answer, [piece], source="answer")
    assert isinstance(item, Item)
    assert (item.text, item.kind, item.subject, item.significance) == (
        'We met "Bo"', "episodic", "Bo", 7.0,
    )  # fmt: skip
    assert item.span is not None
    assert item.span.quote == 'We met \\"Bo\\"'
    assert holds(item.span, LOG)
    assert item.sources == ("web",)


REFUSED = (
    ('{"piece":1,"quote":"We meet Bo"}', "$.quote: is not in the log word for word"),
    ('{"piece":1,"quote":" "}', "$.quote: is not in the log word for word"),
    ('{"piece":2,"quote":"We met"}', "$.quote: is not in the log word for word"),
    ('{"piece":1}', "$.quote: missing"),
    ('{"piece":1,"quote":"We met","kind":"rumour"}', "$.kind: "),
    ('{"piece":1,"quote":"We met","significance":11}', "$.significance: "),
    ("We met Bo.", ": not JSON"),
)


@each_row(("line", "words"), REFUSED)
def test_a_line_that_misquotes_or_is_no_record_is_refused_and_the_next_is_read(
    line: str, words: str
) -> None:
    answer = f'```json\n{line}\n{{"piece":1,"quote":"We met"}}\n{{}}\n```'
    refused, item = prompts.items_of(answer, [said(TEXT)], source="answer")
    assert isinstance(refused, prompts.RefusedItem)
    assert refused.line == line
    problem = refused.problems[0]
    assert (problem.source, problem.line) == ("answer", 2)
    assert f"{problem.field or ''}: {problem.message}".startswith(words)
    assert isinstance(item, Item)


def test_a_quote_has_its_place_and_blanks_have_none() -> None:
    assert place_of("met", TEXT) == (3, 6)
    assert place_of("Met", TEXT) is None
    assert place_of("", TEXT) is None


SPANS = ((0, 6, False), (3, 9, False), (6, 9, True), (7, 8, True), (6, 10, False))


@each_row(("start", "end", "held"), SPANS)
def test_an_item_holds_what_stands_within_its_words(start: int, end: int, held: bool) -> None:  # noqa: FBT001 - a table's column
    def item(first: int, after: int, message: str = "m_1") -> Item:
        span = QuotedSpan(message=message, start=first, end=after, quote="x" * (after - first))
        return Item(id="i", text="x", at=AT, learnt=AT, span=span)

    others = [item(0, 2), item(6, 9)]
    assert holder_of(item(start, end), others) == (1 if held else None)
    assert holder_of(item(start, end, "m_2"), others) is None
