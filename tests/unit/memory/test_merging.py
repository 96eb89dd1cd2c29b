"""Entities are one by their slug; what is said of them anew is merged, edges that agree are one."""

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.memory.entities import edges_of, joined_edges, merged, other_type, slug
from mindpipe.memory.records import Entity, NewEntity, Relation, StoredRelation
from support.beliefs import ENTITIES
from support.tables import each_row

AT = "2026-01-01T00:00:00Z"


@each_row(
    ("name", "expected"),
    [
        ("Jo Marsh", "jo-marsh"),
        ("  J. R. 'Bob' Dobbs ", "j-r-bob-dobbs"),
        ("snake_case", "snake-case"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("Ångström", "ångström"),
        ("ｆｕｌｌ", "full"),
        ("東京", "東京"),
        ("…", ""),
    ],
)
def test_slug(name: str, expected: str) -> None:
    assert slug(name) == expected


@given(st.text(max_size=20))
def test_a_slug_is_its_own_slug(name: str) -> None:
    assert slug(slug(name)) == slug(name)


def entity(**fields: object) -> Entity:
    return Entity(**{"id": "jo", "name": "Jo", "learnt": AT, **fields})  # type: ignore[arg-type]


@given(ENTITIES)
def test_saying_the_same_again_is_nothing_new(said: NewEntity) -> None:
    once = merged(entity(), said, learnt=AT)
    assert merged(once, said, learnt="2027-01-01T00:00:00Z") is once


@given(ENTITIES, ENTITIES)
def test_sources_are_only_ever_joined(one: NewEntity, other: NewEntity) -> None:
    both = merged(merged(entity(), one, learnt=AT), other, learnt=AT)
    assert set(both.sources) == {*one.sources, *other.sources}
    assert "agent" not in (one.origin, other.origin) or both.origin == "agent"


def test_types_agree_or_one_of_them_is_a_thing() -> None:
    assert other_type(entity(type="person"), NewEntity(name="Jo", type="tool"))
    assert other_type(entity(type="person"), NewEntity(name="Jo")) is None
    assert other_type(entity(), NewEntity(name="Jo", type="tool")) is None


def edge(**fields: object) -> StoredRelation:
    usual = {"agent": "ava", "source": "a", "type": "knows", "target": "b", "learnt": AT}
    return StoredRelation(**{**usual, **fields})  # type: ignore[arg-type]


def test_edges_that_say_the_same_are_one() -> None:
    rows = [
        edge(items=("i1",), sources=("mail",)),
        edge(since=AT),
        edge(items=("i2", "i1"), until=AT, sources=("web",)),
    ]
    assert joined_edges(rows) == [
        edge(items=("i1", "i2"), until=AT, sources=("mail", "web")),
        edge(since=AT),
    ]
    assert edges_of(rows) == {
        "a": (
            Relation(type="knows", to="b", until=AT, items=("i1", "i2")),
            Relation(type="knows", to="b", since=AT),
        )
    }


def test_a_profile_that_is_given_takes_the_place_of_the_earlier_one() -> None:
    said = NewEntity(name="Jo", profile="sails")
    assert merged(entity(profile="climbs"), said, learnt=AT).profile == "sails"


def test_an_edge_ends_when_it_was_last_told_to_end() -> None:
    first, last = (
        StoredRelation(agent="ava", source="jo", type="owns", target="rex", until=end, learnt=AT)
        for end in ("2023-05-08T00:00:00Z", "2024-05-08T00:00:00Z")
    )
    assert [edge.until for edge in joined_edges([first, last])] == [last.until]


def test_a_slug_is_no_longer_than_an_id() -> None:
    assert len(slug("\ufdfa" * 200)) <= 200
