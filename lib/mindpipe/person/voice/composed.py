"""The voice that is always there: sentences drawn from how a person is, without any model."""

from functools import cache
from pathlib import Path

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import TextPart
from mindpipe.core.models import Finish, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import Record
from mindpipe.person.chance import key_of, uniform
from mindpipe.person.mind.felt import NOTHING
from mindpipe.person.mind.residue import first_sentence
from mindpipe.person.records.state import Distortion
from mindpipe.person.records.thought import COMPOSED, ThoughtMoment, VoiceRequest
from mindpipe.person.voice.folder import ENGLISH, language_table

_ORDER = "P1 V1 A1 E1 R1 I3 I1 C1 H1 F1 K1 K2 P2 V2 A2 E2 R2 I2 H2 T1 B1 V3 E3 A3"
ORDER = tuple(_ORDER.split())
"""The codes of the state block, what presses most first."""


class SeedWords(Record):
    """What is said at the pace of the seed.

    `felt` and `leans` have two forms for each code of the state block, and for each way of coping
    and distortion; `triggers` say what a thought came from, `reminded` what it brings back.
    """

    felt: dict[str, tuple[str, str]]
    triggers: dict[str, str]
    leans: dict[str, tuple[str, str]]
    reminded: str


@cache
def seed_words(folder: Path = ENGLISH) -> SeedWords:
    """Return what is said at the pace of the seed, by the folder of a language's tables.

    Raises:
        UnavailableError: there is no such folder.
        BadInputError: its table is no TOML, or has another shape.
    """
    table = language_table(folder, "seed")
    if faults := problems_of(table, SeedWords, source="seed.toml"):
        raise BadInputError(faults)
    return msgspec.convert(table, SeedWords)


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
    known = seed_words()
    sentences = [_felt(moment, draws, known), known.triggers[moment.trigger]]
    sentences += _leans(moment, draws, known)
    if moment.memory and draws[_REMINDED] < REMINDED_BELOW:
        sentences.append(known.reminded.replace("{memory}", _recalled(moment.memory)))
    return ". ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences) + "."


def _felt(moment: ThoughtMoment, draws: list[float], known: SeedWords) -> str:
    """Return one of the two strongest feelings in one of its two forms."""
    matched = [code for code in ORDER if code in moment.codes][:2] or [NOTHING]
    code = matched[int(draws[_FEELING] * len(matched))]
    return _variant(known.felt[code], draws[_FELT_VARIANT])


def _leans(moment: ThoughtMoment, draws: list[float], known: SeedWords) -> list[str]:
    """Return what distortions say, several under strain, or else what coping says."""
    names: tuple[str, ...] = ()
    if moment.distortions and draws[_DISTORTED] < DISTORTED_BELOW:
        names = _said(moment.distortions, strained=moment.stress >= STRAINED, draw=draws[_WHICH])
    elif moment.coping:
        names = (moment.coping,)
    return [_variant(known.leans[name], draws[_LEAN_VARIANT]) for name in names]


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
    known = seed_words().triggers
    if moment.trigger not in known:
        words = f"expected one of {', '.join(known)}"
        raise BadInputError(
            [Problem(source=source, line=line, field=f"{at}.trigger", message=words)]
        )
    return moment
