"""What stands on words of the log quotes them whole, and what the rules take for said was said."""

import msgspec

from mindpipe.core.messages import Message, Role, TextPart
from mindpipe.memory.extraction.pieces import pieces_of
from mindpipe.memory.faults import entity_faults, item_faults
from mindpipe.memory.records import NewEntity, NewItem, QuotedSpan, Relation
from mindpipe.memory.settle import holds
from mindpipe.memory.strength import signals_of
from support.tables import each_row

AT = "2023-05-08T13:56:00Z"


@each_row("quote", ["I live", "I live in Rome, I think"])
def test_a_quote_is_as_long_as_its_span(quote: str) -> None:
    span = QuotedSpan(message="m_1", start=0, end=9, quote=quote)
    assert [field for field, _ in item_faults(NewItem(text="x", span=span))] == ["$.span"]


def test_no_words_quote_nothing() -> None:
    assert not holds(QuotedSpan(message="m_1", start=2, end=2, quote=""), "I live in Rome.")


def test_a_relation_ends_after_it_began() -> None:
    edge = Relation(type="owns", to="Rex", since="2023-05-08", until="2022-05-08")
    found = entity_faults(NewEntity(name="Jo", relations=(edge,)))
    assert [field for field, _ in found] == ["$.relations[0].until"]


@each_row(("tags", "surprise"), [((), 0.0), (("denied",), 1.0), (("ended",), 1.0)])
def test_what_is_so_no_longer_is_a_surprise(tags: tuple[str, ...], surprise: float) -> None:
    signals = signals_of(
        "The train leaves at nine.", tags=tags, relevance=0.7, names=0, own=False, said=()
    )
    assert signals.surprise == surprise


def test_what_the_program_writes_for_a_user_is_said_by_nobody() -> None:
    said = Message(
        id="m_1", agent="ava", seq=1, segment=1, cycle=1, turn=0, role=Role.USER, at=AT,
        parts=(TextPart(text="I live in Rome."),), origin="source:mail",
    )  # fmt: skip
    written = msgspec.structs.replace(said, synthetic=True)
    assert len(list(pieces_of(said, log="I live in Rome."))) == 1
    assert not list(pieces_of(written, log="I live in Rome."))
