import hashlib

from mindpipe.core.messages import Role, TextPart
from mindpipe.core.models import Finish, ModelReply, RequestOptions, Target, Usage
from mindpipe.engine.cycle.model_call import (
    answer_of,
    hash_of_octets,
    octets_of,
    wants_more_room,
)
from mindpipe.engine.cycle.request import paused_message
from mindpipe.engine.records.journal import Turn, TurnRequest, TurnState
from mindpipe.engine.tools.calls import PlannedCall
from support.histories import user
from support.tables import each_row

TARGET = Target(provider="anthropic", api="messages", model="claude-haiku-4-5", family="claude-4")
WORDS = (TextPart(text="Greeted Husam."),)


def turn(*spans: str, max_tokens: int = 4096) -> Turn:
    options = RequestOptions(max_tokens=max_tokens)
    asked = TurnRequest(segment=1, target=TARGET, options=options, request_sha256="", unsent=())
    return Turn(
        agent="ava",
        cycle=3,
        turn=2,
        state=TurnState.ASKING,
        attempts=1,
        first_boot="b",
        first_seconds=0.0,
        asked=asked,
        spans=spans,
    )


def reply(finish: Finish = Finish.END, *, raw: bytes = b"", model: str = "") -> ModelReply:
    return ModelReply(
        parts=WORDS,
        finish=finish,
        provider_finish="end_turn",
        raw=raw,
        usage=Usage(input_tokens=5, output_tokens=2),
        model=model,
    )


@each_row(
    ("raw", "kept"),
    [
        (b'{"content": [ ]}', b'{"content": [ ]}'),
        (b"", b'[{"type":"text","text":"Greeted Husam."}]'),
    ],
)
def test_a_replys_own_bytes_are_kept_or_else_its_parts(raw: bytes, kept: bytes) -> None:
    assert octets_of(reply(raw=raw)) == kept
    assert hash_of_octets(kept) == hashlib.sha256(kept).hexdigest()


@each_row(("told", "model"), [("claude-haiku-4-5-20251001", "claude-haiku-4-5-20251001"), ("", "")])
def test_an_answer_names_the_model_that_spoke_and_all_its_spans(told: str, model: str) -> None:
    planned = PlannedCall(WORDS, {"c_0": "toolu_1"}, ())
    answer = answer_of(reply(model=told), planned, target=TARGET, spans=["aa", "bb"])
    assert answer.raw is not None
    assert answer.raw.sha256 == ("aa", "bb")
    assert answer.raw.ids == {"c_0": "toolu_1"}
    assert answer.raw.finish == "end_turn"
    assert answer.model == answer.raw.model == (model or TARGET.model)
    assert (answer.parts, answer.usage.output_tokens) == (WORDS, 2)


def test_a_paused_reply_goes_back_as_it_came_at_the_end() -> None:
    last = user("Hello.", id="m_1", seq=4, segment=2)
    assert paused_message(turn(), last) is None
    sent = paused_message(turn("aa", "bb"), last)
    assert sent is not None
    assert (sent.role, sent.seq, sent.segment, sent.parts) == (Role.ASSISTANT, 5, 2, ())
    assert (sent.cycle, sent.turn, sent.id != last.id) == (3, 2, True)
    assert sent.raw is not None
    assert sent.raw.sha256 == ("aa", "bb")


@each_row(
    ("finish", "asked", "usual", "more"),
    [
        (Finish.CUT, 4096, 4096, 16384),
        (Finish.UNKNOWN, 4096, 4096, 16384),
        (Finish.CUT, 16384, 4096, None),
        (Finish.CUT, 32_000, 32_000, 64_000),
        (Finish.CUT, 64_000, 64_000, None),
        (Finish.END, 4096, 4096, None),
        (Finish.CALLS, 4096, 4096, None),
        (Finish.PAUSE, 4096, 4096, None),
        (Finish.REFUSAL, 4096, 4096, None),
    ],
)
def test_a_cut_reply_is_asked_for_once_more_with_more_room(
    finish: Finish, asked: int, usual: int, more: int | None
) -> None:
    options = wants_more_room(turn(max_tokens=asked), reply(finish), usual=usual)
    assert (options.max_tokens if options else None) == more
