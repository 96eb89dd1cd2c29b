"""The sentence forms of who is to somebody what: relatives, partners, pets, and successors."""

from mindpipe.language import words
from mindpipe.language.clause_form import ClauseForm, ends
from mindpipe.language.forms import (
    AM,
    AM_NOT,
    CLOSE,
    DO_NOT,
    HAVE,
    I_HAVE,
    KIN,
    NAME,
    NO_NAME,
    NOW,
    PET,
    PETS_OWN,
    SOMEBODY,
    WE,
)
from mindpipe.language.records import ENDING, REPLACEMENT
from mindpipe.language.words import any_of

_WORDS = r"[a-z][a-z-]*(?: (?!and|for|to)[a-z-]+)?"
_OLD = rf"(?:(?:my|our|the) )?(?:old )?(?P<instead>{NAME}|{_WORDS})"
_FRIENDS = r"(?:good |best |close )?(?P<topic>friend|mate)s"
_NOT_NOW = r"(?:are not|aren['’]?t|are no longer)"
_NEW = rf"(?:(?:an?|my|our|the|full) )?(?:new )?(?P<value>{NAME}|{_WORDS})"

RELATIVE_FORMS = (
    ClauseForm(
        "relation",
        rf"(?:[Mm]y|[Oo]ur) {CLOSE}(?P<topic>{KIN})"
        rf"(?:['’]s name)?(?: is|['’]s)(?: called| named)? (?P<value>{NAME})",
    ),
    ClauseForm(
        "relation",
        r"I (?:(?:do not|don['’]?t) (?:even |actually |really )?have (?:an? |any )|have no )"
        rf"{CLOSE}"
        rf"(?P<topic>{KIN})s?",
        "denied",
        ends_only=True,
    ),
    ClauseForm(
        "relation",
        rf"(?:[Mm]y|[Oo]ur) {CLOSE}(?P<topic>{KIN}) is an? (?:[a-z-]+,? ){{0,4}}"
        rf"(?:woman|man|lady|girl|guy|bloke|fellow|chap|person) (?:named|called) (?P<value>{NAME})"
        r"(?: (?:who|that|from|with) .+)?",
    ),
    ClauseForm(
        "relation",
        rf"(?P<value>{NAME})(?: is|['’]s) my (?!ex\b){CLOSE}(?P<topic>{KIN})",
    ),
    ClauseForm(
        "relation",
        rf"(?P<value>{NAME}) (?:is not|isn['’]?t|is no longer) my {CLOSE}(?P<topic>{KIN})",
        "denied",
    ),
    ClauseForm(
        "relation",
        rf"[Mm]y {CLOSE}(?P<topic>{KIN})(?:['’]s name)? (?:is not|isn['’]?t)(?: called| named)? "
        rf"(?P<value>{NAME})",
        "denied",
    ),
    ClauseForm("partner", rf"{AM_NOT} (?:married|engaged) to (?P<value>{NAME})", "denied"),
    ClauseForm(
        "partner",
        rf"{AM_NOT} (?:married|engaged|a couple|in a relationship)|{HAVE} never been married",
        "denied",
        ends_only=True,
    ),
    ClauseForm(
        "relation",
        rf"{WE} have an? {CLOSE}(?P<topic>{KIN})(?: who is| who['’]s)? (?:called|named) "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm(
        "partner",
        rf"(?P<value>{NAME}) and I (?:(?:are|got|have got|are now|just got) )"
        r"(?:now )?(?:married|engaged)",
    ),
    ClauseForm("partner", rf"{AM} {NOW}(?:married|engaged) to (?P<value>{NAME})"),
    ClauseForm(
        "partner",
        rf"(?:(?P<value>{NAME}) and (?:I|me)|(?:I|[Mm]e) and (?P<other>{NAME}))"
        r"(?:['’]ve| have) been (?:married|together)(?: for .+| since .+| [a-z]+ years?)?",
    ),
    ClauseForm(
        "partner",
        rf"{NO_NAME}(?P<value>{NAME}) and I (?:are|['’]re) {NOW}(?:together|dating|a couple|an "
        rf"item)",
    ),
    ClauseForm(
        "partner",
        rf"(?:{HAVE}|I just) {NOW}(?:got |gotten )?(?:married to|engaged to|married) "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm("partner", rf"{AM} {NOW}(?:dating|together with) (?P<value>{NAME})"),
    ends("partner", rf"{NO_NAME}(?P<value>{NAME}) (?:has |just )?(?:dumped|left) me"),
    ends("partner", r"[Ww]e(?:['’]ve| have)? (?:just )?split(?: (?:almost|nearly|about|over))?"),
    ends("partner", rf"{NO_NAME}(?P<value>{NAME})(?:['’]s| is) {NOW}my ex(?:-\w+)?"),
    ends(
        "partner",
        rf"{NO_NAME}(?P<value>{NAME}) (?:has |just )?(?:called|broke|broken) off "
        r"(?:the|our) (?:engagement|wedding)",
    ),
    ClauseForm(
        "partner",
        rf"[Mm]y (?:{any_of(words.PARTNERS)}) (?P<value>{NAME}) "
        r"(?:and I (?:have )?(?:(?:broke|broken|split) up|separated)|(?:has )?(?:left|dumped) me)",
        "ended",
    ),
    ClauseForm(
        "partner",
        rf"[Ii]t(?:['’]s| is) {NOW}(?:all )?(?:over|finished) (?:with|between me and) "
        rf"(?P<value>{NAME})",
        "ended",
    ),
    ClauseForm(
        "partner", rf"I(?:['’]ve)? (?:broke|broken|split) up with (?P<value>{NAME})", "ended"
    ),
    ClauseForm(
        "partner",
        rf"(?:(?P<value>{NAME}) and (?:I|me)|(?:I|me) and (?P<other>{NAME})) "
        r"(?:(?:have |['’]ve )?(?:just )?(?:broke up|broken up|split up|split|called it quits|"
        r"called it off|called it a day|separated|got divorced)|aren['’]?t together|"
        r"are not together|"
        r"are (?:finished|over|done|through|history|no more|divorced|separated|"
        r"no longer together))",
        "ended",
    ),
    ends(
        ENDING,  # it may be whom somebody loved, or worked for
        rf"(?:{NO_NAME}(?P<value>{NAME}) and (?:I|me)|(?:I|[Mm]e) and (?P<other>{NAME})) "
        r"(?:have |['’]ve )?(?:just )?parted (?:ways|company)",
    ),
    ClauseForm(
        "partner",
        rf"{SOMEBODY} and (?P<value>{NAME}) (?:have |are )?(?:just |now )?(?:broken up|broke up|"
        r"split up|divorced|separated|history|no longer together)",
        "ended",
        ends_only=True,
    ),
    ClauseForm(
        "relation",
        rf"(?:{NO_NAME}(?P<value>{NAME}) and (?:I|me)|(?:I|[Mm]e) and (?P<other>{NAME})) "
        rf"(?:{_NOT_NOW}|stopped being) {_FRIENDS}",
        "denied",
        ends_only=True,
    ),
    ClauseForm(
        "relation",
        rf"{AM} (?:not|no longer) {_FRIENDS} with (?P<value>{NAME})",
        "denied",
        ends_only=True,
    ),
    ClauseForm(
        "partner",
        r"[Ww]e(?:['’]ve| have)? (?:(?:just|finally) )?(?:(?:broke|broken|split) up|"
        r"(?:got |gotten )?(?:divorced|separated)|parted ways|called it (?:quits|off|a day))|"
        r"[Ww]e(?:['’]re| are) (?:no longer|not) together|"
        r"I(?:['’]m| am) (?:single|divorced)(?: again)?|I(?:['’]ve| have)? got divorced|"
        r"(?:[Mm]y (?:wife|husband|boyfriend|girlfriend|partner|fianc[eé]e?) )(?:has )?"
        r"(?:left|dumped) me|[Mm]y (?:wife|husband|boyfriend|girlfriend|partner) and I "
        r"(?:broke|have broken|split|have split) up",
        "ended",
    ),
    ClauseForm(
        "partner",
        r"(?:[Tt]he|[Oo]ur|[Mm]y) divorce (?:is (?:now )?final|(?:has come|came|went) through)",
        "ended",
    ),
    ClauseForm(
        "pet",
        rf"(?:I|[Ww]e)(?:['’]ve got| have| got| adopted)(?: an?)? (?:[a-z]+ )?"
        rf"(?P<topic>{PET})(?: (?:called|named)|,) (?P<value>{NAME})",
    ),
    ClauseForm(
        "pet",
        rf"(?:[Mm]y|[Oo]ur) (?:[a-z]+ )?(?P<topic>{PET})(?:['’]s name)? is "
        rf"(?:called |named )?(?P<value>{NAME})",
    ),
    ClauseForm("pet", rf"(?P<value>{NAME})(?: is|['’]s) (?:my|our) {PETS_OWN}(?P<topic>{PET})"),
    ClauseForm(
        "pet",
        rf"(?:[Mm]y|[Oo]ur) (?P<topic>{PET}) (?P<value>{NAME}) (?:died|passed away)(?: .+)?",
        "ended",
    ),
    ClauseForm(
        "pet",
        rf"(?:I|[Ww]e)(?:['’]ve got| have| got| adopted| rescued) (?:an?|two|three|four) "
        rf"{PETS_OWN}"
        rf"(?!rat|mouse|mice)(?P<value>(?:{PET})s?)",
    ),
    ClauseForm(
        "pet",
        rf"(?:{WE} {DO_NOT} have (?:a|any)|{WE} have no) (?P<value>(?P<topic>{PET})s?)",
        "denied",
    ),
    ClauseForm(
        ENDING,
        rf"(?P<value>{NAME}) (?:is not|isn['’]?t|is no longer) "
        rf"(?:(?:my|our) {PETS_OWN}|an? )(?:{PET})",
        "denied",
        ends_only=True,
    ),
    # Who had the name, an animal or somebody, what is held says.
    ends(ENDING, rf"(?P<value>{NAME}) (?:died|has died|passed away)(?: .+)?"),
    ends(
        ENDING,
        rf"{NO_NAME}(?P<value>{NAME}) (?:(?:is|['’]s) no longer with us|"
        r"(?:got|was|had to be) (?:run over|put down|put to sleep))(?: .+)?",
    ),
    ends(
        ENDING,
        rf"{HAVE} (?:had to (?:say goodbye to|rehome|part with)|said goodbye to|rehomed) "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm(REPLACEMENT, rf"{I_HAVE}{NOW}(?:[Ss]wapped|traded|ditched) {_OLD} for {_NEW}"),
    ClauseForm(
        REPLACEMENT,
        rf"{I_HAVE}{NOW}left (?P<instead>{NAME}) for (?:the )?(?P<value>{NAME})",
    ),
    ClauseForm(
        REPLACEMENT,
        rf"{I_HAVE}{NOW}(?:switched|jumped ship|moved on) from {_OLD} to {_NEW}",
    ),
    # Who "went from Hull to Leeds" may have been on a train.
    ClauseForm(
        REPLACEMENT,
        rf"{I_HAVE}{NOW}(?:went|gone) from (?P<instead>{_WORDS}) to (?:full )?"
        rf"(?P<value>{_WORDS})",
    ),
    ClauseForm(
        REPLACEMENT,
        rf"(?:[Hh]is|[Hh]er|[Ii]ts|[Tt]heir) name(?:['’]s| is) (?P<value>{NAME}),? "
        rf"not (?P<instead>{NAME})",
    ),
)
"""What the whole of a clause is that tells of somebody who is close, behind all other forms."""
