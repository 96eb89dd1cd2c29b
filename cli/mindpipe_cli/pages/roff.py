"""Write manual pages in the man macros, so that groff and mandoc show them without a warning."""

from collections.abc import Iterable
from typing import NamedTuple


class Text(NamedTuple):
    """A paragraph of words."""

    words: str


class Term(NamedTuple):
    """A term in bold, and what it means."""

    term: str
    words: str


class Sample(NamedTuple):
    """Lines that are shown as they are."""

    lines: str


class Heading(NamedTuple):
    """A heading inside a section."""

    words: str


Block = Text | Term | Sample | Heading


class Section(NamedTuple):
    """One section of a page."""

    title: str
    blocks: tuple[Block, ...]


def manual(name: str, number: int, *, version: str, sections: Iterable[Section]) -> str:
    """Return one manual page; it carries no date, so that it only changes with its content."""
    head = f'.TH "{name.upper()}" "{number}" "" "{_quoted(version)}" "mindpipe"\n'
    return head + "".join(_section(section) for section in sections)


def escaped(words: str) -> str:
    """Return words as roff shows them unchanged, on one line."""
    line = words.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    line = line.replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti")
    return f"\\&{line}" if line.startswith(".") else line


def _quoted(words: str) -> str:
    """Return words for a macro's argument between double quotes."""
    return escaped(words).replace('"', "\\(dq")


def _section(section: Section) -> str:
    """Return one section."""
    return f'.SH "{_quoted(section.title)}"\n' + "".join(map(_block, section.blocks))


def _block(block: Block) -> str:
    """Return one block."""
    match block:
        case Text():
            return f".PP\n{escaped(block.words)}\n"
        case Term():
            return f'.TP\n.B "{_quoted(block.term)}"\n{escaped(block.words)}\n'
        case Heading():
            return f'.SS "{_quoted(block.words)}"\n'
        case Sample():
            lines = "".join(f"{escaped(line)}\n" for line in block.lines.split("\n"))
            return f".PP\n.RS 4\n.nf\n{lines}.fi\n.RE\n"
