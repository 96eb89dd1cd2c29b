"""What a scripted model may do in one cycle, good and bad: plays by name, for every API."""

import json

from loopback.turns import Call, Turn
from mindpipe.core.models import FaultClass, ModelFault
from plays import Play, call, calls

THOUGHT = "I wonder who is there."
TORN = Call(id="", tool="send_message", arguments='{"text": "Hal')
FINE = Turn(text="All fine.")


def _paused(words: str, stop: str) -> bytes:
    """Return a reply of the Messages API in which the provider's own tool ran."""
    search = {"type": "server_tool_use", "id": "srvtoolu_%SPAN%", "name": "web_search"}
    content = [
        {"type": "text", "text": words},
        {**search, "input": {"query": "weather"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_%SPAN%", "content": []},
    ]
    told = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5"}
    usage = {"input_tokens": 5, "output_tokens": 3}
    return json.dumps({**told, "content": content, "stop_reason": stop, "usage": usage}).encode()


PLAYS: dict[str, Play] = {
    "words": (Turn(text="Nothing to do."),),
    "greets": (
        calls(
            call("send_message", text="Hi", space="family"),
            call("done", summary="Greeted Husam."),
            thinking=THOUGHT,
        ),
    ),
    "works": (
        calls(call("set_memory", key="tea", value="green"), thinking=THOUGHT),
        calls(
            call("set_goal", text="Win"),
            call("get_goals"),
            call("read_messages", space="family"),
            text="More.",
            thinking=THOUGHT,
        ),
        Turn(text="Done.", thinking=THOUGHT),
    ),
    "runs": (
        calls(call("pure"), call("idempotent"), call("keyed"), call("unsafe"), text="Go."),
        FINE,
    ),
    "only thinks": (Turn(thinking=THOUGHT),),
    "unknown tool": (calls(call("send_mesage", text="x"), call("get_goals")), FINE),
    "misfit": (calls(call("send_message", txet="x"), thinking=THOUGHT), FINE),
    "same id twice": (
        calls(Call("same", "get_goals", "{}"), Call("same", "get_plans", "{}"), thinking=THOUGHT),
        calls(call("get_goals"), thinking=THOUGHT),
        FINE,
    ),
    "id used again": (
        calls(Call("again", "get_goals", "{}"), thinking=THOUGHT),
        calls(Call("again", "get_goals", "{}")),
        FINE,
    ),
    "cut": (Turn(text="It goes on and", finish="cut"),),
    "refuses": (Turn(text="I will not.", finish="refusal"),),
    "refuses without a word": (Turn(finish="refusal"),),
    "empty": (Turn(),),
    "blank": (Turn(text=" \n "),),
    "blank beside calls": (calls(call("get_goals"), text="\n\n"), FINE),
    "blank summary": (calls(call("done", summary="  ")), FINE),
    "skips": (calls(call("skip")),),
    "skips late": (calls(call("get_goals")), calls(call("skip"))),
    "says and skips": (calls(call("send_message", text="Bye", space="family"), call("skip")),),
    "never ends": tuple(calls(call("get_goals")) for _ in range(9)),
    "fails the same way": tuple(calls(call("get_memory", key="none")) for _ in range(9)),
    "odd names": (calls(call("mail.send"), call("x" * 200), call("")), FINE),
    "NUL": (calls(call("set_memory", key="k", value="a\0b"), text="a\0b"), FINE),
    "too long": (ModelFault("prompt is too long", fault=FaultClass.TOO_LONG),),
    "refused request": (ModelFault("bad request", fault=FaultClass.OUR_REQUEST),),
    "lost thinking late": (
        calls(call("get_goals"), thinking=THOUGHT),
        ModelFault("invalid signature", fault=FaultClass.LOST_THINKING),
    ),
}
# A program gives arguments as an object, so that they cannot be torn.
TORN_PLAYS: dict[str, Play] = {
    "torn arguments": (calls(TORN, call("get_goals"), thinking=THOUGHT), FINE),
    "three bad turns": (calls(TORN), calls(call("nothing")), calls(TORN)),
    "cut call": (Turn(text="Let me", calls=(TORN,), finish="cut"), FINE),
    "half a character": (
        calls(Call("", "set_memory", '{"key":"k","value":"\\ud800"}')),
        FINE,
    ),
}
MANY: dict[str, Play] = {
    "too many calls": (calls(*[call("get_goals") for _ in range(66)]), FINE),
}
PAUSES: dict[str, Play] = {
    "pauses": (_paused("Let me look (%SPAN%).", "pause_turn"),),
    "ends after a look": (_paused("I looked.", "end_turn"),),
}
