"""What somebody says who takes back what he has just said: `I was joking`, `no wait, wrong dog`."""

from mindpipe.core.patterns import late

_CORE = (
    r"(?:(?:i['’]?m|i am|i was|we were|we['’]?re) )?(?:(?:just|only|obviously|of course|totally) )*"
    r"(?:joking|kidding|messing(?: with you| around)?)(?! aside)|"
    r"(?:jk|april fools?)|"
    r"(?:that|this|it)(?:['’]s| is| was) (?:just |only |all |obviously |of course )*"
    r"(?:an? (?:\w+ )?(?:joke|lie|test|prank|mistake)|made up|not serious|not meant seriously|"
    r"nonsense|rubbish)|"
    r"i (?:just |only )?(?:lied|made (?:that|it)(?: all)? up|did(?: not|n['’]?t) mean (?:that|it))|"
    r"(?:please )?(?:scratch|forget|ignore|strike|disregard|scrap) "
    r"(?:that(?: last (?:one|message|bit))?|it|what i(?:['’]ve)? (?:just )?(?:said|wrote)|"
    r"(?:my|the) last (?:message|one|bit))|"
    r"wrong (?:one|dog|cat|person|chat|window|name|group|thread)|not (?:that|this) (?:one|dog|cat)"
)
_WITHDRAWS = late(
    r"(?i)\W*(?:(?:no|nope|wait|sorry|oops|ha(?:ha)*|lol|ok|okay|hey|um|argh|actually|well|and|but|"
    r"oh|ah|hm+|hang on|hold on)\b\W*)*"
    rf"(?:{_CORE})\b"
    r"(?: (?:before|earlier|there|just now|with you|about (?:that|it|this|the \w+|my \w+|\w+)))*"
    r"(?P<rest>\W*$|\s*[,.;:!?…)–—-].*)",
)
_AFTER_ALL = late(r"(?i)\b(?:but|still|really|true|seriously|though)\b")
"""How he goes on of whom it is so all the same: `I was joking, but he really is ill`."""


def withdraws(text: str) -> bool:
    """Tell whether a text takes back what its speaker said right before it."""
    found = _WITHDRAWS.match(text)
    return (
        found is not None
        and not text.rstrip().endswith("?")
        and not _AFTER_ALL.search(found["rest"])
    )
