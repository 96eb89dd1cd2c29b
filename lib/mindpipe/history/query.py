"""Words that a person or an agent typed, as a full-text query in which nothing is syntax."""

import re

from mindpipe.core.records import Record

_PHRASE = re.compile(r'"([^"]*)"|([^\s"]+)')


class Query(Record):
    """A search: the FTS5 expression, and its words for finding them again in a text."""

    expression: str
    terms: tuple[str, ...]


def query_of(text: str) -> Query | None:
    """Return the query for typed words, all of which must be there; None where there are none.

    Words in double quotes belong together in that order; a word that ends in `*` stands for all
    words that begin like it. Everything else that FTS5 takes for syntax is quoted.
    """
    expressions: list[str] = []
    terms: list[str] = []
    for phrase, word in _PHRASE.findall(text.replace("\x00", " ")):
        wanted = phrase or word
        if not any(character.isalnum() for character in wanted):
            continue
        expressions.append(f'"{wanted}"' + ("*" if word.endswith("*") else ""))
        terms.append(wanted.strip("*"))
    if not expressions:
        return None
    return Query(expression=" AND ".join(expressions), terms=tuple(terms))
