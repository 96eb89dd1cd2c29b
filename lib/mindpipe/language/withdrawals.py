"""What somebody says who takes back what was said: `I was joking`, `no wait, wrong dog`."""

from mindpipe.core.patterns import late
from mindpipe.language.guards import slip_in

_WHAT = (
    r"(?:(?:that|this|it)\b(?: last (?:one|message|bit))?|"
    r"what i(?:['’]ve)? (?:just )?(?:said|wrote))"
)
_CORE = (
    r"(?:(?:i['’]?m|i am|i was|we were|we['’]?re) )?(?:(?:just|only|obviously|of course|totally) )*"
    r"(?:joking|kidding|messing(?: with you| around)?)(?! aside)|"
    r"(?:jk|april fools?)|"
    r"(?:that|this|it)(?:['’]s| is| was) (?:just |only |all |obviously |of course )*"
    r"(?:an? (?:\w+ )?(?:joke|lie|test|prank|mistake|typo)|made up|not serious|"
    r"not meant seriously|nonsense|rubbish|not me|off)|(?:the |our )?deal(?:['’]s| is) off|"
    r"(?:i|we) (?:just |only )?(?:lied|made (?:that|it)(?: all)? up|"
    r"did(?: not|n['’]?t) mean (?:that|it)|(?:won['’]t|will not) (?:after all|do (?:that|it)))|"
    r"i was (?:just |only )?wrong|"
    r"(?:(?:i|we)(?: hereby)?(?:['’]ll| will|['’]m| am|['’]ve| have|['’]d like to)? )?"
    r"(?:(?:take|taking|took|taken) (?:that|this|it|what i said)(?: all)? back|"
    r"(?:take|taking|took|taken) back (?:what i|my)\b[^.,;!?]*|"
    rf"(?:withdraw|withdrew|withdrawn|revoke|revoked|retract|retracted) (?:{_WHAT}|my \w+))|"
    r"(?:please )?(?:scratch|forget|ignore|strike|disregard|scrap|delete|cancel) "
    rf"(?:{_WHAT}|(?:my|the) last (?:message|one|bit|point|offer))|"
    r"(?:(?:i|we|i['’]ve|we['’]ve|i have|we have) )?(?:just )?chang(?:ed|e) (?:my|our) minds?|"
    r"on second thoughts?|"
    r"wrong (?:one|dog|cat|person|chat|window|name|group|thread)|not (?:that|this) (?:one|dog|cat)|"
    r"(?:ich )?nehme (?:das|es|alles) zurück|vergiss (?:das|es)|(?:also )?doch nicht|me retracto"
)
_LEAD = (
    r"(?:(?:no|nope|wait|sorry|oops|ha(?:ha)*|lol|ok|okay|hey|um|argh|actually|well|and|but|so|"
    r"oh|ah|hm+|hang on|hold on|please)\b\W*|sorry,? (?:all|everyone|guys)\b\W*)*"
)
_ABOUT = r"(?: about (?:that|it|this|(?:(?:the|my|our) )?(?P<thing>[\w'’-]+)))?"
_WITHDRAWS = late(
    rf"(?i)\W*{_LEAD}(?:{_CORE})\b"
    rf"(?: (?:before|earlier|there|just now|with you))*{_ABOUT}"
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
_IN_PASSING = late(
    r"(?i)(?:^|[.!?;:,…\n\"“„(–—-]\s*|"
    r"\b(?:and|but|so) (?=(?:i|we|i['’]\w+|that|this|it|the|our)\b))"
    rf"\W*{_LEAD}(?P<words>{_CORE})(?=\W*$|\s*[.,!?;:…\"”)–—-]|"
    r" (?:please|and|but|so|now|all|everyone|then|sorry|again|about|on|before|earlier|there|just|"
    r"with)\b(?! time))"
)
"""How they begin a clause of a text that says more, and end, or lead to what is no object."""
_OPENS = late(
    rf"(?i)^\*(?=\w)|^\W*{_LEAD}"
    r"(?:correction\b|(?:hang|hold) on\b(?=\W+\w)|sorry\W+(?:i mean|no\b|not\b|other|wrong)|"
    r"other way (?:a?round)\b|make that\b|i mean(?:t)?\b|i misspoke\b|typo\b|"
    rf"(?:{_CORE})(?=\W*$|\s*[.,!;:…–—-]| (?:please|and|but|so|now|all)\b))"
)
"""How a text opens that sets right what was said right before it, or takes it back."""
_STEMS = (
    *("that", "this", "it", "what i ", "my ", "our ", "second thought", "off", "joking"),
    *("kidding", "messing", "jk", "april", "lied", "wrong", "after all", "zurück", "vergiss"),
    *("doch nicht", "retracto"),
)
"""Parts of which such words have one: what has none is told apart faster."""


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


def in_earnest(text: str) -> str:
    """Return a text with a full stop and blanks for the words that call the last one a joke."""
    anew = said_anew(text)
    # Behind a full stop, since four blanks at its beginning would make code of it.
    return f".{' ' * (len(text) - len(anew) - 1)}{anew}" if anew else text


def withdrawal_in(text: str) -> tuple[int, int] | None:
    """Return the characters in which a text takes something back, whatever else it says, or None.

    A slip that is set right at its beginning is taken back by all that begins so.
    """
    if (slip := slip_in(text)) is not None:
        return slip
    lower = text.lower()
    if not any(map(lower.__contains__, _STEMS)):
        return None
    found = _IN_PASSING.search(text)
    return None if found is None else found.span("words")


def takes_back(text: str) -> bool:
    """Tell whether a text opens by taking back, or setting right, what was said right before."""
    return _OPENS.search(text) is not None
