"""The sentence forms of the strict reader: what the whole of a clause may be, and what it says."""

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from mindpipe.language import words
from mindpipe.language.records import MENTIONED, REPLACEMENT, Meant


def any_of(choices: AbstractSet[str]) -> str:
    """Return a pattern of some words, the longest first, in the same order in every process."""
    return "|".join(sorted(choices, key=lambda word: (-len(word), word)))


_INSTRUMENT = any_of(words.INSTRUMENTS)
_STEMS = any_of(frozenset(words.MEDICINE_STEMS))
_MEDICINE = (
    r"(?:(?:the|my) )?"
    rf"(?P<value>(?i:[a-z]{{2,}}(?:{_STEMS})(?<!sterol)|{any_of(words.MEDICINES)}))"
)
NAME = (
    r"[A-ZÀ-ÞŁŚŽ][\w'’.&+-]*"
    r"(?: (?:(?:of|de|la|del|van|von|the|di|am|upon) )?[A-ZÀ-ÞŁŚŽ0-9][\w'’.&+-]*){0,3}"
)
_NO_NAME = (
    r"(?!(?:Nobody|Nothing|None|Neither|Nor|Never|Not|No|Hardly|Barely|Who|What|Which|Where|When|Why|"
    r"How|If|Unless|Until|Maybe|Perhaps|Had|Has|Have|Did|Does|Would|Could|Should|May|Might|"
    r"Somebody|Someone|Anybody|Anyone|Everybody|Everyone|I|We|You|It|That|This|There|One)\b)"
)
"""Before a word with a capital: the words that begin a sentence and are nobody's name."""
_SOMEBODY = (
    r"(?P<subject>(?![^,]*\bI\b)(?!(?:On|In|At|By|Since|Until|From|When|After|Before|Yesterday|Tomorrow|"
    r"He|She|It|They|This|That|Who|What|One|Everyone|Everybody|Nobody|Somebody|"
    r"Someone|Anyone|There|Here|You|We|I|Mum|Mom|Dad|Mam|Life|Work|Everything|Nothing|Today)\b)"
    rf"{NAME})"
)
_PLACE = rf"(?:the )?(?P<value>{NAME}(?:, {NAME})?)"
_THING = r"(?P<value>[\w'’-]+(?: [\w'’-]+){0,4}?)"
_I = r"(?:I|[Ww]e)"
_HAVE = rf"{_I}(?:['’]ve| have)?"
_WORDS = r"[a-z][a-z-]*(?: (?!and|for|to)[a-z-]+)?"
_OLD = rf"(?:(?:my|our|the) )?(?:old )?(?P<instead>{NAME}|{_WORDS})"
_NEW = rf"(?:(?:an?|my|our|the|full) )?(?:new )?(?P<value>{NAME}|{_WORDS})"
_I_HAVE = r"(?:(?:[Ww]e|I)(?:['’]ve| have)? )?"
"""Where chats leave it out."""
_AM = r"(?:I['’]?m|I am|[Ww]e['’]re|[Ww]e are)"
_NOT = r"(?:(?i:do not|don['’]?t)|no longer|never)"
_NO = rf"{_AM} (?i:not|no longer)"
_NOW = (
    r"(?:(?:just|now|currently|recently|finally|officially|still|also|actually|really|both|"
    r"already) )*"
)
_VERY = (
    r"(?:(?:really|do|just|absolutely|also|still|actually|quite|always|now|honestly|totally|so) )*"
)
_SHIFTS = r"(?:(?:nights|days|shifts|weekends|mornings|evenings|part[- ]time|full[- ]time) )?"
_OFTEN = (
    r"(?: (?:daily|once|twice|(?:two|three|four) times|every|each|in the|at night|with|before|"
    r"after)\b.*)?"
)
_DOCTOR = (
    r"(?:(?:[Tt]hey|[Ss]he|[Hh]e|(?:[Mm]y|[Tt]he) (?:doctor|doc|GP|physician|specialist|consultant|"
    r"clinic|hospital|surgeon|psychiatrist|cardiologist|nurse|pharmacist)|"
    rf"(?:(?:Dr|Doctor)\.? )?{_NO_NAME}[A-ZÀ-ÞŁŚŽ][\w'’-]+)"
    r"(?:['’]ve|['’]s| have| has)? (?:(?:just|now|also|finally|recently) )*)"
)
KIN = any_of(words.RELATIVES | {"business partner"})
PET = any_of(words.PETS)
_FOOD = any_of(words.FOODS)
_DIET = any_of(words.DIETS)
_ILL = any_of(words.ILL)
_ILLNESS = any_of(words.ILLNESSES | words.LONG_ILLNESSES)
_DURABLE = rf"(?P<value>(?:[a-z-]+ )?(?i:{any_of(words.DURABLES)}))"
_DWELLING = rf"(?:[a-z-]+ ){{0,2}}(?:{any_of(words.DWELLINGS)})"
_WORKPLACE = rf"(?P<value>(?:[a-z-]+ ){{0,2}}(?:{any_of(words.WORKPLACES)}))"
_PILLS = (
    r"(?:(?:the|my|all(?: of)? (?:the|my)|those|these) )?"
    r"(?:tablets?|pills?|meds|medication|medicines?)"
)
"""Medicines that are not named: of one that is taken it is known which."""
LASTED = (
    r"(?: for (?:[a-z]+ ){0,3}(?:years?|months?|decades?|ages)| since .+| all my life|"
    r" my whole life)"
)
"""How long it has been so, in forms that end in it."""
_PETS_OWN = (
    r"(?:(?:new|little|young|small|big|tiny|lovely|black|white|grey|gray|brown|ginger|tabby|"
    r"rescue) )*"
)
_CLOSE = "(?:(?:older|younger|elder|little|big|best|close|new|old) )*"
_YEARS = r"(?P<value>\d{1,3}|[a-z]+(?:-[a-z]+)?)"
_GROWN = (
    r"(?!(?:[1-9]|1[01]|one|two|three|four|five|six|seven|eight|nine|ten|eleven)$)"
    r"(?P<other>\d{1,3}|[a-z]+(?:-[a-z]+)?)"
)
"""Who is younger says so in years: of a bare smaller number it is not known what it counts."""
_LANGUAGE = any_of(words.LANGUAGES)
_OCCUPATION = any_of(words.OCCUPATIONS)
_JOB = rf"(?P<value>(?:[a-z-]+ ){{0,2}}(?:{_OCCUPATION}))"


class ClauseForm(NamedTuple):
    """One form of a clause: the attribute, its pattern, and how it is meant.

    `ends_only` tells that it ends what is held, and says nothing else; `value` is what it says
    where no words of it are the value: "I don't drink".
    """

    attribute: str
    spelling: str
    meant: Meant = "asserted"
    negative: bool = False
    ends_only: bool = False
    value: str = ""


def _ends(attribute: str, spelling: str) -> ClauseForm:
    """Return a form that ends what is held, and says nothing where nothing is."""
    return ClauseForm(attribute, spelling, "ended", ends_only=True)


FORMS = (
    ClauseForm("residence", rf"{_I} {_NOW}live (?:here )?in {_PLACE}"),
    ClauseForm("residence", rf"{_AM} {_NOW}(?:living|based|settled) in {_PLACE}"),
    ClauseForm(
        "residence",
        rf"{_HAVE} {_NOW}(?:moved|relocated) (?:(?:back|over|down|up) )?(?:from {NAME} )?"
        rf"to {_PLACE}(?: from {NAME})?",
    ),
    # Without a day it is said as it happens; with one it is a plan.
    ClauseForm(
        "residence",
        rf"{_AM} {_NOW}(?:moving|relocating) (?:back |over )?to {_PLACE}"
        r"(?: for (?:an?|my|the) .+)?",
    ),
    ClauseForm(
        "residence",
        rf"(?:{_I}(?:['’]ll| will|['’]m going to|['’]re going to)(?: be)? (?:move|moving) |"
        rf"{_I} move )(?:back |over )?to {_PLACE}",
        "planned",
    ),
    ClauseForm(
        "residence",
        rf"{_I} (?:won['’]?t|will not)(?: be)? (?:move|moving) (?:back |over )?to {_PLACE}",
        "denied",
    ),
    ClauseForm("residence", rf"(?:{_I} have|{_I}['’]ve) been living in {_PLACE}"),
    ClauseForm("residence", rf"{_I} used to live in {_PLACE}", "ended"),
    ClauseForm("residence", rf"{_SOMEBODY} {_NOW}lives in {_PLACE}"),
    ClauseForm("residence", rf"{_SOMEBODY} (?:does not|doesn['’]?t) live in {_PLACE}", "denied"),
    ClauseForm(
        "residence",
        rf"{_HAVE} {_NOW}settled (?:down )?(?:in|into my new \w+ in) {_PLACE}",
    ),
    ClauseForm("residence", rf"{_I} {_NOT} live in {_PLACE}", "denied"),
    ClauseForm("residence", rf"{_NO} (?:living|based) in {_PLACE}", "denied"),
    ClauseForm(
        "residence",
        rf"{_I}(?:['’]ve never| have never| never| have not| haven['’]?t| did not| didn['’]?t) "
        rf"(?:lived in|moved? (?:back )?to) {_PLACE}",
        "denied",
    ),
    ClauseForm(
        "residence",
        rf"{_AM} (?:not|NOT) moving (?:back )?to {_PLACE}(?: after all)?",
        "denied",
    ),
    ClauseForm(
        "residence",
        rf"{_I_HAVE}{_NOW}(?:(?:[Hh]anded|[Gg]ave|[Gg]iven) back (?:the|our|my) (?:keys|flat keys|"
        rf"{_DWELLING})(?: to the \w+)?|[Mm]oved out(?: of (?:the|our|my) {_DWELLING})?)",
        "ended",
    ),
    ClauseForm(
        "residence", rf"{_I} (?:moved out of|stopped living in) {_PLACE}(?<=[a-z])", "ended"
    ),
    _ends("residence", rf"{_HAVE} {_NOW}(?:moved away from|left) {_PLACE} for good"),
    _ends("residence", rf"{_HAVE} {_NOW}moved away from {_PLACE}"),
    _ends(
        "residence",
        rf"{_HAVE} {_NOW}(?:gave up|given up|left|sold) (?:our|my|the) (?:[a-z]+ )?"
        rf"(?:{any_of(words.DWELLINGS)}) in {_PLACE}",
    ),
    ClauseForm("residence", rf"(?:[Mm]y )?[Hh]ome(?:['’]s| is) {_NOW}{_PLACE}"),
    ClauseForm(
        "residence",
        rf"{_I} {_NOW}rent an? (?:[a-z-]+ ){{0,2}}(?:{any_of(words.DWELLINGS)}) in {_PLACE}",
    ),
    ClauseForm("residence", rf"{_HAVE} {_NOW}(?:lived|been living|been based) in {_PLACE}{LASTED}"),
    ClauseForm(
        "residence",
        rf"{_HAVE} {_NOW}moved into (?:an?|our|my|the) (?:new )?{_DWELLING} in {_PLACE}",
    ),
    ClauseForm(
        "residence",
        rf"{_I} {_NOW}live (?:on|at) (?:(?:no\.? ?|number )?\d+\w?,? )?"
        r"(?P<value>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)? (?:Street|Road|Avenue|Lane|Square|Close|"
        r"Terrace|Drive|Way|Row|Court|Crescent|Place|Hill))",
    ),
    ClauseForm(
        "residence", rf"{_HAVE} {_NOW}moved (?:back )?in with (?:my|our) [a-z ]+ in {_PLACE}"
    ),
    ClauseForm("housemate", rf"{_HAVE} {_NOW}moved in with (?P<value>{NAME})"),
    ClauseForm("housemate", rf"{_I} {_NOW}share (?:an?|my|the) {_DWELLING} with (?P<value>{NAME})"),
    ClauseForm("housemate", rf"{_NO_NAME}(?P<value>{NAME}) and I {_NOW}share an? {_DWELLING}"),
    ClauseForm("residence", rf"{_I} {_NOW}share an? {_DWELLING} in {_PLACE}(?: with .+)?"),
    _ends(
        "housemate",
        rf"{_NO_NAME}(?P<value>{NAME}) (?:has |has just |just )?moved out"
        rf"(?: (?!of\b).+| of (?:the|our|my) (?:{any_of(words.DWELLINGS)}))?",
    ),
    ClauseForm("housemate", rf"{_NO_NAME}(?P<value>{NAME}) (?:has )?moved in with (?:me|us)"),
    ClauseForm("housemate", rf"{_I} {_NOW}live with (?P<value>{NAME})"),
    ClauseForm("housemate", rf"{_I} {_NOT} live with (?P<value>{NAME})", "denied"),
    ClauseForm("workplace", rf"{_I} {_NOW}work {_SHIFTS}(?:at|for) {_PLACE}(?: as an? .+)?"),
    ClauseForm("workplace", rf"{_AM} {_NOW}(?:working|employed) (?:at|for|by) {_PLACE}"),
    ClauseForm(
        "workplace",
        rf"{_HAVE} {_NOW}(?:joined|started (?:work |working )?at) {_PLACE}",
    ),
    ClauseForm(
        "workplace",
        rf"(?:{_I} start|{_AM} starting|{_I}['’]ll start|{_I} will start|{_I} begin)"
        rf"(?: work| working)? at (?:the )?{_PLACE}",
        "planned",
    ),
    ClauseForm(
        "workplace",
        rf"(?:{_I} (?:won['’]?t|will not|don['’]?t) start|{_AM} not starting)(?: work| working)? "
        rf"at (?:the )?{_PLACE}",
        "denied",
    ),
    ClauseForm("workplace", rf"(?:{_I} have|{_I}['’]ve) been working (?:at|for) {_PLACE}"),
    ClauseForm("workplace", rf"{_I} used to work (?:at|for) {_PLACE}", "ended"),
    ClauseForm("workplace", rf"{_SOMEBODY} {_NOW}works (?:at|for) {_PLACE}"),
    ClauseForm("workplace", rf"{_I} {_NOT} work (?:at|for|with) {_PLACE}", "denied"),
    ClauseForm("workplace", rf"{_NO} (?:working|employed) (?:at|for|by) {_PLACE}", "denied"),
    ClauseForm(
        "workplace", rf"{_SOMEBODY} (?:does not|doesn['’]?t) work (?:at|for) {_PLACE}", "denied"
    ),
    ClauseForm(
        "workplace",
        rf"{_I}(?: was| got| have been|['’]ve been) {_NOW}"
        rf"(?:fired|sacked|laid off|let go|made redundant)(?: (?:from|by) {_PLACE})?",
        "ended",
    ),
    ClauseForm(
        "workplace",
        rf"{_NO_NAME}{_PLACE} (?:has |have |just )?(?:let me go|(?:fired|sacked) me|laid me off|"
        r"made me redundant)",
        "ended",
    ),
    ClauseForm("workplace", rf"{_I} {_NOW}(?:teach|nurse|lecture)(?: [a-z]+)? at {_PLACE}"),
    ClauseForm("workplace", rf"{_HAVE} {_NOW}(?:quit|resigned from) {_PLACE}", "ended"),
    ClauseForm(
        "workplace",
        rf"{_HAVE} {_NOW}(?:(?:quit|lost|left) my job(?: at {_PLACE})?|retired|resigned)",
        "ended",
    ),
    ClauseForm(
        "workplace",
        rf"{_HAVE} {_NOW}(?:got|landed|started|found|accepted|taken) (?:an?|the|my) (?:new |"
        rf"dream )?"
        rf"(?:job|position|role|post) (?:at|with) {_PLACE}",
    ),
    ClauseForm(
        "workplace",
        rf"{_NO_NAME}{_PLACE} (?:has |have |['’]ve )?(?:just )?"
        r"(?:hired me|taken me on|took me on|gave me (?:the|a) job)(?: as an? .+)?",
    ),
    ClauseForm(
        "workplace", rf"{_I} {_NOW}work {_SHIFTS}(?:in|at) (?:an?|the|our|my dad['’]s) {_WORKPLACE}"
    ),
    ClauseForm("workplace", rf"{_I} {_NOT} work (?:in|at) (?:an?|the|that) {_WORKPLACE}", "denied"),
    ClauseForm(
        "workplace",
        rf"(?:(?:[Tt]oday|[Yy]esterday|(?:[Ll]ast )?(?i:mon|tues|wednes|thurs|fri|satur|sun)day|"
        rf"[Ii]t) was|"
        rf"[Tt]oday is|[Tt]oday['’]s) my (?:very )?last (?:day|shift) (?:at|with) {_PLACE}",
        "ended",
    ),
    ClauseForm(
        "workplace",
        rf"{_I_HAVE}(?:just )?(?:[Hh]anded in|handed over|put in|submitted|given|gave) (?:my|our) "
        rf"(?:notice|resignation)(?: at {_PLACE})?",
        "ended",
    ),
    ClauseForm("workplace", rf"(?:[Nn]ow |{_AM} {_NOW})retired(?: (?:now|since .+))?", "ended"),
    ClauseForm(
        "workplace",
        r"(?:(?:that['’]?s me|I['’]m|I am) )?(?:now )?"
        r"(?:out of (?:a )?(?:job|work)|without (?:a job|work)|between jobs|unemployed|jobless)",
        "ended",
    ),
    ClauseForm(
        "job",
        rf"(?:{_I} {_NOW}work|{_AM} {_NOW}working) as (?:an? |the )?"
        rf"(?P<value>[a-z][a-z-]+(?: [a-z-]+){{0,2}})(?: (?:at|for|in) .+)?",
    ),
    ClauseForm(
        "job", rf"{_AM} {_NOW}(?:an? ){_JOB}(?: (?:at|for|in|by (?:trade|profession)) ?.*)?"
    ),
    ClauseForm(
        "job",
        rf"{_I}(?:['’]ve been| was| got| have been|['’]m) {_NOW}(?:promoted|hired) "
        rf"(?:to|as) (?:an? |the )?(?P<value>[a-z][a-z-]+(?: [a-z-]+){{0,2}})",
    ),
    ClauseForm(
        "job",
        r"(?:[Tt]hey|[Mm]y boss|[Tt]he boss)(?:['’]ve| have|['’]s| has)? (?:just )?promoted me to "
        r"(?P<value>[a-z][a-z-]+(?: [a-z-]+){0,2})",
    ),
    # With a word before the trade less is denied: "not a bad nurse".
    ClauseForm("job", rf"(?:{_NO}(?: really)? an? |{_AM} no )(?P<value>{_OCCUPATION})", "denied"),
    ClauseForm("job", rf"{_I} {_NOT} work as (?:an? |the )?(?P<value>{_OCCUPATION})", "denied"),
    ClauseForm("job", rf"{_SOMEBODY} (?:is not|isn['’]?t) an? (?P<value>{_OCCUPATION})", "denied"),
    ClauseForm("job", rf"{_HAVE} {_NOW}(?:retrained|requalified|qualified) as an? {_JOB}"),
    ClauseForm("job", rf"{_HAVE} {_NOW}(?:became|become) an? {_JOB}"),
    ClauseForm(
        "job",
        rf"{_HAVE} {_NOW}started (?:work |working |out )?as an? {_JOB}(?: (?:at|for|in) .+)?",
    ),
    ClauseForm("job", rf"[Mm]y (?:days|time|career) as an? {_JOB} (?:is|are) over", "ended"),
    ClauseForm("job", rf"I used to (?:be|work as) (?:an? )?{_JOB}", "ended"),
    ClauseForm("job", rf"{_SOMEBODY} (?:is|['’]s) {_NOW}an? {_JOB}(?: (?:at|for|in) .+)?"),
    ClauseForm("job", rf"{_SOMEBODY} {_NOW}works as an? {_JOB}(?: (?:at|for|in) .+)?"),
    ClauseForm("age", rf"(?:I['’]?m|I am) {_NOW}(?:{_YEARS} years(?: old)?|{_GROWN})"),
    ClauseForm(
        "age",
        rf"{_I_HAVE}(?:[Jj]ust )?(?:had|celebrated) my "
        r"(?P<value>\d{1,3})(?:st|nd|rd|th)(?: birthday)?",
    ),
    ClauseForm("age", rf"(?:I['’]?m|I am) (?i:not) {_YEARS}(?: years old)?", "denied"),
    ClauseForm("age", rf"I(?:['’]ve)? {_NOW}turned {_YEARS}"),
    ClauseForm(
        "age",
        rf"I(?:['’]ll(?: be)?| will(?: be)?| turn|['’]m)(?: be)?(?: turn(?:ing)?)? {_YEARS}"
        r"(?: years old)?",
        "planned",
    ),
    ClauseForm("age", rf"(?:[Mm]y (?:{KIN}),? )?{_SOMEBODY},? (?:is|['’]s) {_YEARS} years old"),
    ClauseForm("age", rf"{_SOMEBODY} (?:just |has )?turned {_YEARS}"),
    ClauseForm(
        "name", rf"(?:[Mm]y name is|[Mm]y name['’]s|I am called|I['’]m called) (?P<value>{NAME})"
    ),
    ClauseForm(
        "name",
        r"(?:[Mm]y name (?:is not|isn['’]?t)|I am not called|I['’]?m not called) "
        rf"(?P<value>{NAME})",
        "denied",
    ),
    ClauseForm(
        "birthday",
        rf"(?P<subject>{NAME})['’]s birthday (?:is|['’]s)(?: on)? "
        r"(?P<value>(?:the )?\w+(?: of)? \w+)",
    ),
    ClauseForm(
        "birthday", r"[Mm]y birthday (?:is|['’]s)(?: on)? (?P<value>(?:the )?\w+(?: of)? \w+)"
    ),
    ClauseForm(
        "birthday",
        r"I was born on (?P<value>(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z][a-z]+|"
        r"[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?)(?:,? \d{4})?",
    ),
    ClauseForm("taste", rf"I {_VERY}(?:love|like|enjoy|adore) {_THING}"),
    ClauseForm(
        "taste", rf"{_AM} {_VERY}(?:very )?(?:keen on|fond of|crazy about) (?!\w+ing\b){_THING}"
    ),
    ClauseForm(
        "taste",
        rf"{_AM} not (?:really |very |so )?(?:big on|keen on|fond of) {_THING}",
        negative=True,
    ),
    ClauseForm(
        "taste",
        rf"{_AM} {_VERY}(?:(?:very|completely|totally|a bit) )?"
        rf"(?:into|obsessed with|addicted to|hooked on|mad about|nuts about|passionate about) "
        rf"(?!week|day|month|year){_THING}",
    ),
    ClauseForm("taste", rf"{_HAVE} {_NOW}(?:got|gotten) (?:really |very )?into {_THING}"),
    ClauseForm("taste", rf"{_AM} {_NOW}an? (?:big |huge |massive |total )(?P<value>[\w'’-]+) fan"),
    ClauseForm(
        "taste",
        rf"{_HAVE} {_NOW}(?:grown|come|learnt|learned|started) to (?:like|love|enjoy) {_THING}",
    ),
    ClauseForm(
        "taste",
        rf"{_HAVE} {_NOW}(?:grown|come|learnt|learned|started) to (?:hate|dislike|loathe) {_THING}",
        negative=True,
    ),
    ClauseForm(
        "taste", rf"{_AM} (?:really )?not (?:really |that |very |so )?into {_THING}", negative=True
    ),
    ClauseForm(
        "taste",
        rf"I (?:do not|don['’]?t) (?:really |much )?care (?:much |a lot )?for {_THING}",
        negative=True,
    ),
    ClauseForm("taste", rf"I {_VERY}have no (?:time|patience|love) for {_THING}", negative=True),
    _ends("taste", rf"{_AM} {_NOW}(?:done|finished|through) with {_THING}"),
    _ends(
        "taste", rf"I(?:['’]ve| have)? {_NOW}lost my (?:taste|love|appetite|passion) for {_THING}"
    ),
    _ends("taste", rf"(?:(?:I) )?can['’]?t face {_THING}(?: since .+)?"),
    _ends(
        "taste",
        r"(?P<value>[\w'’-]+(?: [\w'’-]+){0,2}?) "
        r"(?:is not|isn['’]?t|are not|aren['’]?t|is no longer) (?:really )?my thing",
    ),
    ClauseForm("taste", rf"{_AM} {_NOW}a (?:big |huge )?fan of {_THING}"),
    ClauseForm(
        "taste",
        rf"(?:(?:{_AM}) )?(?:[Nn]ot|[Nn]ever been) (?:really )?(?:a )?(?:big |huge )?fan of "
        rf"{_THING}",
        negative=True,
    ),
    ClauseForm(
        "taste", rf"I {_VERY}(?:hate|dislike|loathe|detest|despise) {_THING}", negative=True
    ),
    ClauseForm("taste", rf"I {_VERY}(?:can['’]?t|cannot) (?:stand|bear) {_THING}", negative=True),
    ClauseForm("taste", rf"I {_NOT} (?:really )?(?:love|like|enjoy) {_THING}", negative=True),
    ClauseForm("taste", rf"I(?:['’]ve)? (?:went|gone) off {_THING}", negative=True),
    ClauseForm("taste", rf"I {_NOW}dread {_THING}", negative=True),
    ClauseForm("taste", rf"{_AM} {_NOW}(?:sick|tired) of (?!\w+ing\b){_THING}", negative=True),
    ClauseForm("taste", rf"{_AM} {_NOW}fed up (?:with|of) {_THING}", negative=True),
    ClauseForm("taste", rf"I used to (?:love|like|enjoy|adore) {_THING}", "ended"),
    ClauseForm("taste", rf"{_SOMEBODY} {_VERY}(?:loves|likes|enjoys|adores) {_THING}"),
    ClauseForm(
        "taste", rf"{_SOMEBODY} {_VERY}(?:hates|dislikes|loathes|detests) {_THING}", negative=True
    ),
    ClauseForm(
        "taste",
        r"(?P<value>[\w-]+(?: [\w-]+){0,2}) (?:is|are) my favou?rite "
        r"(?:food|dish|drink|band|book|film|movie|colour|color|game|fruit|vegetable|dessert|cake|"
        r"animal|season|sport|team|artist|singer|song|album|author|writer|show|series|city|flower)",
    ),
    ClauseForm(
        "food",
        rf"I (?:do not|don['’]?t|never|can['’]?t|cannot|no longer) (?:eat|drink) {_THING}",
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
        rf"{_HAVE} (?:given up|gave up|stopped (?:eating|drinking)|quit) "
        r"(?P<value>meat|fish|dairy|gluten|alcohol|sugar|caffeine|coffee|sweets|chocolate)",
        negative=True,
    ),
    ClauseForm(
        "food",
        r"I (?:do not|don['’]?t|never|no longer) drink|"
        rf"{_HAVE} {_NOW}(?:stopped|quit|given up|gave up) (?:drinking|the drink|booze)|"
        rf"{_AM} {_NOW}off the (?:drink|booze)",
        negative=True,
        value="alcohol",
    ),
    ClauseForm(
        "food", rf"I (?:do not|don['’]?t|never|no longer) touch (?P<value>{_FOOD})", negative=True
    ),
    ClauseForm("food", rf"{_AM} {_NOW}off (?P<value>{_FOOD})", negative=True),
    ClauseForm("food", rf"I {_NOW}(?:eat|drink) (?P<value>{_FOOD}) again"),
    ClauseForm("food", rf"{_AM} {_NOW}(?:back on|(?:eating|drinking)) (?P<value>{_FOOD}) again"),
    ClauseForm("food", rf"{_AM} {_NOW}back on (?P<value>{_FOOD})"),
    ClauseForm(
        "diet",
        rf"{_I_HAVE}(?:stopped|quit|gave up|given up) being (?:an? )?"
        rf"(?P<value>{_DIET})",
        "ended",
    ),
    ClauseForm("diet", rf"{_AM} {_NOW}(?:an? )?(?P<value>{_DIET})"),
    ClauseForm("diet", rf"{_HAVE} been (?:an? )?(?P<value>{_DIET})(?: for .+| since .+)?"),
    ClauseForm("diet", rf"{_SOMEBODY} is {_NOW}(?:an? )?(?P<value>{_DIET})"),
    ClauseForm("diet", rf"I used to be (?:an? )?(?P<value>{_DIET})", "ended"),
    ClauseForm("medication", rf"(?:I {_NOW}take|{_AM} {_NOW}(?:on|taking)) {_MEDICINE}{_OFTEN}"),
    ClauseForm("medication", rf"I used to (?:take|be on) {_MEDICINE}", "ended"),
    ClauseForm("medication", rf"{_DOCTOR}(?:put|started|has|have) me on {_MEDICINE}"),
    ClauseForm("medication", rf"{_HAVE} {_NOW}(?:started|started (?:on|taking)) {_MEDICINE}"),
    ClauseForm(
        "medication",
        rf"(?:{_HAVE} (?:stopped|quit|come off|came off)(?: taking)?|{_AM} {_NOW}off) {_MEDICINE}",
        "ended",
    ),
    ClauseForm(
        "medication",
        rf"{_DOCTOR}(?:took|taken) me off {_PILLS}|[Oo]ff {_PILLS}|{_AM} {_NOW}off {_PILLS}|"
        rf"{_HAVE} {_NOW}(?:stopped|quit|finished|come off|came off)(?: taking)? {_PILLS}|"
        rf"[Nn]o more {_PILLS}(?: for me)?|{_DOCTOR}(?:stopped|ended) {_PILLS}",
        "ended",
    ),
    ClauseForm("medication", rf"{_DOCTOR}(?:took|taken) me off {_MEDICINE}", "ended"),
    ClauseForm("medication", rf"[Oo]ff {_MEDICINE}", "ended"),
    ClauseForm("medication", rf"[Nn]o more {_MEDICINE}(?: for me)?", "ended"),
    ClauseForm("medication", rf"{_DOCTOR}(?:stopped|ended) {_MEDICINE}", "ended"),
    ClauseForm("medication", rf"{_HAVE} been (?:on|taking) {_MEDICINE}(?: for .+| since .+)?"),
    ClauseForm(
        "medication",
        rf"[Ii]t(?:['’]s| is) {_MEDICINE}(?: now)?,? instead of (?P<instead>[a-z]+)",
    ),
    ClauseForm(
        "medication",
        rf"{_DOCTOR}(?:swapped|switched|changed|moved) me "
        rf"(?:from (?P<instead>[a-z]+) )?(?:over )?(?:to|onto) {_MEDICINE}",
    ),
    ClauseForm(
        "medication",
        rf"{_HAVE} {_NOW}(?:swapped|switched|changed) "
        rf"(?:from (?P<instead>[a-z]+) )?(?:over )?to {_MEDICINE}",
    ),
    ClauseForm("medication", rf"{_I} {_NOT} take {_MEDICINE}", "denied"),
    ClauseForm("diet", rf"I(?:['’]ve)? {_NOW}(?:became|gone|went|become) (?P<value>{_DIET})"),
    ClauseForm("diet", rf"{_AM} (?:not|no longer) (?:an? )?(?P<value>{_DIET})", "denied"),
    ClauseForm("allergy", rf"{_AM} {_NOW}allergic to {_THING}"),
    ClauseForm("allergy", rf"{_AM} (?:not|no longer) allergic to {_THING}", "denied"),
    ClauseForm("allergy", rf"I have an allergy to {_THING}"),
    ClauseForm("allergy", rf"{_SOMEBODY} is {_NOW}allergic to {_THING}"),
    ClauseForm(
        "away",
        rf"{_AM} {_NOW}(?P<value>on (?:holiday|vacation|annual leave))(?: (?:in|at|with) .+)?",
    ),
    ClauseForm(
        "away", rf"{_AM} {_NOW}(?:not|no longer) (?P<value>on (?:holiday|vacation|leave))", "denied"
    ),
    ClauseForm(
        "away",
        rf"(?:[Bb]ack|{_AM} {_NOW}back) (?:home )?from (?:my |our |the )?(?:holidays?|vacation|"
        rf"annual leave)",
        "ended",
    ),
    ClauseForm("health", rf"{_AM} {_NOW}(?:an? )?(?:type (?:1|2|one|two) )?(?P<value>{_ILL})"),
    ClauseForm("health", rf"I(?:['’]ve got| have) {_NOW}(?:an? )?(?P<value>{_ILLNESS})"),
    ClauseForm("health", rf"{_AM} (?:not|no longer) (?P<value>{_ILL})", "denied"),
    ClauseForm("health", rf"{_SOMEBODY} is {_NOW}(?P<value>{_ILL})"),
    ClauseForm("health", rf"{_SOMEBODY} has {_NOW}(?:an? )?(?P<value>{_ILLNESS})"),
    ClauseForm("health", rf"I {_NOW}(?:get|suffer from) (?P<value>{_ILLNESS})"),
    ClauseForm(
        "health",
        rf"I(?: was| got| have been|['’]ve been) {_NOW}diagnosed with (?:an? )"
        rf"?(?P<value>(?i:{_ILLNESS}))",
    ),
    ClauseForm("health", rf"{_AM} {_NOW}(?P<value>lactose intolerant|(?:colour|color) blind)"),
    ClauseForm(
        "health",
        rf"{_HAVE} {_NOW}(?P<topic>broke|broken|fractured|sprained|twisted|dislocated) (?:my|a) "
        rf"(?P<value>(?:left |right |little |big )?(?:{any_of(words.BODY_PARTS)}))",
    ),
    ClauseForm(
        "skill",
        rf"{_I} {_NOW}speak (?:(?:a (?:bit|little)(?: of)?|some|fluent|decent|good) )?"
        rf"(?P<value>(?i:{_LANGUAGE}))",
    ),
    ClauseForm("skill", rf"{_AM} {_NOW}fluent in (?P<value>(?i:{_LANGUAGE}))"),
    _ends(
        "skill",
        rf"{_I_HAVE}(?:stopped|quit|gave up|given up|dropped) "
        rf"(?:playing |learning )?(?:(?:the|my) )?(?P<value>{_INSTRUMENT}|(?i:{_LANGUAGE}))"
        r"(?: (?:lessons|classes|course))?",
    ),
    ClauseForm("skill", rf"{_SOMEBODY} {_NOW}speaks (?P<value>(?i:{_LANGUAGE}))"),
    ClauseForm("skill", rf"{_I} {_NOT} (?:speak|know) (?P<value>(?i:{_LANGUAGE}))", "denied"),
    ClauseForm(
        "skill", rf"I (?:{_NOT}|can['’]?t|cannot) play (?:the )?(?P<value>{_INSTRUMENT})", "denied"
    ),
    ClauseForm("skill", rf"I {_NOW}play (?:the )?(?P<value>{_INSTRUMENT})"),
    ClauseForm("owns", rf"{_I} {_NOW}own an? {_THING}"),
    ClauseForm(
        "owns",
        rf"(?:{_I} {_NOT} have (?:an? |any )?|{_I} have no ){_DURABLE}",
        "denied",
    ),
    ClauseForm(
        "owns",
        rf"(?:{_HAVE} {_NOW}(?:bought|treated myself to|got myself|inherited) |"
        rf"{_I} {_NOW}have |{_I}['’]ve got |{_I} have got )"
        rf"an? (?:new |used |old |second-hand |secondhand )?{_DURABLE}",
    ),
    ClauseForm(
        "owns", rf"I {_NOW}drive an? (?:old |new |little )?(?!Uber|Lyft|Bolt)(?P<value>{NAME})"
    ),
    ClauseForm("owns", rf"{_I} {_NOT} own an? {_THING}", "denied"),
    ClauseForm(
        "owns",
        rf"{_HAVE} {_NOW}(?:sold|got rid of|given away|gave away|scrapped|traded in|wrote off|"
        rf"written off) (?:my|our|the)(?: old)? {_THING}",
        "ended",
    ),
    ClauseForm("owns", rf"{_HAVE} {_NOW}traded (?:my|our|the)(?: old)? {_THING} in", "ended"),
    ClauseForm(
        "owns",
        rf"(?:[Mm]y|[Oo]ur)(?: old)? {_THING} (?:got|was|has been|['’]s been) "
        r"(?:stolen|nicked|pinched|scrapped|sold|written off)(?: .+)?",
        "ended",
    ),
    ClauseForm("owns", rf"{_HAVE} {_NOW}sold (?P<value>{NAME})", "ended"),
    ClauseForm(
        "owns",
        rf"(?:[Mm]y|[Oo]ur|[Tt]he)(?: old)? {_THING} (?:is|has|['’]s) (?:(?:now|finally) )"
        rf"?(?:gone|sold)",
        "ended",
    ),
    ClauseForm(
        "owns",
        rf"(?:[Mm]y|[Oo]ur|[Tt]he)(?: old)? {_THING}(?:['’]s| is| has| went)(?: gone)? "
        r"to (?:the )?(?:scrapyard|scrap|tip|dump|junkyard)",
        "ended",
    ),
    ClauseForm(
        "relation",
        rf"(?:[Mm]y|[Oo]ur) (?:older |younger |big |little |new )?(?P<topic>{KIN})"
        rf"(?:['’]s name)? (?:is|['’]s)(?: called| named)? (?P<value>{NAME})",
    ),
    ClauseForm(
        "relation",
        rf"(?P<value>{NAME})(?: is|['’]s) my (?!ex\b)(?:older |younger |big |little |new )?"
        rf"(?P<topic>{KIN})",
    ),
    ClauseForm(
        "relation",
        rf"(?P<value>{NAME}) (?:is not|isn['’]?t|is no longer) my {_CLOSE}(?P<topic>{KIN})",
        "denied",
    ),
    ClauseForm(
        "relation",
        rf"[Mm]y {_CLOSE}(?P<topic>{KIN})(?:['’]s name)? (?:is not|isn['’]?t)(?: called| named)? "
        rf"(?P<value>{NAME})",
        "denied",
    ),
    ClauseForm("partner", rf"{_NO} (?:married|engaged) to (?P<value>{NAME})", "denied"),
    ClauseForm(
        "relation",
        rf"{_I} have an? {_CLOSE}(?P<topic>{KIN})(?: who is| who['’]s)? (?:called|named) "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm(
        "partner",
        rf"(?P<value>{NAME}) and I (?:(?:are|got|have got|are now|just got) )"
        r"(?:now )?(?:married|engaged)",
    ),
    ClauseForm("partner", rf"{_AM} {_NOW}(?:married|engaged) to (?P<value>{NAME})"),
    ClauseForm(
        "partner",
        rf"(?:(?P<value>{NAME}) and (?:I|me)|(?:I|[Mm]e) and (?P<other>{NAME}))"
        r"(?:['’]ve| have) been (?:married|together)(?: for .+| since .+| [a-z]+ years?)?",
    ),
    ClauseForm(
        "partner",
        rf"{_NO_NAME}(?P<value>{NAME}) and I (?:are|['’]re) {_NOW}(?:together|dating|a couple|an "
        rf"item)",
    ),
    ClauseForm(
        "partner",
        rf"(?:{_HAVE}|I just) {_NOW}(?:got |gotten )?(?:married to|engaged to|married) "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm("partner", rf"{_AM} {_NOW}(?:dating|together with) (?P<value>{NAME})"),
    _ends("partner", rf"{_NO_NAME}(?P<value>{NAME}) (?:has |just )?(?:dumped|left) me"),
    _ends("partner", rf"{_NO_NAME}(?P<value>{NAME})(?:['’]s| is) {_NOW}my ex(?:-\w+)?"),
    _ends(
        "partner",
        rf"{_NO_NAME}(?P<value>{NAME}) (?:has |just )?(?:called|broke|broken) off "
        r"(?:the|our) (?:engagement|wedding)",
    ),
    ClauseForm(
        "partner",
        rf"[Mm]y (?:{any_of(words.PARTNERS)}) (?P<value>{NAME}) "
        r"(?:and I (?:have )?(?:(?:broke|broken|split) up|separated)|(?:has )?(?:left|dumped) me)",
        "ended",
    ),
    ClauseForm(
        "partner", rf"I(?:['’]ve)? (?:broke|broken|split) up with (?P<value>{NAME})", "ended"
    ),
    ClauseForm(
        "partner",
        rf"(?:(?P<value>{NAME}) and (?:I|me)|(?:I|me) and (?P<other>{NAME})) "
        r"(?:(?:have |['’]ve )?(?:just )?(?:broke up|broken up|split up|split|called it quits|"
        r"called it off|called it a day|separated|parted ways|got divorced)|aren['’]?t together|"
        r"are not together|"
        r"are (?:finished|over|done|through|divorced|separated|no longer together))",
        "ended",
    ),
    ClauseForm(
        "partner",
        r"[Ww]e(?:['’]ve| have)? (?:broke|broken|split) up|"
        r"[Ww]e(?:['’]re| are) (?:no longer|not) together|"
        r"I(?:['’]m| am) (?:single|divorced)(?: again)?|I(?:['’]ve| have)? got divorced|"
        r"(?:[Mm]y (?:wife|husband|boyfriend|girlfriend|partner|fianc[eé]e?) )(?:has )?"
        r"(?:left|dumped) me|[Mm]y (?:wife|husband|boyfriend|girlfriend|partner) and I "
        r"(?:broke|have broken|split|have split) up",
        "ended",
    ),
    ClauseForm(
        "pet",
        rf"(?:I|[Ww]e)(?:['’]ve got| have| got| adopted)(?: an?)? (?:[a-z]+ )?"
        rf"(?P<topic>{PET}) (?:called|named) (?P<value>{NAME})",
    ),
    ClauseForm(
        "pet",
        rf"(?:[Mm]y|[Oo]ur) (?:[a-z]+ )?(?P<topic>{PET})(?:['’]s name)? is "
        rf"(?:called |named )?(?P<value>{NAME})",
    ),
    ClauseForm(
        "pet",
        rf"(?:[Mm]y|[Oo]ur) (?P<topic>{PET}) (?P<value>{NAME}) (?:died|passed away)(?: .+)?",
        "ended",
    ),
    ClauseForm(
        "pet",
        rf"(?:I|[Ww]e)(?:['’]ve got| have| got| adopted| rescued) (?:an?|two|three|four) "
        rf"{_PETS_OWN}"
        rf"(?!rat|mouse|mice)(?P<value>(?:{PET})s?)",
    ),
    ClauseForm(
        "pet",
        rf"(?:{_I} {_NOT} have (?:a|any)|{_I} have no) (?P<value>(?P<topic>{PET})s?)",
        "denied",
    ),
    ClauseForm("pet", rf"(?P<value>{NAME}) (?:died|has died|passed away)(?: .+)?", "ended"),
    ClauseForm(
        "pet",
        rf"{_NO_NAME}(?P<value>{NAME}) (?:(?:is|['’]s) no longer with us|"
        r"(?:got|was) (?:run over|put down|put to sleep))(?: .+)?",
        "ended",
    ),
    ClauseForm(
        "pet",
        rf"{_HAVE} (?:had to (?:say goodbye to|rehome|part with)|said goodbye to|rehomed) "
        rf"(?P<value>{NAME})",
        "ended",
    ),
    ClauseForm(REPLACEMENT, rf"{_I_HAVE}{_NOW}(?:[Ss]wapped|traded|ditched) {_OLD} for {_NEW}"),
    ClauseForm(
        REPLACEMENT, rf"{_I_HAVE}{_NOW}left (?P<instead>{NAME}) for (?:the )?(?P<value>{NAME})"
    ),
    ClauseForm(
        REPLACEMENT,
        rf"{_I_HAVE}{_NOW}(?:switched|jumped ship|moved on) from {_OLD} to {_NEW}",
    ),
    # Who "went from Hull to Leeds" may have been on a train.
    ClauseForm(
        REPLACEMENT,
        rf"{_I_HAVE}{_NOW}(?:went|gone) from (?P<instead>{_WORDS}) to (?:full )?"
        rf"(?P<value>{_WORDS})",
    ),
    ClauseForm(
        REPLACEMENT,
        rf"(?:[Hh]is|[Hh]er|[Ii]ts|[Tt]heir) name(?:['’]s| is) (?P<value>{NAME}),? "
        rf"not (?P<instead>{NAME})",
    ),
)
"""What the whole of a clause is; the first form that it is gives its statement."""
_THEM = r"(?:it|them|those|that|the stuff|these)"
_BY_NOW = r"(?: a lot| too)?(?:,? (?:now|these days|nowadays|any ?more|after all|again))+"
CHANGES_OF_TASTE = (
    ClauseForm(
        "taste",
        rf"I(?:['’]ve come to| {_VERY})(?:love|like|enjoy|adore) {_THEM}{_BY_NOW}",
        value=MENTIONED,
    ),
    ClauseForm(
        "taste",
        rf"I {_VERY}(?:hate|dislike|loathe|detest|dread|can['’]?t (?:stand|bear)|"
        rf"do(?: not|n['’]?t) (?:really )?like) {_THEM}{_BY_NOW}",
        negative=True,
        value=MENTIONED,
    ),
)
"""What the whole of a clause is that tells by a pronoun that a taste has changed."""
CORRECTION = ClauseForm(
    REPLACEMENT,
    r"(?:(?:it['’]?s|it is|that['’]?s|I mean|I meant) )?(?:in |at )?(?:"
    rf"(?P<value>{NAME}),? not (?:in |at )?(?P<instead>{NAME})|"
    rf"not (?:in |at )?(?P<instead_first>{NAME})(?:,| but|, but) (?:in |at )?(?P<other>{NAME}))",
)
"""What somebody says who has just called something wrong."""

_SHORT = r"(?P<value>[^.,!?;\n]{2,80})"
_PHRASE = r"(?P<value>[^.!?;\n]{3,120})"
_WHO = (
    r"\b(?:[Tt]he )?(?P<subject>(?!(?:He|She|It|They|This|That|Who|What|One|Everyone|Nobody)\b)"
    r"(?:[Uu]ser|[Oo]perator|[A-ZÀ-ÞŁŚŽ][\w'’.&+-]*))"
)
_PROJECT = (
    r"\b(?:(?:[Tt]he|[Oo]ur|[Mm]y) )?"
    r"(?P<subject>[A-Z][\w.-]*(?: [A-Za-z][\w.-]*){0,2}?|[\w-]+\.[a-z]{2,4})"
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
        rf"^(?:{_AM} {_NOW}|{_I} {_NOW}work as )an? (?:[a-z-]+ ){{0,2}}(?:{_OCCUPATION}) "
        rf"(?:at|for) (?:the )?(?P<value>{NAME})(?=['’]?[.!]*$)",
    ),
    ClauseForm(
        "pet",
        r"^(?:I|[Ww]e)(?:['’]ve got| have) (?:[a-z]+ ){1,3}and an? (?:[a-z]+ )?"
        rf"(?P<topic>{PET}) (?:called|named) (?P<value>{NAME})",
    ),
    ClauseForm("age", rf"(?P<subject>{_NO_NAME}{NAME}), aged? (?P<value>\d{{1,3}}|[a-z-]+)\b"),
    ClauseForm(
        "relation", rf"\b(?:[Mm]y|[Oo]ur) {_CLOSE}(?P<topic>{KIN})(?:,? | ?\()(?P<value>{NAME})"
    ),
    ClauseForm(
        "pet",
        rf"\b(?:[Mm]y|[Oo]ur) {_PETS_OWN}(?P<topic>{PET}),? (?P<value>{NAME})"
        r"(?! (?:was|used|had|would|died|passed|got put|is no|isn['’]t|has died|has passed))\b",
    ),
    ClauseForm(
        "relation",
        rf"\b(?P<subject>{NAME})['’]s {_CLOSE}(?P<topic>{KIN})(?:,| is(?: called)?)? "
        rf"(?P<value>{NAME})",
    ),
    ClauseForm(
        "relation",
        rf"^(?P<value>{NAME}) is (?P<subject>{NAME})['’]s {_CLOSE}(?P<topic>{KIN})\b",
    ),
    ClauseForm(
        "instruction",
        r"^(?:Please |From now on,? )?(?P<value>(?:[Aa]lways|[Nn]ever) "
        r"(?![a-z]+(?:ing|ed|en|ly|[^su\W]s)\b)"
        r"(?!(?:knew|felt|met|got|had|ran|went|came|saw|told|thought|made|took|was|were|did|gets|"
        r"kept|left|lost|found|heard|won|held|hurt|again|ever|"
        r"a|an|the|in|on|at|up|to|so|such|been|had|here|there|"
        r"good|nice|happy|great|fun|give|say|saw|mind)\b)[a-z][^.!?;\n]{3,160})",
    ),
    ClauseForm("favourite", rf"\b[Mm]y favou?rite (?P<topic>[\w ]{{3,30}}?) (?:is|are) {_SHORT}"),
    ClauseForm("prefers", rf"\bI (?:\w+ )?prefer(?: to| using| having)? {_SHORT}"),
    ClauseForm("prefers", rf"{_WHO} (?:\w+ )?prefers(?: to| using| having)? {_SHORT}"),
    ClauseForm("communication_style", rf"(?:\bI respond|{_WHO} responds) best to {_PHRASE}"),
    ClauseForm(
        "tendency", rf"\bI (?:tend to|often|usually|sometimes|rarely|generally) (?=[a-z]){_PHRASE}"
    ),
    ClauseForm(
        "tendency", r"\b(?P<value>[A-Z][\w ]{2,60} skews? (?:toward|towards|to) [^.!?;\n]{2,80})"
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
        "launch",
        rf"{_PROJECT} (?:[a-z ,]{{0,40}})?(?:targets|targeting|aims for|launches in|will launch in)"
        r" (?:an? )?(?P<value>Q[1-4](?: \d{4})?|[A-Z][a-z]+ \d{4})",
    ),
    ClauseForm(
        "port",
        rf"{_PROJECT} (?:is|runs|listens|serves|works|uses [a-z]+ mode)(?: [a-z]+)? on port"
        r" (?P<value>\d{2,5})\b",
    ),
    ClauseForm("mode", rf"{_PROJECT} (?:uses|runs in|switched to) (?P<value>[a-z-]+) mode\b"),
    # Of people too it is said in which mode they are: "in zombie mode".
    ClauseForm("mode", rf"{_PROJECT} is in (?P<value>{_MODES}) mode\b"),
    ClauseForm(
        "event",
        r"\b(?P<subject>(?!(?:I|He|She|It|We|They|You|This|That)\b)"
        r"[A-Z][\w.-]*(?: [A-Za-z0-9][\w.-]*){0,3}?)"
        r" was (?P<topic>released|founded|launched|published|born|discontinued)"
        r"(?: in| on)? (?P<value>[A-Z0-9][^.,;!?\n]{2,40})",
    ),
    ClauseForm(
        "version",
        r"\b(?P<subject>[A-Z][A-Za-z]+(?:[.-][A-Za-z]+)*(?: [A-Z][A-Za-z]+)?)(?: version)?"
        r" v?(?P<value>\d+(?:\.\d+){1,3})(?![\w%])",
    ),
)
"""What is found anywhere in a sentence: wishes, tools and projects, and what a mind is like."""
SPEAKER_FIRST = ("I", "(?:I", _I, f"(?:{_I}", _AM, f"(?:{_AM}", f"(?:I {_NOW}")
"""How the forms begin of which the speaker is the subject."""
