"""The language of the composed voice: its tables, read once when it first speaks."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.toml import load_toml
from mindpipe.person.voice.grammar import Grammar, grammar_of
from mindpipe.person.voice.manner import MannerTable
from mindpipe.person.voice.wording import Lexicon, Reader

ENGLISH = Path(__file__).parent / "english"
"""Where the tables of a language are; another language is another folder with the same files."""
_GRAMMARS = ("thoughts.toml", "feelings.toml", "passing.toml", "answers.toml")


class Language(NamedTuple):
    """What a voice needs of a language: how it reads events, tells manners and makes sentences."""

    reader: Reader
    manners: MannerTable
    grammar: Grammar


@cache
def language(folder: Path = ENGLISH) -> Language:
    """Return a language by the folder of its tables.

    Raises:
        BadInputError: a table is no TOML.
        ValueError: a table has another shape.
    """
    grammar: Grammar = {}
    for name in _GRAMMARS:
        for symbol, choices in grammar_of(_table(folder / name)).items():
            grammar[symbol] = (*grammar.get(symbol, ()), *choices)
    return Language(
        reader=Reader(Lexicon(_table(folder / "words.toml"))),
        manners=MannerTable(_table(folder / "manner.toml")),
        grammar=grammar,
    )


def _table(path: Path) -> dict[str, object]:
    """Return a table of a language."""
    return load_toml(path.read_bytes(), source=path.name)
