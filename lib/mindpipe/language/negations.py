"""What a clause denies: what it would say without its negation, or with what is named beside it.

`I don't hate rain` denies `I hate rain`, and `I like tea, not coffee` that `I like coffee`.
"""

import re

from mindpipe.core.patterns import late

_DO_NOT = r"(?:do(?: not|n['’]?t)|(?P<does>does(?: not|n['’]?t))|(?P<longer>no longer))"
_MILD = r"(?: (?:really|actually|even|currently|now))*"
_DEGREE = (
    r"(?! (?:just|only|always|also|both|quite|absolutely|totally|so|all|often|usually|necessarily|"
    r"exactly|simply|merely|entirely|still|recently|already|finally|officially|honestly|yet|that|"
    r"the only|much|very)\b)"
)
"""Behind a negation: not what denies how much, how often or how long alone."""
_WHO = r"(?P<who>(?:I|i|[Ww]e|[Mm]y|[Oo]ur|[A-ZÀ-ÞŁŚŽ][\w'’-]+)(?: [\w'’-]+){0,4}?)"
_VERB = late(rf"{_WHO} {_DO_NOT}{_DEGREE}{_MILD}{_DEGREE} (?P<verb>[a-z]+)(?P<rest>\b.*)")
_BE = late(
    rf"{_WHO}(?: (?P<be>am|is|are) not|(?P<short>['’]?m|['’](?:s|re)) not|"
    r" (?P<joined>is|are)n['’]?t)"
    rf"{_DEGREE}{_MILD}{_DEGREE}(?P<rest> .*)"
)
_HAVE_NO = late(rf"{_WHO} (?P<have>have|has) (?:got )?no (?P<rest>.*)")
_NEVER = late(
    rf"{_WHO}(?:['’]ve| have)? never(?: really)? (?P<done>hated|disliked|minded|had|owned)"
    r"(?P<rest> .*)"
)
_PLAIN = {"had": "have", "owned": "own"}
_NOT_THING = late(
    r"(?:and |but )?not (?:(?:at|in|with|for|from|to|as|on) )?(?:(?:the|an?|any|my) )?"
    r"(?P<thing>[\w'’-]+(?: [\w'’-]+){0,2})"
)
_ODD_VERBS = {"have": "has", "do": "does", "go": "goes"}
_ANY = late(r"^ any\b")


def affirmed(text: str) -> str:
    """Return a clause without the negation of its verb, "" where it has none.

    Of `I don't just hate it` only how much is denied, and nothing is left.
    """
    if (found := _VERB.fullmatch(text)) is not None:
        third = found["does"] is not None
        verb = _third_person(found["verb"]) if third else found["verb"]
        return f"{found['who']} {verb}{_ANY.sub(' a', found['rest'])}"
    if (found := _BE.fullmatch(text)) is not None:
        be = f" {found['be'] or found['joined']}" if found["short"] is None else found["short"]
        return f"{found['who']}{be}{found['rest']}"
    if (found := _HAVE_NO.fullmatch(text)) is not None:
        return f"{found['who']} {found['have']} a {found['rest']}"
    if (found := _NEVER.fullmatch(text)) is not None:
        plain = _PLAIN.get(found["done"], found["done"].removesuffix("d"))
        return f"{found['who']} {plain}{_ANY.sub(' a', found['rest'])}"
    return ""


def denied_beside(clause: str, value: str, behind: str) -> str:
    """Return a clause with what is called not so right behind it in the place of its value.

    It is "" where nothing is: `I'm allergic to pollen, not penicillin`.
    """
    other = _NOT_THING.fullmatch(behind.strip(" .!…;:"))
    before, named, after = clause.rpartition(value)
    return f"{before}{other['thing']}{after}" if other is not None and named else ""


def _third_person(verb: str) -> str:
    """Return the form of a verb that is of somebody: `loves`, `carries`, `has`."""
    if verb in _ODD_VERBS:
        return _ODD_VERBS[verb]
    if re.search(r"(?:s|sh|ch|x|z)$", verb):
        return f"{verb}es"
    return re.sub(r"(?<=[^aeiou])y$", "ie", verb) + "s"
