"""A secret is taken out of a life that has been lived: nothing has it, and all else is proved."""

import contextlib
import zlib
from base64 import b64decode
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.records import Record
from mindpipe.history.verbs import history
from mindpipe.history.verbs import log as logs
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions
from mindpipe.life.masks import Mask, mark_of
from mindpipe.life.records import LifeRedacted, LifeVerdict
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import redact as redactions
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.life.verbs.consolidating import consolidate_recorded
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.recall.verbs import reindex
from mindpipe.store.access import open_store
from support.fakes import FixedClock
from support.full_lives import FullLife
from support.histories import PROGRAM
from support.life import AGENT, Life
from support.loopback.turns import Turn
from support.replays import replayed
from support.scripted_model import Scripted

# What was said in a space, what is believed, and what a file held that went along.
SECRETS = ("Rex5", "Town2", "page 4")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> FullLife:
    """Return a life in which windows were folded, and which went back once."""
    life = FullLife(tmp_path_factory.mktemp("lived") / "life")
    for _ in range(7):
        life.day()
    with life.open() as store:
        rewinds.rewind(store, life.revoker, agent=AGENT, cycle=5)
    for _ in range(7):
        life.day()
    return life


@pytest.fixture
def life(lived: FullLife, tmp_path: Path) -> FullLife:
    """Return a copy of that life."""
    return lived.copied(tmp_path / "life")


def redacted(life: FullLife, secret: str) -> LifeRedacted:
    """Take a secret out of the life."""
    with life.open() as store:
        return redactions.redact(store, life.clock, agent=AGENT, ask=lambda: secret)


def octets_of(life: FullLife) -> bytes:
    """Return all that the files of the store hold, and what is packed in its record unpacked."""
    with life.open() as store:
        heard = store.connection.execute("SELECT heard FROM operation_part").fetchall()
        store.connection.wal_checkpoint()
    parts = [zlib.decompress(one) for (one,) in heard if isinstance(one, bytes)]
    asides = [msgspec.json.decode(one, type=dict[str, object]).get("octets", {}) for one in parts]
    inner = [b64decode(text) for one in asides for text in dict(one).values()]  # type: ignore[call-overload]
    files = [path.read_bytes() for path in life.path.parent.glob("mind.db*")]
    return b"".join([*files, *parts, *inner])


def verified(life: FullLife) -> tuple[list[Record], LifeVerdict]:
    """Return what is wrong with the file of the life, and what was looked at."""
    with contextlib.closing(open_store(life.path)) as store:
        pieces = list(lives.export(store, FixedClock(), agent=AGENT))
    check = lives.verify(pieces, name="ava.life", rules=SlotRules())
    wrong = list(check.wrong())
    assert check.verdict is not None
    return wrong, check.verdict


@pytest.mark.parametrize("secret", SECRETS)
def test_nothing_has_it_and_all_else_is_proved(life: FullLife, secret: str) -> None:
    _, before = verified(life)
    assert secret.encode() in octets_of(life)
    done = redacted(life, secret)
    assert secret.encode() not in octets_of(life)
    assert mark_of(secret).encode() in octets_of(life)
    wrong, verdict = verified(life)
    assert wrong == []
    assert (verdict.anchor, verdict.quotes, verdict.beliefs) == (
        before.anchor,
        before.quotes,
        before.beliefs,
    )
    assert verdict.redacted == done.messages > 0
    with life.open() as store:
        assert list(history.verify(store, agent=AGENT).broken()) == []
        assert logs.index_gaps(store) == 0
        assert reindex.gaps(store) == 0
        assert store.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert store.connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.heavy
def test_replay_says_what_cannot_be_compared(life: FullLife) -> None:
    done = redacted(life, "Rex5")
    found, verdict = replayed(life.path)
    assert found == []
    assert verdict.equal
    assert verdict.redacted
    assert verdict.lived - verdict.redacted >= done.cycle - 1
    before, whole = replayed(life.path, upto=done.cycle - 1)
    assert (before, whole.redacted) == ([], msgspec.UNSET)


def test_what_people_gave_to_memory_is_heard_before_it_is_said(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    life.push("Hello.")
    life.think(Scripted(PROGRAM, {}, otherwise=(Turn(text="Noted."),)))
    told = ("I live in Bremen.", "I moved to Lisbon.")
    with life.open() as store:
        items = [
            NewItem(id=f"m{place}", speaker="Jonas", at=f"2026-03-0{place}T09:00:00Z", text=text)
            for place, text in enumerate(told, 1)
        ]
        memory.add(store, life.clock, life.chance, agent=AGENT, given=items)
        options = ConsolidateOptions(rules=SlotRules())
        recorder = life.recorder(store)
        assert list(consolidate_recorded(recorder, life.clock, agent=AGENT, options=options))
    life.push("Was it Lisbon?")
    life.think(Scripted(PROGRAM, {}, otherwise=(Turn(text="Noted."),)))
    found, verdict = replayed(life.path)
    assert (found, verdict.equal, verdict.redacted) == ([], True, msgspec.UNSET)
    assert redacted(life, "Lisbon").cycle == 2
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)
    assert verdict.redacted


@pytest.mark.heavy
def test_what_was_lived_after_it_is_compared(life: FullLife) -> None:
    """The index was made anew by it, without what a rewind had left there."""
    redacted(life, "Rex5")
    _, before = replayed(life.path)
    life.clock.pass_time(60.0)
    for _ in range(3):
        life.day()
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)
    assert verdict.redacted == before.redacted
    assert verdict.lived > before.lived
    with life.open() as store, store.redacting() as rows:
        last = "(SELECT max(cycle) FROM message WHERE agent = :agent)"
        changed = f"UPDATE message SET parts = replace(parts, 'Town', 'Down') WHERE cycle = {last}"
        rows.run(f"{changed} AND agent = :agent", {"agent": AGENT})
    found, verdict = replayed(life.path)
    assert (bool(found), verdict.equal) == (True, False)


def test_what_differs_before_it_is_told(life: FullLife) -> None:
    done = redacted(life, "Rex5")
    assert done.cycle > 2
    with life.open() as store, store.redacting() as rows:
        rows.run(
            "UPDATE message SET parts = replace(parts, 'Town0', 'Town9') WHERE cycle < :cycle",
            {"cycle": done.cycle},
        )
    found, verdict = replayed(life.path)
    assert found
    assert not verdict.equal


def test_a_message_that_was_not_redacted_is_proved_as_before(life: FullLife) -> None:
    redacted(life, "Rex5")
    with life.open() as store, store.redacting() as rows:
        rows.run("UPDATE message SET parts = replace(parts, 'Rex4', 'Max4')")
    wrong, _ = verified(life)
    assert wrong


def test_it_goes_on_and_goes_back(life: FullLife) -> None:
    redacted(life, "Rex5")
    for _ in range(2):
        life.day()
    assert verified(life)[0] == []
    with life.open() as store:
        rewinds.rewind(store, life.revoker, agent=AGENT, cycle=8)
    assert verified(life)[0] == []
    assert b"Rex5" not in octets_of(life)


def test_it_is_told_who_has_it_too_and_nobody_else_is_changed(life: FullLife) -> None:
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="ben")
        agents.new(store, life.clock, life.chance, name="cid")
        said = NewEvent(agent="ben", type="service", text="A dog called Rex5.")
        push_events(store, life.clock, life.chance, events=[said], bounds=Bounds())
    assert redacted(life, "Rex5").others == ("ben",)
    assert life.value("SELECT text FROM event WHERE agent = 'ben'") == said.text
    with pytest.raises(NothingToDoError, match="it is in the life of ben"):
        redacted(life, "Rex5")


def test_what_is_too_short_or_not_there_is_said(life: FullLife) -> None:
    with pytest.raises(UsageError, match="4 characters or more"):
        redacted(life, "Rex")
    with pytest.raises(NothingToDoError):
        redacted(life, "never said")


@pytest.mark.parametrize(
    "secret", ["abcd", "[modified]", "longer than the mark", 'with "quotes" and \\', "müßig-🙂"]
)
def test_a_mark_is_as_long_as_what_it_stands_for(secret: str) -> None:
    assert len(mark_of(secret)) == len(secret)
    told: object = secret
    for _ in range(3):
        told = msgspec.json.encode({"a": told}).decode()
        assert msgspec.json.decode(Mask(secret).text(str(told)))
        assert Mask(secret).text(str(told)) != told
