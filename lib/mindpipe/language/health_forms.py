"""The forms of health: what somebody takes, has, cannot bear, and is away for."""

from mindpipe.language import words
from mindpipe.language.clause_form import ClauseForm, ends
from mindpipe.language.forms import (
    AM,
    DIET,
    DO_NOT,
    DOCTOR,
    HAVE,
    ILLNESS,
    MEDICINE,
    NOW,
    SOMEBODY,
    THING,
    WE,
)
from mindpipe.language.words import any_of

_ILL = any_of(words.ILL)
_OFTEN = (
    r"(?: (?:daily|once|twice|(?:two|three|four) times|every|each|in the|at night|with|before|"
    r"after)\b.*)?"
)
_PILLS = (
    r"(?:(?:the|my|all(?: of)? (?:the|my)|those|these) )?"
    r"(?:tablets?|pills?|meds|medication|medicines?)"
)
"""Medicines that are not named: of one that is taken it is known which."""
_BADLY = "(?:(?:severely|badly|highly|very|deathly|seriously|terribly|mildly|slightly) )?"
_AWAY = any_of(words.ABSENCES)

HEALTH_FORMS = (
    ClauseForm(
        "medication",
        rf"(?:I {NOW}take|{AM} {NOW}(?:on|taking)) {MEDICINE}{_OFTEN}",
    ),
    ClauseForm(
        "medication",
        rf"(?:[Ii]t(?:['’]s| is) )?{MEDICINE},? "
        r"(?:(?:now )?(?:each|every|once|twice|(?:two|three) times) .+|daily|"
        r"(?:with|before|after) my .+)",
    ),
    ClauseForm("medication", rf"I used to (?:take|be on) {MEDICINE}", "ended"),
    ClauseForm("medication", rf"{DOCTOR}(?:put|started|has|have) me on {MEDICINE}"),
    ClauseForm("medication", rf"{HAVE} {NOW}(?:started|started (?:on|taking)) {MEDICINE}"),
    ClauseForm(
        "medication",
        rf"(?:{HAVE} (?:stopped|quit|come off|came off)(?: taking)?|{AM} {NOW}off) {MEDICINE}",
        "ended",
    ),
    ClauseForm(
        "medication",
        rf"{DOCTOR}(?:took|taken) me off {_PILLS}|[Oo]ff {_PILLS}|{AM} {NOW}off {_PILLS}|"
        rf"{HAVE} {NOW}(?:stopped|quit|finished|come off|came off)(?: taking)? {_PILLS}|"
        rf"[Nn]o more {_PILLS}(?: for me)?(?: and .+)?|{DOCTOR}(?:stopped|ended) {_PILLS}",
        "ended",
    ),
    ClauseForm("medication", rf"{DOCTOR}(?:took|taken) me off {MEDICINE}", "ended"),
    ClauseForm("medication", rf"[Oo]ff {MEDICINE}", "ended"),
    ClauseForm("medication", rf"[Nn]o more {MEDICINE}(?: for me)?", "ended"),
    ClauseForm("medication", rf"{DOCTOR}(?:stopped|ended) {MEDICINE}", "ended"),
    ClauseForm("medication", rf"{HAVE} been (?:on|taking) {MEDICINE}(?: for .+| since .+)?"),
    ClauseForm(
        "medication",
        rf"[Ii]t(?:['’]s| is) {MEDICINE}(?: now)?,? instead of (?P<instead>[a-z]+)",
    ),
    ClauseForm(
        "medication",
        rf"{DOCTOR}(?:swapped|switched|changed|moved) me "
        rf"(?:from (?P<instead>[a-z]+) )?(?:over )?(?:to|onto) {MEDICINE}",
    ),
    ClauseForm(
        "medication",
        rf"{HAVE} {NOW}(?:swapped|switched|changed) "
        rf"(?:from (?P<instead>[a-z]+) )?(?:over )?to {MEDICINE}",
    ),
    ClauseForm("medication", rf"{WE} {DO_NOT} take {MEDICINE}", "denied"),
    ClauseForm("diet", rf"I(?:['’]ve)? {NOW}(?:became|gone|went|become) (?P<value>{DIET})"),
    ClauseForm("diet", rf"{AM} (?:not|no longer) (?:an? )?(?P<value>{DIET})", "denied"),
    ClauseForm("allergy", rf"{AM} {NOW}{_BADLY}allergic to {THING}"),
    ClauseForm("allergy", rf"{AM} (?:not|no longer) allergic to {THING}", "denied"),
    ClauseForm("allergy", rf"I have an allergy to {THING}"),
    ClauseForm(
        "allergy",
        r"(?:[Ii]t|[Tt]hat|[Tt]his)(?: is not|['’]s not| isn['’]?t) an? (?P<value>[a-z]+) allergy",
        "denied",
    ),
    ClauseForm("allergy", rf"{SOMEBODY} is {NOW}{_BADLY}allergic to {THING}"),
    ends(
        "health",
        r"(?:[Mm]y|[Tt]he|[Mm]e) (?:cast|plaster|splint|sling|boot|brace|stitches)(?:['’]s| is|"
        r" are| came| has come| have come)(?: finally| now)? (?:off|out)",
    ),
    ClauseForm(
        "away",
        rf"{AM} {NOW}(?P<value>on (?:{_AWAY}))(?: (?:in|at|with) .+)?",
    ),
    ClauseForm(
        "away",
        rf"{AM} {NOW}(?:not|no longer) (?P<value>on (?:{_AWAY}))",
        "denied",
    ),
    ClauseForm(
        "away",
        rf"(?:[Bb]ack|{AM} {NOW}back) (?:home )?from (?:my |our |the )?(?:{_AWAY})s?",
        "ended",
    ),
    ClauseForm("health", rf"{AM} {NOW}(?:an? )?(?:type (?:1|2|one|two) )?(?P<value>{_ILL})"),
    ClauseForm(
        "health",
        rf"I(?:['’]ve got| have) {NOW}(?:an? )?(?:type (?:1|2|one|two) )?(?P<value>{ILLNESS})",
    ),
    ClauseForm(
        "health",
        rf"{AM} (?:not|no longer) (?P<value>{_ILL}|lactose intolerant|(?:colour|color) blind)",
        "denied",
    ),
    ClauseForm("health", rf"I {DO_NOT} have (?:an? )?(?P<value>{ILLNESS})", "denied"),
    ClauseForm(
        "health",
        rf"{HAVE} (?:lost the baby|had (?:a miscarriage|the baby|our baby)|gave birth|given birth)",
        "ended",
        ends_only=True,
        value="pregnant",
    ),
    ClauseForm("health", rf"{SOMEBODY} is {NOW}(?P<value>{_ILL})"),
    ClauseForm("health", rf"{SOMEBODY} has {NOW}(?:an? )?(?P<value>{ILLNESS})"),
    ClauseForm("health", rf"I {NOW}(?:get|suffer from) (?P<value>{ILLNESS})"),
    ClauseForm(
        "health",
        rf"I(?: was| got| have been|['’]ve been) {NOW}diagnosed with (?:an? )"
        rf"?(?P<value>(?i:{ILLNESS}))",
    ),
    ClauseForm("health", rf"{AM} {NOW}(?P<value>lactose intolerant|(?:colour|color) blind)"),
    ClauseForm(
        "health",
        rf"{HAVE} {NOW}(?P<topic>broke|broken|fractured|sprained|twisted|dislocated) (?:my|a) "
        rf"(?P<value>(?:left |right |little |big )?(?:{any_of(words.BODY_PARTS)}))",
    ),
    ClauseForm(
        "health",
        rf"{SOMEBODY}(?:['’]s| has)? {NOW}(?P<topic>broke|broken|fractured|sprained|twisted|"
        r"dislocated) (?:his|her|their|a|an) "
        rf"(?P<value>(?:left |right |little |big )?(?:{any_of(words.BODY_PARTS)}))"
        r"(?: (?:falling|when|while|in|on|at|playing|skiing|climbing) .+)?",
    ),
    ClauseForm(
        "health",
        rf"{SOMEBODY}(?:['’]s| is) {NOW}expecting(?: again| twins|"
        r" (?:a|an?other|their (?:first|second|third)) (?:baby|boy|girl|child)|"
        r" their (?:first|second|third))?",
        value="pregnant",
    ),
    ClauseForm(
        "allergy",
        rf"(?:[Ii]t(?:['’]s| is) )?{THING} (?:that |which )?"
        r"(?:(?:brings?|makes?) me (?:come )?out in (?:hives|spots|a rash)|"
        r"(?:gives? me (?:hives|a rash)|makes? me (?:swell up|break out)|swells? me up)(?: .+)?)",
    ),
)
"""What the whole of a clause is, behind the forms of all else."""
