"""What the strict reader finds anywhere in a sentence: wishes, tools, projects, relatives, pets."""

from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.forms import (
    AM,
    CLOSE,
    I_HAVE,
    KIN,
    NAME,
    NO_NAME,
    NOW,
    OCCUPATION,
    PET,
    PETS_OWN,
    PLACE,
    WE,
)
from mindpipe.language.verb_forms import PAST
from mindpipe.language.words import any_of

_SHORT = r"(?P<value>[^.,!?;\n]{2,80})"
_PHRASE = r"(?P<value>[^.!?;\n]{3,120})"
_WHO = (
    r"\b(?:[Tt]he )?(?P<subject>(?!(?:He|She|It|They|This|That|Who|What|One|Everyone|Nobody)\b)"
    r"(?:[Uu]ser|[Oo]perator|[A-ZÀ-ÞŁŚŽ][\w'’.&+-]*))"
)
_STILL = "also|now|still|currently|just|only|already|always|mostly|usually"
_NOT = "no|not|never|nor|longer|barely|hardly|rarely|seldom"
_PROJECT = (
    r"\b(?:(?:[Tt]he|[Oo]ur|[Mm]y) )?"
    rf"(?P<subject>[A-Z][\w.-]*(?: (?!(?:{_STILL}|{_NOT})\b)[A-Za-z][\w.-]*){{0,2}}?|"
    rf"[\w-]+\.[a-z]{{2,4}})(?: (?:{_STILL}))*"
)
_PROGRAM = (
    r"(?P<subject>(?:[A-Z][\w-]* )?(?:site|website|app|shop|store|blog|backend|frontend|server|api|"
    r"bot|service|platform|pipeline|cluster|database|dashboard|prototype))"
)
_RELEASED = (
    rf"(?P<subject>{NO_NAME}(?!(?:At|In|On|By|From|Since|Until|Around|About|After|Before) )"
    r"(?:[A-Z][\w-]+(?:[.][\w-]+)* ){0,2}(?:[A-Z][\w-]*[.][a-z]+|"
    r"(?:[A-Z][\w-]+(?:[.][\w-]+)*|[a-z]?[A-Z]+[a-z]+) v?\d[\w.]*)(?: [A-Z]\w*)?|"
    r"(?<![A-Z’'] )(?<![a-z] )(?!Ma?c)[a-z]?[A-Z]+[a-z]+[A-Z]\w*|"
    r"(?<=[Tt]he )[A-Z][\w-]*(?: [A-Z0-9][\w-]*){0,3})"
)
"""What comes out as a thing does, and no person: its name has a number, a dot or an article."""
_MONTHS = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_STAGES = (
    "(?:active |early |open |closed |limited )?(?:development|beta|alpha|production|maintenance|"
    "staging|testing|review)|on hold|paused|live|launched|finished|cancelled|archived"
)
_MODES = (
    "maintenance|debug|safe|dark|light|read-only|offline|online|standby|test|testing|dev|demo|"
    "development|production|batch|cluster|single-user|multi-user|strict|recovery|rescue|kiosk"
)
PHRASES = (
    ClauseForm(
        "workplace",
        rf"^(?:{AM} {NOW}|{WE} {NOW}work as )an? (?:[a-z-]+ ){{0,2}}(?:{OCCUPATION}) "
        rf"(?:at|for) (?:the )?(?P<value>{NAME})(?=['’]?(?: in {NAME})?[.!]*$)",
    ),
    ClauseForm(
        "pet",
        r"^(?:I|[Ww]e)(?:['’]ve got| have) (?:[a-z]+ ){1,3}and an? (?:[a-z]+ )?"
        rf"(?P<topic>{PET}) (?:called|named) (?P<value>{NAME})",
    ),
    ClauseForm("age", rf"(?P<subject>{NO_NAME}{NAME}), aged? (?P<value>\d{{1,3}}|[a-z-]+)\b"),
    ClauseForm(
        # "that's my youngest, Dale" may well speak to Dale.
        "relation",
        rf"\b(?<!hat['’]s )(?<!hat is )(?:[Mm]y|[Oo]ur) {CLOSE}(?P<topic>{KIN})(?:,? | ?\()"
        rf"(?P<value>{NAME})",
    ),
    ClauseForm(
        "pet",
        rf"\b(?:[Mm]y|[Oo]ur) {PETS_OWN}(?P<topic>{PET}),? (?P<value>{NAME})"
        r"(?! (?:was|used|had|would|died|passed|got put|is no|isn['’]t|has died|has passed))\b",
    ),
    ClauseForm(
        "relation",
        rf"\b(?P<subject>{NAME})['’]s {CLOSE}(?P<topic>{KIN})(?:,| is(?: called)?)? "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm(
        "relation",
        rf"^(?P<value>{NAME}), (?P<subject>{NAME})['’]s {CLOSE}(?P<topic>{KIN}),",
    ),
    ClauseForm(
        "relation",
        rf"^(?P<value>{NAME}) is (?P<subject>{NAME})['’]s {CLOSE}(?P<topic>{KIN})\b",
    ),
    ClauseForm(
        "instruction",
        r"^(?:Please |From now on,? )?(?P<value>(?:[Aa]lways|[Nn]ever) "
        r"(?![a-z]+(?:ing|ed|en|ly|[^su\W]s)\b)(?!\w+ (?:I|we)\b)"
        rf"(?!(?:{any_of(PAST)})\b)(?!(?:have|off|once|mind|known|felt|met|got|had|ran|went|came|saw|told|thought|made|took|was|were|did|gets|"
        r"kept|left|lost|found|heard|won|held|hurt|again|ever|"
        r"a|an|the|in|on|at|up|to|so|such|been|had|here|there|"
        r"good|nice|happy|great|fun|give|say|saw|mind)\b)[a-z][^.!?;\n]{3,160})",
    ),
    ClauseForm(
        "favourite",
        r"\b[Mm]y (?:new )?favou?rite (?P<topic>[\w ]{3,30}?) (?:is|are) (?:now )?"
        r"(?P<value>[^.,!?;\n]{2,80}?)(?: (?:now|these days|nowadays|at the moment))?"
        r"(?=[.,!?;\n]|$| and (?:my|I)\b)",
    ),
    ClauseForm("prefers", rf"\bI (?:\w+ )?prefer(?: to| using| having)? {_SHORT}"),
    ClauseForm("prefers", rf"{_WHO} (?:\w+ )?prefers(?: to| using| having)? {_SHORT}"),
    ClauseForm(
        "prefers",
        r"\bI (?:(?:always|usually|mostly|generally|still) )?(?:go for|opt for|choose|pick) "
        r"(?P<value>(?!(?:a|an|the|my|him|her|it|them|that|this)\b)[^.,!?;\n]{2,40} over "
        r"[^.,!?;\n]{2,60})",
    ),
    ClauseForm(
        "prefers",
        r"\bI (?:(?:always|usually|mostly|generally|still) )?(?:go for|opt for) "
        r"(?P<value>(?!(?:a|an|the|my|him|her|it|them|that|this)\b)[^.,!?;\n]{2,40} "
        r"(?:when|whenever|where|wherever) [^.,!?;\n]{2,60})",
    ),
    ClauseForm(
        "prefers",
        r"^(?P<value>(?!(?:This|That|These|Those|What|It|Monday|Tuesday|Wednesday|Thursday|Friday|"
        r"Saturday|Sunday|Tomorrow|Morning|Afternoon|Evening|Noon)s?\b)[A-Z][\w -]{3,60}?) "
        r"works? best for me\b(?! (?:this|today|on|at|next|tomorrow))",
    ),
    ClauseForm("communication_style", rf"(?:\bI respond|{_WHO} responds) best to {_PHRASE}"),
    ClauseForm(
        "tendency", rf"\bI (?:tend to|often|usually|sometimes|rarely|generally) (?=[a-z]){_PHRASE}"
    ),
    ClauseForm(
        "tendency",
        r"\b(?P<value>[A-Z][\w ]{2,60} (?:skews?|leans?) (?:toward|towards|to) [^.!?;\n]{2,80})",
    ),
    ClauseForm("strength", rf"\bI(?: am|['’]m) (?:good|reliable|strong) (?:at|with|in) {_PHRASE}"),
    ClauseForm(
        "weakness",
        rf"\bI(?: am|['’]m)? (?:struggle with|bad at|weak at|unreliable (?:at|with)) {_PHRASE}",
    ),
    ClauseForm(
        "status",
        rf"{_PROJECT} (?:is|has been|went)(?: now| currently| still)*(?: in| into| under)?"
        rf" (?P<value>{_STAGES})\b",
    ),
    ClauseForm(
        "status",
        r"^(?P<subject>(?!(?:it|this|that|he|she|what|which|everything|one)\b)[a-z][\w.-]*) is"
        rf"(?: now| currently| still)* in (?P<value>{_STAGES})\b",
    ),
    ClauseForm(
        "status",
        rf"{_PROJECT} is(?: (?:{_STILL}))* being (?:built|developed|worked on)\b",
        value="active development",
    ),
    ClauseForm(
        "launch",
        r"\b(?:[Ww]e|I)(?:['’]re| are|['’]m| am) (?:aiming|planning|going|about) to "
        r"(?:launch|release|ship) (?P<subject>[A-Z][\w.-]*|[\w-]+[.][a-z]{2,4}) in (?:an? )?"
        r"(?P<value>Q[1-4](?: \d{4})?|[A-Z][a-z]+ \d{4})",
    ),
    ClauseForm(
        "launch",
        rf"{_PROJECT} (?:[a-z ,]{{0,40}})?(?:targets|targeting|aims for|launches in|will launch in)"
        r" (?:an? )?(?P<value>Q[1-4](?: \d{4})?|[A-Z][a-z]+ \d{4})",
    ),
    ClauseForm(
        "port",
        rf"{_PROJECT} (?:is|runs|listens|serves|works|uses [a-z]+ mode)(?: [a-z]+)? on port"
        r" (?P<value>\d{2,5})\b",
    ),
    ClauseForm("port", rf"{_PROJECT} listens on (?P<value>\d{{2,5}})\b"),
    ClauseForm("mode", rf"{_PROJECT} (?:uses|runs in|switched to) (?P<value>[a-z-]+) mode\b"),
    # Of people too it is said in which mode they are: "in zombie mode".
    ClauseForm("mode", rf"{_PROJECT} is in (?P<value>{_MODES}) mode\b"),
    ClauseForm(
        "event",
        r"\b(?P<subject>(?!(?:I|He|She|It|We|They|You|This|That)\b)"
        r"[A-Z][\w.-]*(?: [A-Za-z0-9][\w.-]*){0,3}?)"
        r" was (?P<topic>released|founded|launched|published|discontinued)"
        r"(?: in| on)? (?P<value>[A-Z0-9][^.,;!?\n]{2,40})",
    ),
    ClauseForm(
        "event",
        rf"\b(?P<subject>(?!(?:I|He|She|It|We|They|You|This|That|My|Our|His|Her|Their)\b){NAME})"
        r" was (?P<topic>born) (?P<value>(?:in|on) [A-Z0-9][^.,;!?\n]{2,40})",
    ),
    ClauseForm(
        "event",
        rf"\b{_RELEASED}(?: (?:first|finally|only))? (?:came out|launched|shipped)(?: in| on)? "
        rf"(?P<value>(?:\d{{1,2}} )?{_MONTHS}(?: \d{{1,2}},?)?(?: \d{{4}})?|\d{{4}}|"
        r"Q[1-4](?: \d{4})?)\b",
        topic="released",
    ),
    ClauseForm(
        "event",
        rf"^(?:The )?{NO_NAME}{NAME} (?:released|launched|published|shipped) (?:the )?{_RELEASED} "
        rf"(?:in|on) (?P<value>(?:\d{{1,2}} )?{_MONTHS}(?: \d{{1,2}},?)?(?: \d{{4}})?|\d{{4}})\b",
        topic="released",
    ),
    ClauseForm(
        "platform",
        rf"(?:(?!(?:The|Our|My) [a-z]){_PROJECT}|^(?P<subject_2>"
        r"(?!(?:it|this|that|he|she|what|which|everything|one|work)\b)"
        r"[a-z][\w.-]*)) (?:runs on|is (?:written|built|made|coded) (?:in|on|with)) "
        r"(?P<value>(?!(?:Route|Platform|Day|Track|Line|Lane|Highway)\b)[A-Z][\w+#-]*"
        r"(?:[.][a-z]+)?(?: [A-Z][\w+#-]*)? v?\d+(?:[.]\d+)*)",
    ),
    ClauseForm(
        "platform",
        rf"\b(?:[Tt]he|[Oo]ur|[Mm]y) {_PROGRAM}(?: (?:{_STILL}))* "
        r"(?:runs on|is (?:written|built|coded) (?:in|on|with)) "
        r"(?P<value>(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)[A-Z][\w+#-]*"
        r"(?:[.][a-z]+)?(?: v?\d+(?:[.]\d+)*)?)",
    ),
    ClauseForm(
        "version",
        r"\b(?P<subject>[A-Z][A-Za-z]+(?:[.-][A-Za-z]+)*(?: [A-Z][A-Za-z]+)?)(?: version)?"
        r" v?(?P<value>\d+(?:\.\d+){1,3})(?![\w%])",
    ),
)
"""What is found anywhere in a sentence: wishes, tools and projects, and what a mind is like."""
_WRONG_ABOUT = (
    r"(?:(?:and|so|ok|okay|well|yes)\b[, ]*)*I(?: was|['’]ve been| have been) (?:so |quite )?"
    r"wrong about "
    r"(?:the )?(?P<value>[\w'’-]+(?: [\w'’-]+)?)[.!,;:–-]+ I(?: actually| really| do)? {0} "
    r"(?:it|them|that stuff|those)\b"
)
PAIRS = (
    ClauseForm(
        "relation",
        rf"{NO_NAME}(?P<value>{NAME}) and I\b[^.!?]{{2,60}}[.!?,;–-]+ (?:(?:so|and|but|now) )*we"
        r"(?:['’]re| are)(?: not|n['’]?t| no longer) (?P<topic>friend)s\b",
        "denied",
        ends_only=True,
    ),
    ClauseForm("taste", _WRONG_ABOUT.format("(?:love|like|adore|enjoy)")),
    ClauseForm(
        "taste",
        _WRONG_ABOUT.format("(?:hate|loathe|detest|can['’]?t stand|don['’]?t like)"),
        negative=True,
    ),
    ClauseForm(
        "workplace",
        rf"{I_HAVE}{NOW}(?:left|quit|resigned from) (?:the )?(?P<instead>{NAME})[.!,;]*"
        rf"(?: and| so)? (?:I['’]?m|I am) (?:now )?(?:at|with) {PLACE}"
        r"(?: now| these days| instead)?(?=[.!,;]|$)",
    ),
    ClauseForm(
        "partner",
        r"(?:(?:I(?:['’]m|['’]ve)?|am|have|been) )*(?:[Mm]et|[Ss]eeing|[Dd]ating) "
        r"(?:someone|somebody)(?: new)?(?: btw| now)?[^\w]+(?:(?:and )?(?i:her|his|their) )?"
        rf"[Nn]ame(?:['’]s| is) (?P<value>{NAME})",
    ),
    ClauseForm(
        "job",
        r"(?:[\w'’]+ ){1,3}offered me (?:an?|the) "
        r"(?P<value>(?!(?:new|best|same|old|other|dream)\b)[a-z]+(?: [a-z]+){0,2}) "
        r"(?:job|post|role|position)"
        r"(?: (?:at|in|with|for) [^.!?,]+)?[.!?,]+ (?:(?:and|so|of course|obviously) )*(?:I )?"
        r"(?:(?:said|told them) yes|accepted|took it)\b",
    ),
)
"""What a sentence says only together with the one behind it."""
