"""Grave news in plain words: how bad it is where whoever tells it does not say.

Speech and actions may come without a valence, as all that a human types does. What they tell is
neutral then, unless a sentence says plainly, and not as a question, a wish or a story, that
somebody died, is gravely ill or hurt, or lost what one lives by.

What is here is compiled when it is imported: import it where something was told without a valence.
"""

import re

import msgspec

from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.guards import clause_meant, denies, sentence_meant
from mindpipe.person.mind.people import named_at
from mindpipe.person.mind.relations import others_of
from mindpipe.person.mind.residue import on_one_line
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import PersonIdentity

TOLD = frozenset({"speech", "action"})
ELSEWHERE = 0.75
"""How much less it weighs where it is told of people whom the person does not know."""

_BE = r"(?:is|are|'s|’s|was|were|has been|have been|'ve been)"
_HAVE = r"(?:has|have|had|'s|’s|'ve|’ve|got)"
_DEATH = re.compile(
    rf"\b(?:died|passed away|{_HAVE} passed|{_BE} (?:just )?(?:dead|killed|murdered)|dies"
    r"|(?:killed|hanged|shot) (?:himself|herself|themselves)|committed suicide|drowned"
    r"|did(?: not|n't|n’t) (?:survive|make it|wake up)|stillborn|miscarriage|lost (?:the|our|my|her"
    r"|your) baby|(?:his|her|their) funeral|heart (?:has )?stopped|lost (?:his|her|their) li(?:fe"
    r"|ves)|breathed (?:his|her|their) last"
    r"|(?:my|your|our|his|her|their) (?:[\w-]+ )?death)\b",
    re.I,
)
_NO_DEATH = re.compile(
    r"\bdied? (?:down|away|out|of (?:shame|laughter|embarrassment|boredom|hunger|thirst)|laughing)"
    r"|\bdead (?:tired|sure|serious|right|wrong|slow|drunk|easy)\b|\bdead to (?:me|you)\b"
    r"|\b(?:battery|batteries|engine|line|phone|laptop|plant|fire|radio|screen|car|server|computer"
    r"|connection|signal|light|lamp|tree|motor|printer|fridge|wifi|tv)s?(?: \w+)?"
    r" (?:just )?(?:died|dies|dead)\b|\bpassed (?:the|her|his|my|your|it|all|by|with)\b"
    r"|\b(?:ages|years|decades) ago\b|\bin (?:1[5-9]|20)\d\d\b",
    re.I,
)
_ILL = re.compile(
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
_LOSS = re.compile(
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
_OLD = re.compile(
    r"(?i)\b(?:years|decades) ago\b|\blong ago\b|\bin (?:1[5-9]|20)\d\d\b|\bas a child\b"
)
_GRAVE: tuple[tuple[re.Pattern[str], float], ...] = ((_DEATH, 0.9), (_ILL, 0.75), (_LOSS, 0.65))
"""How grave each kind of news is where it is of the person or of somebody it knows (C)."""
_OURS = re.compile(r"(?i)\b(?:you|your|yours|our|ours|us|we)\b")


def understood(event: PersonEvent, identity: PersonIdentity) -> PersonEvent:
    """Return speech or an action with how grave it is, where it does not say that itself."""
    if event.type not in TOLD or event.valence is not None or not event.text:
        return event
    text = on_one_line(event.text)
    grave = _gravity(text)
    if not grave:
        return event
    near = _OURS.search(text) or any(
        named_at(text, other) is not None for other in others_of(identity)
    )
    grave = round(grave if near else ELSEWHERE * grave, 3)
    intensity = grave if event.intensity is None else event.intensity
    emotion = event.cls or "sadness"
    return msgspec.structs.replace(event, valence=-grave, intensity=intensity, cls=emotion)


def _gravity(text: str) -> float:
    """Return how grave the worst is that a text says plainly, 0 where it is nothing grave."""
    worst = 0.0
    for sentence in sentences(text, whole=True):
        if sentence_meant(sentence.text) is not None:
            continue
        for pattern, grave in _GRAVE:
            for found in pattern.finditer(sentence.text):
                if grave <= worst or _OLD.search(sentence.text):
                    continue
                if pattern is _DEATH and _NO_DEATH.search(sentence.text):
                    continue
                at = sentence.start + found.start()
                clause = next((one for one in clauses(sentence) if one.start <= at < one.end), None)
                within = (clause or sentence).text
                before = sentence.text[: found.start()]
                if denies(re.split(r"[,;:]", before)[-1]):
                    continue
                if clause_meant(within) in (None, "reported"):
                    worst = grave
    return worst
