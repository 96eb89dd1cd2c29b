"""A request for a thought on a line, as a pipeline asks any model for it."""

from typing import Literal

from mindpipe.core.records import Record
from mindpipe.person.voicing import About


class Words(Record):
    """A part of a message that is text."""

    type: Literal["text"] = "text"
    text: str


class UserMessage(Record):
    """What is said to the model."""

    role: Literal["user"] = "user"
    parts: tuple[Words]


class ThoughtRequest(Record):
    """One request for a thought: the object of the program protocol, and what it is about."""

    system: str
    messages: tuple[UserMessage]
    max_tokens: int
    temperature: float
    about: About
