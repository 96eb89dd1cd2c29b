"""The Embedder port over the embeddings of OpenAI and of every compatible server."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.errors import UnavailableError
from mindpipe.core.models import ModelFault
from mindpipe.core.ports import Clock
from mindpipe.core.records import NO_RECORD, to_json
from mindpipe.core.text import is_blank, without_surrogates
from mindpipe.providers.http import LIMITS, NO_KEY, UNREAD, CallLimits, WireCall
from mindpipe.providers.openai_chat.client import OpenAIChat

if TYPE_CHECKING:
    import httpx2

_PATH = "/embeddings"
# One request may hold 2,048 texts and 300,000 tokens; more would only be lost at once.
_MOST_TEXTS = 256
_MOST_CHARACTERS = 200_000
_SECONDS = 60.0


class _Vector(msgspec.Struct):
    """One vector of an answer and the place of its text."""

    index: int
    embedding: list[float]


class _Answer(msgspec.Struct, rename={"vectors": "data"}):
    """What an embeddings API answers; everything else in it is passed over."""

    vectors: list[_Vector]


class OpenAIEmbeddings:
    """Turn texts into vectors by an embedding model; the SDK is imported at the first request.

    `api_key` may be None for a server of one's own that asks for none. A request that fails is not
    sent again: whoever asks has another way.
    """

    def __init__(
        self,
        name: str,
        *,
        api_key: str | None,
        clock: Clock,
        base_url: str | None = None,
        limits: CallLimits = LIMITS,
    ) -> None:
        self._name = name
        self._api_key = api_key or NO_KEY
        self._secrets = (api_key,) if api_key else ()
        self._base_url = base_url or OpenAIChat.usual_address
        self._clock = clock
        self._limits = limits

    @property
    def name(self) -> str:
        """Return the embedding model's name."""
        return self._name

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, all of one length.

        Raises:
            UnavailableError: the model is not there, or did not answer with vectors.
        """
        found = [vector for batch in _batches(texts) for vector in self._ask(batch)]
        if len({len(vector) for vector in found}) > 1:
            raise self._unavailable("its vectors differ in length")
        return found

    def _ask(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of one batch, in the order of its texts."""
        body = to_json({"model": self._name, "input": texts, "encoding_format": "float"})
        wire = WireCall(
            clock=self._clock,
            limits=self._limits,
            seconds=_SECONDS,
            streamed=False,
            secrets=self._secrets,
        )
        try:
            answer = msgspec.json.decode(wire.ask(self._send, body, wire.whole), type=_Answer)
        except ModelFault as fault:
            raise self._unavailable(str(fault)) from None
        except NO_RECORD:
            raise self._unavailable("its answer holds no vectors") from None
        by_place = {one.index: one.embedding for one in answer.vectors}
        if by_place.keys() != set(range(len(texts))) or len(answer.vectors) != len(texts):
            raise self._unavailable(f"{len(answer.vectors)} vectors came for {len(texts)} texts")
        return [by_place[place] for place in range(len(texts))]

    def _send(
        self, client: "httpx2.Client", body: bytes, timeout: "httpx2.Timeout"
    ) -> "httpx2.Response":
        """Post the exact bytes through the SDK, which neither encodes them again nor retries."""
        import httpx2
        import openai

        sdk = openai.OpenAI(
            api_key=self._api_key, base_url=self._base_url, max_retries=0, http_client=client
        )
        response: httpx2.Response = sdk.post(
            _PATH,
            content=body,
            cast_to=httpx2.Response,
            stream=UNREAD,
            options={"timeout": timeout},
        )
        return response

    def _unavailable(self, why: str) -> UnavailableError:
        """Return the error that names the model and why it is not there."""
        return UnavailableError(f"the embedding model {self._name} cannot be used: {why}.")


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield texts in their order, as many as fit into one request; a blank one is a dot."""
    batch: list[str] = []
    size = 0
    for text in texts:
        sent = "." if is_blank(text) else without_surrogates(text)[0]
        if batch and (len(batch) == _MOST_TEXTS or size + len(sent) > _MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(sent)
        size += len(sent)
    if batch:
        yield batch
