"""The words of something that happened by the slot that they fill."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from mindpipe.person.records.episode import Episode
from mindpipe.person.voice.appraised import GOOD, SMALL_TALK, kind_of, told_as
from mindpipe.person.voice.facets import is_own_doing, is_where, not_copied, where_in
from mindpipe.person.voice.kinds import AFFAIRS, ASIDE, SEEN, kind_of_thing
from mindpipe.person.voice.language import Language
from mindpipe.person.voice.lexicon import Lexicon
from mindpipe.person.voice.manner import Manner
from mindpipe.person.voice.wording import EventWords

MOST_DOING, LEAST_DOING = 7, 3
"""The most words of what was done that stand for a thing of it, where it can be cut, and the least
that are left."""
PLACED = frozenset(("contact", "action", "touch", "exercise", "food", "drink", "climate", "task"))
"""What is told by what was done; where that was tells little of it."""
_DONE_AFFAIRS = frozenset(("act", "together", "work", "meal", "dose", "effort", "threat", "worry"))
"""The kinds of what happened of which what was done is what one feels about."""
_AT_THINGS = frozenset(("work", "meal", "dose", "effort"))
"""The kinds of what one does at something, by which it is named, too."""


_NOT_WHERE = frozenset({"news", "contact", "action", "touch", "goal", "goal_done"})
"""Types of events that are not called by a place that is told in them."""
MOST_BEFORE = 16
"""Within how many letters somebody is told of first: `your daughter Kate`."""


def event_slots(
    episode: Episode,
    language: Language,
    *,
    ago: str,
    lead: str = "",
    manner: Manner | None = None,
    died: Sequence[str] = (),
) -> dict[str, tuple[str, ...]]:
    """Return the slots that an episode fills; a death (`died`) in one's own words."""
    reader = language.reader
    words = reader.read(
        episode.text, spoken=episode.type == "speech", aimed=episode.type in ("goal", "goal_done")
    )
    source = reader.turned(episode.source)
    people = tuple(map(reader.turned, episode.people))
    known = {one.lower() for one in people}
    known |= {one.lower() for tie in (manner.ties if manner else ()) for one in (tie.name, tie.kin)}
    # Who had a part in it is no thing of it, and where it was tells less than what was done.
    told = [
        one for one in words.things if one.lower() != source.lower() and one.lower() not in known
    ]
    agents = {deed.split(" ", 1)[0] for deed in words.deeds}
    told = [one for one in told if not (one[:1].isupper() and one in agents)] or told
    there = _there(told, words, episode, language)
    if episode.type in PLACED:
        own = _own_doings(words.doings, reader.lexicon)
        told = (
            [one for one in told if not is_where(one, episode.text, reader.lexicon)]
            or list(_told(own, episode.text, language)[:1])
            or there
        )
    elif episode.type in _NOT_WHERE:
        told = [one for one in told if not is_where(one, episode.text, reader.lexicon)]
    things = tuple(one for one in told if not _is_none(one, reader.lexicon))[:4]
    kinds = {one: _kind(one, episode, language) for one in (*words.about, *words.things, *things)}
    kinds |= {one: "matter" for one in there if one not in words.things}
    slots = _slots(words._replace(things=things), who=(source,) if source else people[:1])
    # What a thought is of is the first thing that is told, not a detail that comes after it.
    core = tuple(one for one in things if one in words.core) or things
    slots["thing"] = _but_aside(core, kinds) or _but_aside(things, kinds)
    slots["thing2"] = _but_aside(things, kinds)
    # What is only told of, or still ahead, is not before one's eyes.
    seen = kind_of(episode) not in ("speech", "news", "aimed", "done", "missed")
    slots["sight"] = tuple(one for one in things if seen and kinds[one] in SEEN)
    slots["favour"] = _favours(episode, words, slots["who"], language)
    mine = filter(language.manners.is_own, words.things)
    slots["sore"] = tuple(one for one in mine if kinds[one] == "body")
    named = language.manners.named_in(episode.text, manner) if manner else ()
    own_people = tuple(one for one in named if one != source)
    slots["remark"] = _remarks(episode, own_people or things, source, language)
    slots |= _scenes(episode, words, kinds, slots, language)
    if not slots["affair"] and slots["thing"][:1] == tuple(there[:1]):
        slots |= {"affair": slots["thing"], "scene": slots["thing"]}
    if told_as(episode, language) == SMALL_TALK:
        told_so = language.manners.small_talk(episode.text, source)
        said = told_so.get("thing", ())
        slots |= {"affair": said, "scene": said, "sight": (), "remark": ()} | told_so
    if bearer := _bearer(episode, named, source, language):
        for name in ("thing", "thing2", "affair", "scene"):
            slots[name] = tuple(_borne(one, bearer, kinds, reader.lexicon) for one in slots[name])
    if episode.type == "news":
        # What news says of now, or of what is to come, is not over: `my father is awake`.
        slots["deed"] = tuple(one for one in words.deeds if one not in words.turned)
    slots["saying"] = _whole(_kind_ones(slots["saying"], episode, language), language)
    slots["asked_bare"] = tuple(filter(None, (reader.within(words.asked),)))
    slots["whoever"] = people or ((source,) if source else ())
    # When a goal was set says nothing of when it is for.
    when = "" if kind_of(episode) == "aimed" else language.when(ago)
    slots["ago"] = (when,) if when else ()
    if died and (episode.type == "news" or episode.topic in ("bereavement", "death")):
        # Not how it was told, but whom one has lost.
        loss = language.manners.loss(died[0])
        slots |= loss | {"affair": loss["thing"], "scene": loss["thing"], "sight": ()}
    return {f"{lead}{name}": values for name, values in slots.items()}


def _bearer(episode: Episode, named: Sequence[str], source: str, language: Language) -> str:
    """Return of whom of one's own people something is told first, and not of oneself: `Kate`."""
    if episode.type not in ("news", "speech"):
        return ""
    own = {word.lower() for word in re.findall(r"[\w'’]+", episode.text)}
    first = [one for one in named if one != source and 0 <= episode.text.find(one) <= MOST_BEFORE]
    hearer = language.reader.lexicon.hearer & own
    return "" if hearer or len(first) != 1 else first[0]


def _borne(thing: str, bearer: str, kinds: Mapping[str, str], lexicon: Lexicon) -> str:
    """Return an event as it is somebody's: `Kate's labour` for `labour`."""
    first, *rest = thing.split()
    if kinds.get(thing) not in AFFAIRS or bearer in thing or first.lower() in lexicon.possessives:
        return thing
    bare = rest if rest and first.lower() in lexicon.determiners else [first, *rest]
    return f"{bearer}'s {' '.join(bare)}"


def _is_none(thing: str, lexicon: Lexicon) -> bool:
    """Tell whether what stands for a thing names none: `finally`, `the one`."""
    *before, last = thing.lower().split()
    adverb = not before and last.endswith("ly") and last not in lexicon.kind_of_noun
    amount = bool(before) and {before[0], last} <= lexicon.numbers
    return adverb or amount or last in lexicon.empty


def _own_doings(doings: Iterable[str], lexicon: Lexicon) -> list[str]:
    """Return what the person did; what is done to nothing, as `standing up`, comes last."""
    own = [one for one in doings if is_own_doing(one, lexicon)]
    bare = {one for one in own if _is_posture(one.lower().split(), lexicon)}
    return sorted(own, key=lambda one: one in bare)


def _is_posture(words: Sequence[str], lexicon: Lexicon) -> bool:
    """Tell whether a doing is a verb with its particle and, at most, where it was."""
    place = words[2:3]
    ends = not place or place[0] in lexicon.cut_before
    return len(words) > 1 and words[1] in lexicon.particles and ends


def _there(places: list[str], words: EventWords, episode: Episode, language: Language) -> list[str]:
    """Return places that are all that is told; of work it is the task there, and not the place."""
    if kind_of(episode) != "work":
        return places
    if _told(words.doings[:1], episode.text, language):
        return []
    lexicon, found = language.reader.lexicon, list[str]()
    for place in places:
        where = where_in(place, episode.text, lexicon).split()
        at = " ".join(lexicon.turned.get(word.lower(), word) for word in where)
        found += language.phrase("happened", where=at) if at else [place]
    return found


def _place(thing: str, text: str) -> int:
    """Return where in a text a thing is told, or its word stands; -1 where neither does."""
    found = re.search(rf"\b{re.escape(thing.split()[-1])}\b", text, re.I)
    return found.start() if found else -1


def _scenes(
    episode: Episode,
    words: EventWords,
    kinds: dict[str, str],
    slots: dict[str, tuple[str, ...]],
    language: Language,
) -> dict[str, tuple[str, ...]]:
    """Return what was done as a whole, what is felt about, and the slots that go by these."""
    kind, unknown = kind_of(episode), language.reader.lexicon.unknown
    told = [one for one in words.doings[1:2] if (unknown | {"it"}).isdisjoint(one.lower().split())]
    done = _told((*words.doings[:1], *told), episode.text, language)
    scene = (words.states or done) if kind in _DONE_AFFAIRS | {"news"} else ()
    affair = _affairs(episode, words, kinds, slots | {"scene": scene}, language)
    if not scene or (kind == "work" and kinds.get("".join(affair[:1])) in AFFAIRS):
        # A shift or a meeting has a name of its own.
        scene = affair if not scene else affair[:1]
    named = slots["thing"] or (() if kind == "speech" else affair or scene)
    if kind == "news" and any(kinds.get(one) == "person" for one in words.about[:1]):
        # News of somebody is not called by a detail: `Mia selling the car`, not `the car`.
        named = affair or named
    elif kind == "news" and scene and {kinds.get(one) for one in named} == {"amount"}:
        named = scene
    elif kind == "news":
        # How it is, before what it is of: `the harmless lump`, not `the lump`.
        named = (*words.states, *named)
    plain = tuple(one for one in slots["deed"] if unknown.isdisjoint(one.split()))
    deeds = plain or slots["deed"]
    return {"scene": scene, "affair": affair, "thing": named, "deed": deeds}


def _favours(
    episode: Episode, words: EventWords, who: tuple[str, ...], language: Language
) -> tuple[str, ...]:
    """Return what somebody did, without saying who: `riding with me`."""
    led = tuple(f"{one} " for one in who)
    done = (one.removeprefix(name) for one in words.doings for name in led if one.startswith(name))
    return _told(done, episode.text, language)


def _kind(thing: str, episode: Episode, language: Language) -> str:
    """Return what kind of thing a noun phrase of an episode is."""
    lexicon = language.reader.lexicon
    at = is_where(thing, episode.text, lexicon)
    found = kind_of_thing(thing, lexicon, is_where=at)
    # A place of which there is news is what the news is about, and one may be what one works on.
    told = episode.type == "news" and found == "place" and thing[:1].islower() and " " in thing
    worked_on = episode.type == "task" and found == "place" and thing[:1].islower()
    return found if at else "matter" if told else "thing" if worked_on else found


def _but_aside(things: tuple[str, ...], kinds: dict[str, str]) -> tuple[str, ...]:
    """Return things without those that are told with one and are none by themselves."""
    return tuple(one for one in things if kinds.get(one) not in ASIDE)


def _affairs(
    episode: Episode,
    words: EventWords,
    kinds: dict[str, str],
    slots: dict[str, tuple[str, ...]],
    language: Language,
) -> tuple[str, ...]:
    """Return what of an episode can be felt about: an event, what was done or said, how it is."""
    kind, phrase = kind_of(episode), language.phrase
    if kind == "hurt":
        sore = "".join(slots["sore"][:1]) if episode.type == "injury" else ""
        return phrase("affair_sore", sore=sore) or phrase(f"affair_{episode.type}")
    told = AFFAIRS | ({"amount"} if kind == "news" else set())
    named = [one for one in slots["thing2"] if kinds.get(one) in told]
    first = [one for one in named if one in words.core]
    if kind in ("speech", "aimed", "done", "missed"):
        aim = slots["thing"] or _told(slots["aiming"], episode.text, language)
        return (*slots["remark"], *first) if kind == "speech" else tuple(first or named) or aim
    lexicon = language.reader.lexicon
    by_self = any(is_own_doing(one, lexicon) for one in words.doings[:1])
    own = _own_doings(words.doings, lexicon)[:1] if by_self else []
    done = _told(own, episode.text, language)
    if kind == "news":
        # A turn of a life has a name of its own: `the birth of my daughter`, `losing my work`.
        born = next((one for one in slots["thing"] if kinds.get(one) != "amount"), "")
        turned = phrase(f"turn_{episode.topic}", thing=born)
        named = [one for one in named if kinds.get(one) != "amount" or not words.doings]
        found = dict.fromkeys((*words.states, *(first or named), *done))
        return turned or tuple(found) or _of_news(words, slots["thing"], episode, language)
    if kind not in _DONE_AFFAIRS:
        return tuple(first or named) or slots["sight"]
    if own or not words.doings:
        return tuple(
            dict.fromkeys((*first, *(slots["sight"] if kind in _AT_THINGS else ()), *done))
        )
    # What others did is a thing of it, where it is good; else it is that they did it.
    acted = [one for one in slots["who"][:1] if words.doings[0].startswith(f"{one} ")]
    joined = (_place(one, f"{episode.text} ") for one in lexicon.subordinating)
    ends = min((at for at in joined if at > 0), default=len(episode.text))
    seen = tuple(
        one
        for one in slots["sight"]
        if kinds.get(one) != "body" and episode.valence >= 0 and _place(one, episode.text) < ends
    )
    did = phrase("deed_of", who="".join(acted))
    return tuple(dict.fromkeys((*first, *(seen or slots["scene"])))) or did


def _of_news(
    words: EventWords, things: tuple[str, ...], episode: Episode, language: Language
) -> tuple[str, ...]:
    """Return what news is called that tells of nothing by name: what is done, or what it is of."""
    done = _told(words.doings[:1], episode.text, language) or _being(episode, language)
    phrase = language.phrase
    about = (phrase("affair_news_of", thing=one) for one in (*words.about, *things, *words.things))
    return done or next(filter(None, about), ()) or phrase("affair_news")


def _being(episode: Episode, language: Language) -> tuple[str, ...]:
    """Return how somebody is by what news tells of it, in short: `my mother being home`."""
    found = re.match(language.phrases.get("how_somebody_is", r"(?!)"), episode.text)
    if found is None:
        return ()
    who = language.reader.turned(found["who"])
    return language.phrase("somebody_being", who=who, how=found["how"])


def _told(doings: Iterable[str], text: str, language: Language) -> tuple[str, ...]:
    """Return what was done, each in short: without where and with what, and not copied.

    What cannot be shortened is left out.
    """
    return tuple(filter(None, (_shortened(one, text, language) for one in doings)))


def _shortened(doing: str, text: str, language: Language) -> str:
    """Return what was done in few words of which none four in a row are copied, or nothing."""
    lexicon, words = language.reader.lexicon, doing.split()
    definite = lexicon.frames.get("definite", "")
    if not not_copied((doing,), text):
        # Of what is known one says which: `the programme about owls`.
        words = [definite if one in ("a", "an") else one for one in words]
    is_told = not lexicon.that.isdisjoint(one.lower() for one in words)
    while len(words) > MOST_DOING or not not_copied((" ".join(words),), text):
        if is_told:
            # What somebody told is whole, or it is not told.
            return ""
        if len(words) > LEAST_DOING and words[-1].lower() in lexicon.after_noun:
            words.pop()
            continue
        ends = range(1, len(words))
        cuts = [at for at in ends if words[at].lower() in lexicon.cut_before]
        # What one does oneself, and what is done to nothing, stands in fewer words.
        least = LEAST_DOING - lexicon.is_gerund(words[0].lower())
        cuts = [at for at in cuts if at >= least or lexicon.is_gerund(words[at - 1].lower())]
        led = [
            at for at in ends if at < len(words) - 2 and words[at].lower() in lexicon.opens_thing
        ]
        content = lexicon.is_content(words[-1].lower())
        last = [one.lower() for one in words[led[-1] + 1 :]] if led else []
        whole = lexicon.no_end.isdisjoint(last) and not any(map(lexicon.is_gerund, last))
        # `The first time` is no time without the word that says which, nor half a name one.
        dropped = words[led[-1] + 1 : -1] if led else []
        whole = whole and not any(
            one[:1].isupper() or one.lower() in lexicon.modifiers for one in dropped
        )
        if last and content and whole:
            words = [*words[: led[-1] + 1], words[-1]]
        elif cuts:
            words = words[: cuts[-1]]
        elif len(words) > LEAST_DOING and not content:
            words.pop()
        else:
            return ""
    return " ".join(words)


def _remarks(
    episode: Episode, things: tuple[str, ...], source: str, language: Language
) -> tuple[str, ...]:
    """Return how what somebody said is referred to: by whom or what it was about, and who said it.

    Whom it is about of one's own people tells more of it than a thing.
    """
    if episode.type != "speech":
        return ()
    lexicon = language.reader.lexicon
    plain = language.phrase("remark", who=source) or language.phrase("remark_of_nobody")
    day = language.facets.read(episode.text, spoken=True, source=source).weekday
    compared = "|".join(sorted(lexicon.compared))
    about = [
        one
        for one in (*sorted(things, key=lambda one: _place(one, episode.text)), day)
        if one
        and not re.search(rf"\b(?:{compared}) an? {re.escape(one.split()[-1])}", episode.text)
    ]
    said = "".join(plain)
    return tuple(
        chain(*(language.phrase("about", said=said, thing=one) for one in about[:1]), plain)
    )


def _kind_ones(sayings: tuple[str, ...], episode: Episode, language: Language) -> tuple[str, ...]:
    """Return what of a kind remark is quoted: in its order, and no teasing by a likeness."""
    if episode.valence < GOOD:
        return sayings
    lexicon = language.reader.lexicon
    pattern = rf"\b(?:{'|'.join(sorted(lexicon.likened))}) an? "
    found = [
        one
        for one in sayings
        if one.lower() not in lexicon.interjections and not re.search(pattern, one, re.I)
    ]
    return tuple(sorted(found, key=episode.text.find)) or sayings


def _whole(sayings: tuple[str, ...], language: Language) -> tuple[str, ...]:
    """Return of what was said the stretches that say something, all where none does."""
    lead = language.reader.lexicon.prepositions
    found = tuple(one for one in sayings if one.split()[0].lower() not in lead)
    return found or sayings


def _slots(words: EventWords, *, who: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the words of an event by slot."""
    return {
        "thing": words.things,
        "thing2": words.things,
        "deed": words.deeds,
        "doing": words.doings,
        "saying": words.sayings,
        "bit": words.bits,
        "bit2": words.bits,
        "asked": (words.asked,) if words.asked else (),
        "aim": (words.aim,) if words.aim else (),
        "aiming": (words.aiming,) if words.aiming else (),
        "who": who,
    }
