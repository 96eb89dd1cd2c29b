"""How people say plain things of themselves besides: for how long, in which trade, without "I"."""

from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.forms import (
    AM,
    CLOSE,
    DOCTOR,
    DWELLING,
    FOOD,
    HAVE,
    INSTRUMENT,
    JOB,
    KIN,
    LANGUAGE,
    LASTED,
    MEDICINE,
    MONTH,
    NAME,
    NOW,
    PLACE,
    SOMEBODY,
    THING,
    WE,
)
from mindpipe.language.numerals import WORDS as NUMBERS
from mindpipe.language.words import PRACTISED, any_of

_YEARS = rf" (?:{NUMBERS}|\d+) (?:years|decades)"
_FIELD = (
    r"(?P<value>(?:(?:digital|social|health|primary|secondary|higher|private|public|food|car) )?"
    r"(?:marketing|IT|HR|PR|sales|finance|insurance|construction|retail|logistics|hospitality|"
    r"healthcare|education|advertising|publishing|banking|catering|tourism|tech|software|events|"
    r"fashion|law|real estate|childcare|accounting|accountancy|recruitment|procurement|"
    r"cybersecurity|media|TV|television|radio|film|journalism|engineering|manufacturing))"
)
_STUDIES = (
    r"(?P<studied>[a-z]+(?:ology|ics|istry|graphy|sophy|omy)|law|medicine|nursing|engineering|"
    r"history|music|art|design|architecture|english|french|german|spanish|maths|business|"
    r"accounting|drama|midwifery|pharmacy|computer science|social work)"
)
_DEGREE = r"(?i:degree|b\.?a|b\.?sc|m\.?a|m\.?sc|masters?|master['’]s|ph\.?d|doctorate|mba)"
_ACTIVITY = (
    r"(?P<value>yoga|pilates|karate|judo|taekwondo|aikido|ballet|boxing|kickboxing|crossfit|"
    r"tai chi|zumba|aerobics|gymnastics|pottery|ceramics|archery|fencing|parkour|improv|"
    r"woodwork|woodworking|embroidery|origami|calligraphy|photography|triathlons?|marathons?)"
)
_GAME = (
    r"(?P<value>chess|football|soccer|tennis|table tennis|basketball|volleyball|handball|hockey|"
    r"badminton|squash|rugby|cricket|golf|baseball|darts|poker|bridge|cards|board games|bingo)"
)
_FOR_LONG = (
    r"(?= for | since (?:\d{4}|last (?:year|spring|summer|autumn|winter)|christmas|new year|"
    rf"{MONTH}))"
)
"""Since when it has been so that is no matter of days."""
EVERYDAY = (
    ClauseForm("food", rf"[Nn]o (?P<value>{FOOD}){_FOR_LONG}{LASTED}", negative=True),
    ClauseForm(
        "health",
        rf"{AM} {NOW}expecting(?: again| twins| (?:a|an?other|our (?:first|second|third)) "
        r"(?:baby|boy|girl|child)| our (?:first|second|third))?",
        value="pregnant",
    ),
    ClauseForm(
        "medication",
        rf"(?:(?i:{NUMBERS})|\d) {MEDICINE} (?:an?|each|every|per) "
        r"(?:day|night|morning|evening|week)(?: and .+)?",
    ),
    ClauseForm("residence", rf"{HAVE} been in {PLACE}{LASTED}"),
    ClauseForm("residence", rf"{HAVE} been in {PLACE}{_YEARS}"),
    ClauseForm("residence", rf"(?:[Mm]y|[Oo]ur) (?:new )?{DWELLING}(?:['’]s| is) in {PLACE}"),
    ClauseForm("residence", rf"{SOMEBODY}(?: is|['’]s) {NOW}(?:living|based) in {PLACE}"),
    ClauseForm("residence", rf"{HAVE} ended up living in {PLACE}"),
    ClauseForm(
        "workplace",
        rf"{WE} {NOW}do (?:days|nights|weekends|mornings|evenings|shifts|lates|earlies) "
        rf"(?:at|for) {PLACE}",
    ),
    ClauseForm(
        "workplace",
        rf"{AM} {NOW}(?:on|in|behind) the (?:tills?|checkouts?|bar|(?:front )?desk|reception|"
        rf"counter|wards?|(?:shop|factory) floor|kitchens?|office|warehouse) at {PLACE}",
    ),
    ClauseForm("workplace", rf"{HAVE} been at {PLACE}{LASTED}"),
    ClauseForm("workplace", rf"{HAVE} been at {PLACE}{_YEARS}"),
    ClauseForm("workplace", rf"I (?:brand )?new job at {PLACE}"),
    ClauseForm("job", rf"{HAVE} been an? {JOB}{LASTED}"),
    ClauseForm("job", rf"{HAVE} been an? {JOB}{_YEARS}"),
    ClauseForm("job", rf"(?:{WE} {NOW}work|{AM} {NOW}working|{AM} {NOW}) ?in {_FIELD}"),
    ClauseForm("job", rf"{AM} {NOW}(?P<value>self-employed|self employed|freelance|freelancing)"),
    ClauseForm("job", r"I (?P<value>freelance)"),
    ClauseForm("job", rf"{AM} {NOW}doing (?:an?|my) (?:[a-z]+ )?{_DEGREE} in {_STUDIES}"),
    ClauseForm(
        "job",
        rf"{AM} {NOW}in my (?:first|second|third|fourth|final|last|1st|2nd|3rd|4th) year "
        rf"(?:of|studying|doing) {_STUDIES}",
    ),
    ClauseForm(
        "partner",
        rf"{AM} {NOW}(?:seeing|dating) an? (?:[a-z]+ )?(?:guy|man|bloke|lad|fella|woman|girl|lady) "
        rf"(?:called|named) (?P<value>{NAME})",
    ),
    ClauseForm(
        "partner",
        rf"[Mm]e and (?P<value>{NAME}) (?:are|got) {NOW}"
        r"(?:married|engaged|together|a couple|dating)",
    ),
    ClauseForm(
        "relation",
        rf"(?:{WE} have|{WE}['’]ve got|{WE} have got) an? {CLOSE}(?P<topic>{KIN}), "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm(
        "relation",
        rf"{HAVE} {NOW}(?:had|welcomed) (?:a|our) (?:(?:little|second|third|baby|beautiful) )*"
        r"(?P<topic>girl|boy|son|daughter)(?:,| called| named|:) "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm(
        "job",
        rf"{SOMEBODY} (?:studies|is {NOW}studying) {_STUDIES}(?: (?:at|in) .+)?",
    ),
    ClauseForm("workplace", rf"I last (?:day|shift) at {PLACE}", "ended"),
    ClauseForm("housemate", rf"(?P<value>{NAME}) and I (?:have )?{NOW}moved in together"),
    ClauseForm("housemate", rf"{WE} {NOW}live on my own", "ended"),
    ClauseForm(
        "medication",
        rf"{DOCTOR}(?:changed|switched|swapped) my (?P<instead>[a-z]+) (?:for|to) {MEDICINE}",
    ),
    ClauseForm(
        "skill",
        rf"(?:{HAVE} {NOW}(?:finally )?(?:learnt|learned) (?:how )?to|I can {NOW}) ?"
        rf"(?P<value>{any_of(set(PRACTISED))})",
    ),
    ClauseForm("hobby", rf"{HAVE} {NOW}(?:taken up|took up) (?P<value>[a-z]{{2,}}ing)"),
    ClauseForm("food", rf"{HAVE} {NOW}(?:gone|went) back to (?:eating )?(?P<value>{FOOD})"),
    ClauseForm(
        "taste",
        rf"{HAVE} {NOW}(?:come (?:round|around) to|warmed to|(?:got|developed) a taste for) "
        rf"{THING}",
    ),
    ClauseForm("taste", rf"{THING} (?:has|have) (?:(?:really|rather|kind of) )?grown on me"),
    ClauseForm("allergy", rf"I allergic to {THING}"),
    ClauseForm(
        "food",
        rf"I(?: have not| haven['’]?t|['’]ve not) (?:eaten|touched|had) (?P<value>{FOOD})"
        rf"(?: in (?:[a-z]+ ){{0,2}}(?:years|months|ages|decades)|{LASTED})",
        negative=True,
    ),
    ClauseForm(
        "taste",
        rf"{THING} (?:is|are) (?:(?:really|totally|so|just|still) )*my (?:thing|favou?rite"
        r"(?: thing)?)",
    ),
    ClauseForm("taste", rf"I (?:big|huge|massive) fan of {THING}"),
    ClauseForm(
        "taste",
        rf"I (?:not|never been) (?:really |that |very |so |too )?(?:keen on|fond of) {THING}",
        negative=True,
    ),
    ClauseForm(
        "taste",
        r"(?!(?:the|this|that|these|those|you|they|we|people|men|women|kids|some|all|my|your|his|her|"
        r"their|our)\b)(?P<value>[a-z]+(?: [a-z]+)?) (?:is|are) (?:(?:just|so|absolutely) )?"
        r"(?:disgusting|revolting|vile|gross)",
        negative=True,
    ),
    ClauseForm("prefers", r"I (?P<value>[\w'’-]+ over [\w'’-]+),? (?:any day|every time)"),
    ClauseForm("hobby", rf"{WE} {NOW}do {_ACTIVITY}(?: (?:at|in|with) .+)?"),
    ClauseForm("hobby", rf"[Mm]y (?:main )?hobb(?:y is|ies are) {THING}"),
    ClauseForm("hobby", rf"{THING} (?:is|are) my (?:main |new )?(?:hobby|hobbies)"),
    ClauseForm("hobby", rf"{WE} {NOW}play {_GAME}"),
    ClauseForm(
        "hobby",
        rf"(?:{AM}|{HAVE}(?: been| started)) {NOW}learning (?:to play )?(?:the )?"
        rf"(?P<value>{INSTRUMENT}|(?i:{LANGUAGE}))",
    ),
    ClauseForm(
        "hobby",
        rf"{HAVE} {NOW}(?:started|taken up|began|begun|took up) (?:the )?"
        rf"(?P<value>{INSTRUMENT}|(?i:{LANGUAGE}))(?: (?:lessons|classes))?",
    ),
    ClauseForm(
        "hobby",
        r"I (?P<value>paint|draw|bake|garden|knit|sew|write|sing|dance|cycle|climb|fish|sail|surf|"
        r"hike|row|crochet|act|code|run|swim|cook) (?:a bit )?(?:in|on) (?:my|the) "
        r"(?:spare time|free time|weekends?|side)",
    ),
)
"""What the whole of a clause is; "I" stands before what chats leave it out of."""
UNSAID = (
    r"been (?:in|at)\b|last (?:day|shift) at\b|(?:brand )?new job at\b|allergic to\b|"
    r"(?:big|huge|massive) fan of\b|"
    r"(?:not|never been) (?:(?:really|that|very|so|too) )?(?:keen on|fond of)\b|"
    r"\w+ over \w+,? (?:any day|every time)"
)
"""How a clause may begin of which "I" or "I am" is left out."""
