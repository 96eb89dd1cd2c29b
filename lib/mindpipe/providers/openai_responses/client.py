"""The Model port over the OpenAI Responses API, through the official SDK."""

from mindpipe.providers.http import Form
from mindpipe.providers.openai_chat.client import OpenAIChat
from mindpipe.providers.openai_responses.reply import Assembler, read_reply


class OpenAIResponses(OpenAIChat):
    """Ask a model of OpenAI by the Responses API."""

    form = Form(read=read_reply, assembler=Assembler)
    path = "/responses"
