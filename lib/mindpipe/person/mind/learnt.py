"""What a person learns of itself: added to what its author gave, which stays, and bounded.

A turn of its life is learnt at once, what else mattered when a new day begins. A newer fact of the
same thing supersedes an older one, which is kept with the time at which that was.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.core.patterns import late
from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.episodes import DONE
from mindpipe.person.mind.leave import BABY, leave_us
from mindpipe.person.mind.people import people_in
from mindpipe.person.mind.relations import NamedOther, kin_of_kin, kind_of, others_of
from mindpipe.person.mind.residue import first_sentence, on_one_line
from mindpipe.person.mind.told_turn import NOTICE, SICK_LEAVE, WORK
from mindpipe.person.mind.turns import LifeTurn
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import LifeTopic, PersonEvent
from mindpipe.person.records.person import LearntFact, PersonIdentity
from mindpipe.person.records.state import PersonRelation

MOST_FACTS, MOST_SUPERSEDED = 12, 6
"""How many facts hold at a time, and of how many that do no more the memory is kept."""
CHARACTERS = 110
"""No fact is longer."""
A_DAY = 2
"""How many facts a day leaves, besides its turns."""
IMPORTANT, MOVING = 0.55, 0.3
"""From what importance, and what valence either way, something is learnt from (C)."""
MET, MARKED = 3, 0.3
"""After how many meetings somebody is known, and from which mean valence on in a way of its own."""
_IDLE = (WORK, NOTICE, SICK_LEAVE)
SELF = "self"
"""What a fact is of that a person says of itself."""
_LASTING: frozenset[LifeTopic] = frozenset(
    {"bereavement", "separation", "dismissal", "birth", "love"}
)
_TELLING = frozenset({"news", "speech", "action", "contact"})
_NO_FACT = frozenset({"concern", "goal", "task", "noise", "light", "climate", "food", "drink"})


def turned(identity: PersonIdentity, turn: LifeTurn, event: PersonEvent) -> PersonIdentity:
    """Return an identity after a turn of its life, which is known at once."""
    told_ill = turn.topic == "illness" and event.type != "illness"
    of_known = turn.topic == "death" and _other(turn, identity) is not None
    lasting = turn.topic in _LASTING or told_ill or turn.about == SICK_LEAVE or of_known
    text = _of_turn(turn, event, identity) if lasting else ""
    if not text:
        return identity
    about = turn.about
    if turn.topic == "separation" and _is_wanted(event):
        # What somebody wants is not done: the person still has whom it has.
        other = _other(turn, identity)
        text = f"{_called(other) if other else about} {_WANTS_TO_PART}"
        return added(identity, LearntFact(text=text, since_us=event.t_us, about=about))
    if turn.topic == "birth":
        labour = [one for one in holding(identity) if _EXPECTED.search(one.text)]
        identity = _ended(identity, labour, event.t_us)
    if turn.topic == "birth" and about:
        # A child of somebody else changes what one knows, and not how one lives.
        name, other = _newborn(event, identity), _other(turn, identity)
        role = "daughter" if _GIRL.search(text) else "son" if _BOY.search(text) else "child"
        _, kin = kin_of_kin(other.kind if other else kind_of(about)[0], role)
        kin, about = ("", f"{about}'s baby") if name == BABY else (kin, name)
        return added(identity, LearntFact(text=text, since_us=event.t_us, about=about, kin=kin))
    if turn.topic == "birth":
        about = _newborn(event, identity)
    if (was := _was(turn, identity)) and turn.topic in ("bereavement", "separation"):
        # What was so before has no beginning that anybody told.
        before = LearntFact(text=was, since_us=event.t_us, about=about, until_us=event.t_us)
        identity = msgspec.structs.replace(identity, learnt=(*identity.learnt, before))
    return added(
        identity,
        LearntFact(
            text=text,
            since_us=event.t_us,
            about=about,
            turn=turn.topic,
            ends_us=_back_us(event) if about == SICK_LEAVE else turn.due_us,
            leave_us=leave_us(turn, event, identity, _other(turn, identity)),
        ),
    )


_EXPECTED = late(r"(?i)\b(?:in labour|in labor|contractions|waters (?:have )?b(?:roke|roken))\b")
"""What ends when a child is born."""


def _is_wanted(event: PersonEvent) -> bool:
    """Tell whether an event tells of a parting that somebody only wants."""
    from mindpipe.person.mind.turn_words import WANTED

    return WANTED.search(event.text or "") is not None


def _other(turn: LifeTurn, identity: PersonIdentity) -> NamedOther | None:
    """Return whom a turn is of, where the person has named them."""
    return next((one for one in others_of(identity) if one.name == turn.about), None)


def _was(turn: LifeTurn, identity: PersonIdentity) -> str:
    """Return what somebody was to a person that it has just lost, where that was its partner."""
    other = _other(turn, identity)
    if other is None or other.gone or other.kind != "partner":
        return ""
    named = other.name if other.name[:1].isupper() else other.name.casefold()
    return f"you were {'married to' if other.role in _SPOUSES else 'with'} {named}"


_SPOUSES = ("husband", "wife", "spouse")


def _back_us(event: PersonEvent) -> int:
    """Return when somebody may work again who was told for how long it may not."""
    from mindpipe.person.mind.recognition import days_off

    return event.t_us + days_off(event.text or "") * DAY_US


def mended(
    identity: PersonIdentity, event: PersonEvent, over: Sequence[Episode] = ()
) -> PersonIdentity:
    """Return an identity after an event that gives back what was lost: work, or who had parted.

    Args:
        identity: Who the person was until then.
        event: What tells of it.
        over: What it takes back, or tells to have ended well.
    """
    if not event.text or event.type not in _TELLING:
        return identity
    if over:
        identity = _all_over(identity, event, over)
    if good := [one for one in holding(identity) if _is_good_again(one, event, identity)]:
        identity = _ended(identity, good, event.t_us)
    # A loss may be taken back, and so may an illness; what reads that is compiled only then.
    if any(one.is_death or one.turn in ("illness", "dismissal") for one in holding(identity)):
        identity = _taken_back(identity, event)
    parted = [one.about for one in holding(identity) if one.turn == "separation" and one.about]
    idle = [one for one in holding(identity) if one.about in _IDLE and one.turn]
    if not parted and not idle:
        return identity
    # What finds that in words is compiled only where something was lost.
    from mindpipe.person.mind.recognition import reunited, tells_work_again

    if parted and (who := reunited(event, identity, parted)):
        other = next((one for one in others_of(identity) if one.name == who), None)
        called = _called(other) if other else who
        text = f"you and {called} are together again"
        apart = [one for one in identity.learnt if one.turn == "separation" and one.about == who]
        fact = LearntFact(text=text, since_us=event.t_us, about=who)
        return added(_ended(identity, apart, event.t_us), fact)
    if idle and tells_work_again(event, identity):
        fact = LearntFact(text=_short(event.text), since_us=event.t_us, about=WORK)
        return added(_ended(identity, idle, event.t_us), fact)
    return identity


def _is_good_again(fact: LearntFact, event: PersonEvent, identity: PersonIdentity) -> bool:
    """Tell whether an event ends what was wrong with somebody: that one is good to the person."""
    strained = fact.text.startswith(_TENSE) or fact.text.endswith(_WANTS_TO_PART)
    if not strained or event.type not in _TOUCHING or _quality(event) < MARKED:
        return False
    beside = people_in(event.text or "", identity) if event.type != "speech" else ()
    return fact.about in (event.source, *(event.people or ()), *beside)


_TOUCHING = frozenset({"speech", "action", "contact", "touch"})
_TENSE = "it is tense with "
_WANTS_TO_PART = "wants to part from you"


def _quality(event: PersonEvent) -> float:
    """Return how good it is what somebody says or does, or is together with the person."""
    return event.valence if event.valence is not None else event.quality or 0.0


def _taken_back(identity: PersonIdentity, event: PersonEvent) -> PersonIdentity:
    """Return an identity after an event that says of what was learnt that it is not so."""
    from mindpipe.person.mind.recognition import denied_turn

    over = [one for one in holding(identity) if one.turn and denied_turn(event, identity, one)]
    return _undone(identity, event, over) if over else identity


def _all_over(
    identity: PersonIdentity, event: PersonEvent, over: Sequence[Episode]
) -> PersonIdentity:
    """Return an identity in which nothing holds any more that was learnt of what is over."""
    known = {one.t_us for one in over} | {_known_us(one) for one in over}
    texts = {_of_episode(one) for one in over}
    facts = [one for one in holding(identity) if one.since_us in known]
    turned = [one for one in facts if one.turn]
    # What was learnt of somebody by it is over with it, whatever its words.
    past = [one for one in facts if not one.turn and (one.about or one.text in texts)]
    identity = _ended(identity, past, event.t_us) if past else identity
    return _undone(identity, event, turned) if turned else identity


def _undone(
    identity: PersonIdentity, event: PersonEvent, over: Sequence[LearntFact]
) -> PersonIdentity:
    """Return an identity in which turns of its life never were, with what says so."""
    # What somebody was before a death that never was is no past.
    never = [one for one in identity.learnt if any(_began_with(one, was) for was in over)]
    learnt = tuple(one for one in identity.learnt if one not in never)
    identity = _ended(msgspec.structs.replace(identity, learnt=learnt), over, event.t_us)
    text, said = _short(event.text or ""), event.type == "speech"
    text = _said_by(event.source or "", event.text or "") if said else text
    for one in over:
        fact = LearntFact(text=text, since_us=event.t_us, about=one.about)
        identity = added(identity, fact)
    return identity


def _began_with(fact: LearntFact, turn: LearntFact) -> bool:
    """Tell whether a fact is what was so until a turn."""
    return not fact.turn and fact.about == turn.about and fact.until_us == turn.since_us


def holding(identity: PersonIdentity) -> list[LearntFact]:
    """Return what a person learnt of itself that is still so."""
    return [one for one in identity.learnt if one.until_us is None]


def _ended(identity: PersonIdentity, facts: Sequence[LearntFact], t_us: int) -> PersonIdentity:
    """Return an identity in which some facts are no longer so from an instant on."""
    learnt = [
        msgspec.structs.replace(one, until_us=t_us)
        if one in facts and one.until_us is None
        else one
        for one in identity.learnt
    ]
    return msgspec.structs.replace(identity, learnt=tuple(learnt))


def grown(
    identity: PersonIdentity,
    episodes: Sequence[Episode],
    relations: Iterable[PersonRelation],
    *,
    t_us: int,
    since_us: int,
) -> PersonIdentity:
    """Return an identity at the beginning of a new day, after what happened since the last one."""
    over = [one for one in holding(identity) if one.ends_us is not None and one.ends_us <= t_us]
    # A post that was to end has ended by then, and its loss holds.
    gone = [one for one in over if one.about == NOTICE]
    if over:
        identity = _ended(identity, over, t_us)
    for one in gone:
        text = "you are out of work"
        identity = added(identity, LearntFact(text=text, since_us=t_us, about=WORK, turn=one.turn))
    if any(one.leave_us is not None and one.leave_us <= t_us for one in identity.learnt):
        learnt = tuple(
            msgspec.structs.replace(one, leave_us=None)
            if one.leave_us is not None and one.leave_us <= t_us
            else one
            for one in identity.learnt
        )
        identity = msgspec.structs.replace(identity, learnt=learnt)
    fresh = [one for one in episodes if since_us <= _known_us(one) < t_us and _is_moving(one)]
    fresh.sort(key=lambda one: (-one.importance, -abs(one.valence), one.t_us, one.id))
    for episode in sorted(fresh[:A_DAY], key=lambda one: (one.t_us, one.id)):
        ends_us = episode.until_us if episode.type == "illness" else None
        text = _of_episode(episode)
        fact = LearntFact(text=text, since_us=_known_us(episode), ends_us=ends_us)
        identity = added(identity, fact)
    for fact in _of_relations(identity, relations, t_us):
        identity = added(identity, fact)
    return identity


def retold(identity: PersonIdentity, words: str, t_us: int) -> PersonIdentity:
    """Return an identity with what a person says anew of itself; nothing said changes nothing."""
    if not words:
        return identity
    return added(identity, LearntFact(text=words, since_us=t_us, about=SELF))


def added(identity: PersonIdentity, fact: LearntFact) -> PersonIdentity:
    """Return an identity with one more fact; what it supersedes holds no more from then on."""
    held = holding(identity)
    over = [one for one in identity.learnt if one.until_us is not None]
    if any(one.text == fact.text for one in held):
        return identity
    replaced = [one for one in held if _supersedes(fact, one)]
    over += [msgspec.structs.replace(one, until_us=fact.since_us) for one in replaced]
    held = [*(one for one in held if one not in replaced), fact]
    if len(held) > MOST_FACTS:
        # A turn is forgotten last: company and work go by it.
        held.remove(next((one for one in held if not one.turn), held[0]))
    learnt = sorted((*over[-MOST_SUPERSEDED:], *held), key=lambda one: one.since_us)
    return msgspec.structs.replace(identity, learnt=tuple(learnt))


def _supersedes(new: LearntFact, old: LearntFact) -> bool:
    """Tell whether a fact takes the place of another: of the same thing, and a turn only by one."""
    of_work = new.about in (WORK, NOTICE) and old.about in (WORK, NOTICE)
    if not new.about or (new.about != old.about and not of_work):
        return False
    return not old.turn or bool(new.turn) or of_work


def _of_turn(turn: LifeTurn, event: PersonEvent, identity: PersonIdentity) -> str:
    """Return what a turn leaves, in a few words."""
    other = _other(turn, identity)
    who = _called(other) if other else turn.about
    if turn.topic in ("bereavement", "death") and who:
        role = other.role if other else ""
        widowed = "; you are widowed" if role in _SPOUSES else ""
        return f"{who} died{widowed}"
    if turn.topic == "separation" and who:
        return f"you and {who} have parted"
    if turn.topic == "love" and who and other is None:
        return f"there is something between you and {who}"
    if turn.topic == "dismissal" and not event.text:
        return "you lost your work"
    text = event.text or ""
    return _said_by(event.source or "", text) if event.type == "speech" else _short(text)


def _called(other: NamedOther) -> str:
    """Return how somebody is spoken of: `Reijo, your husband,` or `your wife`."""
    if other.name.startswith("your ") or not other.role or other.role in other.name.casefold():
        return other.name
    return f"{other.name}, your {other.role},"


_GIRL, _BOY = late(r"(?i)\b(?:girl|daughter)\b"), late(r"(?i)\b(?:boy|son)\b")
_CALLED = late(r"(?i:\b(?:called?|named?|name is) (?:her |him |it )?)([A-ZÀ-Þ][\w’-]+)")
_NAME = late(r"(?<![.!?] )(?<!^)\b([A-ZÀ-Þ][\w’-]+)")


def _newborn(event: PersonEvent, identity: PersonIdentity) -> str:
    """Return the name of a child that is born, `BABY` where the words name none or several."""
    if called := _CALLED.search(event.text or ""):
        return called[1]
    known = {one.name.casefold() for one in others_of(identity)}
    found = {name for name in _NAME.findall(event.text or "") if name.casefold() not in known}
    return found.pop() if len(found) == 1 else BABY


def _known_us(episode: Episode) -> int:
    """Return when something that happened is known: an illness from its beginning on."""
    return episode.t_us if episode.type == "illness" else episode.until_us


def _is_moving(episode: Episode) -> bool:
    """Tell whether something that happened is learnt from."""
    if episode.ended and not episode.is_over_well:
        return episode.importance >= IMPORTANT
    if episode.is_over_well or episode.type in _NO_FACT or episode.topic in _LASTING:
        return False
    if _EXPECTED.search(episode.text):
        return False  # that is over in a day
    return episode.importance >= IMPORTANT and abs(episode.valence) >= MOVING


def _of_episode(episode: Episode) -> str:
    """Return what something that happened leaves."""
    if episode.ended == DONE:
        return f"you did it: {_short(past(episode.text))}"
    if episode.ended:
        how = "you gave it up" if episode.ended == "given_up" else "you did not manage it"
        return f"{how}: {_short(episode.text)}"
    if episode.type == "speech":
        return _said_by(episode.source, episode.text)
    return _short(episode.text)


def _said_by(source: str, text: str) -> str:
    """Return what somebody said, in quotes, so that nobody's words pass for what one is."""
    said = _short(text.replace('"', "'"))
    return f'{_short(source) or "somebody"} said to you: "{said}"'


def _of_relations(
    identity: PersonIdentity, relations: Iterable[PersonRelation], t_us: int
) -> list[LearntFact]:
    """Return how it is with those who were met often enough, where that is marked."""
    gone = {one.name for one in others_of(identity) if one.gone}
    told: list[LearntFact] = []
    for one in relations:
        mean = one.valence_sum / one.inputs if one.inputs else 0.0
        if one.inputs < MET or abs(mean) < MARKED or one.name in gone:
            continue
        if any(fact.about == one.name for fact in identity.learnt):
            continue
        text = f"you and {one.name} are close" if mean > 0 else f"{_TENSE}{one.name}"
        told.append(LearntFact(text=text, since_us=t_us, about=one.name))
    return told


def _short(text: str) -> str:
    """Return a text on one line, its first sentence where all of it is too long."""
    told = on_one_line(text).strip().rstrip(".")
    return told if len(told) <= CHARACTERS else first_sentence(told, most=CHARACTERS)


_PAST = {
    "be": "were", "become": "became", "begin": "began", "bring": "brought", "build": "built",
    "buy": "bought", "catch": "caught", "choose": "chose", "come": "came", "cut": "cut",
    "do": "did", "draw": "drew", "drive": "drove", "eat": "ate", "feed": "fed", "find": "found",
    "get": "got", "give": "gave", "go": "went", "hold": "held", "keep": "kept", "lead": "led",
    "learn": "learnt", "leave": "left", "lose": "lost", "make": "made", "meet": "met",
    "pay": "paid", "put": "put", "read": "read", "ride": "rode", "run": "ran", "say": "said",
    "see": "saw", "sell": "sold", "send": "sent", "set": "set", "sing": "sang", "sleep": "slept",
    "speak": "spoke", "spend": "spent", "stand": "stood", "swim": "swam", "take": "took",
    "teach": "taught", "tell": "told", "think": "thought", "win": "won", "write": "wrote",
}  # fmt: skip


def past(goal: str) -> str:
    """Return a goal as what was done: `pass the oral` as `passed the oral`."""
    verb, space, rest = goal.partition(" ")
    low = verb.casefold()
    if not low.isalpha():
        return goal
    if low in _PAST:
        done = _PAST[low]
    elif low.endswith("e"):
        done = f"{low}d"
    elif re.search(r"[^aeiou]y$", low):
        done = f"{low[:-1]}ied"
    elif re.search(r"^[^aeiou]*[aeiou][bdgklmnprt]$", low):
        done = f"{low}{low[-1]}ed"
    else:
        done = f"{low}ed"
    return f"{done}{space}{rest}"
