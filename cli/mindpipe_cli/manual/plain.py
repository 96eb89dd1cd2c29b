"""Manual pages as plain text, for a terminal or a pipe, where no man is needed."""

import textwrap
from collections.abc import Callable, Iterator

from mindpipe_cli.manual.roff import Block, Heading, Manual, Sample, Term, Text

Mark = Callable[[str], str]
_INDENT, _DEEPER = " " * 4, " " * 8


def plain(page: Manual, *, width: int, mark: Mark = str) -> str:
    """Return one page as text of that width; `mark` makes headings and terms stand out."""
    return "\n".join(_lines(page, width, mark)) + "\n"


def _lines(page: Manual, width: int, mark: Mark) -> Iterator[str]:
    """Yield the lines of a page: its name, then section by section."""
    yield mark(f"{page.name}({page.number})")
    for section in page.sections:
        yield ""
        yield mark(section.title)
        for number, block in enumerate(section.blocks):
            if number and not _stays_close(section.blocks[number - 1], block):
                yield ""
            yield from _of_block(block, width, mark)


def _stays_close(before: Block, block: Block) -> bool:
    """Tell whether a block follows without an empty line: what stands right below a heading."""
    return isinstance(before, Heading) and not isinstance(block, Heading)


def _of_block(block: Block, width: int, mark: Mark) -> Iterator[str]:
    """Yield the lines of one block."""
    match block:
        case Text():
            yield from _wrapped(block.words, _INDENT, width)
        case Heading():
            yield from (f"  {mark(line)}" for line in _wrapped(block.words, "", width - 2))
        case Term():
            for line in _wrapped(block.term, "", width - len(_INDENT)):
                yield f"{_INDENT}{mark(line)}"
            yield from _wrapped(block.words, _DEEPER, width)
        case Sample():
            yield from (f"{_DEEPER}{line}".rstrip() for line in block.lines.split("\n"))


def _wrapped(words: str, indent: str, width: int) -> list[str]:
    """Return words as lines, broken at spaces alone so that what is typed stays whole."""
    return textwrap.wrap(
        words,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
