"""What images and PDFs cost, by the examples that the providers give."""

import pytest

from mindpipe.core.messages import FilePart
from mindpipe.providers.file_tokens import file_tokens


def image(width: int, height: int) -> FilePart:
    return FilePart(sha256="", media_type="image/png", name="a", width=width, height=height)


def test_every_patch_of_28_pixels_is_a_token_of_anthropic() -> None:
    given = {(200, 200): 64, (1000, 1000): 1296, (1092, 1092): 1521, (8000, 8000): 4784}
    given[0, 0] = 4784
    assert {size: file_tokens(image(*size), provider="anthropic") for size in given} == given


@pytest.mark.parametrize(
    ("model", "size", "tokens"),
    [
        ("gpt-4o", (2048, 4096), 3000),
        ("gpt-4o", (1, 1), 255),
        ("gpt-4o-mini", (1024, 1024), 2833 + 4 * 5667),
        ("gpt-4.1-nano", (1024, 1024), 2520),
        ("gpt-4.1-mini", (1024, 1024), 1659),
    ],
)
def test_openai_counts_tiles_or_patches_and_the_dearer_is_the_bound(
    model: str, size: tuple[int, int], tokens: int
) -> None:
    assert file_tokens(image(*size), provider="openai", model=model) == tokens


def test_a_page_of_a_pdf_is_its_text_and_its_image() -> None:
    pages = FilePart(sha256="", media_type="application/pdf", name="a", pages=3)
    assert file_tokens(pages, provider="anthropic") == 3 * (3000 + 45 * 63)
    assert file_tokens(pages) >= file_tokens(pages, provider="openai")


def test_text_costs_its_words_alone() -> None:
    assert file_tokens(FilePart(sha256="", media_type="text/plain", name="a")) == 0
