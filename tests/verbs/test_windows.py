"""A window is put in force, sent and undone; the log stays as it is, byte for byte."""

from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.plans.lines import plan_octets, read_plan
from mindpipe.compaction.records import Kept, Masked, Summary
from mindpipe.compaction.verbs import compact, verify, windows
from mindpipe.compaction.verbs import compact as listing
from mindpipe.compaction.verbs import compact as planning
from mindpipe.compaction.verbs import compact as undoing
from mindpipe.compaction.verbs.material import sent_size
from mindpipe.context.verbs.situations import PromptPorts
from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.core.messages import ResultPart, calls_of
from mindpipe.core.ports import ProgramRun
from mindpipe.engine.verbs import context
from mindpipe.history.adoption import ForeignDocument
from mindpipe.history.records import NewSegment
from mindpipe.history.rows import counted_text, digest
from mindpipe.history.verbs import history
from mindpipe.history.verbs import log as segments
from mindpipe.providers.records import ImportOptions
from support.foreign_documents import read_file
from support.histories import PROGRAM
from support.life import AGENT
from support.scripted_model import Scripted, call, calls
from support.stores import WordTokens
from support.windows import Long

CYCLES = 8


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Long:
    """Return a life of eight cycles, each of 93 words and more."""
    return Long(tmp_path_factory.mktemp("lived") / "life", CYCLES)


@pytest.fixture
def life(lived: Long, tmp_path: Path) -> Long:
    """Return that life for one test."""
    return lived.copied(tmp_path / "life")


def ends(part: Kept | Masked | Summary) -> tuple[int, int]:
    """Return the first and last cycle of a part."""
    return (part.cycle, part.cycle) if isinstance(part, Masked) else (part.first, part.last)


def spans(life: Long) -> list[tuple[str, int, int]]:
    """Return the parts of the window in force that cover cycles, with the cycles."""
    with life.open() as store:
        planned = windows.in_force(store, agent=AGENT)
    assert planned is not None
    return [
        (type(part).__name__.lower(), *ends(part))
        for part in planned.parts
        if isinstance(part, Kept | Masked | Summary)
    ]


def test_exactly_the_planned_bytes_are_kept_and_sent_and_the_log_stays(life: Long) -> None:
    log, planned = life.log(), life.plan(keep_cycles=2)
    octets = plan_octets(planned)
    with life.ports() as ports:
        made = compact.apply(ports, agent=AGENT, octets=octets)
        assert listing.window_of(ports.store, agent=AGENT) == octets
        shown = windows.window(ports.store, agent=AGENT)
    assert (made.number, made.action, made.window, made.before) == (1, "apply", digest(octets), 0)
    assert made.tokens_after == sum(planned.plan.after.values()) < made.tokens_before
    assert spans(life) == [("summary", 1, 6), ("kept", 7, 8)]
    assert {message.cycle for message in shown.messages} == {7, 8}
    assert shown.segment.segment == made.segment
    assert shown.segment.raw_from_cycle == CYCLES + 1
    assert str(shown.head.summary).startswith("[Earlier: summary of cycles 1-6]\n")
    assert life.log() == log


def test_a_plan_comes_back_as_it_was_written(life: Long) -> None:
    planned = life.plan(keep_cycles=2, explain=True)
    assert planned.reasons
    assert read_plan(plan_octets(planned), source="plan") == planned


def test_undo_brings_back_what_was_sent_byte_for_byte(life: Long) -> None:
    log, whole, rows = life.log(), life.sent(), life.rows("SELECT * FROM message")
    octets = plan_octets(life.plan(keep_cycles=4))
    with life.ports() as ports:
        compact.apply(ports, agent=AGENT, octets=octets)
    first = life.sent()
    life.fold(keep_cycles=1)
    assert len({whole, first, life.sent()}) == 3
    with life.ports() as ports:
        undone = undoing.undo(ports, agent=AGENT)
        assert (undone.action, undone.before, undone.window) == ("undo", 0, digest(octets))
        assert life.sent() == first
        undone = undoing.undo(ports, agent=AGENT)
        assert (undone.number, undone.window, undone.before) == (4, None, 0)
        assert life.sent() == whole
        with pytest.raises(NothingToDoError, match="nothing of the history of ava is folded"):
            undoing.undo(ports, agent=AGENT)
        # The same plan fits again: it was made for this log, and for no window.
        compact.apply(ports, agent=AGENT, octets=octets)
        assert life.sent() == first
        actions = [one.action for one in listing.list_(ports.store, agent=AGENT)]
    assert actions == ["apply", "apply", "undo", "undo", "apply"]
    assert (life.log(), life.rows("SELECT * FROM message")) == (log, rows)


def test_an_undo_after_further_cycles_sends_them_whole(life: Long) -> None:
    life.fold(keep_cycles=4)
    life.live(2)
    life.fold(keep_cycles=2)
    assert spans(life) == [("summary", 1, 8), ("kept", 9, 10)]
    life.live()
    with life.ports() as ports:
        folded = sent_size(ports, agent=AGENT).total
    undone = life.undo()
    assert (undone.through, undone.before) == (8, 0)
    with life.ports() as ports:
        whole = sent_size(ports, agent=AGENT).total
    assert (undone.tokens_before, undone.tokens_after) == (folded, whole)
    assert folded < whole
    assert spans(life) == [("summary", 1, 4), ("kept", 5, 8)]
    with life.open() as store:
        shown = windows.window(store, agent=AGENT)
    assert sorted({message.cycle for message in shown.messages}) == list(range(5, 12))
    assert shown.segment.raw_from_cycle == 12
    assert str(shown.head.summary).startswith("[Earlier: summary of cycles 1-4]")


def test_a_window_of_a_window_covers_every_cycle_once(life: Long) -> None:
    for _ in range(4):
        life.fold(keep_cycles=2)
        life.live(2)
    covered = [number for _, first, last in spans(life) for number in range(first, last + 1)]
    assert covered == list(range(1, 15))
    with life.open() as store:
        changes = listing.list_(store, agent=AGENT)
        plans = [
            read_plan(listing.window_of(store, agent=AGENT, number=n), source="")
            for n in range(1, 5)
        ]
    assert [one.plan.base for one in plans] == [None, *[one.window for one in changes[:3]]]


def test_a_plan_reads_only_what_is_sent_and_what_was_lived_since(life: Long) -> None:
    life.fold(keep_cycles=2)
    life.live(3)
    asked: list[tuple[int, int]] = []
    with life.ports() as ports:

        def sources(_agent: str, first: int, last: int) -> dict[int, tuple[str, ...]]:
            asked.append((first, last))
            return {}

        options = life.options(ports.store, keep_cycles=2)
        planning.plan(ports._replace(sources=sources), options=options)
    assert asked == [(7, 8), (9, 11)]


def test_masked_results_are_sent_as_stubs_and_no_call_is_left_out(life: Long) -> None:
    found = " ".join(["found"] * 400).encode()
    life.sink.ends["pure"] = ProgramRun(status=0, stdout=found, stderr=b"")
    life.live(3)
    life.fold(strategy="masked", keep_cycles=1, budget=1600)
    masked = [cycle for kind, cycle, _ in spans(life) if kind == "masked"]
    assert {9, 10} <= set(masked)
    with life.open() as store:
        shown = windows.window(store, agent=AGENT)
    texts = {
        message.cycle: part.text
        for message in shown.messages
        for part in message.parts
        if isinstance(part, ResultPart)
    }
    assert "read_history(cycle=9)" in texts[9]
    assert texts[11].startswith("found found")
    assert shown.tokens == sum(WordTokens().count(counted_text(one)) for one in shown.messages)
    called = {message.cycle for message in shown.messages if calls_of(message)}
    assert called == texts.keys() == {message.cycle for message in shown.messages}


def test_what_is_sent_is_counted_as_the_window_has_it(life: Long) -> None:
    with life.ports() as ports:
        before = sent_size(ports, agent=AGENT)
    made = life.fold(keep_cycles=2)
    with life.ports() as ports:
        after = sent_size(ports, agent=AGENT)
    assert abs(before.total - made.tokens_before) <= 2
    assert abs(after.total - made.tokens_after) <= 2
    assert (before.open, before.head) == (0, after.head)


def test_an_empty_history_has_nothing_to_fold(tmp_path: Path) -> None:
    life = Long(tmp_path / "life", 0)
    with life.ports() as ports:
        with pytest.raises(NothingToDoError, match="ava has no history yet"):
            planning.plan(ports, options=life.options(ports.store))
        with pytest.raises(NothingToDoError):
            undoing.undo(ports, agent=AGENT)
        assert listing.list_(ports.store, agent=AGENT) == []
        with pytest.raises(NothingToDoError, match="no window is in force"):
            listing.window_of(ports.store, agent=AGENT)


def test_an_agent_or_change_that_is_not_there_is_named(life: Long) -> None:
    octets = plan_octets(life.plan(keep_cycles=2))
    with life.ports() as ports:
        for fails in (
            lambda: compact.apply(ports, agent="avo", octets=octets),
            lambda: undoing.undo(ports, agent="avo"),
            lambda: listing.list_(ports.store, agent="avo"),
            lambda: listing.window_of(ports.store, agent="avo"),
        ):
            with pytest.raises(UsageError, match="avo"):
                fails()
        with pytest.raises(UsageError, match="ava has no compaction 3"):
            listing.window_of(ports.store, agent=AGENT, number=3)


def test_a_summary_is_expanded_into_its_messages(life: Long) -> None:
    life.fold(keep_cycles=2)
    with life.open() as store:
        whole = list(windows.covers(store, agent=AGENT, cycles="1-6"))
        one = list(windows.covers(store, agent=AGENT, cycles="3"))
        with pytest.raises(UsageError, match=r"covers cycles 5-7; those there are: 1-6\."):
            windows.covers(store, agent=AGENT, cycles="5-7")
        for wrong in ("", "x", "0", "6-1", "1-"):
            with pytest.raises(UsageError, match="no range of cycles"):
                windows.covers(store, agent=AGENT, cycles=wrong)
    assert [message.seq for message in whole] == list(range(1, whole[-1].seq + 1))
    assert ({message.cycle for message in one}, len(one)) == ({3}, len(whole) // 6)


def test_a_summary_of_an_earlier_window_is_expanded_too(life: Long) -> None:
    life.fold(keep_cycles=2)
    with life.open() as store:
        whole = list(windows.covers(store, agent=AGENT, cycles="1-6"))
    life.undo()
    with life.open() as store:
        assert list(windows.covers(store, agent=AGENT, cycles="1-6")) == whole
        with pytest.raises(UsageError, match=r"covers cycles 5-7; those there are: 1-6\."):
            windows.covers(store, agent=AGENT, cycles="5-7")


def test_a_change_names_the_strategy_that_wrote_its_lines(life: Long) -> None:
    made = life.fold(strategy="model", keep_cycles=2, budget=900)
    assert (made.strategy, life.undo().strategy) == ("anchored", "")
    with life.open() as store:
        assert list(verify.broken(store, agent=AGENT)) == []


def test_a_window_that_keeps_less_than_the_floor_is_refused(life: Long) -> None:
    with pytest.raises(RefusedError) as raised:
        life.fold(keep_cycles=1, budget=640, floor=1.0)
    assert "less than the floor of 1; raise --budget, or lower --floor." in str(raised.value)
    share = life.plan(keep_cycles=1, budget=640).plan.measures.anchors
    assert f"the window has {share:.3g}," in str(raised.value)
    with life.open() as store:
        assert listing.list_(store, agent=AGENT) == []
    assert life.fold(keep_cycles=1, budget=640, floor=share).number == 1


def test_past_requests_stay_byte_for_byte_whatever_is_folded_and_undone(life: Long) -> None:
    life.fold(keep_cycles=2)
    life.live(2)
    life.fold(keep_cycles=1)
    life.live()
    with life.ports() as ports:
        undoing.undo(ports, agent=AGENT)
    life.live()
    with life.open() as store:
        ports = PromptPorts(store, life.clock, life.chance, WordTokens())
        # Each one raises where its bytes are not those whose hash was stored.
        shown = [
            context.past(ports, agent=AGENT, cycle=cycle, turn=turn)
            for cycle in range(1, CYCLES + 5)
            for turn in (1, 2)
        ]
    assert [one.receipt for one in shown if _sections(one, "SUMMARY")] == [
        one.receipt for one in shown if one.cycle > CYCLES
    ]
    sent = {message.cycle for message in shown[-1].request.conversation.messages}
    assert sent == set(range(CYCLES - 1, CYCLES + 5))


def _sections(shown: object, name: str) -> bool:
    """Tell whether a receipt has a section."""
    return any(share.section == name for share in shown.receipt)


def test_a_receipt_says_what_each_part_of_a_window_takes(life: Long) -> None:
    life.fold(keep_cycles=2)
    life.live()
    with life.open() as store:
        ports = PromptPorts(store, life.clock, life.chance, WordTokens())
        shown = context.past(ports, agent=AGENT, cycle=CYCLES + 1)
    parts = {share.section: share.tokens for share in shown.receipt}
    summary = str(shown.request.conversation.head.summary)
    assert {"SUMMARY", "ANCHORS", "POINTER"} <= parts.keys()
    told = sum(parts[name] for name in ("SUMMARY", "ANCHORS", "POINTER"))
    assert told == WordTokens().count(summary)


def test_a_window_goes_along_into_segments_that_other_things_open(life: Long) -> None:
    life.fold(keep_cycles=2)
    before = life.sent()
    with life.open() as store:
        change = AgentChange(instructions="Be brief.")
        agents.set_(store, name=AGENT, change=change)
    life.live()
    assert life.sent().startswith(before)
    with life.open() as store:
        assert segments.current_segment(store, agent=AGENT).reason == "system text"


CHAT = b'{"messages": [{"role": "user", "content": "Two"}, {"role": "assistant", "content": "2"}]}'


def test_an_import_stands_behind_the_window(life: Long) -> None:
    life.fold(keep_cycles=2)
    before = life.sent()
    options = ImportOptions(agent=AGENT, name="talk", at=life.clock.now())
    foreign = ForeignDocument(octets=CHAT, format="openai-chat", options=options)
    with life.open() as store:
        history.import_(store, life.clock, WordTokens(), foreign=foreign, file=read_file())
        shown = windows.window(store, agent=AGENT)
    assert life.sent().startswith(before)
    assert shown.messages[-1].cycle == CYCLES + 1
    life.fold(keep_cycles=1)
    assert spans(life) == [("summary", 1, 8), ("kept", 9, 9)]
    with life.ports() as ports:
        undoing.undo(ports, agent=AGENT)
    with life.open() as store:
        assert windows.window(store, agent=AGENT).messages == shown.messages


def test_a_history_that_was_cut_without_a_summary_is_folded_from_its_first_cycle(
    life: Long,
) -> None:
    with life.open() as store:
        now = segments.current_segment(store, agent=AGENT)
        told = "[Earlier: cycles 1-3 are in your history but not shown here.]"
        new = NewSegment(
            head=msgspec.structs.replace(now.head, summary=told),
            target=now.target,
            first_cycle=4,
            raw_from_cycle=CYCLES + 1,
            reason="window",
        )
        segments.open_segment(store, life.clock, agent=AGENT, new=new)
        assert min(one.cycle for one in windows.window(store, agent=AGENT).messages) == 4
    cut = life.sent()
    planned = life.plan(keep_cycles=2)
    assert planned.plan.sent_before == ((4, 8),)
    life.fold(keep_cycles=2)
    assert spans(life) == [("summary", 1, 6), ("kept", 7, 8)]
    with life.ports() as ports:
        undoing.undo(ports, agent=AGENT)
    assert life.sent() == cut


def test_cycles_that_left_no_message_are_covered_too(tmp_path: Path) -> None:
    life = Long(tmp_path / "life", 3)
    life.push("Nothing to say.")
    life.think(Scripted(PROGRAM, {}, otherwise=(calls(call("skip")),)))
    life.live(3)
    life.fold(keep_cycles=2)
    assert spans(life) == [("summary", 1, 5), ("kept", 6, 7)]
