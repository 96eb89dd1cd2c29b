"""The Model port over OpenAI Chat Completions and every compatible server, through the SDK."""

from typing import TYPE_CHECKING

from mindpipe.formats.replies.openai_chat import Assembler, read_reply
from mindpipe.models.exchange import Form
from mindpipe.models.sdk_model import UNREAD, SdkModel

if TYPE_CHECKING:
    import httpx2

BASE_URL = "https://api.openai.com/v1"
_PATH = "/chat/completions"


class OpenAIChat(SdkModel):
    """Ask a model of OpenAI or of a compatible server by Chat Completions."""

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
