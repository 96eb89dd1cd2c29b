"""Claims of items: their statements and figures, each with its item as evidence."""

import contextlib
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.core.instants import later
from mindpipe.core.sources import USER, hearsay, named, speakers
from mindpipe.knowledge.audit import NO_EVIDENCE, OBSERVATION_PREFIX, PERSONAL
from mindpipe.knowledge.claims.attributes import (
    NOT,
    attribute_of,
    held,
    is_undenied,
    known_attribute,
    told,
    told_ended,
    told_of_slot,
)
from mindpipe.knowledge.claims.claim import (
    DOUBT,
    FROM,
    PERSONS,
    PLAN,
    RETURNED,
    UNLIKE,
    Claim,
    is_operators,
)
from mindpipe.knowledge.claims.prose import preferred, stems
from mindpipe.knowledge.claims.replies import Told, replied
from mindpipe.knowledge.claims.slips import restated, slips_of
from mindpipe.knowledge.confidence import due_at
from mindpipe.knowledge.keys import SELF, normal_subject, normal_topic
from mindpipe.knowledge.records import Evidence, Observation
from mindpipe.language.doubts import denying_clauses, doubtful_clauses, returning_clauses
from mindpipe.language.endings import lasting
from mindpipe.language.figures import DAY
from mindpipe.language.guards import calls_wrong, disowned, tells_of_others
from mindpipe.language.named_attributes import PROJECT, is_of_things
from mindpipe.language.names import names_in
from mindpipe.language.own_text import own_text
from mindpipe.language.records import (
    CALLED_OFF,
    ENDING,
    MENTIONED,
    NO_CHILDREN,
    REPLACEMENT,
    Meant,
    Statement,
    StatementReader,
    Utterance,
)
from mindpipe.language.slips import slip_of
from mindpipe.language.strict import STRICT
from mindpipe.language.times import ON_HOLIDAY, passes_within
from mindpipe.language.topics import singular, topic_words
from mindpipe.language.turning_points import turning_points
from mindpipe.language.withdrawals import in_earnest, said_anew, withdrawn
from mindpipe.language.words import DRINKS, OF_ANIMALS, RELATIVES, any_of, listed
from mindpipe.memory.records import Item, QuotedSpan

NOBODY = USER
"""Whom an item without speaker and subject is of."""
ASSISTANTS = frozenset({"assistant", "agent", "model", "system", "tool"})
"""Speakers whose words are no evidence, whatever origin they were given with."""
OPERATOR_WEIGHT = 2.0
TOPIC_WORDS = 3
"""Words of a figure's surroundings that stand in its slot."""
RETIRED = "retired"
NEXT_WORD_SECONDS = 86_400.0
"""Within which who takes back what he said does so with his next word."""
AT_ONCE_SECONDS = 600.0
"""Within which who says but a name right after another corrects himself."""
LEAST_WORDS = 2
"""A figure with fewer words around it says nothing that could be found again."""

_CHANGE = re.compile(
    r"\b(?:now|new|newly|recently|just|finally|moved|relocated|joined|promoted|started|switched|"
    r"upgraded|any ?more|no longer)\b"
)
_AMERICAN = re.compile(r"(?i)^(col|flav|hum|harb|neighb|behavi|od|sav|arm|rum)or(?=s?$)")
"""Words of which one spelling stands for both: a favorite color is a favourite colour."""
_TITLE = re.compile(rf"^(?i:(?:my )?(?:{any_of(RELATIVES)})) (?=[A-ZÀ-Þ])")
"""What stands before a name of one person: Uncle Bo is Bo."""
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-ZÀ-Þ][\w'’-]+")
_THERE = re.compile(r"(?i)\bthere\b")
_NAMES = {"%": "percent", "$": "dollar", "€": "euro", "£": "pound"}
_SIZES = frozenset(["cm", "g", "kg", "km", "left", "m", "mm"])
_PLANNED = frozenset({"residence", "workplace", "job", "age", "partner", "diet", "medication"})
"""Attributes that can begin on a day: who plays bass on Friday has played it before."""
_OF_PLACES = (("residence",), ("workplace",))
"""Plans that the name of a place alone may mean: `Lyon fell through`."""
_PASSING = frozenset({"health", "medication"})
"""Attributes of which some values pass by themselves: nobody says that his cold is over."""
_PERSONS = frozenset({"relation", "partner", "housemate"})
_ONE = listed(
    "mother father boss landlord landlady dentist doctor physiotherapist therapist optician"
)
"""Of whom somebody has one at a time, as readers call them; of all others there may be several."""


def claims_of_items(
    items: Sequence[Item], reader: StatementReader, *, spoken: AbstractSet[str] = frozenset()
) -> list[Claim]:
    """Return what items claim, in their order; those are left out that are no evidence.

    They are read together. What their speaker takes back with his next word claims nothing. What
    one person says of another who speaks for himself here supports what that one says, and nothing
    begins with it; `spoken` are those who ever spoke before.

    Raises:
        UnavailableError: the reader, which may be a plugin's, knows attributes that there are not.
    """
    told = [one for one in items if _is_evidence(one)]
    voices = [_voice(one) or one.subject or NOBODY for one in told]
    here = spoken | names_of(voices)
    undone = _undone(told, voices)
    read = reader.read(_utterances(told, voices, undone))
    found: list[Claim] = []
    before: dict[str, tuple[Item, Sequence[Statement]]] = {}
    heard: list[Told] = []
    earlier: Item | None = None
    for item, voice, stated in zip(told, voices, read, strict=True):
        last = before.get(voice)
        if item.id in undone:
            if not said_anew(item.text):
                continue
            last = None
        wrong = disowned(item.text)
        meant = [one for one in stated if not (wrong and (one.value or "") in wrong)]
        said = _carried(meant, last[1] if last else ())
        said = [*restated(said, item.text), *(_righting(item, *last) if last else ())]
        said += replied(item, voice, heard)
        found += _unsettled(item, *last, voice) if last else ()
        before[voice] = item, said
        heard.append(Told(item, voice, said))
        if unknown := next((one for one in said if attribute_of(one.attribute) is None), None):
            raise UnavailableError(
                f'the reader {reader.name} reads of "{unknown.attribute}", which is no attribute; '
                "mend it, or choose another reader."
            )
        near = "" if earlier is None or _is_long_before(earlier, item) else earlier.text
        own = list(_stated(item, _placed(said, item.text, near), voice, here))
        earlier = item
        found += _doubting(item, said, voice)
        kept = {(one.subject, one.word, one.family, one.topic, one.value): one for one in own}
        found += (
            one for one in kept.values() if not (one.evidence.sources and one.kind in PERSONAL)
        )
    taken_back = frozenset(undone.values())
    return [one for one in found if one.evidence.ref not in taken_back]


def _undone(told: Sequence[Item], voices: Sequence[str]) -> dict[str, str]:
    """Return the ids of the items that take back the last word of their speaker, with its id."""
    found: dict[str, str] = {}
    last: dict[str, Item] = {}
    for one, voice in zip(told, voices, strict=True):
        before = last.get(voice)
        if before is not None and is_next_word(before, one) and takes_back(one, before):
            found[one.id] = before.id
            if not said_anew(one.text):
                continue
        last[voice] = one
    return found


def _utterances(
    told: Sequence[Item], voices: Sequence[str], undone: Container[str]
) -> list[Utterance]:
    """Return what is to be read of items: of who calls his last word a joke what is so instead."""
    return [
        Utterance(in_earnest(one.text) if one.id in undone else one.text, voice, one.at)
        for one, voice in zip(told, voices, strict=True)
    ]


def takes_back(item: Item, last: Item) -> bool:
    """Tell whether an item takes back what was said right before it, and sets no slip of it right.

    What it names as taken back must be all that was told; what it says in the place of a joke must
    be of what that was of.
    """
    if anew := said_anew(item.text):
        said, before = (set(stems(re.findall(r"[^\W\d]{3,}", one))) for one in (anew, last.text))
        return not said.isdisjoint(before) or _are_of_one(anew, last.text)
    thing = withdrawn(item.text)
    if thing is None or slip_of(item.text) is not None:
        return False
    alone = not re.search(r"[,;]|\b(?:and|but)\b", last.text)
    return not thing or (alone and re.search(rf"(?i)\b{re.escape(thing)}\b", last.text) is not None)


def _are_of_one(text: str, other: str) -> bool:
    """Tell whether two texts tell of one attribute, in forms that the strict reader knows."""
    one, two = STRICT.read([Utterance(text), Utterance(other)])
    return not {said.attribute for said in one}.isdisjoint(said.attribute for said in two)


def is_next_word(last: Item, item: Item) -> bool:
    """Tell whether an item may be its speaker's next word after another, which it takes back."""
    by = (last.speaker, last.claimed_speaker, last.sources)
    at_hand = item.at <= later(last.at, seconds=NEXT_WORD_SECONDS)
    return at_hand and by == (item.speaker, item.claimed_speaker, item.sources)


def voices_of(items: Iterable[Item]) -> frozenset[str]:
    """Return who says "I" in items, as keys have it."""
    return names_of(_voice(one) or one.subject or NOBODY for one in items if _is_evidence(one))


def names_of(names: Iterable[str]) -> frozenset[str]:
    """Return names as keys have them, without those that can stand in none."""
    return frozenset(normal_subject(one) for one in names if _has_key(one))


def _is_evidence(item: Item) -> bool:
    """Tell whether an item can be evidence."""
    return not (
        item.origin in NO_EVIDENCE
        or item.retracted
        or is_assistant(item.speaker or item.claimed_speaker)
        # Under such an id an item once came in, and would stop every consolidation after it.
        or item.id.startswith(OBSERVATION_PREFIX)
    )


def _has_key(name: str) -> bool:
    """Tell whether a name can stand in a key."""
    with contextlib.suppress(UsageError):
        return bool(normal_subject(name))
    return False


def is_assistant(speaker: str | None) -> bool:
    """Tell whether a speaker is the model itself, or a program."""
    return speaker is not None and speaker.lower() in ASSISTANTS


def evidence_of(item: Item, *, value: str | None, said: Statement | None = None) -> Evidence:
    """Return an item as evidence for a value; an operator's word weighs twice.

    Where a statement gives the value, the characters that it stands on are what is quoted.
    """
    said_by = speakers(item.speaker, item.claimed_speaker, item.sources)
    evidence = Evidence(
        source="memory_item",
        ref=item.id,
        stance="support",
        at=item.at,
        learnt=item.learnt,
        origin=item.origin,
        speaker=said_by.known,
        claimed_speaker=said_by.claimed,
        sources=item.sources,
        trusted=item.trusted,
        vouched=item.vouched,
        span=_quoted(item, said),
        value=value,
    )
    weight = OPERATOR_WEIGHT if is_operators(evidence) else 1.0
    return msgspec.structs.replace(evidence, weight=weight)


def _quoted(item: Item, said: Statement | None) -> QuotedSpan | None:
    """Return the words of the log that a statement of an item stands on, else all of the item's."""
    span = item.span
    if span is None or said is None or span.quote != item.text:
        return span
    return span.part(said.start, said.end)


def _stated(
    item: Item, said: Sequence[Statement], voice: str, here: AbstractSet[str]
) -> Iterator[Claim]:
    """Yield the claims of what an item states."""
    for one in lasting(said):
        if one.unit is not None:
            kept = any(_is_plan(each) and _is_day_of(one, each) for each in said)
            told = one.meant in ("asserted", "denied") and not kept
            figure = _figure_claim(item, one, voice) if told else None
            yield from () if figure is None else (figure,)
            continue
        if not (one.holds or _is_plan(one)):
            continue
        if one.subject == PROJECT and item.subject is not None:
            one = msgspec.structs.replace(one, subject=item.subject)
        one = msgspec.structs.replace(one, subject=_untitled(one.subject, here))
        own = known_attribute(one.attribute).kind == "self_model"
        if own != (item.origin == "program") or not _has_key(one.subject):
            continue
        subject = normal_subject(one.subject)
        if is_of_things(one.attribute) and subject in here | {normal_subject(voice)}:
            continue  # who speaks here is no project
        heard = subject != normal_subject(voice) and subject in here
        for each in (one, *_follows(one, item.text)):
            claim = claim_of(
                each, evidence=evidence_of(item, value=held(each), said=each), text=item.text
            )
            if claim is not None and each.topic != CALLED_OFF:
                yield claim._replace(begins=False) if heard else claim
            if claim is not None:
                yield from _called_off(claim, each)


def _untitled(subject: str, here: AbstractSet[str]) -> str:
    """Return the name of whom another calls by a small word and his name: `tante Uta` is Uta."""
    title, _, name = subject.rpartition(" ")
    called = title.isalpha() and title.islower() and name[:1].isupper() and _has_key(name)
    return name if called and normal_subject(name) in here else subject


def _is_plan(said: Statement) -> bool:
    """Tell whether a statement is a plan that is kept; an age that is to be needs its day."""
    dated = said.attribute != "age" or bool(said.since)
    return said.meant == "planned" and said.attribute in _PLANNED and dated and not said.until


def _is_day_of(figure: Statement, plan: Statement) -> bool:
    """Tell whether a figure is the day that a plan has in its words."""
    beside = figure.start < plan.end and plan.start < figure.end
    return figure.unit == DAY and bool(plan.since) and beside


def _righting(item: Item, last: Item, said: Sequence[Statement]) -> Iterator[Statement]:
    """Yield what an item says that has but a slip right of the one right before it."""
    if _is_at_once(item, last):
        for _, right in slips_of(item.text, said):
            if right is not None:
                yield msgspec.structs.replace(right, start=0, end=len(item.text))


def _unsettled(item: Item, last: Item, said: Sequence[Statement], voice: str) -> Iterator[Claim]:
    """Yield the doubt of what may have been a slip: `43 actually`, right behind an age."""
    if _has_key(voice) and item.origin != "program" and _is_at_once(item, last):
        for old, right in slips_of(item.text, said):
            if right is None:
                yield _doubt(item, voice, item.text, (PERSONS,), meant="denied")._replace(
                    value=old.value or ""
                )


def _is_at_once(item: Item, last: Item) -> bool:
    """Tell whether an item may set right what its speaker said right before it."""
    if withdrawn(item.text) == "":
        return is_next_word(last, item)
    return not _is_long_before(last, item)


def _is_long_before(one: Item, other: Item) -> bool:
    """Tell whether an item is none that another answers at once."""
    return later(one.at, seconds=AT_ONCE_SECONDS) < other.at


def _placed(said: Sequence[Statement], text: str, near: str) -> list[Statement]:
    """Return statements, those on `there` of each place that was named right before them.

    So is who has died by a pronoun of the name before it, without one of nobody by name. Where no
    name stands before it, in the same text or in the one `near` before it, it is of the
    place that is held.
    """
    found: list[Statement] = []
    for one in said:
        if one.attribute == ENDING and one.value == MENTIONED:
            of_others = tells_of_others(text[: one.start])
            name = _last_named(text[: one.start]) or (None if of_others else _last_named(near))
            if name is not None or not of_others:
                found.append(msgspec.structs.replace(one, value=name))
        elif one.value is None and _THERE.search(text[one.start : one.end]):
            names = _named_in(text[: one.start]) or _named_in(near)
            each = (msgspec.structs.replace(one, value=name, ends_only=True) for name in names)
            found += each if names else (one,)
        else:
            found.append(one)
    return found


def _last_named(text: str) -> str | None:
    """Return the name that a text names last, None where it names nobody."""
    return max(_named_in(text), key=text.rfind, default=None)


def _named_in(text: str) -> list[str]:
    """Return what a text names, also right behind its verb: `I like Kiel.`."""
    return list(dict.fromkeys((*names_in(text), *_CAPITAL.findall(text))))


def _carried(said: Sequence[Statement], last: Sequence[Statement]) -> list[Statement]:
    """Return statements, figures with what a pronoun means that they are of.

    `raised it to 50,000` is of the one figure right before it, which is then told no more, or else
    of the one in the item before, whose statements are `last`.
    """
    told = [one for one in last if one.unit is not None]
    before = told[0] if len(told) == 1 else None
    found: list[Statement] = []
    for one in said:
        named = one.change and before is not None and one.unit in ("", before.unit)
        if before is not None and before.of and one.of == "" and named:
            if found and found[-1] is before:
                found.pop()
            found.append(
                msgspec.structs.replace(
                    one,
                    attribute=before.attribute,
                    unit=before.unit,
                    topic=before.topic,
                    of=before.of,
                    told=f"{one.told} ({before.of})",
                )
            )
        else:
            found.append(one)
        before = found[-1] if one.unit is not None else before
    return found


def doubt_of(item: Item, words: str) -> Claim | None:
    """Return the doubt of who calls wrong what some words said of him, None where he does not."""
    voice = _voice(item) or item.subject or NOBODY
    if not calls_wrong(item.text) or not _has_key(voice) or not _is_evidence(item):
        return None
    return _called_wrong(item, words, voice)


def _called_wrong(item: Item, words: str, voice: str) -> Claim:
    """Return that somebody calls wrong what some words say of him."""
    about = stems([one.lower() for one in re.findall(r"\w+", words)])
    return _doubt(item, voice, item.text, (PERSONS,), meant="denied")._replace(about=about)


def _doubting(item: Item, said: Sequence[Statement], voice: str) -> Iterator[Claim]:
    """Yield where an item sounds as though something of its speaker were over.

    A sentence that states what is over, or is not so, says it all, and so does one that states an
    attribute, of that. That a thing is gone may be of what is held otherwise: the migraine, the
    Volvo.
    """
    if item.origin == "program" or not _has_key(voice):
        return
    if words := disowned(item.text):
        yield _called_wrong(item, words, voice)
    read = [
        one
        for one in said
        if one.holds and one.unit is None and (one.attribute, one.meant) != ("owns", "ended")
    ]
    own = own_text(item.text, speaker=voice)
    over = (((PERSONS,) if one.of_persons else (), one) for one in doubtful_clauses(own))
    back = (((PERSONS, RETURNED), one) for one in returning_clauses(own))
    unlike = (((UNLIKE,), one) for one in denying_clauses(own))
    for topic, one in (*over, *back, *unlike):
        here = [each for each in read if each.start <= one.start < each.end]
        if any((held(each) or NOT).startswith(NOT) or RETURNED in topic for each in here):
            continue
        told = sorted({f"{NOT}{known_attribute(each.attribute).slot}" for each in here})
        yield _doubt(item, voice, one.text, (*topic, *told))._replace(about=stems(sorted(one.near)))
    stated = {one.attribute for one in said if one.subject == voice and one.value != MENTIONED}
    for point in turning_points(own):
        if stated.isdisjoint(point.attributes):
            yield _doubt(item, voice, point.text, point.attributes)


def _doubt(
    item: Item, voice: str, said: str, topic: tuple[str, ...], *, meant: Meant = "ended"
) -> Claim:
    """Return that something of who speaks may be over, or is called wrong; `topic` says of what."""
    return Claim(
        kind="world_fact",
        subject=voice,
        word=DOUBT,
        value="",
        summary="",
        evidence=msgspec.structs.replace(evidence_of(item, value=None), meant=meant),
        topic=topic,
        begins=False,
        said=said,
    )


def _follows(said: Statement, text: str) -> Iterator[Statement]:
    """Yield what follows from a statement of a text.

    Who has lost the job has lost the workplace too, whichever they are, and who is retired has
    none; who is done with a thing does it no more; who eats meat again lives on plants no more;
    what took the place of another has ended that; who has no children has neither son nor daughter.
    """
    if said.attribute == "children" and said.value == NO_CHILDREN and said.meant == "asserted":
        for kind in ("son", "daughter", "child"):
            yield msgspec.structs.replace(
                said, attribute="relation", value=None, topic=kind, meant="denied"
            )
    if said.attribute == "taste" and said.meant == "ended" and said.value is not None:
        yield msgspec.structs.replace(said, attribute=ENDING)  # "I'm done with climbing"
    eats = said.attribute == "food" and said.meant == "asserted" and said.value in OF_ANIMALS
    if eats and "again" in text[said.start : said.end]:
        yield msgspec.structs.replace(said, attribute="diet", value=None, topic=None, meant="ended")
    if said.attribute == "workplace" and said.meant == "ended" and said.value is None:
        yield msgspec.structs.replace(said, attribute="job", value=None)
    if said.attribute == "job" and said.meant == "asserted" and said.value == RETIRED:
        yield msgspec.structs.replace(said, attribute="workplace", value=None, meant="ended")
    if said.instead_of is None or said.attribute == REPLACEMENT:
        return
    if said.meant == "asserted":
        named = said.instead_of or None
        topic = said.topic if said.attribute == "relation" else named
        misnamed = said.attribute in ("relation", "pet")
        yield msgspec.structs.replace(
            said, meant="denied" if misnamed else "ended", value=named, topic=topic, instead_of=None
        )


def _called_off(claim: Claim, said: Statement) -> Iterator[Claim]:
    """Yield that a plan is off: what is denied is not to be either, whatever it was to be."""
    if said.meant != "denied" or (said.value is None and said.topic != CALLED_OFF):
        return
    of_any = said.attribute == ENDING
    for topic in _OF_PLACES if of_any else ((claim.word, *claim.topic),):
        yield claim._replace(
            kind="world_fact",
            word=PLAN,
            topic=topic,
            value=said.value or "",
            sense="ends",
            begins=False,
        )


def _voice(item: Item) -> str | None:
    """Return who says "I" in an item: its speaker, or where nobody knows him, its source."""
    said_by = speakers(item.speaker, item.claimed_speaker, item.sources)
    unknown = said_by.known is None and (said_by.claimed is not None or bool(item.sources))
    return hearsay(item.sources, said_by.claimed) if unknown else said_by.known


def claim_of(said: Statement, *, evidence: Evidence, text: str) -> Claim | None:
    """Return a statement as a claim, or None where it names nothing that could stand in a key."""
    attribute = known_attribute(said.attribute)
    try:
        topic = _topic_of(said)
    except UsageError:
        return None
    if said.attribute in _PERSONS and (said.value or "").lower() == said.subject.lower():
        return None  # a namesake, whom no key could tell from who speaks
    if said.attribute == "name" and said.subject.lower().split()[:1] == [
        (said.value or "").lower()
    ]:
        return None  # by that name he speaks
    return Claim(
        kind=attribute.kind,
        subject=SELF if attribute.kind == "self_model" else _TITLE.sub("", said.subject),
        word=attribute.slot,
        value=held(said) or "",
        summary=told(said),
        evidence=msgspec.structs.replace(evidence, reader=said.reader, meant=said.meant),
        topic=topic,
        about=stems(topic_words(said.value or "")),
        change=len(_CHANGE.findall(text[said.start : said.end])),
        sense="ends" if is_undenied(said) else "states",
        begins=said.value is not None and not said.ends_only and not _only_ends(said),
        said=text[said.start : said.end],
        since=said.since,
        until=said.until or _over_by(said, evidence.at),
        instead_of=(said.instead_of or "") if said.attribute == REPLACEMENT else "",
    )


def _only_ends(said: Statement) -> bool:
    """Tell whether nothing is to be held by a statement but that something is over.

    So it is of one of several things, and of what somebody has not: there is no end of that.
    """
    several = said.meant == "ended" and known_attribute(said.attribute).many
    return several or (said.meant == "denied" and said.attribute == "owns")


def _over_by(said: Statement, at: str) -> str:
    """Return by when what passes by itself, such as a cold, is over; "" of what lasts."""
    away = said.attribute == "away"  # who is back is so for as long as he could have been away
    state = ON_HOLIDAY if away else (said.value or "") if said.attribute in _PASSING else ""
    days = passes_within(state)
    if days is None or not (said.meant == "asserted" or (away and said.holds)):
        return ""
    return due_at(said.since or at, window=days)


def replacing(claim: Claim, held: Observation) -> Iterator[Claim]:
    """Yield what a claim says that something took the place of what is held."""
    word, _, tail = held.slot.partition(".")
    named = normal_topic(claim.instead_of)
    one = normal_topic(singular(claim.instead_of))
    old = one if f"_{tail}".endswith(f"_{one}") else named
    topical = f"_{tail}".endswith(f"_{old}")
    value = claim.value.title() if held.value.istitle() else claim.value
    if word == "pet" and held.value.endswith(")") and not value.endswith(")"):
        value = f"{value} {held.value[held.value.rindex('(') :]}"
    kept = tail.removesuffix(old).rstrip("_") if topical else tail
    name = claim.value.partition(" (")[0]
    topic = (*(kept.split("_") if kept else ()), *((name,) if topical else ()))
    slot = f"{word}.{normal_topic(' '.join(topic))}" if topic else word
    begun = claim._replace(kind=held.kind, word=word, instead_of="", change=max(claim.change, 1))
    if topical and name.casefold() != claim.instead_of.casefold():
        yield naming(begun, held)
    yield begun._replace(
        value=value,
        summary=told_of_slot(slot, who=claim.subject, value=value),
        topic=topic,
        about=stems(topic_words(value)),
        evidence=msgspec.structs.replace(claim.evidence, value=value),
    )


def naming(claim: Claim, held: Observation) -> Claim:
    """Return the claim that something not named has ended as one that ends what is held."""
    value = held.value
    _, _, topic = held.slot.partition(".")
    ended = f"{NOT}{value}"
    denied = claim.evidence.meant == "denied"
    return claim._replace(
        value=ended,
        summary=told_of_slot(held.slot, who=claim.subject, value=ended)
        if denied
        else told_ended(held.slot, who=claim.subject, value=value),
        topic=tuple(topic.split("_")) if topic else (),
        about=stems(topic_words(value)),
        evidence=msgspec.structs.replace(claim.evidence, value=ended),
    )


def ending(claim: Claim, held: Observation) -> Claim:
    """Return the claim that something is over, whatever it is, as one that ends what is held."""
    word = held.slot.partition(".")[0]
    return naming(claim._replace(kind=held.kind, word=word), held)


def turned(claim: Claim, held: Observation) -> Claim:
    """Return the claim that somebody thinks otherwise now of what is held to please him or not."""
    thing = held.value.removeprefix(NOT)
    value = f"{NOT}{thing}" if claim.value.startswith(NOT) else thing
    return claim._replace(
        value=value,
        summary=told_of_slot(held.slot, who=claim.subject, value=value),
        topic=tuple(held.slot.partition(".")[2].split("_")),
        about=stems(topic_words(thing)),
        change=max(claim.change, 1),
        evidence=msgspec.structs.replace(claim.evidence, value=value),
    )


def settling(claim: Claim, planned: Observation | None) -> Claim | None:
    """Return the claim that somebody has come into what was planned: a home, a place to work at.

    Where none was, one that says that it is a new one ends the one before it, and any other
    says nothing.
    """
    if planned is not None:
        value = planned.value.rpartition(FROM)[0]
        return claim._replace(
            value=value,
            summary=told_of_slot(claim.word, who=claim.subject, value=value),
            about=stems(topic_words(value)),
            begins=True,
            change=max(claim.change, 1),
            evidence=msgspec.structs.replace(claim.evidence, value=value),
        )
    if claim.begins:
        return None
    ended = msgspec.structs.replace(claim.evidence, value=None, meant="ended")
    return claim._replace(value="", summary="", about=frozenset(), evidence=ended)


def _topic_of(said: Statement) -> tuple[str, ...]:
    """Return the topic of what is said: named by the statement, or the first words of the value.

    Raises:
        UsageError: the value has no word that could be a topic.
    """
    if said.value is None:
        return (said.topic,) if said.attribute == "relation" and said.topic else ()
    if not known_attribute(said.attribute).many:
        return ()
    if said.topic is not None:
        *before, last = said.topic.split()
        topic = (*before, singular(_AMERICAN.sub(r"\1our", last)))
        if said.attribute == "relation" and topic[-1] not in _ONE:
            topic = (*topic, said.value)
    else:
        topic = tuple(dict.fromkeys(topic_words(said.value)))[: TOPIC_WORDS + 1]
        sides = preferred(said.value) if said.attribute == "prefers" else None
        both = [topic_words(side) for side in sides or ()]
        if both and all(both):
            topic = tuple(sorted(side[0] for side in both))
        elif said.attribute == "prefers" and said.value.lower() in DRINKS:
            topic = ("drink",)  # of a kind one is preferred
    normal_topic(" ".join(topic))
    return topic


def _figure_claim(item: Item, said: Statement, voice: str) -> Claim | None:
    """Return the claim of a figure that an item states, or None where it says too little."""
    # What the program notes of itself, such as a crash, has figures that are nobody's facts.
    # A figure in words that nobody vouches for, of nobody known, is no fact of their source either.
    noted = item.speaker is None and item.subject is None
    if (noted and (item.origin == "program" or item.sources)) or said.value is None:
        return None
    words, given = tuple((said.topic or "").split()), said.unit or ""
    about = stems(list(words))
    whose = item.subject or voice
    passing = not said.change and given in _SIZES | {""}
    name = stems(topic_words(said.of)) if said.of else None
    if (len(about) < LEAST_WORDS and not name) or passing or not _has_key(whose):
        return None
    own = item.subject is None or item.subject == _voice(item)
    unit = _NAMES.get(given, given)
    slot = known_attribute(said.attribute).slot
    return Claim(
        kind="world_fact" if own else "project_state",
        subject=whose,
        word=slot if own or given != DAY else "schedule",
        value=said.value,
        summary=f"{named(whose)}: {said.told}.",
        evidence=msgspec.structs.replace(
            evidence_of(item, value=said.value, said=said), reader=said.reader, meant=said.meant
        ),
        family=unit,
        families=(unit,) if unit else tuple(map(singular, words)),
        topic=words[:TOPIC_WORDS],
        about=about,
        named=name or None,
        sense="ends" if said.meant == "denied" else "states",
        change=said.change,
        said=item.text[said.start : said.end],
    )
