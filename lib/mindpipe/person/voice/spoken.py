"""What a person says aloud in answer to what it hears: one or two sentences in its own manner.

What is heard is a question, or news, or something that is done by saying it, such as a greeting, an
offer or an apology. A question is answered from what the person is, was told and lived; news by
what it means. What is not known is said to be not known, in few words.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.person.calendar import ALL_TIMES, HOUR_US, ago_text, times_ahead
from mindpipe.person.mind.episodes import words_of
from mindpipe.person.mind.relations import NamedOther, others_of, tellings
from mindpipe.person.mind.sentences import sentences_of
from mindpipe.person.records.episode import ComingThing, Episode, HeardWords, RoutineBlock
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment
from mindpipe.person.voice.appraised import mood_of_memory
from mindpipe.person.voice.asked import FoundAnswer, HeardQuestion, HowTold, KnownFact
from mindpipe.person.voice.grammar import Speaker, plans
from mindpipe.person.voice.language import Language, tongue_of
from mindpipe.person.voice.lived import new_sentence
from mindpipe.person.voice.slots import ACHING, draws, moment_seen

KIND, UNKIND = 0.2, -0.2
_INJURED = frozenset(("injury", "pain"))
_SAID = frozenset(("speech", "said", "goal", "concern"))
"""What is no story: words, and what is to come."""
_NAMING = 4
_AFTER_THOUGHT = 4096
"""The first slot of chance of an answer; those before it are of the thought at the same instant."""
_EVEN = Affect(arousal=0.3, valence=0.0, energy=0.5, stress=0.0)
_KNOWN_US = HOUR_US
"""For how long somebody is known by the name that it said."""
CALLED = frozenset(("call",))
"""What a question has besides whom it asks for: `what is your brother called`."""
_KIND_FORMS = frozenset(("sorry", "love", "condole", "comfort", "pardon", "wish"))
"""What is done by kind words, also where what they are of is grave."""
_SORRY = ("sorry", "condole")
_FORMS = _KIND_FORMS | {"invite", "thanks", "farewell", "greeting", "offer", "request"}
"""What is done by saying it, whether it is a question or not."""
_OF_NOW = frozenset(
    ("ails", "able", "how", "where", "self", "alone", "clock", "whoami", "hungry", "why_state")
) | {"doing", "plans", "private"}
"""Questions of the moment, which the person and its situation answer."""


_OF_HABITS = frozenset(("plans", "asks", "unheard", "unremembered", "undecided", "what"))
"""Answers in the place of which the ordinary week may tell more."""


_OF_HOURS = ("yesno", "when", "how", "what")
"""Questions of work that its hours answer."""


class _Heard(NamedTuple):
    """What is heard: by whom, what is asked in it, what is told in it, and of whom it is."""

    source: str
    point: str
    news: str
    meant: str
    tone: str
    about: NamedOther | None


def spoken(
    moment: ThoughtMoment,
    heard: HeardWords,
    *,
    valence: float = 0.0,
    episodes: Sequence[Episode] = (),
    week: Sequence[RoutineBlock] = (),
) -> str:
    """Return what a person says to what it hears; it says that it does not know what it cannot.

    It answers from its situation, its identity and what it remembers at the moment; `valence` is
    how what was said is meant, `episodes` are what it remembers, in the order of time, and `week`
    is its ordinary one. The same moment and words always give the same answer.
    """
    lived = moment.lived or LifeMoment(affect=_EVEN)
    tongue = tongue_of(lived)
    others = others_of(lived.identity)
    said = _heard(heard, lived, others, episodes, valence, tongue)
    question = tongue.questions.read(said.point, heard.t_us) if said.point else None
    words = tongue.reader.read(heard.text, spoken=True)
    before = _remembered(heard, lived, episodes)
    topic = _topic(said, words.things, lived, before, question)
    plain = msgspec.structs.replace(lived, episode=None, memory=topic, step="passing", dream=False)
    if topic is not None:
        ago = ago_text(topic.t_us, moment.t_us)
        plain = msgspec.structs.replace(plain, memory_ago=ago)
    seen = moment_seen(moment, plain, tongue).speaker
    hurt = _hurt_of(topic, said.point, tongue) if topic is not None else ""
    if said.about is not None and said.about.name in seen.slots["dead"]:
        said = said._replace(about=said.about._replace(gone=True))
    tags, slots = set(seen.tags), dict(seen.slots)
    act, answer = _act(said, question, hurt, lived, before, heard.t_us)
    usual = tongue.questions.usual
    of_work = question is not None and question.asks in _OF_HOURS
    habits = not act.isdisjoint(_OF_HABITS) or (of_work and usual.asks_of_work(said.point))
    if question is not None and habits:
        then = question.span_us if question.past else None
        told = usual.answer(said.point, week, then, heard.t_us)
        act, answer = ({"knows"}, FoundAnswer(told)) if told else (act, answer)
    tags |= act | _relation(said.source, others)
    tags |= {"sore"} if _is_sore(moment, lived, topic) else set()
    if topic is not None:
        tags |= {"answering", mood_of_memory(topic, tongue)}
    slots |= {
        "thing": words.things,
        "hurt": (hurt,) if hurt else (),
        "speaker": (said.source,) if said.source[:1].isupper() else (),
        "known_fact": (answer.text,) if answer is not None and answer.text else (),
        "own_name": (lived.name,) if lived.name else (),
        "activity": (lived.situation.activity,) if lived.situation.activity else (),
    }
    if "plans" in act:
        slots["plan"] = _planned(heard, lived.plans, tongue)
        tags = tags - {"planned"} | ({"planned"} if slots["plan"] else set())
    slots |= _named(said.about, lived.identity, tongue)
    who = _speaker(said.source, others)
    kin = who.role if who is not None else ""
    slots["speaker_kin"] = (f"{tongue.manners.my} {kin}",) if kin else ()
    tags |= {"named_self"} if lived.name else set()
    if said.about is not None:
        tags |= {"is_tie", *({"is_lost"} if said.about.gone else ())}
    speaker = Speaker(
        frozenset(tags), slots, draws(moment, first=_AFTER_THOUGHT), seen.idiolect, {}
    )
    return _answer(tongue, speaker)


def _heard(
    heard: HeardWords,
    lived: LifeMoment,
    others: Sequence[NamedOther],
    episodes: Sequence[Episode],
    valence: float,
    tongue: Language,
) -> _Heard:
    """Return what is heard, by what is asked and what is told in it."""
    questions = tongue.questions
    source = heard.source or _introduced(heard, episodes, tongue)
    point = questions.point(heard.text, lived.name)
    asked = [one for one in sentences_of(heard.text) if one.endswith("?")]
    news = " ".join(one for one in sentences_of(heard.text) if one not in asked)
    if point and not asked:
        news = ""
    meant = tongue.manners.meaning(point or heard.text)
    if valence == 0.0 and lived.episode is not None and lived.episode.text == heard.text:
        valence = lived.episode.valence
    tone = _tone(news, heard, valence, lived.identity, tongue) if news else ""
    about = questions.asked_for(point or heard.text, others, skip=source)
    return _Heard(source, point, news, meant, tone, about)


def _planned(heard: HeardWords, plans: Sequence[ComingThing], tongue: Language) -> tuple[str, ...]:
    """Return what lies ahead at the time that is asked for, the soonest, in the first person."""
    lexicon = tongue.reader.lexicon
    asked = frozenset(re.findall(r"\w+", heard.text.casefold())) & ALL_TIMES
    for one in plans:
        if asked and (one.t_us is None or not asked <= times_ahead(one.t_us, heard.t_us)):
            continue
        first, *rest = one.text.split()
        words = [lexicon.turned.get(word.lower(), word) for word in rest]
        is_own = first.lower() in lexicon.hearer
        text = " ".join((lexicon.frames["self"] if is_own else first, *words))
        return (f"{text}, {one.when}" if one.when else text,)
    return ()


def _introduced(heard: HeardWords, episodes: Sequence[Episode], tongue: Language) -> str:
    """Return by which name somebody has said who it is, now or in this talk."""
    told = [
        one.text
        for one in episodes
        if one.type == "speech" and not one.source and heard.t_us - one.t_us <= _KNOWN_US
    ]
    found = map(tongue.questions.introduced, (heard.text, *reversed(told)))
    return next(filter(None, found), "")


def _tone(
    news: str, heard: HeardWords, valence: float, identity: PersonIdentity, tongue: Language
) -> str:
    """Return what is told means: `grave`, `bad`, `mixed`, `relief`, `good`, `great`, or nothing.

    What is said of the person itself is `praise` or an `insult`. News of which one part is bad and
    another takes the weight from it are mixed.
    """
    # What reads news is compiled only where somebody tells some.
    from mindpipe.person.mind.esteem import esteem
    from mindpipe.person.mind.tidings import understood

    def worth(text: str) -> float:
        event = PersonEvent(v=1, person="p", t_us=heard.t_us, id="heard", type="speech", text=text)
        return understood(event, identity).valence or 0.0

    questions, manners = tongue.questions, tongue.manners
    parts = [one for one in questions.turns.split(news) if one.strip()]
    relieved = any(questions.reassures.search(one) for one in parts)
    values = [worth(one) for one in parts] if len(parts) > 1 else [valence or worth(news)]
    values = [valence] if valence and max(map(abs, values)) < abs(valence) / 2 else values
    grave, great = manners.weight(news, min(values) if min(values) < 0 else max(values))
    kind = esteem(news, spoken=True)
    if kind and abs(kind) >= max(map(abs, values)) - 0.01 and not manners.tells_grave(news):
        return "insult" if kind < 0 else "praise"
    bad = grave or min(values) <= UNKIND or (relieved and questions.setback.search(news))
    bad = bad or questions.bodes_ill.search(news) is not None
    good = great or max(values) >= KIND or relieved or questions.bodes_well.search(news) is not None
    if bad and good and not manners.tells_death(news):
        return "mixed"
    if grave:
        return "grave" if _is_near(news, identity, tongue) else "bad"
    if bad:
        return "bad"
    return "great" if great else "relief" if relieved else "good" if good else ""


def _is_near(news: str, identity: PersonIdentity, tongue: Language) -> bool:
    """Tell whether grave news is of who speaks, of the person, or of somebody whom it knows."""
    from mindpipe.person.mind.people import named_at

    if re.search(rf"\b(?:I|I['’]\w+|my|our|we|{tongue.manners.yours}|you)\b", news, re.I):
        return True
    return any(named_at(news, other) is not None for other in others_of(identity))


def _act(
    said: _Heard,
    question: HeardQuestion | None,
    hurt: str,
    lived: LifeMoment,
    episodes: Sequence[Episode],
    t_us: int,
) -> tuple[set[str], FoundAnswer | None]:
    """Return what is answered, as tags, and what is known that answers it."""
    tongue, meant = tongue_of(lived), said.meant
    if said.tone in ("grave", "mixed") and meant not in _KIND_FORMS:
        return {"told_me", f"heard_{said.tone}", *_whose(said, tongue)}, None
    if meant in _FORMS and not (meant == "greeting" and said.tone):
        confesses = meant in _SORRY and tongue.questions.confesses.search(said.news)
        return ({"sorry", "confessed"} if confesses else {meant}), None
    if question is None and (said.tone or meant not in _OF_NOW):
        return {"told_me", f"heard_{said.tone or 'plain'}", *_whose(said, tongue)}, None
    if hurt and meant in ("how", "yesno", "asks", "ails", ""):
        return {"of_hurt"}, None
    if question is None or meant in _OF_NOW:
        greeted = tongue.manners.meaning(said.news) == "greeting"
        return {meant, *({"greeted"} if greeted else ())}, None
    return _known(said, question, lived, episodes, t_us)


def _known(
    said: _Heard, question: HeardQuestion, lived: LifeMoment, episodes: Sequence[Episode], t_us: int
) -> tuple[set[str], FoundAnswer | None]:
    """Return what is answered to a question by what the person knows, and that."""
    tongue, about = tongue_of(lived), said.about
    questions = tongue.questions
    if special := _counted_or_alive(said, question, lived, t_us):
        return special
    known = list(questions.known(lived.identity, episodes, HowTold(_deed(tongue), t_us)))
    known += questions.of_weather(lived.situation.weather, t_us)
    is_who, now = False, True
    if said.source[:1].isupper() and questions.names_speaker(question):
        return {"knows"}, FoundAnswer(questions.you_are(said.source))
    if about is not None:
        # Whom a question names by what they are is found by their name.
        named = questions.words(about.name)
        need = question.need - questions.words(about.role) | named
        question = question._replace(need=need, named=named)
        now = not (question.told or question.past or question.ahead or question.span_us)
        is_who = now and need - CALLED <= named and question.asks != "where"
    if about is not None and (found := _of_somebody(said, question, about, known, lived, t_us)):
        return {"knows", *({"yes"} if found.yes else {"no"} if found.no else ())}, found
    if is_who and about is not None:
        return _who_or_how(said, question, about, known, tongue, t_us)
    answer = questions.answer(question, known, asker=said.source, t_us=t_us)
    if answer is not None and answer.text:
        return {"knows", *({"yes"} if answer.yes else {"no"} if answer.no else ())}, answer
    newest = None
    if about is not None and now and question.asks in ("where", "yesno"):
        newest = questions.people.newest_of(about, known, asker=said.source, t_us=t_us)
    unknown = _unanswered(said, question, episodes, tongue, t_us)
    return ({"knows"}, newest) if newest is not None else unknown


def _of_somebody(
    said: _Heard,
    question: HeardQuestion,
    about: NamedOther,
    known: Sequence[KnownFact],
    lived: LifeMoment,
    t_us: int,
) -> FoundAnswer | None:
    """Return what somebody is or was to the person, or what became of them, where one asks it."""
    tongue, identity = tongue_of(lived), lived.identity
    questions, my = tongue.questions, tongue.manners.my
    if found := questions.people.related(question, about, my):
        return found
    now = question.asks == "yesno" and not (question.past or question.ahead or question.told)
    if about.gone and now and question.subject != "self" and question.need - question.named:
        # The dead are nowhere, and do nothing.
        how = HowTold(_deed(tongue), t_us)
        died = questions.people.lives(about, identity, how, asker=said.source, t_us=t_us)
        return None if died is None else died._replace(no=True)
    became = questions.people.became_of(question, about, known, asker=said.source, t_us=t_us)
    if became is None and about.gone and question.asks == "who" and question.need <= question.named:
        return questions.people.was(about, my)
    return became


def _who_or_how(
    said: _Heard,
    question: HeardQuestion,
    about: NamedOther,
    known: Sequence[KnownFact],
    tongue: Language,
    t_us: int,
) -> tuple[set[str], FoundAnswer | None]:
    """Return what is answered to who asks for nothing but somebody: who that is, or how."""
    if question.asks not in ("how", "yesno") or about.gone:
        return {"who", "who_is"}, None
    people = tongue.questions.people
    newest = people.newest_of(about, known, asker=said.source, t_us=t_us)
    if newest is not None:
        return {"knows"}, newest
    return _HOW_IS if question.asks == "how" else ({"who", "who_is"}, None)


_HOW_IS: tuple[set[str], FoundAnswer | None] = ({"who", "how_is"}, None)


def _unanswered(
    said: _Heard,
    question: HeardQuestion,
    episodes: Sequence[Episode],
    tongue: Language,
    t_us: int,
) -> tuple[set[str], FoundAnswer | None]:
    """Return what is answered to who asks what happened, or for what is not known."""
    if said.tone:
        return {"told_me", f"heard_{said.tone}", *_whose(said, tongue)}, None
    if said.meant != "what":
        return {_unknown(question)}, None
    if question.span_us is not None:
        day = tongue.questions.day(
            episodes, question.span_us, HowTold(_deed(tongue), t_us), t_us=t_us
        )
        if day is not None:
            return {"knows"}, day
    return {"what"}, None


def _counted_or_alive(
    said: _Heard, question: HeardQuestion, lived: LifeMoment, t_us: int
) -> tuple[set[str], FoundAnswer | None] | None:
    """Return what is answered to who asks how many there are, or whether somebody lives."""
    tongue, about = tongue_of(lived), said.about
    questions, identity = tongue.questions, lived.identity
    if (counted := questions.people.counted(question, identity, tongue.manners.my)) is not None:
        if question.asks != "yesno" or not questions.people.asks_household(question.text):
            return {"knows"}, counted
        home = [one.name for one in others_of(identity) if one.at_home and not one.gone]
        is_so = about.name in home if about is not None else not home
        return {"knows", "yes" if is_so else "no"}, counted
    asked = questions.people.asks_alive(question)
    if about is None or asked is None:
        return None
    found = questions.people.lives(
        about, identity, HowTold(_deed(tongue), t_us), asker=said.source, t_us=t_us
    )
    if found is None:
        return {"who", "how_is"}, None
    return {"knows", "yes" if asked is not about.gone else "no"}, found


def _unknown(question: HeardQuestion) -> str:
    """Return how it is said that something is not known."""
    if question.taste:
        return "undecided"
    if question.asks != "yesno" or (question.subject == "self" and not question.past):
        return "asks"
    return "unheard" if question.subject in ("other", "yours") else "unremembered"


def _whose(said: _Heard, tongue: Language) -> set[str]:
    """Return of whom news is: of who tells it, or of somebody of the person's own; and a death."""
    if tongue.manners.tells_death(said.news):
        return {"of_death", *_whose(said._replace(news=""), tongue)}
    if said.about is not None:
        return {"of_tie"}
    own = re.search(rf"\b(?:{tongue.manners.yours}|you)\b", said.news, re.I)
    return {"of_own"} if own else {"of_teller"}


def _deed(tongue: Language) -> Callable[[str], str]:
    """Return what tells what happened in the first person, nothing where it cannot be read."""
    lexicon = tongue.reader.lexicon

    def deed(text: str) -> str:
        told = text.partition(": ")[2] or text
        read = tongue.reader.read(told)
        if read.deeds and read.deeds[0] in read.turned:
            return read.deeds[0]
        if read.deeds:
            # What is told in the past stands as it is.
            first = next(iter(sentences_of(told)), told)
            return tongue.questions.retold.in_first_person(lexicon.coordinated(first)[0])
        low = set(told.lower().split())
        if low.isdisjoint(("you", "yourself")):
            return " ".join(lexicon.turned.get(word.lower(), word) for word in told.split())
        # A verb that no table has is told by its place.
        you, _, rest = re.split(r"[,;:.]| and ", told, maxsplit=1)[0].partition(" ")
        verb, _, rest = rest.partition(" ")
        turned = lexicon.turned.get(you.lower()) and verb.isalpha() and lexicon.is_content(verb)
        if not turned or verb.endswith("s"):
            return ""
        words = (lexicon.turned.get(word.lower(), word) for word in rest.split())
        return " ".join((lexicon.frames["self"], lexicon.preterite(verb), *words))

    return deed


def _remembered(heard: HeardWords, lived: LifeMoment, episodes: Sequence[Episode]) -> list[Episode]:
    """Return what happened before something was heard, in the order of time."""
    of_mind = (one for one in (lived.weighs, lived.memory, lived.episode) if one is not None)
    every = {one.id: one for one in (*of_mind, *episodes)}
    return sorted(
        (one for one in every.values() if one.t_us != heard.t_us or one.text != heard.text),
        key=lambda one: (one.t_us, one.id),
    )


def _named(
    about: NamedOther | None, identity: PersonIdentity, tongue: Language
) -> dict[str, tuple[str, ...]]:
    """Return the slots of whom something was asked or told: the name, and what they are."""
    if about is None:
        return {}
    telling = tellings(identity, about.name)
    kin = telling or (f"{tongue.manners.my} {about.role}" if about.role else "")
    return {"asked_name": (tongue.reader.turned(about.name),), "asked_kin": (kin,) if kin else ()}


def _relation(source: str, others: Sequence[NamedOther]) -> set[str]:
    """Return whether one of a person's own people speaks, and whether it is its partner."""
    who = _speaker(source, others)
    if who is None:
        return {"from_somebody"} if source else set()
    return {"from_tie", *({"from_partner"} if who.kind == "partner" else ())}


def _speaker(source: str, others: Sequence[NamedOther]) -> NamedOther | None:
    """Return which of a person's people speaks."""
    low = source.casefold()
    return next((one for one in others if low and low in (one.name.casefold(), one.role)), None)


def _answer(tongue: Language, speaker: Speaker) -> str:
    """Return the sentences of an answer."""
    for symbols in plans(tongue.grammar, "answer", speaker):
        said: set[int] = set()
        found = [new_sentence(tongue, one, speaker, said) for one in symbols]
        if found and found[0]:
            return " ".join(one for one in found if one)
    return tongue.phrases["no_answer"]


def _hurt_of(topic: Episode, point: str, tongue: Language) -> str:
    """Return the part of the body that a question names of what was hurt, or nothing."""
    first = point.split(" ", 1)[0].casefold()
    if topic.type not in _INJURED or tongue.questions.asks_of_then(first):
        return ""
    parts = re.findall(rf"\b{tongue.manners.yours} ([\w-]+)", point, re.I)
    hurt = _words_in(topic.text)
    return next((f"{tongue.manners.my} {one}" for one in parts if one.lower() in hurt), "")


def _is_sore(moment: ThoughtMoment, lived: LifeMoment, topic: Episode | None) -> bool:
    """Tell whether something hurts: by the body now, or by an injury that is not healed."""
    injured = topic is not None and topic.type in _INJURED and lived.ails is not None
    return injured or not ACHING.isdisjoint(moment.codes)


def _topic(
    said: _Heard,
    things: Sequence[str],
    lived: LifeMoment,
    episodes: Sequence[Episode],
    question: HeardQuestion | None,
) -> Episode | None:
    """Return what happened that an answer is about.

    Without any it is what matters most; of a time that is asked for, what mattered most in it.
    """
    of_mind = (lived.weighs, lived.memory, lived.episode)
    known = [one for one in of_mind if one is not None and one.type not in _SAID]
    if question is not None and question.span_us is not None:
        since_us, until_us = question.span_us
        then = (one for one in episodes if since_us <= one.t_us < until_us)
        happened = [one for one in then if one.type not in _SAID]
        return max(happened, key=lambda one: one.importance, default=None)
    # Little words name nothing, but as a thing they do: "leg".
    named_words = {word for word in _words_in(f"{said.point} {said.news}") if len(word) >= _NAMING}
    named_words |= {word for thing in things for word in words_of(thing)}
    hurt = [one for one in reversed(episodes) if one.type in _INJURED]
    named = (one for one in (*known, *hurt) if named_words & _words_in(one.text))
    return next(named, next(iter(known), None))


def _words_in(text: str) -> set[str]:
    """Return the words of a text."""
    return {word.lower() for word in re.findall(r"[^\W\d_]+", text)}
