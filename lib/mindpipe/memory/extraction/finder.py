"""Find items in what was said: its passages, labelled by what a reader understands of them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from mindpipe.language.clauses import READ_CHARACTERS, Stretch
from mindpipe.language.guards import calls_wrong, disowned, sentence_meant
from mindpipe.language.names import in_first_person, names_in, opens_with_courtesy
from mindpipe.language.records import Statement, StatementReader, Utterance
from mindpipe.language.strict import STRICT
from mindpipe.language.topics import topic_words
from mindpipe.language.withdrawals import withdrawn
from mindpipe.memory.extraction.edges import edge_of
from mindpipe.memory.extraction.items import FoundItem, subject_of, told_item
from mindpipe.memory.extraction.passages import passages
from mindpipe.memory.extraction.records import SpeakerWords
from mindpipe.memory.records import Item
from mindpipe.memory.strength import content_words, relevance_of, signals_of, significance

EVIDENCE = frozenset({"human", "operator", "tool", "program"})
"""Whose words may give items; the mind's own and what memory put into a prompt never do."""
LEAST_WORDS = 3
"""Fewer words tell something only where they are a statement, call one wrong, or name a topic and
greet nobody."""
MOST_PASSAGES = 1_000
"""Of a longer text no more passages are read."""
_REMEMBERED = 20_000
"""How many words that were said before are kept in mind."""


class Finder:
    """Read what was said in its order; what was said before makes words recur."""

    def __init__(self, reader: StatementReader = STRICT) -> None:
        self._reader = reader
        self._said: dict[str, None] = {}

    def items_in(self, said: SpeakerWords) -> tuple[Item, ...]:
        """Return the items of one piece, in its order; none of what is no evidence.

        A text of more than so many characters as readers read is a document, and no talk: of it
        only what claims something is kept.
        """
        if said.origin not in EVIDENCE:
            return ()
        found = list(islice(passages(said.text), MOST_PASSAGES))
        voice = said.speaker or ""
        all_read = self._reader.read([Utterance(one.text, voice, said.at) for one in found])
        # A figure alone says of whom and what too little to label what it stands in.
        read = [[one for one in own if one.unit is None] for own in all_read]
        talk = len(said.text) <= READ_CHARACTERS
        items = tuple(
            self._item(said, passage, statements)
            for passage, statements in zip(found, read, strict=True)
            if (talk and _tells(passage.text))
            or calls_wrong(passage.text)
            or disowned(passage.text)
            or withdrawn(passage.text) is not None
            or any(one.holds for one in statements)
        )
        self._said.update(dict.fromkeys(sorted(content_words(said.text))))
        while len(self._said) > _REMEMBERED:
            del self._said[next(iter(self._said))]
        return items

    def _item(self, said: SpeakerWords, passage: Stretch, statements: Sequence[Statement]) -> Item:
        """Return the item of one passage."""
        claims = [one for one in statements if one.holds]
        names = names_in(passage.text)
        tags = _tags(statements)
        signals = signals_of(
            passage.text,
            tags=tags,
            relevance=1.0 if claims else relevance_of(passage.text),
            names=len(names),
            own=in_first_person(passage.text),
            said=self._said,
        )
        subject = subject_of(passage.text, speaker=said.speaker, claims=claims)
        found = FoundItem(tags, subject, names, significance(signals), claims=bool(claims))
        return told_item(said, passage.start, passage.end, found=found)


def items_in(pieces: Iterable[SpeakerWords], reader: StatementReader = STRICT) -> Iterator[Item]:
    """Yield the items of some pieces in their order."""
    finder = Finder(reader)
    for said in pieces:
        yield from finder.items_in(said)


def _tells(text: str) -> bool:
    """Tell whether words tell something: `Single again.` does, `Thanks, Ann!` does not."""
    if len(text.split()) >= LEAST_WORDS:
        return True
    said = sentence_meant(text) is None and not opens_with_courtesy(text)
    return said and bool(topic_words(text))


def _tags(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Return what statements label a passage as, in their order."""
    tags: dict[str, None] = {}
    for one in statements:
        if not one.holds:
            tags[one.meant] = None
            continue
        tags[one.attribute] = None
        if one.meant != "asserted" or (one.value or "").startswith("not "):
            tags["ended" if one.meant == "ended" else "denied"] = None
        if (edge := edge_of(one)) is not None:
            tags[f"relation:{edge.type}"] = None
    return tuple(tags)
