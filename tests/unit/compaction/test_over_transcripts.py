"""Windows over histories with tools, by every strategy: calls keep their answers, arrays hold."""

import itertools
import json

import pytest

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.filter import CompactedConversation, over_messages
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.compaction.records import Masked, Stub
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import CallPart, Conversation, Message, ResultPart
from mindpipe.history.rows import counted_text
from mindpipe.providers.records import RenderOptions
from support.foreign_documents import read
from support.long_histories import transcript
from support.tables import each_row
from support.validation import FORMATS, errors
from support.whole_documents import export_document

pytestmark = pytest.mark.heavy

SHARES = (0.1, 0.25, 0.5)
SEEDS = range(6)


def words(text: str) -> int:
    """Count a token for every four characters."""
    return (len(text) + 3) // 4


def talk_of(seed: int) -> Conversation:
    imported = read("openai-chat", transcript(seed))
    return Conversation(head=imported.head, messages=imported.messages, blobs=imported.blobs)


def windowed(
    talk: Conversation, strategy: StrategyName, share: float
) -> CompactedConversation | None:
    whole = sum(words(counted_text(message)) for message in talk.messages)
    budget = words(talk.head.system) + int(share * whole)
    wish = PlanOptions(agent="ada", strategy=strategy, budget=budget, keep_cycles=10)
    try:
        return over_messages(talk, wish, count=words, tokenizer="words")
    except NothingToDoError:
        return None


def exchanges(messages: tuple[Message, ...]) -> list[tuple[str, str, str, str]]:
    """Return each call with its answer: id, arguments, id of the answer, its text; by place."""
    found = []
    for asked, answered in itertools.pairwise(messages):
        calls = [part for part in asked.parts if isinstance(part, CallPart)]
        results = [part for part in answered.parts if isinstance(part, ResultPart)]
        if calls:
            found += [
                (one.id, one.args_text, two.call, two.text)
                for one, two in zip(calls, results, strict=True)
            ]
    return found


def answered(talk: Conversation, stubs: dict[str, Stub]) -> list[tuple[str, str, str, str]]:
    """Return the exchanges of a history as a window with these stubs would send them."""
    return [
        (call, args, result, stubs[result].text if result in stubs else text)
        for call, args, result, text in exchanges(talk.messages)
    ]


@each_row("strategy", [name for name in STRATEGIES if name != "model"])
@each_row("share", SHARES)
def test_every_array_is_valid_and_every_call_has_its_own_answer(
    strategy: StrategyName, share: float
) -> None:
    folded = 0
    for seed in SEEDS:
        talk = talk_of(seed)
        found = windowed(talk, strategy, share)
        if found is None:
            continue
        folded += 1
        for form in FORMATS:
            document = export_document(found.conversation, format=form, options=RenderOptions())
            assert errors(form, json.loads(b"".join(document.chunks))) == []
        masked = [part for part in found.planned.parts if isinstance(part, Masked)]
        stubs = {stub.call: stub for part in masked for stub in part.stubs}
        sent = exchanges(found.conversation.messages)
        whole = answered(talk, stubs)
        places = [whole.index(one) for one in sent]
        assert places == sorted(set(places))
        cycles = {message.cycle for message in found.conversation.messages}
        whole_cycles = [message.seq for message in talk.messages if message.cycle in cycles]
        assert [message.seq for message in found.conversation.messages] == whole_cycles
        assert [one[0] for one in sent] == [one[2] for one in sent]
    assert folded > len(SEEDS) // 2


def test_ids_that_repeat_name_calls_of_their_own() -> None:
    talk = talk_of(1)
    ids = [call for call, *_ in exchanges(talk.messages)]
    provided = [
        name for message in talk.messages if message.raw for name in message.raw.ids.values()
    ]
    assert len(set(ids)) == len(ids) == len(provided) > len(set(provided))
