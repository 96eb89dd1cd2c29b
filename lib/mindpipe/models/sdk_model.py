"""What the adapters over provider SDKs share: a target, a key, an address, a clock and limits."""

import abc
from typing import TYPE_CHECKING, ClassVar

from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import Clock, Preview
from mindpipe.models.exchange import Exchange, Form
from mindpipe.models.limits import LIMITS, Limits

if TYPE_CHECKING:
    import anthropic
    import httpx2
    import openai

NO_KEY = "no-key"
# The SDKs shall not read an answer: we do, within limits.
UNREAD: bool = True


class SdkModel(abc.ABC):
    """Send request bodies as they are and read the replies; the SDK is imported at the first one.

    `api_key` may be None for a server of one's own that asks for none. The SDK's own retries are
    off: each call is one attempt. It is safe to use from several threads.
    """

    form: ClassVar[Form]
    usual_address: ClassVar[str]
    path: ClassVar[str]

    def __init__(
        self,
        target: Target,
        *,
        api_key: str | None,
        clock: Clock,
        base_url: str | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        self._target = target
        self._api_key = api_key or NO_KEY
        self._secrets = (api_key,) if api_key else ()
        self._base_url = base_url or self.usual_address
        self._clock = clock
        self._limits = limits

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Send one request and return its complete reply; raises ModelFault."""
        exchange = Exchange(
            self.form, clock=self._clock, limits=self._limits, secrets=self._secrets
        )
        return exchange.reply(self._send, request, preview)

    def _send(
        self, client: "httpx2.Client", body: bytes, timeout: "httpx2.Timeout"
    ) -> "httpx2.Response":
        """Post the exact bytes through the SDK, which neither encodes them again nor retries."""
        import httpx2

        return self._sdk(client).post(
            self.path,
            content=body,
            cast_to=httpx2.Response,
            stream=UNREAD,
            options={"timeout": timeout},
        )

    @abc.abstractmethod
    def _sdk(self, client: "httpx2.Client") -> "anthropic.Anthropic | openai.OpenAI":
        """Return the SDK over an HTTP client; it does not try again by itself."""
