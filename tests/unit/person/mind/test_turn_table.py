"""Sentences that turn a life, and those that only sound like it, as tables.

`tuned` was read while the patterns were made, `held_out` was not, `probe` came after them.
"""

from pathlib import Path

import pytest

from mindpipe.person.mind.turns import turn_of
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import PersonIdentity
from support.lone_life import happening

TABLES = Path(__file__).parents[4] / "fixtures" / "person" / "turns"
PEOPLE = {
    "ruta": PersonIdentity(
        self_narrative="I'm Ruta, forty-one, a baker in Kaunas.",
        relational_markers=(
            *("Jonas, my husband", "Milda, my daughter, fifteen"),
            *("Petras, my brother", "my mother Ona"),
        ),
    ),
    "omar": PersonIdentity(
        self_narrative="I'm Omar, 29, and I drive a tram in Casablanca.",
        relational_markers=(
            *("Salma, my girlfriend, who lives with me", "Younes, my best friend"),
            "my father Driss",
        ),
    ),
    "luz": PersonIdentity(
        self_narrative="I'm Luz, fifty-eight, a teacher in Oaxaca.",
        relational_markers=(
            "Abel, my husband of forty years",
            "Nieves, my sister",
            "Chispa, my dog",
        ),
    ),
    "bo": PersonIdentity(
        self_narrative="I'm Bo, thirty-three, a deckhand on a ferry in Da Nang.",
        relational_markers=("Tuan, my best friend", "Ines, who sells coffee on the quay"),
    ),
}
NONE = "-"


class Row:
    """A line of a table: what turns, and what happens to whom."""

    def __init__(self, line: str) -> None:
        self.turn, self.who, self.type, valence, weight, self.source, self.text = line.split("|")
        self.valence = float(valence) if valence != NONE else None
        self.weight = float(weight)

    def found(self, *, weighty: bool = False) -> str:
        """Return what the words turn, however little they weigh or as if they weighed much."""
        valence, weight = self.valence, self.weight
        if weighty and valence is not None:
            valence, weight = (0.9 if valence > 0 else -0.9), 0.9
        turn = turn_of(self._event(valence, weight), PEOPLE[self.who])
        # What is another's, such as a neighbour's death, turns nothing in a life of one's own.
        return turn.topic if turn and turn.strength else NONE

    def _event(self, valence: float | None, weight: float) -> PersonEvent:
        fields: dict[str, object] = {"text": self.text}
        if valence is not None and self.type != "contact":
            fields["valence"] = valence
        weighed = {"news": "importance", "goal": "importance", "contact": "quality"}
        fields[weighed.get(self.type, "intensity")] = weight
        if self.source:
            fields["source"] = self.source
        return happening("10:00", self.type, **fields)


def rows(table: str) -> list[Row]:
    """Return the lines of a table."""
    lines = (TABLES / f"{table}.txt").read_text(encoding="utf-8").splitlines()
    return [Row(line) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("table", "missed"), [("tuned", 1), ("held_out", 2), ("probe", 1)])
def test_few_turns_are_missed_and_none_is_taken_for_another(table: str, missed: int) -> None:
    found = [(row.turn, row.found(), row.text) for row in rows(table) if row.turn != NONE]
    assert [one for one in found if one[1] not in (one[0], NONE)] == []
    assert len([one for one in found if one[1] == NONE]) <= missed


@pytest.mark.parametrize("table", ["tuned", "held_out", "probe"])
def test_what_only_sounds_like_a_turn_is_none_however_much_it_weighs(table: str) -> None:
    near = [row for row in rows(table) if row.turn == NONE]
    assert [row.text for row in near if row.found() != NONE] == []
    assert [row.text for row in near if row.found(weighty=True) != NONE] == []


def test_a_death_that_is_known_is_no_news() -> None:
    late = PersonIdentity(relational_markers=("Ole, my late husband",))
    news = happening("10:00", "news", text="Ole has died", valence=-1.0, importance=1.0)
    assert turn_of(news, late) is None
