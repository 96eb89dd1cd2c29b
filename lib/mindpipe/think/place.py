"""Where an agent is, read back from its history where no store remembers it."""

import re
from collections.abc import Iterable, Mapping

from mindpipe.core.messages import CallPart, Message, ResultPart, ResultStatus, Role, text_of

_STATED = re.compile(
    r"^ACTIVE SPACE:\n  - (?:\".* \(id: ([a-z0-9_.-]+)\)|\(none\b.*)$", re.MULTILINE
)


def place_after(messages: Iterable[Message], titles: Mapping[str, str]) -> str | None:
    """Return the space that an agent is in after its history, or None.

    A cycle's note says where it began; entering and leaving move on from there. `titles` are the
    titles of its spaces by name.
    """
    place: str | None = None
    asked: dict[str, CallPart] = {}
    names = {**{title: name for name, title in titles.items()}, **{name: name for name in titles}}
    for message in messages:
        if message.role is Role.NOTE and message.origin == "program":
            stated = _STATED.findall(text_of(message))
            place = (stated[-1] or None) if stated else place
        for part in message.parts:
            if isinstance(part, CallPart):
                asked[part.id] = part
            elif isinstance(part, ResultPart) and part.status is ResultStatus.OK:
                place = _moved(asked.get(part.call), names, place)
    return place


def _moved(call: CallPart | None, names: Mapping[str, str], place: str | None) -> str | None:
    """Return where an answered call leaves the agent."""
    if call is not None and call.tool == "leave_space":
        return None
    if call is not None and call.tool == "enter_space":
        return names.get(str((call.args or {}).get("space")), place)
    return place
