"""Every cell of a belief is proved from the life file alone: one that is changed is told."""

import contextlib
import gzip
import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.messages import Message
from mindpipe.io.chance import SeededChance
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions, consolidate
from mindpipe.life.archive import packed
from mindpipe.life.records import LifeManifest, TableHeader
from mindpipe.life.verbs import life as lives
from mindpipe.memory.records import NewItem, QuotedSpan
from mindpipe.memory.verbs import memory
from support.fakes import FixedClock
from support.histories import conversation, said, user
from support.life import AGENT
from support.stores import store_at, store_talk

Row = dict[str, Any]
Tables = dict[str, list[Row]]
SAID = (
    ("2026-03-01T09:00:00Z", "I prefer tea over coffee."),
    ("2026-03-02T09:00:00Z", "I live in Bremen."),
    ("2026-03-20T09:00:00Z", "I moved to Lisbon!"),
    ("2026-04-02T09:00:00Z", "I now prefer coffee over tea."),
    ("2026-04-03T09:00:00Z", "I sold the old Volvo for 9000 kroner."),
    ("2026-04-04T09:00:00Z", "I'm vegetarian."),
    ("2026-04-14T09:00:00Z", "I'm not vegetarian any more."),
)


def _talk() -> Iterator[Message]:
    for _, text in SAID:
        yield user(text)
        yield said("I see.")


@pytest.fixture(scope="module")
def octets(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the file of a life in which somebody moved, and came to like something else."""
    clock, chance = FixedClock(), SeededChance(1)
    with contextlib.closing(store_at(tmp_path_factory.mktemp("held") / "mind.db")) as store:
        agents.new(store, clock, chance, name=AGENT)
        talk = store_talk(store, conversation(*_talk()), agent=AGENT)
        for number, (at, text) in enumerate(SAID):
            clock.instant = at
            span = QuotedSpan(message=talk[2 * number].id, start=0, end=len(text), quote=text)
            item = NewItem(
                id=f"it_{number}", text=text, at=at, speaker="jo", origin="human", span=span
            )
            memory.add(store, clock, chance, agent=AGENT, given=[item])
            options = ConsolidateOptions(rules=SlotRules())
            list(consolidate(store, clock, agent=AGENT, options=options))
        return b"".join(lives.export(store, clock, agent=AGENT))


def _changed(octets: bytes, change: Callable[[Tables], None]) -> bytes:
    """Return a file as somebody writes it who changes cells: hashes and seal are right."""
    manifest, *rest = gzip.decompress(octets).splitlines()
    headers: list[TableHeader] = []
    tables: Tables = {}
    for line in rest:
        one = json.loads(line)
        if isinstance(one, list):
            columns = headers[-1].columns
            tables[headers[-1].table].append(dict(zip(columns, one, strict=True)))
        elif "table" in one:
            headers.append(TableHeader(table=one["table"], columns=tuple(one["columns"])))
            tables[one["table"]] = []
    change(tables)
    found = (
        (one, iter([tuple(row[name] for name in one.columns) for row in tables[one.table]]))
        for one in headers
    )
    return b"".join(packed(msgspec.json.decode(manifest, type=LifeManifest), found))


def _wrong(octets: bytes) -> list[tuple[str, str]]:
    check = lives.verify([octets], name="ava.life", rules=SlotRules())
    found = [json.loads(msgspec.json.encode(one)) for one in check.wrong()]
    assert check.verdict is not None
    assert check.verdict.wrong == len(found)
    return [(one["check"], one["why"]) for one in found]


def _row(tables: Tables, table: str, **known: object) -> Row:
    return next(
        one for one in tables[table] if all(one[name] == value for name, value in known.items())
    )


def _standing(row: Row, **changed: object) -> None:
    row["standing"] = json.dumps({**json.loads(row["standing"]), **changed})


def _weight(tables: Tables) -> None:
    _row(tables, "observation_evidence", stance="support")["weight"] = 3.0


def _confidence(tables: Tables) -> None:
    _row(tables, "observation", status="active")["confidence"] = 0.99


def _confidence_then(tables: Tables) -> None:
    _standing(tables["observation_standing"][0], confidence=0.99)


def _confidence_both(tables: Tables) -> None:
    held = _row(tables, "observation", status="active")
    held["confidence"] = 0.99
    stood = [one for one in tables["observation_standing"] if one["observation"] == held["id"]]
    _standing(stood[-1], confidence=0.99)


def _status(tables: Tables) -> None:
    """Let what was replaced be refuted instead, which needs no successor but a reason."""
    _row(tables, "observation", status="superseded")["status"] = "invalidated"


def _status_both(tables: Tables) -> None:
    held = next(
        one
        for one in tables["observation"]
        if one["status"] == "active" and one["slot"].startswith("prefers")
    )
    held["status"] = "stale"
    stood = [one for one in tables["observation_standing"] if one["observation"] == held["id"]]
    _standing(stood[-1], status="stale")


def _new_weight(tables: Tables) -> None:
    _row(tables, "observation_decision", call="supersede")["new_weight"] = 3.25


def _old_weight(tables: Tables) -> None:
    _row(tables, "observation_decision", call="supersede")["old_weight"] = 0.125


def _quotation(tables: Tables) -> None:
    cited = next(one for one in tables["observation_evidence"] if one["span"])
    cited["span"] = cited["span"].replace("tea over", "ale over").replace("Bremen", "London")


def _margin(tables: Tables) -> None:
    _row(tables, "observation_decision", call="supersede")["margin"] = 0.5


def _left_out(tables: Tables) -> None:
    stood = tables["observation_standing"]
    of = _row(tables, "observation", status="superseded")["id"]
    stood.remove(next(one for one in stood if one["observation"] == of))


def test_a_life_that_was_lived_is_proved(octets: bytes) -> None:
    assert _wrong(octets) == []
    check = lives.verify([_changed(octets, lambda _: None)], name="same", rules=SlotRules())
    assert list(check.wrong()) == []
    assert check.verdict is not None
    assert check.verdict.beliefs >= 3


@pytest.mark.parametrize(
    ("change", "check", "why"),
    [
        (_weight, "confidence", "support_weight is kept as 1, its evidence had 3"),
        (_confidence, "standing", "confidence is kept as 0.99, it stood last as"),
        (_confidence_then, "confidence", "confidence is kept as 0.99, its parts give"),
        (_confidence_both, "confidence", "confidence is kept as 0.99, its parts give"),
        (_status, "standing", "status is kept as invalidated, it stood last as superseded"),
        (_status_both, "standing", "it is stale with a freshness of"),
        (_new_weight, "decision", "new_weight is kept as 3.25, its evidence gives"),
        (_old_weight, "decision", "old_weight is kept as 0.125, its evidence gives"),
        (_quotation, "quote", "are not what it quotes"),
        (_margin, "decision", "margin is kept as 0.5, that of its slot is"),
        (_left_out, "standing", "version 2 is the first that is kept"),
    ],
)
def test_a_changed_cell_is_told(
    octets: bytes, change: Callable[[Tables], None], check: str, why: str
) -> None:
    found = _wrong(_changed(octets, change))
    assert [one for one in found if one[0] == check and why in one[1]], found
