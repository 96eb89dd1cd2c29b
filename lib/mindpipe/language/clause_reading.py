"""What a clause says by the forms: the whole of it, or all but what may stand around it."""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mindpipe.core.patterns import LatePattern, folded, late
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language import words
from mindpipe.language.changes import CHANGES, FIRSTS
from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.clauses import Stretch, clauses
from mindpipe.language.everyday import EVERYDAY, UNSAID
from mindpipe.language.forms import (
    FORMS,
    KIN,
    LASTED,
    NAME,
    PET,
    SPEAKER_FIRST,
)
from mindpipe.language.guards import (
    LOOKS_BACK,
    denies,
    is_gone,
    is_narrowed_by,
)
from mindpipe.language.health_forms import HEALTH_FORMS
from mindpipe.language.joined import joined, of_the_named
from mindpipe.language.named_before import (
    CHANGES_OF_TASTE,
    CORRECTION,
    DENIAL,
    KIND_CORRECTION,
    MEANT,
    PLAIN_CORRECTION,
)
from mindpipe.language.negations import affirmed
from mindpipe.language.numerals import number_of
from mindpipe.language.overs import OVERS
from mindpipe.language.phrases import PHRASES
from mindpipe.language.records import MENTIONED, Meant
from mindpipe.language.relatives import RELATIVE_FORMS
from mindpipe.language.routines import ROUTINES
from mindpipe.language.times import (
    HoldingTime,
    holding_time,
    is_for_the_day,
    is_of_the_moment,
    names_days,
)
from mindpipe.language.topics import singular
from mindpipe.language.values import is_done, is_somebody, names_something

OLDEST = 110
"""Nobody is said to be older, in years."""
MOST_WORDS = 5
"""A longer thing that is liked or not eaten is a sentence, and no value."""
_OPENER = late(
    r"(?i)(?:(?:wait|yes|yeah|yep|no(?! (?:more|longer|\w+ since)\b)|nope|nah|ok|okay|well|hey|hi|"
    r"hello|oh|ah|anyway|honestly|actually|by the way|btw|fyi|also|"
    r"(?:(?:big|good|bad|quick|small|life) )?(?:news|update)|"
    r"so|and|but|then|wrong|correction|sorry|morning|evening|currently|nowadays|these days|"
    r"now(?= (?:I|we)\b)|"
    r"(?:it )?turn(?:s|ed) out(?: that)?|"
    r"finally|right)\b"
    r"[\s,.!:]*)+"
)
CLOSER = late(
    r"(?i)[\s,]+(?:now|actually|today|these days|btw|by the way|though|tho|at the moment|a lot|"
    r"very much|so much|"
    r"right now|currently|as well|too|again|completely|at last|for good|tbh|anyway|"
    r"at all|in general|with a passion|whatsoever|after all|in the end|"
    r"to be honest|to be fair|full stop|period|"
    rf"with (?:my|our) (?:\w+ ){{0,2}}(?:(?:{KIN}|{PET})s?|family|children)"
    r"(?-i:,? [A-Z][\w'’-]+(?: and [A-Z][\w'’-]+)?)?"
    rf"(?: and (?:my |our )?(?:\w+ ){{0,2}}(?:{KIN}|{PET}|kid|parent|child)(?:s|ren)?"
    r"(?-i:,? [A-Z][\w'’-]+)?)?|"
    r"with (?-i:[A-Z][\w'’-]+)(?: and (?-i:[A-Z][\w'’-]+))?|"
    r"since (?:last )?\w+(?: \d{4})?)$"
)
_WITH_NAME = late(r"\bwith [A-Z]")
_IN_COMPANY = late(r"\bwith (?:(?:[Mm]y|[Oo]ur)\b|[A-Z])")
"""With whom alone something is not done: `I don't speak French with my kids`."""
_UNTRUE_THAT = late(
    r"(?i)(?:it|that)(?:['’]?s| is)(?: (?:not (?:true|right|correct|so)|n['’]?t true|wrong|false)|"
    r"n['’]?t (?:true|right|correct)) that "
)
_THAT_IS_UNTRUE = late(
    r"(?i)that (?P<said>(?-i:I)\b.+) "
    r"(?:is(?: not|n['’]?t) (?:true|right|correct|so)|is (?:wrong|false))"
)
_TELLING_ENDS = (" again", " for good", LASTED)
_TELLING_END = late(rf"(?: again| for good|{LASTED})$")
"""What else is left out, and tells something in forms that end in it."""
_ELIDED = late(
    rf"(?i:{FIRSTS}|{UNSAID})|"
    r"(?:(?:[Jj]ust|[Ff]inally|[Rr]ecently|[Oo]fficially|[Aa]lso|[Oo]nly just) )*"
    r"(?i:moved|relocated|got|started|joined|quit|left|sold|bought|broke|gave|went|gone|became|turned|"
    r"lost|stopped|dropped out|graduated|finished|adopted|switched|swapped|traded|retired|"
    r"resigned|retrained|used to|never been|"
    r"(?:can['’]?t|cannot) (?:stand|bear|abide|stomach|eat|drink)|"
    r"(?:(?:still|really) )?(?:hate|loathe|detest|love|adore))\b"
)
"""How a sentence may begin of which "I" is left out."""
ANY_MORE = late(r"(?i)[\s,]+(?:any ?more|any longer)$")
_NO_LONGER = late(r"(?i)[\s,]+no longer$")
_LASTING = words.listed("job health diet taste food owns housemate skill")
_TELLS_CHANGE = late(
    r"(?i)(?:i|we|they|she|he|\w+)(?:['’](?:ve|s)| have| has)? (?:(?:just|finally|officially|now)"
    r" )*"
    r"(?:(?!need)\w{2,}ed|went|gone|gave|given|got|became|become|began|was|were|been|quit|put|took|"
    r"lost|left)\b"
)
"""What is told with its day is so from then on: `I went vegan today`."""
_NO_BEGINNING = words.listed("and or but to in on at for with from of by about into")
_OF_THEMSELVES = words.listed("taste food allergy health skill housemate medication owns")
"""Attributes of which each value is its own topic."""
_OF_NAMES = words.listed("relation pet workplace favourite prefers")
_OF_HABIT = words.listed("prefers tendency")
_OF_ANYTHING = words.listed("taste allergy hobby")
_LISTED = _OF_ANYTHING | words.listed("skill pet owns housemate medication food relation routine")
"""Attributes of which several values may stand in one list, and those whose values may be words."""
_HAD = words.listed("pet owns children relation partner")
"""What somebody may say at once that he has: `a dog and two kids`."""
_SEVERAL_LIKED = 3
_LED_BY_DAY = late(
    r"(?P<day>(?:[Ii]n|[Oo]n|[Ss]ince|[Ll]ast|[Aa]|[A-Za-z]+|\d+)(?: [\w.]+){1,3}),? "
    r"(?P<said>(?:I|[Ww]e)\b.+)"
)
"""What is told behind its day: `In 2019 I moved to Kiel`."""
_BUT_NOT = late(r" (?:but|and) (?P<other>not (?!only\b|just\b)[\w'’ -]+\W*)$")
_JOINS = late(r" (?:and|or|&) ")
_OF_TASTE = words.listed("prefers favourite")
LONGEST_HABIT = 6
"""Words up to which what somebody often does is a value, and no tale."""
_HERE = late(
    r"(?i)(?<!when )(?<!ever )\b(?:it|them|that|this|those|these|you|your|here|there|instead)\b"
)
_OF_PROJECTS = words.listed("status version")
_STAGES_OF_ALL = words.listed("live finished cancelled paused testing review")
"""Stages that a dinner may be in as well as a project."""
_PARTS_OF_TEXTS = words.listed(
    """
    chapter section figure table page part season episode level round grade score task item step
    paragraph lesson unit exercise
    """
)
_RATED = late(
    r"(?i)\w+ed|ran|run|did|got|paid|cost|about|around|only|just|over|under|almost|nearly|roughly|"
    r"at|from|to|by|another|exactly|spent|walked|swam|rode|won|lost|made|magnitude|total"
)
_AT_HAND = words.listed(
    "this that these those such your his her their its all my our another some any every each"
)
_OWN = late(r"['’]s?$")
_SHOUTED = late(
    r"\b(?:LOVE|LIKE|HATE|ADORE|ENJOY|LOATHE|DETEST|REALLY|NEVER|NOT|NO|DO|DON['’]T|CAN['’]T|AM|IS|ARE|"
    r"HAVE|HAS|LIVE|WORK|MOVED|QUIT|SOLD|BOUGHT|GOT|NOW|SO|VERY|FINALLY|ALLERGIC|PREGNANT|VEGAN|"
    r"VEGETARIAN|ENGAGED|MARRIED|RETIRED)\b"
)
"""Words of the forms that chats shout: `I LOVE gin`."""
_JOINT = late(
    r"(?:(?:[Mm]e|I) (?:and|n|&|\+) [\w'’-]+|[A-ZÀ-Þ][\w'’-]+ (?:and|n|&|\+) (?:I|me)) (?=[a-z])"
)
"""Who speaks and another: what both do is done by "we"."""
_FACES = late(
    r"(?:[\s,]*(?:(?i:\b(?:(?:a?ha){2,}h?|(?:he){2,}|lo+l|lmao|rofl)\b)|[:=]['’-]?[()D/|\\]|<3|\b[xX][Dd]\b|[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]))+$"
)
"""What chats end in, and say with it how they feel."""
_USED_TO = late(r"(?i)(?:i|we) used to (?!.*\b(?:now|but|these days|today)\b)")
_YEARS_OLD = late(r"(?: years(?: old)?)?")
_OF_TWO = words.listed("partner housemate relation")
_WRONG = late(r"(?i)\b(?:no|nope|wrong|correction|sorry|actually)\b")


class FoundForm(NamedTuple):
    """What a clause says by its form; the value is "" where what has ended is not named."""

    form: ClauseForm
    value: str
    topic: str | None
    subject: str | None
    any_more: bool = False
    time: HoldingTime = HoldingTime("")
    instead_of: str | None = None


_ANY_WORD = rf"(?!(?i:{words.any_of(FUNCTION_WORDS)})\b)[^\W\d][\w.&+-]*"
_ANY_NAME = rf"{_ANY_WORD}(?: {_ANY_WORD})?"
_BY_SPEAKER = late(r"(?:I|[Ww]e)(?:['’m ]|$)")
_BY_SOMEBODY = late(r"[A-ZÀ-ÞŁŚŽ]|i\b|[Ww]e\b|[Mm]y\b|[Oo]ur\b")


@functools.cache
def _clause_forms(*, by_speaker: bool) -> tuple[tuple[ClauseForm, LatePattern], ...]:
    """Return the forms that a clause may be: most begin with "I" or "we", which it must too."""
    forms = (*FORMS, *HEALTH_FORMS, *RELATIVE_FORMS, *CHANGES, *ROUTINES, *EVERYDAY, *OVERS)
    return tuple(
        (form, late(form.spelling))
        for form in (*forms, *map(_in_any_case, filter(_denies_name, forms)))
        if by_speaker or not form.spelling.startswith(SPEAKER_FIRST)
    )


def _denies_name(form: ClauseForm) -> bool:
    """Tell whether a form denies a value that is a name."""
    return form.meant == "denied" and NAME in form.spelling


def _in_any_case(form: ClauseForm) -> ClauseForm:
    """Return a form that denies a name however it is spelled: it bears on what is held alone."""
    return form._replace(spelling=form.spelling.replace(NAME, _ANY_NAME), ends_only=True)


@functools.cache
def compiled(forms: tuple[ClauseForm, ...]) -> tuple[tuple[ClauseForm, LatePattern], ...]:
    """Return forms with their patterns, which are made when they are first needed."""
    return tuple((form, late(form.spelling)) for form in forms)


def forms_in(
    sentence: Stretch, at: str, *, before: str, elided: bool
) -> Iterator[tuple[Stretch, list[FoundForm]]]:
    """Yield a sentence that is one form or joins some, else its clauses, each with what it says.

    Where `elided`, the sentence may be of who speaks though it does not say so: `moved to Leeds`.
    `before` is the sentence before it, which may name whom "she" is.
    """
    whole = forms_of(sentence, at, before=before, elided=elided)
    parts = [] if whole else [two for one in clauses(sentence) for two in _parted(one)]
    if len(parts) <= 1:
        yield sentence, whole or forms_of(sentence, at, before=before, elided=elided, loose=True)
        return
    for clause in parts:
        first = elided and clause.start == sentence.start
        yield clause, forms_of(clause, at, before=before, elided=first, loose=True)
        before = clause.text


def phrases_of(sentence: str) -> Iterator[FoundForm]:
    """Yield what is found anywhere in a sentence."""
    for form, pattern in compiled(PHRASES):
        for found in pattern.finditer(sentence):
            groups = found.groupdict()
            value = _OWN.sub("", (groups.get("value") or form.value).strip(" ,.-"))
            somebody = groups.get("subject") or groups.get("subject_2")
            if form.attribute in _OF_PROJECTS and _begins_as_words(found):
                continue
            named = value.partition(" ")[0] if form.attribute == "prefers" else value
            told = form.attribute not in _OF_NAMES or names_something(named, of=form.attribute)
            if form.attribute in _OF_HABIT and _is_of_here(value, sentence[found.end("value") :]):
                continue
            if form.attribute == "tendency" and len(value.split()) > LONGEST_HABIT:
                continue
            if form.attribute == "pet" and is_gone(sentence):
                continue
            if value and told and (somebody is None or is_somebody(somebody)):
                value = years_of(value) if form.attribute == "age" else value
                if not value:
                    continue
                read = FoundForm(form, value, groups.get("topic") or form.topic, somebody)
                if form.attribute == "pet":
                    read = read._replace(value=f"{value} ({read.topic})", topic=value)
                yield _related(read) if form.attribute == "relation" else read


def _is_of_here(value: str, behind: str) -> bool:
    """Tell whether a habit or preference is of what was spoken of, or is cut short by a comma."""
    return _HERE.search(value) is not None or (" " not in value and behind.startswith(","))


def _begins_as_words(found: re.Match[str]) -> bool:
    """Tell whether a capital alone makes a name of what begins a sentence: `Ran 10.5`."""
    who, value = found["subject"], found.groupdict().get("value")
    bare = found.start("subject") == 0 and who.isalpha() and who[1:].islower()
    return who.lower().split()[-1] in _PARTS_OF_TEXTS or (
        bare and (value is None or value in _STAGES_OF_ALL or _RATED.fullmatch(who) is not None)
    )


def opened(text: str) -> str:
    """Return words without what may stand before all that somebody says."""
    opener = _OPENER.match(text)
    return text[opener.end() :] if opener else text


def _parted(clause: Stretch) -> Iterator[Stretch]:
    """Yield a clause without what it says at its end not to be so, and that: `but not German`."""
    found = _BUT_NOT.search(clause.text)
    if found is None:
        yield clause
        return
    start, end = clause.start + found.start(), clause.start + found.start("other")
    yield Stretch(clause.start, start, clause.text[: found.start()])
    yield Stretch(end, clause.end, found["other"])


def forms_of(
    clause: Stretch, at: str, *, before: str = "", elided: bool = False, loose: bool = False
) -> list[FoundForm]:
    """Return what a clause says if the whole of it is a form, or all but when it holds.

    Several it says where it joins them. Where `loose`, one of what it joins may be no form.
    """
    text = _FACES.sub("", clause.text.rstrip(" .!…")).strip(" .!…;:")
    text = _SHOUTED.sub(lambda found: found[0].lower(), text)
    opener = _OPENER.match(text)
    text = text[opener.end() :] if opener and opener.end() < len(text) else text
    text = of_the_named(before, text) or text
    if elided and _ELIDED.match(text) is not None:
        text = f"I {text[0].lower()}{text[1:]}"
    found = _corrections_of(text, opener[0] if opener else "") or _form_of(text, at)
    if found is None or (found.form.attribute in _LISTED and _JOINS.search(found.value)):
        several = _joined_forms(text, at, loose=loose)
        return several or ([] if found is None else [found])
    return [found]


def _joined_forms(text: str, at: str, *, loose: bool) -> list[FoundForm]:
    """Return what a clause says that joins several, in the first way that makes forms of them."""
    for one in joined(text):
        found = [_forms_of_joined(each, at) for each in one.clauses]
        said = [each for forms in found for each in forms]
        unsure = one.either and not all(_is_denial(each) for each in said)
        if one.things and all(found) and _is_list(said) and not unsure:
            return said
        if not one.things and (all(found) or (loose and one.loose and said)):
            return [_once(each) for each in said] if _USED_TO.match(text) else said
    return []


def _once(found: FoundForm) -> FoundForm:
    """Return what was so, as all that is joined to what somebody used to do."""
    if found.form.meant != "asserted":
        return found
    meant: Meant = "hedged" if found.form.negative else "ended"
    return found._replace(form=found.form._replace(meant=meant))


def _forms_of_joined(text: str, at: str) -> list[FoundForm]:
    """Return what one of the clauses says that another joins, which may join some itself."""
    found = _form_of(text, at)
    listed = found is not None and found.form.attribute in _LISTED and _JOINS.search(found.value)
    several = _joined_forms(text, at, loose=False) if found is None or listed else []
    return several or ([] if found is None else [found])


def _is_denial(found: FoundForm) -> bool:
    """Tell whether something is said not to be so."""
    return found.form.negative or found.form.meant == "denied"


def _is_list(said: Sequence[FoundForm]) -> bool:
    """Tell whether several values make a list: all of one attribute, which has some at a time.

    Of what anything may be each is one word, and of what is liked there are three at least: who
    likes gin and tonic need not like tonic. Various things are one of what somebody has.
    """
    attributes = {(one.form.attribute, one.form.meant, one.form.negative) for one in said}
    (attribute, _, negative), *others = attributes
    if others:
        return {one for one, *_ in attributes} <= _HAD
    anything = attribute in _OF_ANYTHING
    words = 2 if attribute == "taste" and len(said) >= _SEVERAL_LIKED else 1
    return (
        attribute in _LISTED
        and len({one.value for one in said}) == len(said)
        and not (anything and any(one.value.count(" ") >= words for one in said))
        and not (anything and any(is_done(one.value) for one in said))
        and (attribute != "taste" or negative or len(said) >= _SEVERAL_LIKED)
    )


def _corrections_of(text: str, opener: str) -> FoundForm | None:
    """Return what words say to be right, or wrong, of what was said before, whatever that is of."""
    if MEANT.match(text) or _WRONG.search(opener):
        corrected = re.fullmatch(CORRECTION.spelling, text)
        if corrected is not None:
            groups = corrected.groupdict()
            old = groups["instead"] or groups["instead_first"]
            return read_groups(CORRECTION, {**groups, "instead": old}, any_more=False)
        if (denied := re.fullmatch(DENIAL.spelling, text)) is not None:
            return read_groups(DENIAL, denied.groupdict(), any_more=False)
    if (righted := PLAIN_CORRECTION.fullmatch(text)) is not None:
        groups = righted.groupdict()
        old = groups["instead"] or groups["instead_first"]
        return read_groups(CORRECTION, {**groups, "instead": old}, any_more=False)
    if (kind := KIND_CORRECTION.fullmatch(text)) is not None and kind["kind"] in words.PETS:
        groups = {"value": f"{kind['name']} ({kind['kind']})", "instead": kind["name"]}
        return read_groups(CORRECTION, groups, any_more=False)
    return None


def _form_of(text: str, at: str) -> FoundForm | None:
    """Return what words say if all of them are one form, or all but when it holds."""
    if LOOKS_BACK.match(text):
        text = LOOKS_BACK.sub("I used to ", text).rstrip(" ?!")
    that, untrue = _THAT_IS_UNTRUE.fullmatch(text), _UNTRUE_THAT.match(text)
    denied = that["said"] if that else text[untrue.end() :] if untrue else ""
    if denied:
        found = _form_in(denied)
        plain = found is not None and found.form.meant == "asserted" and not found.form.negative
        return found._replace(form=found.form._replace(meant="denied")) if found and plain else None
    found = _form_with_time(text, at)
    if found is None and _JOINT.match(text):
        both = _form_with_time(_JOINT.sub("We ", text), at)
        found = both if both is not None and both.form.attribute not in _OF_TWO else None
    passing = is_of_the_moment(text) and not _TELLS_CHANGE.match(text)
    lasting = found is not None and found.form.attribute in _LASTING
    over = found is not None and found.form.meant == "ended"
    if over and is_for_the_day(text):
        return None
    return None if lasting and passing and not over else found


def _form_with_time(text: str, at: str) -> FoundForm | None:
    """Return what words say if all of them are a form, or all but when it holds."""
    led = _LED_BY_DAY.fullmatch(text)
    if led is not None and names_days(led["day"]):
        day = led["day"]
        text = f"{led['said']} {day[0].lower()}{day[1:]}"
    found = _form_in(text)
    somebody = text[:1].islower() or _BY_SOMEBODY.match(text) is not None
    if found is not None or not (somebody and names_days(text)):
        return found
    time = holding_time(text, at=at)
    found = _form_in(time.text) if time.text != text else None
    if found is None or found.form.meant == "denied":
        return None  # "I don't live here in summer" denies less than it would without
    return found._replace(time=time)


def _form_in(text: str) -> FoundForm | None:
    """Return what words say if all of them are a form."""
    for form, pattern in compiled(CHANGES_OF_TASTE):
        if pattern.fullmatch(text) is not None:
            return FoundForm(form, form.value, form.value, None)
    if (longer := _NO_LONGER.search(text)) is not None:
        found = _form_in_all_of(text[: longer.start()], over=False)
        ends = found is not None and found.form.meant == "asserted" and not found.form.negative
        return found._replace(form=found.form._replace(meant="ended")) if found and ends else None
    any_more = ANY_MORE.search(text)
    if any_more is not None:
        return _form_in_all_of(text[: any_more.start()], over=True) or _form_of_all(text, over=True)
    return _form_in_all_of(text, over=False)


def _form_in_all_of(text: str, *, over: bool) -> FoundForm | None:
    """Return what words say if all of them are a form, but for what may stand at their end."""
    whole = _form_of_all(text, over=over) if _TELLING_END.search(text) else None
    if whole is not None and whole.form.spelling.endswith(_TELLING_ENDS):
        return whole
    said = text
    while closer := CLOSER.search(text):
        if _WITH_NAME.search(closer[0]) and _form_of_all(text, over=over):
            break  # "I live with Ana"
        text = text[: closer.start()]
    found = _form_of_all(text, over=over)
    denied = found is not None and (found.form.meant == "denied" or found.form.negative)
    narrowed = denied and _IN_COMPANY.search(said[len(text) :])
    return None if narrowed else found


def _form_of_all(text: str, *, over: bool) -> FoundForm | None:
    """Return what words say if they, and nothing more, are a form, or deny what is one.

    What they so deny bears on what is held alone.
    """
    if text[:2] in ("i ", "i'", "i’"):
        text = f"I{text[1:]}"
    if (found := _plain_form(text, over=over)) is not None:
        return found
    plain = affirmed(text) if denies(text) else ""
    found = _plain_form(plain, over=over, whole=True) or _phrase_of_all(plain) if plain else None
    if found is None or found.form.meant != "asserted":
        return None
    form = found.form._replace(meant="denied", ends_only=True)
    return found._replace(form=form, any_more=over or " no longer " in text)


def _phrase_of_all(text: str) -> FoundForm | None:
    """Return the preference that words say if they are one to their end."""
    found = (one for one in phrases_of(text) if one.form.attribute in _OF_TASTE)
    return next((one for one in found if text.endswith(one.value)), None)


def _plain_form(text: str, *, over: bool, whole: bool = False) -> FoundForm | None:
    """Return what words say if they, and nothing more, are a form.

    Where `whole`, with nothing behind what it names: who is no nurse at Leeds may be one.
    """
    said = folded(text)
    for form, pattern in _clause_forms(by_speaker=_BY_SPEAKER.match(text) is not None):
        found = pattern.fullmatch(text) if pattern.cue in said else None
        narrowed = found is not None and form.attribute != "hobby" and _leaves_little(found)
        named = _end_of_names(found) if found is not None and whole else 0
        if found is not None and not narrowed and (not named or _YEARS_OLD.fullmatch(text, named)):
            any_more = over or " no longer " in text
            read = read_groups(form, found.groupdict(), any_more=any_more)
            if read is not None:
                return read
    return None


def _end_of_names(found: re.Match[str]) -> int:
    """Return where the last thing ends that words name, 0 where they begin with all of them."""
    spans = [found.span(one) for one, said in found.groupdict().items() if said is not None]
    return 0 if not spans or spans[0][0] == 0 == spans[-1][0] else max(end for _, end in spans)


def _leaves_little(found: re.Match[str]) -> bool:
    """Tell whether the words behind the value leave little of it: `a sailor at heart`."""
    at = max(
        (found.end(one) for one in ("value", "other") if one in found.re.groupindex), default=-1
    )
    return at > 0 and is_narrowed_by(found.string[at:])


def read_groups(
    form: ClauseForm, groups: dict[str, str | None], *, any_more: bool
) -> FoundForm | None:
    """Return what the groups of a form say, or None where they are no value."""
    value = form.value or _value_of(groups).strip(" .,'’")
    attribute, topic = form.attribute, groups.get("topic")
    if not value and form.meant in ("ended", "denied"):
        ended = FoundForm(form, "", topic or form.topic, groups.get("subject"), any_more)
        return _related(ended) if attribute == "relation" else ended
    if attribute == "age":
        value = years_of(value)
    if attribute == "children":
        value = "" if (number := number_of(value)) is None else str(number)
    somebody = groups.get("subject")
    if not value or _is_no_value(form, value) or (somebody and not is_somebody(somebody)):
        return None
    if attribute == "pet" and form.meant == "denied":
        value = topic = singular(value)
    elif attribute == "pet" and topic is not None:
        value, topic = f"{value} ({topic})", value
    elif attribute == "pet":
        topic = value
    if attribute == "health" and topic is not None:
        value = f"{words.INJURED.get(topic, topic)} {value}"
    topic = attribute if attribute == "away" else topic
    if attribute in _OF_THEMSELVES:
        value = re.sub(r"^(?:the|a|an|my|our)\s+", "", value)
        topic = value
    other = groups["instead"] or "" if "instead" in groups else None
    read = FoundForm(form, value, topic, groups.get("subject"), any_more=any_more, instead_of=other)
    return _related(read) if attribute == "relation" else read


def _value_of(groups: dict[str, str | None]) -> str:
    """Return the value in the groups of a form; what somebody does for a living is his trade."""
    if taught := groups.get("taught"):
        return f"{taught} teacher"
    if studied := groups.get("studied"):
        return f"{studied} student"
    if driven := groups.get("driven"):
        return f"{driven} driver"
    value = groups.get("value") or groups.get("other") or groups.get("done") or ""
    return words.PRACTISED.get(value, value)


def years_of(said: str) -> str:
    """Return an age in digits, "" where it is none."""
    years = number_of(said)
    return str(years) if years is not None and 1 <= years <= OLDEST else ""


def _is_no_value(form: ClauseForm, value: str) -> bool:
    """Tell whether words are no value of a form: a pronoun, a denial, a sentence, a day."""
    said = value.lower().split()
    return form.value != MENTIONED and (
        len(said) > MOST_WORDS
        or not names_something(value, of=form.attribute)
        or (said[0] in _NO_BEGINNING and form.attribute != "away")
        or denies(value)
        or (form.attribute == "allergy" and names_days(value))  # "allergic to Mondays"
        or (form.attribute == "job" and not form.value and said[0] in words.UNTRUE)
        or (form.attribute == "taste" and _is_of_the_moment(value, liked=not form.negative))
    )


def _is_of_the_moment(thing: str, *, liked: bool) -> bool:
    """Tell whether a thing is one that was at hand, and none that is liked, or not, as such."""
    first, *rest = thing.lower().split() or [""]
    kind = " ".join(rest) in words.ONLY_ONE
    return (
        first in _AT_HAND
        or re.search(r"['’]s\b", thing) is not None
        or ((first == "the" or (first in ("a", "an") and liked)) and not kind)
    )


def _related(found: FoundForm) -> FoundForm:
    """Return how somebody stands to another; of partners there is one at a time."""
    kind = (found.topic or "").lower()
    if kind == "ex" and found.form.meant == "asserted":
        ended = ClauseForm("partner", found.form.spelling, "ended", ends_only=True)
        return found._replace(form=ended, topic=None)
    if kind in words.PARTNERS:
        return found._replace(form=found.form._replace(attribute="partner"), topic=None)
    return found._replace(topic=words.SAME_RELATIVE.get(kind, kind))
