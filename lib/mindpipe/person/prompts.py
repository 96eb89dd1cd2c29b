"""What a person's inner voice is asked: the system prompt, and the user prompt of each mode."""

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from mindpipe.person.calendar import ago_text, day_text
from mindpipe.person.mind.draft import (
    LivedDraft,
    PromptDraft,
    RecalledText,
    ThoughtPrompt,
    ToldEpisode,
    smaller,
)
from mindpipe.person.mind.felt import DISTORTED, IMPULSES, lines_of
from mindpipe.person.mind.residue import on_one_line
from mindpipe.person.records.episode import Episode, LifeSituation
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.records.state import Coping, Distortion, ThoughtMode
from mindpipe.person.records.thought import LifeMoment, ThoughtTrigger

SYSTEM = """\
You are a person experiencing your life moment by moment.
You think, feel, and experience the world through your body and mind.
Everything you experience is real to you.
What you remember and who you are shape what you notice now.
Stay inside this moment; a few plain sentences are enough.
IMPORTANT: You only output your inner experience — thoughts, feelings,
sensations, reactions. Never describe yourself in third person."""
_INNER = SYSTEM[SYSTEM.index("IMPORTANT:") :]
ALOUD = """\
IMPORTANT: Now you speak. You only output the words that you say aloud, in one or two
sentences: no thoughts, no gestures, no quotation marks, nothing about how you say it."""
SAY = "What do you say to {listener} aloud, in one or two sentences?"
WHO = "--- Who You Are ---"
QUESTIONS: dict[ThoughtMode, str] = {
    "react": "What are you thinking and feeling right now?",
    "spontaneous": "What passes through your mind?",
    "respond": "What do you think and feel?",
}
WHO_NOW = (
    "A new day begins. In two or three sentences, as you would say it to yourself: who are you?"
)
MAX_TOKENS = 2000
_BYTES_PER_TOKEN = 4


def system_text(identity: PersonIdentity | None, t_us: int | None = None) -> str:
    """Return the system prompt, with the block of an identity where there is one.

    At an instant what was learnt says how long ago that was.
    """
    if identity is None:
        return SYSTEM
    lists = (
        ("Your tendencies: ", ", ".join(identity.disposition_traits)),
        ("Your relationships: ", ", ".join(identity.relational_markers)),
        ("Your patterns: ", ", ".join(identity.emotional_patterns)),
        ("What matters to you: ", ", ".join(identity.values_commitments)),
        ("Memories that define you: ", "; ".join(identity.key_memories)),
        ("What you have learnt: ", "; ".join(_current(identity, t_us))),
        ("What is over: ", "; ".join(_over(identity, t_us))),
    )
    told = [f"{title}{on_one_line(said)}" for title, said in lists if said]
    narrative = [on_one_line(identity.self_narrative)] if identity.self_narrative else []
    return "\n".join([SYSTEM, "", WHO, *narrative, *told])


def _current(identity: PersonIdentity, t_us: int | None) -> tuple[str, ...]:
    """Return what somebody learnt of itself that still holds, and when that was."""
    return tuple(
        f"{fact.text} ({ago})"
        if t_us is not None and (ago := ago_text(fact.since_us, t_us))
        else fact.text
        for fact in identity.learnt
        if fact.until_us is None
    )


def _over(identity: PersonIdentity, t_us: int | None) -> tuple[str, ...]:
    """Return what was so of somebody and is no more, and until when, the latest last."""
    over = sorted(
        (one for one in identity.learnt if one.until_us is not None),
        key=lambda one: (one.until_us or 0, one.since_us),
    )
    return tuple(
        f"{fact.text} (until {ago.removeprefix('on ')})"
        if t_us is not None and (ago := ago_text(fact.until_us or 0, t_us)) not in _NOW
        else f"{fact.text} (no longer so)"
        for fact in over[-MOST_OVER:]
    )


MOST_OVER = 4
"""Of how much that is over a prompt tells."""
_NOW = ("", "just now", "a moment ago")


def distortions_text(distortions: Iterable[Distortion]) -> str:
    """Return how thinking tends to go wrong now, or nothing where it does not."""
    told = "; ".join(DISTORTED[name] for name in distortions)
    return f"Right now, your thinking tends toward: {told}." if told else ""


def impulse_text(coping: Coping | None) -> str:
    """Return what the primary way of coping draws to, or nothing without one."""
    return f"Your impulse is to {IMPULSES[coping]}." if coping else ""


def trigger_text(mode: ThoughtMode, trigger: ThoughtTrigger) -> str:
    """Return the line that says why a thought comes now.

    Whatever others wrote stays on this line, and what they say within its quotes.
    """
    text = on_one_line(trigger.text)
    if mode == "react":
        return f"Something just shifted: {text}"
    if mode == "spontaneous":
        return f"Your mind turns to: {text}"
    if trigger.type == "action":
        return f"Someone does this: {text}"
    quoted = text.replace('"', "'")
    return f'Someone says to you: "{quoted}"'


def spoken_texts(
    system: str, user: str, *, listener: str, thought: str, before: Iterable[str]
) -> tuple[str, str]:
    """Return the two texts that ask what is said aloud, made of those that asked for a thought.

    Args:
        system: The system prompt of the thought.
        user: The user prompt of the thought, which holds what was heard.
        listener: Who spoke, or nothing where that is not known.
        thought: What came to mind at that, or nothing.
        before: What was said to each other before that, oldest first.
    """
    parts = [user.removesuffix(QUESTIONS["respond"]).rstrip()]
    if told := [f"- {on_one_line(one)}" for one in before]:
        parts.append("\n".join(["What you two said before that:", *told]))
    if thought:
        parts.append(f"What you think of it, which nobody hears: {on_one_line(thought)}")
    parts.append(SAY.format(listener=on_one_line(listener) or "them"))
    return system.replace(_INNER, ALOUD), "\n\n".join(parts)


def user_text(draft: PromptDraft) -> str:
    """Return the user prompt: its parts, one empty line between them, empty ones left out."""
    if draft.lived is not None:
        return lived_text(draft, draft.lived)
    parts = (
        "\n".join(lines_of(draft.codes, t_us=draft.t_us)),
        distortions_text(draft.distortions),
        impulse_text(draft.impulse),
        _listed("What comes back to you:", draft.memories),
        _listed("What has been on your mind:", draft.thoughts),
        trigger_text(draft.mode, draft.trigger),
        QUESTIONS[draft.mode],
    )
    return "\n\n".join(part for part in parts if part)


WHERE = "Where you are:"
HAPPENED = "What happened:"
BACK = "What comes back to you:"
AHEAD = "What lies ahead:"
ON_MIND = "What has been on your mind:"
ASLEEP = "You are asleep, and dream."
DREAMS = "What do you dream?"


def lived_text(draft: PromptDraft, lived: LivedDraft) -> str:
    """Return the user prompt of a person who knows where it is and what happened to it.

    What others wrote stays on its line.
    """
    moment = lived.moment
    parts = (
        "\n".join([WHERE, situation_text(moment.situation, draft.t_us)]),
        "\n".join(lines_of(draft.codes, t_us=draft.t_us)),
        distortions_text(draft.distortions),
        impulse_text(draft.impulse),
        _lines(HAPPENED, (_told(one) for one in lived.happened)),
        _lines(BACK, (_told(one) for one in lived.back)),
        _lines(AHEAD, (f"{text} ({when})" if when else text for text, when in lived.ahead)),
        _listed(ON_MIND, draft.thoughts),
        lived_trigger_text(draft.mode, draft.trigger, moment),
        DREAMS if moment.dream else QUESTIONS[draft.mode],
    )
    return "\n\n".join(part for part in parts if part)


HELD = {
    "lying": "You lie down.",
    "sitting": "You sit.",
    "standing": "You are on your feet.",
    "moving": "You are on the move.",
}
"""How somebody holds itself."""


def situation_text(situation: LifeSituation, t_us: int | None) -> str:
    """Return where somebody is, with whom, what it does, and on which day, on one line."""
    said = [
        f"You are {on_one_line(situation.place)}{_with((*situation.company, *situation.animals))}."
    ]
    if situation.activity:
        said.append(f"You are {on_one_line(situation.activity)}.")
    if situation.activity != "asleep" and (held := HELD.get(situation.posture)):
        said.append(held)
    if situation.weekday:
        said.append(f"It is {situation.weekday if t_us is None else day_text(t_us)}.")
    if situation.weather:
        weather = on_one_line(situation.weather)
        said.append(f"{weather[:1].upper()}{weather[1:]}.")
    return " ".join(said)


def lived_trigger_text(mode: ThoughtMode, trigger: ThoughtTrigger, moment: LifeMoment) -> str:
    """Return the line that says why a thought comes now, to somebody who knows what happened."""
    episode = moment.episode
    if moment.dream:
        text = on_one_line(episode.text if episode else trigger.text)
        return f"{ASLEEP} It is of this: {text}" if text else ASLEEP
    if episode is None or (trigger.dim is not None and episode.noticed_us is not None):
        return trigger_text(mode, trigger)
    said = happened_text(episode)
    if mode == "spontaneous":
        when = f"{moment.ago}: " if moment.ago else ""
        return f"Your mind turns to this: {when}{said}"
    if moment.ago in ("", "just now"):
        return f"This just happened: {said}"
    return f"Now it reaches you ({moment.ago}): {said}"


_REACHED = "you have reached this:"
_GOALS = {
    "": "you want to",
    "failed": "you did not manage this, and it is over:",
    "given_up": "you have given this up:",
}
"""What stands before a goal, by how it ended."""


def happened_text(episode: Episode) -> str:
    """Return what happened on one line, with who said or did it; what was said is in quotes."""
    text, source = on_one_line(episode.text), on_one_line(episode.source) or "Someone"
    if episode.type == "speech":
        quoted = text.replace('"', "'")
        return f'{source[:1].upper()}{source[1:]} says to you: "{quoted}"'
    if episode.type == "goal":
        return f"{_GOALS.get(episode.ended, _REACHED)} {text}"
    if episode.source and source.casefold() not in text.casefold():
        return f"{source}: {text}"
    return text


def _told(one: ToldEpisode) -> str:
    """Return something that happened with when that was."""
    again = " (more than once)" if one.episode.count > 1 else ""
    return f"{one.ago}: {happened_text(one.episode)}{again}"


def _with(company: tuple[str, ...]) -> str:
    """Return with whom somebody is."""
    names = [on_one_line(name) for name in company]
    if not names:
        return ""
    *first, last = names
    return f", with {', '.join(first)} and {last}" if first else f", with {last}"


def tokens_of(system: str, user: str) -> int:
    """Return the estimated tokens of both texts: a quarter of their UTF-8 octets, rounded up."""
    octets = len(system.encode()) + len(user.encode())
    return -(-octets // _BYTES_PER_TOKEN)


class PromptBuilder(NamedTuple):
    """Makes the two texts of a call, at most `max_tokens` estimated tokens together.

    What is too long is compressed until it fits, and sent whole where it cannot be made to fit;
    nothing is cut off.
    """

    max_tokens: int = MAX_TOKENS

    def build(self, draft: PromptDraft) -> ThoughtPrompt:
        """Return the texts of the first draft that fits, or of the smallest one."""
        prompt = self._prompt(draft, compressed=False)
        for attempt in smaller(draft):
            if prompt.fits:
                break
            prompt = self._prompt(attempt, compressed=True)
        return prompt if prompt.fits else prompt._replace(compressed=True)

    def retelling(self, identity: PersonIdentity) -> ThoughtPrompt:
        """Return the texts that ask somebody to say anew who it is."""
        system = system_text(identity)
        tokens = tokens_of(system, WHO_NOW)
        fits = tokens <= self.max_tokens
        return ThoughtPrompt(
            system=system, user=WHO_NOW, tokens=tokens, compressed=False, fits=fits
        )

    def _prompt(self, draft: PromptDraft, *, compressed: bool) -> ThoughtPrompt:
        """Return the texts of one draft."""
        system, user = system_text(draft.identity, draft.t_us), user_text(draft)
        tokens = tokens_of(system, user)
        return ThoughtPrompt(
            system=system,
            user=user,
            tokens=tokens,
            compressed=compressed,
            fits=tokens <= self.max_tokens,
        )


def _listed(title: str, pieces: tuple[RecalledText, ...]) -> str:
    """Return a title and one line for each piece, or nothing where there are none."""
    return _lines(title, (piece.text for piece in pieces))


def _lines(title: str, texts: Iterable[str]) -> str:
    """Return a title and one line for each text, or nothing where there are none."""
    told = [f"- {on_one_line(text)}" for text in texts]
    return "\n".join(chain([title], told)) if told else ""
