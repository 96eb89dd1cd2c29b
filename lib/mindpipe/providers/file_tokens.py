"""How many tokens the images and PDFs of a conversation take, by what the providers document.

Anthropic (platform.claude.com/docs/en/build-with-claude/vision): an image costs one token for each
patch of 28 x 28 pixels; a larger one is scaled down to at most 4,784 tokens, on models without high
resolution to 1,568. A page of a PDF (.../pdf-support) costs 1,500 to 3,000 tokens of text, and the
image of the page.

OpenAI (developers.openai.com/api/docs/guides/images-vision): by model, either 85 tokens and 170 for
each tile of 512 pixels of an image that was scaled to 2,048 a side and 768 on the shorter one (of
GPT-4o mini 2,833 and 5,667); or one token for each patch of 32 pixels, 1,536 patches at
most, of newer models 2,500, times a factor. Of a PDF (.../file-inputs) text and image of each page
are sent.

What is not known of an image counts as the most that one can cost.
"""

import base64
from collections.abc import Iterable, Mapping
from math import ceil
from types import MappingProxyType

import msgspec

from mindpipe.core.attachments import measures_of
from mindpipe.core.messages import FilePart, Message
from mindpipe.core.models import ModelRequest
from mindpipe.providers.words import kind_of

_PAGE_TEXT = 3_000
_PAGE_PIXELS = (1_240, 1_754)
"""A page of A4 at 150 points to the inch."""
_ANTHROPIC_PATCH, _ANTHROPIC_MOST = 28, 4_784
_OPENAI_PATCH, _OPENAI_MOST = 32, 2_500
_TILE, _LONGEST, _SHORTEST = 512, 2_048, 768
_BASE_AND_TILE = {"gpt-4o-mini": (2_833, 5_667)}
_USUAL_TILES = (85, 170)
_FACTORS = (("gpt-4.1-nano", 2.46), ("gpt-4.1-mini", 1.62), ("o4-mini", 1.72), ("nano", 1.5))
_USUAL_FACTOR = 1.2


def file_tokens(part: FilePart, *, provider: str = "", model: str = "") -> int:
    """Return the most tokens that an image or PDF takes as input of a model.

    Without a provider it is the dearest of the usual ones. Text counts as the words that it is.
    """
    kind = kind_of(part.media_type)
    if kind == "pdf":
        page = _image(*_PAGE_PIXELS, provider, model)
        return max(1, part.pages) * (_PAGE_TEXT + page)
    if kind == "image":
        return _image(part.width, part.height, provider, model)
    return 0


def message_file_tokens(
    messages: Iterable[Message],
    *,
    provider: str = "",
    model: str = "",
    blobs: Mapping[str, bytes] = MappingProxyType({}),
) -> int:
    """Return the most tokens that the images and PDFs of some messages take.

    One that nobody looked at, as an import brings it, is measured where its bytes are in `blobs`.
    """
    return sum(
        file_tokens(_measured(part, blobs), provider=provider, model=model)
        for message in messages
        for part in message.parts
        if isinstance(part, FilePart)
    )


def _measured(part: FilePart, blobs: Mapping[str, bytes]) -> FilePart:
    """Return a file with the pages or pixels that its bytes have, where these are not known."""
    octets = None if part.pages or part.width else blobs.get(part.sha256)
    found = None if octets is None else measures_of(octets)
    if found is None:
        return part
    return msgspec.structs.replace(part, width=found.width, height=found.height, pages=found.pages)


def words_of_body(request: ModelRequest) -> bytes:
    """Return the body of a request without the base64 of its images and PDFs."""
    body = request.body
    talk = request.conversation
    shown = dict.fromkeys(
        part.sha256
        for message in talk.messages
        for part in message.parts
        if isinstance(part, FilePart) and file_tokens(part)
    )
    for sha256 in shown:
        octets = talk.blobs.get(sha256)
        if octets:
            body = body.replace(base64.b64encode(octets), b"")
    return body


def _image(width: int, height: int, provider: str, model: str) -> int:
    anthropic = _patches(width, height, _ANTHROPIC_PATCH, _ANTHROPIC_MOST)
    if provider == "anthropic":
        return anthropic
    openai = max(
        _tiles(width, height, model),
        ceil(_factor(model) * _patches(width, height, _OPENAI_PATCH, _OPENAI_MOST)),
    )
    return openai if provider == "openai" else max(anthropic, openai)


def _patches(width: int, height: int, side: int, most: int) -> int:
    if not width or not height:
        return most
    return min(most, ceil(width / side) * ceil(height / side))


def _tiles(width: int, height: int, model: str) -> int:
    known = (tiles for name, tiles in _BASE_AND_TILE.items() if model.startswith(name))
    base, each = next(known, _USUAL_TILES)
    long, short = max(width, height), min(width, height)
    if not short:
        long, short = _LONGEST, _SHORTEST
    scale = min(1.0, _LONGEST / long)
    scale = min(scale, _SHORTEST / short)
    return base + each * ceil(long * scale / _TILE) * ceil(short * scale / _TILE)


def _factor(model: str) -> float:
    return next((factor for name, factor in _FACTORS if name in model), _USUAL_FACTOR)
