"""What somebody says who takes back what he has just said: `I was joking`, `no wait, wrong dog`."""

from mindpipe.core.patterns import late

_CORE = (
    r"(?:(?:i['’]?m|i am|i was|we were|we['’]?re) )?(?:(?:just|only|obviously|of course|totally) )*"
    r"(?:joking|kidding|messing(?: with you| around)?)(?! aside)|"
    r"(?:jk|april fools?)|"
    r"(?:that|this|it)(?:['’]s| is| was) (?:just |only |all |obviously |of course )*"
    r"(?:an? (?:\w+ )?(?:joke|lie|test|prank|mistake|typo)|made up|not serious|"
    r"not meant seriously|nonsense|rubbish|not me)|"
    r"i (?:just |only )?(?:lied|made (?:that|it)(?: all)? up|did(?: not|n['’]?t) mean (?:that|it)|"
    r"take (?:that|it)(?: all)? back)|"
    r"(?:please )?(?:scratch|forget|ignore|strike|disregard|scrap|delete) "
    r"(?:that(?: last (?:one|message|bit))?|what i(?:['’]ve)? (?:just )?(?:said|wrote)|"
    r"(?:my|the) last (?:message|one|bit))|"
    r"wrong (?:one|dog|cat|person|chat|window|name|group|thread)|not (?:that|this) (?:one|dog|cat)"
)
_WITHDRAWS = late(
    r"(?i)\W*(?:(?:no|nope|wait|sorry|oops|ha(?:ha)*|lol|ok|okay|hey|um|argh|actually|well|and|but|"
    r"oh|ah|hm+|hang on|hold on)\b\W*)*"
    rf"(?:{_CORE})\b"
    r"(?: (?:before|earlier|there|just now|with you))*"
    r"(?: about (?:that|it|this|(?:(?:the|my|our) )?(?P<thing>[\w'’-]+)))?"
    r"(?:[,.!…)\s–—-]*(?:sorry|lol|ha(?:ha)*|my bad|obviously|of course|again|guys|everyone|all|"
    r"please|ok|okay|(?-i:[A-Z][\w'’-]+)))?"
    r"(?:\W*|\s*[,.;:–—-]+ (?:it|he|she|that)(?:['’]s| is| was)\b[^?]*)"
)
"""All that such words are, with what right thing may follow: `wrong one - it was Bello`."""
_SAYS_ANEW = late(
    r"(?i)\W*(?:(?:no|nope|wait|sorry|oops|ha(?:ha)*|lol|ok|okay)\b\W*)*"
    r"(?:(?:i['’]?m|i am|i was) )?(?:(?:just|only|obviously|totally) )*(?:joking|kidding)"
    r"[,.!;:–—-]+ (?P<rest>(?:i|we|my)\b[^?]*)"
)
_SHORT_ANSWER = late(r"(?i)(?:i|we)(?:['’]m| am| do| did| have| can| was)(?: not|n['’]?t)?[\s.!]*")
"""How somebody begins who says what is so in the place of a joke: `I was joking, I love beer`."""


def withdrawn(text: str) -> str | None:
    """Return what of his last word somebody takes back: "" of all of it, None where nothing is.

    `I was joking about the cat` names a thing.
    """
    anew = _SAYS_ANEW.fullmatch(text)
    if anew is not None and _SHORT_ANSWER.fullmatch(anew["rest"]):
        return ""
    found = _WITHDRAWS.fullmatch(text)
    return None if found is None or text.rstrip().endswith("?") else found["thing"] or ""


def said_anew(text: str) -> str:
    """Return what somebody says in the place of what was a joke, "" where he does not."""
    found = _SAYS_ANEW.fullmatch(text)
    return found["rest"] if found and not _SHORT_ANSWER.fullmatch(found["rest"]) else ""
