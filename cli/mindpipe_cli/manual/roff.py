"""Write manual pages in the man macros, so that groff and mandoc show them without a warning."""

from typing import NamedTuple

from mindpipe.core.version import RELEASED, VERSION


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


class Manual(NamedTuple):
    """One manual page: its name, the number of its part of the manual, and its sections."""

    name: str
    number: int
    sections: tuple[Section, ...]

    @property
    def file(self) -> str:
        """Return the name of its file, e.g. mind-life.7."""
        return f"{self.name}.{self.number}"

    @property
    def summary(self) -> str:
        """Return what it says of itself under NAME."""
        (title, *_) = self.sections[0].blocks
        assert isinstance(title, Text), "a page begins with its name"
        return title.words.partition(" - ")[2]


def manual(page: Manual) -> str:
    """Return one manual page; its date is the version's, so that it changes with its content."""
    source = f"mindpipe {VERSION}"
    head = f'.TH "{page.name.upper()}" "{page.number}" "{RELEASED}" "{source}" "mindpipe"\n'
    return head + "".join(_section(section) for section in page.sections)


def escaped(words: str) -> str:
    """Return words as roff shows them unchanged, on one line."""
    line = words.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    line = line.replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti")
    # Not every formatter reads UTF-8.
    line = "".join(one if one.isascii() else f"\\[u{ord(one):04X}]" for one in line)
    return f"\\&{line}" if line.startswith(".") else line


def _quoted(words: str) -> str:
    """Return words for a macro's argument between double quotes."""
    return escaped(words).replace('"', "\\(dq")


def _section(section: Section) -> str:
    """Return one section; a heading begins a paragraph by itself."""
    lines = f'.SH "{_quoted(section.title)}"\n'
    headed = True
    for block in section.blocks:
        lines += _block(block, headed=headed)
        headed = isinstance(block, Heading)
    return lines


def _block(block: Block, *, headed: bool) -> str:
    """Return one block, which stands right below a heading or not."""
    begin = "" if headed else ".PP\n"
    match block:
        case Text():
            return f"{begin}{escaped(block.words)}\n"
        case Term():
            term = f'.TP\n.B "{_quoted(block.term)}"\n'
            if "|" in term:
                # A list of choices may be longer than a line, which then ends behind one of them,
                # and is not stretched to the margin: it has no spaces.
                term = ".na\n" + term.replace("|", "|\\:\\%") + ".ad b\n"
            return f"{term}{escaped(block.words)}\n"
        case Heading():
            return f'.SS "{_quoted(block.words)}"\n'
        case Sample():
            lines = "".join(f"{escaped(line)}\n" for line in block.lines.split("\n"))
            return f"{begin}.RS 4\n.nf\n{lines}.fi\n.RE\n"
