"""A build whose system text says the time, stored when it is built or made anew when it is sent."""

import itertools
from collections.abc import Collection

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.context import prompt
from mindpipe.context.records import Prompt, Situation
from mindpipe.core.messages import Conversation, Message

_ticks = itertools.count()
_system_text = prompt.system_text
_conversation = Prompt.conversation


def _timed_text(agent: Agent, situation: Situation, offered: Collection[str]) -> str:
    return f"{_system_text(agent, situation, offered)}\n\nNOW: {next(_ticks)}"


def _timed_conversation(self: Prompt, *more: Message) -> Conversation:
    talk = _conversation(self, *more)
    system = f"{talk.head.system}\n\nNOW: {next(_ticks)}"
    return msgspec.structs.replace(talk, head=msgspec.structs.replace(talk.head, system=system))


PATCHES_WHEN_BUILT = ((prompt, "system_text", _timed_text),)
PATCHES_WHEN_SENT = ((Prompt, "conversation", _timed_conversation),)
