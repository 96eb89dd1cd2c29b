"""Who is left out of a sentence that begins with its verb, as chats do: `live in Leeds`."""

from collections.abc import Iterator

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.clauses import Stretch, sentences
from mindpipe.language.forms import NAME
from mindpipe.language.guards import tells_of_others
from mindpipe.language.spelling import Rewriting, Spelling, rewritten, spelt_out
from mindpipe.language.words import any_of

_HOW = (
    r"(?:(?:still|now|also|really|currently|mostly|mainly|absolutely|actually|always|only|just|"
    r"happily|officially|finally|very) )*"
)
_DOES = late(
    rf"(?i){_HOW}(?:live (?=(?:in|at|on|with|near|by|here|alone|over|above)\b)|"
    r"work (?=(?:in|at|for|as|from|nights|days|part|full)\b)|"
    r"(?:can['’]?t|cannot|couldn['’]t|won['’]t|haven['’]t|hadn['’]t|wouldn['’]t) "
    r"(?!you|i|we|he|she|they|it\b)|"
    r"do(?: not|n['’]t) (?:really )?(?:like|own|live|work|speak|have) (?!(?:it|to|you|me|us)\b)|"
    r"(?:hate|love|adore|loathe|detest|dislike|dread|prefer|own|miss) "
    r"(?!(?:you|u|ya|to|from|it when|that for|this for|how|and)\b)|am (?!i\b))"
)
"""What nobody is told to do, as a state is none that is begun at will; or what no order is like."""
_STATES = any_of(
    words.DIETS | words.ILL | words.listed("married engaged divorced single widowed retired based")
)
_IS = late(
    rf"(?i){_HOW}(?:not )?(?:{_STATES}|allergic to|(?:[a-z]+ )?intolerant|"
    rf"(?:on|off) (?=[a-z]+(?:{any_of(frozenset(words.MEDICINE_STEMS))})\b|"
    rf"(?:{any_of(words.MEDICINES)})\b))\b(?! (?:is|are|was|food|options?|place)\b)"
)
"""How somebody is, before which `I'm` is left out."""
_FROM = late(rf"(?:[Ff]rom|(?:[Bb]ack|[Nn]ow|[Bb]ased) in) {NAME} (?:originally|now)")
_BEEN = late(rf"(?i){_HOW}been (?:{_STATES}|allergic|living|working|studying|teaching|in|at|on)\b")
_OTHER_DOES = late(r"(?i)(?:still |now )?(?:lives|works|teaches|studies|owns) (?!for me|here\b)")
"""What the one who was named before does."""

_OWN = late(r"\bI\b|(?i:\b(?:me|my)\b)")


def with_subjects(text: str) -> Spelling:
    """Return a text that is spelt out, with who is left out of its sentences."""
    spelling = spelt_out(text)
    return rewritten(spelling.text, _left_out(spelling.text), first=spelling)


def _left_out(text: str) -> Iterator[Rewriting]:
    """Yield where somebody is left out, and who.

    Behind words that are of others it may be they who are left out, and of how somebody is also
    behind words that do not say "I".
    """
    for one in sentences(text):
        before = text[: one.start]
        own = not before.strip() or _OWN.search(before) is not None
        others = tells_of_others(before)
        who = _who(one, own=own, others=others)
        if who is not None:
            begins = one.text[0].lower()
            yield Rewriting(one.start, one.start + 1, f"{who} {begins}")


def _who(sentence: Stretch, *, own: bool, others: bool) -> str | None:
    """Return who is left out of a sentence, None where nobody is, or it may be another."""
    text = sentence.text
    if others:
        return "he" if _OTHER_DOES.match(text) else None
    if _DOES.match(text):
        return "I"
    if own and (_IS.match(text) or _FROM.match(text)):
        return "I'm"
    return "I've" if own and _BEEN.match(text) else None
