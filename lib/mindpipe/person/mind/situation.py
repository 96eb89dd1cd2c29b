"""Where a person is, with whom, and what it does, as far as that is known."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import msgspec

from mindpipe.core.patterns import LatePattern, late
from mindpipe.person.calendar import DAY_US, weekday_of
from mindpipe.person.mind import places
from mindpipe.person.mind.coming import coming_things
from mindpipe.person.mind.leave import BEARER_DAYS, HURT_US
from mindpipe.person.mind.relations import GROWN, NamedOther, is_animal, others_of, own_age
from mindpipe.person.mind.routine import HOME, block_at, coming_at, routine_of
from mindpipe.person.records.episode import (
    ComingThing,
    Episode,
    HeardWords,
    LifeSituation,
    Posture,
    RoutineBlock,
)
from mindpipe.person.records.event import MINUTE_US
from mindpipe.person.records.person import LearntFact, Person, PersonIdentity
from mindpipe.person.records.state import Mind

AT_WORK, AWAY = "at work", "out, away from home"
HEARD_US = 30 * MINUTE_US
"""For how long what was said is still in the ear, and who acted is still there."""
LASTS_US = 60 * MINUTE_US
"""For how long one is where something happened that took no time of its own."""
TOLD_US = 2 * DAY_US
"""For how long what was told of somebody's days speaks for them."""
BORN_US, BIRTHPLACE = DAY_US, "where your child was born"
"""For how long after a birth one is there, and how that is told where nothing tells more."""
WEATHER_US = 180 * MINUTE_US
BREAK_US = 90 * MINUTE_US
"""How long a break of work may be that is spent there."""
LONG_US = 180 * MINUTE_US
BADLY = 0.5
"""From which importance on a hurt keeps somebody at home."""
CARED_US = 8 * 60 * MINUTE_US
"""For how long one who is hurt is in a hospital of which nothing more is told."""
BESIDE_WORK_US = 120 * MINUTE_US
"""How far from the hours of work something may begin that belongs to it."""
PLACING = frozenset(
    {"contact", "task", "threat", "exercise", "action", "injury", "touch", "food", "drink", "pain"}
)
"""Types of events whose words tell where one is; what is said or heard of may be elsewhere."""
SPOKEN = frozenset({"speech", "action"})
GONE_OFF_US = 4 * 60 * MINUTE_US
"""For how long who has driven off is not there, where nobody tells that it came back (C)."""
_LEFT = late(
    r"(?P<who>[^\W\d_][\w'’ -]*?) (?:[^.;]{0,40} and )?(?:(?:drives|walks|storms|runs|rides|goes"
    r"|rushes) (?:off|out|away)|slams the door(?! open)|leaves (?:the (?:house|flat|room)|without"
    r"|in (?:a temper|tears|anger)))\b(?! (?:with you|the|a)\b)"
)
"""That somebody leaves."""


class _Spell(NamedTuple):
    """Something that goes on, or was just now, and until when it places a person."""

    t_us: int
    until_us: int
    type: str
    text: str = ""
    place: str = ""
    people: tuple[str, ...] = ()
    lasts: bool = True


def situation_of(person: Person, mind: Mind, t_us: int, *, awake: bool) -> LifeSituation:
    """Return where a person is at an instant, with whom, and what it does."""
    spells = [one for one in _spells(mind) if one.t_us <= t_us < one.until_us]
    block = block_at(person, t_us)
    # What is told of somebody's days stands above what its identity suggests.
    leading = block if holds(block, person, mind.episodes, t_us) else None
    place, activity = HOME, ""
    company = [name for one in spells for name in one.people if one.lasts]
    company += [name for one in spells if t_us - one.t_us < HEARD_US for name in one.people]
    if awake:
        place, activity = _place_of(person, mind, spells, t_us, block, leading)
        if (turned := _turned_lately(person, t_us)) and place == HOME and not spells:
            after = _after(turned, mind)
            place, activity, company = after.place, after.activity, list(after.company)
    if block is not None and _is_there(person, place, block, leading):
        company += block.people
    gone = _gone_off(mind.episodes, t_us) if awake and company else frozenset[str]()
    there = tuple(one for one in dict.fromkeys(company) if one not in gone) if awake else ()
    others = others_of(person.identity) if there else ()
    animals = tuple(name for name in there if is_animal(name, others))
    ahead = next(iter(plans_of(person, mind, t_us)), ComingThing(text=""))
    return LifeSituation(
        place=place,
        company=tuple(name for name in there if name not in animals),
        animals=animals,
        activity=activity if awake else "asleep",
        posture=_posture_of(spells, place, activity, leading) if awake else "lying",
        weather=_weather(mind.episodes, t_us),
        weekday=weekday_of(t_us),
        heard=_heard(mind.episodes, t_us),
        ahead=ahead.text,
        ahead_us=ahead.t_us,
    )


def _gone_off(episodes: Iterable[Episode], t_us: int) -> frozenset[str]:
    """Return who has left the person in the last hours, and was not met since."""
    gone: set[str] = set()
    for one in episodes:
        if 0 <= t_us - one.t_us < GONE_OFF_US and one.type in ("action", "contact", "speech"):
            gone -= {*one.people, one.source}
            left = _LEFT.match(one.text) if one.type == "action" else None
            gone |= {left["who"]} & {*one.people, one.source} if left else set()
    return frozenset(gone)


def plans_of(person: Person, mind: Mind, t_us: int) -> tuple[ComingThing, ...]:
    """Return what lies ahead of a person, soonest first, with its habits as far as they hold."""
    block = coming_at(person, t_us).block
    return coming_things(person, mind, t_us, habits=holds(block, person, mind.episodes, t_us))


def holds(
    block: RoutineBlock | None, person: Person, episodes: Iterable[Episode], t_us: int
) -> bool:
    """Tell whether a part of a person's week is as it is in it.

    What is told of its days stands above what its identity only suggests: anything above company,
    and what tells where it is above work. Who lies ill goes nowhere.
    """
    if _keeps_in_bed(block, episodes, t_us):
        return False
    if person.routine is not None or _at_school(block, person):
        return True
    if block is None or block.what not in ("work", "study"):
        return not _is_told(episodes, t_us)
    return not _is_told((one for one in episodes if one.type in PLACING), t_us)


def _spells(mind: Mind) -> list[_Spell]:
    """Return what may place a person, the latest first."""
    found = [_spell(one) for one in mind.episodes if one.type in PLACING or one.place]
    if (doing := mind.doing) is not None:
        found.append(_Spell(doing.t_us, doing.until_us, doing.type, place=doing.place))
    return sorted(found, key=lambda one: (-one.t_us, one.text))


def _spell(episode: Episode) -> _Spell:
    """Return how something that happened places a person."""
    lasts = episode.until_us > episode.t_us and episode.type != "injury"
    until_us = episode.until_us if lasts else episode.t_us + LASTS_US
    return _Spell(
        episode.t_us, until_us, episode.type, episode.text, episode.place, episode.people, lasts
    )


def _is_told(episodes: Iterable[Episode], t_us: int) -> bool:
    """Tell whether something told of a person's days, this one or the one before.

    On the first day of a life nothing has been silent yet.
    """
    return t_us < DAY_US or any(0 <= t_us - one.t_us < TOLD_US for one in episodes)


def _turned_lately(person: Person, t_us: int) -> LearntFact | None:
    """Return what has just turned in a life so that nobody goes on with the day as it was."""
    return next(
        (
            one
            for one in reversed(person.identity.learnt)
            if 0 <= t_us - one.since_us < (BORN_US if _has_borne(one) else LASTS_US)
            and (one.leave_us is not None or one.turn == "dismissal")
        ),
        None,
    )


def _after(turned: LearntFact, mind: Mind) -> LifeSituation:
    """Return where somebody still is whose life has just turned, with whom, and what it does.

    Who bears a child is where that was, and else one stays for an hour where one was told.
    """
    before = mind.situation
    if not _has_borne(turned):
        return LifeSituation(place=before.place or HOME, company=before.company)
    cared = before.place if _CARE.search(before.place) else BIRTHPLACE
    return LifeSituation(place=cared, company=(turned.about,), activity="resting")


def _has_borne(turned: LearntFact) -> bool:
    """Tell whether a turn is a child that the person itself bore."""
    left_us = (turned.leave_us or turned.since_us) - turned.since_us
    return turned.turn == "birth" and left_us >= BEARER_DAYS * DAY_US


def _at_school(block: RoutineBlock | None, person: Person) -> bool:
    """Tell whether a block is the school of a child, which goes on whatever is told of its days."""
    age = own_age(person.identity.self_narrative) if block and block.what == "study" else None
    return age is not None and age < GROWN


def _keeps_in_bed(block: RoutineBlock | None, episodes: Iterable[Episode], t_us: int) -> bool:
    """Tell whether an illness or a hurt keeps a person from going where its routine has it."""
    away = block is not None and block.place not in ("", HOME)
    return away and any(
        (one.type == "illness" and one.t_us <= t_us < one.until_us)
        or (one.type == "injury" and one.importance >= BADLY and 0 <= t_us - one.t_us < HURT_US)
        for one in episodes
    )


def _is_there(
    person: Person, place: str, block: RoutineBlock, leading: RoutineBlock | None
) -> bool:
    """Tell whether a person is where a block of its routine has it, and its company with it."""
    if block.what == "call":
        return False
    if block.place == HOME or (block.place == "" and leading is not None):
        return place.startswith(HOME)
    return leading is not None and place == _place_of_block(person, leading)


def _place_of_block(person: Person, block: RoutineBlock) -> str:
    """Return where a block of a routine is; a child's lectures are at school."""
    if _at_school(block, person) and block.place != HOME:
        return place_of_work(person)
    if block.what in ("work", "study") and block.place in (AT_WORK, "in class"):
        return place_of_work(person)
    return block.place


def placed_week(person: Person) -> tuple[RoutineBlock, ...]:
    """Return a person's week with the place of each of its parts.

    What an identity only suggests is work and studies alone.
    """
    suggested = person.routine is None
    return tuple(
        msgspec.structs.replace(one, place=_place_of_block(person, one))
        for one in routine_of(person)
        if not suggested or one.what in ("work", "study")
    )


def _activity_of(block: RoutineBlock) -> str:
    """Return what a block of a routine is spent with."""
    if block.what == "call" and block.people:
        return f"on the telephone with {block.people[0]}"
    return _BLOCK_DOINGS.get(block.what, "")


_BLOCK_DOINGS = {
    "work": "working",
    "study": "studying",
    "household": "doing the housework",
    "meal": "eating",
    "call": "on the telephone",
    "errand": "on an errand",
    "play": "at leisure",
    "rest": "resting",
}


def _posture_of(
    spells: Iterable[_Spell], place: str, activity: str, leading: RoutineBlock | None
) -> Posture:
    """Return how a person holds itself: by what happens, what it does, and where it is."""
    for one in spells:
        if told := _posture_in(one.text, _POSTURES):
            return told
        if one.type in _TYPE_POSTURES:
            return _TYPE_POSTURES[one.type]
    if by_activity := _posture_in(activity, _DOING_POSTURES):
        return by_activity
    if leading is None and not activity:
        return ""
    return _posture_in(place, _PLACE_POSTURES)


def _posture_in(text: str, patterns: Iterable[tuple[Posture, LatePattern]]) -> Posture:
    """Return the first posture whose words a text has, empty where it has none."""
    for posture, words in patterns:
        if words.search(text):
            return posture
    return ""


def _place_of(
    person: Person,
    mind: Mind,
    spells: Iterable[_Spell],
    t_us: int,
    block: RoutineBlock | None,
    leading: RoutineBlock | None,
) -> tuple[str, str]:
    """Return where a person is, and what it does."""
    activity = ""
    for one in spells:
        found, doing = _told(person, one)
        activity = activity or doing or _DOINGS.get(one.type, "")
        if found:
            return found, activity
    tasks = [one for one in _spells(mind) if one.type == "task" and one.t_us <= t_us]
    if tasks and _in_break(person, tasks[0], t_us, block):
        return place_of_work(person), activity
    if leading is not None and leading.place:
        return _place_of_block(person, leading), activity or _activity_of(leading)
    if cared := _in_care(person, mind, t_us):
        return cared, activity
    if leading is None or person.routine is None:
        return HOME, activity
    return AWAY if leading.what == "errand" else HOME, activity or _activity_of(leading)


def _in_care(person: Person, mind: Mind, t_us: int) -> str:
    """Return where one who is hurt was taken to be cared for, until something tells otherwise."""
    for one in _spells(mind):
        place = _told(person, one)[0] if one.t_us <= t_us else ""
        if place:
            hurt = any(
                each.type in ("injury", "illness") and 0 <= one.t_us - each.t_us < CARED_US
                for each in mind.episodes
            )
            return place if hurt and t_us - one.t_us < CARED_US and _CARE.search(place) else ""
    return ""


_DOINGS = {"exercise": "exercising", "food": "eating", "task": "busy with what you have to do"}


def _told(person: Person, spell: _Spell) -> tuple[str, str]:
    """Return where something that happens is by what it says, and what is done there."""
    if spell.place:
        return spell.place, ""
    activity, there = activity_in(spell.text)
    place = _visited(person, spell) or place_in(spell.text) or _met(person, spell) or there
    if spell.type == "task" and _is_work(person, spell):
        studies = place.startswith(HOME) or place_of_work(person).split(",")[0] != AT_WORK
        if place and studies:
            return place, activity
        return (f"{AT_WORK}, {place}" if place else place_of_work(person)), activity or "working"
    if not place and spell.type == "exercise":
        place = AWAY
    return place, activity


def _visited(person: Person, spell: _Spell) -> str:
    """Return where somebody is kept whom the person visits, by what it says of itself."""
    for marker in person.identity.relational_markers:
        names = [name for name in spell.people if name.split(" ")[-1] in marker]
        if not names:
            continue
        if (care := _CARE.search(marker)) and re.search(
            rf"{re.escape(names[0])}['’]s (?:{places.VISITED})\b|\bvisit", spell.text
        ):
            return f"{care.group()}, at {names[0]}'s bedside"
    return ""


def _met(person: Person, spell: _Spell) -> str:
    """Return where those are known from who are with a person, where all of them are from there."""
    others = {one.name: one for one in others_of(person.identity)}
    found = {_known_from(others.get(name), person.identity) for name in spell.people}
    return found.pop() if len(found) == 1 else ""


def _known_from(other: NamedOther | None, identity: PersonIdentity) -> str:
    """Return where somebody is known from who does not live with a person, or nothing."""
    if other is None or other.at_home or other.gone:
        return ""
    for marker in identity.relational_markers:
        known = _FROM.search(marker)
        if known and other.name in marker and not _CARE.search(marker):
            return f"at the {known.group(1)}"
    return ""


def _in_break(person: Person, task: _Spell, t_us: int, block: RoutineBlock | None) -> bool:
    """Tell whether a person has a break of the work that it did before."""
    if t_us < task.until_us:
        return False
    working = block is not None and block.what in ("work", "study")
    return working and t_us - task.until_us < BREAK_US and _is_work(person, task)


def _is_work(person: Person, spell: _Spell) -> bool:
    """Tell whether something to do belongs to a person's work."""
    block = _work_block(person)
    if block is None:
        return False
    if _AT_WORK.search(spell.text):
        return True
    minute = spell.t_us % DAY_US // MINUTE_US
    after = (minute - block.start_min) % 1440
    beside = BESIDE_WORK_US // MINUTE_US
    by_day = block.start_min + block.minutes <= 1440
    # Whoever has to do something for half a day, of which nothing is told, is at work any day.
    long_ = not spell.text and spell.until_us - spell.t_us >= LONG_US
    if by_day and not long_ and spell.t_us // DAY_US % 7 not in block.days:
        return False
    return after < block.minutes or 1440 - after <= beside


def _work_block(person: Person) -> RoutineBlock | None:
    """Return when a person works or studies, if it does."""
    return next((one for one in routine_of(person) if one.what in ("work", "study")), None)


def place_of_work(person: Person) -> str:
    """Return where a person works or studies, by its routine and by what it says of itself."""
    block = _work_block(person)
    if block is None:
        return HOME
    if block.place not in ("", AT_WORK, "in class") and not _at_school(block, person):
        return block.place
    return _place_of_work(person.identity.self_narrative, studies=block.what == "study")


@lru_cache(maxsize=1024)
def _place_of_work(narrative: str, *, studies: bool) -> str:
    """Return where somebody works who says what it does."""
    if studies:
        age = own_age(narrative)
        pupil = re.search(r"\bschool", narrative, re.I) or (age is not None and age < GROWN)
        return "at school" if pupil else "at the university"
    room = next((place for place, words in _TRADES if words.search(narrative)), "")
    found = next((hit for hit in _HERE.finditer(narrative) if not _lives(narrative, hit)), None)
    at = f"{found.group(1)} the {found.group(2)}" if found and found.group(2) not in room else ""
    return ", ".join(part for part in (AT_WORK, " ".join((room, at)).strip()) if part)


def _lives(narrative: str, found: re.Match[str]) -> bool:
    """Tell whether a place is where somebody lives or was born, and not where it works."""
    before = re.split(r"[.;!?]", narrative[: found.start()])[-1]
    return re.search(r"\b(?:live|living|born|grew up|raised)\b", before) is not None


@lru_cache(maxsize=4096)
def place_in(text: str) -> str:
    """Return the place that words name as where one is, or nothing."""
    for found in _PLACE.finditer(text):
        where, owner, noun = found.group(1).lower(), found.group(2) or "", found.group(3)
        if _ROOM.fullmatch(noun.split(" ")[-1]) or _ROOM.fullmatch(noun):
            return f"{HOME}, {_STAYING.get(where, where)} {owner}{noun}"
        return f"{_STAYING.get(where, where)} {owner}{noun}"
    named = _NAMED.search(text)
    return f"at {named.group(1)}" if named else ""


@lru_cache(maxsize=4096)
def activity_in(text: str) -> tuple[str, str]:
    """Return what is done by the words of an event, and where that mostly is."""
    return next(
        ((doing, place) for doing, place, words in _ACTIVITIES if words.search(text)), ("", "")
    )


def _weather(episodes: tuple[Episode, ...], t_us: int) -> str:
    """Return the weather, if something told of it within the last hours."""
    for one in reversed(episodes):
        if one.type == "climate" and 0 <= t_us - one.t_us < WEATHER_US:
            return one.weather or next(
                (told for told, words in _WEATHER if words.search(one.text)), ""
            )
        if 0 <= t_us - one.t_us < WEATHER_US and (told := one.weather or weather_in(one.text)):
            return told
    return ""


@lru_cache(maxsize=4096)
def weather_in(text: str) -> str:
    """Return the weather that words tell of as it is now, outside; nothing where they tell none."""
    found = _OUTSIDE.search(text)
    if found is None or text.rstrip(' ”"').endswith("?"):
        return ""
    return next((told for told, words in _WEATHER if words.search(found.group())), "")


def _heard(episodes: tuple[Episode, ...], t_us: int) -> HeardWords | None:
    """Return what was said or done last, if that was just now."""
    for one in reversed(episodes):
        if one.type in SPOKEN and 0 <= t_us - one.t_us < HEARD_US:
            return HeardWords(t_us=one.t_us, text=one.text, source=one.source)
    return None


def _words_of(stems: str) -> LatePattern:
    """Return what gives a pattern of words by their beginnings, or whole ones that end in `$`."""
    parts = [part.strip() for part in " ".join(stems.split()).split("|")]
    forms = (re.escape(p[:-1]) + r"\b" if p.endswith("$") else re.escape(p) for p in parts)
    return late(rf"(?<![\w-])(?:{'|'.join(forms)})", re.I)


def _names_of(nouns: str) -> str:
    """Return names of places as alternatives of a pattern, the longest first."""
    found = [part.strip() for part in " ".join(nouns.split()).split("|")]
    return "|".join(re.escape(part) for part in sorted(found, key=len, reverse=True))


_STAYING = {
    "into": "in",
    "to": "at",
    "onto": "on",
    "from": "at",
    "through": "in",
    "towards": "near",
    "along": "on",
}
_BEFORE = "along|in|into|inside|at|to|on|onto|outside|behind|beside|near|under|through|in front of"
_OWNER = r"(?:(?:the|a|an|your|his|her|their|its|this|[\w-]+['’]s)\s+(?:[\w-]+['’]s\s+)?)"
_PLACE = late(
    rf"\b({_BEFORE})\s+({_OWNER}(?:[\w-]+\s+)??|)"
    rf"((?:{_names_of(places.NOUNS + '|' + places.ROOMS)})(?:\s+(?:twelve|one|two|three|four|five"
    rf"|six|seven|eight|nine|ten))?)(?![\w-])",
    re.I,
)
_ROOM = late(_names_of(places.ROOMS), re.I)
_NAMED = late(
    r"\bat ((?!Mr|Mrs|Ms|Dr|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas"
    r"|Easter)[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)*)(?!['’]s)"
)
_CARE = late(rf"\b(?:in|at) (?:the )?(?:[\w-]+ ){{0,2}}?(?:{places.CARE})\b", re.I)
_FROM = late(
    rf"\b(?:from|at|in|of) (?:the |my |our )((?:[\w-]+ )?(?:{_names_of(places.NOUNS)}))\b", re.I
)
_HERE = late(
    rf"\b(at|in|on) (?:an?|the|my|our) ((?:[\w-]+ ){{0,2}}?(?:{_names_of(places.NOUNS)}))(?![\w-])",
    re.I,
)
_AT_WORK = _words_of(places.AT_WORK)
_TRADES = [
    (place, late(words, re.I) if words.startswith(r"\b") else _words_of(words))
    for place, words in places.PLACES_OF_WORK
]
_ACTIVITIES = [(doing, place, _words_of(words)) for doing, place, words in places.ACTIVITIES]
_OUTSIDE = late(places.OUTSIDE, re.I)
_WEATHER = [(told, _words_of(words)) for told, words in places.WEATHER]
_Postures = list[tuple[Posture, LatePattern]]
_POSTURES: _Postures = [(posture, late(words, re.I)) for posture, words in places.POSTURES]
_DOING_POSTURES: _Postures = [(at, _words_of(words)) for at, words in places.DOING_POSTURES]
_PLACE_POSTURES: _Postures = [(at, _words_of(words)) for at, words in places.PLACE_POSTURES]
_TYPE_POSTURES: dict[str, Posture] = {"exercise": "moving", "food": "sitting"}
