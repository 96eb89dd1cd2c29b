"""What tells that a home, a job or a couple is another by now, whatever it names."""

from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.changes import NTH
from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.guards import clause_meant, denies, is_ironic, sentence_meant
from mindpipe.language.words import any_of

_OWN = r"(?:(?<!['’]s )(?<!\bhis )(?<!\bher )(?<!\byour )(?<!\btheir ))"
_HOME = rf"(?:{any_of(words.DWELLINGS)}|home|address|landlord|landlady)s?"
_JOB = r"(?:job|role|position|career|trade|apprenticeship|internship|traineeship)s?"
_POST = r"(?:boss|manager|office|workplace|employer|company|firm|shift|team)"
_AM = r"(?:i['’]?m|i am|we['’]?re|we are)"
_WE = r"(?:i|we)(?:['’]ve| have)?(?: (?:just|finally|all))?"
_MEAT = r"meat|steak|burger|bacon|ham|sausages?|pork|beef|salami|kebab|ribs"
_TABLETS = r"(?:tablets|pills|meds|medication|prescription)"
_POINTS = {
    ("residence",): late(
        rf"(?i){_OWN}\b(?:new|old|last|previous|next) (?:[a-z]+ )?{_HOME}\b|"
        rf"\b{NTH} (?:night|week|morning|day)s? (?:in|at) (?:the|my|our) (?:[a-z]+ )?{_HOME}\b|"
        rf"\b(?:since|as of) (?:\w+ ){{0,3}}\w+,? {_AM} (?:upstairs|downstairs|back (?:with|at|in)|"
        rf"at (?:my|our|\w+['’]s)|in (?:my|our|the|an?) (?:[\w'’]+ )?{_HOME})\b|"
        r"\b(?:last|final) box(?:es)?\b|\bkeys (?:are |were )?(?:handed|given)\b|"
        rf"\b{_WE} moved\b(?! (?:it|them|the|my|our|your|his|her|that|this|on|tables?|desks?)\b)|"
        r"\bback (?:at|with|in with) (?:my|our) (?:parents|folks|mum|mom|dad|family)\b|"
        r"\bback in (?-i:[A-ZÀ-Þ])[\w'’-]+ (?:since|for good)\b|"
        rf"\bsigned (?:(?:for )?(?:the|a|our|my) (?:{_HOME}|lease)|the papers for)\b|"
        r"\bkeys (?:on|next|this) (?:the )?(?:\d|\w+day\b|week|month)|"
        r"\bsettling in\b|\bsince (?:i|we) (?:came|moved|got) (?:to|here)\b|\bpacked up\b|"
        r"\b(?:wants?|wanted|kicked|threw|throwing|kicking) us out\b|\bnew postcode\b|"
        r"\bunpack(?:ed|ing)\b|\bmoving (?:day|van|in|out)\b|\bremoval (?:men|van|firm)\b|"
        r"\bevict(?:ed|ion)\b|\bthe lease\b|"
        r"\b(?:handed|gave|got|picked up|collected) (?:in |over |back )?(?:the|my|our) keys\b"
    ),
    ("workplace",): late(
        rf"(?i){_OWN}\b(?:new|old|last|previous|next|former) (?:[a-z]+ )?{_POST}\b|"
        rf"\b{NTH} (?:day|week|shift)s? (?:in|at|of) (?:the|my) (?:[a-z]+ )?{_POST}\b|"
        rf"\b{NTH} (?:day|week|shift)s? at the new \w+|"
        r"\bthey (?:took|hired|picked|chose) me\b(?! (?:to|for|out|home|up|in)\b)|"
        r"\b(?:shut(?:ting)?|clos(?:ed|ing|e)) (?:us|our \w+)\b|\bjob[- ]?hunt(?:ing)?\b|"
        r"\bon the dole\b|\bjumped ship\b|\bpoached me\b|"
        r"\b(?:i|we) (?:just )?walked out\b(?! (?:of|for|to|with|on|into)\b)|"
        r"\b(?:my|the) contract (?:ran out|has run out|ended|is up)\b|"
        r"\b(?:my|the) (?:last|final|leaving) (?:shift|day at work|working day|do)\b|"
        r"\b(?:my|handed|gave|given|working) (?:in )?notice\b|\blaid (?:me )?off\b|"
        r"\b(?:fired|sacked|canned|binned) (?:me|us)\b|"
        r"\blet (?:me|us) go\b(?! (?:to|in|out|home)\b)"
    ),
    ("workplace", "job"): late(
        rf"(?i){_OWN}\b(?:new|old|last|previous|next|former) (?:[a-z]+ )?{_JOB}\b|"
        rf"\b{NTH} (?:day|week|shift)s? (?:in|at|of) (?:the|my) (?:[a-z]+ )?{_JOB}\b|"
        r"\bgot the (?:job|gig|post)\b|"
        r"\bhung up my\b|\bself-employed\b|\bmy own boss\b|"
        r"\b(?:i|we)(?:['’](?:ve|m|re)| have| am)? (?:just |finally )?(?:resign|retir)(?:ed|ing)\b|"
        r"\bredundan(?:t|cy)\b|\bunemployed\b|\bout of (?:work|a job)\b|\bbetween jobs\b|"
        r"\bretrain(?:ing|ed)?\b|\btraining (?:as|to be)\b"
    ),
    ("job",): late(r"(?i)\bpromot(?:ed|ion)\b|\b(?:fully|newly) qualified\b"),
    ("partner",): late(
        r"(?i)\b(?:called off|cancelled) (?:the|our) (?:wedding|engagement)\b|"
        r"\b(?:walked out on|cheated on|cheating on) me\b|\bon my own again\b|"
        r"\b(?:i['’]?m|am|being|newly) single\b|^\W*single(?: again)?\b|\bmy ex\b(?!-)|"
        r"\b(?:broke|broken|break(?:ing)?|split(?:ting)?) up\b|\bdivorc(?:e|ed|ing)\b|"
        r"\b(?:over|finished|done) between (?:us|me)\b|\b(?:moved|moving) out\b|"
        r"\bseparated\b|\bdumped\b"
    ),
    ("lives_with",): late(
        r"(?i)\b(?:i|we) liv(?:e|ing) alone\b|"
        r"\b(?:flat|house|place) to (?:myself|ourselves)\b(?! (?:tonight|today|this|for|until)\b)"
    ),
    ("diet",): late(
        r"(?i)\b(?:i|we)\b[^,;]* (?:had|ate|eaten|eat|eating) "
        r"(?:(?:an?|some|my|our|the) )?(?:first )?(?:(?!veg|plant|bean|soy|tofu)[a-z]+ )?"
        rf"(?:{_MEAT})\b"
    ),
    ("medication",): late(
        rf"(?i){_OWN}\b(?:new|different|other) {_TABLETS}\b|\boff (?:the|my) {_TABLETS}\b|"
        rf"\b{_TABLETS} (?:are|were) (?:done|finished|changed|stopped)\b|"
        rf"\b(?:chang|switch|swapp|stopp|ditch)(?:ed|ing) (?:the|my) {_TABLETS}\b|"
        r"\b(?:took|taken|taking|weaned) me off (?:it|them|those|that|the \w+)\W*$|"
        r"\bput me on (?:something|another|a (?:new|different) \w+)\b"
    ),
}
"""By attributes: what is said of one's own of which the old value is then likely past."""
_TO_ME = late(r"(?i) (?:me|us)\b")
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
            others = _OF_OTHERS.match(clause.text)
            for attributes, pattern in _POINTS.items():
                found = pattern.search(clause.text)
                # Of a new boss who begins the clause himself it is the speaker's own change.
                of_others = others and found and others.end() <= found.start()
                if found is None or (of_others and not _TO_ME.search(found[0])):
                    continue
                if not denies(clause.text[: found.end()]):
                    yield TurningPoint(clause.start, clause.text, attributes)
