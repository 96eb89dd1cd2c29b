"""A reader of few sentence forms, which needs nothing installed and is hardly ever wrong.

A clause is read only where all of it, from its first word to its last, is one of the forms, and its
sentence shows by no word that it is meant otherwise: no question, quotation, report, doubt, dream,
wish, plan or irony. Whatever else is said is no statement for it.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mindpipe.core.patterns import LatePattern, folded, late
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language import words
from mindpipe.language.birthdays import Birthday, birthdays_in
from mindpipe.language.changes import CHANGES, FIRSTS
from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.clauses import Stretch, clauses, sentences
from mindpipe.language.everyday import EVERYDAY, UNSAID
from mindpipe.language.figures import figure_statements
from mindpipe.language.forms import (
    FORMS,
    KIN,
    LASTED,
    NAME,
    PET,
    SPEAKER_FIRST,
)
from mindpipe.language.guards import (
    FEW_WORDS,
    LOOKS_BACK,
    clause_meant,
    corrects_itself,
    denies,
    is_besides,
    is_frank,
    is_gone,
    is_ironic,
    is_led_in,
    is_narrowed_by,
    sentence_meant,
    taken_back,
    tells_dream,
    tells_of_others,
    tells_of_systems,
    turned_by,
)
from mindpipe.language.introductions import introduced
from mindpipe.language.named_attributes import NamedAttributes, in_days
from mindpipe.language.named_before import (
    CHANGES_OF_TASTE,
    CORRECTION,
    DENIAL,
    KIND_CORRECTION,
    MEANT,
    NAMED_BEFORE,
    NOT_OTHER,
    PLAIN_CORRECTION,
    RIGHT_NAME,
)
from mindpipe.language.numerals import number_of
from mindpipe.language.overs import OVERS
from mindpipe.language.phrases import PAIRS, PHRASES
from mindpipe.language.records import (
    CALLED_OFF,
    MENTIONED,
    Meant,
    Statement,
    Utterance,
)
from mindpipe.language.relatives import RELATIVE_FORMS
from mindpipe.language.routines import ROUTINES
from mindpipe.language.spelling import in_full
from mindpipe.language.times import (
    HoldingTime,
    holding_time,
    is_of_the_moment,
    names_days,
    only_day,
)
from mindpipe.language.topics import singular
from mindpipe.language.values import is_endured, is_somebody, names_something

VERSION = 1
OLDEST = 110
"""Nobody is said to be older, in years."""
NEAR = 2
"""Sentences before it in which stands what "them" means; "it" is of the last one alone."""
_SEVERAL = late(r"(?i)\b(?:them|those|these)\b")
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
_CLOSER = late(
    r"(?i)[\s,]+(?:now|actually|today|these days|btw|by the way|though|at the moment|a lot|"
    r"very much|so much|"
    r"right now|currently|as well|too|again|completely|at last|for good|tbh|anyway|"
    r"at all|in general|with a passion|whatsoever|after all|in the end|"
    r"to be honest|to be fair|full stop|period|"
    rf"with (?:my|our) (?:\w+ )?(?:{KIN}|{PET}|family|parents|kids|children)"
    rf"(?: and (?:my |our )?(?:\w+ ){{0,2}}(?:{KIN}|{PET}|kid|parent|child)(?:s|ren)?)?|"
    r"since (?:last )?\w+(?: \d{4})?)$"
)
_IN_COMPANY = late(r"(?i)\bwith (?:my|our)\b")
"""With whom alone something is not done: `I don't speak French with my kids`."""
_UNTRUE_THAT = late(
    r"(?i)(?:it|that)(?:['’]?s| is)(?: (?:not (?:true|right|correct|so)|n['’]?t true|wrong|false)|"
    r"n['’]?t (?:true|right|correct)) that "
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
_ANY_MORE = late(r"(?i)[\s,]+(?:any ?more|any longer)$")
_NO_LONGER = late(r"(?i)[\s,]+no longer$")
_TO_BE = frozenset({"launch", "routine"})
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
_OF_BIRTHDAYS = words.listed("age birthday")
_OF_NAMES = words.listed("relation pet workplace favourite prefers")
_OF_HABIT = words.listed("prefers tendency")
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
    r"(?:\s*(?:[:=]['’-]?[()D/|\\]|<3|\b[xX][Dd]\b|[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]))+$"
)
"""What chats end in, and say with it how they feel."""
_TOPIC = late(r"\W*[\w'’-]+\?+")
"""Of whom or what it is then: `Tom? big fan of opera`."""
_OF_TWO = words.listed("partner housemate relation")
_BECAUSE = late(r"(?i)\W*(?:just |only )?(?:because|cause|cos)\b")
_WRONG = late(r"(?i)\b(?:no|nope|wrong|correction|sorry|actually)\b")


class StrictReader:
    """Read the forms, and what a clause calls by its name: `named` adds to what is known so."""

    def __init__(self, named: Sequence[str] = ()) -> None:
        """Take the attributes that a setting adds, `KIND.SLOT` or `KIND.SLOT.*`."""
        self.named = NamedAttributes(named)

    @property
    def name(self) -> str:
        """Return the name and version."""
        return f"strict/{VERSION}"

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance."""
        return [tuple(in_full(one, self._read)) for one in said]

    def _read(self, said: Utterance) -> Iterator[Statement]:
        """Yield what one utterance says, which is spelt out."""
        read = [*_once((*self._of_introduction(said), *self._of(said)))]
        yield from read
        # The years of an age and the day of a birthday count nothing else.
        told = {one.start for one in read if one.attribute in _OF_BIRTHDAYS or _is_named(one)}
        for figure in figure_statements(said, reader=self.name):
            if figure.start not in told:
                yield figure

    def _of(self, said: Utterance) -> Iterator[Statement]:
        """Yield what one utterance says."""
        goes_on: Meant | None = None  # irony and dreams, which colour what follows
        own_sentences = list(sentences(said.text))
        for place, sentence in enumerate(own_sentences):
            behind = own_sentences[place + 1] if place + 1 < len(own_sentences) else None
            near = NEAR if _SEVERAL.search(sentence.text) else 1
            earlier = own_sentences[max(place - near, 0) : place]
            goes_on = goes_on or _begins_to_be_meant(sentence.text)
            whole = (
                goes_on
                or sentence_meant(sentence.text)
                or taken_back(behind.text if behind else "")
                or ("hedged" if corrects_itself(_opened(sentence.text)) else None)
            )
            before = None
            alone = not tells_of_others(said.text[: sentence.start])
            alone = alone and not (earlier and _TOPIC.fullmatch(earlier[-1].text))
            parts = list(_forms_in(sentence, said.at, elided=alone))
            for (clause, whole_form), after in zip_longest(parts, parts[1:]):
                own = clause_meant(clause.text)
                lead = f"{sentence.text[: clause.start - sentence.start].rstrip()} "
                lead, colon, to = lead.rpartition(": ")
                last = after[0].text if after is not None and after is parts[-1] else ""
                named_ones: list[_Found | None] = [*self._of_named(clause, said)]
                for read in named_ones or [whole_form]:
                    if read is None or _is_of_programs(read, sentence.text):
                        continue
                    found = _righted(read, after[0].text) if after else read
                    led = _by_irony(found)
                    leads = {f"{lead}:", _opened(f"{lead}:")}
                    if (
                        colon
                        and "" not in leads
                        and all(is_led_in(one, to + clause.text) for one in leads)
                    ):
                        led = "quoted"
                    other = whole or own or before or led or taken_back(last)
                    other = other or _by_rest(found, sentence, clause, righted=found != read)
                    if found.value != MENTIONED or found.form.attribute != "taste":
                        yield self._statement(said, sentence, found, other)
                    elif named := next(filter(_names_its_thing, reversed(earlier)), None):
                        yield self._statement(said, sentence, found, other, begins=named.start)
                few = len(clause.text.split()) <= FEW_WORDS and not is_frank(clause.text)
                before = own if few else None
            if behind is not None and alone and whole is None:
                yield from self._of_pair(said, sentence, behind)
            if alone and whole is None:
                yield from self._of_pair(said, sentence, sentence)
            for day in birthdays_in(sentence.text, at=said.at) if whole is None else ():
                yield from self._of_birthday(said, sentence, day)
            for phrase in _phrases_of(sentence.text):
                yield self._statement(said, sentence, phrase, whole or clause_meant(sentence.text))

    def _of_named(self, clause: Stretch, said: Utterance) -> Iterator["_Found"]:
        """Yield what a clause says of attributes that it calls by their names."""
        text = _opened(clause.text.strip(" .!…;:"))
        over = _ANY_MORE.search(text)
        text = text[: over.start()] if over else text
        while closer := _CLOSER.search(text):
            text = text[: closer.start()]
        time = HoldingTime("")
        found = list(self.named.found_in(text))
        if not found and names_days(text):
            time = holding_time(text, at=said.at)
            found = list(self.named.found_in(time.text))
        for form, groups in found:
            value = in_days(form.attribute, groups["value"], at=said.at)
            value = said.speaker if value == "I" else value
            if value is None and form.meant != "ended":
                continue
            read = _read(form, {**groups, "value": value}, any_more=over is not None)
            if read is not None and not (form.meant == "denied" and time.text):
                yield read._replace(time=time)

    def _of_pair(self, said: Utterance, first: Stretch, second: Stretch) -> Iterator[Statement]:
        """Yield what two sentences say together: `Met someone. Her name's Jo.`."""
        text = said.text[first.start : second.end]
        for form, pattern in _compiled(PAIRS):
            found = pattern.match(text)
            if found is None or sentence_meant(found[0]) or clause_meant(first.text):
                continue
            if (read := _read(form, found.groupdict(), any_more=False)) is not None:
                yield self._statement(said, Stretch(first.start, second.end, text), read, None)

    def _of_birthday(
        self, said: Utterance, sentence: Stretch, told: Birthday
    ) -> Iterator[Statement]:
        """Yield the birthday of who speaks, and how old it made him."""
        day = _Found(ClauseForm("birthday", ""), told.day, None, None)
        yield self._statement(said, sentence, day, None)
        if told.years is not None and told.years <= OLDEST:
            age = ClauseForm("age", "")
            since = HoldingTime("", since=told.since)
            found = _Found(age, str(told.years), None, None, time=since)
            yield self._statement(said, sentence, found, None)

    def _of_introduction(self, said: Utterance) -> Iterator[Statement]:
        """Yield what who speaks says of himself behind his own name."""
        for one in introduced(said):
            found = _Found(ClauseForm(one.attribute, ""), one.value, one.topic, one.subject)
            sentence = Stretch(one.start, one.end, said.text[one.start : one.end])
            yield self._statement(said, sentence, found, None)

    def _statement(
        self,
        said: Utterance,
        sentence: Stretch,
        found: "_Found",
        otherwise: Meant | None,
        *,
        begins: int | None = None,
    ) -> Statement:
        """Return the statement of a clause, which stands on its sentence or `begins` before it."""
        form, value, topic, subject, any_more, time, _ = found
        if form.attribute in _TO_BE and otherwise == "planned":
            otherwise = None  # a launch that is told is yet to be, a routine is from now on
        meant: Meant = "ended" if any_more and form.meant == "denied" else form.meant
        if (otherwise or meant) == "planned" and not time.since:
            time = only_day(sentence.text, at=said.at)
        if time.since > said.at and meant == "asserted":
            meant = "planned"
        return Statement(
            speaker=said.speaker,
            subject=subject or said.speaker,
            attribute=form.attribute,
            value=f"not {value}" if form.negative else value or None,
            topic=topic,
            meant=otherwise or meant,
            start=sentence.start if begins is None else begins,
            end=sentence.end,
            reader=self.name,
            since=time.since,
            until=time.until,
            instead_of=found.instead_of,
            ends_only=form.ends_only and not otherwise,
        )


def _is_named(said: Statement) -> bool:
    """Tell whether a statement is of an attribute that its sentence calls by its name."""
    return "." in said.attribute


def _once(found: Iterable[Statement]) -> Iterator[Statement]:
    """Yield statements without those that say again what one of their sentence says."""
    kept = {(one.attribute, one.value, one.meant, one.start): one for one in reversed([*found])}
    return reversed(kept.values())


STRICT = StrictReader()
"""The one reader that needs nothing, and no setting either."""


@functools.cache
def strict_reader(named: tuple[str, ...] = ()) -> StrictReader:
    """Return the reader of the forms that knows some attributes besides by their names."""
    return StrictReader(named) if named else STRICT


def _righted(found: "_Found", behind: str) -> "_Found":
    """Return what is so, where the clause behind a name has the right one, or one that is wrong."""
    wrong = NOT_OTHER.fullmatch(behind.strip(" .!…;:"))
    if wrong is not None and found.form.meant == "asserted" and found.value[:1].isupper():
        return found._replace(instead_of=wrong["value"])
    named = RIGHT_NAME.fullmatch(behind.strip(" .!…;:"))
    denied = found.form.meant == "denied" and found.value[:1].isupper() and not found.any_more
    if named is None or not denied or not names_something(named["value"], of=found.form.attribute):
        return found
    form, old = found.form._replace(meant="asserted"), found.value
    topic = named["value"] if found.topic == old else found.topic
    return found._replace(form=form, value=named["value"], topic=topic, instead_of=old)


def _for_reason(found: "_Found", sentence: Stretch, clause: Stretch) -> Meant | None:
    """Return that a denial is in doubt whose reason follows: it may be the reason that is denied.

    `I don't live in Lyon because I like it`.
    """
    behind = sentence.text[clause.end - sentence.start :]
    return "hedged" if found.form.meant == "denied" and _BECAUSE.match(behind) else None


def _by_rest(found: "_Found", sentence: Stretch, clause: Stretch, *, righted: bool) -> Meant | None:
    """Return how what a clause says is meant by itself and by the rest of its sentence.

    `righted` tells that what follows was read already, as what is right in its place.
    """
    if found.form.topic == CALLED_OFF:
        return None  # why it is off, or who changed his mind, takes nothing of it back
    if found.form.meant == "asserted" and is_besides(found.form.attribute, clause.text):
        return "hedged"
    denied = (found.form.meant == "denied" or found.form.negative) and not righted
    rest = sentence.text[clause.end - sentence.start :]
    return _for_reason(found, sentence, clause) or turned_by(rest, denied=denied)


def _by_irony(found: "_Found") -> Meant | None:
    """Return that what is said to be liked is what people say so of who mean the opposite."""
    liked = found.form.attribute == "taste" and not found.form.negative
    return (
        "ironic" if liked and found.form.meant == "asserted" and is_endured(found.value) else None
    )


def _begins_to_be_meant(sentence: str) -> Meant | None:
    """Return how a sentence, and all behind it, is meant from it on: told as a dream, or ironic."""
    if is_ironic(sentence):
        return "ironic"
    return "imagined" if tells_dream(sentence) else None


class _Found(NamedTuple):
    """What a clause says by its form; the value is "" where what has ended is not named."""

    form: ClauseForm
    value: str
    topic: str | None
    subject: str | None
    any_more: bool = False
    time: HoldingTime = HoldingTime("")
    instead_of: str | None = None


def _names_its_thing(sentence: Stretch) -> bool:
    """Tell whether a sentence names, as what its speaker did it to, what `it` is behind it."""
    said = sentence.text
    plain = sentence_meant(said) is None and clause_meant(said) is None
    return plain and not denies(said) and re.match(NAMED_BEFORE, said) is not None


_ANY_WORD = rf"(?!(?i:{words.any_of(FUNCTION_WORDS)})\b)[^\W\d][\w.&+-]*"
_ANY_NAME = rf"{_ANY_WORD}(?: {_ANY_WORD})?"
_BY_SPEAKER = late(r"(?:I|[Ww]e)(?:['’m ]|$)")
_BY_SOMEBODY = late(r"[A-ZÀ-ÞŁŚŽ]|i\b|[Ww]e\b|[Mm]y\b|[Oo]ur\b")


@functools.cache
def _clause_forms(*, by_speaker: bool) -> tuple[tuple[ClauseForm, LatePattern], ...]:
    """Return the forms that a clause may be: most begin with "I" or "we", which it must too."""
    forms = (*FORMS, *RELATIVE_FORMS, *CHANGES, *ROUTINES, *EVERYDAY, *OVERS)
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
def _compiled(forms: tuple[ClauseForm, ...]) -> tuple[tuple[ClauseForm, LatePattern], ...]:
    """Return forms with their patterns, which are made when they are first needed."""
    return tuple((form, late(form.spelling)) for form in forms)


def _forms_in(
    sentence: Stretch, at: str, *, elided: bool
) -> Iterator[tuple[Stretch, _Found | None]]:
    """Yield a sentence that is one form, else its clauses, each with what it says.

    Where `elided`, the sentence may be of who speaks though it does not say so: `moved to Leeds`.
    """
    if (whole := _form_of(sentence, at, elided=elided)) is not None:
        yield sentence, whole
        return
    parts = list(clauses(sentence))
    for clause in parts:
        first = elided and clause.start == sentence.start
        yield clause, None if clause == sentence else _form_of(clause, at, elided=first)


def _phrases_of(sentence: str) -> Iterator[_Found]:
    """Yield what is found anywhere in a sentence."""
    for form, pattern in _compiled(PHRASES):
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
                value = _years(value) if form.attribute == "age" else value
                if not value:
                    continue
                read = _Found(form, value, groups.get("topic") or form.topic, somebody)
                if form.attribute == "pet":
                    read = read._replace(value=f"{value} ({read.topic})", topic=value)
                yield _related(read) if form.attribute == "relation" else read


def _is_of_here(value: str, behind: str) -> bool:
    """Tell whether a habit or preference is of what was spoken of, or is cut short by a comma."""
    return _HERE.search(value) is not None or (" " not in value and behind.startswith(","))


def _is_of_programs(found: _Found, sentence: str) -> bool:
    """Tell whether it is a program that moved, and nobody."""
    return found.form.attribute == "residence" and "mov" in sentence and tells_of_systems(sentence)


def _begins_as_words(found: re.Match[str]) -> bool:
    """Tell whether a capital alone makes a name of what begins a sentence: `Ran 10.5`."""
    who, value = found["subject"], found.groupdict().get("value")
    bare = found.start("subject") == 0 and who.isalpha() and who[1:].islower()
    return who.lower().split()[-1] in _PARTS_OF_TEXTS or (
        bare and (value is None or value in _STAGES_OF_ALL or _RATED.fullmatch(who) is not None)
    )


def _opened(text: str) -> str:
    """Return words without what may stand before all that somebody says."""
    opener = _OPENER.match(text)
    return text[opener.end() :] if opener else text


def _form_of(clause: Stretch, at: str, *, elided: bool = False) -> _Found | None:
    """Return what a clause says if the whole of it is a form, or all but when it holds."""
    text = _FACES.sub("", clause.text.rstrip(" .!…")).strip(" .!…;:")
    text = _SHOUTED.sub(lambda found: found[0].lower(), text)
    opener = _OPENER.match(text)
    text = text[opener.end() :] if opener and opener.end() < len(text) else text
    if elided and _ELIDED.match(text) is not None:
        text = f"I {text[0].lower()}{text[1:]}"
    if MEANT.match(text) or (opener and _WRONG.search(opener[0])):
        corrected = re.fullmatch(CORRECTION.spelling, text)
        if corrected is not None:
            groups = corrected.groupdict()
            old = groups["instead"] or groups["instead_first"]
            return _read(CORRECTION, {**groups, "instead": old}, any_more=False)
        if (denied := re.fullmatch(DENIAL.spelling, text)) is not None:
            return _read(DENIAL, denied.groupdict(), any_more=False)
    if (righted := PLAIN_CORRECTION.fullmatch(text)) is not None:
        groups = righted.groupdict()
        old = groups["instead"] or groups["instead_first"]
        return _read(CORRECTION, {**groups, "instead": old}, any_more=False)
    if (kind := KIND_CORRECTION.fullmatch(text)) is not None and kind["kind"] in words.PETS:
        groups = {"value": f"{kind['name']} ({kind['kind']})", "instead": kind["name"]}
        return _read(CORRECTION, groups, any_more=False)
    if LOOKS_BACK.match(text):
        text = LOOKS_BACK.sub("I used to ", text).rstrip(" ?!")
    if (untrue := _UNTRUE_THAT.match(text)) is not None:
        found = _form_in(text[untrue.end() :])
        plain = found is not None and found.form.meant == "asserted" and not found.form.negative
        return found._replace(form=found.form._replace(meant="denied")) if found and plain else None
    found = _form_with_time(text, at)
    if found is None and _JOINT.match(text):
        both = _form_with_time(_JOINT.sub("We ", text), at)
        found = both if both is not None and both.form.attribute not in _OF_TWO else None
    passing = is_of_the_moment(text) and not _TELLS_CHANGE.match(text)
    return None if found is not None and found.form.attribute in _LASTING and passing else found


def _form_with_time(text: str, at: str) -> _Found | None:
    """Return what words say if all of them are a form, or all but when it holds."""
    found = _form_in(text)
    somebody = text[:1].islower() or _BY_SOMEBODY.match(text) is not None
    if found is not None or not (somebody and names_days(text)):
        return found
    time = holding_time(text, at=at)
    found = _form_in(time.text) if time.text != text else None
    if found is None or found.form.meant == "denied":
        return None  # "I don't live here in summer" denies less than it would without
    return found._replace(time=time)


def _form_in(text: str) -> _Found | None:
    """Return what words say if all of them are a form."""
    for form, pattern in _compiled(CHANGES_OF_TASTE):
        if pattern.fullmatch(text) is not None:
            return _Found(form, form.value, form.value, None)
    if (longer := _NO_LONGER.search(text)) is not None:
        found = _form_in_all_of(text[: longer.start()], over=False)
        ends = found is not None and found.form.meant == "asserted" and not found.form.negative
        return found._replace(form=found.form._replace(meant="ended")) if found and ends else None
    any_more = _ANY_MORE.search(text)
    if any_more is not None:
        return _form_in_all_of(text[: any_more.start()], over=True) or _form_of_all(text, over=True)
    return _form_in_all_of(text, over=False)


def _form_in_all_of(text: str, *, over: bool) -> _Found | None:
    """Return what words say if all of them are a form, but for what may stand at their end."""
    whole = _form_of_all(text, over=over) if _TELLING_END.search(text) else None
    if whole is not None and whole.form.spelling.endswith(_TELLING_ENDS):
        return whole
    said = text
    while closer := _CLOSER.search(text):
        text = text[: closer.start()]
    found = _form_of_all(text, over=over)
    denied = found is not None and (found.form.meant == "denied" or found.form.negative)
    narrowed = denied and _IN_COMPANY.search(said[len(text) :])
    return None if narrowed else found


def _form_of_all(text: str, *, over: bool) -> _Found | None:
    """Return what words say if they, and nothing more, are a form."""
    if text[:2] in ("i ", "i'", "i’"):
        text = f"I{text[1:]}"
    said = folded(text)
    for form, pattern in _clause_forms(by_speaker=_BY_SPEAKER.match(text) is not None):
        found = pattern.fullmatch(text) if pattern.cue in said else None
        narrowed = found is not None and form.attribute != "hobby" and _leaves_little(found)
        if found is not None and not narrowed:
            any_more = over or " no longer " in text
            read = _read(form, found.groupdict(), any_more=any_more)
            if read is not None:
                return read
    return None


def _leaves_little(found: re.Match[str]) -> bool:
    """Tell whether the words behind the value leave little of it: `a sailor at heart`."""
    at = max(
        (found.end(one) for one in ("value", "other") if one in found.re.groupindex), default=-1
    )
    return at > 0 and is_narrowed_by(found.string[at:])


def _read(form: ClauseForm, groups: dict[str, str | None], *, any_more: bool) -> _Found | None:
    """Return what the groups of a form say, or None where they are no value."""
    value = form.value or _value_of(groups).strip(" .,'’")
    attribute, topic = form.attribute, groups.get("topic")
    if not value and form.meant in ("ended", "denied"):
        return _Found(form, "", topic or form.topic, groups.get("subject"), any_more)
    if attribute == "age":
        value = _years(value)
    if attribute == "children":
        value = str(number_of(value) or "")
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
    read = _Found(form, value, topic, groups.get("subject"), any_more=any_more, instead_of=other)
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


def _years(said: str) -> str:
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


def _related(found: _Found) -> _Found:
    """Return how somebody stands to another; of partners there is one at a time."""
    kind = (found.topic or "").lower()
    if kind == "ex" and found.form.meant == "asserted":
        ended = ClauseForm("partner", found.form.spelling, "ended", ends_only=True)
        return found._replace(form=ended, topic=None)
    if kind in words.PARTNERS:
        return found._replace(form=found.form._replace(attribute="partner"), topic=None)
    return found._replace(topic=words.SAME_RELATIVE.get(kind, kind))
