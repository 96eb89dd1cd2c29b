"""Recent cycles: what is not closed stays, and names in results that are cleared are kept."""

from mindpipe.compaction.filter import over_messages
from mindpipe.compaction.records import Anchors, Masked
from mindpipe.compaction.tiles import SHOWN_NAMES
from mindpipe.core.messages import Conversation, Head, Message
from support.histories import call, conversation, result, said, tool, user
from support.long_histories import wish_for, words

OLD = conversation(
    *[user("How is the sea?"), said("It is calm, and nobody sails. " * 4)] * 20
).messages
SPOKEN = "The sea is calm and nobody sails. " * 15


def behind(*spoken: Message) -> Conversation:
    """Return some old cycles with another one behind them."""
    return conversation(*OLD, *spoken, head=Head(system="You are Ada."))


def test_a_last_cycle_that_nobody_closed_stays_though_none_is_to_be_kept() -> None:
    talk = behind(user("Where is the rope?"))
    wish = wish_for(300, keep_cycles=0)
    found = over_messages(talk, wish, count=words, tokenizer="words")
    assert [one.parts for one in found.conversation.messages] == [talk.messages[-1].parts]
    closed = behind(user("Where is the rope?"), said("In the dock."))
    found = over_messages(closed, wish, count=words, tokenizer="words")
    assert found.conversation.messages == ()


def test_names_in_results_that_are_cleared_of_recent_cycles_are_kept() -> None:
    paths = [f"/srv/dock/rope-{number}.csv" for number in range(SHOWN_NAMES + 3)]
    spoken = [user("Repair the ship."), said(call(1001, {"query": "hull"}))]
    spoken.append(tool(result(1001, f"The plans are in {' '.join(paths)}. {SPOKEN}")))
    for number in range(1002, 1040):
        spoken.append(said(call(number, {"query": "hull"})))
        spoken.append(tool(result(number, SPOKEN)))
    wish = wish_for(5000, keep_cycles=1)
    talk = behind(*spoken, said("Repaired."))
    found = over_messages(talk, wish, count=words, tokenizer="words").planned
    assert any(isinstance(part, Masked) for part in found.parts)
    anchors = [one for part in found.parts if isinstance(part, Anchors) for one in part.anchors]
    assert {one.text for one in anchors if one.kind == "path"} == set(paths[SHOWN_NAMES:])
