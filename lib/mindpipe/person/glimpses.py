"""Read a line about a person of which only what a filter needs may be there."""

from typing import NamedTuple

from mindpipe.core.errors import BadInputError
from mindpipe.core.records import to_json
from mindpipe.core.strict_json import load_json
from mindpipe.core.text import without_surrogates
from mindpipe.person.reading import KINDS, Known, Place, read_line
from mindpipe.person.records.ranges import MOST_US
from mindpipe.person.records.state import Modes, Readouts
from mindpipe.person.records.thought import Thought

ANYONE = "anyone"
"""The id of a person whom no line names."""
_ORDINARY = {
    "cortisol_nmol_l": 5.0,
    "adrenaline_pmol_l": 200.0,
    "noradrenaline_nmol_l": 1.5,
    "core_temp_c": 36.95,
    "heart_rate_bpm": 66.0,
    "skin_temp_c": 33.5,
    "glucose_mmol_l": 5.0,
    "kss": 3.0,
    "alertness": 10.0,
    "energy": 0.5,
    "fatigue": 0.5,
    "arousal": 0.25,
    "regulation": 0.75,
    "serotonin_proxy": 0.5,
    "oxytocin_proxy": 0.3,
    "dopamine_proxy": 0.5,
    "isolation_phase": "none",
    "drives": (),
}
"""Readouts of which none is felt; all others are 0."""


class Glimpse(NamedTuple):
    """A line as a whole record, and the JSON object that it was where it was less than that."""

    record: Known
    given: dict[str, object] | None = None

    def says(self, name: str) -> bool:
        """Tell whether the line itself said this at its top."""
        return self.given is None or name in self.given


def glimpse(octets: bytes, place: Place, *, person: str = ANYONE) -> Glimpse | None:
    """Return the record of a line, None where it is of another kind.

    What a state does not say is ordinary: nothing of it is felt, and nothing of it changes. `v` is
    1 by default, `t_us` 0, and the person `person`. Readouts are never made up as a whole.

    Raises:
        BadInputError: it is no JSON object, or breaks its kind.
    """
    if (bare := _bare_thought(octets, place, person)) is not None:
        return bare
    try:
        record = read_line(octets, place)
        return None if record is None else Glimpse(record)
    except BadInputError as error:
        given = load_json(octets, source=place.source, line=place.line)
        if not isinstance(given, dict) or given.get("kind") not in KINDS:
            raise error from None
        whole = _completed(given, person)
        record = read_line(to_json(whole), place)
        assert record is not None
        return Glimpse(record, given)


def _bare_thought(octets: bytes, place: Place, person: str) -> Glimpse | None:
    """Return a thought that says its words alone, at no cost of looking for what it lacks."""
    if b'"content"' not in octets or b'"person"' in octets:
        return None
    given = load_json(octets, source=place.source, line=place.line)
    if not isinstance(given, dict) or given.keys() != {"kind", "content"}:
        return None
    words = given["content"]
    if not isinstance(words, str) or given["kind"] != "thought" or without_surrogates(words)[1]:
        return None
    name = f"th:{person}:0"
    return Glimpse(
        Thought(person=person, t_us=0, id=name, mode="spontaneous", content=words), given
    )


def _completed(given: dict[str, object], person: str) -> dict[str, object]:
    """Return a JSON object with what its kind needs and it does not say."""
    timed = "t_us" in given or "at" in given
    whole = {"kind": given["kind"], "person": person, **({} if timed else {"t_us": 0}), **given}
    if whole["kind"] == "thought":
        name = f"th:{whole['person']}:{whole.get('t_us', 0)}"
        return {"id": name, "mode": "spontaneous", **whole}
    return _completed_state(whole) if whole["kind"] == "state" else whole


def _completed_state(given: dict[str, object]) -> dict[str, object]:
    """Return a state whose parts are whole: what is not said of the body is at rest."""
    instant = given.get("t_us")
    parts: dict[str, dict[str, object]] = {
        "modes": dict.fromkeys(Modes.__struct_fields__, 0.0),
        "flags": {"awake": True, "since_us": 0},
        "habit": {"last_meal_us": 0},
    }
    if "read" in given:
        parts["read"] = {**dict.fromkeys(Readouts.__struct_fields__, 0.0), **_ORDINARY}
    for name, ordinary in parts.items():
        said = given.get(name, {})
        given = {**given, name: {**ordinary, **said} if isinstance(said, dict) else said}
    anchor = instant if isinstance(instant, int) else -MOST_US
    return {"anchor_us": anchor, **given}
