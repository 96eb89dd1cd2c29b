"""What goes to a model and what comes back, in one request record and one reply record."""

import enum
from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from mindpipe.core.messages import Conversation, ReplyPart
from mindpipe.core.records import Record

Api = Literal["messages", "chat", "responses", "program"]


class Target(Record):
    """The model that a request is written for.

    `provider` is `anthropic`, `openai`, `program` or `replay`; `family` says which models read
    each other's raw replies; `tokenizer` names the counter whose figures are stored.
    """

    provider: str
    api: Api
    model: str
    family: str
    tokenizer: str = "o200k_base"

    def label(self) -> str:
        """Return the model as people write it, e.g. `anthropic/NAME` or `program:./PATH`.

        One that is its own provider is written once: `composed`.
        """
        if self.model == self.provider:
            return self.model
        return f"{self.provider}{':' if self.api == 'program' else '/'}{self.model}"


class RequestOptions(Record):
    """What shapes a reply beside the conversation: `max_tokens` caps the output.

    `thinking_tokens` of 0 leaves thinking off; `stream` asks for a preview while it is written;
    `schema` is the JSON Schema that the reply is to fit.
    """

    max_tokens: int = 4096
    temperature: float | None = None
    thinking_tokens: int = 0
    stream: bool = True
    schema: dict[str, object] | msgspec.UnsetType = msgspec.UNSET


class ModelRequest(Record):
    """One request: the conversation it was made from, and the exact body bytes that are sent.

    For provider APIs `body` is the HTTP body; for `program` and `replay` it is the JSON object of
    the program protocol. `sha256` is the hash of `body`. `seconds` bounds the whole call.
    """

    target: Target
    conversation: Conversation
    options: RequestOptions
    body: bytes
    sha256: str
    seconds: float = 600.0


class Finish(enum.StrEnum):
    """Why a reply ended, in the words of mindpipe."""

    END = "end"
    CALLS = "calls"
    PAUSE = "pause"
    CUT = "cut"
    REFUSAL = "refusal"
    UNKNOWN = "unknown"


class Usage(Record):
    """Tokens that the provider reported; None where it said nothing.

    `clamped` says that it reported figures that cannot be, which count as not reported.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    clamped: bool = False


class ModelReply(Record):
    """One complete reply: parts in canonical form, and the provider's own bytes.

    Call ids in `parts` are the provider's own (possibly empty or repeated); whoever stores the
    reply gives them canonical ids. `raw` is empty where a model has no form of its own.
    """

    parts: tuple[ReplyPart, ...]
    finish: Finish
    provider_finish: str
    raw: bytes = b""
    usage: Usage = Usage()
    model: str = ""


class FaultClass(enum.StrEnum):
    """How a failed attempt is treated (retry, wait, give up)."""

    TRANSIENT = "transient"
    LONG_WAIT = "long_wait"
    OUR_REQUEST = "our_request"
    TOO_LONG = "too_long"
    OUR_ACCOUNT = "our_account"
    LOST_THINKING = "lost_thinking"
    LOCAL = "local"


class ModelFault(Exception):
    """A failed attempt: its class, the HTTP status if any, and how long the provider asks to wait.

    Its words end without a full stop, also where they are a provider's: whoever shows them goes on.

    `wait` is in seconds; None where the provider named none. `sent` is False when it is certain
    that nothing reached the provider, so that nothing can have been spent.
    """

    def __init__(
        self,
        message: str,
        *,
        fault: FaultClass,
        http_status: int | None = None,
        wait: float | None = None,
        sent: bool = True,
    ) -> None:
        super().__init__(message.rstrip(" ."))
        self.fault = fault
        self.http_status = http_status
        self.wait = wait
        self.sent = sent


class TextRequest(NamedTuple):
    """One prompt for a language model, and the most tokens that its answer may have."""

    system: str
    text: str
    tokens: int


class TextReply(NamedTuple):
    """What a language model wrote, or in `fault` why nothing of it can be used."""

    text: str
    fault: str = ""


Write = Callable[[TextRequest], TextReply]
"""Ask a language model once; what goes wrong is a fault of what it wrote, never raised."""
