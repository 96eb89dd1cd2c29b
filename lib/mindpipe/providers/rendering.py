"""What every renderer shares while it writes one conversation: target, options, bytes and ids."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from mindpipe.core.messages import Conversation, FilePart, Head, Message, Role
from mindpipe.core.models import Target
from mindpipe.core.records import Record
from mindpipe.providers.records import Loss, Rendered, RenderOptions

HEAD = "head"


class RawSource(Record):
    """Whose raw replies fit into what is being written; an empty family means every family."""

    provider: str
    api: str
    family: str = ""


def forget(_: Loss) -> None:
    """Hear of a loss and do nothing."""


class Rendering:
    """One pass over a conversation.

    It knows under which ids the calls of the latest assistant message were sent, so that their
    results agree, and which ids of providers were used, so that none is sent twice. `blobs` is
    asked only for the hashes that are needed; `report` hears of everything the form cannot carry.
    """

    def __init__(
        self,
        options: RenderOptions,
        *,
        reads: RawSource,
        blobs: Mapping[str, bytes],
        report: Callable[[Loss], None] = forget,
    ) -> None:
        self.options = options
        self.reads = reads
        self._blobs = blobs
        self._report = report
        self._sent: dict[str, str] = {}
        self._used: set[str] = set()

    def lose(self, message: str, *, part: str, why: str) -> None:
        """Report one part that the form cannot carry; `message` is an id or `HEAD`."""
        self._report(Loss(message=message, part=part, why=why))

    def octets(self, sha256: str) -> bytes | None:
        """Return the bytes kept under a hash, or None where they are gone."""
        return self._blobs.get(sha256)

    def file_octets(self, part: FilePart) -> bytes | None:
        """Return the bytes of a file part, or None where they are gone."""
        return self._blobs.get(part.sha256)

    def send_ids(self, ids: Mapping[str, str]) -> None:
        """Remember under which ids (by canonical id) the latest reply's calls were sent."""
        self._sent = dict(ids)

    def sent_id(self, call: str) -> str:
        """Return the id under which a call was sent: the provider's where its reply is raw."""
        return self._sent.get(call, call)

    def any_used(self, ids: Iterable[str]) -> bool:
        """Tell whether one of a provider's ids was already sent in this conversation."""
        return any(one in self._used for one in ids)

    def use(self, ids: Iterable[str]) -> None:
        """Remember ids of a provider as sent."""
        self._used.update(ids)


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """One provider form: the name of its list, its fields, and its messages one by one.

    `fields` are encoded JSON values by name. `stream` yields one JSON object per message and holds
    no more than one turn of the conversation. `native` are the raw replies that fit into a
    document of this form, whatever model it is for.
    """

    list_name: str
    native: RawSource
    fields: Callable[[Head, Rendering], dict[str, bytes]]
    stream: Callable[[Head, Iterable[Message], Rendering], Iterator[bytes]]


def render_form(
    form: Form,
    conversation: Conversation,
    *,
    options: RenderOptions,
    target: Target | None = None,
) -> Rendered:
    """Write a whole conversation in one form; with a target, only its family's replies are raw."""
    reads = form.native
    if target is not None:
        reads = RawSource(provider=target.provider, api=target.api, family=target.family)
    losses: list[Loss] = []
    rendering = Rendering(options, reads=reads, blobs=conversation.blobs, report=losses.append)
    fields = form.fields(conversation.head, rendering)
    messages = tuple(form.stream(conversation.head, conversation.messages, rendering))
    return Rendered(
        fields=fields, list_name=form.list_name, messages=messages, losses=tuple(losses)
    )


def is_instruction(message: Message, rendering: Rendering) -> bool:
    """Tell whether a note is to be sent with the authority of a system message."""
    return (
        rendering.options.notes_as_system
        and message.role is Role.NOTE
        and not message.taint
        and message.origin in {"operator", "program"}
    )
