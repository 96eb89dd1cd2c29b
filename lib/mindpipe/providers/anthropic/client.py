"""The Model port over the Anthropic Messages API, through the official SDK."""

from typing import TYPE_CHECKING

from mindpipe.providers.anthropic.reply import Assembler, read_reply
from mindpipe.providers.http import Form, SdkModel

if TYPE_CHECKING:
    import anthropic
    import httpx2


class AnthropicMessages(SdkModel):
    """Ask a model of Anthropic, or of a server that speaks the Messages API."""

    form = Form(read=read_reply, assembler=Assembler)
    usual_address = "https://api.anthropic.com"
    path = "/v1/messages"
    models_path = "/v1/models"

    def _sdk(self, client: "httpx2.Client") -> "anthropic.Anthropic":
        """Return the SDK."""
        import anthropic

        return anthropic.Anthropic(
            api_key=self._api_key,
            base_url=self._base_url,
            max_retries=0,
            http_client=client,
            open_telemetry=False,
        )
