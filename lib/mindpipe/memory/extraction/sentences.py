"""Sentences, whom they are about, and the names in them."""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.text import FUNCTION_WORDS

MAX_CHARACTERS = 600
"""A longer sentence is no sentence but a listing or pasted text."""
MIN_WORDS = 3


class Sentence(NamedTuple):
    """The characters of a text that make one statement: first, first after, and the words."""

    start: int
    end: int
    words: str


def sentences_of(text: str) -> Iterator[Sentence]:
    """Yield the statements of a text in its order.

    Fenced and indented code, tables, and what stands in brackets as a caption are left out, and of
    a sentence that ends in a question what is asked.
    """
    plain = _blanked(text)
    start = 0
    for mark in _end().finditer(plain):
        yield from _statement(plain, start, mark.end())
        start = mark.end()
    yield from _statement(plain, start, len(plain))


def _blanked(text: str) -> str:
    """Return a text in which what is no sentence is as many blanks, so that places stay."""
    return _no_prose().sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


@functools.cache
def _no_prose() -> re.Pattern[str]:
    """Return what is no prose: code, tables, headings' marks, captions, links."""
    return re.compile(
        r"(?ms)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)|\Z)"
        r"|```[^\n]*?```"
        r"|^(?: {4}|\t)[^\n]*$"
        r"|^[ \t]*[|>][^\n]*$"
        r"|\[(?:shares|shared|photo|image|attachment)\b[^\[\]\n]{0,500}\]"
        r"|\bhttps?://[^\s)>\]]+"
        r"|^[ \t]*(?:[-*+•#]+|\d{1,2}[.)])[ \t]+"
    )


@functools.cache
def _end() -> re.Pattern[str]:
    """Return where a sentence ends: not within a number, a version or after a title or initial.

    A run of marks is tried where it begins alone, and as a whole: it may be as long as a text.
    """
    titles = r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bMrs)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)"
    return re.compile(rf"(?<![.!?…])(?:{titles}\.|[!?…])++[\"'”’)\]*]*+(?=\s|$)|\n+|;(?=\s)")


@functools.cache
def _question() -> re.Pattern[str]:
    """Return where a question begins within a sentence that ends in one."""
    verb = "can|could|would|will|do|does|did|is|are|was|were|should|shall|have|has|had|may|might"
    who = r"you|i|we|it|he|she|they|there|this|that|anyone|anybody|any|the|my|your"
    words = "what|how|why|when|where|which|who|whose|any|got any|is there|are there|right|okay|ok"
    return re.compile(
        rf"(?i)(?:^|[,;:–—-]\s+|\s(?:and|but|so)\s+)"
        rf"(?:(?:and|but|so|or|also|then|please)\s+)*(?:(?:{verb})(?:n't)?\s+(?:{who})\b|(?:{words})\b)"
    )


def _statement(text: str, start: int, end: int) -> Iterator[Sentence]:
    """Yield what a stretch of a text states, if it states something."""
    while start < end and (text[start].isspace() or text[start] in "*_\"“'‘(-–—,"):
        start += 1
    if text[start:end].rstrip("\"'”’)]* \n").endswith("?"):
        asked = _question().search(text, start, end)
        if asked is None:
            return
        end = asked.start()
    while end > start and (text[end - 1].isspace() or text[end - 1] in '*_"”;,'):
        end -= 1
    words = text[start:end]
    if len(words) <= MAX_CHARACTERS and len(words.split()) >= MIN_WORDS:
        yield Sentence(start, end, words)


MAX_WORDS = 5
_POINTING = "it this that these those there here he she they you what one some many never always"
_VAGUE = frozenset(_POINTING.split())


def subject_of(sentence: str, *, speaker: str | None) -> str | None:
    """Return the subject of a sentence: its speaker in the first person, else its first noun.

    A noun keeps its capitals as they are and loses its article; None where it is only pointed at.
    """
    if _first_person().search(sentence):
        return speaker
    match = _noun().match(sentence)
    if match is None:
        return None
    words = match["noun"].split()
    head = words[-1].lower()
    if len(words) > MAX_WORDS or head in FUNCTION_WORDS or words[0].lower() in _VAGUE:
        return None
    return " ".join(words)


@functools.cache
def _first_person() -> re.Pattern[str]:
    """Return what shows that somebody speaks of himself."""
    return re.compile(r"\bI\b|(?i:\b(?:my|mine|me|we|our|us|i['’](?:m|ve|ll|d))\b)")


@functools.cache
def _noun() -> re.Pattern[str]:
    """Return a subject before its verb."""
    before = r"(?:(?:actually|so|also|and|but|now|currently|no|well|yes|oh|correction)\b[,:]?\s+)*"
    asked = r"(?:please,?\s+)?(?:remember|note|keep\s+in\s+mind|don['’]t\s+forget)\s+that\s+"
    verb = (
        r"(?:is|are|was|were|has|have|had|will|can|now|runs?|uses?|takes?|lives?|works?|starts?|ends?"
        r"|likes?|loves?|prefers?|hates?|wants?|moved|got|supports?|costs?|needs?|does|doesn['’]t"
        r"|isn['’]t|aren['’]t|wasn['’]t|said|told|went|became|won|started|finished|currently|still)\b"
    )
    return re.compile(
        rf"(?i)(?:{asked})?{before}(?:(?:the|an?|your|his|her|their|its)\s+)?(?P<noun>[\w][\w.+#’'-]*(?:\s+[\w.+#’'-]+)*?)"
        rf"(?:['’]s)?\s+{verb}"
    )


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
        while words and is_no_name(words[0]):
            words = words[1:]
        while words and is_no_name(words[-1]):
            words = words[:-1]
        name = " ".join(words).rstrip(".'’")
        bare = name.removesuffix("'s").removesuffix("’s")
        if len(bare) > 1 and not _is_addressed(sentence, match) and _shows(sentence, match, words):
            yield bare


def is_no_name(word: str) -> bool:
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
    return _does().match(sentence, match.end()) is not None


@functools.cache
def _name() -> re.Pattern[str]:
    """Return what is written like a name: capitals, also within a word, or with a dot."""
    word = r"[A-ZÀ-Þ][\wÀ-ÿ]*(?:[.’'+#-][\wÀ-ÿ]+)*[+#]*"
    return re.compile(rf"(?<![\w.]){word}(?:\s+(?:(?:of|de|da|do|del|van|von|the)\s+)?{word})*")


@functools.cache
def _odd() -> re.Pattern[str]:
    """Return what shows a name also at the beginning: digits, dots and capitals within."""
    return re.compile(r"\w[A-Z]|\d|\w[.]\w|[+#]")


@functools.cache
def _does() -> re.Pattern[str]:
    """Return what follows a name that a sentence begins with."""
    return re.compile(
        r"(?:['’]s)?\s+(?:is|was|has|had|will|works?|lives?|said|says|told|wants?|likes?|loves?|prefers?"
        r"|uses?|runs?|moved|got|and\s+[A-Z]|can|does|did|needs?|makes?|made|gave|supports?|now)\b"
    )
