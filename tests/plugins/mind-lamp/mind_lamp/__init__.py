"""A lamp for mindpipe: one plugin of each kind. Each function takes the NAME of PLUGIN/NAME."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import BinaryIO

from mindpipe.core.messages import CallPart, TextPart
from mindpipe.core.models import Finish, ModelReply, ModelRequest, Target
from mindpipe.core.plugins import ForeignConversation
from mindpipe.core.ports import Preview
from mindpipe.language.records import Statement, Utterance


class LampModel:
    """Answer what was said first, in capitals where it is called `loud`."""

    def __init__(self, name: str) -> None:
        self.target = Target(provider="lamp", api="program", model=name, family=name)

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Say back the first words; use the lamp where it is offered and nothing was called yet."""
        messages = request.conversation.messages
        said = [part for one in messages for part in one.parts if isinstance(part, TextPart)]
        words = said[0].text
        offered = [tool.name for tool in request.conversation.head.tools]
        if "light_lamp" in offered and not any(one.role == "tool" for one in messages):
            call = CallPart(id="", tool="light_lamp", args={"on": True}, args_text='{"on":true}')
            return ModelReply(parts=(call,), finish=Finish.CALLS, provider_finish="calls")
        text = f"You said: {words.strip()}"
        text = text.upper() if request.target.model == "loud" else text
        if preview is not None:
            preview.text(text)
        return ModelReply(parts=(TextPart(text=text),), finish=Finish.END, provider_finish="end")


def model(name: str) -> LampModel:
    """Return a model; `lamp/dark` is none."""
    if name == "dark":
        raise ValueError("a dark lamp says nothing")
    return LampModel(name)


class BrokenModel(LampModel):
    """A model that does not do what a model promises, to be found out."""

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return a reply of wrong types."""
        if preview is not None:
            preview.text("something else")
            raise KeyError("wick")
        return ModelReply(parts=(TextPart(text=7),), finish=Finish.CALLS, provider_finish="")  # type: ignore[arg-type]


def broken(name: str) -> BrokenModel:
    """Return the model that is broken."""
    return BrokenModel(name)


class LampEmbedder:
    """Count letters: texts of the same letters are near."""

    name = "lamp"

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return how often each letter stands in each text."""
        letters = "abcdefghijklmnopqrstuvwxyz"
        return [[float(text.lower().count(letter)) for letter in letters] for text in texts]


def embedder(_name: str) -> LampEmbedder:
    """Return the embedding model."""
    return LampEmbedder()


def tools(_name: str) -> list[dict[str, object]]:
    """Return the manifests of the tools: programs of this package."""
    return [
        {
            "name": "light_lamp",
            "description": "Light the lamp, or put it out.",
            "command": [sys.executable, "-c", "print('the lamp is lit')"],
            "effect": "idempotent",
            "input_schema": {"type": "object", "properties": {"on": {"type": "boolean"}}},
        }
    ]


class LampLog:
    """Read a log of lines `NAME: WORDS`; the lamp is the assistant."""

    def __call__(self, file: BinaryIO, /) -> Iterable[ForeignConversation]:
        """Yield the one conversation of a log; raises ValueError where it is none."""
        messages = []
        for number, line in enumerate(file, start=1):
            name, colon, words = line.decode().rstrip().partition(": ")
            if not colon:
                raise ValueError(f"line {number} has no name")
            role = "assistant" if name == "lamp" else "user"
            messages.append({"role": role, "content": words})
        if not messages:
            raise ValueError("the log is empty")
        yield ForeignConversation(form="openai-chat", octets=json.dumps(messages).encode())


def importer(_name: str) -> LampLog:
    """Return the importer."""
    return LampLog()


class LampReader:
    """Read that somebody has a lamp, and nothing else."""

    name = "lamp/1"

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return one statement for each utterance that says so."""
        return [self._of(one) for one in said]

    def _of(self, said: Utterance) -> tuple[Statement, ...]:
        """Return the statement of one utterance."""
        start = said.text.find("I have a lamp")
        if start < 0:
            return ()
        return (
            Statement(
                speaker=said.speaker,
                subject=said.speaker,
                attribute="owns",
                value="a lamp",
                topic="lamp",
                start=start,
                end=start + len("I have a lamp"),
                reader=self.name,
            ),
        )


def reader(_name: str) -> LampReader:
    """Return the reader."""
    return LampReader()
