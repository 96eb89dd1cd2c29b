"""What later turns use of what left, and what of it still counts as named."""

from mindpipe.compaction.later_use import HistoryCut, LaterUse, cut_of, later_use
from mindpipe.compaction.records import Kept, Masked, Overlay, Stub, Summary
from mindpipe.core.messages import Message, ResultStatus
from support.histories import call, conversation, result, said, text, tool, user

BEFORE = conversation(
    user("Look at lib/ship/dock.py for order QX42B7."),
    said(call(1, {"path": "lib/ship/dock.py"})),
    tool(result(1, "class Dock:\n  crew = 'north_7'")),
    said("It has crew north_7."),
    user("And run it."),
    said(call(2, {"command": "python run.py"})),
    tool(result(2, "Traceback\nDockError: gate seven stays closed at night")),
    said("It fails."),
).messages


def later(*messages: Message) -> tuple[Message, ...]:
    return conversation(*messages).messages


def uses(window: str, *following: Message) -> dict[str, LaterUse]:
    """Return what is used of both cycles, none of which is sent whole."""
    found = later_use(HistoryCut(left=BEFORE, whole=(), window=window, later=later(*following)))
    return {used.text: used for used in found}


def folded(first: int, last: int) -> Summary:
    return Summary(
        first=first,
        last=last,
        first_seq=1,
        last_seq=8,
        messages=8,
        began="",
        ended="",
        tools=(),
        strategy="anchored",
        folded=0,
        lines=(),
        tokens=1,
    )


def test_paths_and_identifiers_of_words_and_arguments_are_used() -> None:
    found = uses(
        "- path: lib/ship/dock.py",
        user("Go on."),
        said(text("I open QX42B7."), call(3, {"edit": {"path": "lib/ship/dock.py", "n": 3}})),
        tool(result(3, "north_7")),
        said("Done."),
    )
    assert {name: (used.kind, used.named) for name, used in found.items()} == {
        "QX42B7": ("id", False),
        "lib/ship/dock.py": ("path", True),
    }


def test_only_whole_words_count() -> None:
    window = "QX42B71 and AQX42B7 are others"
    found = uses(window, user("Go on."), said("Open QX42B7 and north_77."))
    assert {name: used.named for name, used in found.items()} == {"QX42B7": False}


def test_what_was_said_again_before_it_was_used_is_told_apart() -> None:
    found = uses("", user("It was QX42B7."), said("QX42B7, and lib/ship/dock.py."))
    assert found["QX42B7"].again
    assert not found["lib/ship/dock.py"].again


def test_an_error_is_used_and_named_by_its_name_and_half_of_its_words() -> None:
    asked = (user("Why?"), said("A DockError: the gate stays closed."))
    error = "DockError: gate seven stays closed at night"
    assert uses("- DockError, gate stays closed", *asked)[error].named
    assert not uses("- gate seven stays closed at night", *asked)[error].named
    assert not uses("- DockError\n- gate seven stays closed", *asked)[error].named
    assert error not in uses("", user("Why?"), said("A DockError."))


def test_an_answer_that_failed_is_an_error_without_its_name() -> None:
    before = conversation(
        user("Go."),
        said(call(1, {})),
        tool(result(1, "seats gone forever\nmore words here", status=ResultStatus.ERROR)),
        said("Hm."),
    ).messages
    following = later(user("And?"), said("The seats are gone forever, with more words here."))
    found = later_use(HistoryCut(left=before, whole=(), window="", later=following))
    assert [used.text for used in found] == ["seats gone forever"]


def test_a_cut_holds_what_left_and_what_is_whole() -> None:
    stub = Stub(call="c_0000000000000000000002", text="[cleared]", saved=9)
    overlay: Overlay = (folded(1, 1), Masked(cycle=2, stubs=(stub,), tokens=5))
    cut = cut_of(BEFORE, overlay, words="Earlier", later=())
    assert [message.seq for message in cut.left] == [1, 2, 3, 4, 7]
    assert [(message.seq, len(message.parts)) for message in cut.whole] == [
        (5, 1),
        (6, 1),
        (7, 0),
        (8, 1),
    ]
    assert cut.window == "Earlier\n[cleared]"


def test_what_is_also_sent_whole_is_told_apart() -> None:
    again = (*BEFORE, *later(user("x"), said("x"), user("QX42B7 again"), said("ok"))[2:])
    overlay: Overlay = (folded(1, 1), Kept(first=2, last=2, tokens=9))
    cut = cut_of(again, overlay, words="", later=later(user("Go."), said("QX42B7 north_7")))
    found = {used.text: (used.named, used.kept) for used in later_use(cut)}
    assert found == {"QX42B7": (True, True), "north_7": (False, False)}


def test_a_choice_an_ordinal_and_a_measure_name_nothing() -> None:
    words = "on the 26th, silver/gold, a 24-hour lib/ship and ./run or /root or a/b/c"
    before = conversation(user(words), said("Yes.")).messages
    cut = HistoryCut(left=before, whole=(), window="", later=later(user("Go."), said(words)))
    assert [used.text for used in later_use(cut)] == ["./run", "/root", "a/b/c"]
