"""Each Model adapter with a way to script it, so that one suite fits all."""

import json
from collections.abc import Callable
from pathlib import Path

from mindpipe.core.models import ModelRequest
from mindpipe.core.ports import Model
from mindpipe.io.programs import LocalPrograms
from mindpipe.providers.model_names import parse_model_name, target_of
from mindpipe.providers.program.client import ProgramModel
from mindpipe.providers.replay import Recording, Replay
from mindpipe.providers.request import canonical_sha256
from support.loopback.asking import APIS, model_at
from support.loopback.provider import Provider
from support.loopback.turns import Turn

WORDS = {"end": "end", "calls": "tool_use", "cut": "length"}
SCRIPT = """#!/bin/sh
printf . >>"$0.count"
read -r next <"$0.script" || exit 1
sed -i 1d "$0.script"
test "$next" != fail || exit 1
printf '%s\\n' "$next"
"""


class Stage:
    """A model and its script."""

    model: Model

    def will_answer(self, request: ModelRequest, turn: Turn) -> None:
        """Let the next answer to this request be a turn."""
        raise NotImplementedError

    def will_fail(self) -> None:
        """Let the next request fail."""
        raise NotImplementedError

    def attempts(self) -> int:
        """Return how many attempts reached whoever answers."""
        raise NotImplementedError


class ProviderStage(Stage):
    def __init__(self, provider: Provider, name: str) -> None:
        self._provider = provider
        self.model = model_at(provider, name)

    def will_answer(self, _request: ModelRequest, turn: Turn) -> None:
        self._provider.answers(turn)

    def will_fail(self) -> None:
        self._provider.fails(500)

    def attempts(self) -> int:
        return len(self._provider.requests)


class RecordingStage(ProviderStage):
    def __init__(self, provider: Provider, name: str) -> None:
        super().__init__(provider, name)
        self.lines: list[bytes] = []
        self.model = Recording(self.model, append=self.lines.append)


class ProgramStage(Stage):
    def __init__(self, folder: Path) -> None:
        self._path = folder / "answer"
        self._path.write_text(SCRIPT)
        self._path.chmod(0o700)
        self._script = folder / "answer.script"
        self._script.touch()
        target = target_of(parse_model_name(f"program:{self._path}"))
        self.model = ProgramModel(target, path=str(self._path), programs=LocalPrograms())

    def will_answer(self, _request: ModelRequest, turn: Turn) -> None:
        calls = [{"name": one.tool, "arguments": json.loads(one.arguments)} for one in turn.calls]
        told = {"text": turn.text, "tool_calls": calls, "stop_reason": WORDS[turn.finish]}
        self._append(json.dumps(told))

    def will_fail(self) -> None:
        self._append("fail")

    def attempts(self) -> int:
        return len((self._path.parent / "answer.count").read_bytes())

    def _append(self, line: str) -> None:
        with self._script.open("a") as stream:
            stream.write(line + "\n")


class ReplayStage(Stage):
    """The script is the recording; a failure is a request that it does not hold."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._asked = 0
        self.model = self

    @property
    def target(self) -> object:
        return target_of(parse_model_name("replay:turns.jsonl"))

    def reply(self, request: ModelRequest, preview: object = None) -> object:
        self._asked += 1
        replay = Replay(self.target, recording=b"\n".join(self._lines), source="turns.jsonl")
        return replay.reply(request, preview)

    def will_answer(self, request: ModelRequest, turn: Turn) -> None:
        parts: list[dict] = [{"type": "text", "text": turn.text}] if turn.text else []
        for one in turn.calls:
            args = None if turn.finish == "cut" else json.loads(one.arguments)
            parts.append(
                {
                    "type": "call",
                    "id": one.id,
                    "tool": one.tool,
                    "args": args,
                    "args_text": one.arguments,
                    "invalid": "cut off" if args is None else None,
                }
            )
        reply = {"parts": parts, "finish": turn.finish, "provider_finish": turn.finish}
        key = canonical_sha256(request.conversation)
        self._lines.append(json.dumps({"request_sha256": key, "reply": reply}).encode())

    def will_fail(self) -> None:
        self._lines.clear()

    def attempts(self) -> int:
        return self._asked


STAGES: dict[str, Callable[[Provider, Path], Stage]] = {
    **{name: lambda provider, _, name=name: ProviderStage(provider, name) for name in APIS},
    "recording": lambda provider, _: RecordingStage(provider, APIS[0]),
    "program": lambda _, folder: ProgramStage(folder),
    "replay": lambda *_: ReplayStage(),
}
