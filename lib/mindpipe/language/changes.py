"""How people tell a change by what is new since: a first day, a first night, all moved in."""

from mindpipe.language import words
from mindpipe.language.clause_form import ClauseForm, ends
from mindpipe.language.forms import (
    AM,
    DOCTOR,
    DWELLING,
    HAVE,
    I_HAVE,
    JOB,
    MEDICINE,
    NAME,
    NO_NAME,
    NOW,
    PLACE,
    SOMEBODY,
    WE,
    WORKPLACE,
)
from mindpipe.language.records import CALLED_OFF, ENDING, MENTIONED
from mindpipe.language.words import any_of

NTH = r"(?:first|second|third|fourth|fifth|\d(?:st|nd|rd|th))"
"""Which of one's days somewhere it is; who counts them has not been there long."""
_FIRST = r"I first (?:day|week|month|shift)(?: (?:today|yesterday))?"
_PILLS = r"(?:my|the) (?:pills?|meds|tablets?|medication|medicine|prescription)"
_BE_PUT = r"(?:is|['’]s|was|got|has been|['’]s been|had to be)"
_PUT_OFF = (
    rf"{_BE_PUT} (?:(?:now|again|just) )*"
    r"(?:postponed|delayed|pushed back|put off|put back|moved|rescheduled)"
)
_SOME_TIME = r"(?: (?:again|indefinitely)| (?:to|until|till|by)(?! .*\d) .*)?"
_IS_OFF = (
    rf"{_BE_PUT} (?:(?:all|now|been) )*(?:off|cancelled|called off|on hold|on ice|"
    r"not happening)(?: .*)?|(?:has )?(?:fell|fallen) through"
)


_WILL_NOT = (
    r"(?:won['’]?t happen|will not happen|isn['’]?t happening|is not happening|not happening)"
)


def _off(attribute: str, spelling: str) -> ClauseForm:
    """Return a form that calls a plan off, whatever is planned."""
    return ClauseForm(attribute, spelling, "denied", ends_only=True, topic=CALLED_OFF)


_BY_NOW = r"(?: (?:now|today|yesterday|at last|finally|since \w+|on \w+|last night))*"
_FIRST_NIGHT = (
    r"(?:(?:[Ii]t|[Tt]hat) was (?:my|our)|[Ww]e had our|I(?: had my)?) "
    r"first (?:night|week|month|morning|weekend) in"
)


def _arrived(spelling: str) -> ClauseForm:
    """Return a form that tells of a new home, planned or not, and so ends the one before."""
    return ClauseForm("residence", spelling, ends_only=True, value=MENTIONED)


CHANGES = (
    ClauseForm("workplace", rf"{_FIRST} (?:at|with) {PLACE}"),
    ClauseForm(
        "workplace",
        rf"{_FIRST} (?:at|in) (?:the|an?|my|our) (?:new )?{WORKPLACE}(?: in {NAME})?",
    ),
    ClauseForm(
        "workplace", rf"{HAVE} {NOW}(?:got|landed) (?:the|a) (?:new )?job (?:at|in) the {WORKPLACE}"
    ),
    ends("workplace", rf"{_FIRST} (?:at|in|of) (?:the|my|a) new (?:job|office|gig|company)"),
    ClauseForm(
        "workplace",
        rf"I {NTH} (?:day|week|shift) (?:at|in|of) (?:the|my) new "
        r"(?:place|job|office|gig|company|one)(?: (?:today|yesterday|already|done|over))?",
        value=MENTIONED,
    ),
    ends(
        "workplace",
        r"(?:(?:[Mm]y|[Tt]he) contract (?:was not|wasn['’]?t|has not been|hasn['’]?t been|is not|"
        r"isn['’]?t)(?: being)? (?:renewed|extended)|"
        rf"{I_HAVE}{NOW}(?:[Hh]anded (?:in|back|over)|gave back|given back|[Tt]urned in) "
        r"(?:my|the) (?:work |company |office )?(?:badge|laptop|lanyard|uniform|pass|apron)|"
        r"(?:[Mm]y|[Tt]he) last (?:shift|day at work|day of work) (?:was|is) "
        r"(?:today|yesterday|on \w+|(?:last )?[A-Z]\w+day))",
    ),
    ClauseForm(
        "workplace",
        rf"[Mm]y (?:very )?last (?:day|shift|week) (?:at|with) {PLACE} (?:was .+|is today)",
        "ended",
    ),
    # Put off to a day it is a plan from then on; put off to none, or off, it is none.
    ClauseForm("residence", rf"(?:[Tt]he|[Oo]ur|[Mm]y) move to {PLACE} {_PUT_OFF} to", "planned"),
    ClauseForm(
        "workplace",
        rf"(?:[Mm]y|[Tt]he) (?:start|first day|job) (?:at|with) {PLACE} {_PUT_OFF} to",
        "planned",
    ),
    _off(
        "residence",
        rf"(?:[Tt]he|[Oo]ur|[Mm]y) move(?: to {NAME})? (?:{_PUT_OFF}{_SOME_TIME}|{_IS_OFF})",
    ),
    _off(
        "residence",
        rf"{AM} (?:not|NOT) moving|{WE} (?:won['’]?t|will not)(?: be)? (?:move|moving)|"
        rf"{HAVE} changed (?:my|our) minds?,? (?:and |so )?(?:{AM}|{WE}['’]ll be|{WE} will be) "
        r"(?:staying|stopping)\b.*|"
        rf"(?:{AM}|{WE}['’]ll be|{WE} will be) (?:staying|stopping) "
        rf"(?:put|(?:here|in {NAME}) after all|(?:here|in {NAME}) instead)",
    ),
    _off(
        "residence",
        rf"(?:[Tt]he|[Oo]ur|[Mm]y) (?:move|(?:{NAME} )?plan)(?: to {NAME})?"
        rf"(?:['’]s| is| has been)? (?:{_WILL_NOT}|dead|history|scrapped|abandoned)|"
        rf"[Cc]hange of plans?(?:,? {AM} (?:staying|not moving)\b.*)?",
    ),
    _off(
        "residence",
        rf"{HAVE} (?:decided|chosen|chose) to stay(?: put)?(?: here| in {NAME})?|"
        rf"{HAVE} (?:now )?called (?:it|the move) off|"
        rf"{HAVE} changed (?:my|our) minds? about moving",
    ),
    ClauseForm(
        ENDING,
        rf"{NO_NAME}(?P<value>{NAME})(?:['’]s| is| has been) (?:now )?cancelled|"
        rf"{HAVE} changed (?:my|our) minds? about (?P<other>{NAME})",
        "denied",
        ends_only=True,
    ),
    ClauseForm(
        "workplace",
        rf"{NO_NAME}(?P<value>{NAME}) (?:took|hired|chose|picked|went with) (?:someone|somebody) "
        rf"else|{HAVE} said no to (?P<other>{NAME})(?: in the end| after all)?",
        "denied",
        ends_only=True,
    ),
    _off(
        "workplace",
        rf"(?:[Tt]he|[Mm]y)(?: new)? (?:job|position|offer|job offer|start|start date|first day)"
        rf"(?: (?:at|with|from) {NAME})? (?:(?:has )?(?:fell|fallen) through|"
        rf"{_PUT_OFF}{_SOME_TIME}|{_IS_OFF})|"
        r"[Tt]hey (?:withdrew|took back|rescinded|cancelled|pulled) (?:the|their|my) "
        r"(?:job offer|offer|contract|position)",
    ),
    ClauseForm(
        "workplace",
        rf"{NO_NAME}(?P<value>{NAME}) (?:has |have )?(?:withdrew|withdrawn|took back|taken back|"
        r"rescinded|cancelled|pulled|revoked) (?:the|their|my) (?:job offer|offer|contract|"
        rf"position|start)|{HAVE} {NOW}(?:turned down|declined|rejected) (?:the offer from )?"
        rf"(?P<other>{NAME})",
        "denied",
        ends_only=True,
    ),
    ClauseForm(
        "workplace", rf"{HAVE} {NOW}turned (?P<value>{NAME}) down", "denied", ends_only=True
    ),
    ClauseForm(
        ENDING,
        rf"{NO_NAME}(?P<value>{NAME}) (?:(?:has |have |just )*(?:fell|fallen) through|"
        r"(?:isn['’]?t|is not) (?:going to happen|happening))",
        "denied",
        ends_only=True,
    ),
    ClauseForm(
        ENDING,
        rf"(?:{I_HAVE}|{SOMEBODY} ){NOW}(?:[Dd]ropped out|[Gg]raduated|"
        r"(?:[Dd]ropped out of|[Qq]uit|[Ll]eft|[Ff]inished|[Gg]raduated from) "
        rf"(?:(?:my|the) )?(?:[a-z]+ )?(?:{any_of(words.STUDIES)}))"
        r"(?: (?:last|this|in|after|today|yesterday|with)\b.*)?",
        "ended",
        ends_only=True,
        value="student",
    ),
    ClauseForm(
        ENDING,
        r"(?:[Hh]e|[Ss]he|[Ii]t)(?:['’]s| has)? (?:(?:just|sadly|finally) )*"
        r"(?:died|passed away|(?:did not|didn['’]?t) make it|(?:was|got) (?:run over|put down|"
        r"put to sleep))(?: .+)?",
        "ended",
        ends_only=True,
        value=MENTIONED,
    ),
    _arrived(
        rf"(?:{HAVE} |I all |{AM} all ){NOW}moved in(?:to (?:the|our|my) (?:new )?{DWELLING})?"
        rf"{_BY_NOW}"
    ),
    _arrived(
        rf"(?:{AM} in|{_FIRST_NIGHT}) (?:the|our|my) (?:brand )?new {DWELLING}{_BY_NOW}",
    ),
    ClauseForm(
        "residence",
        rf"{AM} in(?: (?:the|our|my) (?:new )?{DWELLING})?{_BY_NOW}|"
        rf"{_FIRST_NIGHT} (?:the|our|my) {DWELLING}{_BY_NOW}|"
        rf"{I_HAVE}{NOW}(?:[Gg]ot|[Pp]icked up|[Cc]ollected) (?:the|our|my) keys{_BY_NOW}",
        value=MENTIONED,
    ),
    ends(
        "residence",
        r"(?:(?:[Tt]he|[Oo]ur|[Mm]y) move(?:['’]s| is) (?:done|over|behind us|behind me)|"
        rf"{I_HAVE}{NOW}(?:[Hh]anded|[Gg]ave|[Gg]iven) (?:the|our|my) (?:\w+ )?keys (?:back|in))",
    ),
    ends(
        "workplace", r"(?:[Mm]y|[Tt]he) contract (?:has )?(?:ended|expired|(?:ran|run) out|is up)"
    ),
    ClauseForm(
        "residence",
        rf"I first (?:night|week|month|morning|weekend) in (?:the|our|my|a) (?:new )?{DWELLING}"
        rf" in {PLACE}",
    ),
    _arrived(
        rf"{_FIRST_NIGHT} (?:(?:the|our|my|a) new {DWELLING}|{NAME}){_BY_NOW}",
    ),
    _arrived(rf"(?:{HAVE} |I all ){NOW}moved(?: house| home| places)?"),
    ClauseForm("residence", rf"{AM} {NOW}back (?:home )?in {PLACE} for good"),
    ClauseForm(
        "job",
        r"(?:[Tt]hey|[Tt]he [a-z]+|[Mm]y boss)(?:['’]ve| have| has)? "
        rf"(?:(?:just|now|finally) )*(?:made me|promoted me to) (?:an? |the )?(?:new )?{JOB}"
        r"(?: (?:at|of|for|in) .+)?",
    ),
    ClauseForm("job", rf"{AM} {NOW}the new {JOB}(?: (?:at|of|for|in) .+)?"),
    ends(
        "partner",
        r"(?:(?:I['’]m|I am|I['’]ve been) )?(?:seeing|dating) (?:someone|somebody)"
        r"(?: new| else)?",
    ),
    ClauseForm(
        "medication",
        rf"(?:[Nn]ow it['’]s|[Ii]t['’]s(?=.* (?:now|instead)$)|{AM} now on|"
        rf"{DOCTOR}(?:changed|switched|swapped|moved) {_PILLS} to) {MEDICINE}(?P<instead>)"
        r"(?: (?:now|instead))?",
    ),
)
"""What the whole of a clause is; "I" stands before what chats leave it out of."""
FIRSTS = rf"{NTH} (?:day|night|morning|week|weekend|month|shift)\b|all moved\b(?! by)"
"""How a clause may begin of which "I" is left out that tells a change."""
