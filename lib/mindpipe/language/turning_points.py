"""What tells that a home, a job or a couple is another by now, whatever it names."""

from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.guards import clause_meant, denies, is_ironic, sentence_meant
from mindpipe.language.words import any_of

_OWN = r"(?:(?<!['’]s )(?<!\bhis )(?<!\bher )(?<!\byour )(?<!\btheir ))"
_HOME = rf"(?:{any_of(words.DWELLINGS)}|home|address|landlord|landlady)s?"
_POST = r"(?:job|boss|manager|office|workplace|employer|company|firm|shift|role|position|team)"
_NTH = r"(?:first|second|third|fourth|fifth|\d(?:st|nd|rd|th))"
_AM = r"(?:i['’]?m|i am|we['’]?re|we are)"
_TABLETS = r"(?:tablets|pills|meds|medication|prescription)"
_POINTS = {
    ("residence",): late(
        rf"(?i){_OWN}\b(?:new|old|last|previous|next) (?:[a-z]+ )?{_HOME}\b|"
        rf"\b{_NTH} (?:night|week|morning|day)s? (?:in|at) (?:the|my|our) (?:[a-z]+ )?{_HOME}\b|"
        rf"\b(?:since|as of) (?:\w+ ){{0,3}}\w+,? {_AM} (?:in|at|back|over|out|up|down|upstairs|"
        r"downstairs)\b|\b(?:last|final) box(?:es)?\b|\bkeys (?:are |were )?(?:handed|given)\b|"
        r"\bunpack(?:ed|ing)\b|\bmoving (?:day|van|in|out)\b|\bremoval (?:men|van|firm)\b|"
        r"\bevict(?:ed|ion)\b|\bthe lease\b|"
        r"\b(?:handed|gave|got|picked up|collected) (?:in |over |back )?(?:the|my|our) keys\b"
    ),
    ("workplace",): late(
        rf"(?i){_OWN}\b(?:new|old|last|previous|next|former) (?:[a-z]+ )?{_POST}\b|"
        rf"\b{_NTH} (?:day|week|shift)s? (?:in|at|of) (?:the|my) (?:[a-z]+ )?{_POST}\b|"
        rf"\b{_NTH} (?:day|week|shift)s? at the new \w+|\bgot the (?:job|gig|post)\b|"
        r"\bthey (?:took|hired|picked|chose) me\b(?! (?:to|for|out|home|up|in)\b)|"
        r"\b(?:shut(?:ting)?|clos(?:ed|ing|e)) (?:us|our \w+)\b|"
        r"\b(?:my|the) (?:last|final|leaving) (?:shift|day at work|working day|do)\b|"
        r"\b(?:my|handed|gave|given|working) (?:in )?notice\b|\blaid (?:me )?off\b|"
        r"\b(?:fired|sacked|canned|binned) (?:me|us)\b"
    ),
    ("workplace", "job"): late(
        r"(?i)\bself-employed\b|\bmy own boss\b|\bresign(?:ed|ing)\b|\bretir(?:ed|ing)\b|"
        r"\bredundan(?:t|cy)\b|\bunemployed\b|\bout of (?:work|a job)\b|\bbetween jobs\b|"
        r"\bretrain(?:ing|ed)?\b|\btraining (?:as|to be)\b"
    ),
    ("partner",): late(
        r"(?i)\b(?:i['’]?m|am|being|newly) single\b|^\W*single(?: again)?\b|\bmy ex\b(?!-)|"
        r"\b(?:broke|broken|break(?:ing)?|split(?:ting)?) up\b|\bdivorc(?:e|ed|ing)\b|"
        r"\b(?:over|finished|done) between (?:us|me)\b|\b(?:moved|moving) out\b|"
        r"\bseparated\b|\bdumped\b"
    ),
    ("medication",): late(
        rf"(?i){_OWN}\b(?:new|different|other) {_TABLETS}\b|\boff (?:the|my) {_TABLETS}\b|"
        rf"\b{_TABLETS} (?:are|were) (?:done|finished|changed|stopped)\b"
    ),
}
"""By attributes: what is said of one's own of which the old value is then likely past."""
_OF_OTHERS = late(
    rf"(?i)^\W*(?:(?:and|but|so)\W+)*(?:(?:my|our|his|her|their|your|the) (?:\w+ )?"
    rf"(?:{any_of(words.RELATIVES)})|he|she|they|you)\b"
)
"""How a clause begins of which the change is another's."""


class TurningPoint(NamedTuple):
    """A clause that tells of a change: where it begins, its words, of which attributes."""

    start: int
    text: str
    attributes: tuple[str, ...]


def turning_points(text: str) -> Iterator[TurningPoint]:
    """Yield what tells that something of who speaks is another by now, or will be soon."""
    for sentence in sentences(text):
        if is_ironic(sentence.text):
            return
        if sentence_meant(sentence.text) is not None:
            continue
        for clause in clauses(sentence):
            if clause_meant(clause.text) is not None:
                continue
            others = _OF_OTHERS.match(clause.text) is not None
            for attributes, pattern in _POINTS.items():
                found = pattern.search(clause.text)
                if found is None or (others and not found[0].endswith((" me", " us"))):
                    continue
                if not denies(clause.text[: found.start()]):
                    yield TurningPoint(clause.start, clause.text, attributes)
