"""The language of the composed voice: its tables, read once when it first speaks."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.toml import load_toml
from mindpipe.io.files import read_whole
from mindpipe.person.voice.grammar import Grammar, grammar_of
from mindpipe.person.voice.lexicon import Lexicon
from mindpipe.person.voice.manner import MannerTable, texts
from mindpipe.person.voice.question import QuestionTable
from mindpipe.person.voice.wording import WordingReader

ENGLISH = Path(__file__).parent / "english"
"""Where the tables of a language are; another language is another folder with the same files."""
LEAST_TAIL = 5
"""The least characters by which the end of a sentence is known again."""
_LISTED = ("objects", "object_leads", "tails")
_NAMES = ("thoughts", "feelings", "passing", "scene", "touches", "answers")
_GRAMMARS = tuple(f"{name}.toml" for name in _NAMES)


class Language(NamedTuple):
    """What a voice needs of a language: how it reads events, tells manners and makes sentences."""

    reader: WordingReader
    manners: MannerTable
    questions: QuestionTable
    grammar: Grammar
    openable: frozenset[str]
    proper: frozenset[str]
    phrases: dict[str, str]
    times: dict[str, str]
    sounds: tuple[tuple[re.Pattern[str], str], ...]
    objects: re.Pattern[str]
    tails: tuple[str, ...]

    def looks_at(self, words: str) -> bool:
        """Tell whether a thought is of things that are looked at."""
        return self.objects.search(words) is not None

    def has_tail(self, words: str) -> bool:
        """Tell whether a thought ends a sentence with the day or with somebody of this life."""
        return any(one in words.casefold() for one in self.tails)

    def when(self, words: str) -> str:
        """Return words of the calendar in this language, nothing where it has none for them."""
        return self.times.get(words, "") if self.times else words

    def sounded(self, sentence: str) -> str:
        """Return a sentence in which words fit those that follow them: `a` is `an`."""
        for pattern, instead in self.sounds:
            sentence = pattern.sub(instead, sentence)
        return sentence

    def stutters(self, sentence: str) -> bool:
        """Tell whether a word of grammar stands twice: two pieces met that each bring it."""
        words = sentence.casefold().split()
        function = self.reader.lexicon.function
        return any(a == b and a in function for a, b in pairwise(words))


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
    words = _table(folder / "words.toml")
    listed = {name: str(words.get(name, "")).split() for name in _LISTED}
    lexicon = Lexicon(words)
    return Language(
        reader=WordingReader(lexicon),
        manners=MannerTable(_table(folder / "manner.toml")),
        questions=QuestionTable(_table(folder / "questions.toml"), lexicon),
        grammar=grammar,
        openable=frozenset(str(words["openable"]).split()),
        proper=frozenset(str(words["proper"]).split()),
        phrases=texts(words["phrases"]),
        times=texts(words.get("times")),
        objects=_looked_at(_whole(grammar, listed["objects"]), listed["object_leads"]),
        tails=_longest(grammar, listed["tails"]),
        sounds=tuple((re.compile(a), b) for a, b in texts(words.get("sounds")).items()),
    )


def _whole(grammar: Grammar, symbols: Iterable[str]) -> tuple[str, ...]:
    """Return what some tables say that has no slots, in small letters."""
    found = (one for name in symbols for choice in grammar[name] for one in choice.fragments)
    return tuple(dict.fromkeys(one.text.casefold() for one in found if len(one.parts) == 1))


def _looked_at(things: Iterable[str], leads: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of things where a clause begins with one: it is what the thought is of."""
    names = "|".join(map(re.escape, things)) or "(?!)"
    before = "|".join((r"^", r"[.,;:!?] ", *(rf"\b{re.escape(one)} " for one in leads)))
    return re.compile(rf"(?:{before})(?:{names})\b", re.I)


def _longest(grammar: Grammar, symbols: Iterable[str]) -> tuple[str, ...]:
    """Return the longest words between the slots of what some tables say, in small letters."""
    found = (one for name in symbols for choice in grammar[name] for one in choice.fragments)
    parts = (max(one.parts[::2], key=len).casefold() for one in found)
    return tuple(dict.fromkeys(part for part in parts if len(part) >= LEAST_TAIL))


def _table(path: Path) -> dict[str, object]:
    """Return a table of a language."""
    return load_toml(read_whole(path), source=path.name)
