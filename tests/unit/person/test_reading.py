"""Lines about a person: exact where they are as we write them, and every fault of others named."""

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.core.records import to_json
from mindpipe.person.body import rates
from mindpipe.person.life.birth import first_state
from mindpipe.person.lines import CONTRIBUTED, Known, LinePlace, NewerVersion, read_line
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.thought import Thought
from support.tables import each_row

PLACE = LinePlace("day.jsonl", 3)


def event(rest: str) -> bytes:
    return b'{"kind":"event","person":"ann","t_us":7,%s}' % rest.encode()


def thought(rest: str) -> bytes:
    return b'{"kind":"thought","person":"ann","t_us":7,%s}' % rest.encode()


def state(before: bytes, after: bytes) -> bytes:
    octets = to_json(first_state(Person(person="ann", name="Ann")))
    assert before in octets
    return octets.replace(before, after)


def acting(levels: bytes) -> bytes:
    one = b'{"start_us":0,"end_us":1,"type":"food","event":"x","chan":{%s}}' % levels
    return state(b'"active":[]', b'"active":[%s]' % one)


def faults(octets: bytes) -> list[str]:
    with pytest.raises(BadInputError) as caught:
        read_line(octets, PLACE)
    return [problem.line_of_text() for problem in caught.value.problems]


def read(octets: bytes) -> Known | None:
    return read_line(octets, PLACE)


def test_a_line_of_another_kind_is_no_record() -> None:
    assert read(b'{"kind":"observation","person":"ann"}') is None
    assert read(b'{"text":"hello"}') is None


def test_missing_keys_are_filled_in_and_at_and_dur_become_numbers() -> None:
    found = read_line(
        b'{"kind":"event","at":"2d16:00","dur":"90s","type":"noise","db":70}',
        PLACE,
        defaults={"person": "ann", "t_us": 5},
    )
    assert isinstance(found, PersonEvent)
    assert (found.v, found.person, found.id) == (1, "ann", "")
    assert (found.t_us, found.dur_us) == (230_400_000_000, 90_000_000)


def test_a_thought_needs_nothing_but_its_labels() -> None:
    found = read(thought('"labels":["rumination"]'))
    assert isinstance(found, Thought)
    assert (found.id, found.mode, found.labels) == ("th:ann:7", "spontaneous", ("rumination",))


def test_events_contribute_to_channels_and_to_nothing_else() -> None:
    combined = {*rates.SHARED, *rates.GREATEST, *rates.SUMMED}
    assert combined | {"air_c", "clo"} == CONTRIBUTED


def test_a_person_is_named_by_its_name() -> None:
    found = read(b'{"kind":"person","name":"Mara L\xc3\xb6w"}')
    assert isinstance(found, Person)
    assert (found.person, found.name) == ("mara-low", "Mara L\u00f6w")


def test_what_we_write_is_read_as_it_is_and_written_the_same() -> None:
    octets = to_json(Person(person="ann", name="Ann"))
    found = read(octets)
    assert found is not None
    assert to_json(found) == octets


@each_row(
    ("octets", "words"),
    [
        (event('"type":"injury","nrs":11'), "$.nrs: expected 0..10, got 11"),
        (event('"type":"injury","nrs":NaN'), "$.nrs: NaN is not JSON"),
        (event('"type":"injury","nrs":1e999'), "$.nrs: 1e999 is out of range"),
        (event('"type":"injury","nrs":1,"nrs":2'), "$.nrs: appears twice"),
        (event('"type":"noise","db":"loud"'), "$.db: expected "),
        (event('"type":"injury"'), "$.nrs: missing; injury needs it"),
        (event('"type":"wake","nrs":1'), "$.nrs: wake has no such field"),
        (event('"type":"injury","nrs":1,"class":"joy"'), "$.class: expected one of sting, bruise,"),
        (event('"type":"threat","level":1,"class":"cut"'), "$.class: expected one of sadness,"),
        (event('"type":"light","dur":"367d","lux":1'), "$.dur: expected 0..31622400000000"),
        (event('"type":"climate","air_c":61,"dur":"1s"'), "$.air_c: expected -90..60, got 61"),
        (b'{"kind":"person","name":"Ann","consts":{"tau_ard":1}}', "did you mean tau_adr?"),
        (b'{"kind":"person","name":"A","consts":{"tau_adr":0}}', "tau_adr: expected 0.001..1e+09"),
        (b'{"kind":"person","name":"A","consts":{"k_W_h":-1}}', "k_W_h: expected 0..1e+06, got -1"),
        (b'{"kind":"person","name":"A","consts":{"ramp_L_h":0}}', "ramp_L_h: expected 0.001.."),
        (event('"type":"thought","labels":["rumintion"]'), "$.labels[0]: no label of a thought"),
        (event('"type":"thought","labels":[],"rates":{"rum":-1}'), "$.rates.rum: expected 0..1000"),
        (event('"type":"thought","labels":[],"rates":{"x":1}'), "$.rates.x: expected one of cort_"),
        (event('"type":"thought","labels":[],"hold_s":-1'), "$.hold_s: expected 0..3600, got -1"),
        (event('"type":"injury","nrs":"3"'), "$.nrs: expected a number, got text"),
        (thought('"labels":["x"]'), "$.labels[0]: no label of a thought"),
        (thought('"labels":[],"rates":{"rum":1e9}'), "$.rates.rum: expected 0..1000, got 1e+09"),
        (thought('"labels":[],"hold_s":1e9'), "$.hold_s: expected 0..3600"),
        (state(b'"holds":[]', b'"holds":[{"start_us":0,"end_us":1,"rates":{"x":1}}]'), "rates.x: "),
        (state(b'"adr":0.0', b'"adr":1e308'), "$.modes.adr: expected -1000..1e+09, got 1e+308"),
        (state(b'"endo":0.0', b'"endo":-1001'), "$.modes.endo: expected -1000..1e+09, got -1001"),
        (acting(b'"x":1'), "$.active[0].chan.x: no channel"),
        (acting(b'"air_c":1'), "$.active[0].chan: air_c and clo go together"),
        (
            state(b'"coping":[]', b'"coping":["denial","denial","denial"]'),
            "$.psyche.coping: expected at most 2 names, got 3",
        ),
        (event('"type":"wake","nsr":1'), "$.nsr: unknown field; did you mean nrs?"),
        (event('"type":"wake","v":0'), "$.v: expected 1, got 0"),
        (event('"type":"wake","at":"07:00"'), "$.at: stands beside t_us; give one"),
        (event('"type":"noise","db":1,"dur":7'), "$.dur: expected text, got 7"),
        (event('"type":"wake","text":"\\ud800"'), "$.text: holds half of a surrogate pair"),
        (b'{"kind":"event","person":"ann","t_us":4611686018427387904,"type":"wake"}', "$.t_us: "),
        (b'{"kind":"event","person":"a b","t_us":1,"type":"wake"}', "$.person: "),
        (b'{"kind":"event","t_us":1,"type":"wake"}', "$.person: missing"),
        (b'{"kind":"event","person":"ann","t_us":1}', "$.type: missing"),
        (b'{"kind":"person","name":"Ann","traits":{"n":2}}', "$.traits.n: expected 0..1, got 2"),
        (b"[1]", "$: expected an object"),
        (b'{"kind":"event"', "not JSON at character 15"),
        (b'{"kind":"event","a":' + b"[" * 200 + b"]" * 200 + b"}", "nested deeper than 128"),
    ],
)
def test_a_fault_names_line_field_and_range(octets: bytes, words: str) -> None:
    assert any(fault.startswith("day.jsonl:3: ") and words in fault for fault in faults(octets))


def test_cold_is_a_climate() -> None:
    found = read(event('"type":"cold","air_c":-5,"dur":"1h"'))
    assert isinstance(found, PersonEvent)
    assert found.type == "climate"


def test_an_unknown_type_names_the_types() -> None:
    (fault,) = faults(event('"type":"injry"'))
    assert "$.type: expected one of sleep, wake," in fault


def test_a_newer_version_is_told_apart() -> None:
    with pytest.raises(BadInputError) as caught:
        read(b'{"kind":"person","v":2,"name":"Ann","soul":1}')
    (problem,) = caught.value.problems
    assert isinstance(problem, NewerVersion)
    assert problem.field == "$.v"


def test_a_duplicate_key_is_found_where_the_rest_is_as_we_write_it() -> None:
    octets = to_json(Person(person="ann", name="Ann"))
    assert "$.seed: appears twice" in faults(octets.replace(b'"seed":0', b'"seed":0,"seed":0'))[0]
