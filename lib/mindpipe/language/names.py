"""The names that words tell of, by the way in which they are written, and who speaks of himself."""

import functools
import re
from collections.abc import Iterator

from mindpipe.core.patterns import LatePattern, late
from mindpipe.core.text import FUNCTION_WORDS

_FIRST_PERSON = late(r"\bI\b|(?i:\b(?:my|mine|me|we|our|us|i['’](?:m|ve|ll|d))\b)")


def in_first_person(text: str) -> bool:
    """Tell whether somebody speaks of himself."""
    return _FIRST_PERSON.search(text) is not None


def opens_with_courtesy(text: str) -> bool:
    """Tell whether a text begins with a greeting, thanks or assent: `Thanks, Ann!`, `Oh no`."""
    first = re.search(r"[\w'’]+", text)
    return first is not None and first[0].lower() in _NO_NAMES - FUNCTION_WORDS


_OTHERS = """
hey hi hello thanks thank wow yes yeah yep no nope ok okay sure well oh great good nice cool awesome
glad sorry please let maybe also actually really definitely absolutely totally congrats exactly
january february march april may june july august september october november december monday
tuesday wednesday thursday friday saturday sunday today tomorrow yesterday one two three four five
sounds love hope got take keep make looking looks see hmm haha lol right true agreed however
although since never always remember note another first second third last next many much yup ah aw
aww whoa amazing fantastic wonderful lovely perfect finally recently currently speaking btw fyi i'm
i've i'll i'd it's that's we're don't can't there's what's let's here's he's she's they're you're
am pm bye goodbye dear
"""
_NO_NAMES = frozenset(_OTHERS.split()) | FUNCTION_WORDS
_NO_INITIALS = frozenset("AIO")
"""Letters that are words: `A will is a document`."""
MAX_NAMES = 8


def names_in(sentence: str) -> tuple[str, ...]:
    """Return the names that a sentence tells of, each once, in its order; eight at most.

    A word that begins the sentence counts only where the way of writing shows it to be a name. Who
    is only spoken to ("Thanks, Ann!") is not told of.
    """
    return tuple(dict.fromkeys(_names(sentence)))[:MAX_NAMES]


def _names(sentence: str) -> Iterator[str]:
    """Yield the names of a sentence in its order."""
    for match in _name().finditer(sentence):
        words = match[0].split()
        while words and _is_no_name(words[0]):
            words = words[1:]
        while words and _is_no_name(words[-1]):
            words = words[:-1]
        name = " ".join(words).rstrip(".'’")
        bare = name.removesuffix("'s").removesuffix("’s")
        told = len(bare) > 1 or _is_initial(bare, sentence, match)
        if told and not _is_addressed(sentence, match) and _shows(sentence, match, words):
            yield bare


def _is_initial(name: str, sentence: str, match: re.Match[str]) -> bool:
    """Tell whether one letter is somebody: it begins the sentence, and does something."""
    alone = match.start() == 0 and len(name) == 1 and name not in _NO_INITIALS
    return alone and _does().match(sentence, match.end()) is not None


def _is_no_name(word: str) -> bool:
    """Tell whether a capital does not make a word a name."""
    return word.lower().replace("’", "'").removesuffix("'s") in _NO_NAMES or word == "I"


def _is_addressed(sentence: str, match: re.Match[str]) -> bool:
    """Tell whether a name is only spoken to, at either end of a sentence."""
    before, after = sentence[: match.start()].rstrip(), sentence[match.end() :].lstrip()
    greeted = len(before.split()) <= 2 and after[:1] in ("", "!", ",", ".", "-", "–")
    return (greeted and not before.endswith(("to", "with", "and"))) or (
        before.endswith(",") and after.strip("!. ") == ""
    )


def _shows(sentence: str, match: re.Match[str], words: list[str]) -> bool:
    """Tell whether a word at the beginning is a name: of several, or one that does something."""
    if match.start() > 0 and words[0] in match[0].split()[0:1]:
        return True
    if match[0].split()[:1] != words[:1] or len(words) > 1 or _odd().search(words[0]):
        return True
    whole = len(words) == len(match[0].split())
    return whole and _does().match(sentence, match.end()) is not None


@functools.cache
def _name() -> LatePattern:
    """Return what is written like a name: capitals, also within a word, or with a dot."""
    word = r"[A-ZÀ-Þ][\wÀ-ÿ]*(?:[.’'+#-][\wÀ-ÿ]+)*[+#]*"
    return late(rf"(?<![\w.]){word}(?:\s+(?:(?:of|de|da|do|del|van|von|the)\s+)?{word})*")


@functools.cache
def _odd() -> LatePattern:
    """Return what shows a name also at the beginning: digits, dots and capitals within."""
    return late(r"\w[A-Z]|\d|\w[.]\w|[+#]")


@functools.cache
def _does() -> LatePattern:
    """Return what follows a name that a sentence begins with."""
    return late(
        r"(?:['’]s)?\s+(?:is|was|has|had|will|works?|lives?|said|says|told|wants?|likes?|loves?|prefers?"
        r"|uses?|runs?|moved|got|and\s+[A-Z]|can|does|did|needs?|makes?|made|gave|supports?|now)\b"
    )
