"""A fork shares its past and nothing else; what differs between two lives is named."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.ports import ProgramRun
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.delivery import announce_to
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.history.verbs import history, log
from mindpipe.life.records import LifeForked
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.settings import Settings
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, NewSpaceEntity
from mindpipe.store.backup import faults_of
from support.full_lives import FullLife
from support.histories import PROGRAM
from support.life import AGENT
from support.loopback.turns import Turn
from support.replays import replayed
from support.scripted_model import Scripted, call, calls

pytestmark = pytest.mark.heavy

DAYS = 4
NO_SETTINGS = Settings(options={}, environment={})
CAP = AgentChange(day_micros=5)


@pytest.fixture
def life(tmp_path: Path) -> FullLife:
    """Return a life of some days."""
    made = FullLife(tmp_path / "life")
    for _ in range(DAYS):
        made.day()
    return made


def forked(
    life: FullLife, into: Path, *, cycle: int | None = 2, change: AgentChange = CAP, **more: bool
) -> LifeForked:
    """Fork a life after a cycle."""
    with life.open() as store:
        ports = (store, life.clock, life.chance)
        return lives.fork(
            *ports,
            agent=AGENT,
            cycle=cycle,
            into=into,
            change=change,
            terms=lives.ForkTerms(**more),
        )


def at(life: FullLife, path: Path) -> FullLife:
    """Return the life that lives in another store."""
    other = life.copied(path.parent / f"{path.name}-copy")
    other.path = path
    return other


def inherited(life: FullLife, *, cycle: int | None = None) -> list[bytes]:
    """Return the rows that a fork has unchanged, but for its log, which says what is changed."""
    changed = (b'["agent"', b'["change"')
    return [line for line in life.rows_of(cycle=cycle) if not line.startswith(changed)]


def test_a_fork_has_the_past_and_goes_on_alone(life: FullLife, tmp_path: Path) -> None:
    before = life.rows_of()
    made = forked(life, tmp_path / "eva.db")
    assert (made.cycle, made.day_micros) == (2, 5)
    eva = at(life, tmp_path / "eva.db")
    assert eva.rows_of(cycle=2) == life.rows_of(cycle=2)
    assert inherited(eva) == inherited(life, cycle=2)
    eva.days = 2
    eva.day()
    with eva.open() as store:
        assert list(history.verify(store, agent=AGENT).broken()) == []
    assert life.rows_of() == before
    assert eva.value("SELECT max(cycle) FROM cycle") == 3


def test_a_fork_from_before_the_first_event_is_as_a_life_that_went_back_there(
    life: FullLife, tmp_path: Path
) -> None:
    made = forked(life, tmp_path / "eva.db", cycle=0)
    assert (made.cycle, made.messages, made.anchor) == (0, 0, "0" * 64)
    eva = at(life, tmp_path / "eva.db")
    with (
        life.open() as store,
        lives.picture(store, agent=AGENT, cycle=0) as then,
        eva.open() as other,
        lives.picture(other, agent=AGENT) as now,
    ):
        assert {one.what for one in lives.diff(then, now)} == {"settings"}
        rewinds.rewind(store, life.revoker, agent=AGENT, cycle=0)
        with lives.picture(store, agent=AGENT) as gone_back:
            kinds = {one.what for one in lives.diff(gone_back, now)}
    assert kinds <= {"settings", "spend"}
    eva.days = 0
    for _ in range(2):
        eva.day()
    found, verdict = replayed(eva.path)
    assert (found, verdict.cycles, verdict.equal) == ([], 2, True)


def test_a_fork_of_forks_has_what_was_before_the_first_of_them(
    life: FullLife, tmp_path: Path
) -> None:
    last = life
    for number, cycle in enumerate((3, 4, 2)):
        into = tmp_path / f"eva{number}.db"
        forked(last, into, cycle=cycle)
        last = at(last, into)
        last.days = cycle
        last.day()
        with (
            life.open() as store,
            lives.picture(store, agent=AGENT, cycle=min(cycle, 3)) as then,
            last.open() as other,
            lives.picture(other, agent=AGENT, cycle=min(cycle, 3)) as now,
        ):
            assert list(lives.diff(then, now)) == []
    found, verdict = replayed(last.path)
    assert (found, verdict.cycles, verdict.equal) == ([], 3, True)


def test_a_fork_of_now_has_all(life: FullLife, tmp_path: Path) -> None:
    assert forked(life, tmp_path / "eva.db", cycle=None).cycle == DAYS
    eva = at(life, tmp_path / "eva.db")
    assert inherited(eva) == inherited(life)


def alone(life: FullLife) -> None:
    """Leave a life as it is."""


def rewound(life: FullLife) -> None:
    """Let a life go back, and another way."""
    with life.open() as store:
        rewinds.rewind(store, life.revoker, agent=AGENT, cycle=3)
    life.days = 3
    life.day()


def to_and_fro(life: FullLife) -> None:
    """Let a life go another way, back to the first one, and to the second again."""
    with life.open() as store:
        left = rewinds.rewind(store, life.revoker, agent=AGENT, cycle=3).number
    life.day()
    with life.open() as store:
        left = rewinds.rewind(store, life.revoker, agent=AGENT, branch=left).number
    life.day()
    with life.open() as store:
        rewinds.rewind(store, life.revoker, agent=AGENT, branch=left)


def crowded(life: FullLife) -> None:
    """Let a life go back and forth, and others live in its store and speak in its spaces."""
    with life.open() as store:
        ports = (store, life.clock, life.chance)
        agents.new(*ports, name="ben")
        for name, members in (("both", (AGENT, "ben")), ("alone", ("ben", "cy"))):
            spaces.new(*ports[:2], name=name)
            for sender in members:
                who = NewSpaceEntity(name=sender, kind="human" if sender == "cy" else "agent")
                spaces.join(*ports, space=name, who=who)
                said = NewPost(sender=sender, text=f"{sender}-{name}")
                spaces.post(*ports, space=name, post=said, deliver=announce_to(*ports, NO_SETTINGS))
        rewinds.rewind(store, life.revoker, agent=AGENT, cycle=3)
    life.days = 3
    life.day()
    life.day()


@pytest.mark.parametrize("befall", [alone, rewound, to_and_fro, crowded])
def test_a_copy_of_the_pages_comes_to_the_same_as_one_of_the_rows(
    life: FullLife,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    befall: Callable[[FullLife], None],
) -> None:
    befall(life)
    for (cycle,) in [
        *life.rows(f"SELECT cycle FROM cycle_change WHERE agent = '{AGENT}'"),
        (None,),
    ]:
        made = []
        for name, share in (("rows", 2.0), ("pages", 0.0)):
            monkeypatch.setattr(lives, "COPIED_WHOLE", share)
            one = life.copied(tmp_path / f"{name}{cycle}")
            into = one.path.with_name("eva.db")
            forked(one, into, cycle=cycle)
            one.path = into
            made.append(one)
        by_rows, by_pages = (dict(one.everything()) for one in made)
        for table in by_rows:
            if not table.startswith(("message_text_", "recall_text_", "sqlite_")):
                assert sorted(by_pages[table]) == sorted(by_rows[table]), (cycle, table)
        assert by_pages.keys() == by_rows.keys()
        words = "SELECT rowid FROM message_text('a OR the OR look OR bill') ORDER BY rowid"
        found = [one.rows(words) for one in made]
        assert found[0] == found[1] != []
        for one in made:
            with one.open() as store:
                assert faults_of(store.connection) == []
                assert log.index_gaps(store) == 0
            octets = one.path.read_bytes()
            assert b"ben-alone" not in octets
            assert b"cy-alone" not in octets


def test_its_tools_do_not_reach_out_unasked(life: FullLife, tmp_path: Path) -> None:
    tools = (
        ToolManifest(name="read", description="", command=("a",), effect="pure"),
        ToolManifest(name="mail", description="", command=("a",), effect="unsafe"),
        ToolManifest(name="heat", description="", command=("a",), effect="idempotent"),
        ToolManifest(
            name="fetch", description="", command=("a",), effect="pure", labels=("sends_out",)
        ),
    )
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(tools=tools))
    asking = forked(life, tmp_path / "eva.db", cycle=None).asks_first
    assert asking == ("mail", "heat", "fetch")
    assert forked(life, tmp_path / "ida.db", cycle=None, effects=True).asks_first == ()


def test_what_is_there_is_not_written_over(life: FullLife, tmp_path: Path) -> None:
    (tmp_path / "eva.db").write_text("mine")
    with pytest.raises(RefusedError, match="already there"):
        forked(life, tmp_path / "eva.db")
    assert (tmp_path / "eva.db").read_text() == "mine"


def test_a_fork_that_fails_leaves_nothing(life: FullLife, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cycle 99 is not known"):
        forked(life, tmp_path / "eva.db", cycle=99)
    assert not list(tmp_path.glob("eva*"))


def test_other_words_for_it_change_that_alone(life: FullLife, tmp_path: Path) -> None:
    change = AgentChange(instructions="Be brief.", day_micros=7)
    forked(life, tmp_path / "eva.db", change=change)
    with (
        life.open() as store,
        lives.picture(store, agent=AGENT, cycle=2) as first,
        at(life, tmp_path / "eva.db").open() as other,
        lives.picture(other, agent=AGENT) as second,
    ):
        (one,) = lives.diff(first, second)
    assert (one.what, one.change) == ("settings", "changed")
    assert one.first == {"instructions": "", "day_micros": None}
    assert one.second == {"instructions": "Be brief.", "day_micros": 7}


def test_what_rewinds_left_is_read_once_for_each_life_that_is_compared(life: FullLife) -> None:
    rewound(life)
    said = []
    with life.open() as store:
        store.connection.exec_trace = lambda _cursor, sql, _given: said.append(sql) is None
        with (
            lives.picture(store, agent=AGENT, cycle=2) as first,
            lives.picture(store, agent=AGENT) as second,
        ):
            assert list(lives.diff(first, second))
    assert sum("undo" in sql and "FROM rewind" in sql for sql in said) == 2


def test_what_a_day_changed_is_named(life: FullLife) -> None:
    with (
        life.open() as store,
        lives.picture(store, agent=AGENT, cycle=3) as first,
        lives.picture(store, agent=AGENT, cycle=4) as second,
    ):
        found = list(lives.diff(first, second))
    assert found[0].what == "message"
    assert found[0].change == "only_second"
    kinds = {(one.what, one.key) for one in found}
    assert {
        ("note", "k1"),
        ("goal", "4"),
        ("plan", "4"),
        ("memory", "it_4"),
        ("cycle", "4"),
    } <= kinds
    assert all(one.change != "only_first" for one in found if one.what in {"memory", "cycle"})


def test_a_life_is_the_same_as_itself(life: FullLife) -> None:
    with life.open() as store:
        octets = b"".join(lives.export(store, life.clock, agent=AGENT))
        with (
            lives.unpacked(lives.opened([octets], name="ava.life")) as copy,
            lives.picture(copy, agent=AGENT) as then,
        ):
            with lives.picture(store, agent=AGENT) as now:
                assert list(lives.diff(then, now)) == []
            notes.set_(store, life.clock, agent=AGENT, key="k1", value="other")
            with lives.picture(store, agent=AGENT) as now:
                (one,) = lives.diff(then, now)
    assert (one.what, one.key, one.change) == ("note", "k1", "changed")
    assert (one.second or {})["value"] == "other"


MAIL = ToolManifest(name="mail", description="", command=("mail",), effect="unsafe")


def writes(life: FullLife, to: str) -> str:
    """Live a cycle in which a mail is to go out; return what the call was answered."""
    life.push("Write.")
    life.clock.pass_time(60.0)
    life.think(Scripted(PROGRAM, {}, otherwise=(calls(call("mail", to=to)), Turn(text="Done."))))
    ((result,),) = life.rows(
        "SELECT result ->> 'text' FROM call WHERE tool = 'mail' ORDER BY cycle DESC LIMIT 1"
    )
    return result


def test_a_call_that_ran_is_answered_from_the_record(life: FullLife, tmp_path: Path) -> None:
    """The next answer after the fork, else the last one; what never ran waits for a person."""
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(tools=(MAIL,), allow_tainted=("mail",)))
    said = ("one", "two", "three")
    for words in said:
        life.sink.ends["mail"] = ProgramRun(status=0, stdout=words.encode(), stderr=b"")
        assert writes(life, "jo") == words
    first = DAYS + 1
    forked(life, tmp_path / "eva.db", cycle=first)
    eva = at(life, tmp_path / "eva.db")
    ran = eva.sink.times("mail")
    for number, words in ((first + 1, "two"), (first + 2, "three"), (first + 2, "three")):
        answered = writes(eva, "jo")
        assert answered.startswith(f"From the record: so it was answered in cycle {number} ")
        assert answered.endswith(f"Nothing has run now. {words}")
    assert "Queued for approval" in writes(eva, "ben")
    assert eva.sink.times("mail") == ran
    found, verdict = replayed(eva.path)
    assert (found, verdict.equal) == ([], True)
    with eva.open() as store:
        rewound = rewinds.rewind(store, eva.revoker, agent=AGENT, cycle=first)
    assert [one.what for one in rewound.effects if one.kind == "call"] == []
    forked(eva, tmp_path / "ida.db", cycle=first)
    assert "Nothing has run now. two" in writes(at(life, tmp_path / "ida.db"), "jo")


def approved(life: FullLife) -> None:
    """Let a person approve what waits, and the life hear of it."""
    with life.open() as store:
        (ticket,) = tickets.list_(store, life.clock, agent=AGENT)
        deliver = life.dependencies(store, Scripted(PROGRAM, {})).tools.deliver
        verdict = tickets.TicketVerdict("husam")
        tickets.approve(
            store,
            life.clock,
            deliver,
            ticket=ticket.id,
            verdict=verdict,
            sha256=str(ticket.sha256),
        )
    life.think(Scripted(PROGRAM, {}, otherwise=(Turn(text="Done."),)))


def test_what_a_person_approved_is_of_the_record_too(life: FullLife, tmp_path: Path) -> None:
    asks = replace(MAIL, approval="always")
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(tools=(asks,)))
    writes(life, "jo")
    approved(life)
    assert life.sink.times("mail") == 1
    forked(life, tmp_path / "eva.db", cycle=None)
    assert writes(at(life, tmp_path / "eva.db"), "jo").endswith("Nothing has run now. did it")


def test_what_was_before_a_fork_was_not_answered_from_its_record(
    life: FullLife, tmp_path: Path
) -> None:
    """A call that waited for a person waits again, in the life and in a fork of it."""
    asks = replace(MAIL, approval="always")
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(tools=(asks,)))
    one, forks = life, ("eva.db", "ida.db", "zoe.db")
    for name, to in zip(forks, ("jo", "ben", "kim"), strict=True):
        assert "Queued for approval" in writes(one, to)
        approved(one)
        forked(one, tmp_path / name, cycle=None)
        one = at(one, tmp_path / name)
        assert "Nothing has run now. did it" in writes(one, to)
        found, verdict = replayed(one.path)
        assert (found, verdict.equal) == ([], True)


def test_a_fork_that_goes_back_keeps_its_record(life: FullLife, tmp_path: Path) -> None:
    """It may go back to before it was one, and be forked again there."""
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(tools=(MAIL,), allow_tainted=("mail",)))
    writes(life, "jo")
    forked(life, tmp_path / "eva.db", cycle=DAYS + 1)
    eva = at(life, tmp_path / "eva.db")
    assert "Nothing has run now. did it" in writes(eva, "jo")
    with eva.open() as store:
        rewinds.rewind(store, eva.revoker, agent=AGENT, cycle=DAYS)
    assert "Nothing has run now. did it" in writes(eva, "jo")
    found, verdict = replayed(eva.path)
    assert (found, verdict.equal) == ([], True)


def test_the_answers_of_another_tool_are_not_its_own(life: FullLife, tmp_path: Path) -> None:
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(tools=(MAIL,), allow_tainted=("mail",)))
    writes(life, "jo")
    with life.open() as store:
        other = AgentChange(tools=(replace(MAIL, command=("post",)),))
        agents.set_(store, name=AGENT, change=other)
    forked(life, tmp_path / "eva.db", cycle=DAYS + 1)
    assert "Queued for approval" in writes(at(life, tmp_path / "eva.db"), "jo")


@pytest.mark.parametrize("briefly", [False, True])
def test_lives_part_where_other_words_are_said(
    life: FullLife, tmp_path: Path, *, briefly: bool
) -> None:
    """Not where the same is said under other ids; and the prompts are told that are others."""
    change = AgentChange(instructions="Be brief.") if briefly else AgentChange()
    forked(life, tmp_path / "eva.db", cycle=None, change=change)
    eva = at(life, tmp_path / "eva.db")
    for number, one in enumerate((life, eva)):
        one.push("Hello.")
        one.clock.pass_time(60.0)
        one.think(Scripted(PROGRAM, {}, otherwise=(Turn(text=f"Answer {number}."),)))
    with (
        life.open() as store,
        lives.picture(store, agent=AGENT) as first,
        eva.open() as other,
        lives.picture(other, agent=AGENT) as second,
    ):
        found = list(lives.diff(first, second))
    parting = found[0]
    assert (parting.what, parting.change) == ("message", "changed")
    assert ("Answer 0." in str(parting.first)) != briefly
    prompts = [(one.key, one.change) for one in found if one.what == "prompt"]
    assert prompts == [(f"{DAYS + 1} 1", "changed")] * briefly
