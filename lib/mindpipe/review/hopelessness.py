"""Words of who sees no way on: said of oneself and one's life, by oneself, and not denied."""

import re

_IT_ALL = r"(?:it all|everything|anything|life|living|myself|all this|any of (?:it|this))"
_OVER = r"(?=\s*(?:[.,;:!?…—]|$)|\s+(?:any ?more|any longer|now|and|but)\b)"
"""What follows a word that stands for the whole of a life: the end of its clause."""
_GOING_ON = r"(?:living|life|going on|carrying on|getting up|trying|being here|anything)"
_HOPELESS = re.compile(
    rf"\b(?:no (?:point|use)(?:{_OVER}| (?:in|to) {_GOING_ON}(?! (?:about|over|with|at|to)\b))"
    rf"|no way out|no future{_OVER}|no hope{_OVER}|no reason to (?:live|go on|get up)"
    rf"|what(?:'s| is) the (?:point|use)(?:{_OVER}| of (?:{_GOING_ON}|{_IT_ALL}))"
    rf"|(?:life|{_IT_ALL}|I) (?:is|am|feels?|seems?) (?:so |all |quite )?"
    rf"(?:pointless|hopeless){_OVER}"
    rf"|it(?:'s| is) (?:all )?(?:pointless|hopeless){_OVER}"
    r"|I (?:am|feel) (?:so |completely |utterly )?worthless|I'm (?:so )?worthless"
    rf"|I(?:'ve| have)? (?:want to |have to |could |shall )?(?:give|gave|given) up"
    rf"(?:{_OVER}| on {_IT_ALL})"
    rf"|can(?: ?not|'t) (?:go|carry) on{_OVER}|can(?: ?not|'t) go on (?:like this|living)"
    rf"|can(?: ?not|'t) (?:bear|take|stand) (?:it|this|any more|much more|any of it){_OVER}"
    rf"|never (?:get|be|feel) (?:any )?better{_OVER}"
    rf"|nothing (?:left (?:for me|to live for)|matters{_OVER}|will (?:ever )?change{_OVER})"
    r"|better off without me|want(?:ed)? to die|end it all|wish I (?:were|was) dead"
    r"|kill(?:ing)? myself(?! (?:laughing|with laughter)\b)|end(?:ing)? my (?:own )?life(?! as\b)"
    rf"|(?:do not|don't|never|no longer) want to (?:live{_OVER}"
    rf"|be here (?:any ?more|any longer)|wake up(?:{_OVER}| again| tomorrow| in the morning))"
    r"|not (?:want to )?wake up|(?:no one|nobody) would miss me"
    rf"|like a burden|(?:am|was) (?:only |just )?a burden)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:never|nobody|hardly|no longer|without (?:feeling|being))\b|(?<!\bcan )\bnot\b"
    r"|(?<!\bca)n't\b|\bcan(?: ?not|'t)\b(?!\s+(?:believe|help|stop|wait|deny|understand)\b))"
    r"(?:,?\s+(?:really|actually|even|ever))?(?:\s+\w+){0,2}\s*$",
    re.I,
)
"""What turns words round that come within the next two; who cannot believe it denies nothing."""
_CLAUSE = re.compile(r"[.;:!?…]|,(?! ever\b)|\b(?:and|but|(?<!not )so)\b", re.I)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")


def hopeless_in(thought: str) -> tuple[str, ...]:
    """Return the words of a thought that see no way on.

    What others are quoted with is not one's own, and what is denied is not meant; `no point in
    going over it again` is of one thing and `no point in going on` of all.
    """
    plain = _QUOTED.sub(" ", thought.replace("’", "'"))
    found = []
    for one in _HOPELESS.finditer(plain):
        before = _CLAUSE.split(plain[: one.start()])[-1]
        if not _DENIED.search(before):
            found.append(one.group())
    return tuple(found)
