"""What a text says in the wordings of the table, slot by slot."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.knowledge.claims.prose import ProseSentence, sentences
from mindpipe.knowledge.claims.wordings import RELATION, WORDINGS, ClaimWording
from mindpipe.memory.extraction.relations import relations_in

_CHANGE = re.compile(
    r"\b(?:now|new|newly|recently|just|finally|mov(?:e|ed|ing)|relocat\w+|joined|joining|promoted|"
    r"started|switched|upgraded|will be)\b"
)


class Statement(NamedTuple):
    """Something said in a wording of the table: of whom, slot and value.

    `changes` counts its words that say that the value is new, and `sentence` is where it is said.
    """

    wording: ClaimWording
    subject: str | None
    topic: str | None
    value: str
    changes: int
    sentence: str


def statements(text: str) -> Iterator[Statement]:
    """Yield what a text says in the wordings of the table, sentence by sentence."""
    for sentence in sentences(text):
        yield from _statements_of(sentence)


def _statements_of(sentence: ProseSentence) -> Iterator[Statement]:
    """Yield what one sentence says."""
    if _may_be(RELATION, sentence):
        yield from _relations_of(sentence)
    for wording in WORDINGS:
        if not _may_be(wording, sentence):
            continue
        for found in wording.pattern.finditer(sentence.text):
            groups = found.groupdict()
            yield Statement(
                wording=wording,
                subject=groups.get("subject"),
                topic=groups.get("topic"),
                value=groups["value"].strip(" ,.'’-"),
                changes=len(_CHANGE.findall(found[0])),
                sentence=sentence.text.strip(),
            )


def _may_be(wording: ClaimWording, sentence: ProseSentence) -> bool:
    """Tell whether a sentence has one of the texts that a wording needs."""
    return any(one in sentence.text for one in wording.needs)


def _relations_of(sentence: ProseSentence) -> Iterator[Statement]:
    """Yield who stands how to whom, as memory finds it; where somebody works has its own slot."""
    if not RELATION.pattern.search(sentence.text):
        return
    for found in relations_in(sentence.text):
        if found.target_type != "organization":
            yield Statement(
                wording=RELATION,
                subject=found.source,
                topic=found.type,
                value=found.target,
                changes=len(_CHANGE.findall(sentence.text.partition(found.target)[0])),
                sentence=sentence.text.strip(),
            )
