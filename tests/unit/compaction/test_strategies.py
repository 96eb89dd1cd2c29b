"""What each strategy makes of old cycles."""

import pytest

from mindpipe.compaction.filter import lives
from mindpipe.compaction.records import Summary, SummaryLine
from mindpipe.compaction.strategies import anchored, layered, masked, self_summary
from mindpipe.compaction.strategies.table import STRATEGIES, default_strategy
from mindpipe.compaction.task import CompactionTask, CycleInView
from mindpipe.core.messages import Message
from support.histories import call, conversation, result, said, text, tool, user
from support.long_histories import LONG, Spent, folded, past, plain, told, words
from support.tables import each_row


def cycles(*messages: Message) -> tuple[CycleInView, ...]:
    return lives(conversation(*messages).messages, count=words)


def old(count: int) -> tuple[CycleInView, ...]:
    return lives(past([plain(number) for number in range(count)]).messages, count=words)


def task(
    lived: tuple[CycleInView, ...], *, room: int = 2000, earlier: tuple[Summary, ...] = ()
) -> CompactionTask:
    return CompactionTask(old=lived, folded=earlier, room=room, inbox="", count=words)


@each_row("strategy", sorted(STRATEGIES))
def test_every_strategy_says_why_and_invents_no_cycle(strategy: str) -> None:
    lived = old(60)
    draft = STRATEGIES[strategy].draft(task(lived))
    numbers = {one.cycle for one in lived}
    assert set(draft.reasons) == numbers
    assert draft.kept <= numbers
    assert draft.stubs.keys() <= numbers
    seqs = {message.seq for one in lived for message in one.messages}
    for line in draft.lines:
        assert line.cycle in numbers
        assert line.until == 0 or line.until in numbers
        assert set(line.seqs) <= seqs
        assert line.text == " ".join(line.text.split())


def test_the_closing_summary_is_all_text_of_the_last_assistant_message() -> None:
    lived = cycles(
        user("Go."),
        said("Not this.", call(1, {})),
        tool(result(1, "ok")),
        said(text("Booked the hotel.\n\n"), text("Omar has  to confirm.")),
    )
    (line,) = self_summary.draft(task(lived)).lines
    assert line == SummaryLine(text="Booked the hotel. Omar has to confirm.", cycle=1, seqs=(4,))


def test_a_synthetic_closing_counts_as_what_it_says() -> None:
    lived = cycles(user("Go."), said("[stopped: too many turns]", synthetic=True))
    (line,) = self_summary.draft(task(lived)).lines
    assert line.text == "[stopped: too many turns]"


def test_a_cycle_without_a_closing_tells_its_events_and_tools() -> None:
    lived = cycles(
        user('INBOX (1 event):\n[Port] Omar (human): "Where is the ship?"'),
        said(call(1, {}, tool="look")),
        tool(result(1, "no")),
        said(call(2, {}, tool="look"), call(3, {}, tool="ask")),
        tool(result(2, "no"), result(3, "no")),
    )
    (line,) = self_summary.draft(task(lived)).lines
    assert line.text == "took in Omar: Where is the ship?; used look 2 times, ask"
    assert self_summary.line_of(CycleInView(4, (), ())) is None


def test_last_words_that_tell_nothing_stand_behind_what_was_said_to_them() -> None:
    lived = cycles(
        user("Ines is allergic to nuts."),
        said("Noted."),
        user("The rope is 40 metres long."),
        said("Measured the rope: 40 metres."),
        user("Our boat is called Merle."),
        said("Noted."),
        user("The boat is to be painted red. " + "It was blue once. " * 30),
        said("OK."),
        user("Is the rope in the harbour of Hull as long as it was in 2019?"),
        said("Measured the rope: 40 metres."),
    )
    lines = [line.text for line in self_summary.draft(task(lived)).lines]
    assert [lines[0], lines[1], lines[2], lines[4]] == [
        'user: "Ines is allergic to nuts." Noted.',
        "Measured the rope: 40 metres.",
        'user: "Our boat is called Merle." Noted.',
        "Measured the rope: 40 metres.",
    ]
    assert lines[3].startswith('user: "The boat is to be painted red.')
    assert len(lines[3]) < 300
    assert layered.draft(task(lived)).lines == self_summary.draft(task(lived)).lines


def test_lines_of_earlier_summaries_are_repeated_in_their_place() -> None:
    lived = (old(9)[4], old(9)[8])
    earlier = (
        folded(SummaryLine(text="First.", cycle=1), SummaryLine(text="Later.", cycle=7), last=8),
    )
    lines = self_summary.draft(task(lived, earlier=earlier)).lines
    assert [line.cycle for line in lines] == [1, 5, 7, 9]


def test_layers_are_lines_of_cycles_and_then_spans_with_decisions() -> None:
    lived = lives(
        past([Spent(2, (), 3)] * 120).messages,
        count=words,
    )
    lines = layered.draft(task(lived)).lines
    single = [line for line in lines if not line.until]
    spans = [line for line in lines if line.until]
    assert [line.cycle for line in single] == list(range(81, 121))
    assert [(line.cycle, line.until) for line in spans] == [(1, 30), (31, 60), (61, 80)]
    assert all("Key decisions: " in line.text for line in spans)


def test_a_span_names_people_and_prefers_what_was_decided() -> None:
    lines = [
        SummaryLine(
            text="Met with Omar. We decided on dock 4 because it is deep.", cycle=1, seqs=(1,)
        ),
        *[
            SummaryLine(text=f"It rained on day {day}.", cycle=day, seqs=(day,))
            for day in range(2, 12)
        ],
    ]
    (span,) = layered.spanned(lines)
    assert span.text.startswith("With Omar. Key decisions: We decided on dock 4 because it is deep")
    assert (span.cycle, span.until) == (1, 11)
    grown = layered.spanned([span, SummaryLine(text="Omar agreed to wait.", cycle=12, seqs=(12,))])
    assert grown[0].text.startswith("With Omar. Key decisions: We decided on dock 4 because it is")
    assert "Omar agreed to wait" in grown[0].text
    assert grown[0].text.count("Key decisions") == 1
    assert 12 in grown[0].seqs


def test_masking_clears_old_results_and_keeps_the_newest() -> None:
    talk: list[Message] = []
    for number in range(1, 9):
        talk += [user("Go."), said(call(number, {})), tool(result(number, told(number, LONG)))]
        talk.append(said("Done."))
    lived = cycles(*talk)
    light = masked.draft(task(lived, room=sum(one.tokens for one in lived)))
    assert sorted(light.stubs) == [1, 2, 3, 4, 5]
    assert light.kept == {6, 7, 8}
    assert light.lines == ()
    tight = masked.draft(task(lived, room=600))
    assert 8 in tight.stubs, "the newest results go when there is no room for them"
    assert light.stubs[1][0].saved > 100


def test_masking_summarises_the_oldest_cycles_where_clearing_is_not_enough() -> None:
    lived = lives(past([Spent(LONG, (), 3)] * 6).messages, count=words)
    draft = masked.draft(task(lived, room=3 * lived[0].tokens))
    assert draft.kept == {5, 6}
    assert [line.cycle for line in draft.lines] == [1, 2, 3, 4]


def test_anchored_takes_the_weighty_words_of_old_lines_and_new_messages() -> None:
    earlier = folded(
        SummaryLine(text="Omar: the crane broke on 14 May 2024.", cycle=1, until=5, seqs=(3, 4)),
        last=5,
    )
    lived = cycles(
        user("Well, well."),
        said("Ship SH7734 leaves dock 9 at noon on Thursday."),
    )
    moved = tuple(one._replace(cycle=one.cycle + 5) for one in lived)
    draft = anchored.draft(task(moved, room=40, earlier=(earlier,)))
    kept = " ".join(line.text for line in draft.lines)
    assert "14 May 2024" in kept
    assert "SH7734" in kept
    first = next(line for line in draft.lines if "14 May" in line.text)
    assert (first.cycle, first.until) == (1, 5)
    assert set(first.seqs) <= {3, 4, 1, 2}


def test_the_default_is_what_suits_a_history() -> None:
    work = [user("Go."), said(call(1, {})), tool(result(1, "12 boats")), said("I counted 12.")]
    talk = [user("Hello."), said("Hello.")]
    for cycles, name in ((work, "self-summary"), (talk, "anchored"), ([*work, *talk], "anchored")):
        lived = lives(conversation(*cycles).messages, count=words)
        assert default_strategy(lived).name == name
    assert default_strategy(()).name == "anchored"
    closed = default_strategy(lives(conversation(*work).messages, count=words))
    assert closed.why == "1 of 1 cycles close their work with a summary"


def counted(number: int, closing: str) -> list[Message]:
    """Return a cycle in which a tool counts boats of one number, and what the agent ends with."""
    return [
        user(f"Count dock {number}."),
        said(call(number, {})),
        tool(result(number, f"{number} boats")),
        said(closing),
    ]


@pytest.mark.parametrize(
    ("closings", "name"),
    [
        (["Done."] * 8, "anchored"),
        (["Done.", "Okay.", "All done!", "Sure.", "Sent.", "Got it.", "Gladly."], "anchored"),
        ([f"I counted {number} boats." for number in range(1, 9)], "self-summary"),
        ([f"I counted {number} boats." for number in range(1, 5)] + ["Done."] * 4, "anchored"),
    ],
    ids=["all alike", "of nothing in them", "summaries", "half of them"],
)
def test_last_words_that_do_not_say_what_was_done_are_no_summary(
    closings: list[str], name: str
) -> None:
    cycles = [one for number, words_ in enumerate(closings, 1) for one in counted(number, words_)]
    lived = lives(conversation(*cycles).messages, count=words)
    assert default_strategy(lived).name == name
