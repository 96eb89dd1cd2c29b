"""What a mind writes itself, reflections and profiles, beside the items that say the same."""

import msgspec

from mindpipe.io.folders import digest_of
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.consolidation import RememberedClaims
from mindpipe.knowledge.deciding.files import consolidated
from mindpipe.knowledge.records import BeliefStatus, Observation
from mindpipe.language.readers import reader_of
from mindpipe.language.records import StatementReader
from mindpipe.language.strict import STRICT
from mindpipe.memory.records import Entity, Item, Reflection
from support.tables import each_row

AT = "2026-05-01T10:00:00Z"
NOW = "2026-06-01T00:00:00Z"


def of_lena(reader: StatementReader, *texts: str, profile: str) -> list[tuple[str, str, int]]:
    """Return what is held of Lena by items, a reflection on another and her profile."""
    known = RememberedClaims(
        items=[
            Item(id=f"it_{day}", text=text, at=AT, learnt=AT, speaker="Mara")
            for day, text in enumerate(texts, 1)
        ],
        reflections=[
            Reflection(id="rf_1", text=texts[0], since=NOW, until=NOW, learnt=NOW, items=("it_9",))
        ],
        entities=[Entity(id="lena", name="Lena", profile=profile, learnt=NOW)],
    )
    found = consolidated([], known, Terms(NOW), reader=reader).observations
    return [(one.slot, one.value, len(one.evidence)) for one in found if one.subject_id == "lena"]


@each_row(
    ("reader", "sentence", "slot", "value"),
    [
        ("strict", "Lena lives in Graz.", "residence", "Graz"),
        ("strict", "Lena works at Lidl.", "workplace", "Lidl"),
        ("parsed", "Lena is a nurse.", "job", "nurse"),
        ("parsed", "Lena is thirty-four.", "age", "34"),
    ],
)
def test_reflections_and_profiles_support_what_items_say_and_begin_no_second_belief(
    reader: str, sentence: str, slot: str, value: str
) -> None:
    found = of_lena(reader_of(reader, digest_of), sentence, profile=f"{sentence} She paints.")
    assert found == [(slot, value, 3)]


@each_row("profile", ["Lena may live in Graz.", "Is Lena in Graz?", "They say Lena is kind."])
def test_what_a_profile_does_not_say_to_be_so_defines_nobody(profile: str) -> None:
    assert of_lena(STRICT, "I like tea.", profile=profile) == []


def test_nobody_who_speaks_is_a_project() -> None:
    said = [
        Item(id="it_1", text=text, at=AT, learnt=AT, speaker=speaker)
        for speaker, text in (("Tom", "Hello there, all of you."), ("Mara", "Tom uses MySQL."))
    ]
    said[1] = msgspec.structs.replace(said[1], id="it_2")
    assert consolidated([], RememberedClaims(items=said), Terms(NOW)).observations == []
    alone = consolidated([], RememberedClaims(items=said[1:]), Terms(NOW)).observations
    assert [one.canonical_key for one in alone] == ["project:tom:project_state:database"]


def of_projects(*texts: str, known: tuple[Observation, ...] = ()) -> list[Observation]:
    """Return what is held after Mara said something day by day."""
    items = [
        Item(
            id=f"it_{len(known)}_{day}",
            text=text,
            at=f"2026-05-{len(known) + day:02}T10:00:00Z",
            learnt=AT,
            speaker="Mara",
        )
        for day, text in enumerate(texts, 1)
    ]
    return consolidated(known, RememberedClaims(items=items), Terms(NOW)).observations


SWITCHED = "We switched to Postgres last night."


@each_row(
    ("texts", "expected"),
    [
        (("The app uses MySQL.", SWITCHED), ["app's database is Postgres."]),
        (("Atlas uses MySQL.", "The project uses Postgres."), ["Atlas's database is Postgres."]),
        (
            ("Atlas uses MySQL.", "The mail gateway uses SQLite.", SWITCHED),
            [
                "Atlas's database is MySQL.",
                "mail gateway's database is SQLite.",
                "project's database is Postgres.",
            ],
        ),
        (
            ("Dana owns the billing service.", SWITCHED),
            ["billing service's owner is Dana.", "project's database is Postgres."],
        ),
        ((SWITCHED, "Atlas uses MySQL."), ["Atlas's database is MySQL.",
                                           "project's database is Postgres."]),
    ],
)  # fmt: skip
def test_what_names_no_project_is_of_the_one_thing_that_has_the_same(
    texts: tuple[str, ...], expected: list[str]
) -> None:
    found = of_projects(*texts)
    for begun in (found, of_projects(texts[-1], known=tuple(of_projects(*texts[:-1])))):
        active = [one.summary for one in begun if one.status is BeliefStatus.ACTIVE]
        assert sorted(active) == expected
