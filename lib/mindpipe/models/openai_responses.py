"""The Model port over the OpenAI Responses API, through the official SDK."""

from typing import TYPE_CHECKING

from mindpipe.formats.replies.openai_responses import Assembler, read_reply
from mindpipe.models.exchange import Form
from mindpipe.models.sdk_model import UNREAD, SdkModel

if TYPE_CHECKING:
    import httpx2

BASE_URL = "https://api.openai.com/v1"
_PATH = "/responses"


class OpenAIResponses(SdkModel):
    """Ask a model of OpenAI by the Responses API."""

    form = Form(read=read_reply, assembler=Assembler)
    usual_address = BASE_URL

    def _send(
        self, client: "httpx2.Client", body: bytes, timeout: "httpx2.Timeout"
    ) -> "httpx2.Response":
        """Post the exact bytes."""
        import httpx2
        import openai

        sdk = openai.OpenAI(
            api_key=self._api_key,
            base_url=self._base_url,
            max_retries=0,
            http_client=client,
        )
        return sdk.post(
            _PATH,
            content=body,
            cast_to=httpx2.Response,
            stream=UNREAD,
            options={"timeout": timeout},
        )
