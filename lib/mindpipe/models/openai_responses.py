"""The Model port over the OpenAI Responses API, through the official SDK."""

from mindpipe.formats.replies.openai_responses import Assembler, read_reply
from mindpipe.models.exchange import Form
from mindpipe.models.openai_chat import OpenAIChat


class OpenAIResponses(OpenAIChat):
    """Ask a model of OpenAI by the Responses API."""

    form = Form(read=read_reply, assembler=Assembler)
    path = "/responses"
