"""The Model port over OpenAI Chat Completions and every compatible server, through the SDK."""

from typing import TYPE_CHECKING

from mindpipe.providers.http import Form, SdkModel
from mindpipe.providers.openai_chat.reply import Assembler, read_reply

if TYPE_CHECKING:
    import httpx2
    import openai


class OpenAIChat(SdkModel):
    """Ask a model of OpenAI or of a compatible server by Chat Completions."""

    form = Form(read=read_reply, assembler=Assembler)
    usual_address = "https://api.openai.com/v1"
    path = "/chat/completions"
    models_path = "/models"

    def _sdk(self, client: "httpx2.Client") -> "openai.OpenAI":
        """Return the SDK."""
        import openai

        return openai.OpenAI(
            api_key=self._api_key, base_url=self._base_url, max_retries=0, http_client=client
        )
