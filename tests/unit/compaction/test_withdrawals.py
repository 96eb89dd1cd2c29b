"""What denies, and what of what was said before it is denied."""

from mindpipe.compaction.filter import lives
from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.withdrawals import denial_in, turned, withdrawn
from mindpipe.compaction.strategies import layered, self_summary
from mindpipe.compaction.task import CompactionTask
from support.histories import conversation, said, user
from support.long_histories import words
from support.tables import each_row


@each_row(
    ("text", "denies"),
    [
        ("No, that is wrong.", True),
        ("No.", True),
        ("Nope", True),
        ("That is not so.", True),
        ("That's not right.", True),
        ("It isn't so at all.", True),
        ("It wasn't, he left early.", True),
        ("This is not correct.", True),
        ("Not true.", True),
        ('bo: "That isn\'t."', True),
        ("Das ist nicht wahr.", True),
        ("It wasn't easy to find, was it?", False),
        ("This is not urgent, but the deadline is near.", False),
        ("Not right now, I have to go.", False),
        ("No, not right now.", False),
        ("No, thanks.", False),
        ('ana: "No, thanks."', False),
        ("No thank you.", False),
        ("Oh no, Jon! How sad.", False),
        ("Oh no, it is red.", True),
        ("Please do not, it is dear.", True),
        ("I haven't.", True),
        ("That's not what they say.", True),
        ("I have not been there yet.", False),
        ("Not so fast.", False),
        ("Das ist nicht dringend.", False),
    ],
)
def test_what_denies(text: str, *, denies: bool) -> None:
    assert (denial_in(text) is not None) == denies


DEADLINE = ("ana", "The deadline is Friday.")
WRONG = ("bo", "No, that is wrong.")
NOTED = ("assistant", "Noted.")


@each_row(
    ("voices", "taken"),
    [
        ((DEADLINE, WRONG), {0: [1]}),
        ((DEADLINE, NOTED, WRONG), {0: [2], 1: [2]}),
        ((DEADLINE, ("assistant", "I shall tell Cy of it."), WRONG), {0: [2], 1: [2]}),
        (
            (DEADLINE, ("assistant", "Noted."), ("cy", "Ok, thanks."), WRONG),
            {0: [3], 1: [3], 2: [3]},
        ),
        ((DEADLINE, ("bo", "Ok."), WRONG), {0: [2]}),
        ((DEADLINE, ("cy", "The pier was wet."), WRONG), {1: [2]}),
        ((DEADLINE, ("assistant", "Shall I go?"), WRONG), {}),
        ((DEADLINE, *[NOTED] * 3, WRONG), {1: [4], 2: [4], 3: [4]}),
        ((("bo", "The deadline is Friday."), ("cy", "Ok."), WRONG), {1: [2]}),
    ],
)
def test_a_denial_reaches_over_the_agent_and_who_only_acknowledges(
    voices: tuple[tuple[str, str], ...], taken: dict[int, list[int]]
) -> None:
    assert withdrawn(voices) == taken


def line(cycle: int, text: str) -> SummaryLine:
    return SummaryLine(text=text, cycle=cycle, seqs=(cycle,))


@each_row(
    ("cycle", "behind", "told"),
    [
        (30, 'bo: "No, that is wrong." Noted.', False),
        (40, 'bo: "No, that is wrong." Noted.', False),
        (30, 'bo: "Please do not, the quay is shut." Noted.', False),
        (40, "We do not ship on a Friday.", False),
        (30, 'ana: "No, thanks." Noted.', True),
        (40, "No, we stay at home.", True),
    ],
)
def test_a_span_tells_no_decision_that_the_next_line_denies(
    cycle: int, behind: str, *, told: bool
) -> None:
    decided = "We decided to ship on Friday."
    since = 32 if cycle == 30 else 70
    later = [line(since + day, f"We decided on dock {day}.") for day in range(6)]
    first = [line(cycle - 1, "We decided on tea."), line(cycle, decided)]
    spans = layered.spanned([*first, line(cycle + 1, behind), *later])
    assert any("ship on Friday" in one.text for one in spans) == told
    assert any("decided on tea" in one.text for one in spans)
    again = layered.spanned([spans[0], line(spans[0].until + 1, WRONG_LINE)])
    assert "decided on tea" in again[0].text


WRONG_LINE = 'bo: "No, that is wrong." Noted.'


def test_a_line_alone_in_its_span_is_denied_by_the_next_span_or_what_follows() -> None:
    alone = line(30, "We decided to ship on Friday.")
    behind = line(31, WRONG_LINE)
    assert "Friday" not in layered.spanned([alone, behind])[0].text
    assert "Friday" not in layered.spanned([alone], [behind])[0].text
    assert layered.spanned([alone]) == [alone]


def closing_lines(*turns: tuple[str, str]) -> list[str]:
    talk = [one for asked, told in turns for one in (user(asked), said(told))]
    lived = lives(conversation(*talk).messages, count=words)
    task = CompactionTask(old=lived, folded=(), room=2000, inbox="", count=words)
    return [one.text for one in self_summary.draft(task).lines]


def test_all_denials_of_a_cycle_stand_before_its_closing_words() -> None:
    inbox = (
        "INBOX (3 events):\n"
        '[Port] Bo (human): "No, that is wrong."\n'
        '[Port] Cy (human): "The ship of quay 9 is blue."\n'
        '[Port] Ana (human): "No, it is red. Scrap that, please."'
    )
    found = closing_lines(("Go.", "The deadline is Friday."), (inbox, "Noted."))
    assert found[1].startswith('Bo: "No, that is wrong." Ana: "')
    assert "it is red" in found[1] and "Scrap that" in found[1]
    assert found[1].endswith(" Noted.")


def test_what_answers_a_question_may_as_well_deny_what_was_said_before_it() -> None:
    found = closing_lines(("We moved to Kiel.", "Shall I wait?"), ("It fell through.", "Noted."))
    assert found == ["Shall I wait?", 'user: "It fell through." Noted.']
    found = closing_lines(("We moved to Kiel.", "Shall I wait?"), ("Yes, thanks.", "Noted."))
    assert found == ["Shall I wait?", "Noted."]


@each_row(
    ("said", "next_said", "pair"),
    [
        ("I live in Graz.", "I do not live in Graz.", True),
        ("I saw the boat at dawn.", "I never saw the boat.", True),
        ("Never sell the mill, whatever they say.", "They sell the mill.", True),
        ("It rains, and we do not sail to Kiel.", "We sail to Kiel.", True),
        ("Row on and never slow down!", "Row on, all of you!", False),
        ("No problem, I am glad to see you at the quay.", "See you!", False),
        ("The shop isn't just a hobby.", "The shop is a hobby.", False),
    ],
)
def test_what_is_denied_is_what_stands_behind_the_denial(
    said: str, next_said: str, *, pair: bool
) -> None:
    assert (turned([("ana", said), ("bo", next_said)]) != {}) == pair
