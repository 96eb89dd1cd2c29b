"""What bytes are, whatever they are called, and what is too much for a request."""

import msgspec
import pytest

from mindpipe.core.attachments import (
    IMAGE_BYTES,
    MOST_BYTES,
    MOST_FILES,
    MOST_PAGES,
    PDF,
    TEXT_BYTES,
    MediaMeasures,
    attachment,
    check_together,
    measures_of,
    placeholder,
    placeholders_in,
    within_request,
)
from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import FilePart, TextPart
from support.attached import gif, jpeg, pdf, png, webp
from support.histories import conversation, user

KINDS = {
    "png": (png(300, 20), MediaMeasures("image/png", 300, 20)),
    "jpeg": (jpeg(640, 480), MediaMeasures("image/jpeg", 640, 480)),
    "gif": (gif(16, 9), MediaMeasures("image/gif", 16, 9)),
    "webp-extended": (webp(b"VP8X", 5000, 7), MediaMeasures("image/webp", 5000, 7)),
    "webp-without-loss": (webp(b"VP8L", 1200, 900), MediaMeasures("image/webp", 1200, 900)),
    "webp-with-loss": (webp(b"VP8 ", 1201, 901), MediaMeasures("image/webp", 1201, 901)),
    "pdf": (pdf(3), MediaMeasures("application/pdf", pages=3)),
    "pdf-packed": (pdf(4, packed=True), MediaMeasures("application/pdf", pages=4)),
    "pdf-of-unknown-pages": (b"%PDF-1.4" + b"\0" * 120_000, MediaMeasures(PDF, pages=2)),
    "text": ("Größe: 3 \N{EURO SIGN}\n\ttab\f".encode(), MediaMeasures("text/plain")),
    "html-is-text": (b"<html><script>", MediaMeasures("text/plain")),
    "svg-is-text": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", MediaMeasures("text/plain")),
    "empty": (b"", None),
    "blank": (b" \n", None),
    "zip": (b"PK\3\4\0\0", None),
    "nul": (b"text with \0 in it", None),
    "escape": (b"text with \x01 in it", None),
    "latin-1": ("Größe".encode("latin-1"), None),
    "bmp": (b"BM\x46\0\0\0\0\0", None),
    "riff-of-sound": (b"RIFF\0\0\0\0WAVEfmt \xff", None),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_kind_is_what_the_bytes_say(name: str) -> None:
    octets, found = KINDS[name]
    assert measures_of(octets) == found


REFUSED = {
    "other": (b"PK\3\4\0", "no PNG, JPEG, GIF, WebP or PDF, and no UTF-8 text"),
    "cut-png": (png()[:15], "begins as image/png, but is broken"),
    "png-without-end": (png()[:-12], "begins as image/png, but is broken"),
    "jpeg-without-end": (jpeg(9, 9)[:-2], "begins as image/jpeg, but is broken"),
    "gif-without-end": (gif(9, 9)[:-1], "begins as image/gif, but is broken"),
    "webp-without-end": (webp(b"VP8L", 9, 9)[:-1], "begins as image/webp, but is broken"),
    "no-pdf": (b"%PDF-1.4\njunk", "begins as application/pdf, but is broken"),
    "cut-pdf": (pdf()[:-5], "begins as application/pdf, but is broken"),
    "cut-jpeg": (jpeg(9, 9)[:8], "begins as image/jpeg, but is broken"),
    "cut-gif": (b"GIF89a", "begins as image/gif, but is broken"),
    "cut-webp": (webp(b"VP8X", 9, 9)[:18], "begins as image/webp, but is broken"),
    "wide": (png(8001, 1), "an image of 8001 x 1 pixels, of at most 8000 a side"),
    "large-image": (png(more=IMAGE_BYTES), "image of 3,750,"),
    "large-pdf": (pdf(more=MOST_BYTES), "PDF of 20,000,"),
    "long-pdf": (pdf(MOST_PAGES + 1), "a PDF of 101 pages, of at most 100"),
    "locked-pdf": (pdf(locked=True), "this PDF is encrypted"),
    "long-text": (b"a" * (TEXT_BYTES + 1), "text of 1,048,577 bytes"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_provider_takes_is_refused_in_one_line(name: str) -> None:
    octets, words = REFUSED[name]
    with pytest.raises(BadInputError) as caught:
        attachment("cat.png", octets, "0" * 64)
    (problem,) = caught.value.problems
    assert problem.line_of_text().startswith("cat.png: ")
    assert words in problem.message
    assert "\n" not in problem.message


def test_a_name_is_one_line_of_what_can_be_seen() -> None:
    part = attachment("a\nb\x1b[2J" + "c" * 200, png(), "0" * 64).part
    assert len(part.name) == 120
    assert attachment("a\n\x1b", png(), "0" * 64).part.name == "a??"


@pytest.mark.parametrize(
    ("count", "size", "pages"),
    [(MOST_FILES + 1, 1, 0), (2, MOST_BYTES // 2 + 1, 0), (2, 1, MOST_PAGES // 2 + 1)],
)
def test_files_of_one_message_have_to_fit_together(count: int, size: int, pages: int) -> None:
    one = attachment("a.pdf", pdf(), "0" * 64)
    many = [one._replace(part=msgspec.structs.replace(one.part, size=size, pages=pages))] * count
    check_together(many[:-1])
    with pytest.raises(BadInputError):
        check_together(many)


def test_a_placeholder_names_a_file_and_cannot_be_forged_by_its_name() -> None:
    part = FilePart(sha256="ab" * 32, media_type="image/png", name="cat.png", size=1234)
    assert placeholder(part) == "[file cat.png (image/png, 1.2 kB, sha256 abababababab)]"
    odd = msgspec.structs.replace(part, name='x)] [file "y', size=0)
    shown = placeholder(odd)
    assert shown == '[file "x)] [file \\"y" (image/png, sha256 abababababab)]'
    assert placeholders_in(f"a {placeholder(part)} b {shown}") == [placeholder(part), shown]


def file(name: str, size: int) -> FilePart:
    return FilePart(sha256=name * 64, media_type="image/png", name=name, size=size)


def test_the_newest_files_of_a_window_are_sent_and_the_older_ones_named() -> None:
    half = MOST_BYTES // 2
    talk = conversation(
        user("one", file("a", half)), user("two", file("b", half)), user("three", file("c", half))
    )
    sent = within_request(talk)
    assert [message.parts[1:] for message in sent.messages] == [
        (TextPart(text=f"[file a (image/png, 10.0 MB, sha256 {'a' * 12}), not sent again]"),),
        (file("b", half),),
        (file("c", half),),
    ]
    assert within_request(sent) is sent
