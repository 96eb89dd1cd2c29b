"""What travels between canonical messages and the forms of other programs."""

from typing import Literal

from mindpipe.core.messages import Head, Message
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record

RepairKind = Literal[
    "missing_result",
    "orphan_result",
    "duplicate_result",
    "empty_message",
    "bad_arguments",
    "old_names",
]


class Repair(Record):
    """One change that an import made to a broken transcript: what, and where in the source."""

    kind: RepairKind
    at: str
    what: str


class Loss(Record):
    """One thing that a form cannot carry: the message's id, the part, and why it was left out."""

    message: str
    part: str
    why: str


class Imported(Record):
    """A foreign conversation as canonical messages, numbered from seq 1, cycle 1 in segment 1.

    `sources` maps a message's id to the JSON array of the foreign items it was read from, and
    `envelope` is what the document holds beside its messages: together they give the document
    back (`restore_document`). `blobs` maps sha256 to raw bytes. `name` is what the conversation
    calls itself, if anything. With problems there are no messages.
    """

    head: Head
    messages: tuple[Message, ...]
    name: str = ""
    envelope: bytes = b"null"
    sources: dict[str, bytes] = {}
    blobs: dict[str, bytes] = {}
    problems: tuple[Problem, ...] = ()
    repairs: tuple[Repair, ...] = ()
    left_out: tuple[str, ...] = ()


class ImportOptions(Record):
    """How a foreign document is read.

    `agent` is whose history it becomes, `name` the file's name (for ids, origin and problems),
    `at` the instant for messages whose document has none. `repair` accepts what has a repair and
    lists it; `trust` leaves the messages untainted.
    """

    agent: str
    name: str
    at: str = ""
    repair: bool = False
    trust: bool = False


class RenderOptions(Record):
    """How a conversation is written for one API.

    `keep_raw` is False in a segment that was opened anew: then everything is rendered from parts,
    without thinking and provider ids. `raw_from_cycle` keeps raw only from that cycle on. With
    `keep_thinking` False raw replies go without their reasoning, whose signatures are void where
    something before them was left out.
    """

    keep_raw: bool = True
    raw_from_cycle: int = 0
    keep_thinking: bool = True
    system_role: Literal["system", "developer"] = "system"
    strict_roles: bool = False
    notes_as_system: bool = False
    item_ids: Literal["keep", "drop"] = "keep"
    sdk: Literal[5, 6, 7] = 6


class Rendered(Record):
    """A conversation in a provider's form: JSON bytes of the fields and of each message.

    `fields` holds everything but the messages (`system`, `tools`, `instructions` …), `messages`
    one JSON object each, in order; `list_name` is the name of the list that holds them.
    """

    fields: dict[str, bytes]
    list_name: str
    messages: tuple[bytes, ...]
    losses: tuple[Loss, ...] = ()
