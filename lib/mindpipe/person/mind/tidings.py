"""News and verdicts in plain words: how good or bad they are where whoever tells does not say.

Speech and actions may come without a valence, as all that a human types does. What they tell is
neutral then, unless a sentence says plainly, and not as a question, a wish or a story, that
somebody died, is gravely ill or hurt, or lost what one lives by; that something failed, or turned
out well; or unless its words are kind or unkind to the person (`mindpipe.person.mind.esteem`).

What is here is compiled when it is imported: import it where something was told without a valence.
"""

import re

import msgspec

from mindpipe.core.patterns import LatePattern, late
from mindpipe.language.guards import told_plainly
from mindpipe.person.mind.esteem import esteem
from mindpipe.person.mind.people import named_at
from mindpipe.person.mind.relations import others_of
from mindpipe.person.mind.residue import on_one_line
from mindpipe.person.mind.turn_words import DIED_SOFTLY
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import PersonIdentity

TOLD = frozenset({"speech", "action"})
ELSEWHERE = 0.75
"""How much less it weighs where it is told of people whom the person does not know."""

_BE = r"(?:is|are|'s|’s|was|were|has been|have been|'ve been)"
_HAVE = r"(?:has|have|had|'s|’s|'ve|’ve|got)"
_DEATH = late(
    rf"\b(?:died|passed away|{_HAVE} passed|{_BE} (?:just )?(?:dead|killed|murdered)|dies"
    r"|(?:killed|hanged|shot) (?:himself|herself|themselves)|committed suicide|drowned"
    r"|did(?: not|n't|n’t) (?:survive|make it|wake up)|stillborn|miscarriage|lost (?:the|our|my|her"
    r"|your) baby|(?:his|her|their) funeral|heart (?:has )?stopped|lost (?:his|her|their) li(?:fe"
    r"|ves)|breathed (?:his|her|their) last"
    rf"|(?:my|your|our|his|her|their) (?:[\w-]+ )?death|{DIED_SOFTLY})\b",
    re.I,
)
NO_DEATH = late(
    r"\b(?:die[sd]?|dying) (?:down|away|out|laughing"
    r"|of (?:shame|laughter|embarrassment|boredom|hunger|thirst))"
    r"|\bdead (?:tired|sure|serious|right|wrong|slow|drunk|easy)\b|\bdead to (?:me|you)\b"
    r"|\b(?:battery|batteries|engine|line|phone|laptop|plant|fire|radio|screen|car|server|computer"
    r"|connection|signal|light|lamp|tree|motor|printer|fridge|wifi|tv)s?(?: \w+)?"
    r" (?:just )?(?:died|dies|dead)\b|\bpassed (?:the|her|his|my|your|it|all|by|with)\b"
    r"|\b(?:ages|years|decades) ago\b|\bin (?:1[5-9]|20)\d\d\b",
    re.I,
)
_ILL = late(
    rf"\b(?:{_HAVE} (?:\w+ )?(?:cancer|leuk(?:a?e)mia|sepsis|dementia|alzheimer\S*)"
    r"|(?:breast|lung|brain|bowel|skin|terminal) cancer|it(?:'s|’s| is) cancer"
    r"|(?:a|the) (?:brain |malignant )?tumou?r|(?:a|another) (?:stroke|heart attack)|in (?:a )?coma"
    rf"|(?:in|to|at) intensive care|{_BE} (?:now )?dying|{_BE} (?:paralysed|terminally ill|in the"
    r" ICU)|"
    r"badly (?:hurt|injured|burned|burnt)|seriously (?:ill|hurt|injured)|critically ill"
    r"|(?:had|been in|was in|in) an? (?:\w+ )?(?:accident|crash)|was (?:hit|run over) by"
    r"|(?:was|been|got) (?:raped|stabbed|beaten up|assaulted|attacked|shot)"
    r"|taken to (?:the )?hospital|rushed to (?:the )?hospital|fighting for (?:his|her|their) life"
    r"|tried to kill (?:himself|herself|myself)|wants? to die)\b",
    re.I,
)
_LOSS = late(
    r"\b(?:(?:was|were|am|'m|’m|been|are|'re|’re|got) (?:just )?(?:fired|sacked|laid off|made"
    r" redundant|evicted|arrested|expelled|robbed|burgled)"
    r"|lost (?:my|your|his|her|our|their) (?:job|home|house|flat|savings|work)"
    r"|(?:left|leaving|is leaving) (?:me|you)(?= for\b|[.,!;]|$)"
    r"|(?:wants?|filed for|getting) (?:a )?divorced?"
    r"|(?:broke|breaking) up with (?:me|you)|(?:cheated|cheating) on"
    r"|burn(?:t|ed) (?:down|to the ground)|{_}bankrupt|{_}missing"
    r"|(?:house|flat|home|shop|barn|village) (?:is|was) (?:gone|destroyed|flooded)"
    r"|war (?:has )?(?:broke|broken) out)\b".replace("{_}", rf"{_BE} (?:gone )?"),
    re.I,
)
_OLD = late(r"(?i)\b(?:years|decades) ago\b|\blong ago\b|\bin (?:1[5-9]|20)\d\d\b|\bas a child\b")
_GRAVE: tuple[tuple[LatePattern, float], ...] = ((_DEATH, 0.9), (_ILL, 0.75), (_LOSS, 0.65))
"""How grave each kind of news is where it is of the person or of somebody it knows (C)."""
_OF = r"(?:the|a|an|my|your|our|his|her|their)"
_GOT = r"(?:am|is|are|'m|'s|'re|was|were|been|got)(?: (?:just|finally|now))?"
_EXAM = r"(?:exams?|tests?|finals?|orals?|course|year|interview|audition|inspection)"
_BONE = r"(?:arm|leg|foot|hand|wrist|ankle|hip|nose|collarbone|ribs?|toes?|finger)"
_CONTEST = r"(?:match|game|final|case|appeal|election|competition|contract)"
_SETBACK = late(
    rf"(?i)\b(?:(?:failed|flunked) {_OF} (?:[\w-]+ ){{0,2}}?{_EXAM}"
    rf"|{_GOT} (?:rejected|turned down|demoted|disqualified|suspended|bullied|cheated|humiliated"
    r"|scammed|swindled)"
    rf"|broke {_OF} (?:[\w-]+ )?{_BONE}"
    rf"|lost {_OF} (?:[\w-]+ )?(?:{_CONTEST}|deposit)"
    rf"|(?:stole|stolen) {_OF} \w+)\b"
)
_SUCCESS = late(
    rf"(?i)\b(?:(?:passed|aced) {_OF} (?:[\w-]+ ){{0,2}}?{_EXAM}"
    rf"|(?:got|landed|been (?:offered|given)|was (?:offered|given)) {_OF} (?:new |better )?(?:job"
    r"|place|part|role|flat|scholarship|promotion|contract|grant|loan|visa|post|raise|rise)"
    rf"|{_GOT} (?:promoted|acquitted|admitted to|accepted|awarded|hired|chosen)"
    rf"|won {_OF} (?:[\w-]+ ){{0,2}}?(?:{_CONTEST}|prize|race|award|medal|lottery))\b"
)
_RELIEF = late(
    r"(?i)\b(?:(?:tumou?r|lump|biopsy|growth|scan|result)s?(?: \w+)? (?:is|are|was|were|came back)"
    r" (?:benign|negative|clear|harmless)|cancer-free|in remission|out of danger|on the mend"
    r"|(?:has |have |'s )?(?:fully|completely) recovered|out of (?:the )?(?:coma|intensive care)"
    r"|(?:was|were|been) found (?:safe|alive|unharmed)|safe and sound)\b"
)
_JOY = late(
    rf"(?i)\b(?:{_GOT} (?:engaged(?! in\b)|getting married)|got married"
    rf"|{_GOT} born|had a (?:healthy )?(?:baby|boy|girl|son|daughter)\b"
    r"|said yes to (?:me|you|him|her))\b"
)
_FAIR: tuple[tuple[LatePattern, float, str], ...] = (
    (_SETBACK, -0.4, "disappointment"),
    (_SUCCESS, 0.6, "joy"),
    (_RELIEF, 0.7, "relief"),
    (_JOY, 0.7, "joy"),
)
"""How good or bad other plain news is where it is near, and what one feels at it (C)."""
_OURS = late(r"(?i)\b(?:you|your|yours|our|ours|us|we)\b")


def understood(event: PersonEvent, identity: PersonIdentity) -> PersonEvent:
    """Return speech or an action with how it is to be taken, where it does not say that itself."""
    if event.type not in TOLD or event.valence is not None or not event.text:
        return event
    text = on_one_line(event.text)
    near = _OURS.search(text) or any(
        named_at(text, other) is not None for other in others_of(identity)
    )
    if grave := _gravity(text):
        grave = round(grave if near else ELSEWHERE * grave, 3)
        return _taken(event, -grave, grave, "sadness")
    kind = esteem(text, spoken=event.type == "speech")
    news, emotion = _fair(text)
    news = news if near else ELSEWHERE * news
    if abs(news) > abs(kind):
        return _taken(event, news, None, emotion)
    return _taken(event, kind, None, None) if kind else event


def _taken(
    event: PersonEvent, valence: float, intensity: float | None, emotion: str | None
) -> PersonEvent:
    """Return an event with how it is taken, but for what it says of itself."""
    return msgspec.structs.replace(
        event,
        valence=round(valence, 3),
        intensity=intensity if event.intensity is None else event.intensity,
        cls=event.cls or emotion,
    )


def _gravity(text: str) -> float:
    """Return how grave the worst is that a text says plainly, 0 where it is nothing grave."""
    worst = 0.0
    for pattern, grave in _GRAVE:
        for told in told_plainly(text, pattern):
            alive = pattern is _DEATH and NO_DEATH.search(told.sentence)
            plain = told.meant in (None, "reported") and not _OLD.search(told.sentence)
            if grave > worst and plain and not alive:
                worst = grave
    return worst


def _fair(text: str) -> tuple[float, str]:
    """Return how good or bad other news of a text is, and what one feels at it; 0 for none."""
    found = [
        (valence, emotion)
        for pattern, valence, emotion in _FAIR
        if any(
            one.meant is None and not _OLD.search(one.sentence)
            for one in told_plainly(text, pattern, earnest=True)
        )
    ]
    return min(found, key=lambda one: (-abs(one[0]), one[0]), default=(0.0, ""))
