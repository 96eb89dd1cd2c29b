"""The voice that is always there: sentences drawn from how a person is, without any model."""

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import TextPart
from mindpipe.core.models import Finish, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from mindpipe.core.problems import Problem, problems_of
from mindpipe.person.chance import key_of, uniform
from mindpipe.person.mind.felt import NOTHING
from mindpipe.person.mind.residue import first_sentence
from mindpipe.person.records.state import Distortion
from mindpipe.person.records.thought import COMPOSED, ThoughtMoment, VoiceRequest

_ORDER = "P1 V1 A1 E1 R1 I3 I1 C1 H1 F1 K1 K2 P2 V2 A2 E2 R2 I2 H2 T1 B1 V3 E3 A3"
ORDER = tuple(_ORDER.split())
"""The codes of the state block, what presses most first."""
FELT: dict[str, tuple[str, str]] = {
    "P1": (
        "it hurts so much that nothing else fits in my head",
        "the pain fills everything",
    ),
    "P2": ("something aches and keeps asking for notice", "there is a nagging pain"),
    "V1": ("everything feels bad, heavy and dark", "a dark weight lies on all of it"),
    "V2": ("there is an uneasy note under everything", "my mood is low"),
    "V3": ("things feel light and good", "there is a warm brightness in me"),
    "A1": ("my heart is pounding and I am on edge", "my whole body is wound up"),
    "A2": ("my pulse is quicker than usual", "I am very awake"),
    "A3": ("my body is slow and quiet", "I am very still"),
    "E1": ("I am so tired that every movement costs me", "I have nothing left in me"),
    "E2": ("I am tired and would like to lie down", "my eyes are heavy"),
    "E3": ("I feel fresh", "I am rested and clear"),
    "R1": ("I am raw and cannot hold myself together", "one more thing and I come undone"),
    "R2": ("small things get under my skin", "I am thinner-skinned than usual"),
    "I1": ("I miss having people around me", "I feel alone in this"),
    "I2": ("time drags", "I wish something would happen"),
    "I3": ("it is as if there were nobody left out there", "the silence around me has no end"),
    "C1": ("my thoughts are muddled and slip away", "I cannot keep a thought in place"),
    "H1": ("I am very hungry", "my stomach keeps calling"),
    "H2": ("I could eat something", "a bit of hunger stirs"),
    "T1": ("my mouth is dry", "I want a drink of water"),
    "B1": ("I need the toilet", "my bladder is full"),
    "K1": ("I am cold to the bone", "my hands are stiff with cold"),
    "K2": ("I am much too hot", "the heat sits on me"),
    "F1": ("I feel feverish and my skin aches", "the fever makes everything swim"),
    "0": ("I feel ordinary", "nothing presses on me"),
}
TRIGGERS: dict[str, str] = {
    "arousal+": "my heart is suddenly racing",
    "arousal-": "a sudden calm settles over me",
    "valence-": "a dark feeling washes over me",
    "valence+": "something lightens inside me",
    "energy-": "my strength is draining away",
    "energy+": "a wave of energy runs through me",
    "pain+": "a sharp pain takes hold of me",
    "pain-": "the pain is letting go",
    "waking": "I am pulled out of sleep",
    "respond+": "someone is with me and it does me good",
    "respond0": "someone is with me and I take it in",
    "respond-": "someone is with me and it stings",
    "exhausted": "my body wants rest before anything",
    "distressed": "something in me is badly upset",
    "alone": "I think of the people I do not see",
    "eat": "I think about food",
    "drink": "I think about water",
    "toilet": "I look for a toilet in my mind",
    "sleep": "I think about my bed",
    "warmth": "I want to be warm and comfortable",
    "pain_relief": "I want this pain to ease",
    "recovery": "I want to put everything down for a while",
    "safety": "I want to be somewhere safe",
    "contact": "I want to be with somebody",
    "stimulation": "I want something to do",
    "goal": "I go through what I still have ahead of me",
    "social": "I wonder how I came across",
    "prediction": "that was not what I expected",
    "drift1": "my mind drifts slowly",
    "drift2": "my thoughts wander into darker places",
    "drift3": "my mind is quiet and open",
    "drift4": "my mind wanders",
    "episode": "I think of what happened",
    "dream": "I dream",
}
"""What is said of what a thought came from; for a spontaneous one the key is its source."""
LEANS: dict[str, tuple[str, str]] = {
    "rumination": ("I can't stop thinking about it", "I keep going over and over it"),
    "acceptance": ("it is what it is", "I can let it go"),
    "reappraisal": ("there is another way to look at this", "maybe it's not that bad"),
    "suppression": ("I push it down", "I ignore it"),
    "problem_solving": ("I need a plan", "I will figure this out"),
    "distraction": ("I will think about something else", "I try to distract myself"),
    "denial": ("nothing's wrong", "it's fine"),
    "all_or_nothing": ("it is a complete failure", "I never do anything right"),
    "overgeneralization": ("this always happens to me", "nothing ever works out for me"),
    "mental_filter": ("I can only see what went badly", "all I see is the bad part"),
    "disqualifying_positive": ("the good parts do not count", "that was just luck"),
    "mind_reading": ("they must think I am strange", "everyone thinks less of me"),
    "fortune_telling": ("this will go wrong", "I am going to fail"),
    "catastrophizing": ("this is going to be a disaster", "I see the worst case coming"),
    "emotional_reasoning": ("I feel bad so it must be bad", "I feel like a burden"),
    "should_statements": ("I should have done better", "I must not show it"),
    "labeling": ("I am such a fool", "I am useless"),
    "personalization": ("it is my fault", "it happened because of me"),
}
"""What each way of coping and each distortion says; each is found again by the parsers."""

STREAM = 4
"""The stream of chance that this voice draws from, and what each of its draws decides."""
_FEELING, _FELT_VARIANT, _DISTORTED, _LEAN_VARIANT, _REMINDED, _WHICH = range(6)
DISTORTED_BELOW, REMINDED_BELOW = 0.5, 0.35
STRAINED, MOST_LEANS = 0.5, 3
QUOTED = 60
"""The most characters of a memory that are said again."""


def composed(asked: VoiceRequest) -> str:
    """Return the words of the composed voice; it speaks from the moment and reads no prompt.

    They are empty where somebody who lives at its own pace thinks of nothing new.
    """
    if asked.moment.lived is not None:
        from mindpipe.person.voice.lived import lived_words

        return lived_words(asked.moment, asked.moment.lived)
    return composed_words(asked.moment)


def composed_words(moment: ThoughtMoment) -> str:
    """Return what is felt, what it came from, up to three tendencies and at times a memory.

    Somebody who lives at its own pace speaks from what it lives instead (`lived.lived_words`). The
    same moment always gives the same words.
    """
    if moment.lived is not None:
        from mindpipe.person.voice.lived import lived_words

        return lived_words(moment, moment.lived, aloud=True)
    key = key_of(moment.seed, moment.person)
    draws = [uniform(key, moment.t_us, STREAM, slot) for slot in range(6)]
    sentences = [_felt(moment, draws), TRIGGERS[moment.trigger], *_leans(moment, draws)]
    if moment.memory and draws[_REMINDED] < REMINDED_BELOW:
        sentences.append(f"it brings back {_recalled(moment.memory)}")
    return ". ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences) + "."


def _felt(moment: ThoughtMoment, draws: list[float]) -> str:
    """Return one of the two strongest feelings in one of its two forms."""
    matched = [code for code in ORDER if code in moment.codes][:2] or [NOTHING]
    code = matched[int(draws[_FEELING] * len(matched))]
    return _variant(FELT[code], draws[_FELT_VARIANT])


def _leans(moment: ThoughtMoment, draws: list[float]) -> list[str]:
    """Return what distortions say, several under strain, or else what coping says."""
    names: tuple[str, ...] = ()
    if moment.distortions and draws[_DISTORTED] < DISTORTED_BELOW:
        names = _said(moment.distortions, strained=moment.stress >= STRAINED, draw=draws[_WHICH])
    elif moment.coping:
        names = (moment.coping,)
    return [_variant(LEANS[name], draws[_LEAN_VARIANT]) for name in names]


def _said(
    distortions: tuple[Distortion, ...], *, strained: bool, draw: float
) -> tuple[Distortion, ...]:
    """Return which distortions speak: under strain the first three, else one of them."""
    if strained:
        return distortions[:MOST_LEANS]
    return (distortions[int(draw * len(distortions))],)


def _recalled(memory: str) -> str:
    """Return the beginning of a memory as part of a sentence."""
    sentence = first_sentence(memory, most=QUOTED)
    return sentence[:1].lower() + sentence[1:]


def _variant(forms: tuple[str, str], draw: float) -> str:
    """Return one of two forms."""
    return forms[int(draw * len(forms))]


NAME = COMPOSED
_TARGET = Target(provider=NAME, api="program", model=NAME, family=NAME)


class ComposedModel:
    """Say words that are known already, whatever the request is."""

    def __init__(self, words: str) -> None:
        self._words = words

    @property
    def target(self) -> Target:
        """Return what requests for this voice are written for: it needs no form of its own."""
        return _TARGET

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return the words."""
        del request
        if preview is not None:
            preview.text(self._words)
        return ModelReply(
            parts=(TextPart(text=self._words),), finish=Finish.END, provider_finish="end"
        )


def moment_of(about: object, *, source: str, line: int) -> ThoughtMoment:
    """Return the moment that a request is about.

    Raises:
        BadInputError: it is about no moment, or about one that breaks its shape.
    """
    given = about.get("moment") if isinstance(about, dict) else None
    at = "$.about.moment"
    if given is None:
        words = f"missing; {NAME} speaks from a moment, as mind feel --prompt writes it"
        raise BadInputError([Problem(source=source, line=line, field=at, message=words)])
    if faults := problems_of(given, ThoughtMoment, source=source, line=line, at=at):
        raise BadInputError(faults)
    moment = msgspec.convert(given, ThoughtMoment)
    if moment.trigger not in TRIGGERS:
        words = f"expected one of {', '.join(TRIGGERS)}"
        raise BadInputError(
            [Problem(source=source, line=line, field=f"{at}.trigger", message=words)]
        )
    return moment
