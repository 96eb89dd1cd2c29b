"""How a person is at an instant: all that is needed to go on from it, bit for bit."""

from typing import Annotated, Literal, get_args

import msgspec

from mindpipe.core.records import Record
from mindpipe.person.records.episode import Episode, LifeSituation
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.records.scales import (
    Count,
    Day,
    Instant,
    PersonId,
    Share,
    Signed,
)

Coping = Literal[
    "problem_solving",
    "reappraisal",
    "acceptance",
    "distraction",
    "suppression",
    "rumination",
    "denial",
]
Distortion = Literal[
    "all_or_nothing",
    "overgeneralization",
    "mental_filter",
    "disqualifying_positive",
    "mind_reading",
    "fortune_telling",
    "catastrophizing",
    "emotional_reasoning",
    "should_statements",
    "labeling",
    "personalization",
]
Phase = Literal["none", "boredom", "loneliness", "despair"]
Dimension = Literal["pain", "arousal", "valence", "energy"]
Direction = Literal["+", "-"]
QueueCategory = Literal[
    "PredictionError", "BiologicalNeed", "GoalRehearsal", "SocialModeling", "AssociativeDrift"
]
ThoughtMode = Literal["react", "spontaneous", "respond"]
Slot = Literal["B", "L", "D"]
MealSlots = tuple[tuple[Day, Slot], ...]
EventMark = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]


class Modes(Record):
    """The 55 modes of the bank at the anchor, in canonical order."""

    hpa_1: float
    hpa_2: float
    hpa_3: float
    car_1: float
    car_2: float
    car_3: float
    car_4: float
    glu_1: float
    glu_2: float
    glu_3: float
    adr: float
    nor: float
    vag: float
    endo: float
    oxy: float
    dopa: float
    ser: float
    act: float
    fphys: float
    fment: float
    depl: float
    exo: float
    caf: float
    alc: float
    cort_up: float
    cort_dn: float
    adr_up: float
    ser_up: float
    ser_dn: float
    rum: float
    hpa24: float
    allo: float
    sleepf: float
    fever: float
    env: float
    skin: float
    pain_s: float
    pain_1: float
    pain_2: float
    pain_3: float
    v1: float
    v2: float
    v3: float
    v4: float
    v5: float
    aev: float
    S: float
    L: float
    W: float
    hun: float
    thirst: float
    bladder: float
    gly: float
    iso: float
    bore: float


class Flags(Record):
    """Sleep and waking: since when, against habit or not, and how alertness recovers."""

    awake: bool
    since_us: Instant
    forced: bool = False
    l_regime: Literal["exp", "ramp"] = "exp"
    stay_awake_until_us: Instant = -1


class Contribution(Record, omit_defaults=True):
    """What one active event adds to the channels from `start_us` to before `end_us`.

    `start_hunger` is the hunger when a meal began, which its end is measured by.
    """

    start_us: Instant
    end_us: Instant
    type: str
    event: str
    chan: dict[str, float]
    start_hunger: float | None = None


class Pending(Record):
    """Something that the body does by itself at `at_us`: an awakening response, a break in sleep.

    `arg` is the amplitude in nmol/L for `car`; `since_us` is the wake or sleep that it belongs to.
    """

    at_us: Instant
    what: Literal["car", "l_break"]
    arg: float = 0.0
    since_us: Instant = 0


class Hold(Record):
    """Rates per second, by quantity, that a thought holds from `start_us` to before `end_us`."""

    start_us: Instant
    end_us: Instant
    rates: dict[str, float]


class HabitState(Record):
    """What the meals of the day are known by; `meal_slots` are day and slot of those that were."""

    last_meal_us: Instant
    meal_slots: MealSlots = ()


class Sampled(Record):
    """What is measured every 600 s and drives slow modes."""

    x_ser: float = 0.0
    x_allo: float = 0.0


class Psyche(Record):
    """Coping (primary, secondary), distortions, control over the latest event, its episode."""

    coping: tuple[Coping, ...] = ()
    distortions: tuple[Distortion, ...] = ()
    control: Signed = 0.0
    episode_us: Instant = -1


class Dimensions(Record):
    """One number for each dimension of salience, in tie order."""

    pain: float
    arousal: float
    valence: float
    energy: float


class DimensionInstants(Record):
    """One instant for each dimension of salience."""

    pain: Instant
    arousal: Instant
    valence: Instant
    energy: Instant


class DimensionFlags(Record):
    """One yes or no for each dimension of salience."""

    pain: bool = False
    arousal: bool = False
    valence: bool = False
    energy: bool = False


class SalienceState(Record):
    """What the next evaluation of salience is compared with; `ready` after the first one."""

    ready: bool = False
    prev: Dimensions = Dimensions(pain=0.0, arousal=0.0, valence=0.0, energy=0.0)
    prev_us: Instant = 0
    aware_us: DimensionInstants = DimensionInstants(pain=0, arousal=0, valence=0, energy=0)
    inside: DimensionFlags = DimensionFlags()
    latch: DimensionFlags = DimensionFlags()


class Carry(Record):
    """A trigger that the call limit kept waiting."""

    t_us: Instant
    dim: Dimension
    dir: Direction
    salience: float
    threshold: float
    text: str


class Chain(Record):
    """How long a chain of thoughts on one theme is, and when its latest was."""

    theme: str = ""
    n: Count = 0
    last_us: Instant = 0


class Unanswered(Record):
    """Speech or an action that waits for its answer."""

    t_us: Instant
    type: Literal["speech", "action"]
    text: str
    event: str
    valence: Signed = 0.0
    source: str = msgspec.field(name="from", default="")


class QueueItem(Record, omit_defaults=True):
    """A candidate for a spontaneous thought that waits: an error, a goal or a concern.

    `strength` is that of an error or the importance of a goal; `uses` counts how often a concern
    was thought of, `chosen_us` when a goal was chosen last.
    """

    t_us: Instant
    category: QueueCategory
    text: str
    event: str = ""
    strength: Share = 0.0
    due_us: Instant | None = None
    uses: Count = 0
    chosen_us: Instant | None = None


class SharedMoment(Record, omit_defaults=True):
    """Something that happened with somebody: when, what, and how good it was, -1 to 1."""

    t_us: Instant
    text: str
    valence: Signed = 0.0


class PersonRelation(Record, omit_defaults=True):
    """How it is with one other: how many inputs there were, and the sum of their valence.

    `kind` and `role` are what somebody is to the person by its identity (`partner`, `husband`),
    empty where it tells nothing; `shared` are the latest moments with them, oldest first. `ended`
    is `died` or `parted`, from `ended_us` on. These are of a person who lives at its own pace.
    """

    name: str
    inputs: Count
    valence_sum: float
    kind: str = ""
    role: str = ""
    shared: tuple[SharedMoment, ...] = ()
    ended: Literal["", "died", "parted"] = ""
    ended_us: Instant | None = None


class Doing(Record, omit_defaults=True):
    """What a person does, or did last, that has no words of its own, such as work."""

    type: str
    t_us: Instant
    until_us: Instant
    place: str = ""


class VoiceDay(Record, omit_defaults=True):
    """What the voice of a person who lives at its own pace did on a day.

    `calls` are those of a model, for thoughts and for words that were said aloud; `told` says that
    they were all made and one more was wanted.
    """

    day: Day = -1
    calls: Count = 0
    told: bool = False


def voice_on(voice: VoiceDay, t_us: int) -> VoiceDay:
    """Return what a voice did so far on the day of an instant."""
    day = t_us // (24 * HOUR_US)
    return voice if voice.day == day else VoiceDay(day=day)


class Mind(Record):
    """What the inner voice goes on from.

    `event_us` and `event_text` are the latest external event with a text, `event_woken` is whether
    an event pulled the person out of its latest sleep, `identity_us` is the first waking evaluation
    of the latest day, when identity may be renewed. `episodes` are what happened, oldest first;
    `situation` is where the person was when it was last looked at. `last_react_us` is the latest
    reaction to the body, `failed_us` the latest call of a voice that failed, `voice` is the budget
    of the day; these three are of a person who lives at its own pace. `doing` is the latest task
    without words. `met` are the CRC-32 of the ids of the latest events, which do not happen twice.
    """

    salience: SalienceState = SalienceState()
    carry: Carry | None = None
    chain: Chain = Chain()
    last_call_us: Instant | None = None
    last_spontaneous_us: Instant | None = None
    inbox: tuple[Unanswered, ...] = ()
    queue: tuple[QueueItem, ...] = ()
    recent: tuple[str, ...] = ()
    calls: Count = 0
    event_us: Instant | None = None
    event_text: str = ""
    event_woken: bool = False
    relations: tuple[PersonRelation, ...] = ()
    identity_us: Instant | None = None
    episodes: tuple[Episode, ...] = ()
    situation: LifeSituation = LifeSituation()
    last_react_us: Instant | None = None
    failed_us: Instant | None = None
    voice: VoiceDay = VoiceDay()
    doing: Doing | None = None
    met: tuple[EventMark, ...] = ()


class Readouts(Record):
    """What can be read of a person at an instant: units in the names, else shares of 0 to 1.

    `valence`, `attention` and `thermal` are between -1 and 1, `kss` between 1 and 9, `alertness` in
    units of the three-process model. `drives` are the three strongest, strongest first.
    """

    cortisol_nmol_l: float
    adrenaline_pmol_l: float
    noradrenaline_nmol_l: float
    vagal_withdrawal: float
    core_temp_c: float
    heart_rate_bpm: float
    skin_temp_c: float
    thermal: float
    glucose_mmol_l: float
    hunger: float
    thirst: float
    bladder: float
    pain: float
    endorphin_pmol_l: float
    serotonin_proxy: float
    oxytocin_proxy: float
    dopamine_proxy: float
    sleep_pressure: float
    alertness: float
    kss: float
    sleepiness: float
    allostatic_load: float
    physical_fatigue: float
    mental_fatigue: float
    rumination: float
    boredom: float
    isolation: float
    energy: float
    fatigue: float
    arousal: float
    valence: float
    cognitive_load: float
    regulation: float
    attention: float
    stress: float
    performance: float
    isolation_phase: Phase
    drives: tuple[tuple[str, float], ...] = ()


class PersonState(Record, tag="state", tag_field="kind", omit_defaults=False):
    """A person at `t_us`; the modes are those of `anchor_us`, from which it is one flow to `t_us`.

    `read`, `felt` and `codes` are written for readers and not looked at again.
    """

    v: int = 1
    person: PersonId
    t_us: Instant
    anchor_us: Instant
    modes: Modes
    flags: Flags
    active: tuple[Contribution, ...] = ()
    pending: tuple[Pending, ...] = ()
    holds: tuple[Hold, ...] = ()
    habit: HabitState
    sampled: Sampled = Sampled()
    psyche: Psyche = Psyche()
    mind: Mind = Mind()
    read: Readouts | msgspec.UnsetType = msgspec.UNSET
    felt: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    codes: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


COPING: tuple[str, ...] = get_args(Coping)
DISTORTIONS: tuple[str, ...] = get_args(Distortion)
CONTRACT = (
    "rumination",
    "acceptance",
    "reappraisal",
    "suppression",
    "catastrophizing",
    "problem_solving",
    "distraction",
    "denial",
)
"""The eight patterns that the parser `seed` knows: seven ways of coping and one distortion."""
LABELS: tuple[str, ...] = CONTRACT + tuple(name for name in DISTORTIONS if name not in CONTRACT)
