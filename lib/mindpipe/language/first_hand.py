"""Whether English words tell what is so today of who speaks, by how their clause begins."""

import re

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.clauses import Stretch, clauses
from mindpipe.language.verb_forms import PAST

_ENGLISH = late(
    r"(?i)\b(?:the|my|our|is|are|was|were|and|of|that|they|she|with|to|have|has|it|at|as|for|did|does|"
    r"let|been|not|from|by|out|down|up|here|there|this|who|when|got)\b|"
    r"\bI\b"
)
"""Words that show a sentence to be English: of another language nothing is known here."""
_OPENERS = (
    r"\W*(?:(?:and|but|so|ok|okay|oh|well|yes|yeah|yep|no|nope|hey|hi|actually|honestly|finally|"
    r"now|these days|nowadays|currently|today|news|update|fyi|btw|also|then|since \w+)\b\W*)*"
)
_FIRST = late(
    rf"(?i){_OPENERS}(?:(?:[\w'’-]+ (?:and|n|&) )?(?:I|we|me)\b|(?P<own>my|our|mine)\b|"
    r"there(?:['’]s| is| are) (?:my|our)\b)"
)
"""How words begin that are of who speaks."""
_LEFT_OUT = late(
    rf"(?i){_OPENERS}(?:(?:just|still|also|really|very|newly|officially|recently) )*"
    r"(?:been|living|working|studying|based|allergic|married|engaged|retired|love|hate|adore|loathe|"
    r"can['’]?t|cannot|don['’]?t|won['’]?t|moved|relocated|joined|started|got|bought|adopted|"
    r"became|turned|switched|took|back on|on|off|live|work|play|speak|have)\b"
)
"""How words begin of which "I" or "I am" is left out."""
_DID = late(
    r"(?i)\b(?:I|we)(?:['’](?:d)|)(?: (?:\w+ly|just|also|never|once|then|both|even))* (?P<did>\w+)"
    r"(?: (?P<done>\w+))?"
)
_CHANGES = words.listed(
    """
    moved relocated settled joined started began got bought adopted became turned switched
    swapped married wed retired found landed signed took went inherited named called chose
    discovered developed caught picked
    """
)
"""What somebody did whereupon something is so."""
_WAS = words.listed("was were")
_BECAME = words.listed("diagnosed promoted hired made given")
_LESS = late(
    r"(?i)\b(?:like (?:an?|the|my|some)\b|(?:as|so) (?:much|well|often|good|bad|little) as\b|"
    r"for (?:one|a|the) (?:night|day|weekend|week|evening|minute|second)\b)|^\W*give me\b"
)
"""What makes little of what is told: `I play the cello like a cow skates`."""
_BUT_THIS = late(
    r"(?i)\b(?:except(?: for| in| at)?|apart from|but(?: not)?|other than|besides|instead of|"
    r"(?:feel|look|got called|playing|acting|dressed(?: up)?)(?: like| as)?(?: an?)?)\W*$"
)
"""How words end behind which a value is not so, or only looks so."""
_DOES = late(
    r"(?i)\b(?:plays|lives|works|speaks|takes|loves|hates|likes|eats|drinks|teaches|studies|"
    r"has(?! been)|knows|owns|keeps)\b"
)
"""What somebody else does."""
_DONE_TO_ME = late(
    r"(?i)\W*(?:['’]s |has |have )?(?:just |finally )?(?:hired|employs?|took|makes?|gives?|brings?|"
    r"sets?|kills?|is|are)\b.*\b(?:me|my|mine|our|us)\b"
)
"""How it goes on behind a value that has made something of who speaks: `Lidl hired me`."""
_TO_BE = late(
    r"(?i)\b(?<!\bhave )(?<!\bhas )(?<!\bgot )"
    r"to (?!(?:the|a|an|my|our|this|that|it|me|us)\b)(?-i:[a-z]+) |"
    r"\b(?:could|would|might|may|should|ought|will|shall)\b|\b(?:I|we)['’](?:d|ll)\b|"
    r"\b(?:I|we) (?:\w+ly )?(?!(?:like|love|hate|enjoy|am|are|started|start|keep|began|begin|be|go|"
    r"went|do|prefer|still|have|practise|teach|just|now|also|been)\b)\w+ (?:living|working|being|"
    r"having|learning|playing|taking|moving)\b"
)
"""What shows that something is to be, or is but wished: `I'm saving up to live there`."""
_ANOTHER = late(
    r"\W*(?:(?i:he|she|they|you|it|who|whose|which|where)\b|(?!I\b)[A-ZÀ-Þ][\w'’-]+ (?:is|was|has|"
    r"lives|works|plays|takes|likes|loves|hates|owns|keeps)\b)"
)
"""How a clause begins that is of another than who speaks."""
_OF_WHOM = late(r"(?i)\b(?:who|whose|whom|which)\b")
_UNTOLD = late(r"(?i)\b(?:hardly|barely|scarcely)\b")


def is_first_hand(sentence: str, value: str) -> bool:
    """Tell whether a value is told in a clause that who speaks begins with himself, as of today.

    Where "the council has it that I live there" another says so, and who "gave", "toyed" or "grew
    up" tells of what was. A sentence that is not English is taken as it is.
    """
    if _LESS.search(sentence) or _UNTOLD.search(sentence):
        return False
    found = re.search(rf"(?i)\b{re.escape(value)}", sentence)
    if found is None or _ENGLISH.search(sentence) is None:
        return True
    own = (one for one in clauses(Stretch(0, len(sentence), sentence)))
    clause = next((one for one in own if one.start <= found.start() < one.end), None)
    start = clause.start if clause is not None else 0
    lead = sentence[start : found.start()]
    if _ANOTHER.match(lead):
        return False
    if not (_FIRST.match(lead) or not lead.strip()):
        lead = sentence[: found.start()]
    if any(sign.search(lead) for sign in (_BUT_THIS, _TO_BE, _OF_WHOM)):
        return False
    return _is_own(lead, sentence[found.end() :]) and not tells_what_was(lead)


def _is_own(lead: str, rest: str) -> bool:
    """Tell whether words before a value are of who speaks, or those behind it do it to him."""
    if not lead.strip(" \"'"):
        return _DONE_TO_ME.match(rest) is not None
    first = _FIRST.match(lead)
    if first is None:
        return _LEFT_OUT.match(lead) is not None
    others = re.search(r"\bI\b", lead) or _DOES.search(lead)
    return not (first["own"] and others)


def tells_what_was(lead: str) -> bool:
    """Tell whether who speaks did what words say that he did, and brought nothing about by it."""
    found = _DID.search(lead)
    if found is None:
        return False
    did, done = found["did"].lower(), (found["done"] or "").lower()
    if did in _WAS:
        return done not in _BECAME
    if (did, done) == ("turned", "down") or (did == "took" and done not in ("up", "a", "an")):
        return True
    past = did in PAST or did in ("had", "did") or (did.endswith("ed") and len(did) > len("need"))
    return past and did not in _CHANGES
