"""The language of the composed voice: its tables, read once when it first speaks."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from mindpipe.person.records.thought import LifeMoment
from mindpipe.person.voice.facets import FacetReader
from mindpipe.person.voice.folder import ENGLISH, language_table
from mindpipe.person.voice.grammar import Grammar, Speaker, grammar_of
from mindpipe.person.voice.lexicon import Lexicon
from mindpipe.person.voice.manner import MannerTable, texts
from mindpipe.person.voice.mention import OWN
from mindpipe.person.voice.phrases import is_many
from mindpipe.person.voice.question import QuestionTable
from mindpipe.person.voice.register import Register, registers_of
from mindpipe.person.voice.wording import WordingReader

_GRAMMARS = ("thoughts", "course", "feelings", "passing", "daily", "hours", "dreams", "answers")
_START = re.compile(r"(^|[.!?]”?\s+)([“\"]?)([^\W\d_])")
_MARKS = re.compile(r"[,;:]+(?=[.!?])|,(?=[,;:])| (?=[,;:])")


class Language(NamedTuple):
    """What a voice needs of a language: how it reads events, tells manners and makes sentences."""

    reader: WordingReader
    facets: FacetReader
    manners: MannerTable
    questions: QuestionTable
    grammar: Grammar
    registers: tuple[Register, ...]
    phrases: dict[str, str]
    times: dict[str, str]
    many: dict[str, str]
    sounds: tuple[tuple[re.Pattern[str], str], ...]

    def phrase(self, name: str, **slots: str) -> tuple[str, ...]:
        """Return a phrase with its slots filled, none where one is empty or there is no phrase."""
        words = self.phrases.get(name, "")
        for slot, value in slots.items():
            words = words.replace(f"{{{slot}}}", value) if value else ""
        return (words,) if words else ()

    def when(self, words: str) -> str:
        """Return words of the calendar in this language, nothing where it has none for them."""
        return self.times.get(words, "") if self.times else words

    def spoken_by(self, words: str, tags: frozenset[str], idiolect: int | None) -> str:
        """Return what is said as somebody with such a manner and idiolect says it."""
        for register in self.registers:
            words = register.applied(words, tags, idiolect)
        return words

    def agreed(self, sentence: str, named: Iterable[str]) -> str:
        """Return a sentence in which the verbs of what was named are those of its number.

        They stand after it, but for those that open with a word of place: `here is`.
        """
        verbs = "|".join(one for one in self.many if " " not in one)
        opening = "|".join(one for one in self.many if " " in one) or r"(?!)"
        for thing in named:
            last = thing.split()[-1]
            if verbs and is_many(last) and not self._is_one(thing):
                called_ = re.escape(thing)
                sentence = re.sub(
                    rf"(?<=\b{called_} )(?:{verbs})\b|\b(?:{opening})(?= {called_})",
                    lambda found: _in_case(found[0], self.many[found[0].lower()]),
                    sentence,
                    flags=re.I,
                )
        return sentence

    def _is_one(self, thing: str) -> bool:
        """Tell whether what was named is one, whatever its end.

        A name is (`Lurdes`; `the Bakers` are many), and what is done or said.
        """
        first, *others = thing.split()
        lexicon = self.reader.lexicon
        done = any(map(lexicon.is_gerund, (first, *others[:-1])))
        return done or first.lower() in lexicon.joins or (first[:1].isupper() and not others)

    def listed(self, names: Sequence[str]) -> str:
        """Return names as they are told one after the other, nothing where there are none."""
        *first, last = (*names, "")[: len(names)] or ("",)
        return f"{', '.join(first)} {self.phrases.get('and', '')} {last}" if first else last

    def finished(self, words: str, speaker: Speaker, *, parsed: bool = False) -> str:
        """Return words as whole sentences in the way in which somebody speaks.

        What is found again by the parsers is said in the same words by everybody.
        """
        counted = (value for value, slot in speaker.used.items() if slot not in OWN)
        found = in_full(self.agreed(words, counted))
        if not parsed:
            found = in_full(self.spoken_by(found, speaker.tags, speaker.register))
        return self.sounded(found)

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


def in_full(words: str) -> str:
    """Return words as whole sentences: capitals at their beginnings, one mark at their ends."""
    plain = _MARKS.sub("", " ".join(words.split()))
    plain = _START.sub(lambda found: found[1] + found[2] + found[3].upper(), plain)
    return plain if plain.rstrip("”").endswith((".", "!", "?")) else f"{plain}."


def _in_case(said: str, instead: str) -> str:
    """Return what is said instead, with a capital where there was one."""
    return instead[:1].upper() + instead[1:] if said[:1].isupper() else instead


@cache
def language(folder: Path = ENGLISH) -> Language:
    """Return a language by the folder of its tables.

    Raises:
        UnavailableError: there is no such folder, or it lacks a table.
        BadInputError: a table is no TOML.
        ValueError: a table has another shape.
    """
    grammar: Grammar = {}
    for name in _GRAMMARS:
        for symbol, choices in grammar_of(language_table(folder, name)).items():
            grammar[symbol] = (*grammar.get(symbol, ()), *choices)
    words = language_table(folder, "words")
    lexicon = Lexicon(words)
    reader = WordingReader(lexicon)
    return Language(
        reader=reader,
        facets=FacetReader(reader),
        manners=MannerTable(language_table(folder, "manner")),
        questions=QuestionTable(language_table(folder, "questions"), lexicon),
        grammar=grammar,
        registers=registers_of(language_table(folder, "registers")),
        phrases=texts(words["phrases"]),
        times=texts(words.get("times")),
        many=texts(words.get("many")),
        sounds=tuple((re.compile(a), b) for a, b in texts(words.get("sounds")).items()),
    )


def tongue_of(lived: LifeMoment) -> Language:
    """Return the language in which somebody thinks: English, or that of a folder.

    Raises:
        UnavailableError: there is no such folder, or it lacks a table.
        BadInputError: a table is no TOML.
    """
    return language(Path(lived.language)) if lived.language else language()
