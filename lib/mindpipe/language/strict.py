"""A reader of few sentence forms, which needs nothing installed and is hardly ever wrong.

A clause is read only where all of it, from its first word to its last, is one of the forms, and its
sentence shows by no word that it is meant otherwise: no question, quotation, report, doubt, dream,
wish, plan or irony. Whatever else is said is no statement for it.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mindpipe.language import words
from mindpipe.language.clauses import Stretch, clauses, sentences
from mindpipe.language.figures import figure_statements
from mindpipe.language.forms import (
    CORRECTION,
    FORMS,
    KIN,
    PET,
    PHRASES,
    SPEAKER_FIRST,
    ClauseForm,
)
from mindpipe.language.guards import (
    FEW_WORDS,
    LOOKS_BACK,
    clause_meant,
    denies,
    is_ironic,
    sentence_meant,
    taken_back,
)
from mindpipe.language.numerals import number_of
from mindpipe.language.records import Meant, Statement, Utterance
from mindpipe.language.times import (
    HoldingTime,
    holding_time,
    is_of_today,
    names_days,
    only_day,
)
from mindpipe.language.topics import singular
from mindpipe.language.values import is_somebody, names_something

VERSION = 1
OLDEST = 110
"""Nobody is said to be older, in years."""
MOST_WORDS = 5
"""A longer thing that is liked or not eaten is a sentence, and no value."""


_OPENER = re.compile(
    r"(?i)(?:(?:yes|yeah|yep|no(?! more\b)|nope|nah|ok|okay|well|hey|hi|hello|oh|ah|anyway|"
    r"honestly|actually|btw|fyi|also|(?:(?:big|good|bad|quick|small|life) )?(?:news|update)|"
    r"so|and|but|then|wrong|correction|sorry|morning|evening|currently|nowadays|these days|"
    r"finally|right)\b"
    r"[\s,.!:]*)+"
)
_CLOSER = re.compile(
    r"(?i)[\s,]+(?:now|actually|today|these days|btw|by the way|though|at the moment|a lot|"
    r"very much|so much|"
    r"right now|currently|as well|too|again|completely|at last|for good|tbh|anyway|"
    rf"with (?:my|our) (?:\w+ )?(?:{KIN}|{PET}|family|parents|kids|children)|"
    r"since (?:last )?\w+(?: \d{4})?)$"
)
_UNTRUE_THAT = re.compile(
    r"(?i)(?:it|that)(?:['’]?s| is)(?: (?:not (?:true|right|correct|so)|n['’]?t true|wrong|false)|"
    r"n['’]?t (?:true|right|correct)) that "
)
_TELLING_ENDS = (" again", " for good")
"""What else is left out, and tells something in forms that end in it."""
_ANY_MORE = re.compile(r"(?i)[\s,]+(?:any ?more|any longer)$")
_LASTING = words.listed("job health diet")
_NO_BEGINNING = words.listed("and or but to in on at for with from of by about into")
_OF_THEMSELVES = words.listed("taste food allergy health skill housemate medication owns")
"""Attributes of which each value is its own topic."""
_OF_NAMES = words.listed("relation pet workplace prefers favourite")
_AT_HAND = words.listed(
    "this that these those such your his her their its all my our another some any every each"
)
_OWN = re.compile(r"['’]s?$")


_WRONG = re.compile(r"(?i)\b(?:no|nope|wrong|correction|sorry|actually)\b")


class StrictReader:
    """Read the forms."""

    @property
    def name(self) -> str:
        """Return the name and version."""
        return f"strict/{VERSION}"

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance."""
        return [
            (*dict.fromkeys(self._of(one)), *figure_statements(one, reader=self.name))
            for one in said
        ]

    def _of(self, said: Utterance) -> Iterator[Statement]:
        """Yield what one utterance says."""
        ironic: Meant | None = None
        own_sentences = list(sentences(said.text))
        for sentence, behind in zip_longest(own_sentences, own_sentences[1:]):
            ironic = ironic or ("ironic" if is_ironic(sentence.text) else None)
            whole = (
                ironic or sentence_meant(sentence.text) or taken_back(behind.text if behind else "")
            )
            before = None
            parts = list(_forms_in(sentence, said.at))
            for (clause, found), after in zip_longest(parts, parts[1:]):
                own = clause_meant(clause.text)
                if found is not None:
                    led: Meant | None = "quoted" if _is_led_in(sentence, clause) else None
                    last = after[0] if after is not None and after is parts[-1] else None
                    other = whole or own or before or led or taken_back(last.text if last else "")
                    yield self._statement(said, sentence, found, other)
                before = own if len(clause.text.split()) <= FEW_WORDS else None
            for phrase in _phrases_of(sentence.text):
                yield self._statement(said, sentence, phrase, whole or clause_meant(sentence.text))

    def _statement(
        self, said: Utterance, sentence: Stretch, found: "_Found", otherwise: Meant | None
    ) -> Statement:
        """Return the statement of a clause."""
        form, value, topic, subject, any_more, time, _ = found
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
            start=sentence.start,
            end=sentence.end,
            reader=self.name,
            since=time.since,
            until=time.until,
            instead_of=found.instead_of,
            ends_only=form.ends_only and not otherwise,
        )


STRICT = StrictReader()
"""The one reader that needs nothing."""


def _is_led_in(sentence: Stretch, clause: Stretch) -> bool:
    """Tell whether a colon leads in a clause: what stands before it says whose words it is."""
    before = sentence.text[: clause.start - sentence.start].rstrip()
    if not before.endswith(":") or _OPENER.fullmatch(before):
        return False
    return _OF_ONESELF.search(before) is None or clause_meant(before) is not None


_OF_ONESELF = re.compile(r"\b(?:I|me|us)\b(?!.*\b(?:say|tell|text|wrote|read|hear)\b)")
"""Who leads in of himself speaks on: `that settles it for me: I hate ferries`."""


class _Found(NamedTuple):
    """What a clause says by its form; the value is "" where what has ended is not named."""

    form: ClauseForm
    value: str
    topic: str | None
    subject: str | None
    any_more: bool = False
    time: HoldingTime = HoldingTime("")
    instead_of: str | None = None


_BY_SPEAKER = re.compile(r"(?:I|[Ww]e)(?:['’m ]|$)")
_BY_SOMEBODY = re.compile(r"[A-ZÀ-ÞŁŚŽ]|i\b|[Ww]e\b|[Mm]y\b|[Oo]ur\b")


@functools.cache
def _clause_forms(*, by_speaker: bool) -> tuple[tuple[ClauseForm, re.Pattern[str]], ...]:
    """Return the forms that a clause may be: most begin with "I" or "we", which it must too."""
    return tuple(
        (form, re.compile(form.spelling))
        for form in FORMS
        if by_speaker or not form.spelling.startswith(SPEAKER_FIRST)
    )


@functools.cache
def _compiled(forms: tuple[ClauseForm, ...]) -> tuple[tuple[ClauseForm, re.Pattern[str]], ...]:
    """Return forms with their patterns, which are made when they are first needed."""
    return tuple((form, re.compile(form.spelling)) for form in forms)


def _forms_in(sentence: Stretch, at: str) -> Iterator[tuple[Stretch, _Found | None]]:
    """Yield a sentence that is one form, else its clauses, each with what it says."""
    if (whole := _form_of(sentence, at)) is not None:
        yield sentence, whole
        return
    parts = list(clauses(sentence))
    for clause in parts:
        yield clause, None if clause == sentence else _form_of(clause, at)


def _phrases_of(sentence: str) -> Iterator[_Found]:
    """Yield what is found anywhere in a sentence."""
    for form, pattern in _compiled(PHRASES):
        for found in pattern.finditer(sentence):
            groups = found.groupdict()
            value = _OWN.sub("", (groups["value"] or "").strip(" ,.-"))
            somebody = groups.get("subject")
            told = form.attribute not in _OF_NAMES or names_something(value, of=form.attribute)
            if value and told and (somebody is None or is_somebody(somebody)):
                value = _years(value) if form.attribute == "age" else value
                if not value:
                    continue
                read = _Found(form, value, groups.get("topic"), groups.get("subject"))
                yield _related(read) if form.attribute == "relation" else read


def _form_of(clause: Stretch, at: str) -> _Found | None:
    """Return what a clause says if the whole of it is a form, or all but when it holds."""
    text = clause.text.strip(" .!…;:")
    opener = _OPENER.match(text)
    text = text[opener.end() :] if opener and opener.end() < len(text) else text
    if opener and _WRONG.search(opener[0]):
        corrected = re.fullmatch(CORRECTION.spelling, text)
        if corrected is not None:
            groups = corrected.groupdict()
            old = groups["instead"] or groups["instead_first"]
            return _read(CORRECTION, {**groups, "instead": old}, any_more=False)
    if LOOKS_BACK.match(text):
        text = LOOKS_BACK.sub("I used to ", text).rstrip(" ?!")
    if (untrue := _UNTRUE_THAT.match(text)) is not None:
        found = _form_in(text[untrue.end() :])
        plain = found is not None and found.form.meant == "asserted" and not found.form.negative
        return found._replace(form=found.form._replace(meant="denied")) if found and plain else None
    found = _form_in(text)
    if found is not None or not (_BY_SOMEBODY.match(text) and names_days(text)):
        return found
    time = holding_time(text, at=at)
    found = _form_in(time.text) if time.text != text else None
    if found is not None and found.form.attribute in _LASTING and is_of_today(text):
        return None
    if found is None or found.form.meant == "denied":
        return None  # "I don't live here in summer" denies less than it would without
    return found._replace(time=time)


def _form_in(text: str) -> _Found | None:
    """Return what words say if all of them are a form."""
    any_more = _ANY_MORE.search(text)
    text = text[: any_more.start()] if any_more else text
    over = any_more is not None
    whole = _form_of_all(text, over=over) if text.endswith(_TELLING_ENDS) else None
    if whole is not None and whole.form.spelling.endswith(_TELLING_ENDS):
        return whole
    while closer := _CLOSER.search(text):
        text = text[: closer.start()]
    return _form_of_all(text, over=over)


def _form_of_all(text: str, *, over: bool) -> _Found | None:
    """Return what words say if they, and nothing more, are a form."""
    if text[:2] in ("i ", "i'", "i’"):
        text = f"I{text[1:]}"
    for form, pattern in _clause_forms(by_speaker=_BY_SPEAKER.match(text) is not None):
        if (found := pattern.fullmatch(text)) is not None:
            any_more = over or " no longer " in text
            read = _read(form, found.groupdict(), any_more=any_more)
            if read is not None:
                return read
    return None


def _read(form: ClauseForm, groups: dict[str, str | None], *, any_more: bool) -> _Found | None:
    """Return what the groups of a form say, or None where they are no value."""
    value = (groups.get("value") or groups.get("other") or "").strip(" .,'’")
    attribute, topic = form.attribute, groups.get("topic")
    if not value and form.meant == "ended":
        return _Found(form, "", topic, groups.get("subject"), any_more)
    if attribute == "age":
        value = _years(value)
    somebody = groups.get("subject")
    if not value or _is_no_value(form, value) or (somebody and not is_somebody(somebody)):
        return None
    if attribute == "pet" and form.meant == "denied":
        value = topic = singular(value)
    elif attribute == "pet" and topic is not None:
        value, topic = f"{value} ({topic})", value
    elif attribute == "pet":
        topic = value
    if attribute in _OF_THEMSELVES:
        value = re.sub(r"^(?:the|a|an|my|our)\s+", "", value)
        topic = value
    other = groups["instead"] or "" if "instead" in groups else None
    read = _Found(form, value, topic, groups.get("subject"), any_more=any_more, instead_of=other)
    return _related(read) if attribute == "relation" else read


def _years(said: str) -> str:
    """Return an age in digits, "" where it is none."""
    years = number_of(said)
    return str(years) if years is not None and 1 <= years <= OLDEST else ""


def _is_no_value(form: ClauseForm, value: str) -> bool:
    """Tell whether words are no value of a form: a pronoun, a denial, a sentence, a day."""
    said = value.lower().split()
    return (
        len(said) > MOST_WORDS
        or not names_something(value, of=form.attribute)
        or said[0] in _NO_BEGINNING
        or denies(value)
        or (form.attribute == "allergy" and names_days(value))  # "allergic to Mondays"
        or (form.attribute == "job" and said[0] in words.UNTRUE)
        or (form.attribute == "taste" and _is_of_the_moment(value, liked=not form.negative))
    )


def _is_of_the_moment(thing: str, *, liked: bool) -> bool:
    """Tell whether a thing is one that was at hand, and none that somebody likes as such."""
    first, *rest = thing.lower().split() or [""]
    kind = " ".join(rest) in words.ONLY_ONE
    return (
        first in _AT_HAND
        or re.search(r"['’]s\b", thing) is not None
        or (first in ("the", "a", "an") and liked and not kind)
    )


def _related(found: _Found) -> _Found:
    """Return how somebody stands to another; of partners there is one at a time."""
    kind = (found.topic or "").lower()
    if kind in words.PARTNERS:
        return found._replace(form=found.form._replace(attribute="partner"), topic=None)
    return found._replace(topic=words.SAME_RELATIVE.get(kind, kind))
