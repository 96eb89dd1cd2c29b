"""The Model port over the Anthropic Messages API, through the official SDK."""

from typing import TYPE_CHECKING

from mindpipe.formats.replies.anthropic import Assembler, read_reply
from mindpipe.models.exchange import Form
from mindpipe.models.sdk_model import UNREAD, SdkModel

if TYPE_CHECKING:
    import httpx2

BASE_URL = "https://api.anthropic.com"
_PATH = "/v1/messages"


class AnthropicMessages(SdkModel):
    """Ask a model of Anthropic, or of a server that speaks the Messages API."""

    form = Form(read=read_reply, assembler=Assembler)
    usual_address = BASE_URL

    def _send(
        self, client: "httpx2.Client", body: bytes, timeout: "httpx2.Timeout"
    ) -> "httpx2.Response":
        """Post the exact bytes."""
        import anthropic
        import httpx2

        sdk = anthropic.Anthropic(
            api_key=self._api_key,
            base_url=self._base_url,
            max_retries=0,
            http_client=client,
            open_telemetry=False,
        )
        return sdk.post(
            _PATH,
            content=body,
            cast_to=httpx2.Response,
            stream=UNREAD,
            options={"timeout": timeout},
        )
