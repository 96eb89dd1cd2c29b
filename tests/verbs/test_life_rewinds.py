"""A life goes back whole, what it left can be taken up again, and nobody else's is touched."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import UNSET

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import note as notes
from mindpipe.context.verbs import trust
from mindpipe.context.verbs.trust import Revoker
from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.engine.dependencies import NoRules, RulePorts
from mindpipe.history.verbs import history
from mindpipe.history.verbs import log as logs
from mindpipe.knowledge.keys import SlotRules
from mindpipe.life.operations import RETRACT, REVOKE, RetractAsked, RevokeAsked
from mindpipe.life.records import LifeRewound
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.memory.records import ItemFilter, NewItem
from mindpipe.memory.verbs import memory
from mindpipe.recall.verbs import reindex
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost
from mindpipe.store.access import make_store
from mindpipe.store.changes import note_all_made_anew
from mindpipe.tasks.records import NewTask
from mindpipe.tasks.verbs import task as tasks
from support.full_lives import FullLife
from support.life import AGENT, KilledError
from support.replays import opened, replayed

pytestmark = pytest.mark.heavy

STAYS = (b'["agent"', b'["ledger"', b'["change"', b'["cycle_change"', b'["rewind"', b'["operation')
SHARED = (b'["member"', b'["post"', b'["attachment"', b'["blob"', b'["entity"', b'["space"')


@pytest.fixture
def life(tmp_path: Path) -> FullLife:
    """Return a life of some days, in which a window was folded."""
    made = FullLife(tmp_path / "life")
    for _ in range(7):
        made.day()
    return made


def own(rows: list[bytes]) -> list[bytes]:
    """Return the rows that go back."""
    return [row for row in rows if not row.startswith(STAYS + SHARED)]


def back(life: FullLife, **to: int) -> LifeRewound:
    """Let the life go back."""
    with life.open() as store:
        return rewinds.rewind(store, life.revoker, agent=AGENT, **to)


def require_sound(life: FullLife) -> None:
    """Require that chain, links and indexes are as they should be."""
    with life.open() as store:
        assert list(history.verify(store, agent=AGENT).broken()) == []
        assert logs.index_gaps(store) == 0
        assert reindex.gaps(store) == 0
        checked = store.connection.execute("PRAGMA integrity_check").fetchall()
        assert checked == [("ok",)]
        assert store.connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("cycle", [2, 5, 6])
def test_it_is_as_it_was(life: FullLife, cycle: int) -> None:
    then = own(life.rows_of(cycle=cycle))
    done = back(life, cycle=cycle)
    assert (done.cycle, done.left_cycles) == (cycle, 7 - cycle)
    assert own(life.rows_of()) == then
    require_sound(life)


def test_what_was_delegated_stays_in_its_order(life: FullLife) -> None:
    asked = NewTask(text="Count.", to="ben")
    with life.open() as store:
        made = [tasks.add(store, life.clock, life.chance, agent=AGENT, new=asked) for _ in range(5)]
        agents.new(store, life.clock, life.chance, name="ben")
    life.live()
    with life.open() as store, store.write() as rows:
        tasks.send(rows, life.clock, made[0], anew=True, retry=None)
    life.live()
    back(life, cycle=8)
    with life.open() as store:
        assert [one.id for one in tasks.list_(store, agent=AGENT)] == [one.id for one in made]
        octets = lives.export(store, life.clock, agent=AGENT)
        with lives.unpacked(opened(octets)) as other:
            found = [one.id for one in tasks.list_(other, agent=AGENT)]
    assert found == [one.id for one in made]


def test_the_first_cycle_is_undone_with_what_it_heard(tmp_path: Path) -> None:
    life = FullLife(tmp_path / "life")
    before = own(life.rows_of())
    life.live()
    done = back(life)
    assert (done.cycle, done.left_cycles, done.messages, done.anchor) == (0, 1, 0, "0" * 64)
    assert own(life.rows_of()) == before
    with pytest.raises(NothingToDoError):
        back(life, cycle=0)
    found, verdict = replayed(life.path)
    assert (found, verdict.cycles, verdict.lived, verdict.equal) == ([], 0, 1, True)
    life.live(2)
    require_sound(life)
    found, verdict = replayed(life.path)
    assert (found, verdict.cycles, verdict.lived) == ([], 2, 3)


def test_beliefs_go_back_and_that_is_said(life: FullLife) -> None:
    held = "SELECT count(*) FROM observation WHERE agent = 'ava'"
    now = life.value(held)
    done = back(life, cycle=3)
    assert done.beliefs == now - life.value(held) > 0
    assert back(life, branch=done.number).beliefs is UNSET
    assert life.value(held) == now


@pytest.mark.parametrize(
    "path",
    [
        # Each is a day, a cycle to go back to, or (below 0) a rewind whose branch is taken up.
        (0, 2, 1, -1, 0, 2, -1, 1, -2, 0),
        (3, 0, -1, 3, -1, -3, -5, 2, -6, 0),
        (3, -1, 3, 0, -2, 1, 0, -1),
    ],
)
def test_what_any_rewind_left_is_taken_up_again(tmp_path: Path, path: tuple[int, ...]) -> None:
    life = FullLife(tmp_path / "life")
    for _ in range(4):
        life.day()
    left: list[list[bytes]] = []
    for step in path:
        life.days += 20
        before = own(life.rows_of())
        if step == 0:
            life.day()
            continue
        spent = life.value("SELECT sum(micros) FROM ledger")
        back(life, **({"cycle": step} if step > 0 else {"branch": -step}))
        left.append(before)
        assert step > 0 or own(life.rows_of()) == left[-step - 1]
        assert life.value("SELECT sum(micros) FROM ledger") == spent
        require_sound(life)
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)


def test_it_goes_on_from_there(life: FullLife) -> None:
    then = own(life.rows_of(cycle=3))
    back(life, cycle=3)
    life.days = 3
    for _ in range(4):
        life.day()
    require_sound(life)
    assert own(life.rows_of(cycle=3)) == then
    back(life, cycle=3)
    assert own(life.rows_of()) == then
    require_sound(life)


def _reindexed(life: FullLife) -> None:
    with life.open() as store:
        reindex.reindex(store, note_all_made_anew)


def _moved(life: FullLife) -> None:
    with life.open() as store:
        pieces = list(lives.export(store, life.clock, agent=AGENT, move=True))
    life.path = life.path.with_name("other.db")
    with contextlib.closing(make_store(life.path, life.clock, life.chance)) as other:
        lives.import_(other, pieces=pieces, name="ava.life")


def _forked(life: FullLife) -> None:
    into = life.path.with_name("eva.db")
    with life.open() as store:
        ports = (store, life.clock, life.chance)
        lives.fork(*ports, agent=AGENT, cycle=None, into=into, change=AgentChange())
    life.path = into


def _home_again(life: FullLife) -> None:
    home = life.path
    _moved(life)
    with life.open() as store:
        pieces = list(lives.export(store, life.clock, agent=AGENT, move=True))
    life.path = home
    with life.open() as store:
        lives.import_(store, pieces=pieces, name="ava.life")


@pytest.mark.parametrize("made_anew", [_reindexed, _moved, _forked, _home_again])
def test_it_recalls_by_an_index_that_was_made_anew(
    life: FullLife, made_anew: Callable[[FullLife], None]
) -> None:
    back(life, cycle=5)
    life.day()
    made_anew(life)
    for _ in range(3):
        life.day()
    back(life, cycle=7)
    life.day()
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)
    require_sound(life)


def test_what_was_left_before_it_came_home_is_taken_up_again(life: FullLife) -> None:
    back(life, cycle=5)
    life.day()
    _home_again(life)
    with life.open() as store:
        pieces = list(lives.export(store, life.clock, agent=AGENT, branch=1))
    left = lives.verify(pieces, name="left.life", rules=SlotRules())
    assert list(left.wrong()) == []
    assert back(life, branch=1).cycle == 7
    require_sound(life)
    life.day()
    there = own(life.rows_of())
    back(life, cycle=4)
    life.day()
    assert back(life, branch=3).cycle == 8
    assert own(life.rows_of()) == there
    require_sound(life)
    life.day()
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)


def test_that_the_index_was_made_anew_is_nothing_to_go_back_to(life: FullLife) -> None:
    back(life, cycle=5)
    _reindexed(life)
    with pytest.raises(NothingToDoError):
        back(life, cycle=5)


def test_what_was_left_is_taken_up_again(life: FullLife) -> None:
    before = own(life.rows_of())
    left = back(life, cycle=3)
    life.days = 3
    life.day()
    other = own(life.rows_of())
    again = back(life, branch=left.number)
    assert own(life.rows_of()) == before
    require_sound(life)
    assert back(life, branch=again.number).cycle == 4
    assert own(life.rows_of()) == other
    require_sound(life)
    with life.open() as store:
        kept = rewinds.list_(store, agent=AGENT)
    assert [(one.number, one.parted) for one in kept] == [(1, 3), (2, 3), (3, 3)]


def test_it_can_be_had_as_it_was_before_it_went_another_way_for_a_while(life: FullLife) -> None:
    fifth = own(life.rows_of(cycle=5))
    left = back(life, cycle=3)
    life.days = 3
    for _ in range(3):
        life.day()
    back(life, branch=left.number)
    assert own(life.rows_of(cycle=5)) == fifth


def test_it_is_as_it_was_before_it_went_to_and_fro_between_two_ways(life: FullLife) -> None:
    """What kept a number of the first way on the second is nobody's, also where it is gone now."""
    left = back(life, cycle=5).number
    life.day()
    then = own(life.rows_of(cycle=6))
    second = back(life, branch=left).number
    life.day()
    back(life, branch=second)
    assert own(life.rows_of(cycle=6)) == then
    require_sound(life)


def test_it_goes_to_and_fro_over_a_number_that_was_kept(tmp_path: Path) -> None:
    """What kept a number of the first way is there again, without words, on the second."""
    life = FullLife(tmp_path / "life")
    life.live()
    left = back(life, cycle=0)
    life.live()
    for _ in range(3):
        left = back(life, branch=left.number)
        require_sound(life)


def test_within_what_was_taken_up_it_goes_back_further(life: FullLife) -> None:
    fifth, second = own(life.rows_of(cycle=5)), own(life.rows_of(cycle=2))
    left = back(life, cycle=3)
    back(life, branch=left.number)
    assert own(life.rows_of(cycle=5)) == fifth
    back(life, cycle=5)
    assert own(life.rows_of()) == fifth
    back(life, cycle=2)
    assert own(life.rows_of()) == second
    require_sound(life)


def test_what_was_spent_stays_spent(life: FullLife) -> None:
    sums = "SELECT count(*) || ' ' || sum(micros) FROM ledger"
    spent = life.value(sums)
    back(life, cycle=3)
    assert life.value(sums) == spent
    assert life.value("SELECT max(cycle) FROM ledger") == 3


def test_what_was_spent_has_its_place_again_with_what_is_taken_up(life: FullLife) -> None:
    spent = life.rows("SELECT * FROM ledger ORDER BY id")
    left = back(life, cycle=3)
    assert back(life, branch=left.number).revived is UNSET
    assert life.rows("SELECT * FROM ledger ORDER BY id") == spent


def test_numbers_are_never_given_again(life: FullLife) -> None:
    tables = ("message", "memory_item", "observation")
    last = {table: life.value(f"SELECT max(number) FROM {table}") for table in tables}
    back(life, cycle=3)
    assert {table: life.value(f"SELECT max(number) FROM {table}") for table in tables} == last


def test_nobody_else_goes_back_and_what_people_set_stays(life: FullLife) -> None:
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="ben")
        notes.set_(store, life.clock, agent="ben", key="tea", value="green")
        agents.trust(store, name=AGENT, add=["@husam"])
    posts = life.value("SELECT count(*) FROM post")
    back(life, cycle=3)
    with life.open() as store:
        assert notes.list_(store, agent="ben")[0].value == "green"
        assert "@husam" in agents.show(store, name=AGENT).trust
    assert life.value("SELECT count(*) FROM post") == posts


def test_without_a_cycle_the_last_one_is_taken_back(life: FullLife) -> None:
    assert back(life).cycle == 6
    assert back(life).cycle == 5
    require_sound(life)


def test_what_cannot_be_is_said(life: FullLife) -> None:
    with pytest.raises(UsageError, match="after cycle 9 is not known"):
        back(life, cycle=9)
    with pytest.raises(UsageError, match="has no rewind 4"):
        back(life, branch=4)
    back(life, cycle=3)
    with pytest.raises(NothingToDoError):
        back(life, cycle=3)


@pytest.mark.parametrize(("first", "second"), ["ab", "ba"])
def test_what_only_one_row_may_have_changes_hands_again(
    life: FullLife, first: str, second: str
) -> None:
    with life.open() as store, store.write() as rows:
        for place, name in enumerate("ab", 1):
            rows.run(
                "INSERT INTO concern(agent, name, number, focus, body) "
                "VALUES(:agent, :name, :place, :focus, '{}')",
                {"agent": AGENT, "name": name, "place": place, "focus": name == first},
            )
    life.day()
    then = own(life.rows_of(cycle=8))
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE concern SET focus = 0")
        rows.run("UPDATE concern SET focus = 1 WHERE name = :name", {"name": second})
    back(life, cycle=8)
    assert own(life.rows_of()) == then


def test_what_was_taken_back_of_memory_meanwhile_is_named(life: FullLife) -> None:
    with life.open() as store:
        id = next(iter(memory.list_(store, agent=AGENT, wanted=ItemFilter()))).id
        memory.retract(store, life.clock, agent=AGENT, ids=[id])
    assert back(life, cycle=7).revived == (id,)
    assert back(life, cycle=6).revived is UNSET


def test_what_people_took_back_meanwhile_stays_so(life: FullLife) -> None:
    """They said it of what was there, and it would be there again."""
    with life.open() as store:
        outer = (store, life.clock, life.chance)
        strange = NewItem(id="it_w", text="It rains.", origin="tool", sources=("web",))
        memory.add(*outer, agent=AGENT, given=[strange])
    life.day()
    with life.open() as store:
        first, *others = memory.list_(store, agent=AGENT, wanted=ItemFilter())
        record = life.recorder(store).by_rules
        ports = RulePorts(store, life.clock, life.chance, deliver=lambda _: None)
        asked = RetractAsked(ids=(first.id,))
        with record(ports, agent=AGENT, kind=RETRACT, asked=asked, rules=NoRules()) as found:
            revoker = Revoker(found.clock, found.chance)
            trust.retract(found.store, revoker, agent=AGENT, ids=asked.ids)
        from_web = RevokeAsked(source="web")
        with record(ports, agent=AGENT, kind=REVOKE, asked=from_web, rules=NoRules()) as found:
            revoker = Revoker(found.clock, found.chance)
            trust.revoke(found.store, revoker, source="web", agent=AGENT)
    assert back(life, cycle=8).revived is UNSET
    with life.open() as store:
        held = {one.id for one in memory.list_(store, agent=AGENT, wanted=ItemFilter())}
    assert held == {one.id for one in others} - {"it_w"}
    require_sound(life)
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)


def test_a_cycle_that_was_under_way_and_went_on_is_not_taken_up_again(life: FullLife) -> None:
    with contextlib.suppress(KilledError):
        life.live(dies=("turn.after_commit", 1))
    first = back(life, cycle=5)
    back(life, branch=first.number)
    with pytest.raises(NothingToDoError):
        back(life, branch=first.number)
    life.live()
    with pytest.raises(RefusedError, match=r"a cycle was under way.*--branch 1"):
        back(life, branch=first.number)
    require_sound(life)


def test_what_it_had_posted_is_marked_until_that_is_taken_up_again(life: FullLife) -> None:
    def marked() -> list[tuple[str, bool]]:
        with life.open() as store:
            found = spaces.read(store, space="family", limit=1000)
        return [(one.text, one.taken_back is not None) for one in found if one.sender == AGENT]

    def say(text: str) -> None:
        with life.open() as store:
            ports = (store, life.clock, life.chance)
            post = NewPost(sender=AGENT, text=text)
            spaces.post(*ports, space="family", post=post, deliver=lambda _: None)

    say("before")
    life.day()
    say("after")
    left = back(life, cycle=8)
    assert marked() == [("before", False), ("after", True)]
    say("another way")
    back(life, branch=left.number)
    assert marked() == [("before", False), ("after", False), ("another way", True)]
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)


def test_what_every_rewind_left_can_be_read(tmp_path: Path) -> None:
    """Each as it was then, also where others went back and forth over the same numbers since."""
    life = FullLife(tmp_path / "life")
    for _ in range(3):
        life.day()
    left = []
    for aim in ({"cycle": 2}, {"cycle": 1}, {"branch": 2}):
        with life.open() as store:
            left.append(b"".join(lives.export(store, life.clock, agent=AGENT)))
            rewinds.rewind(store, life.revoker, agent=AGENT, **aim)
        life.day()
    for number, octets in enumerate(left, 1):
        with life.open() as store:
            again = b"".join(lives.export(store, life.clock, agent=AGENT, branch=number))
        check = lives.verify([again], name="left.life", rules=SlotRules())
        assert [*check.wrong()] == []
        then, now = (lives.opened([one], name="left.life") for one in (octets, again))
        for name in ("cycles", "messages", "anchor"):
            assert getattr(now.manifest, name) == getattr(then.manifest, name)
        rows_then, rows_now = (
            {header.table: [*rows] for header, rows in one.tables()} for one in (then, now)
        )
        # Octets of what was said since may come along.
        assert {*rows_then.pop("blob")} <= {*rows_now.pop("blob")}
        assert rows_now == rows_then
    with pytest.raises(UsageError, match="has no rewind 9"), life.open() as store:
        lives.export(store, life.clock, agent=AGENT, branch=9)
