"""Cheap guards: what shows, without a parse, that words are no plain claim of their speaker."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.records import Meant

_QUOTED = re.compile(r"[\"“”«»„]")
_ASKED = re.compile(
    r"(?i)^\W*(?:(?:so|and|but|ok(?:ay)?|hey|hi|wait|btw|oh)\b\W*)*"
    r"(?:who|what|when|where|why|how|which|whose|is|are|was|were|am|do|does|did|has|have|can(?!['’]t)|could|"
    r"will|would|should|shall|might|(?-i:may))\b"
    r"(?!\s*(?:a|an|the)\s+\w+\s+(?:day|week|mess|night|shame|joy|relief)\b)"
)
_IMAGINED = re.compile(
    r"(?i)\b(?:dream(?:t|s|ed|ing)?|nightmare|imagine[sd]?|imagining|suppose|supposing|pretend\w*|"
    r"if|unless|would(?:n['’]?t)?|hypothetical(?:ly)?|in another life|as though|game|novel|story|"
    r"character|movie|film|play(?:ed)? a)\b|['’]d\b"
)
_IRONIC = re.compile(
    r"(?i)^\W*(?:(?:oh|ah|well),? )?(?:great|brilliant|fantastic|wonderful|lovely|marvellous|"
    r"perfect|awesome|super|splendid)\b(?=[ ,!.])"
    r"|\byeah,? right\b|\bsaid no one\b|\bas if\b"
    r"|\b(?:truly|simply|absolutely)(?: i)? (?:love|adore)\b"
    r"|^\W*oh,? i just (?:love|adore) \w+ing\b"
    r"|\bnothing i (?:love|like|enjoy) more\b|\bmy (?:passion|favou?rite hobby)\b|/s\b|🙄"
    r"|\b(?:haha|lol|just kidding|jk|literally)\b"
)
_CLAUSE: tuple[tuple[Meant, re.Pattern[str]], ...] = (
    (
        "wished",
        re.compile(
            r"(?i)\b(?:wish(?:es|ed|ing)?|hop(?:e|es|ed|ing)|want(?:s|ed|ing)? to|longing|"
            r"would (?:like|love))\b"
        ),
    ),
    (
        "hedged",
        re.compile(
            r"(?i)\b(?:maybe|perhaps|possibly|probably|apparently|supposedly|allegedly|might|"
            r"(?-i:may)|could be|not sure|no idea|i (?:think|guess|suppose|reckon|believe|doubt|"
            r"assume|hope)|kinda|sort of|or something|or so|seem(?:s|ed)?|wonder(?:ing)?|almost|"
            r"nearly|thinking (?:of|about)|considering|tempted|if only|or whatever|"
            r"who knows)\b"
        ),
    ),
    (
        "reported",
        re.compile(
            r"(?i)\b(?:(?:says?|said|saying)(?! good ?bye)|claim(?:s|ed)?|tells?|told|hears?|heard|"
            r"reckons?|thinks?|believes?|swears?|swore|insist(?:s|ed)?|rumou?rs?|according to|"
            r"reads?|wrote|mentioned|jok(?:es?|ed|ing)|pretend\w*|lied|lying|quote|supposed to)\b"
        ),
    ),
    (
        "planned",
        re.compile(
            r"(?i)\b(?:will|going to|gonna|plan(?:s|ned|ning)? to|about to|"
            r"tomorrow|soon|next (?:week|month|year|summer|spring|autumn|winter)|"
            r"looking for|searching|applied|"
            r"applying)\b|['’]ll\b"
        ),
    ),
)
_TAKES_BACK = re.compile(
    r"(?i)^\W*(?:or )?(?:not(?! (?-i:[A-ZÀ-Þ])| (?:the )?\d)|unfortunately not|nope|nein|"
    r"no,? wait|i mean|or rather|rather|only in)\b|"
    r"april fools|used to$"
)
_OWN_WORD = re.compile(
    r"(?i)\bI(?:['’]ve)? (?:told|said|mentioned|wrote|swear)\b|"
    r"^\W*(?:(?:don['’]?t|please|just|do|and) )*(?:tell|say)\b"
)
"""Whose own word it is, and orders to tell: `tell no one` makes no report of what it follows."""
FEW_WORDS = 4
"""How a clause of so few words is meant holds for the next one too: `she says, I live there`."""
_OVER = re.compile(
    r"(?i)\b(?:used to|no longer|any ?more|any longer|former(?:ly)?|previously|until recently|"
    r"(?:stopped|quit|ceased|gave up|given up|back when|when i was|was once|were once|once was)\b|"
    r"ex-)"
)
_NEVER = re.compile(
    r"(?i)\b(?:not|no|never|neither|nor|none|nobody|nothing|nowhere|cannot|without|"
    r"(?:do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should|ai)n['’]?t)\b"
)


LOOKS_BACK = re.compile(
    r"(?i)^\W*(?:(?:and|but|god|man) )?(?:how|why)(?: on earth| the hell)? "
    r"(?:did|could) (?:I|we) ever "
)
"""What asks for no answer, but says that it was so, and is no longer: `how did I ever like it`."""


def is_ironic(text: str) -> bool:
    """Tell whether a text begins, or goes on, as where the opposite is meant; so is the rest."""
    return _IRONIC.search(text) is not None


def sentence_meant(sentence: str) -> Meant | None:
    """Return how a whole sentence is meant where its words show that it claims nothing, else None.

    A question, a quotation and something imagined colour all that a sentence says; irony colours
    what comes behind it too, and is asked for by itself.
    """
    looks_back = LOOKS_BACK.match(sentence)
    if not looks_back and (sentence.rstrip(" )!.").endswith("?") or _ASKED.match(sentence)):
        return "asked"
    if _QUOTED.search(sentence):
        return "quoted"
    return "imagined" if _IMAGINED.search(sentence) else None


def clause_meant(clause: str) -> Meant | None:
    """Return how a clause is meant where its own words show that it claims nothing, else None."""
    return next((meant for meant, pattern in _CLAUSE if pattern.search(clause)), None)


def taken_back(after: str) -> Meant | None:
    """Return how something is meant by the few words behind it: `…, maybe`, `…. Not.`."""
    if not after or len(after.split()) > FEW_WORDS or _OWN_WORD.search(after):
        return None
    if is_ironic(after) or _TAKES_BACK.search(after):
        return "hedged"
    return clause_meant(after)


def is_over(words: str) -> bool:
    """Tell whether words say that something was so, and is no longer."""
    return _OVER.search(words) is not None


def denies(words: str) -> bool:
    """Tell whether words have a negation among them."""
    return _NEVER.search(words) is not None


class MeantClause(NamedTuple):
    """The words of a clause, and how they are meant where not as they stand."""

    text: str
    meant: Meant | None


def earnest_clauses(text: str) -> Iterator[MeantClause]:
    """Yield the clauses of those sentences of a text that are meant, as far as it is no irony."""
    for sentence in sentences(text.replace("’", "'"), whole=True):
        if is_ironic(sentence.text):
            return
        if sentence_meant(sentence.text) is None:
            for clause in clauses(sentence):
                yield MeantClause(clause.text, clause_meant(clause.text))
