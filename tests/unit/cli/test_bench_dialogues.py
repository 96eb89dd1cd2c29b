"""A dialogue becomes a history, and its window the pieces that a scorer reads: every byte of it."""

import json
from pathlib import Path

import pytest

from mindpipe.compaction.filter import CompactedConversation, over_messages
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.compaction.window_text import summary_text
from mindpipe.core.messages import Conversation, Role, text_of
from mindpipe_cli.benchmarks.dialogues import Dialogue, dialogues, pieces, within

TURNS = 120


@pytest.fixture
def dialogue(tmp_path: Path) -> Dialogue:
    """Two people who speak in turns, and now and then an assistant between them."""
    folder = tmp_path / "talk-7"
    folder.mkdir()
    lines = [
        {
            "id": f"D1:{number}",
            "text": f"On day {number} we sailed {number * 7} miles to Port {number % 9}.",
            "at": "2026-01-01T00:00:00Z",
            "speaker": "assistant" if number % 5 == 4 else ("Ada", "Bo")[number % 2],
            "session": "1",
            "kind": "episodic",
        }
        for number in range(TURNS)
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (folder / "items.jsonl").write_text(text)
    (only,) = dialogues(tmp_path)
    return only


def words(text: str) -> int:
    return len(text.split())


def window(conversation: Conversation, budget: int) -> CompactedConversation:
    wish = PlanOptions(agent="ada", strategy="self-summary", budget=budget, keep_cycles=2)
    return over_messages(conversation, wish, count=words, tokenizer="words")


def test_a_turn_is_a_message_and_people_are_heard_by_name(dialogue: Dialogue) -> None:
    messages = dialogue.conversation.messages
    assert dialogue.name == "talk-7"
    assert dialogue.ids == tuple(f"D1:{number}" for number in range(TURNS))
    words = "On day 0 we sailed 0 miles to Port 0."
    assert text_of(messages[0]) == f'INBOX (1 event):\n[home] Ada (human): "{words}"'
    assert text_of(messages[4]) == "On day 4 we sailed 28 miles to Port 4."
    assert [(one.role, one.cycle, one.turn) for one in messages[3:6]] == [
        (Role.USER, 4, 0),
        (Role.ASSISTANT, 4, 1),
        (Role.USER, 5, 0),
    ]


def test_pieces_are_every_byte_that_a_model_sees(dialogue: Dialogue) -> None:
    found = window(dialogue.conversation, 400)
    told = list(pieces(dialogue, found))
    whole = [summary_text(found.planned.parts), *map(text_of, found.conversation.messages)]
    assert "".join(piece.text for piece in told) == "".join(f"{text}\n" for text in whole)
    named = [turn for piece in told for turn in piece.covers]
    assert set(named) > {f"D1:{number}" for number in (TURNS - 1, TURNS - 3)}
    for piece in told:
        for turn in piece.covers:
            assert f"On day {turn.removeprefix('D1:')} " in piece.text


@pytest.mark.heavy
def test_a_share_is_filled_and_not_passed(dialogue: Dialogue) -> None:
    for share in (0.2, 0.4):
        told = within(dialogue, share, window=window, tokens=TURNS * 9)
        taken = sum(len(piece.text) for piece in told) / dialogue.characters
        assert 0.9 * share < taken <= share
