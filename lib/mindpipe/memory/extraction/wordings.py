"""What statements sound like: one literal table of wordings and the tags that they give."""

import functools
import re
from typing import NamedTuple

_OFTEN = (
    r"(?:(?:really|also|still|always|definitely|absolutely|personally|generally|usually|mostly"
    r"|much|no\s+longer|just|now|currently|recently|already|finally|actually|only|both|all|never|even|so)\s+)*"
)
_I = r"\b(?:I|we)"
_HAVE = rf"{_I}(?:['’]ve|\s+have)\s+{_OFTEN}"
_AM = rf"{_I}(?:['’]m|['’]re|\s+am|\s+are|\s+was|\s+were)\s+{_OFTEN}"
_WILL = rf"{_I}(?:['’]ll|\s+will|\s+shall)\s+(?:\w+ly\s+)?"
_NUMBER = (
    r"(?:\d[\d,]*(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|twenty|thirty|forty|fifty|hundred)"
)
_UNITS = (
    r"(?:%|percent\b|ms\b|milliseconds?\b|seconds?\b|minutes?\b|hours?\b|[kKMGT]i?B\b|rps\b|fps\b"
    r"|requests\b|users\b|points?\b|kg\b|km\b|miles?\b|lbs?\b|pounds?\b|calories\b|steps\b|bpm\b)"
)
_BE = r"(?:['’]s|['’]re|['’]m|\s+(?:is|are|am|was|were|has|have|had|gets?|runs?|stands?|comes?))"


class ItemWording(NamedTuple):
    """Tags, how they sound, and how much such a statement matters to a memory (0-1)."""

    tags: tuple[str, ...]
    pattern: str
    relevance: float


WORDINGS = (
    ItemWording(
        ("correction",),
        r"^(?:no|nope|oops|wait|sorry|correction|scratch that)[,.:;!—–-]+\s+"
        r"(?!problem|worries|way|doubt|need|thanks|I think|I['’]m (?:good|fine|sure)|that['’]s all)"
        r"(?=[\w'’]+\s+\w+)"
        r"|^(?:(?:well|no|wait|oh|but),? )?actually\b|\bno longer\b|\bchanged\s+(?:my|our)\s+mind"
        rf"|{_I}\s+(?:misspoke|was wrong|were wrong|was mistaken|meant\s)"
        r"|\bnot\s+(?!only|just|sure|really)[\w.'’-]+(?:\s+[\w.'’-]+){0,3},\s+but\s(?!I\b|we\b|it\b)"
        r"|\bthat(?:['’]s| is| was)\s+(?:not\s+(?:right|correct|true)|wrong|incorrect|outdated)\b"
        r"|\b(?:isn['’]t|wasn['’]t|aren['’]t|is not|was not)\s+(?!just|only|always)[^,.;]{2,50}[,;]"
        r"\s*(?:it|he|she|they)(?:['’]s|['’]re|\s+(?:is|was|are|were))\b",
        0.7,
    ),
    ItemWording(
        ("preference", "negative"),
        rf"\bI\s+{_OFTEN}(?:hate|dislike|detest|loathe|avoid|can['’]?t\s+stand|cannot\s+stand)\b"
        rf"|\bI\s+{_OFTEN}(?:don['’]t|do\s+not|didn['’]t|never)\s+{_OFTEN}"
        r"(?:like|enjoy|prefer|eat|drink|care\s+for|want\s+(?:any|to\s+use))\b"
        rf"|\bI(?:['’]m|\s+am)\s+{_OFTEN}not\s+(?:a\s+(?:big\s+|huge\s+)?fan|into|fond|keen)\b",
        0.9,
    ),
    ItemWording(
        ("preference",),
        rf"\bI(?:['’]d|\s+would)?\s+{_OFTEN}(?:prefer|favou?r|rather)\b"
        rf"|\bI\s+{_OFTEN}(?:love|adore|enjoy|like)(?!\s+(?:that|this|it|how|your?|yours|what|when|when|the"
        r"\s+(?:way|idea|sound|look|colou?rs?)|to\s+(?:know|hear|ask|say|see\s+(?:that|you)))\b)\s"
        r"|\b(?:my|our)\s+(?:all-time\s+|absolute\s+|personal\s+|new\s+)?favou?rite\b"
        rf"|{_AM}(?:a\s+(?:big|huge|great)\s+fan\s+of|(?:super\s+|big\s+)?into\s+(?!the\b)|fond\s+of"
        r"|keen\s+on|passionate\s+about)",
        0.9,
    ),
    ItemWording(
        ("preference", "instruction"),
        r"^(?:and |also,? |please,? )*(?:(?:always|never|don['’]t ever|do not ever)\s+"
        r"(?!been\b|had\b|have\b|was\b|were\b|here\b|there\b|a\b|an\b|the\b|in\b|to\b|happy\b|good\b"
        r"|knew\b|thought\b|seen\b|heard\b|felt\b|\w+ing\b|\w+ed\b)\w+|from now on\b)"
        r"|^(?:please,? )?(?:remember|note|keep in mind|don['’]t forget)\s+"
        r"(?:that|to|this|I|my|we|our)\b"
        r"|\bI(?:['’]d)?\s+(?:want|need|like|would\s+like|prefer)\s+you\s+to\s+(?:always|never|\w+)",
        1.0,
    ),
    ItemWording(
        ("decision",),
        rf"{_I}(?:['’]ve|\s+have)?\s+{_OFTEN}(?:decided|chose|chosen|agreed|opted|settled\s+on"
        r"|picked(?!\s+up)|selected|switched|migrated|committed\s+to|made\s+up\s+(?:my|our)\s+mind|went\s+with"
        r"|signed\s+up|enrolled|accepted|turned\s+down|declined|cancelled|canceled|postponed)\b"
        rf"|{_AM}(?:going|sticking)\s+with\b|{_WILL}(?:go|stick)\s+with\b"
        r"|\blet['’]?s\s+(?:go|stick)\s+with\b|\b(?:my|our|the)\s+decision\s+(?:is|was)\b",
        0.9,
    ),
    ItemWording(
        ("promise",),
        rf"\bI\s+promise(?:d)?\b|\byou\s+have\s+my\s+word|{_WILL}(?:make\s+sure|send|share|call|write"
        r"|finish|deliver|bring|pay|review|fix|prepare|submit|get\s+back|be\s+there"
        r"|take\s+care\s+of|visit|meet|complete|pick|return|book|buy|text|email|e-mail|ship|report)\b",
        0.8,
    ),
    ItemWording(
        ("plan",),
        rf"{_AM}(?:planning|going\s+to|gonna|hoping\s+to|aiming|looking\s+(?:to|into)|thinking\s+(?:of|about)"
        r"|considering|about\s+to|saving\s+up|preparing|training\s+for|working\s+(?:on|towards?))\b"
        rf"|{_I}\s+{_OFTEN}(?:plan|intend|aim|hope)\s+to\b"
        r"|\b(?:my|our)\s+(?:\w+\s+)?(?:goal|plan|dream|aim|target)\s+(?:is|was)\b",
        0.65,
    ),
    ItemWording(
        ("state", "residence"),
        rf"{_I}(?:['’]ve|['’]m|['’]re|\s+have|\s+am|\s+are|\s+was|\s+used\s+to)?\s+{_OFTEN}(?:been\s+)?"
        r"(?:live|lived|living|moved|moving|relocat\w+|resid\w+|settl\w+(?=\s+(?:in|down))|based)\s+"
        r"(?:\w+\s+)?(?:in|to|near|at|from|into|back|out|here|with|next|by|close|around|off|on)\b"
        rf"|{_I}\s+(?:found|rented|bought|leased|got)\s+(?:an?|the|my|our)\s+(?:\w+\s+){{0,2}}"
        r"(?:apartment|flat|house|home|place|condo|studio|room)\b"
        r"|\b(?:my|our)\s+(?:new\s+)?(?:home|house|apartment|flat|place)\s+(?:is|near|in)\b"
        rf"|{_AM}(?:from|back\s+in|staying\s+(?:in|at|with|near))\b",
        1.0,
    ),
    ItemWording(
        ("state", "job"),
        rf"{_I}\s+{_OFTEN}work(?:ed)?\s+(?:as|at|for|in)\b|{_AM}working\s+(?:as|at|for)\b"
        rf"|\bI\s+{_OFTEN}(?:got|started|lost|quit|left|landed|accepted|resigned)\s+(?:from\s+)?"
        r"(?:an?|my|the)\s+(?:\w+\s+){0,3}(?:job|position|role|internship|promotion)\b"
        r"|\b(?:my|our)\s+(?:new\s+)?(?:job|role|position|boss|employer|company)\s+(?:is|as|at)\b"
        r"|\bI\s+(?:got|was|['’]ve been)\s+(?:promoted|hired|fired|laid\s+off)\b"
        r"|\bI(?:['’]m|\s+am)\s+(?:an?|the)\s+(?:\w+[- ]){0,3}?\w+(?:er|or|ist|ian|ant|ect|ent)"
        r"(?:\s+(?:at|for|by|with|from|in|who)\b|[,.!]|$)",
        0.95,
    ),
    ItemWording(
        ("state", "health"),
        rf"\ballergic\s+to\b|\bdiagnosed\s+with\b|{_AM}(?:vegan|vegetarian|pregnant|diabetic|injured|sick)\b",
        1.0,
    ),
    ItemWording(
        ("fact",),
        r"\b(?:my|our)\s+(?:\w+\s+)?(?:(?:full|first|last|middle)\s+name|(?:phone\s+)?number|address"
        r"|e-?mail)\s+(?:is|are)\b",
        0.9,
    ),
    ItemWording(
        ("state", "age"),
        r"\bI(?:['’]m|\s+am|\s+just\s+turned|\s+turned)\s+\d{1,3}(?:\s+years?\s+old|\s*,|\.|!|$|\s+and\b)"
        r"|\b(?:my|our)\s+(?:birthday|anniversary)\b|\bI\s+was\s+born\b",
        0.95,
    ),
    ItemWording(
        ("state", "version"),
        r"\b[A-Z][\w.+#-]*\s+(?:version\s+)?v?\d+(?:\.\d+)+\b|\bversion\s+v?\d+(?:\.\d+)*\b",
        0.85,
    ),
    ItemWording(
        ("state", "deadline"),
        r"\b(?:deadline|due(?:\s+(?:on|by|date|in))?|launch(?:es|ing)?|release[sd]?|go(?:es)?\s+live"
        r"|expires?|ends?\s+on|starts?\s+on|scheduled|meeting|appointment|interview|exam|sprint"
        r"|milestone|flight|wedding|review)\b(?=[^.!?]*\b(?:on|by|for|is|to|at|until|in|of|next|this)\b)",
        0.9,
    ),
    ItemWording(
        ("state", "metric"),
        rf"\b(?!100\s?%){_NUMBER}\s?{_UNITS}|[$€£]\s?\d[\d,.]*|\b\d[\d,.]*\s+(?:dollars|euros|pounds|bucks)\b",
        0.85,
    ),
    ItemWording(
        ("state", "count"),
        rf"(?:{_I}|\b(?:he|she|they|it|there|[A-Z]\w+))(?:['’]ve|['’]s|['’]re)?\s+{_OFTEN}"
        r"(?:have|has|had|got|is|are|own\w*|complet\w+|finish\w*|read|wrote|written|earn\w*|sav\w+|score\w*"
        r"|collect\w*|attend\w*|reach\w*|made|did|done|won|visit\w*|rais\w+|grew|grown|increas\w+)"
        rf"\b[^.!?,;]{{0,40}}?\b{_NUMBER}\s+(?!of\b)[a-z]{{3,}}",
        0.75,
    ),
    ItemWording(
        ("state", "status"),
        rf"\b(?!I\b)\w+{_BE}\s+(?:now|currently|still|no\s+longer|already|finally)\b"
        r"|\b(?:now|currently)\s+(?:uses?|runs?|takes?|supports?|costs?|has|have|is|are|using|at)\b"
        r"|\b(?:has|have)\s+been\s+\w+(?:ed|en)\b",
        0.8,
    ),
    ItemWording(
        ("state", "negative"),
        rf"{_I}\s+{_OFTEN}(?:do\s+not|don['’]t)\s+{_OFTEN}(?:live|work|own|speak|have|take)\b"
        r"|\bI(?:['’]m|\s+am)\s+not\s+(?:allergic|an?\s+\w+|married|vegan|vegetarian)\b",
        0.7,
    ),
    ItemWording(
        ("state", "experience", "negative"),
        rf"{_I}(?:['’]ve|\s+have)\s+never\b|{_I}\s+(?:never|haven['’]t|have\s+not|hadn['’]t)\s+\w+",
        0.85,
    ),
    ItemWording(
        ("state", "experience"),
        rf"{_HAVE}(?:been\s+\w+ing|worked|used|tried|studied|had|known|lived|written|built|completed"
        r"|implemented|learned|learnt|finished|obtained|set\s+up|created|added|read|visited|joined"
        r"|started|managed|fixed|tested|integrated|configured|secured|achieved)\b",
        0.65,
    ),
    ItemWording(
        ("lesson",),
        rf"\b(?:I|we)(?:['’]ve|\s+have)?\s+{_OFTEN}(?:learned|learnt|realised|realized|discovered|figured\s+out)"
        r"\s+(?!about\b|from\b|a\s+lot\b|so\b|how\s+much\b)"
        r"|\b(?:the|key|main|biggest|big)\s+(?:lesson|takeaway|trick)\s+(?:is|was|here)\b"
        r"|^(?:when(?:ever)?|if|before|after|every\s+time|once)\b[^.!?]{4,120},\s*(?:then\s+)?"
        r"(?:always|never|make\s+sure|remember|don['’]t|do\s+not|please|you\s+(?:should|must|need)|use"
        r"|run|check|ask|restart|first|call|stop|clear|wait|try|open|close|set|add|remove|delete)\b"
        r"|\bthe\s+(?:best\s+)?way\s+to\s+[^.!?]+\s+is\s+to\b",
        0.85,
    ),
)
"""Every wording in the order of what it decides; matched without regard to case but for names."""


@functools.cache
def patterns() -> tuple[tuple[ItemWording, re.Pattern[str]], ...]:
    """Return the table with its patterns compiled."""
    return tuple((wording, re.compile(_folded(wording))) for wording in WORDINGS)


def _folded(wording: ItemWording) -> str:
    """Return a pattern that knows no case, but where it looks for the capital of a name."""
    return wording.pattern if "[A-Z]" in wording.pattern else f"(?i){wording.pattern}"
