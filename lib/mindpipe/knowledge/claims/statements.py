"""What a text says in the wordings of the table, slot by slot."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.knowledge.claims.prose import Sentence, sentences
from mindpipe.knowledge.claims.wordings import WORDINGS, Wording

_CHANGE = re.compile(
    r"\b(?:now|new|newly|recently|just|finally|mov(?:e|ed|ing)|relocat\w+|joined|joining|promoted|"
    r"started|switched|upgraded|will be)\b"
)


class Statement(NamedTuple):
    """Something said in a wording of the table: of whom, slot and value.

    `changes` counts its words that say that the value is new, and `sentence` is where it is said.
    """

    wording: Wording
    subject: str | None
    topic: str | None
    value: str
    changes: int
    sentence: str


def statements(text: str) -> Iterator[Statement]:
    """Yield what a text says in the wordings of the table, sentence by sentence."""
    for sentence in sentences(text):
        yield from _statements_of(sentence)


def _statements_of(sentence: Sentence) -> Iterator[Statement]:
    """Yield what one sentence says."""
    for wording in WORDINGS:
        if not any(one in sentence.text for one in wording.needs):
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
