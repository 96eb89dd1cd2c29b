"""An inbox that is a plain file: the same checks, keys and receipts, durably appended."""

import json
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.inbox.lines import check
from mindpipe.inbox.push_rules import LineRules, PushRules, read_receipts
from mindpipe.inbox.records import Bounds, Ceiling, FileEvent, Receipt
from mindpipe.inbox.verbs.push import push_file
from mindpipe.io.chance import SeededChance
from mindpipe.io.files import locked_append
from support.fakes import FixedClock

BOUNDS = Bounds(ceilings=(Ceiling(source="tool:*", priority=2),))
RULES = LineRules(source="stdin", agent_needed=False, bounds=BOUNDS)


def push(path: Path, *lines: dict[str, object]) -> list[Receipt]:
    """Push lines into a file, as one piece each, and return their receipts."""
    push_rules = PushRules(bounds=BOUNDS)
    pieces = [
        check(number, json.dumps(line).encode() + b"\n", RULES, push_rules.bad_lines)
        for number, line in enumerate(lines, 1)
    ]
    receipts: list[bytes] = []
    with locked_append(path) as file:
        push_file(
            file,
            FixedClock(),
            SeededChance(1),
            pieces=[piece for piece in pieces if piece],
            push_rules=push_rules,
            keep=receipts.append,
        )
    return read_receipts(b"".join(receipts))


def events(path: Path) -> list[FileEvent]:
    return [msgspec.json.decode(line, type=FileEvent) for line in path.read_bytes().splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "inbox.jsonl"


def test_every_event_becomes_a_line_with_its_id_and_place(path: Path) -> None:
    receipts = push(path, {"text": "a", "body": {"x": 1}}, {"agent": "ava", "key": "k"})
    receipts += push(path, {"text": "b", "due": "2026-11-21T21:00:00+01:00"})
    found = events(path)
    assert [event.seq for event in found] == [1, 2, 3]
    assert [event.id for event in found] == [receipt.id for receipt in receipts]
    assert [receipt.key for receipt in receipts] == [found[0].id, "k", found[2].id]
    assert (found[0].text, found[0].body, found[0].agent) == ("a", {"x": 1}, None)
    assert found[2].due == "2026-11-21T20:00:00Z"
    assert {event.pushed for event in found} == {"2026-11-21T20:00:00Z"}


def test_a_key_is_the_same_event_in_the_file_too(path: Path) -> None:
    (first,) = push(path, {"key": "k", "text": "a"})
    again = push(path, {"key": "k", "text": "a"}, {"key": "k", "text": "a"}, {"key": "l"})
    assert again[:2] == [Receipt(id=first.id, key="k", duplicate=True)] * 2
    assert [event.key for event in events(path)] == ["k", "l"]


def test_the_key_that_a_receipt_printed_holds(path: Path) -> None:
    (first,) = push(path, {"text": "a"})
    (again,) = push(path, {"text": "a", "key": first.key})
    assert again == Receipt(id=first.id, key=first.id, duplicate=True)
    assert len(events(path)) == 1


def test_a_key_with_other_content_appends_nothing(path: Path) -> None:
    push(path, {"key": "k", "text": "a"})
    before = path.read_bytes()
    with pytest.raises(BadInputError, match=r'stdin:2: \$.key: "k" is the key of another event'):
        push(path, {"text": "new"}, {"key": "k", "text": "b"})
    assert path.read_bytes() == before


def test_urgency_is_lowered_to_the_ceiling(path: Path) -> None:
    (receipt,) = push(path, {"source": "tool:x", "priority": 0})
    assert receipt.lowered == 2
    assert [event.priority for event in events(path)] == [2]


def test_a_torn_last_line_is_passed_over(path: Path) -> None:
    push(path, {"key": "k", "text": "a"})
    path.write_bytes(path.read_bytes() + b'{"id":"e_torn')
    push(path, {"text": "b"})
    assert [(event.text, event.seq) for event in events(path)] == [("a", 1), ("b", 2)]


def test_a_file_of_other_things_is_left_alone(path: Path) -> None:
    path.write_text('{"id":"x"}\n')
    with pytest.raises(BadInputError, match="--output:1: is no event of an inbox file"):
        push(path, {"text": "a"})
    assert path.read_text() == '{"id":"x"}\n'
