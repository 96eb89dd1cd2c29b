"""What a moment gives the grammar: the tags that hold, and the words that fill its slots."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from mindpipe.person.calendar import DAY_US, HOUR_US, ago_text, part_of_day
from mindpipe.person.chance import key_of, uniform
from mindpipe.person.mind.learnt import holding
from mindpipe.person.mind.leave import HURT_US
from mindpipe.person.mind.relations import NamedOther, age_in, others_of
from mindpipe.person.mind.routine import HOME
from mindpipe.person.mind.sentences import sentences_of
from mindpipe.person.mind.situation import BADLY
from mindpipe.person.mind.told_turn import NOTICE as NOTICE_OF_WORK
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment
from mindpipe.person.voice.appraised import (
    DARK,
    GLAD,
    GOOD,
    LIGHT,
    LOW,
    SMALL,
    feeling,
    is_failure,
    kind_of,
    mood_of_memory,
    told_as,
    tone,
)
from mindpipe.person.voice.course import FAIR, NOTICE, facet_of, wish_of
from mindpipe.person.voice.facets import facet_slots, is_own_doing, stretch_words
from mindpipe.person.voice.grammar import Speaker, expanded
from mindpipe.person.voice.happening import event_slots
from mindpipe.person.voice.hours import hour_slots
from mindpipe.person.voice.kinds import is_pet, kind_of_thing
from mindpipe.person.voice.language import Language
from mindpipe.person.voice.manner import Manner, Tie
from mindpipe.person.voice.mention import CLAUSES, PHRASES, QUOTED, Slots, is_named, rested
from mindpipe.person.voice.oneself import own_words
from mindpipe.person.voice.phrases import is_many

STREAM = 8
"""The stream of chance that the lived voice draws from, one slot after the other."""
FRESH_US, LATER_US, SLEPT_OVER_US = 2 * HOUR_US, 9 * HOUR_US, 18 * HOUR_US
GRAVE_US = 24 * HOUR_US
"""How long a day is no day like any other after something grave."""
MOURNING_US = 14 * DAY_US
"""How long after a death nobody is simply glad."""
STUNNED_US = 5 * HOUR_US
"""For how long after it nobody has a thought for anything else."""
NEAR_US = 2 * DAY_US
"""From how long before a trial on the body knows of it."""
GRAVE_NEWS, GRAVE_HURT = 0.85, 0.7
"""From which importance on a misfortune stuns, and a hurt takes over the day."""
GRAVE_TOPICS = frozenset(("bereavement", "dismissal", "separation"))
HOURS_US = 4 * HOUR_US
"""From how long after something on one may say that it has lasted for hours."""
DAWN_US = 5 * HOUR_US
"""From when on a night is over."""
MOST_QUOTED = 2
"""How many stretches of what somebody said are quoted in a day."""
STEP = 0.1
"""By how much a mood is another one than it was."""
COOKS = 14
"""From which age on somebody may be asked what there is to eat."""
STRESSED, CALM, WOUND_UP = 0.35, 0.25, 0.65
"""From which stress on a moment is tense, below which it is calm; from which arousal on too."""
WANTS = frozenset(
    ("exhausted", "distressed", "alone", "eat", "drink", "toilet", "sleep", "warmth", "safety")
) | {"pain_relief", "recovery", "contact", "stimulation", "goal", "social", "prediction"}
"""The triggers that are a want or a business of one's own."""
_TAG_OF_WANT = {"drink": "drinking"}
_TIRED = frozenset(("E1", "E2"))
ACHING = frozenset(("P1", "P2"))
_ILL = frozenset(("P1", "P2", "F1"))
_PRESSING = frozenset(("P1", "A1"))
"""What a body feels that leaves no room for idle thoughts."""


_REMEMBERED = ("keymem", "keytold")
"""The slots of what an identity remembers."""


class Moment(NamedTuple):
    """A moment as the tables see it, with what was said in the last day."""

    speaker: Speaker
    said: frozenset[int]


def draws(moment: ThoughtMoment, *, first: int = 0, lean: int = 0) -> Callable[[], float]:
    """Return the draws of a moment, one after the other, from a slot on.

    By its `lean`, an idiolect, each person tends to another part of what all of them may say.
    """
    key, slot = key_of(moment.seed, moment.person), first - 1

    def draw() -> float:
        nonlocal slot
        slot += 1
        return (uniform(key, moment.t_us, STREAM, slot) + lean / 2**32) % 1.0

    return draw


def moment_seen(moment: ThoughtMoment, lived: LifeMoment, language: Language) -> Moment:
    """Return what the tables know of a moment."""
    manner = language.manners.manner(lived.name, lived.traits, lived.identity, moment.person)
    slots = _of_situation(lived, language) | _of_identity(lived, manner, language)
    time = part_of_day(moment.t_us)
    daytime = language.when(time)
    slots["daytime"] = (daytime,) if daytime else ()
    hour, coming = hour_slots(lived, moment.t_us, language)
    slots |= hour
    tags = {*manner.tags, *moment.codes, *coming, time}
    tags |= _mood(lived.affect) | _surroundings(lived, manner, language)
    tags |= _of_the_day(lived, moment, language) | _of_the_body(lived, moment, language)
    if "bereft" in tags:
        tags -= {"good", "bright", "calm"}
    tags.add("dream" if lived.dream else "awake")
    if not _TIRED.isdisjoint(moment.codes):
        tags.add("tired")
    if not _PRESSING.isdisjoint(moment.codes):
        tags.add("pressing")
    shown = lived.episode
    if shown is not None and lived.step != "passing":
        slots, tags = _of_shown(shown, moment, lived, language, (slots, tags))
    else:
        tags.add("passing")
        recalled = lived.memory or shown
        if recalled is not None:
            ago = lived.memory_ago if lived.memory is not None else lived.ago
            slots |= _told_slots(recalled, ago, lived, language, manner, lead="m_")
            tags |= {"recalling", f"m_{kind_of(recalled)}", mood_of_memory(recalled, language)}
        tags |= _of_trigger(moment)
    slots, tags = _of_goal(lived, moment.t_us, language, slots, tags)
    slots |= event_slots(lived.ails, language, ago="", lead="ail_") if lived.ails else {}
    tags |= _of_limbs((*slots.get("sore", ()), *slots.get("ail_sore", ())), language)
    slots, tags = _of_what_weighs(lived, moment.t_us, language, manner, slots, tags)
    if "gloom" in tags:
        tags |= {*moment.distortions} | ({moment.coping} if moment.coping else set())
    tags |= _of_people(lived, manner, language, slots)
    slots |= _withheld(slots, lived)

    def brief(thing: str) -> str:
        lost = next((name for name in slots["dead"] if name in thing), "")
        if lost and "grief" in tags:
            return lost
        short = language.reader.brief(thing)
        # News of somebody is not somebody: `the news about the girl`.
        return thing if kind_of_thing(short, language.reader.lexicon) == "person" else short

    named = rested(slots, lived.lately, brief)
    tags = _pointed(tags, named) - {""}
    tags |= {"adrift"} if "named" in tags and not _went_on(slots, lived.lately) else set()
    speaker = Speaker(
        frozenset(tags),
        named,
        draws(moment, lean=manner.idiolect),
        manner.idiolect,
        {},
        register=manner.idiolect,
    )
    if "named" in tags and not lived.dream:
        speaker = _turned_up(speaker, slots, moment, lived, language)
    return Moment(speaker, frozenset(lived.said))


def _of_limbs(sore: Iterable[str], language: Language) -> set[str]:
    """Return which limbs hurt: what one cannot do goes by them."""
    limbs = language.reader.lexicon.limb_of
    return {f"sore_{limbs[one.split()[-1]]}" for one in sore if one.split()[-1] in limbs}


def _withheld(
    slots: Mapping[str, tuple[str, ...]], lived: LifeMoment
) -> dict[str, tuple[str, ...]]:
    """Return slots without what was quoted already, and without the dead among who is there."""
    leads = ("", "m_", "w_", "s_")
    said = {f"{lead}saying": slots.get(f"{lead}saying", ()) for lead in leads}
    there = {f"{lead}whoever": slots.get(f"{lead}whoever", ()) for lead in leads[:3]}
    return {name: _unquoted(values, lived.quoted) for name, values in said.items()} | {
        name: tuple(one for one in values if one not in slots["dead"])
        for name, values in there.items()
    }


def _unquoted(sayings: tuple[str, ...], quoted: tuple[str, ...]) -> tuple[str, ...]:
    """Return what may be quoted of what was said: each stretch once a day, and two at most."""
    told = [one for one in sayings if one.casefold() in quoted]
    return () if len(told) >= MOST_QUOTED else tuple(one for one in sayings if one not in told)


def _of_shown(
    shown: Episode,
    moment: ThoughtMoment,
    lived: LifeMoment,
    language: Language,
    known: tuple[dict[str, tuple[str, ...]], set[str]],
) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """Return the slots and tags of a moment with those of what its thought is of."""
    slots, tags = known
    manner = language.manners.manner(lived.name, lived.traits, lived.identity, moment.person)
    slots |= _told_slots(shown, lived.ago, lived, language, manner)
    slots |= facet_slots(shown, language.facets, moment.t_us)
    tags |= wish_of(shown, lived, moment.t_us, slots) | _in_its_words(shown, language)
    tags |= {"span_known"} if slots["span_left"] else set()
    mine = (is_own_doing(one, language.reader.lexicon) for one in slots["doing"][:1])
    tags |= {"mine"} if any(mine) else set()
    if set(language.manners.named_in(shown.text, manner)) & set(_dead(lived, manner, language)):
        tags.add("of_the_lost")
        losses = (one for one in _episodes(lived) if feeling(one, language) == "grief")
        if any(one.t_us > shown.t_us for one in losses):
            tags.add("before_loss")
    tags = _of_episode(shown, moment, lived, language, tags)
    if "lit" in tags:
        lost = language.manners.is_of_loss
        slots |= {name: tuple(one for one in slots[name] if not lost(one)) for name in _REMEMBERED}
    before = lived.memory
    if before is not None and shown.source and shown.source in (before.source, *before.people):
        tags |= {"again", f"m_{kind_of(before)}"}
        slots |= _told_slots(before, lived.memory_ago, lived, language, manner, lead="m_")
    after, since = _of_what_came_after(shown, lived, moment.t_us, language, manner)
    return slots | since, tags | after


def _in_its_words(shown: Episode, language: Language) -> set[str]:
    """Return whether something that happened asks something, tells of a defeat, or is for one."""
    reader = language.reader
    for_me = not reader.lexicon.of_hearer.isdisjoint(re.findall(r"\w+", shown.text.lower()))
    asked = any(one.endswith("?") for one in sentences_of(shown.text))
    told = {
        "asks": shown.type == "speech" and reader.asks(shown.text),
        "defeat": language.manners.tells_defeat(shown.text),
        "for_me": for_me,
        # Only what is said of one, and asks for nothing, is held against who said it.
        "grudge": shown.type == "speech" and for_me and not asked,
    }
    return {tag for tag, holds in told.items() if holds}


def _turned_up(
    speaker: Speaker, slots: Slots, moment: ThoughtMoment, lived: LifeMoment, language: Language
) -> Speaker:
    """Return a speaker with the facet that a thought of an episode turns up.

    `slots` are those of the moment with what was named too lately: it counts as told all the same.
    """

    def can_tell(facet: str) -> bool:
        tags = speaker.tags | {f"f_{facet}"}
        tried = speaker._replace(tags=tags, slots=slots, draw=lambda: 0.0, used={})
        return expanded(language.grammar, facet, tried) is not None

    shown = lived.episode
    if shown is None:
        return speaker
    if _is_over(shown, lived.identity):
        # Of what was taken back, or is mended, one thinks nothing more.
        return speaker._replace(tags=speaker.tags | {"f_"})
    facet = facet_of(shown, lived, moment.t_us, can_tell)
    if not facet and moment.mode == "respond":
        facet = NOTICE
    return speaker._replace(tags=speaker.tags | {f"f_{facet}"})


def _of_episode(
    shown: Episode,
    moment: ThoughtMoment,
    lived: LifeMoment,
    language: Language,
    tags: set[str],
) -> set[str]:
    """Return tags with what a thought is of: how far it has come, and how that is felt."""
    felt = _in_the_end(feeling(shown, language), shown, moment, lived, language)
    if felt in LIGHT and "of_the_lost" in tags:
        felt = "sad"
    elif felt in GLAD and not tags.isdisjoint(("bereft", "mourning")):
        felt = "touched"
    since = _since(moment.t_us, shown)
    late = shown.noticed_us is None and since != "fresh"
    again = lived.step == "noticing" and since == "past" and not late
    kind = told_as(shown, language)
    if felt == "grief":
        # A farewell is told as what one did there, whatever else as that somebody has died.
        kind = kind if language.manners.tells_funeral(shown.text) else "news"
    if kind == "aimed" and _is_awaited(lived, language):
        kind, felt = "awaited", "waiting"
    if language.manners.tells_trial(shown.text):
        tags = tags | {"trial"}
    tags = tags | {"returning" if again else lived.step, "named", kind, felt, since}
    tags |= _spans(moment.t_us, shown)
    if felt == "content" and "low" in tags:
        tags = (tags - {felt}) | {"touched"}
    over = since != "fresh" or shown.t_us < shown.until_us < moment.t_us
    found = {"late"} if late else set[str]()
    if shown.importance < SMALL:
        found.add("slight")
    if shown.importance >= FAIR:
        found.add("weighty")
    if language.manners.weight(shown.text, shown.valence)[0]:
        found.add("grave")
    return _coloured(tags, felt) | found | ({"over"} if over else set())


def _of_what_weighs(
    lived: LifeMoment,
    t_us: int,
    language: Language,
    manner: Manner,
    slots: dict[str, tuple[str, ...]],
    tags: set[str],
) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """Return slots and tags with what weighs, where the thought is not of it in any case."""
    weighs = lived.weighs
    shown = lived.episode
    if (
        weighs is None
        or _is_over(weighs, lived.identity)
        or weighs.id in {one.id for one in (shown, lived.memory) if one is not None}
    ):
        return slots, tags
    heavy = _told_slots(weighs, ago_text(weighs.t_us, t_us), lived, language, manner, lead="w_")
    # A death that was told twice is one death: it is not beside itself.
    told = {*slots.get("thing", ()), *slots.get("m_thing", ())}
    if not told.isdisjoint(heavy["w_thing"]):
        return slots, tags
    return slots | heavy, tags | {"shadow", "weighed", f"w_{kind_of(weighs)}"}


def _of_what_came_after(
    shown: Episode, lived: LifeMoment, t_us: int, language: Language, manner: Manner
) -> tuple[set[str], dict[str, tuple[str, ...]]]:
    """Return what has become of something since it came to mind first, and what came after it.

    The mood of then and of now tell whether it has grown lighter or heavier.
    """
    tags: set[str] = set()
    if shown.felt is not None and shown.noticed_us is not None:
        change = lived.affect.valence - shown.felt
        tags |= {"lighter"} if change >= STEP else {"heavier"} if change <= -STEP else set()
    if lived.since is None:
        return tags, {}
    ago = ago_text(lived.since.t_us, t_us)
    told = _told_slots(lived.since, ago, lived, language, manner, lead="s_")
    is_told = any(told[f"s_{slot}"] for slot in ("deed", "thing", "bit"))
    return tags | (
        {"since", f"s_{kind_of(lived.since)}", f"s_{tone(lived.since, language)}"}
        if is_told
        else set()
    ), told


def _went_on(slots: Slots, lately: Sequence[str]) -> bool:
    """Tell whether the thought before named what this one is of, too, or there was none."""
    before = [words.casefold() for words in lately[:1]]
    names = (*CLAUSES, *QUOTED, *PHRASES)
    return not before or any(
        is_named(one.split(" ", 1)[-1], before) for name in names for one in slots.get(name, ())
    )


def _pointed(tags: set[str], named: Slots) -> set[str]:
    """Return tags without what was named too lately, which is at most pointed to."""

    def has(some: Slots, lead: str = "") -> bool:
        return any(some.get(lead + slot) for slot in (*CLAUSES, *QUOTED, *PHRASES))

    worn = {tag for tag, lead in (("recalling", "m_"), ("shadow", "w_")) if not has(named, lead)}
    return tags - worn


def _of_people(
    lived: LifeMoment, manner: Manner, language: Language, slots: dict[str, tuple[str, ...]]
) -> set[str]:
    """Fill the slots of those who live and of those who are lost, and return what follows."""
    dead = slots["dead"] = _dead(lived, manner, language)
    text = lived.episode.text if lived.episode is not None else ""
    others = {language.reader.turned(one.name).casefold(): one for one in others_of(lived.identity)}
    # Nobody rings an animal, or wonders what it would say.
    animals = {name for name, one in others.items() if one.kind == "animal"}
    mourned = _mourned(lived, dead, manner, language)
    persons = tuple(one for one in mourned if not is_pet(one, animals, text))
    lost = slots["lost"] = persons or mourned
    living = [tie for tie in manner.ties if tie.name not in dead]
    turned = language.reader.turned
    here = {name.casefold() for name in slots["company"]}
    part = {name.casefold() for name in (*slots.get("whoever", ()), *slots.get("who", ()))}
    told = language.manners.named_in(text, manner)
    away = [tie for tie in living if tie.name.casefold() not in here | animals]
    # Who it happened to is no one to tell it to, or to ask about it.
    away = [tie for tie in away if tie.name not in told]
    slots["tie"] = tuple(tie.name for tie in away)
    slots["untold"] = tuple(
        tie.name for tie in away if tie.name.casefold() not in part and _is_dear(tie, others)
    )
    born = {turned(one.about).casefold() for one in lived.identity.learnt if one.turn == "birth"}
    small = {
        name
        for name in slots["company"]
        if name.casefold() in born or _is_child(others.get(name.casefold()), lived)
    }
    slots["company_small"] = tuple(name for name in slots["company"] if name in small)
    slots["company_grown"] = tuple(name for name in slots["company"] if name not in small)
    met = {turned(name).casefold() for name in lived.met}
    far = [tie for tie in away if tie.name.casefold() not in met and not _is_near(tie, others)]
    slots["far"] = tuple(tie.name for tie in far)
    slots["near_one"] = tuple(tie.name for tie in far if _is_dear(tie, others))
    known = {f"{' '.join(marker.split()).rstrip('.')}," for marker in lived.introduced}
    slots["tie_told"] = tuple(tie.told for tie in away if tie.told and tie.told not in known)
    feared = lived.weighs.source if lived.weighs is not None else ""
    dear = [tie for tie in far or away if _is_dear(tie, others)]
    slots["close"] = tuple(tie.name for tie in dear or far or away if tie.name != feared)
    slots["far_told"] = tuple(t.told for t in far if t.told and t.told not in known)
    slots["kin"] = tuple(tie.kin for tie in living if tie.kin)
    gone = [tie for tie in manner.ties if tie.name in lost]
    slots["keylost"] = tuple(one for one in slots["keymem"] if any(tie.name in one for tie in gone))
    is_partner = any(language.manners.is_partner(tie.kin) for tie in gone)
    at_home = is_partner or any(_is_near(tie, others) for tie in gone)
    pets = bool(lost) and not persons
    losses = {"partner_lost": is_partner, "home_lost": at_home, "pet_lost": pets}
    return {tag for tag, holds in losses.items() if holds}


def _is_near(tie: Tie, others: Mapping[str, NamedOther]) -> bool:
    """Tell whether somebody lives with a person."""
    known = others.get(tie.name.casefold())
    return known is not None and known.at_home


def _is_dear(tie: Tie, others: Mapping[str, NamedOther]) -> bool:
    """Tell whether somebody is missed who is not there: one of the family, or a friend."""
    known = others.get(tie.name.casefold())
    return known is not None and known.kind not in ("colleague", "animal", "other")


def _is_child(other: NamedOther | None, lived: LifeMoment) -> bool:
    """Tell whether somebody is a child of a person that is small, or of an age that is not told."""
    if other is None or other.kind != "child":
        return False
    markers = lived.identity.relational_markers
    ages = (age_in(marker) for marker in markers if other.name in marker)
    age = next((one for one in ages if one is not None), None)
    return age is None or age < COOKS


def _in_the_end(
    felt: str, episode: Episode, moment: ThoughtMoment, lived: LifeMoment, language: Language
) -> str:
    """Return how something is felt that may be over by now.

    What one went through in fear is a relief, unless it went badly or looks so; news that frightens
    stays so. What one failed at is a shame until it is past and no longer weighs on the mood. What
    hurt only happened when it hurts no more.
    """
    over = moment.t_us > episode.until_us
    if is_failure(episode, language):
        eased = moment.t_us - episode.until_us >= SLEPT_OVER_US and lived.affect.valence >= LOW
        return "plain" if eased and not _is_awaited(lived, language) else "shame"
    if felt == "fear" and over and kind_of(episode) in ("threat", "work"):
        if not _went_badly(episode, lived, language):
            return "relief"
        settled = _since(moment.t_us, episode) == "past" and not _is_awaited(lived, language)
        return "plain" if settled else "waiting"
    eased = over and ACHING.isdisjoint(moment.codes) and _since(moment.t_us, episode) == "past"
    return "plain" if felt == "hurting" and eased else felt


def _went_badly(episode: Episode, lived: LifeMoment, language: Language) -> bool:
    """Tell whether one was tried, and failed right after it or is low for it."""
    tried = episode.topic == "exam" or language.manners.tells_trial(episode.text)
    worst = lived.weighs
    soon = worst is not None and 0 <= worst.t_us - episode.t_us < LATER_US
    failed = worst is not None and soon and is_failure(worst, language)
    return failed or (tried and lived.affect.valence < LOW)


def _coloured(tags: set[str], felt: str) -> set[str]:
    """Return tags of which those of the mood go with what the thought is of."""
    if felt in DARK:
        return (tags - {"good", "bright", "calm"}) | {"dark"}
    if felt in LIGHT:
        # What does one good is told as such on a bad day, too, though it does not make it bright.
        heavy = tags & {"low", "tense", "gloom"}
        return (tags - heavy | {"lit"}) if heavy else tags | {"lit", "bright"}
    # What is neither good nor bad, as far as is known, does nobody good either.
    return tags - {"good", "bright"}


def _mood(affect: Affect) -> set[str]:
    """Return how the mood is; only in gloom may one think badly of oneself or of what comes."""
    tense = affect.stress >= STRESSED or (affect.arousal >= WOUND_UP and affect.valence < 0.1)
    tags = {"good"} if affect.valence >= GOOD else set[str]()
    if affect.valence > 0:
        tags.add("bright")
    if affect.valence < LOW:
        tags.add("low")
    if tense:
        tags.add("tense")
    elif affect.stress < CALM and affect.valence >= 0:
        tags.add("calm")
    if affect.valence <= 0 and (tense or affect.valence < LOW):
        tags.add("gloom")
    return tags


def _since(t_us: int, episode: Episode) -> str:
    """Return how long ago something happened, roughly."""
    if t_us - episode.until_us < FRESH_US:
        return "fresh"
    return "later" if t_us - episode.until_us < LATER_US else "past"


def _spans(t_us: int, episode: Episode) -> set[str]:
    """Return which spans of time have passed since something: who claims one has to ask for it."""
    gone_us = t_us - episode.until_us
    nights = t_us // DAY_US - episode.until_us // DAY_US
    tags = {"hours_on"} if gone_us >= HOURS_US else set[str]()
    if nights >= 1 and gone_us >= HOURS_US and t_us % DAY_US >= DAWN_US:
        tags.add("night_on")
    if nights > 1:
        tags.add("days_on")
    return tags


def _surroundings(lived: LifeMoment, manner: Manner, language: Language) -> set[str]:
    """Return what the place, the company, the weather and what lies ahead are to the tables."""
    situation, manners = lived.situation, language.manners
    tags = set(manners.weather_tags(situation.weather))
    tags.add("company" if situation.company else "by_oneself")
    if situation.place:
        tags |= {"placed"} | ({"athome"} if situation.place.startswith(HOME) else set())
    there = "" if "athome" in tags else situation.place
    own = manners.is_of_field(there, manner.tags)
    if own or manners.tells_work(f"{situation.place} {situation.activity}"):
        tags.add("atwork")
    elif situation.place and "athome" not in tags:
        tags |= {"elsewhere"} | manners.place_tags(situation.place)
        if manners.is_outdoors(situation.place):
            tags.add("outdoors")
    if lived.goal and not lived.goal_over:
        tags.add("planned")
    tags |= manners.activity_tags(situation.activity)
    tags |= {"occupied"} if "atwork" in tags or situation.activity else set()
    return tags


def _of_the_day(lived: LifeMoment, moment: ThoughtMoment, language: Language) -> set[str]:
    """Return whether something grave or a death happened within a day, and whether one is ill."""
    tags = {"unwell"} if lived.ails is not None or not _ILL.isdisjoint(moment.codes) else set[str]()
    learnt = (one for one in holding(lived.identity) if one.turn == "bereavement")
    if any(0 <= moment.t_us - one.since_us < MOURNING_US for one in learnt):
        tags.add("mourning")
    for one in _episodes(lived):
        if not 0 <= moment.t_us - one.until_us < GRAVE_US:
            continue
        grave, _ = language.manners.weight(one.text, one.valence)
        hurt = one.type in ("injury", "illness") and one.importance >= GRAVE_HURT
        bereft = feeling(one, language) == "grief"
        if bereft or hurt or _is_turn_for_the_worse(one, lived.identity, language):
            stunned = moment.t_us - one.until_us < STUNNED_US
            tags |= {"sobered", "numbed", "stunned" if stunned else "numbed"}
        elif grave:
            tags.add("sobered")
        if bereft:
            tags.add("bereft")
    return tags


def _of_the_body(lived: LifeMoment, moment: ThoughtMoment, language: Language) -> set[str]:
    """Return what goes on in the body and the days of a person by what happened to it.

    An injury and an illness are felt until they are healed, a turn of a life for two weeks, and
    what one is tried at from some days before it on.
    """
    turned = [
        one
        for one in lived.identity.learnt
        if one.turn and one.about != NOTICE_OF_WORK and one.until_us is None
        if 0 <= moment.t_us - one.since_us < MOURNING_US
    ]
    tags = {f"after_{one.turn}" for one in turned}
    if any(lived.woke_us is None or one.since_us < lived.woke_us for one in turned):
        tags.add("slept_since")
    if lived.ails is not None:
        tags |= {f"ail_{lived.ails.type}"}
        tags |= {"ail_grave"} if lived.ails.importance >= GRAVE_HURT else set()
        off = lived.ails.importance >= BADLY and moment.t_us - lived.ails.t_us < HURT_US
        tags |= {"ail_off"} if off else set()
        tags |= {"ail_early"} if moment.t_us - lived.ails.t_us < LATER_US else set()
    due_us = lived.goal_us
    near = due_us is not None and 0 < due_us - moment.t_us < NEAR_US
    if near and language.manners.tells_trial(lived.goal):
        tags.add("trial_near")
    return tags | ({"bodily"} if tags else set())


def _is_turn_for_the_worse(episode: Episode, identity: PersonIdentity, language: Language) -> bool:
    """Tell whether a life has turned for the worse, and is not only talked of as if it might.

    The turn of another's life is none of one's own, unless what is told of it is the worst.
    """
    own = any(one.turn == episode.topic and one.since_us == episode.t_us for one in identity.learnt)
    worst = episode.importance >= GRAVE_NEWS and language.manners.tells_grave(episode.text)
    told = worst or (own and episode.topic in GRAVE_TOPICS)
    happened = episode.type not in ("speech", "concern", "goal")
    return told and happened and episode.valence < LOW and episode.importance >= SMALL


def _of_trigger(moment: ThoughtMoment) -> set[str]:
    """Return what a thought of nothing that happened comes from."""
    trigger = moment.trigger
    if trigger in WANTS:
        return {"wanting", _TAG_OF_WANT.get(trigger, trigger)}
    if trigger == "waking":
        return {"waking"}
    return {"stirred", trigger} if moment.mode == "react" else set()


def _of_situation(lived: LifeMoment, language: Language) -> dict[str, tuple[str, ...]]:
    """Return the slots that the situation fills; a place is not told with all of its parts."""
    situation = lived.situation
    ahead = language.reader.read("" if lived.goal_over else lived.goal, spoken=False, aimed=True)
    return {
        "place": tuple(
            language.reader.turned(part.strip())
            for part in situation.place.split(",")
            if part.strip()
        ),
        "company": tuple(filter(_is_somebody, map(language.reader.turned, situation.company))),
        "weekday": tuple(filter(None, (language.when(situation.weekday),))),
        "ahead": (ahead.aiming,) if ahead.aiming else (),
    }


def _is_somebody(name: str) -> bool:
    """Tell whether a name is that of one, and not `my friends` or `people from the choir`."""
    return name[:1].isupper() or not any(is_many(one) for one in name.split() if one.islower())


def _of_identity(
    lived: LifeMoment, manner: Manner, language: Language
) -> dict[str, tuple[str, ...]]:
    """Return the slots that the identity fills; what all have by default fills none."""
    identity = lived.identity
    own = "known" in manner.tags
    memories = tuple(_inner(text, language) for text in identity.key_memories)
    phrases = tuple(text for text in memories if language.manners.begins.match(text))
    values = tuple(_inner(text, language) for text in identity.values_commitments) if own else ()
    valued = tuple(text for text in values if language.manners.begins.match(text))
    lexicon = language.reader.lexicon
    traits, patterns = identity.disposition_traits, identity.emotional_patterns
    return {
        "way_i_am": tuple(filter(None, (own_words(one, lexicon) for one in traits if own))),
        "way_i_bear": tuple(filter(None, (own_words(one, lexicon) for one in patterns if own))),
        "memthing": _seen_in(identity.key_memories, language),
        "keymem": phrases,
        "keytold": tuple(text for text in memories if text not in phrases),
        "value": valued,
        "value_told": tuple(text for text in values if text not in valued),
    }


def _seen_in(memories: Iterable[str], language: Language) -> tuple[str, ...]:
    """Return the things that stand in memories whole, without the times that they were of."""
    reader, lexicon = language.reader, language.reader.lexicon
    found: list[str] = []
    for text in memories:
        words = re.findall(r"[\w'’-]+", text.casefold())
        after = dict(pairwise([*words, ""]))
        for thing in reader.read(text, spoken=False, aimed=False).things:
            first, *_, last = f"{thing} {thing}".split()
            is_whole = not lexicon.is_content(after.get(last.casefold(), ""))
            is_one = first == lexicon.frames.get("definite") and not is_many(last)
            if is_whole and is_one and last not in lexicon.spans:
                found.append(thing)
    return tuple(found)


def _inner(text: str, language: Language) -> str:
    """Return a phrase of an identity as it stands within a sentence."""
    words = " ".join(text.split()).rstrip(".!")
    return words[:1].lower() + words[1:] if language.manners.lowered.match(words) else words


def _of_goal(
    lived: LifeMoment,
    t_us: int,
    language: Language,
    slots: dict[str, tuple[str, ...]],
    tags: set[str],
) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """Return slots and tags with the goal that is ahead, where it reads as one.

    A trial whose time has passed is not ahead any more: how it ended is awaited.
    """
    words = language.reader.read(lived.goal, spoken=False, aimed=True)
    if _is_awaited(lived, language):
        return slots | {"goal_thing": words.things}, tags | {"awaiting"}
    if lived.goal_over:
        tags = tags | {"overdue"}
    left = stretch_words(lived.goal_us - t_us, language.reader.lexicon) if lived.goal_us else ""
    slots["goal_left"] = (left,) if left else ()
    # A goal that a thought is of is no other one beside it.
    shown = lived.episode
    is_shown = shown is not None and lived.goal == shown.text and lived.step != "passing"
    slots["goal_thing"] = () if is_shown else words.core
    slots["goal"] = (words.aim,) if words.aim else ()
    slots["goal_doing"] = (words.aiming,) if words.aiming else ()
    return slots, tags | ({"aiming"} if words.aim else set())


def _is_awaited(lived: LifeMoment, language: Language) -> bool:
    """Tell whether a trial is over and nobody has told yet how it ended."""
    return lived.goal_over and language.manners.tells_trial(lived.goal)


def _dead(lived: LifeMoment, manner: Manner, language: Language) -> tuple[str, ...]:
    """Return all of a person's people of whose death it knows."""
    manners = language.manners
    found = [name for one in _episodes(lived) for name in _died(one, lived, manner, language)]
    found += manners.named_in(" ".join(_losses(lived.identity, language)), manner)
    return tuple(dict.fromkeys(found))


def _mourned(
    lived: LifeMoment, dead: Sequence[str], manner: Manner, language: Language
) -> tuple[str, ...]:
    """Return of which of its dead a person thinks: those whom what it thinks of is about."""
    shown = lived.episode
    if shown is None or lived.step == "passing":
        # Of whom one only knows that they died one does not think as of one's own.
        told = " ".join(one.about for one in lived.identity.learnt if one.turn == "death")
        others = language.manners.named_in(told, manner)
        return tuple(one for one in dead if one not in others)
    if feeling(shown, language) == "grief":
        return _died(shown, lived, manner, language)
    named = language.manners.named_in(shown.text, manner)
    return tuple(one for one in dead if one in named)


def _died(
    episode: Episode, lived: LifeMoment, manner: Manner, language: Language
) -> tuple[str, ...]:
    """Return who died by what happened: as was learnt then, or as its words tell of a death.

    What only has to do with a death is of whom it names of those who are dead.
    """
    if feeling(episode, language) != "grief" or _is_over(episode, lived.identity):
        return ()
    manners, learnt = language.manners, lived.identity.learnt
    facts = (one for one in learnt if one.is_death and one.since_us == episode.t_us)
    # What finds that in words is compiled only where somebody died.
    from mindpipe.person.mind.recognition import who_died

    who = next((one.about for one in facts), "") or who_died(episode, lived.identity)
    if who:
        return manners.named_in(who, manner) or (language.reader.turned(who),)
    known = manners.named_in(" ".join(_losses(lived.identity, language)), manner)
    return tuple(one for one in manners.named_in(episode.text, manner) if one in known)


def _is_over(episode: Episode, identity: PersonIdentity) -> bool:
    """Tell whether what turned a life was taken back, or is mended."""
    turned = [one for one in identity.learnt if one.turn and one.since_us == episode.t_us]
    mended = bool(turned) and all(one.until_us is not None for one in turned)
    return mended or episode.is_over_well


def _losses(identity: PersonIdentity, language: Language) -> Iterable[str]:
    """Return what names somebody of whose death a person knows."""
    yield from (fact.about for fact in identity.learnt if fact.is_death)
    yield from filter(language.manners.is_of_the_dead, identity.relational_markers)


def _told_slots(
    episode: Episode,
    ago: str,
    lived: LifeMoment,
    language: Language,
    manner: Manner,
    *,
    lead: str = "",
) -> dict[str, tuple[str, ...]]:
    """Return the slots that an episode fills for somebody who lives."""
    died = _died(episode, lived, manner, language)
    return event_slots(episode, language, ago=ago, lead=lead, manner=manner, died=died)


def _episodes(lived: LifeMoment) -> Iterable[Episode]:
    """Return all that happened that a moment knows of, but for what was taken back."""
    known = (one for one in (lived.episode, lived.memory, lived.weighs) if one is not None)
    return (one for one in known if not _is_over(one, lived.identity))
