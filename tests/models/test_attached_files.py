"""Images and PDFs in requests as the SDKs send them: each byte as the providers document it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.attachments import MOST_BYTES
from mindpipe.core.messages import FilePart, Message
from mindpipe.core.models import ModelRequest, RequestOptions, Target
from mindpipe.model_access import TOKENIZERS, PriceList
from mindpipe.providers.file_tokens import message_file_tokens
from mindpipe.providers.model_names import parse_model_name, target_of
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from support.attached import encoded, pdf, png
from support.command import BIN, Mind, clean_environment, make_private
from support.histories import conversation, sha256, user
from support.loopback.asking import APIS, KEY, model_at
from support.loopback.provider import Provider
from support.loopback.turns import Turn
from support.patience import LONGEST

CAT, DOC = png(40, 30), pdf(2)
PICTURE = FilePart(
    sha256=sha256(CAT), media_type="image/png", name="cat.png", size=len(CAT), width=40, height=30
)
PAGES = FilePart(
    sha256=sha256(DOC), media_type="application/pdf", name="doc.pdf", size=len(DOC), pages=2
)
# https://platform.claude.com/docs/en/build-with-claude/vision and .../pdf-support;
# https://developers.openai.com/api/docs/guides/images-vision and .../file-inputs.
PARTS = {
    "anthropic": b'{"type":"image","source":{"type":"base64","media_type":"image/png",'
    b'"data":"%b"}},'
    b'{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"%b"},'
    b'"title":"doc.pdf"}',
    "openai": b'{"type":"image_url","image_url":{"url":"data:image/png;base64,%b"}},'
    b'{"type":"file","file":{"filename":"doc.pdf","file_data":"data:application/pdf;base64,%b"}}',
    "openai-responses": b'{"type":"input_image","detail":"auto",'
    b'"image_url":"data:image/png;base64,%b"},'
    b'{"type":"input_file","filename":"doc.pdf","file_data":"data:application/pdf;base64,%b"}',
}
FIRST = {
    "anthropic": b'{"type":"text","text":"What is this?"},',
    "openai": b'{"type":"text","text":"What is this?"},',
    "openai-responses": b'{"type":"input_text","text":"What is this?"},',
}


def parts_of(api: str) -> bytes:
    """Return the parts of both files as an API documents them."""
    return PARTS[api] % (encoded(CAT).encode(), encoded(DOC).encode())


def asked(target: Target, *messages: Message) -> ModelRequest:
    """Return a request with files in it."""
    talk = conversation(*messages, blobs=(CAT, DOC))
    return make_request(talk, target, RequestOptions(max_tokens=256), RenderOptions(), 20.0)


@pytest.mark.parametrize("name", APIS)
def test_an_image_and_a_pdf_go_out_as_the_provider_has_them(provider: Provider, name: str) -> None:
    provider.answers(Turn(text="A cat."))
    model = model_at(provider, name)
    request = asked(model.target, user("What is this?", PICTURE, PAGES))
    model.reply(request)
    (seen,) = provider.requests
    api = name.partition("/")[0]
    assert FIRST[api] + parts_of(api) in seen.body
    assert json.loads(seen.body)
    assert seen.body == request.body


@pytest.mark.parametrize("name", APIS)
def test_a_request_costs_what_its_files_do_and_not_what_their_base64_would(name: str) -> None:
    target = target_of(parse_model_name(name))
    prices = PriceList({}, TOKENIZERS["o200k_base"]())
    large = png(40, 30, more=300_000)
    part = msgspec.structs.replace(PICTURE, sha256=sha256(large))
    talk = conversation(user("What is this?", part), blobs=(large,))
    options = RequestOptions(max_tokens=1)
    with_file = make_request(talk, target, options, RenderOptions(), 20.0)
    without = make_request(conversation(user("What is this?")), target, options, RenderOptions())
    most, bare = prices.at_most(with_file), prices.at_most(without)
    assert most is not None
    assert bare is not None
    files = message_file_tokens(talk.messages, provider=target.provider, model=target.model)
    assert bare < most < bare + (files + 200) * 5


KEYS = {"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY}


@pytest.mark.parametrize("name", APIS)
def test_what_is_attached_to_a_question_reaches_the_provider(
    provider: Provider, name: str, tmp_path: Path
) -> None:
    provider.answers(Turn(text="A cat."), Turn(text="Still a cat."))
    mind = Mind(make_private(tmp_path / "life"))
    (mind.folder / "cat.png").write_bytes(CAT)
    (mind.folder / "doc.pdf").write_bytes(DOC)
    places = {"ANTHROPIC_BASE_URL": provider.anthropic_url, "OPENAI_BASE_URL": provider.openai_url}
    given = places | KEYS
    ask = ("ask", "--as", "husam", "--model", name)
    mind("init", "--agent", "ava")
    first = mind.run(
        *ask,
        "What is this?",
        "--attach",
        "cat.png",
        "--attach",
        "doc.pdf",
        environment=given,
    )
    assert first.status == 0, first.words
    assert mind.run(*ask, "Sure?", environment=given).status == 0
    api = name.partition("/")[0]
    assert [parts_of(api) in seen.body for seen in provider.requests] == [True, True]
    shown = mind("history", "show", "--agent", "ava").text
    assert f"[file cat.png (image/png, {len(CAT)} bytes, sha256 {sha256(CAT)[:12]})]" in shown
    for words in (("history", "show"), ("view",), ("trace", "export", "--content")):
        told = mind(*words, "--agent", "ava").text
        assert encoded(CAT)[:60] not in told
        assert sha256(CAT)[:12] in told


def peak(mind: Mind, environment: dict[str, str], *arguments: str) -> int:
    """Return the most memory that a command took, in MiB."""
    noted = mind.folder / "peak"
    command = [sys.executable, "-m", "support.peak_memory", str(noted), str(BIN / "mind")]
    done = subprocess.run(
        [*command, *arguments],
        cwd=mind.folder,
        env={
            **clean_environment(mind.folder),
            **environment,
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return int(noted.read_text())


@pytest.mark.heavy
def test_a_large_pdf_is_not_held_five_times(provider: Provider, tmp_path: Path) -> None:
    provider.answers(Turn(text="Nothing."), Turn(text="A manual."))
    mind = Mind(make_private(tmp_path / "life"))
    (mind.folder / "doc.pdf").write_bytes(pdf(more=MOST_BYTES - 1_000))
    given = {"ANTHROPIC_BASE_URL": provider.anthropic_url, **KEYS}
    ask = ("ask", "--as", "husam", "--model", APIS[0])
    mind("init", "--agent", "ava")
    bare = peak(mind, given, *ask, "Is anything there?")
    whole = peak(mind, given, *ask, "What is this?", "--attach", "doc.pdf")
    assert len(provider.requests[-1].body) > MOST_BYTES * 4 / 3
    assert whole - bare < 5 * MOST_BYTES >> 20
