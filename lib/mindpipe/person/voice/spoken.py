"""What a person says aloud in answer to what it hears: one or two sentences in its own manner."""

import re

import msgspec

from mindpipe.person.calendar import ago_text
from mindpipe.person.mind.episodes import words_of
from mindpipe.person.records.episode import Episode, HeardWords
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment
from mindpipe.person.voice.grammar import Speaker, plans
from mindpipe.person.voice.language import Language, language
from mindpipe.person.voice.lived import new_sentence
from mindpipe.person.voice.manner import Tie
from mindpipe.person.voice.slots import ACHING, draws, moment_seen, mood_of_memory
from mindpipe.person.voice.wording import EventWords

KIND, UNKIND = 0.2, -0.2
_INJURED = frozenset(("injury", "pain"))
_NAMING = 4
_AFTER_THOUGHT = 4096
"""The first slot of chance of an answer; those before it are of the thought at the same instant."""
_EVEN = Affect(arousal=0.3, valence=0.0, energy=0.5, stress=0.0)


def spoken(moment: ThoughtMoment, heard: HeardWords, *, valence: float = 0.0) -> str:
    """Return what a person says to what it hears; it says that it does not know what it cannot.

    It answers from its situation, its identity and what it remembers at the moment; `valence` is
    how what was said is meant. The same moment and words always give the same answer.
    """
    tongue = language()
    lived = moment.lived or LifeMoment(affect=_EVEN)
    meant = tongue.manners.meaning(heard.text)
    asked = _asked_about(heard.text, lived, tongue, moment.person)
    words = tongue.reader.read(heard.text, spoken=True)
    topic, named = _topic(heard, words, lived)
    plain = msgspec.structs.replace(lived, episode=None, memory=topic, step="passing", dream=False)
    if topic is not None:
        plain = msgspec.structs.replace(plain, memory_ago=_ago_of(topic, lived, moment.t_us))
    seen = moment_seen(moment, plain, tongue).speaker
    said_of = _appraised(heard, lived, valence)
    grave, great = tongue.manners.weight(heard.text, said_of)
    if tongue.manners.only_asks(heard.text):
        grave = great = False
    hurt = _hurt_of(topic, named, tongue) if topic is not None else ""
    intent = _intent(meant, asked, named=bool(named), hurt=bool(hurt))
    tags = set(seen.tags) | {"told_me" if grave or great else intent}
    tags |= {"sore"} if _is_sore(moment, lived, topic) else set()
    tags |= {"grave"} if grave else ({"great"} if great else set())
    tags |= {"answering", mood_of_memory(topic, tongue)} if topic is not None else set()
    if great or said_of >= KIND:
        tags.add("heard_good")
    elif grave or said_of <= UNKIND:
        tags.add("heard_bad")
    tags |= _relation(heard.source, lived, tongue, moment.person)
    slots = dict(seen.slots)
    slots |= {
        "thing": words.things,
        "hurt": (hurt,) if hurt else (),
        "speaker": (heard.source,) if heard.source[:1].isupper() else (),
    }
    slots["own_name"] = (lived.name,) if lived.name else ()
    tags |= {"about_thing"} if words.things else set()
    tags |= {"named_self"} if lived.name else set()
    if asked is not None:
        slots |= {"asked_name": (asked.name,), "asked_kin": (asked.kin,) if asked.kin else ()}
        tags |= {"is_tie"} | ({"is_lost"} if asked.name in slots["lost"] else set())
        tags |= {"who_is"} if asked.kin and tongue.manners.asks_who(heard.text) else set()
    speaker = Speaker(
        frozenset(tags), slots, draws(moment, first=_AFTER_THOUGHT), seen.idiolect, {}
    )
    return _answer(tongue, speaker)


def _appraised(heard: HeardWords, lived: LifeMoment, valence: float) -> float:
    """Return how what was said is meant or was taken: as it is told, else as it happened."""
    happened = lived.episode
    if valence or happened is None or happened.text != heard.text:
        return valence
    return happened.valence


def _relation(source: str, lived: LifeMoment, tongue: Language, person: str) -> set[str]:
    """Return whether one of a person's own people speaks, and whether it is its partner."""
    manner = tongue.manners.manner(lived.name, lived.traits, lived.identity, person)
    for tie in manner.ties:
        if source and re.search(rf"\b{re.escape(source)}\b", f"{tie.name} {tie.kin}", re.I):
            return {"from_tie"} | (
                {"from_partner"} if tongue.manners.is_partner(tie.kin) else set()
            )
    return set()


def _answer(tongue: Language, speaker: Speaker) -> str:
    """Return the sentences of an answer."""
    for symbols in plans(tongue.grammar, "answer", speaker):
        said: set[int] = set()
        found = [new_sentence(tongue, one, speaker, said) for one in symbols]
        if found and found[0]:
            return " ".join(one for one in found if one)
    return tongue.phrases["no_answer"]


def _intent(meant: str, asked: Tie | None, *, named: bool, hurt: bool) -> str:
    """Return what is answered: what is asked about comes before a question in general."""
    if meant in ("asks", "yesno", "how", "what"):
        if asked is not None:
            return "who"
        if hurt:
            return "of_hurt"
        return "what" if named else meant
    return meant or "told_me"


def _hurt_of(topic: Episode, named: frozenset[str], tongue: Language) -> str:
    """Return the part of the body that a question names of what was hurt, or nothing."""
    if topic.type not in _INJURED:
        return ""
    things = tongue.reader.read(topic.text).things
    found = (one for one in things if tongue.manners.is_own(one) and named & _words_in(one))
    return next(found, "")


def _is_sore(moment: ThoughtMoment, lived: LifeMoment, topic: Episode | None) -> bool:
    """Tell whether something hurts: by the body now, or by an injury that is not healed."""
    injured = topic is not None and topic.type in _INJURED and lived.unwell
    return injured or not ACHING.isdisjoint(moment.codes)


def _asked_about(text: str, lived: LifeMoment, tongue: Language, person: str) -> Tie | None:
    """Return whom of a person's people a text names, by name or as what they are."""
    manner = tongue.manners.manner(lived.name, lived.traits, lived.identity, person)
    for tie in manner.ties:
        kin = tie.kin.partition(" ")[2]
        if re.search(rf"\b{re.escape(tie.name)}\b", text) or (
            kin and re.search(rf"\b{tongue.manners.yours} {re.escape(kin)}\b", text, re.I)
        ):
            return tie
    return None


def _topic(
    heard: HeardWords, words: EventWords, lived: LifeMoment
) -> tuple[Episode | None, frozenset[str]]:
    """Return what happened that an answer is about, and by which words it was named.

    Without any it is what matters most.
    """
    known = [
        one
        for one in (lived.weighs, lived.memory, lived.episode)
        if one is not None and one.text != heard.text
    ]
    # Little words name nothing, but as a thing they do: "leg".
    said = {word for word in _words_in(heard.text) if len(word) >= _NAMING}
    said |= {word for thing in words.things for word in words_of(thing)}
    for one in known:
        if named := said & _words_in(one.text):
            return one, frozenset(named)
    return (known[0] if known else None), frozenset()


def _words_in(text: str) -> set[str]:
    """Return the words of a text."""
    return {word.lower() for word in re.findall(r"[^\W\d_]+", text)}


def _ago_of(topic: Episode, lived: LifeMoment, t_us: int) -> str:
    """Return when something was, as far as the moment says it."""
    if lived.memory is not None and topic.id == lived.memory.id:
        return lived.memory_ago
    if lived.episode is not None and topic.id == lived.episode.id:
        return lived.ago
    return ago_text(topic.t_us, t_us)
