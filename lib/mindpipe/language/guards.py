"""Cheap guards: what shows, without a parse, that a sentence is no plain claim of its speaker."""

import functools
import re

from mindpipe.language.records import Meant

_QUOTED = re.compile(r"[\"“”«»„]")
_ASKED = re.compile(
    r"(?i)^\W*(?:(?:so|and|but|ok(?:ay)?|hey|hi|wait|btw|oh)\b\W*)*(?:who|what|when|where|why|how|which"
    r"|whose|is|are|was|were|am|do|does|did|has|have|can|could|will|would|should|shall|may|might)\b"
    r"(?!\s*(?:a|an|the)\s+\w+\s+(?:day|week|mess|night|shame|joy|relief)\b)"
)
_HEDGED = re.compile(
    r"(?i)\b(?:maybe|perhaps|possibly|probably|apparently|supposedly|allegedly|might|(?-i:may)|could be|"
    r"not sure|no idea|i (?:think|guess|suppose|reckon|believe|doubt|assume|hope)|kinda|sort of|"
    r"or something|or so|seems?|seemed|wonder(?:ing)?|almost|nearly|half the time|"
    r"thinking (?:of|about)|considering|tempted|if only|or whatever|who knows)\b"
)
_REPORTED = re.compile(
    r"(?i)\b(?:says?|said|saying|claims?|claimed|tells?|told|heard|hears|reckons?|thinks?|believes?|"
    r"swears?|swore|insists?|insisted|rumou?rs?|according to|reads?|wrote|mentioned|jok(?:es?|ed|ing)|"
    r"pretend\w*|lied|lying|quote|supposed to)\b"
)
_IMAGINED = re.compile(
    r"(?i)\b(?:dream(?:t|s|ed|ing)?|nightmare|imagine[sd]?|imagining|suppose|supposing|pretend\w*|if|"
    r"unless|what if|would(?:n['’]?t)?|['’]d|hypothetical(?:ly)?|in another life|as though|as if|game|"
    r"novel|story|character|movie|film|play(?:ed)? a)\b"
)
_WISHED = re.compile(
    r"(?i)\b(?:wish(?:es|ed|ing)?|hop(?:e|es|ed|ing)|want(?:s|ed|ing)? to|would (?:like|love)|longing)\b"
)
_PLANNED = re.compile(
    r"(?i)\b(?:will|['’]ll|going to|gonna|plan(?:s|ned|ning)? to|about to|tomorrow|next (?:week|month|"
    r"year|summer|spring|autumn|winter)|soon|moving|looking for|searching|applied|applying)\b"
)
IRONIC = re.compile(
    r"(?i)^\W*(?:oh,? |ah,? |well,? )?(?:great|brilliant|fantastic|wonderful|lovely|marvellous|perfect|"
    r"awesome|super|splendid)\b(?=[ ,!.])|\byeah,? right\b|\bsaid no one\b|\bas if\b|\b(?:truly|simply|"
    r"absolutely) (?:love|adore)\b|\bnothing i (?:love|like|enjoy) more\b|\bmy (?:passion|favou?rite "
    r"hobby)\b|/s\b|🙄|\bhaha\b|\blol\b|\bjust kidding\b|\bjk\b|\bliterally\b"
)
_PAST = re.compile(
    r"(?i)\b(?:used to|was|were|had|back (?:when|then)|when i was|in those days|once)\b"
)

_CLAUSE: tuple[tuple[Meant, re.Pattern[str]], ...] = (
    ("wished", _WISHED),
    ("hedged", _HEDGED),
    ("reported", _REPORTED),
    ("planned", _PLANNED),
)


def sentence_meant(sentence: str) -> Meant | None:
    """Return how a whole sentence is meant where its words show that it claims nothing, else None.

    A question, a quotation, something imagined and irony colour all that a sentence says.
    """
    if sentence.rstrip(" )!.").endswith("?") or _ASKED.match(sentence):
        return "asked"
    if _QUOTED.search(sentence):
        return "quoted"
    if IRONIC.search(sentence):
        return "ironic"
    return "imagined" if _IMAGINED.search(sentence) else None


def clause_meant(clause: str) -> Meant | None:
    """Return how a clause is meant where its own words show that it claims nothing, else None."""
    return next((meant for meant, pattern in _CLAUSE if pattern.search(clause)), None)


@functools.cache
def _never() -> re.Pattern[str]:
    """Return what denies."""
    return re.compile(
        r"(?i)\b(?:not|no|never|neither|nor|none|nobody|nothing|nowhere|cannot|without|"
        r"(?:do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should|ai)n['’]?t)\b"
    )


def denies(sentence: str) -> bool:
    """Tell whether a sentence has a word of negation."""
    return _never().search(sentence) is not None


def is_past(sentence: str) -> bool:
    """Tell whether a sentence tells of what was."""
    return _PAST.search(sentence) is not None
