"""Histories and requests held against the validator."""

import contextlib
import json
from collections.abc import Iterator

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.verbs import verify
from mindpipe.compaction.verbs.windows import window
from mindpipe.core.messages import Conversation, Head, Message
from mindpipe.core.models import RequestOptions, Target
from mindpipe.core.records import to_json
from mindpipe.history.records import Window
from mindpipe.history.verbs.history import ChainWalk, messages
from mindpipe.history.verbs.log import StoredBlobs
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from mindpipe.store.access import open_where
from mindpipe.store.address import Where
from mindpipe.store.engine import EngineStore
from mindpipe.validator.check import check
from mindpipe.validator.profiles import profile_for
from support.histories import ANTHROPIC, CHAT, RESPONSES
from support.whole_documents import export_document

FORMATS = ("anthropic", "openai-chat", "openai-responses", "ai-sdk")


def errors(form: str, body: object) -> list[str]:
    """Return what the validator holds against a history."""
    found = check(form, body, profile=profile_for(None), kind="history")
    return [f"{form} {one.rule} {one.at}: {one.what}" for one in found if one.severity == "error"]


_ROWS = (
    "SELECT * FROM message WHERE agent = :agent ORDER BY seq",
    "SELECT * FROM segment WHERE agent = :agent ORDER BY segment",
    "SELECT * FROM compaction WHERE agent = :agent ORDER BY number",
)


class Judge:
    """Look at one store again and again; a history whose rows did not change is judged once.

    `states` counts the looks, `histories` the different histories among them.
    """

    def __init__(self, where: Where) -> None:
        self._store = open_where(where, read_only=True)
        self._known: dict[str, list[tuple]] = {}
        self.states = 0
        self.histories = 0

    @property
    def store(self) -> EngineStore:
        """Return the store, opened for reading."""
        return self._store

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def faults(self) -> list[str]:
        """Return every fault of every agent's history as it is now."""
        self.states += 1
        with self._store.read():
            names = [agent.name for agent in agents.list_(self._store)]
            return [fault for name in names for fault in self._of_agent(name)]

    def _of_agent(self, name: str) -> Iterator[str]:
        with self._store.read() as rows:
            seen = [row for sql in _ROWS for row in rows.each(tuple, sql, {"agent": name})]
        lived = tuple(messages(self._store, agent=name)) if seen != self._known.get(name) else ()
        if not lived:
            return
        self.histories += 1
        rows = [
            *ChainWalk(self._store, agent=name).broken(),
            *verify.broken(self._store, agent=name),
        ]
        broken = [f"{row.table} {row.number}: {row.what}" for row in rows]
        found = [*broken, *self._faults(lived, window(self._store, agent=name))]
        if not found:
            self._known[name] = seen
        yield from (f"{name}: {fault}" for fault in found)

    def _faults(self, lived: tuple[Message, ...], sent: Window) -> Iterator[str]:
        """Judge the whole log and what is sent of it, in every form."""
        yield from errors("mindpipe", [json.loads(to_json(one)) for one in lived])
        bare = Head(system=sent.head.system, tools=sent.head.tools)
        whole = Conversation(head=bare, messages=lived, blobs=StoredBlobs(self._store))
        shown = Conversation(head=sent.head, messages=sent.messages, blobs=sent.blobs)
        raw_from = RenderOptions(raw_from_cycle=sent.segment.raw_from_cycle)
        for talk, options in ((whole, RenderOptions()), (shown, raw_from)):
            for form in FORMATS:
                document = b"".join(export_document(talk, format=form, options=options).chunks)
                yield from errors(form, json.loads(document))


def faults_of(where: Where) -> list[str]:
    """Return every fault of every history in a store."""
    with contextlib.closing(Judge(where)) as judge:
        return judge.faults()


TARGETS = {"anthropic": ANTHROPIC, "openai-chat": CHAT, "openai-responses": RESPONSES}
FORMS = (*TARGETS, "ai-sdk")


def body_of(form: str, conversation: Conversation) -> object:
    """Return what is sent of a conversation in a form."""
    target: Target | None = TARGETS.get(form)
    if target is None:
        document = export_document(conversation, format=form, options=RenderOptions())
        return msgspec.json.decode(b"".join(document.chunks))
    request = make_request(
        conversation, target, RequestOptions(max_tokens=100), RenderOptions(), 60.0
    )
    return msgspec.json.decode(request.body)


def refusals(conversation: Conversation) -> list[str]:
    """Return what any of the four APIs would refuse in a request of this conversation."""
    return [
        f"{form} {found.rule} {found.at}: {found.what}"
        for form in FORMS
        for found in check(
            form, body_of(form, conversation), profile=profile_for(None), kind="request"
        )
        if found.severity == "error"
    ]
