"""Of whom or what a sentence tells: the speaker, or what the sentence begins with."""

import functools
import re

from mindpipe.core.function_words import FUNCTION_WORDS

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
