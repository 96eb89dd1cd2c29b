"""The sentence forms of the strict reader: what the whole of a clause may be, and what it says."""

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.clause_form import ClauseForm, ends
from mindpipe.language.numerals import WORDS as NUMBERS
from mindpipe.language.records import ENDING
from mindpipe.language.words import any_of

INSTRUMENT = any_of(words.INSTRUMENTS)
_DOING = r"(?P<value>(?!(?:morn|even|meet|build|noth|someth|anyth|everyth)ing)[a-z]{2,}ing)"
_PURSUIT = (
    r"(?P<value>(?!(?:over|half|week|day|month|year|double|triple|debt|second|minute|hour|third|"
    r"part|round|quarter|stoppage|work|trouble|town)|(?:morn|even|meet)ing)[a-z]{3,})"
)
"""What somebody is into as such: one word, and no stretch of time."""
_STEMS = any_of(frozenset(words.MEDICINE_STEMS))
MEDICINE = (
    r"(?:(?:the|my) )?"
    rf"(?P<value>(?i:[a-z]{{2,}}(?:{_STEMS})(?<!sterol)|{any_of(words.MEDICINES)}))"
)
NAME = (
    r"[A-ZÀ-ÞŁŚŽ][\w'’.&+-]*"
    r"(?: (?:(?:of|de|la|del|van|von|the|di|am|upon) )?[A-ZÀ-ÞŁŚŽ0-9][\w'’.&+-]*){0,3}"
)
MONTH = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_NTH = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?|(?:(?:twenty|thirty)[- ])?(?:first|second|third|fourth|fifth|"
    r"sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|[a-z]{3,6}teenth|twentieth|thirtieth)"
)
DATE = rf"(?:(?:the )?{_NTH}(?: of)? {MONTH}|{MONTH} (?:the )?{_NTH})"
NO_NAME = (
    r"(?!(?:Nobody|Nothing|None|Neither|Nor|Never|Not|No|Hardly|Barely|Who|What|Which|Where|When|Why|"
    r"How|If|Unless|Until|Maybe|Perhaps|Had|Has|Have|Did|Does|Would|Could|Should|May|Might|"
    r"Somebody|Someone|Anybody|Anyone|Everybody|Everyone|I|We|You|It|That|This|There|One)\b)"
)
"""Before a word with a capital: the words that begin a sentence and are nobody's name."""
GIVEN_NAME = (
    r"(?![A-Z]+\b|(?:"
    + any_of({one.title() for one in words.NO_FIRST_NAMES})
    + r")\b)[A-ZÀ-ÞŁŚŽ][a-zß-ÿ]{2,}"
)
"""What is a first name behind `I'm`, and no people, faith or sign: of `I'm Irish` nothing is."""
SOMEBODY = (
    r"(?P<subject>(?![^,]*\bI\b)(?!(?:On|In|At|By|Since|Until|From|When|After|Before|Yesterday|Tomorrow|"
    r"He|She|It|They|This|That|Who|What|One|Everyone|Everybody|Nobody|Somebody|"
    r"Someone|Anyone|There|Here|You|We|I|Mum|Mom|Dad|Mam|Life|Work|Everything|Nothing|Today)\b)"
    rf"{NAME})"
)
PLACE = rf"(?:the )?(?P<value>{NAME}(?:, {NAME})?)"
_FIRM_WORDS = any_of(
    {one.capitalize() for one in words.WORKPLACES}
    | words.listed("Ltd Limited Inc GmbH AG PLC Company Council Group Bank Agency Trust Institute")
)
_FIRM = (
    rf"(?:[Tt]he |(?=(?:[A-ZÀ-Þ][\w'’&-]* ){{1,3}}(?:{_FIRM_WORDS})\b)){NO_NAME}"
    rf"(?P<GROUP>{NAME})"
)
"""What hires somebody and is nobody of that first name: `the BBC`, `Harbour Hotel`."""
NO_FIRM = late(
    r"(?:the )?(?:[A-ZÀ-Þ][\w'’&-]* )*(?:(?:Club|Choir|Gym|Band|Team|League|Runners|Harriers|"
    r"Society|Party|Church|Orchestra|Union|Association|Army|Navy|Scouts|Tinder|Netflix|Facebook|"
    rf"Instagram|{any_of({one.capitalize() for one in words.PROGRAMS})}))"
)
"""What people join who do not work there."""
THING = r"(?P<value>[\w'’-]+(?: [\w'’-]+){0,4}?)"
WE = r"(?:I|[Ww]e)"
HAVE = rf"{WE}(?:['’]ve| have)?"
I_HAVE = r"(?:(?:[Ww]e|I)(?:['’]ve| have)? )?"
"""Where chats leave it out."""
AM = r"(?:I['’]?m|I am|[Ww]e['’]re|[Ww]e are)"
DO_NOT = r"(?:(?i:do not|don['’]?t)|no longer|never)"
AM_NOT = rf"{AM} (?i:not|no longer)"
NOW = (
    r"(?:(?:just|now|currently|recently|finally|officially|still|also|actually|really|both|"
    r"already) )*"
)
VERY = (
    r"(?:(?:really|do|just|absolutely|also|still|actually|quite|always|now|honestly|totally|so) )*"
)
THEM = r"(?:it|them|those|that|the stuff|these)"
BY_NOW = r"(?: a lot| too)?(?:,? (?:now|these days|nowadays|any ?more|after all|again))+"
_BY_DAY = (
    r"(?:(?:[Ii]n the (?:day(?:time)?|mornings|evenings)|[Bb]y (?:day|night)|"
    r"[Dd]uring the (?:day|week)) )?"
)
_SHIFTS = r"(?:(?:nights|days|shifts|weekends|mornings|evenings|part[- ]time|full[- ]time) )?"
DOCTOR = (
    rf"(?:(?:[Tt]hey|[Ss]he|[Hh]e|(?:[Mm]y|[Tt]he) (?i:clinic|hospital|{any_of(words.DOCTORS)})|"
    rf"(?:(?:Dr|Doctor)\.? )?{NO_NAME}[A-ZÀ-ÞŁŚŽ][\w'’-]+)"
    r"(?:['’]ve|['’]s| have| has)? (?:(?:just|now|also|finally|recently) )*)"
)
KIN = any_of(words.RELATIVES | {"business partner"})
PET = any_of(words.PETS)
FOOD = any_of(words.FOODS)
_HOW = any_of(
    words.listed(
        """
        during after before until till since while without within past between under over around
        near through out as than like off inside outside except beyond unless besides
        among against despite per alone much enough well properly late early fast often
        breakfast lunch dinner supper
        """
    )
)
"""How what is no food begins behind "eat": when, where or how, or which meal."""
DIET = any_of(words.DIETS)
ILLNESS = any_of(words.ILLNESSES | words.LONG_ILLNESSES)
_DURABLE = rf"(?P<value>(?:[a-z-]+ )?(?i:{any_of(words.DURABLES)}))"
DWELLING = rf"(?:[a-z-]+ ){{0,2}}(?:{any_of(words.DWELLINGS)})"
WORKPLACE = (
    rf"(?P<value>(?:[a-z-]+ ){{0,2}}(?:{any_of(words.WORKPLACES)}|[a-z]+(?:yard|shop|works|mill)))"
)
LASTED = (
    r"(?: for (?:[a-z]+ ){0,3}(?:years?|months?|decades?|ages)| since .+| all my life|"
    r" my whole life)"
)
"""How long it has been so, in forms that end in it."""
PETS_OWN = (
    r"(?:(?:new|little|young|small|big|tiny|lovely|black|white|grey|gray|brown|ginger|tabby|"
    r"rescue) )*"
)
CLOSE = (
    "(?:(?:older|younger|elder|little|big|best|close|new|"
    rf"old(?! (?:{any_of(words.OF_A_TIME)})\b)) )*"
)
_YEARS = r"(?P<value>\d{1,3}|[a-z]+(?:-[a-z]+)?)"
_GROWN = (
    r"(?!(?:[1-9]|1[01]|one|two|three|four|five|six|seven|eight|nine|ten|eleven)$)"
    r"(?P<other>\d{1,3}|[a-z]+(?:-[a-z]+)?)"
)
"""Who is younger says so in years: of a bare smaller number it is not known what it counts."""
LANGUAGE = any_of(words.LANGUAGES)
OCCUPATION = any_of(words.OCCUPATIONS)
JOB = (
    rf"(?P<value>(?:[a-z-]+ ){{0,2}}(?:{OCCUPATION}|(?:team|shift|tech|project|squad) lead(?:er)?)|"
    r"(?:deputy )?head of [a-z]+|(?:C[A-Z]O|VP))"
)

FORMS = (
    ClauseForm("residence", rf"{WE} {NOW}live (?:here )?in {PLACE}"),
    ClauseForm("residence", rf"{AM} {NOW}(?:living|based|settled) in {PLACE}"),
    ClauseForm(
        "residence",
        rf"{HAVE} {NOW}(?:moved|relocated) (?:(?:back|over|down|up) )?(?:from {NAME} )?"
        rf"to {PLACE}(?: from {NAME})?",
    ),
    ClauseForm(
        "residence",
        rf"{AM} {NOW}(?:moving|relocating) (?:back |over )?to {PLACE}"
        r"(?: for (?:work|love|good|(?:an?|my|the) (?:new )?(?:job|position|role)))?(?: instead)?",
        "planned",
    ),
    ClauseForm(
        "residence",
        rf"(?:{WE}(?:['’]ll| will|['’]m going to|['’]re going to)(?: be)? (?:move|moving) |"
        rf"{WE} move )(?:back |over )?to {PLACE}",
        "planned",
    ),
    ClauseForm(
        "residence",
        rf"{WE} (?:won['’]?t|will not)(?: be)? (?:move|moving) (?:back |over )?to {PLACE}",
        "denied",
    ),
    ClauseForm("residence", rf"(?:{WE} have|{WE}['’]ve) been living in {PLACE}"),
    ClauseForm("residence", rf"{WE} used to live in {PLACE}", "ended"),
    ClauseForm("residence", rf"{SOMEBODY} {NOW}lives in {PLACE}"),
    # What has moved may be a firm: it is a home only where one is held.
    ClauseForm(
        "residence",
        rf"{SOMEBODY}(?: has|['’]s)? {NOW}(?:moved|relocated) (?:back |over )?to {PLACE}",
        ends_only=True,
    ),
    ClauseForm(
        "residence",
        rf"[Mm]y {CLOSE}(?:{KIN}),? {SOMEBODY}(?: has|['’]s)? {NOW}(?:moved|relocated) "
        rf"(?:back |over )?to {PLACE}",
    ),
    ClauseForm(
        "residence",
        rf"{SOMEBODY} (?:does not live|doesn['’]?t live|no longer lives) in {PLACE}",
        "denied",
    ),
    ClauseForm(
        "residence",
        rf"{HAVE} {NOW}settled (?:down )?(?:in|into my new \w+ in) {PLACE}",
    ),
    ClauseForm("residence", rf"{WE} {DO_NOT} live in {PLACE}", "denied"),
    ClauseForm("residence", rf"{WE} {DO_NOT} live there", "denied", ends_only=True),
    ClauseForm("residence", rf"{AM_NOT} (?:living|based) in {PLACE}", "denied"),
    ClauseForm(
        "residence",
        rf"{WE}(?:['’]ve never| have never| never| have not| haven['’]?t| did not| didn['’]?t) "
        rf"(?:lived in|moved? (?:back )?to) {PLACE}",
        "denied",
    ),
    ClauseForm(
        "residence",
        rf"{AM} (?:not|NOT) moving (?:back )?to {PLACE}(?: after all)?",
        "denied",
    ),
    ends(
        "residence",
        rf"{I_HAVE}{NOW}(?:(?:[Hh]anded|[Gg]ave|[Gg]iven) back (?:the|our|my) (?:keys|flat keys|"
        rf"{DWELLING})(?: to (?:the|our|my) (?:landlord|landlady|(?:letting )?agen(?:cy|t)))?|"
        rf"[Mm]oved out(?: of (?:the|our|my) {DWELLING})?)",
    ),
    ClauseForm(
        "residence", rf"{HAVE} (?:moved out of|stopped living in) {PLACE}(?<=[a-z])", "ended"
    ),
    ends("residence", rf"{HAVE} {NOW}(?:moved away from|left) {PLACE} for good"),
    ends("residence", rf"{HAVE} {NOW}moved away from {PLACE}"),
    ends(
        "residence",
        rf"{HAVE} {NOW}(?:gave up|given up|left|sold) (?:our|my|the) (?:[a-z]+ )?"
        rf"(?:{any_of(words.DWELLINGS)}) in {PLACE}",
    ),
    ClauseForm("residence", rf"(?:[Mm]y )?[Hh]ome(?:['’]s| is) {NOW}{PLACE}"),
    ClauseForm(
        "residence",
        rf"{NO_NAME}{PLACE} (?:is|has been) (?:my|our) (?:new )?home(?: (?:now|for|since)\b.*)?",
    ),
    ClauseForm("residence", rf"[Mm]y (?:new |home )?address(?: is|['’]s) {NOW}{PLACE}"),
    ClauseForm(
        "residence",
        rf"{WE} {NOW}rent an? {DWELLING} in {PLACE}",
    ),
    ClauseForm("residence", rf"{HAVE} {NOW}(?:lived|been living|been based) in {PLACE}{LASTED}"),
    ClauseForm(
        "residence",
        rf"{HAVE} {NOW}moved into (?:an?|our|my|the) (?:new )?{DWELLING} in {PLACE}",
    ),
    ClauseForm(
        "residence",
        rf"{WE} {NOW}live (?:on|at) (?:(?:no\.? ?|number )?\d+\w?,? )?"
        r"(?P<value>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)? (?:Street|Road|Avenue|Lane|Square|Close|"
        r"Terrace|Drive|Way|Row|Court|Crescent|Place|Hill|(?i:pier|wharf|quay|island|farm)))",
    ),
    ClauseForm(
        "residence",
        rf"{HAVE} {NOW}moved (?:back )?in with (?:my|our) [a-z ]+ in {PLACE}",
    ),
    ClauseForm(
        "residence",
        rf"{HAVE} {NOW}(?:got|gotten|found|taken|took|bought|rented|signed for) "
        rf"(?:an?|our|my) (?:new |little |tiny |small |own )*"
        rf"(?:{any_of(words.DWELLINGS - {'room'})}) in {PLACE}",
    ),
    ClauseForm("hometown", rf"{AM} {NOW}(?:originally )?from {PLACE}(?: originally)?"),
    ClauseForm(
        "hometown",
        r"I (?:come|hail) (?:originally )?from "
        rf"(?:an? (?:[a-z]+ )?(?:town|village|city|place) called )?{PLACE}(?: originally)?",
    ),
    ClauseForm("hometown", rf"I(?: was)? (?:born(?: and (?:raised|bred))?|grew up) in {PLACE}"),
    ClauseForm("hometown", rf"{AM} (?:not|NOT)(?: actually| even)? from {PLACE}", "denied"),
    ClauseForm("housemate", rf"{HAVE} {NOW}moved in with (?P<value>{NAME})"),
    ClauseForm(
        "housemate",
        rf"{WE} {NOW}share (?:an?|my|the) {DWELLING} with (?P<value>{NAME})",
    ),
    ClauseForm("housemate", rf"{NO_NAME}(?P<value>{NAME}) and I {NOW}share an? {DWELLING}"),
    ClauseForm("residence", rf"{WE} {NOW}share an? {DWELLING} in {PLACE}(?: with .+)?"),
    ends(
        "housemate",
        rf"{NO_NAME}(?P<value>{NAME}) (?:has |has just |just )?moved out"
        rf"(?: (?!of\b).+| of (?:the|our|my) (?:{any_of(words.DWELLINGS)}))?",
    ),
    ClauseForm("housemate", rf"{NO_NAME}(?P<value>{NAME}) (?:has )?moved in with (?:me|us)"),
    ClauseForm("housemate", rf"{WE} {NOW}live with (?P<value>{NAME})"),
    ClauseForm("housemate", rf"{WE} {DO_NOT} live with (?P<value>{NAME})", "denied"),
    ClauseForm(
        "workplace",
        rf"{WE} {NOW}work {_SHIFTS}(?:at|for) {PLACE}(?: in {NAME})?(?: as an? .+)?",
    ),
    ClauseForm("workplace", rf"{AM} {NOW}(?:working|employed) (?:at|for|by) {PLACE}"),
    ClauseForm(
        "workplace",
        rf"{HAVE} {NOW}(?:joined(?! the | .+['’]s? |"
        rf" {NO_FIRM.pattern}(?: |$))|started (?:work |working )?at) "
        rf"{PLACE}",
    ),
    ClauseForm(
        "workplace",
        rf"(?:{WE} start|{AM} starting|{WE}['’]ll start|{WE} will start|{WE} begin)"
        rf"(?: work| working)? at (?:the )?{PLACE}",
        "planned",
    ),
    ClauseForm(
        "workplace",
        rf"(?:{WE} (?:won['’]?t|will not|don['’]?t)(?: be)? start(?:ing)?|{AM} not starting)"
        r"(?: work| working)? "
        rf"at (?:the )?{PLACE}",
        "denied",
    ),
    ClauseForm("workplace", rf"(?:{WE} have|{WE}['’]ve) been working (?:at|for) {PLACE}"),
    ClauseForm("workplace", rf"{WE} used to work (?:at|for) {PLACE}", "ended"),
    ClauseForm("workplace", rf"{WE} {DO_NOT} work (?:there|for them)", "denied", ends_only=True),
    ends("workplace", rf"{WE} (?:just |finally )?(?:quit|stopped working) there"),
    ClauseForm("workplace", rf"{SOMEBODY} {NOW}works (?:at|for) {PLACE}"),
    ClauseForm("workplace", rf"{WE} {DO_NOT} work (?:at|for|with) {PLACE}", "denied"),
    ClauseForm(
        "workplace",
        rf"{WE}(?:['’]ve never| have never| never| have not| haven['’]?t| did not| didn['’]?t) "
        rf"work(?:ed)? (?:at|for|with) {PLACE}",
        "denied",
    ),
    ClauseForm("workplace", rf"{AM_NOT} (?:working|employed) (?:at|for|by) {PLACE}", "denied"),
    ClauseForm(
        "workplace",
        rf"{SOMEBODY} (?:does not work|doesn['’]?t work|no longer works) (?:at|for) {PLACE}",
        "denied",
    ),
    ClauseForm(
        "workplace",
        rf"{WE}(?: was| got| have been|['’]ve been) {NOW}"
        rf"(?:fired|sacked|laid off|let go|made redundant|(?:given )?the (?:sack|boot))"
        rf"(?: (?:from|by) {PLACE})?",
        "ended",
    ),
    ends(
        "workplace",
        r"(?:[Tt]hey|(?:[Mm]y|[Tt]he) (?:boss|company|firm|employer|shop)|"
        rf"(?![Tt]hey\b){NO_NAME}{PLACE}) "
        r"(?:has |have |['’]ve |just )?(?:let me go|(?:fired|sacked) me|laid me off|"
        r"made me redundant)",
    ),
    ClauseForm("workplace", rf"{WE} {NOW}(?:teach|nurse|lecture)(?: [a-z]+)? at {PLACE}"),
    ClauseForm(
        "workplace",
        rf"{HAVE} {NOW}(?:quit|resigned from) (?!{NO_FIRM.pattern}(?: |$)){PLACE}",
        "ended",
    ),
    ends("workplace", rf"{HAVE} {NOW}left (?P<value>{NAME})"),
    ClauseForm(
        "workplace",
        rf"{HAVE} {NOW}(?:(?:quit|lost|left) my job(?: at {PLACE})?|resigned|quit)",
        "ended",
    ),
    ClauseForm(
        "workplace",
        rf"{HAVE} {NOW}(?:got|landed|started|found|accepted|taken) (?:an?|the|my) (?:new |"
        rf"dream )?"
        rf"(?:job|position|role|post) (?:at {PLACE}|with {_FIRM.replace('GROUP', 'other')})",
    ),
    ClauseForm(
        "workplace",
        rf"{_FIRM.replace('GROUP', 'value')} (?:has |have |['’]ve )?(?:just )?"
        r"(?:hired me|taken me on|took me on|gave me (?:the|a) job)(?: as an? .+)?",
    ),
    ClauseForm(
        "workplace",
        rf"{WE} {NOW}work {_SHIFTS}(?:in|at) (?:an?|the|our|my (?:{KIN})['’]s) {WORKPLACE}",
    ),
    ClauseForm(
        "workplace", rf"{WE} {DO_NOT} work (?:in|at) (?:an?|the|that) {WORKPLACE}", "denied"
    ),
    ClauseForm(
        "workplace",
        rf"(?:(?:[Tt]oday|[Yy]esterday|(?:[Ll]ast )?(?i:mon|tues|wednes|thurs|fri|satur|sun)day|"
        rf"[Ii]t) was|"
        rf"[Tt]oday is|[Tt]oday['’]s) my (?:very )?last (?:day|shift) (?:at|with) {PLACE}",
        "ended",
    ),
    ClauseForm(
        "workplace",
        rf"{I_HAVE}(?:just )?(?:[Hh]anded in|handed over|put in|submitted|given|gave) (?:my|our) "
        rf"(?:notice|resignation)(?: at {PLACE})?",
        "ended",
    ),
    ends(
        "workplace",
        rf"(?:[Ss]o )?[Tt]hat['’]?s me {NOW}(?:finished|done|out) (?:with|at|of) "
        r"(?:the )?(?P<value>[A-ZÀ-Þ][\w'’&-]*(?: [A-ZÀ-Þ][\w'’&-]*){0,2})",
    ),
    ClauseForm(
        "job",
        rf"(?:[Nn]ow |{AM} {NOW}|{HAVE} {NOW})retired(?: (?:now|since .+))?",
        value="retired",
    ),
    ClauseForm(
        "workplace",
        r"(?:(?:that['’]?s me|I['’]m|I am) )?(?:(?:now|officially) )?"
        r"(?:out of (?:a )?(?:job|work)|without (?:a job|work)|between jobs|unemployed|jobless)",
        "ended",
    ),
    ClauseForm(
        "job",
        rf"(?:{WE} {NOW}work|{AM} {NOW}working) as (?:an? |the )?"
        rf"(?P<value>[a-z][a-z-]+(?: [a-z-]+){{0,2}})(?: (?:at|for|in) .+)?",
    ),
    ClauseForm(
        "job",
        rf"{AM} {NOW}(?:an? |(?=C[A-Z]O\b|VP\b|head of )){JOB}"
        r"(?: (?:at|for|in|by (?:trade|profession)) ?.*)?",
    ),
    ClauseForm(
        "job",
        rf"{WE}(?:['’]ve been| was| got| have been|['’]m) {NOW}(?:promoted|hired) "
        rf"(?:to|as) (?:an? |the )?(?P<value>[a-z][a-z-]+(?: [a-z-]+){{0,2}})",
    ),
    ClauseForm(
        "job",
        r"(?:[Tt]hey|[Mm]y boss|[Tt]he boss)(?:['’]ve| have|['’]s| has)? (?:just )?promoted me to "
        r"(?P<value>[a-z][a-z-]+(?: [a-z-]+){0,2})",
    ),
    # With a word before the trade less is denied: "not a bad nurse".
    ClauseForm("job", rf"(?:{AM_NOT}(?: really)? an? |{AM} no )(?P<value>{OCCUPATION})", "denied"),
    ClauseForm("job", rf"{WE} {DO_NOT} work as (?:an? |the )?(?P<value>{OCCUPATION})", "denied"),
    ClauseForm("job", rf"{SOMEBODY} (?:is not|isn['’]?t) an? (?P<value>{OCCUPATION})", "denied"),
    ClauseForm("job", rf"{HAVE} {NOW}(?:retrained|requalified|qualified) as an? {JOB}"),
    ClauseForm("job", rf"{HAVE} {NOW}(?:became|become) an? {JOB}"),
    ClauseForm(
        "job",
        rf"{HAVE} {NOW}started (?:work |working |out )?as an? {JOB}(?: (?:at|for|in) .+)?",
    ),
    ClauseForm("job", rf"[Mm]y (?:days|time|career) as an? {JOB} (?:is|are) over", "ended"),
    ClauseForm("job", rf"I used to (?:be|work as) (?:an? )?{JOB}", "ended"),
    ClauseForm("job", rf"{SOMEBODY} (?:is|['’]s) {NOW}an? {JOB}(?: (?:at|for|in) .+)?"),
    ClauseForm("job", rf"{SOMEBODY} {NOW}works as an? {JOB}(?: (?:at|for|in) .+)?"),
    ClauseForm(
        "job",
        rf"{_BY_DAY}I(?:['’]ve been teaching| have been teaching| {NOW}teach) "
        r"(?P<taught>(?!(?:my|the|him|her|them|you|people|myself|this|that|here|there|online|today|"
        r"tomorrow|tonight|again|part|full|on|in|at|a|an|how|what|not|no)\b)[A-Za-z]+)"
        rf"(?: (?:in|at|to) .+)?(?:{LASTED})?",
    ),
    ClauseForm("job", rf"{AM} {NOW}an? student of (?P<studied>[a-z]+) (?:at|in) .+"),
    ClauseForm(
        "job",
        rf"(?:{AM} {NOW}studying|I {NOW}study) "
        r"(?P<studied>(?!(?:the|hard|it|this|that|here)\b)[a-z]+) "
        rf"(?:at|in) (?:(?:the |a )?(?:uni(?:versity)?|college|{NAME}).*)",
    ),
    ClauseForm(
        "job",
        rf"{_BY_DAY}I(?:['’]ve been driving| have been driving| {NOW}drive) (?:an?|the) "
        r"(?P<driven>(?:[a-z]+ )?(?:bus|tram|taxi|cab|lorry|train|ambulance|crane|forklift|coach))"
        rf"(?: (?:in|for|at) .+)?(?:{LASTED})?",
    ),
    ClauseForm(
        "children",
        rf"(?:{WE} {NOW}have|{WE}['’]ve got|{WE} have got) (?P<value>{NUMBERS}|\d) "
        r"(?:(?:small|little|young|grown-up|adult) )?(?:kids?|children|child)",
    ),
    ClauseForm(
        "children",
        rf"(?:{WE} {DO_NOT} have (?:any )?|{WE} have no )(?:kids|children)(?: yet| of our own)?",
        value="0",
    ),
    ClauseForm("age", rf"(?:I['’]?m|I am) {NOW}(?:{_YEARS} years(?: old)?|{_GROWN})"),
    ClauseForm(
        "age",
        rf"{I_HAVE}(?:[Jj]ust )?(?:had|celebrated) my "
        r"(?P<value>\d{1,3})(?:st|nd|rd|th)(?: birthday)?",
    ),
    ClauseForm("age", rf"(?:I['’]?m|I am) (?i:not) {_YEARS}(?: years old)?", "denied"),
    ClauseForm("age", rf"I(?:['’]ve)? {NOW}turned {_YEARS}"),
    ClauseForm(
        "age",
        rf"I(?:['’]ll(?: be)?| will(?: be)?| turn|['’]m)(?: be)?(?: turn(?:ing)?)? {_YEARS}"
        r"(?: years old)?",
        "planned",
    ),
    ClauseForm("age", rf"(?:[Mm]y (?:{KIN}),? )?{SOMEBODY},? (?:is|['’]s) {_YEARS} years old"),
    ClauseForm("age", rf"{SOMEBODY} (?:just |has )?turned {_YEARS}"),
    ClauseForm(
        "age",
        rf"(?:[Mm]y|[Oo]ur) (?:{CLOSE}(?:{KIN})|{PETS_OWN}(?:{PET})),? {SOMEBODY},? "
        rf"(?:is|['’]s) {NOW}(?:only )?{_YEARS}",
    ),
    # A bare number is one of years only where an age is held.
    ClauseForm("age", rf"{SOMEBODY} (?:is|['’]s) {NOW}(?:only )?{_YEARS}", ends_only=True),
    ClauseForm(
        "name",
        rf"(?:[Mm]y name is|[Mm]y name['’]s|I am called|I['’]m called|(?:[Pp]lease )?[Cc]all me|"
        rf"I go by) (?P<value>{NAME})",
    ),
    ClauseForm("name", rf"(?:I['’]m|I am) (?P<value>{GIVEN_NAME})"),
    ClauseForm(
        "name",
        r"(?:[Mm]y name (?:is not|isn['’]?t)|I am not called|I['’]?m not called) "
        rf"(?P<value>{NAME})",
        "denied",
    ),
    ClauseForm(
        "birthday",
        rf"(?P<subject>{NAME})['’]s birthday(?: is|['’]s)(?: on)? (?P<value>{DATE})",
    ),
    ClauseForm("birthday", rf"[Mm]y birthday(?: is|['’]s)(?: on)? (?P<value>{DATE})"),
    ClauseForm(
        "birthday",
        r"I was born on (?P<value>(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z][a-z]+|"
        r"[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?)(?:,? \d{4})?",
    ),
    ClauseForm("taste", rf"I {VERY}(?:love|like|enjoy|adore) {THING}"),
    ClauseForm(
        "taste",
        rf"(?:{AM}|{HAVE} {NOW}(?:become|grown|got)) {VERY}(?:very |quite |rather )?"
        rf"(?:keen on|fond of|crazy about|partial to) (?!\w+ing\b){THING}",
    ),
    ClauseForm(
        "taste",
        rf"{AM} not (?:really |very |so )?(?:big on|keen on|fond of) {THING}",
        negative=True,
    ),
    ClauseForm(
        "taste",
        rf"{AM} {VERY}(?:(?:very|completely|totally|a bit) )?"
        rf"(?:obsessed with|addicted to|hooked on|mad about|nuts about|passionate about) {THING}",
    ),
    ClauseForm("taste", rf"{AM} {VERY}(?:(?:very|completely|totally|a bit) )?into {_PURSUIT}"),
    ClauseForm("taste", rf"{HAVE} {NOW}(?:got|gotten) (?:really |very )?into {_DOING}"),
    ClauseForm("taste", rf"{AM} {NOW}an? (?:big |huge |massive |total )(?P<value>[\w'’-]+) fan"),
    ClauseForm("taste", rf"{AM} {NOW}an? (?P<value>{NAME}) (?:fan|supporter)"),
    ClauseForm(
        "taste",
        rf"{HAVE} {NOW}(?:grown|come|learnt|learned|started) to (?:like|love|enjoy) {THING}",
    ),
    ClauseForm(
        "taste",
        rf"{HAVE} {NOW}(?:grown|come|learnt|learned|started) to (?:hate|dislike|loathe) {THING}",
        negative=True,
    ),
    ClauseForm(
        "taste", rf"{AM} (?:really )?not (?:really |that |very |so )?into {_PURSUIT}", negative=True
    ),
    ClauseForm(
        "taste",
        rf"I (?:do not|don['’]?t|never(?: did)?) (?:really |much |ever )?cared? "
        rf"(?:much |a lot )?for {THING}",
        negative=True,
    ),
    ClauseForm("taste", rf"I {VERY}have no (?:patience|love) for {THING}", negative=True),
    ends("taste", rf"{AM} {NOW}(?:done|finished|through) with {THING}"),
    ends(
        "taste",
        rf"I(?:['’]ve| have)? {NOW}lost my (?:taste|love|appetite|passion) for {THING}",
    ),
    ends("taste", rf"(?:(?:I) )?can['’]?t face {THING}(?: since .+)?"),
    ends(
        "taste",
        r"(?P<value>[\w'’-]+(?: [\w'’-]+){0,2}?) "
        r"(?:is not|isn['’]?t|are not|aren['’]?t|is no longer) (?:really )?my thing",
    ),
    ClauseForm(
        "taste",
        rf"(?:[Aa]s for )?{THING},? I {VERY}(?:love|like|enjoy|adore) {THEM}(?:{BY_NOW})?",
    ),
    ClauseForm(
        "taste",
        rf"(?:[Aa]s for )?{THING},? I {VERY}(?:hate|dislike|loathe|detest|"
        rf"{DO_NOT} (?:really )?(?:like|enjoy)|can['’]?t (?:stand|bear)) {THEM}(?:{BY_NOW})?",
        negative=True,
    ),
    ClauseForm("taste", rf"{AM} {NOW}a (?:big |huge )?fan of {THING}"),
    ClauseForm(
        "taste",
        rf"(?:(?:{AM}) )?(?:[Nn]ot|[Nn]ever been) (?:really )?(?:a )?(?:big |huge )?fan of "
        rf"{THING}",
        negative=True,
    ),
    ClauseForm("taste", rf"I {VERY}(?:hate|dislike|loathe|detest|despise) {THING}", negative=True),
    ClauseForm(
        "taste",
        rf"I {VERY}(?:can['’]?t|cannot) (?:stand|bear|abide|stomach) {THING}",
        negative=True,
    ),
    ClauseForm("taste", rf"I {DO_NOT} (?:really )?(?:love|like|enjoy) {THING}", negative=True),
    ClauseForm(
        "taste", rf"I {DO_NOT} (?:really )?mind {THING}", "denied", negative=True, ends_only=True
    ),
    ClauseForm(
        "taste",
        rf"{HAVE} {NOW}(?:went|gone) (?:(?:right|completely|totally|really|well) )?off {THING}",
        negative=True,
    ),
    ClauseForm("taste", rf"I {NOW}dread (?!\w+days?\b){THING}", negative=True),
    ClauseForm("taste", rf"{AM} {NOW}(?:sick|tired) of (?!\w+ing\b){THING}", negative=True),
    ClauseForm("taste", rf"{AM} {NOW}fed up (?:with|of) {THING}", negative=True),
    ClauseForm("taste", rf"I used to (?:love|like|enjoy|adore) {THING}", "ended"),
    ClauseForm("taste", rf"{SOMEBODY} {VERY}(?:loves|likes|enjoys|adores) {THING}"),
    ClauseForm(
        "taste", rf"{SOMEBODY} {VERY}(?:hates|dislikes|loathes|detests) {THING}", negative=True
    ),
    ClauseForm(
        "taste",
        r"(?P<value>[\w-]+(?: [\w-]+){0,2}) (?:is|are) my favou?rite "
        r"(?:food|dish|drink|band|book|film|movie|colour|color|game|fruit|vegetable|dessert|cake|"
        r"animal|season|sport|team|artist|singer|song|album|author|writer|show|series|city|flower)",
    ),
    ClauseForm(
        "food",
        rf"I (?:do not|don['’]?t|never|can['’]?t|cannot|no longer) (?:eat|drink) "
        rf"(?!(?:{_HOW})\b){THING}",
        negative=True,
    ),
    ClauseForm(
        "food",
        r"I (?:do not|don['’]?t|never|no longer) do "
        r"(?P<value>meat|fish|dairy|gluten|alcohol|sugar|caffeine)",
        negative=True,
    ),
    ClauseForm(
        "food",
        rf"{HAVE} {NOW}(?:given up|gave up|stopped (?:eating|drinking)|quit|packed in|jacked in|"
        r"cut out|sworn off|swore off|come off|came off|laid off|binned|ditched) (?:the )?"
        r"(?P<value>meat|fish|dairy|gluten|alcohol|sugar|caffeine|coffee|sweets|chocolate)",
        negative=True,
    ),
    ClauseForm(
        "food",
        r"I (?:do not|don['’]?t|never|no longer) drink|"
        rf"{HAVE} {NOW}(?:stopped|quit|given up|gave up) (?:drinking|the drink|booze)|"
        rf"{AM} {NOW}off the (?:drink|booze)",
        negative=True,
        value="alcohol",
    ),
    ClauseForm(
        "food",
        rf"I (?:do not|don['’]?t|won['’]?t|never|no longer) touch (?P<value>{FOOD})",
        negative=True,
    ),
    ClauseForm(
        "food",
        rf"{AM} {NOW}off (?P<value>{FOOD}|{any_of(words.DRINKS)})(?: (?:and|n|&) [a-z]+)?",
        negative=True,
    ),
    ClauseForm("food", rf"I {NOW}(?:eat|drink) (?P<value>{FOOD}) again"),
    ClauseForm("food", rf"I do (?:actually )?(?:eat|drink) (?P<value>{FOOD})"),
    ClauseForm("food", r"I do (?:actually )?drink", value="alcohol"),
    ClauseForm("food", rf"{AM} {NOW}(?:back on|(?:eating|drinking)) (?P<value>{FOOD}) again"),
    ClauseForm("food", rf"{AM} {NOW}back on (?P<value>{FOOD})"),
    ClauseForm(
        "diet",
        rf"{I_HAVE}(?:stopped|quit|gave up|given up) being (?:an? )?"
        rf"(?P<value>{DIET})",
        "ended",
    ),
    ClauseForm("diet", rf"{AM} {NOW}(?:an? )?(?P<value>{DIET})"),
    ClauseForm(
        "diet", rf"{HAVE} been (?:an? )?(?P<value>{DIET})(?: for .+| since .+| all my life)"
    ),
    ClauseForm("diet", rf"{SOMEBODY} is {NOW}(?:an? )?(?P<value>{DIET})"),
    ClauseForm("diet", rf"I used to be (?:an? )?(?P<value>{DIET})", "ended"),
    ClauseForm(
        "skill",
        r"I (?:can['’]?t|cannot|(?:have )?never learnt to|(?:have )?never learned to) "
        rf"(?P<value>{any_of(set(words.PRACTISED))})",
        "denied",
    ),
    ClauseForm(
        "skill",
        rf"{WE} {NOW}speak (?:(?:a (?:bit|little)(?: of)?|some|fluent|decent|good) )?"
        rf"(?P<value>(?i:{LANGUAGE}))",
    ),
    ClauseForm("skill", rf"{AM} {NOW}fluent in (?P<value>(?i:{LANGUAGE}))"),
    ends(
        ENDING,  # it may be held as a skill or as a hobby
        rf"{I_HAVE}(?:stopped|quit|gave up|given up|dropped|forgot|forgotten)(?: all)? "
        rf"(?:playing |learning )?(?:(?:the|my) )?(?P<value>{INSTRUMENT}|(?i:{LANGUAGE}))"
        r"(?: (?:lessons|classes|course))?",
    ),
    ClauseForm("skill", rf"{SOMEBODY} {NOW}speaks (?P<value>(?i:{LANGUAGE}))"),
    ClauseForm("skill", rf"{WE} {DO_NOT} (?:speak|know) (?P<value>(?i:{LANGUAGE}))", "denied"),
    ClauseForm(
        "skill",
        rf"I (?:{DO_NOT}|can['’]?t|cannot) play (?:the )?(?P<value>{INSTRUMENT})",
        "denied",
    ),
    ClauseForm("skill", rf"I {NOW}play (?:the )?(?P<value>{INSTRUMENT})"),
    ClauseForm("owns", rf"{WE} {NOW}own an? {THING}"),
    ClauseForm(
        "owns",
        rf"(?:{WE} {DO_NOT} have (?:an? |any )?|{WE} have no ){_DURABLE}",
        "denied",
    ),
    ClauseForm(
        "owns",
        rf"(?:{HAVE} {NOW}(?:bought|treated myself to|got myself|inherited) |"
        rf"{WE} {NOW}have |{WE}['’]ve got |{WE} have got )"
        rf"an? (?:new |used |old |second-hand |secondhand )?{_DURABLE}",
    ),
    ClauseForm(
        "owns",
        rf"I {NOW}drive an? (?:(?!rented|rental|hired?|borrowed|company|taxi|bus|friend)[a-z]+ |"
        r"['’]?\d\d(?:\d\d)? )?(?!Uber|Lyft|Bolt)"
        rf"(?P<value>{NAME})",
    ),
    ClauseForm("owns", rf"[Mm]y (?:new )?(?:car|bike|phone)(?: is|['’]s) an? (?P<value>{NAME})"),
    ClauseForm("owns", rf"{WE} {DO_NOT} own an? {THING}", "denied"),
    ClauseForm(
        "owns",
        rf"{HAVE} {NOW}(?:sold|got rid of|given away|gave away|scrapped|traded in|wrote off|"
        rf"totall?ed|wrecked|written off) (?:my|our|the)(?: old)? {THING}",
        "ended",
    ),
    ClauseForm("owns", rf"{HAVE} {NOW}traded (?:my|our|the)(?: old)? {THING} in", "ended"),
    ClauseForm(
        "owns",
        rf"(?:[Mm]y|[Oo]ur)(?: old)? {THING} (?:got|was|has been|['’]s been) "
        r"(?:stolen|nicked|pinched|scrapped|sold|written off)(?: .+)?",
        "ended",
    ),
    ClauseForm("owns", rf"{HAVE} {NOW}sold (?P<value>{NAME})", "ended"),
    ClauseForm(
        "owns",
        rf"(?:[Mm]y|[Oo]ur|[Tt]he)(?: old)? {THING} (?:is|has|['’]s) (?:(?:now|finally) )"
        rf"?(?:gone|sold)",
        "ended",
    ),
    ClauseForm(
        "owns",
        rf"(?:[Mm]y|[Oo]ur|[Tt]he)(?: old)? {THING}(?:['’]s| is| has| went)(?: gone)? "
        r"to (?:the )?(?:scrapyard|scrap|tip|dump|junkyard)",
        "ended",
    ),
)
"""What the whole of a clause is; the first form that it is gives its statement."""

SPEAKER_FIRST = ("I", "(?:I", WE, f"(?:{WE}", AM, f"(?:{AM}", f"(?:I {NOW}")
"""How the forms begin of which the speaker is the subject."""
