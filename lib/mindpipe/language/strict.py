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

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.birthdays import Birthday, birthdays_in
from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.clause_reading import (
    ANY_MORE,
    CLOSER,
    OLDEST,
    FoundForm,
    compiled,
    forms_in,
    forms_of,
    opened,
    phrases_of,
    read_groups,
    years_of,
)
from mindpipe.language.clauses import Stretch, sentences
from mindpipe.language.figures import figure_statements
from mindpipe.language.guards import (
    FEW_WORDS,
    clause_meant,
    corrects_itself,
    denies,
    hates_it,
    is_besides,
    is_frank,
    is_gone,
    is_ironic,
    is_led_in,
    sentence_meant,
    taken_back,
    tells_dream,
    tells_of_others,
    tells_of_systems,
    turned_by,
    without_laughter,
)
from mindpipe.language.introductions import Introduced, introduced, several_named
from mindpipe.language.named_attributes import NamedAttributes, in_days
from mindpipe.language.named_before import (
    NAMED_BEFORE,
    NOT_OTHER,
    RIGHT_AGE,
    RIGHT_NAME,
)
from mindpipe.language.negations import denied_beside
from mindpipe.language.phrases import PAIRS
from mindpipe.language.records import (
    CALLED_OFF,
    MENTIONED,
    NO_CHILDREN,
    Meant,
    Statement,
    Utterance,
)
from mindpipe.language.spelling import in_full
from mindpipe.language.times import (
    HoldingTime,
    holding_time,
    names_days,
    only_day,
)
from mindpipe.language.values import is_endured, names_something
from mindpipe.language.withdrawals import withdrawn

VERSION = 1
NEAR = 2
"""Sentences before it in which stands what "them" means; "it" is of the last one alone."""
_SEVERAL = late(r"(?i)\b(?:them|those|these)\b")
_TO_BE = frozenset({"launch", "routine"})
_OF_BIRTHDAYS = words.listed("age birthday")
_TOPIC = late(r"\W*[\w'’-]+\?+")
"""Of whom or what it is then: `Tom? big fan of opera`."""
_IS_ANOTHER = late(r"(?i)[\s,;–-]*(?:s?he|it)(?:['’]s| is) an? \w+\W*$")
"""How he goes on who calls something by another name: `I don't have a dog, she's a wolf`."""
_BECAUSE = late(r"(?i)\W*(?:just |only )?(?:because|cause|cos)\b")


class _Told(NamedTuple):
    """A sentence of an utterance, how it is meant by itself, and what stands around it."""

    said: Utterance
    sentence: Stretch
    in_itself: Meant | None
    earlier: Sequence[Stretch]
    behind: str

    @property
    def whole(self) -> Meant | None:
        """Return how all of it is meant, None where as it stands."""
        return self.in_itself or taken_back(self.behind, denial=denies(self.sentence.text))

    def meant(self, found: FoundForm, clause: Stretch) -> Meant | None:
        """Return how one of its clauses is meant: who laughs at what he denies denies it too."""
        if found.form.meant == "denied" or found.value == NO_CHILDREN:
            behind, said = without_laughter(self.behind), without_laughter(clause.text)
            back = taken_back(behind, denial=True)
            return self.in_itself or back or clause_meant(said)
        return self.whole or clause_meant(clause.text)


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
        found = (*self._of_introduction(said), *self._of(said))
        read = [one for one in _once(found) if not _is_his_own(one)]
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
            corrected: Meant | None = "hedged" if corrects_itself(opened(sentence.text)) else None
            in_itself = goes_on or sentence_meant(sentence.text) or corrected
            told = _Told(said, sentence, in_itself, earlier, behind.text if behind else "")
            alone = not tells_of_others(said.text[: sentence.start])
            alone = alone and not (earlier and _TOPIC.fullmatch(earlier[-1].text))
            yield from self._of_clauses(told, elided=alone)
            if behind is not None and alone and told.whole is None:
                yield from self._of_pair(said, sentence, behind)
            if alone and told.whole is None:
                yield from self._of_pair(said, sentence, sentence)
            for day in birthdays_in(sentence.text, at=said.at) if told.whole is None else ():
                yield from self._of_birthday(said, sentence, day)
            meant = told.whole or clause_meant(sentence.text)
            if meant is None and not is_gone(sentence.text):
                for one in several_named(sentence.text):
                    yield self._introduced(said, one, sentence)
            for phrase in phrases_of(sentence.text):
                rest = sentence.text.rpartition(phrase.value)[2]
                undone = meant or turned_by(rest, denied=False)
                yield self._statement(said, sentence, phrase, undone)

    def _of_clauses(self, told: "_Told", *, elided: bool) -> Iterator[Statement]:
        """Yield what the clauses of a sentence say."""
        said, sentence = told.said, told.sentence
        before = None
        earlier = told.earlier[-1].text if told.earlier else ""
        parts = list(forms_in(sentence, said.at, before=earlier, elided=elided))
        for (clause, forms), after in zip_longest(parts, parts[1:]):
            last = after[0].text if after is not None and after is parts[-1] else ""
            for read in [*self._of_named(clause, said)] or forms:
                if _is_of_programs(read, sentence.text):
                    continue
                beside = _denied_beside(read, clause, last)
                found = _righted(read, after[0].text) if after and not beside else read
                other = told.meant(found, clause) or before or _led_in(sentence, clause)
                other = other or _by_irony(found) or taken_back("" if beside else last)
                other = other or _by_rest(found, sentence, clause, righted=found != read)
                if found.value != MENTIONED or found.form.attribute != "taste":
                    yield self._statement(said, sentence, found, other)
                elif named := next(filter(_names_its_thing, reversed(told.earlier)), None):
                    yield self._statement(said, sentence, found, other, begins=named.start)
                if beside is not None:
                    yield self._statement(said, sentence, beside, other)
            few = len(clause.text.split()) <= FEW_WORDS and not is_frank(clause.text)
            before = clause_meant(clause.text) if few else None

    def _of_named(self, clause: Stretch, said: Utterance) -> Iterator[FoundForm]:
        """Yield what a clause says of attributes that it calls by their names."""
        text = opened(clause.text.strip(" .!…;:"))
        over = ANY_MORE.search(text)
        text = text[: over.start()] if over else text
        while closer := CLOSER.search(text):
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
            read = read_groups(form, {**groups, "value": value}, any_more=over is not None)
            if read is not None and not (form.meant == "denied" and time.text):
                yield read._replace(time=time)

    def _of_pair(self, said: Utterance, first: Stretch, second: Stretch) -> Iterator[Statement]:
        """Yield what two sentences say together: `Met someone. Her name's Jo.`."""
        text = said.text[first.start : second.end]
        for form, pattern in compiled(PAIRS):
            found = pattern.match(text)
            if found is None or sentence_meant(found[0]) or clause_meant(first.text):
                continue
            if (read := read_groups(form, found.groupdict(), any_more=False)) is not None:
                yield self._statement(said, Stretch(first.start, second.end, text), read, None)

    def _of_birthday(
        self, said: Utterance, sentence: Stretch, told: Birthday
    ) -> Iterator[Statement]:
        """Yield the birthday of who speaks, and how old it made him."""
        day = FoundForm(ClauseForm("birthday", ""), told.day, None, None)
        yield self._statement(said, sentence, day, None)
        if told.years is not None and told.years <= OLDEST:
            age = ClauseForm("age", "")
            since = HoldingTime("", since=told.since)
            found = FoundForm(age, str(told.years), None, None, time=since)
            yield self._statement(said, sentence, found, None)

    def _of_introduction(self, said: Utterance) -> Iterator[Statement]:
        """Yield what who speaks says of himself behind his own name."""
        for one in introduced(said):
            sentence = Stretch(one.start, one.end, said.text[one.start : one.end])
            yield self._introduced(said, one, sentence)

    def _introduced(self, said: Utterance, one: Introduced, sentence: Stretch) -> Statement:
        """Return what somebody says by an introduction, or as in one, as a statement."""
        found = FoundForm(ClauseForm(one.attribute, ""), one.value, one.topic, one.subject)
        return self._statement(said, sentence, found, None)

    def _statement(
        self,
        said: Utterance,
        sentence: Stretch,
        found: FoundForm,
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


def _is_his_own(said: Statement) -> bool:
    """Tell whether a statement says that its speaker has the name by which he speaks."""
    named = said.attribute == "name" and said.meant == "asserted" and said.value
    return bool(named) and f"{said.value}".lower() in (
        said.speaker.lower(),
        said.speaker.lower().partition(" ")[0],
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


def _righted(found: FoundForm, behind: str) -> FoundForm:
    """Return what is so, where the clause behind a name has the right one, or one that is wrong."""
    wrong = NOT_OTHER.fullmatch(behind.strip(" .!…;:"))
    if wrong is not None and found.form.meant == "asserted" and found.value[:1].isupper():
        return found._replace(instead_of=wrong["value"])
    if found.form.meant != "denied" or found.any_more:
        return found
    form, old = found.form._replace(meant="asserted"), found.value
    if form.attribute == "age" and (aged := RIGHT_AGE.fullmatch(behind.strip(" .!…;:"))):
        years = years_of(aged["value"])
        return found._replace(form=form, value=years, instead_of=old) if years else found
    named = RIGHT_NAME.fullmatch(behind.strip(" .!…;:"))
    if named is None or not old[:1].isupper():
        return found
    if not names_something(named["value"], of=form.attribute):
        return found
    bare, kind, rest = old.partition(" (")
    topic = named["value"] if found.topic in (old, bare) else found.topic
    form, value = form._replace(ends_only=False), f"{named['value']}{kind}{rest}"
    return found._replace(form=form, value=value, topic=topic, instead_of=bare)


def _denied_beside(found: FoundForm, clause: Stretch, behind: str) -> FoundForm | None:
    """Return what a clause denies by what stands behind it: `allergic to pollen, not dust`."""
    if found.form.meant != "asserted" or found.form.negative or not found.value:
        return None
    text = denied_beside(clause.text, found.value, behind)
    forms = forms_of(clause._replace(text=text), "") if text else []
    other = forms[0] if len(forms) == 1 else None
    alike = other is not None and other.form.meant == "asserted" and other.value != found.value
    if other is None or not alike or other.form.attribute != found.form.attribute:
        return None
    return other._replace(form=other.form._replace(meant="denied", ends_only=True))


def _for_reason(found: FoundForm, sentence: Stretch, clause: Stretch) -> Meant | None:
    """Return that a denial is in doubt whose reason follows: it may be the reason that is denied.

    `I don't live in Lyon because I like it`.
    """
    behind = sentence.text[clause.end - sentence.start :]
    return "hedged" if found.form.meant == "denied" and _BECAUSE.match(behind) else None


def _by_rest(
    found: FoundForm, sentence: Stretch, clause: Stretch, *, righted: bool
) -> Meant | None:
    """Return how what a clause says is meant by itself and by the rest of its sentence.

    `righted` tells that what follows was read already, as what is right in its place.
    """
    if found.form.topic == CALLED_OFF:
        return None  # why it is off, or who changed his mind, takes nothing of it back
    if found.form.meant == "asserted" and is_besides(found.form.attribute, clause.text):
        return "hedged"
    denied = (found.form.meant == "denied" or found.form.negative) and not righted
    rest = sentence.text[clause.end - sentence.start :]
    undone = found.form.meant == "denied" and found.form.negative and hates_it(rest)
    if undone or withdrawn(rest) is not None or (denied and _IS_ANOTHER.match(rest)):
        return "hedged"
    return _for_reason(found, sentence, clause) or turned_by(rest, denied=denied)


def _led_in(sentence: Stretch, clause: Stretch) -> Meant | None:
    """Return that a clause is quoted where a colon before it leads in other words."""
    lead = f"{sentence.text[: clause.start - sentence.start].rstrip()} "
    lead, colon, to = lead.rpartition(": ")
    leads = {f"{lead}:", opened(f"{lead}:")}
    other = colon and "" not in leads and all(is_led_in(one, to + clause.text) for one in leads)
    return "quoted" if other else None


def _by_irony(found: FoundForm) -> Meant | None:
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


def _names_its_thing(sentence: Stretch) -> bool:
    """Tell whether a sentence names, as what its speaker did it to, what `it` is behind it."""
    said = sentence.text
    plain = sentence_meant(said) is None and clause_meant(said) is None
    return plain and not denies(said) and re.match(NAMED_BEFORE, said) is not None


def _is_of_programs(found: FoundForm, sentence: str) -> bool:
    """Tell whether it is a program that moved, and nobody."""
    return found.form.attribute == "residence" and "mov" in sentence and tells_of_systems(sentence)
