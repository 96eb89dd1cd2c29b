"""A person's ordinary week: who is with it, and what it does, when nothing else happens."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from mindpipe.core.patterns import late
from mindpipe.person.body.week import DAY_MIN, EMPTY, WEEK_MIN, RoutineSpan, Week, span_of
from mindpipe.person.mind import relations
from mindpipe.person.mind.relations import Kind, NamedOther
from mindpipe.person.mind.told_turn import DAYS_OFF, NIGHTS, NOTICE, SICK_LEAVE
from mindpipe.person.mind.week_tables import HOUSEHOLD, WORKDAYS, of_age
from mindpipe.person.records.episode import RoutineBlock, RoutineKind
from mindpipe.person.records.person import NARRATIVE, LearntFact, Person, PersonIdentity

EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
WEEKEND = (5, 6)
HOME, FAMILY = "at home", "your family"
"""Where nobody goes out, and whose visits are those of relatives who are not named."""
BREAK_MIN = 15
"""How long a way there is between work and what belongs to it, such as lunch in a canteen."""
LONELY = 0.5
"""From this trait of loneliness on nobody comes by whom the identity does not name."""
OUTGOING = 0.6
"""From this trait of extraversion on somebody meets more people."""


def block_at(person: Person, t_us: int) -> RoutineBlock | None:
    """Return what a person's routine says of an instant, None where it says nothing.

    Of blocks that overlap it is the one that began last. What happens to the person, and its
    sleep, stand above that: it is where a routine alone would have it.
    """
    return span_at(person, t_us).block


def span_at(person: Person, t_us: int) -> RoutineSpan:
    """Return what a person's routine says of an instant, and between which instants."""
    return span_of(week_of(person), t_us)


def coming_at(person: Person, t_us: int) -> RoutineSpan:
    """Return what a person's routine says comes next, rest and what it leaves open left out."""
    week, span = week_of(person), span_at(person, t_us)
    for _ in range(len(week.blocks)):
        span = span_of(week, span.end_us)
        if span.block is not None and span.block.what != "rest":
            return span
    return RoutineSpan(None, t_us, t_us)


def routine_of(person: Person) -> tuple[RoutineBlock, ...]:
    """Return the blocks of a person's week: as they were given, or as its identity suggests.

    Who lives with the person is named in them; the dead and those it parted from are not, and
    there is no work for who lost it. Who mourns or has a child born stays at home for a while.
    """
    return _blocks(*_key(person))


def week_of(person: Person) -> Week:
    """Return a person's week in spans."""
    return _week(*_key(person))


def lived_week(person: Person) -> Week:
    """Return the week that reaches a person's body: its own, none at the pace of the seed."""
    return week_of(person) if person.settings.pacing == "lived" else EMPTY


class _Known(NamedTuple):
    """What of an identity a week depends on."""

    narrative: str
    markers: tuple[str, ...]
    lost: tuple[str, ...]
    born: tuple[str, ...]
    workless: bool
    off: bool
    lonely: bool
    outgoing: bool
    away: tuple[str, ...] = ()
    nights: bool = False


def _key(person: Person) -> tuple[tuple[RoutineBlock, ...] | None, _Known]:
    """Return what a person's week depends on."""
    identity = person.identity
    lost: tuple[str, ...] = ()
    born: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    workless = off = nights = False
    if identity.learnt:
        turned = [fact for fact in identity.learnt if fact.turn and fact.until_us is None]
        lost = tuple(one.about for one in turned if one.turn == "separation")
        lost += tuple(one.about for one in identity.learnt if one.is_death)
        born = tuple(one.about for one in turned if one.turn == "birth")
        idle = (one for one in turned if one.about != NOTICE)
        held = [fact for fact in identity.learnt if fact.until_us is None]
        workless = any(one.turn == "dismissal" or one.about == SICK_LEAVE for one in idle)
        workless = workless or any(one.about == DAYS_OFF for one in held)
        nights = any(one.about == NIGHTS for one in held)
        away = tuple(sorted(relations.away_of(identity)))
        off = any(one.leave_us is not None for one in identity.learnt if one.until_us is None)
    known = _Known(
        identity.self_narrative,
        identity.relational_markers,
        lost,
        born,
        workless,
        off,
        person.loneliness_trait >= LONELY,
        person.traits.e >= OUTGOING,
        away,
        nights,
    )
    return person.routine, known


GETTING_UP, SHORT_BREAK, WAY_HOME = 60, 90, 45
"""Minutes: before work, within which breaks it goes on, and after it."""


@lru_cache(maxsize=4096)
def _week(routine: tuple[RoutineBlock, ...] | None, known: _Known) -> Week:
    """Return the spans of a week: at each of its instants the block that began last."""
    runs = [
        (day * DAY_MIN + one.start_min, place, one)
        for place, one in enumerate(_blocks(routine, known))
        for day in one.days
    ]
    # What an identity suggests puts work on nobody: events may tell of another.
    waking = () if routine is None and not known.nights else tuple(_stretches(runs))
    alarms = frozenset((start - GETTING_UP) % WEEK_MIN for start, _ in waking)
    edges = {minute % WEEK_MIN for start, _, one in runs for minute in (start, start + one.minutes)}
    starts: list[int] = []
    found: list[RoutineBlock | None] = []
    for edge in sorted(edges | alarms):
        on = [
            (-((edge - start) % WEEK_MIN), place, one)
            for start, place, one in runs
            if (edge - start) % WEEK_MIN < one.minutes
        ]
        block = max(on, key=lambda one: one[:2])[2] if on else None
        if not found or found[-1] is not block or edge in alarms:
            starts.append(edge)
            found.append(block)
    if len(found) > 1 and found[0] is found[-1] and starts[0] not in alarms:
        # A span that goes on past Sunday's midnight is one.
        del starts[0], found[0]
    if len(found) <= 1:
        return Week((), (), found[0] if found else None)
    return Week(tuple(starts), tuple(found), None, alarms, waking)


def _stretches(runs: list[tuple[int, int, RoutineBlock]]) -> Iterator[tuple[int, int]]:
    """Yield when each stretch of work begins, and how many minutes it takes with the way home."""
    stretches: list[list[int]] = []
    for start, end in sorted(
        (start, start + one.minutes) for start, _, one in runs if one.what in ("work", "study")
    ):
        if stretches and start <= stretches[-1][1] + SHORT_BREAK:
            stretches[-1][1] = max(stretches[-1][1], end)
        else:
            stretches.append([start, end])
    if len(stretches) > 1 and stretches[0][0] + WEEK_MIN <= stretches[-1][1] + SHORT_BREAK:
        # What goes on past Sunday's midnight is one.
        _, end = stretches.pop(0)
        stretches[-1][1] = end + WEEK_MIN
    for start, end in stretches:
        yield start % WEEK_MIN, end - start + WAY_HOME


@lru_cache(maxsize=4096)
def _blocks(routine: tuple[RoutineBlock, ...] | None, known: _Known) -> tuple[RoutineBlock, ...]:
    """Return the blocks of a week with the household named in them."""
    others = _others(known)
    home = tuple(one for one in others if one.at_home)
    if routine is None:
        return _suggested(known, others, home)
    age = relations.own_age(known.narrative)
    if age is not None and age < relations.GROWN:
        routine = of_age(routine, child=True)
    alone = relations.lives_alone(known.narrative)
    unnamed = not others and not alone
    lost, away = _lost(known), _called(known.away, known)
    found: list[RoutineBlock] = []
    for block in _by_night(routine) if known.nights else routine:
        if known.workless and _belongs_to_work(block, routine):
            continue
        if known.off and block.place not in ("", HOME) and block.what != "errand":
            continue
        if alone and FAMILY in block.people and block.what != "call":
            continue
        people = _resolved(block.people, home, lost if block.what == "call" else lost | away)
        quality = block.quality
        if block.people and not people and not (HOUSEHOLD in block.people and unnamed):
            quality = 0.0
        found.append(msgspec.structs.replace(block, people=people, quality=quality))
    return tuple(found)


def _lost(known: _Known) -> frozenset[str]:
    """Return how those are called, in small letters, who are dead or parted from the person."""
    return _called(known.lost, known)


def _called(names: tuple[str, ...], known: _Known) -> frozenset[str]:
    """Return how some people may be called in a week, in small letters: `Jan`, `your brother`."""
    low = frozenset(name.casefold() for name in names)
    given = PersonIdentity(self_narrative=known.narrative, relational_markers=known.markers)
    others = [one for one in relations.others_of(given) if one.name.casefold() in low]
    roles = [one.role for one in others if one.role]
    return low | {f"your {role}" for role in roles}


NIGHT, NIGHT_MIN, BY_DAY, BY_DAY_MIN = 22 * 60, 480, 8 * 60 + 30, 420
"""When a shift by night begins, and its sleep by day, in minutes, and how long each lasts (C)."""


def _by_night(routine: tuple[RoutineBlock, ...]) -> tuple[RoutineBlock, ...]:
    """Return a week with its work by night, and its sleep by day after it."""
    works = [one for one in routine if one.what == "work"]
    if not works:
        return routine
    days = tuple(sorted({day for one in works for day in one.days}))
    after = tuple(sorted((day + 1) % 7 for day in days))
    kept = [
        one
        for one in routine
        if one.what != "rest" and not (one.what == "work" or _belongs_to_work(one, routine))
    ]
    free = tuple(day for day in EVERY_DAY if day not in days)
    rests = [one for one in routine if one.what == "rest" and one.start_min >= DAY_MIN // 2]
    kept += [msgspec.structs.replace(one, days=free) for one in rests[:1] if free]
    shift = msgspec.structs.replace(works[0], start_min=NIGHT, minutes=NIGHT_MIN, days=days)
    sleep = RoutineBlock(what="rest", start_min=BY_DAY, minutes=BY_DAY_MIN, days=after, place=HOME)
    return (*kept, shift, sleep)


def _belongs_to_work(block: RoutineBlock, routine: tuple[RoutineBlock, ...]) -> bool:
    """Tell whether a block is work, or what is only there with it: lunch with the colleagues."""
    if block.what == "work":
        return True
    works = [one for one in routine if one.what == "work" and set(one.days) & set(block.days)]
    if any(one.place == block.place != "" and one.place != HOME for one in works):
        return True
    if block.place.startswith("at work"):
        return True
    end = block.start_min + block.minutes
    before = any(abs(block.start_min - one.start_min - one.minutes) <= BREAK_MIN for one in works)
    after = any(abs(one.start_min - end) <= BREAK_MIN for one in works)
    return before and after and block.place != HOME


def _resolved(
    people: tuple[str, ...], home: tuple[NamedOther, ...], lost: frozenset[str]
) -> tuple[str, ...]:
    """Return people with the household by its names, without those who are lost."""
    found = [
        name
        for one in people
        for name in ([other.name for other in home] if one == HOUSEHOLD else [one])
        if name.casefold() not in lost
    ]
    return tuple(dict.fromkeys(found))


def _others(known: _Known) -> tuple[NamedOther, ...]:
    """Return whom an identity names, without those who are lost and with those who were born."""
    facts = [LearntFact(text="", since_us=0, about=one, turn="bereavement") for one in known.lost]
    identity = PersonIdentity(
        self_narrative=known.narrative, relational_markers=known.markers, learnt=tuple(facts)
    )
    named = tuple(
        one._replace(at_home=one.at_home and one.name.casefold() not in known.away)
        for one in relations.others_of(identity)
        if not one.gone
    )
    born = (NamedOther(one, "child", "baby", at_home=True) for one in known.born if one)
    return (*named, *born)


_NEAR: dict[Kind, float] = {
    "partner": 0.6,
    "child": 0.6,
    "parent": 0.5,
    "sibling": 0.5,
    "relative": 0.5,
    "mate": 0.5,
    "animal": 0.35,
}
"""How good the company of each kind is that is always there (C); of others it is 0.4."""
_ORDINARY = 0.4
_CALLED = frozenset({"partner", "child", "parent", "sibling", "relative", "friend", "other"})
"""Who calls where it does not live with the person."""

_PAST = late(r"\b(?:retired|pension(?:er|ed)?|used to work|gave up work)\b", re.I)
_PUPIL = late(
    r"\b(?:student|studying|undergraduate|pupil|apprentice"
    r"|(?:first|second|third|fourth|fifth|final|last) (?:year|term|semester) (?:of|at|in)"
    r"|at (?:school|university|college)|I (?:study|go to school))\b",
    re.I,
)
_NIGHT = late(
    r"\b(?:night[- ]?shifts?|night (?:nurse|porter|guard|watchman|duty|crew)|at night|by night"
    r"|(?:on|work|working) nights|graveyard shift)\b",
    re.I,
)
_WORK = late(
    r"\b(?:I|we) (?:now |still |also )?(?:work|pick|drive|teach|run|sell|clean|bake|cook|build"
    r"|fix|repair|mend|nurse|farm|write|design|code|guard|pack|weld|paint|deliver|translate|manage|cut|sew|serve)\b"
    r"|\b(?:I|we)(?: have|['’]ve) (?:been )?(?:work|driv|t(?:each|aught)|s(?:ell|old)|clean|bak"
    r"|cook|buil[dt]|repair|nurs|farm|writ|design|guard|paint|deliver|translat|serv|r[au]n)"
    r"(?:e[dn]|en|ing|n|ning)?\b[^.;!?]*\bfor (?:[\w-]+ ){1,3}?years\b"
    r"|\bwork(?:ing)? (?:as|for|in|at)\b"
    r"|\b(?:an?|the) (?:[\w-]+ ){0,3}?(?:[a-z-]{3,}(?:keeper|maker|smith|wright|worker|driver|"
    r"teacher|cleaner|baker|painter|welder|plumber|carpenter|officer|engineer|designer|writer|"
    r"lawyer|programmer|developer|manager|farmer|waiter|waitress|dealer|packer|picker|builder|"
    r"barber|hairdresser|tailor|butcher|fitter|roofer|miner|ranger|lecturer)|"
    r"nurse|midwife|doctor|surgeon|vet|dentist|pharmacist|paramedic|clerk|secretary|accountant|"
    r"cashier|chef|cook|mechanic|electrician|technician|librarian|translator|architect|actor|"
    r"musician|pianist|journalist|editor|judge|pilot|sailor|soldier|fisherman|policeman|"
    r"policewoman|fireman|postman|salesman|saleswoman|scientist|researcher|professor|tutor|"
    r"worker|teacher|driver|farmer|baker|tailor|waiter|waitress|engineer|cleaner|guard|porter)\b",
    re.I,
)
RETIRED_FROM = 67


def _suggested(
    known: _Known, others: tuple[NamedOther, ...], home: tuple[NamedOther, ...]
) -> tuple[RoutineBlock, ...]:
    """Return the week that an identity suggests; it puts no load of work on anybody."""
    alone = relations.lives_alone(known.narrative)
    work = _at_work(known)
    nightly = any(one.start_min + one.minutes > DAY_MIN for one in work)
    blocks = [*work, *_at_home(home, nightly=nightly)]
    callers = tuple(one for one in others if not one.at_home and one.kind in _CALLED)
    if callers:
        blocks += _calls(callers, often=not home and not alone and not known.lonely)
    if alone or known.lonely:
        return (*blocks, _block("errand", "10:30", 30, (0, 3), quality=0.25))
    if not work:
        blocks.append(_block("company", "12:30", 45, quality=0.5))
    if known.outgoing:
        blocks.append(_block("company", "16:00", 60, quality=0.5))
    if not home and not _is_bereft(known):
        blocks.append(_block("company", "19:00", 120, quality=0.5))
        blocks.append(_block("company", "15:30", 120, WEEKEND, quality=0.5))
    return tuple(blocks)


def _is_bereft(known: _Known) -> bool:
    """Tell whether somebody who lived with the person is lost: no stranger takes their place."""
    given = PersonIdentity(self_narrative=known.narrative, relational_markers=known.markers)
    lost = frozenset(name.casefold() for name in known.lost)
    return any(one.at_home and relations.is_any(one, lost) for one in relations.others_of(given))


def _at_work(known: _Known) -> list[RoutineBlock]:
    """Return where and when somebody works or studies, as far as it says what it does."""
    said = known.narrative
    if said == NARRATIVE or known.workless or known.off or _PAST.search(said):
        return []
    age = relations.own_age(said)
    if age is not None and age >= RETIRED_FROM:
        return []
    if _PUPIL.search(said) or (age is not None and age < relations.GROWN):
        return [_block("study", "09:00", 390, WORKDAYS, place="in class", quality=0.3)]
    if not _WORK.search(said):
        return []
    if known.nights or _NIGHT.search(said):
        return [_block("work", "22:00", 480, WORKDAYS, place="at work", quality=0.3)]
    return [_block("work", "09:00", 480, WORKDAYS, place="at work", quality=0.3)]


def _at_home(home: tuple[NamedOther, ...], *, nightly: bool) -> list[RoutineBlock]:
    """Return when the household is together: at meals, in the evening, and at night if it can."""
    if not home:
        return []
    people = tuple(one.name for one in home)
    quality = max(_NEAR.get(one.kind, _ORDINARY) for one in home)

    def together(
        what: RoutineKind, at: str, minutes: int, days: tuple[int, ...] = EVERY_DAY
    ) -> RoutineBlock:
        return _block(what, at, minutes, days, place="at home", people=people, quality=quality)

    shared = [
        together("meal", "07:15", 30),
        together("household", "10:00", 120, WEEKEND),
        together("meal", "18:30", 45),
    ]
    if nightly:
        return [
            *shared,
            together("company", "16:00", 150),
            together("company", "19:15", 120),
            together("rest", "22:30", 525, WEEKEND),
        ]
    return [*shared, together("company", "19:15", 195), together("rest", "22:30", 525)]


def _calls(callers: tuple[NamedOther, ...], *, often: bool) -> list[RoutineBlock]:
    """Return who calls, one a day and each in turn: every day, or twice a week."""
    days = range(7) if often else (2, 6)
    return [
        _block(
            "call", "18:00", 30, (day,), people=(callers[turn % len(callers)].name,), quality=0.5
        )
        for turn, day in enumerate(days)
    ]


def _block(
    what: RoutineKind,
    at: str,
    minutes: int,
    days: tuple[int, ...] = EVERY_DAY,
    *,
    place: str = "",
    people: tuple[str, ...] = (),
    quality: float = 0.0,
) -> RoutineBlock:
    """Return a block of a week from `hh:mm` on."""
    hour, minute = at.split(":")
    return RoutineBlock(
        what=what,
        start_min=60 * int(hour) + int(minute),
        minutes=minutes,
        days=days,
        place=place,
        people=people,
        quality=quality,
    )
