"""Which turn of a life the words of an event tell of, and of whom.

A turn is told by a sentence that says it of the right one: somebody whom the person knows has died,
a partner parts from *you*, *you* lose your work. Who a verb is of has to stand beside it, and the
sentence must show by no word that it is a question, a wish, a doubt, a dream, a plan or a story
(`mindpipe.language.guards`). Silent rather than wrong: what only might be a turn is none.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.core.patterns import LatePattern
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language import words
from mindpipe.language.guards import denies, told_plainly
from mindpipe.language.numerals import WORDS as NUMBER_WORDS
from mindpipe.language.numerals import number_of
from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.relations import Kind, NamedOther, kin_of_kin, kind_of, others_of
from mindpipe.person.mind.tidings import NO_DEATH
from mindpipe.person.mind.told_turn import NOTICE as NOTICE_OF_WORK
from mindpipe.person.mind.told_turn import SICK_LEAVE, ToldTurn, weight_of
from mindpipe.person.mind.turn_words import (
    ALIVE,
    ANY_DEATH,
    BORN,
    BORN_TO,
    BORN_TOLD,
    CLOSES,
    DEATH_OF,
    DEATHS,
    DISMISSED,
    ENDS_LATER,
    EXAM,
    EXAM_AIM,
    EXAM_NAMED,
    FOR_GOOD,
    FOUND_DEAD,
    GAVE_BIRTH,
    GRANDCHILD,
    HIRED,
    I_PART,
    I_RETURN,
    I_THINK,
    ILL,
    IT_IS,
    KEPT_ON,
    LEFT_OPEN,
    LOST,
    LOVE_TOLD,
    LOVE_YOURS,
    LOVES,
    MISTAKEN,
    NOT_ILL,
    NOT_TAKEN,
    NOT_WORK,
    NOTICE,
    OLD,
    OURS_BORN,
    OVER,
    PAPERS,
    PARTING,
    PEACE,
    PROPOSED,
    PUT_TO_SLEEP,
    REUNION,
    SICK,
    TAKEN_BACK,
    TELLER,
    THEIR_CHILD,
    TO_MANY,
    TOGETHER,
    TOLD_DISMISSED,
    UNFIT,
    US,
    WE_HIRE,
    WE_PARTED,
)
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import LifeTopic, PersonEvent
from mindpipe.person.records.person import LearntFact, PersonIdentity


class ToldEvent(NamedTuple):
    """An event as it is read: its text, who says it, what it weighs, and whom the person knows.

    `loved` are those with whom love has begun, in small letters: they are as near as a partner.
    `told` is what it tells in somebody's words (`Per writes that ...`), that one is the `teller`;
    where nobody is named who tells it, it is the text.
    """

    text: str
    source: str
    spoken: bool
    weight: float
    t_us: int
    others: tuple[NamedOther, ...]
    speaker: NamedOther | None
    loved: frozenset[str] = frozenset()
    teller: NamedOther | None = None
    told: str = ""

    def is_partner(self, other: NamedOther) -> bool:
        """Tell whether somebody is the person's partner, or one whom it loves."""
        return other.kind == "partner" or other.name.casefold() in self.loved


KIN: frozenset[Kind] = frozenset({"child", "parent", "sibling", "relative", "animal", "partner"})
_FAMILY: frozenset[Kind] = frozenset({"child", "parent", "sibling", "relative", "partner"})
_KIN_WORD = re.compile(
    r"\b(?:grand\w*|mum|mom|mother|mama|dad|papa|father|aunt\w*|uncle|son|daughter|sister|brother"
    r"|cousin|niece|nephew|child|children|toddler|baby|dog|cat)\b",
    re.I,
)
GOOD = 0.2
"""From which valence on what is told may be a good turn."""
STRONG, CLOSED = 0.8, 0.7
"""How much must weigh what is told of somebody whom nobody named, and of a place that closes."""


def told_turn(event: PersonEvent, identity: PersonIdentity) -> ToldTurn | None:
    """Return which turn the words of an event tell of, None where of none for sure."""
    telling = telling_of(event, identity)
    if event.type in ("goal", "concern"):
        return ToldTurn("exam") if _tells_exam(telling.text) else None
    if OLD.search(telling.text):
        return None
    valence = event.valence or 0.0
    if valence <= -0.3:
        found = _bad_turn(telling, valence)
        if found is not None:
            return None if _is_known(found, identity) else found
        if _is_death_elsewhere(telling):
            return ToldTurn("death")
    elif valence >= GOOD and (found := _birth(telling) or _love(telling, valence)):
        return found
    return _exam_ahead(telling)


def _exam_ahead(telling: ToldEvent) -> ToldTurn | None:
    """Return an exam of the person's own that is told to come, and when."""
    if not EXAM.search(telling.text) or NOT_TAKEN.search(telling.text):
        return None
    # What reads a time to come is needed only here.
    from mindpipe.person.mind.coming import announced

    for said, at_us, _, _ in announced(telling.text, telling.t_us):
        if at_us is not None and EXAM.search(said) and re.search(r"(?i)\byour?\b", said):
            return ToldTurn("exam", _aim_of(said), due_us=at_us)
    return None


def _is_known(turn: ToldTurn, identity: PersonIdentity) -> bool:
    """Tell whether it is no news that somebody died: the person said so, or learnt it before."""
    if turn.topic != "bereavement":
        return False
    parted = {one.about for one in identity.learnt if one.turn == "separation"}
    gone = any(one.gone and one.name == turn.name for one in others_of(identity))
    return gone and turn.name not in parted


def told_of(topic: LifeTopic, event: PersonEvent, identity: PersonIdentity) -> ToldTurn:
    """Return a turn that is known by the event itself, with whose it is by its words."""
    telling = telling_of(event, identity)._replace(weight=1.0)
    found = {"bereavement": _death, "separation": _separation}.get(topic)
    told = found(telling) if found else None
    if told is not None:
        return told
    if topic == "illness" and UNFIT.search(telling.text):
        return ToldTurn(topic, SICK_LEAVE)
    if topic in ("bereavement", "separation"):
        source = telling.speaker if topic == "separation" else None
        named = source or next(
            (one for one in telling.others if _named_in(one, telling.text)), None
        )
        if named is not None and not named.gone:
            return ToldTurn(topic, named.name, named.kind)
    return ToldTurn(topic)


def who_died(episode: Episode, identity: PersonIdentity) -> str:
    """Return of whom the words of something that happened tell that it died, or nothing.

    It is a name of the identity, `your father`, or the name that the words give.
    """
    told = _death(_read(episode, 1.0, identity))
    return told.name if told is not None else ""


def _tells_exam(text: str) -> bool:
    """Tell whether a goal or a worry is an exam of one's own."""
    return EXAM.search(text) is not None and not NOT_TAKEN.search(text)


_SPANS = {"day": 1, "week": 7, "fortnight": 14, "month": 30}
_SPAN = re.compile(
    rf"(?i)\b(?:for |another )?({NUMBER_WORDS}|\d{{1,2}}|an?|a few|several)?"
    r"\s*(day|week|fortnight|month)s?\b"
)
_COUNTS = {"a": 1, "an": 1, "": 1, "a few": 3, "several": 4}
DAYS_OFF = 7
"""For how many days somebody may not work of whom no time is told (C)."""


def days_off(text: str) -> int:
    """Return for how many days somebody may not work, by the words of whoever says so."""
    return days_in(text) or DAYS_OFF


def days_in(text: str) -> int:
    """Return how many days the first span of a text is, 0 where it tells none."""
    found = _SPAN.search(text)
    if found is None:
        return 0
    said = (found.group(1) or "").lower()
    count = _COUNTS[said] if said in _COUNTS else number_of(said) or 1
    return count * _SPANS[found.group(2).lower()]


def tells_work_again(event: PersonEvent, identity: PersonIdentity) -> bool:
    """Tell whether an event gives a person work, or gives back what it had."""
    telling = telling_of(event, identity)
    relative = telling.speaker is not None and telling.speaker.kind in _FAMILY
    if relative or OLD.search(telling.told):
        return False
    return says((WE_HIRE if telling.spoken else HIRED,), telling, planned=True)


def denied_turn(event: PersonEvent, identity: PersonIdentity, fact: LearntFact) -> bool:
    """Tell whether an event says of a turn that was learnt that it never was, or is so no more."""
    telling = telling_of(event, identity)
    if (event.valence or 0.0) < 0.0:
        return False
    if fact.is_death:
        whom = next((one for one in telling.others if one.name == fact.about), None)
        whom = whom or NamedOther(fact.about, *kind_of(fact.about))
        named = _named_in(whom, telling.text)
        return (named and says((MISTAKEN,), telling)) or any(
            _is_of(found, whom, telling) for found in hits(ALIVE, telling, planned=False)
        )
    if fact.turn == "illness":
        return says((NOT_ILL,), telling) or (
            says((MISTAKEN,), telling) and bool(_illness_in(fact.text) & _illness_in(telling.text))
        )
    return fact.turn == "dismissal" and says((KEPT_ON,), telling, planned=True)


def _is_of(found: re.Match[str], whom: NamedOther, telling: ToldEvent) -> bool:
    """Tell whether words are of somebody who was told to be dead; `she` is nobody's father."""
    one = whom_of(found, telling)
    if one is not None:
        return _is_same(one, whom)
    pronoun, role = (found.groupdict()["pronoun"] or "").casefold(), relative(whom.role)
    unnamed = not any(_named_in(other, telling.text) for other in telling.others)
    others = {"he": words.WOMEN, "she": words.MEN}.get(pronoun)
    return unnamed and others is not None and role not in others


def relative(role: str) -> str:
    """Return what somebody is by another word for it: `father` for `papa`."""
    return words.SAME_RELATIVE.get(role, role)


def _is_same(one: NamedOther, other: NamedOther) -> bool:
    """Tell whether two are one: `Uncle Poldi` is `your uncle` where nobody has another name."""
    unnamed = other.name == f"your {other.role}"
    same = relative(one.role).endswith(relative(other.role))
    return one.name == other.name or (unnamed and same)


def _illness_in(text: str) -> set[str]:
    """Return the illnesses that a text names, and what an illness is spoken of by."""
    return {hit.group().casefold() for hit in ILL.finditer(text)}


def reunited(event: PersonEvent, identity: PersonIdentity, parted: Iterable[str]) -> str:
    """Return which of those who parted from a person comes back to it, or nothing."""
    telling = telling_of(event, identity)
    if (event.valence or 0.0) < 0.0 or OLD.search(telling.text):
        return ""
    names = {one.casefold(): one for one in parted}
    if telling.spoken:
        source = telling.speaker.name if telling.speaker else telling.source
        back = says((I_RETURN,), telling, planned=True)
        return names.get(source.casefold(), "") if back else ""
    for pattern in (REUNION, TOGETHER):
        for found in hits(pattern, telling, planned=False):
            whom = whom_of(found, telling)
            if whom is not None and whom.name.casefold() in names:
                return names[whom.name.casefold()]
    return ""


def telling_of(event: PersonEvent, identity: PersonIdentity) -> ToldEvent:
    """Return an event as it is read."""
    return _read(event, weight_of(event), identity)


def _read(told: PersonEvent | Episode, weight: float, identity: PersonIdentity) -> ToldEvent:
    """Return what tells of something, and weighs so much, as it is read."""
    text = " ".join((told.text or "").replace("’", "'").split())
    others = others_of(identity)
    source = told.source or ""
    low = source.casefold()
    speaker = next((one for one in others if low and one.name.casefold() == low), None)
    if speaker is None and source:
        kind, role = kind_of(source)
        if role and (low.startswith("your ") or low == role):
            speaker = NamedOther(source, kind, role)
    loved = frozenset(
        one.about.casefold()
        for one in identity.learnt
        if one.turn == "love" and one.until_us is None and one.about
    )
    teller, clause = _retelling(text, others)
    return ToldEvent(
        text,
        source,
        told.type == "speech",
        weight,
        told.t_us,
        others,
        speaker,
        loved,
        teller,
        clause,
    )


def _retelling(text: str, others: tuple[NamedOther, ...]) -> tuple[NamedOther | None, str]:
    """Return who tells something in a text, where it says so, and what is told."""
    found = TELLER.match(text)
    if found is None:
        return None, text
    name = found["teller"]
    low = name.casefold().removeprefix("your ").removeprefix("the ")
    known = (one for one in others if low in (one.name.casefold(), one.role))
    kind, role = kind_of(name)
    return next(known, NamedOther(name, kind, role)), found["told"]


def hits(pattern: LatePattern, telling: ToldEvent, *, planned: bool) -> Iterator[re.Match[str]]:
    """Yield where a text says something plainly: not asked, doubted, wished, denied or imagined."""
    for told in told_plainly(telling.text, pattern):
        if LEFT_OPEN.search(told.sentence[: told.found.start()]):
            continue
        wants = told.meant == "wished" and re.search(r"(?i)\bwants?\b", told.clause) is not None
        if told.meant in (None, "reported") or (planned and (wants or told.meant == "planned")):
            yield told.found


def says(patterns: Iterable[LatePattern], telling: ToldEvent, *, planned: bool = False) -> bool:
    """Tell whether a text says one of some things plainly."""
    return any(True for one in patterns for _ in hits(one, telling, planned=planned))


def _aim_of(said: str) -> str:
    """Return an exam as a goal."""
    found = EXAM_NAMED.search(said)
    return EXAM_AIM.replace("{exam}", found["exam"]) if found else said


def _dismissal(telling: ToldEvent) -> ToldTurn:
    """Return how work is lost: at once, or at a time to come, as far as that is told."""
    later = ENDS_LATER.search(telling.text)
    if later is None and not NOTICE.search(telling.text):
        return ToldTurn("dismissal")
    if later is not None and (days := _DAYS_TO_END[later["unit"].lower()]):
        due_us = telling.t_us + days * DAY_US
        return ToldTurn("dismissal", NOTICE_OF_WORK, due_us=due_us)
    from mindpipe.person.mind.coming import announced

    times = [at_us for _, at_us, _, _ in announced(telling.text, telling.t_us) if at_us is not None]
    return ToldTurn("dismissal", NOTICE_OF_WORK, due_us=next(iter(times), None))


_DAYS_TO_END = {"day": 1, "week": 4, "month": 15, "quarter": 45, "season": 45, "year": 0}
"""In how many days the end of a span is that is going on, where no calendar tells (C)."""


def _bad_turn(telling: ToldEvent, valence: float) -> ToldTurn | None:
    """Return the loss, the illness or the like that is told of, if any."""
    weight = telling.weight
    if valence <= -0.5 and weight >= 0.6 and (found := _death(telling)):
        return found
    if valence <= -0.4 and weight >= 0.5 and (found := _separation(telling)):
        return found
    if weight >= 0.5 and _is_dismissed(telling):
        return _dismissal(telling)
    if valence <= -0.4 and weight >= 0.5 and _is_sick(telling):
        return ToldTurn("illness", SICK_LEAVE if UNFIT.search(telling.text) else "")
    return None


def _death(telling: ToldEvent) -> ToldTurn | None:
    """Return whose death is told."""
    back = TAKEN_BACK.search(telling.text)
    if back is not None and not denies(telling.text[max(0, back.start() - 12) : back.start()]):
        return None
    for pattern in (DEATHS, LOST, FOUND_DEAD, DEATH_OF, PUT_TO_SLEEP):
        for found in hits(pattern, telling, planned=False):
            if found.groupdict().get("gone") and not PEACE.search(telling.text):
                continue
            whom = whom_of(found, telling)
            if whom is not None and (pattern is not PUT_TO_SLEEP or whom.kind == "animal"):
                own = _is_mourned(whom, telling)
                return ToldTurn("bereavement" if own else "death", whom.name, whom.kind)
    return None


def _is_death_elsewhere(telling: ToldEvent) -> bool:
    """Tell whether somebody or some animal has died that is none of the person's own."""
    text = telling.text
    named = any(_named_in(one, text) for one in telling.others if _is_mourned(one, telling))
    return not named and not NO_DEATH.search(text) and says((ANY_DEATH,), telling)


def _is_mourned(whom: NamedOther, telling: ToldEvent) -> bool:
    """Tell whether a death is the person's own loss: one of the family, a friend, or its animal.

    A patient, a neighbour and somebody at work are none of these.
    """
    if whom.kind in ("colleague", "other"):
        return telling.is_partner(whom)
    return not whom.role.startswith("neighbo")


def _separation(telling: ToldEvent) -> ToldTurn | None:
    """Return who parts from the person."""
    whom = _spoken_parting(telling) if telling.spoken else _told_parting(telling)
    if whom is None and not telling.spoken and says((PAPERS,), telling):
        whom = next((one.name for one in telling.others if one.kind == "partner"), "")
    return None if whom is None else ToldTurn("separation", whom, "partner")


def _spoken_parting(telling: ToldEvent) -> str | None:
    """Return who says to the person that it leaves it: a partner, or somebody as near as that."""
    speaker, source = telling.speaker, telling.source
    if not source or _is_family(telling):
        return None
    telling = telling._replace(text=I_THINK.sub("", telling.text))
    for found in hits(I_PART, telling, planned=True):
        if OVER.match(found.group().strip(" .!,")) and not _parts_elsewhere(found, telling):
            continue
        if (speaker is not None and telling.is_partner(speaker)) or US.search(telling.text):
            return speaker.name if speaker is not None else source
    return None


def _told_parting(telling: ToldEvent) -> str | None:
    """Return who is told to leave the person: a partner, or surely somebody as near."""
    for pattern in (PARTING, WE_PARTED):
        for found in hits(pattern, telling, planned=True):
            whom = whom_of(found, telling)
            if whom is None:
                continue
            sure = pattern is WE_PARTED or found.group("sure")
            if telling.is_partner(whom) or (
                sure and whom.kind not in KIN and telling.weight >= 0.6
            ):
                return whom.name
    return None


def _is_family(telling: ToldEvent) -> bool:
    """Tell whether who speaks is of the family, and no partner."""
    if telling.speaker is not None:
        return telling.speaker.kind in KIN - {"partner"}
    return _KIN_WORD.search(telling.source) is not None


def _parts_elsewhere(found: re.Match[str], telling: ToldEvent) -> bool:
    """Tell whether something besides `it is over` is of the two of them."""
    rest = telling.text.replace(found.group(), " ", 1)
    return I_PART.search(rest) is not None or US.search(rest) is not None


def _is_dismissed(telling: ToldEvent) -> bool:
    """Tell whether the person loses its work."""
    if NOT_WORK.search(f"{telling.source}: {telling.text}"):
        return False
    patterns: tuple[LatePattern, ...] = (DISMISSED,)
    if telling.spoken:
        if telling.speaker is not None and telling.speaker.kind not in ("colleague", "other"):
            return False
        if _KIN_WORD.search(telling.source):
            return False
        patterns = (DISMISSED, TOLD_DISMISSED)
    return says(patterns, telling, planned=True) or any(
        telling.weight >= CLOSED
        and ("bankrupt" in found.group().casefold() or FOR_GOOD.match(found.group("rest")))
        for found in hits(CLOSES, telling, planned=True)
    )


def _is_sick(telling: ToldEvent) -> bool:
    """Tell whether the person falls ill, or may not work."""
    told = telling._replace(text=telling.told)
    if any(_named_in(one, told.text) for one in telling.others):
        return False
    by_family = telling.teller is not None and telling.teller.kind in KIN
    if says((SICK, UNFIT), telling, planned=True):
        return True
    return not telling.spoken and not by_family and says((IT_IS,), told)


def _birth(telling: ToldEvent) -> ToldTurn | None:
    """Return that a child of the person's own is born."""
    if telling.weight < 0.5:
        return None
    speaker = telling.speaker
    if not telling.spoken:
        born = says((BORN,), telling) or any(
            _is_of_partner(found, telling) for found in hits(GAVE_BIRTH, telling, planned=False)
        )
    elif speaker is not None and speaker.kind in KIN:
        born = speaker.kind == "partner" and says((OURS_BORN, BORN_TOLD), telling)
    else:
        born = says((BORN_TOLD,), telling)
    return ToldTurn("birth") if born else _birth_to(telling)


def _birth_to(telling: ToldEvent) -> ToldTurn | None:
    """Return that somebody of the family, or a friend, has had a child."""
    told = telling._replace(text=telling.told)
    for pattern in (BORN_TO, THEIR_CHILD):
        for found in hits(pattern, told, planned=False):
            if found["pronoun"]:
                pronoun_of = telling.teller or telling.speaker
                whom = pronoun_of if pattern is THEIR_CHILD or telling.teller else None
            else:
                whom = whom_of(found, told)
            if whom is None or whom.kind in ("animal", "colleague", "other"):
                continue
            if whom.kind == "partner":
                return ToldTurn("birth")
            return ToldTurn("birth", whom.name, whom.kind, own=False)
    if says((GRANDCHILD,), told):
        return ToldTurn("birth", "your family", "relative", own=False)
    return None


def _is_of_partner(found: re.Match[str], telling: ToldEvent) -> bool:
    """Tell whether it is the person's partner whom words are of."""
    whom = whom_of(found, telling)
    return whom is not None and whom.kind == "partner"


def _love(telling: ToldEvent, valence: float) -> ToldTurn | None:
    """Return with whom love begins: nobody of the family, nor who is a partner already."""
    if telling.weight < 0.45 or valence < 0.5:
        return None
    who = _spoken_love(telling) if telling.spoken else _told_love(telling)
    return None if who is None else ToldTurn("love", who)


def _spoken_love(telling: ToldEvent) -> str | None:
    """Return who tells the person that it loves it."""
    source = telling.source
    if not _is_stranger(source, telling) or re.match(r"(?i)an? ", source):
        return None
    if TO_MANY.search(telling.text):
        return None
    telling = telling._replace(text=I_THINK.sub("", telling.text))
    loved = PROPOSED.search(telling.text) or says((LOVES,), telling)
    return source if loved else None


def _told_love(telling: ToldEvent) -> str | None:
    """Return who is told to love the person, or whom it loves; nothing where that is not named."""
    for found in hits(LOVE_TOLD, telling, planned=False):
        who = found.group("who")
        who = telling.source if who.casefold() in ("he", "she") else who
        if _is_stranger(who, telling):
            return who
    for found in hits(LOVE_YOURS, telling, planned=False):
        who = found.group("two") or found.group("kissed") or telling.source
        who = "" if who.casefold() in ("him", "her", "each other") else who
        if not who or _is_stranger(who, telling):
            return who
    return None


def _is_stranger(who: str, telling: ToldEvent) -> bool:
    """Tell whether somebody is neither of the family nor a partner."""
    if not who or _KIN_WORD.search(who):
        return False
    known = _known(who, telling)
    return (kind_of(who)[0] if known is None else known.kind) not in KIN


def _named_in(other: NamedOther, text: str) -> bool:
    """Tell whether a text names somebody, by name or as `your mother`."""
    spelt = [re.escape(other.name)]
    if other.role:
        yours = "" if other.name == f"your {other.role}" else r"your (?:[\w-]+ )?"
        spelt.append(rf"{yours}{re.escape(other.role)}")
    return re.search(rf"(?<!\w)(?i:{'|'.join(spelt)})(?![\w-])", text) is not None


def _known(name: str, telling: ToldEvent) -> NamedOther | None:
    """Return whom of an identity a name is of: all of it, or one of its words."""
    low = name.casefold()
    for one in telling.others:
        parts = one.name.casefold().split(" ")
        if low == one.name.casefold() or low in parts or one.name.casefold() in low.split(" "):
            return one
    return None


def whom_of(found: re.Match[str], telling: ToldEvent, *, lead: str = "") -> NamedOther | None:
    """Return whom words are of, None where that is nobody of the person's own.

    `lead` is what the names of the groups of a `WHO` begin with.
    """
    groups = {name: found.groupdict().get(f"{lead}{name}") or "" for name in _WHO_GROUPS}
    if name := groups["name"]:
        yours = name.casefold().startswith("your ")
        return _of_role(name[5:], telling) if yours else _by_name(name, telling)
    if groups["pronoun"]:
        return _by_pronoun(found, telling)
    if groups["baby"]:
        return NamedOther("your baby", "child", "baby") if telling.weight >= STRONG else None
    owner = groups["owner"].casefold()
    if owner == "my":
        return _of_teller(groups["role"], telling) if telling.spoken else None
    family = telling.spoken and telling.speaker is not None and telling.speaker.kind in _FAMILY
    theirs = owner == "your" or (owner == "our" and family)
    return _of_role(groups["role"], telling) if theirs else None


_WHO_GROUPS = ("owner", "role", "baby", "pronoun", "name")


_APART: frozenset[Kind] = frozenset({"partner", "friend", "colleague", "mate", "other"})
"""What those are whose kin are not one's own kin."""


def _of_teller(role: str, telling: ToldEvent) -> NamedOther | None:
    """Return whom somebody means who says `Dad`, or `my father`, and has kin of its own.

    None where it is not known who tells it, or where its kin is one's own.
    """
    speaker = telling.teller or telling.speaker
    if speaker is None or speaker.kind not in _APART:
        return None
    kind, own = kin_of_kin(speaker.kind, role)
    alike = [one for one in telling.others if own and one.role == own]
    if len(alike) == 1:
        return alike[0]
    return NamedOther(f"{speaker.name}'s {relative(kind_of(role)[1])}", kind, own)


def _of_role(role: str, telling: ToldEvent) -> NamedOther | None:
    """Return who is somebody's husband, brother or dog: as the identity names them, or so."""
    kind, word = kind_of(role)
    if not word:
        return None
    alike = [one for one in telling.others if one.kind == kind]
    same = [one for one in alike if relative(word) in _roles(one)]
    if not same and kind == "partner":
        same = [one for one in telling.others if one.kind == kind and not one.gone]
    return same[0] if len(same) == 1 else NamedOther(f"your {word}", kind, word)


def _roles(one: NamedOther) -> tuple[str, ...]:
    """Return what somebody is, in the words that are compared: `foster father` and `father`."""
    return tuple(map(relative, (one.role, one.role.split(" ")[-1])))


def _by_name(name: str, telling: ToldEvent) -> NamedOther | None:
    """Return who has a name; who is not known is only believed where it weighs much."""
    known = _known(name, telling)
    if known is not None:
        return known
    kind, role = kind_of(name)
    if role and role == name.casefold() and kind in _FAMILY:
        return _of_teller(role, telling) or _of_role(role, telling)
    titled, word = name.split(" ")[0], name.split(" ")[0].casefold()
    if titled != name and kind in _FAMILY and word == role.split(" ")[0]:
        # `Uncle Poldi` is an uncle of whom nothing was told before.
        return NamedOther(name, kind, role)
    if word in FUNCTION_WORDS or word in _NO_NAMES or telling.weight < STRONG:
        return None
    return NamedOther(name, "other")


_NOT_NAMES = """
i the a an no nobody everybody everyone somebody someone something nothing it this that my our your
yesterday today tonight then there here all one two many most some paris london god internet
everything
"""
_NO_NAMES = frozenset(_NOT_NAMES.split())


def _by_pronoun(found: re.Match[str], telling: ToldEvent) -> NamedOther | None:
    """Return whom `he` or `she` is: the last one named before, or the only one that is named."""
    at = telling.text.find(found.group())
    places = sorted(
        (hit.start(), one)
        for one in telling.others
        if (hit := re.search(rf"(?<!\w){re.escape(one.name)}(?![\w-])", telling.text))
    )
    before = [one for place, one in places if place < at]
    if before:
        return before[-1]
    return places[0][1] if len(places) == 1 else None
