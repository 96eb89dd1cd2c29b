"""The voice that is always there: sentences drawn from how a person is, without any model."""

from mindpipe.person.chance import key_of, uniform
from mindpipe.person.inner.felt import NOTHING
from mindpipe.person.inner.residues import first_sentence
from mindpipe.person.records.state import Distortion
from mindpipe.person.voice.phrases import FELT, LEANS, ORDER, TRIGGERS
from mindpipe.person.voicing import Asked, Moment

STREAM = 4
"""The stream of chance that this voice draws from, and what each of its draws decides."""
_FEELING, _FELT_VARIANT, _DISTORTED, _LEAN_VARIANT, _REMINDED, _WHICH = range(6)
DISTORTED_BELOW, REMINDED_BELOW = 0.5, 0.35
STRAINED, MOST_LEANS = 0.5, 3
QUOTED = 60
"""The most characters of a memory that are said again."""


def composed(asked: Asked) -> str:
    """Return the words of the composed voice; it speaks from the moment and reads no prompt."""
    return composed_words(asked.moment)


def composed_words(moment: Moment) -> str:
    """Return what is felt, what it came from, up to three tendencies and at times a memory.

    The same moment always gives the same words.
    """
    key = key_of(moment.seed, moment.person)
    draws = [uniform(key, moment.t_us, STREAM, slot) for slot in range(6)]
    sentences = [_felt(moment, draws), TRIGGERS[moment.trigger], *_leans(moment, draws)]
    if moment.memory and draws[_REMINDED] < REMINDED_BELOW:
        sentences.append(f"it brings back {_recalled(moment.memory)}")
    return ". ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences) + "."


def _felt(moment: Moment, draws: list[float]) -> str:
    """Return one of the two strongest feelings in one of its two forms."""
    matched = [code for code in ORDER if code in moment.codes][:2] or [NOTHING]
    code = matched[int(draws[_FEELING] * len(matched))]
    return _variant(FELT[code], draws[_FELT_VARIANT])


def _leans(moment: Moment, draws: list[float]) -> list[str]:
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
