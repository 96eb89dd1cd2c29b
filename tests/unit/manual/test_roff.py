from mindpipe.core.version import RELEASED, VERSION
from mindpipe_cli.manual.roff import Heading, Manual, Sample, Section, Term, Text, escaped, manual
from support.tables import each_row


@each_row(
    ("words", "roff"),
    [
        ("plain", "plain"),
        ("--json", "\\-\\-json"),
        (".hidden", "\\&.hidden"),
        ("'quoted'", "\\(aqquoted\\(aq"),
        ("back\\slash", "back\\eslash"),
        ("5 °C", "5 \\[u00B0]C"),
        ("`code` ~ ^", "\\(gacode\\(ga \\(ti \\(ha"),
    ],
)
def test_words_are_shown_as_they_are(words: str, roff: str) -> None:
    assert escaped(words) == roff


def test_a_page() -> None:
    blocks = (Text("Say it."), Term('-p "x"', "Means."), Heading("More"), Sample("a\n.b"))
    page = manual(Manual("mind-x", 1, (Section("NAME", blocks),)))
    assert page == (
        f'.TH "MIND-X" "1" "{RELEASED}" "mindpipe {VERSION}" "mindpipe"\n'
        '.SH "NAME"\n'
        "Say it.\n"
        '.TP\n.B "\\-p \\(dqx\\(dq"\nMeans.\n'
        '.SS "More"\n'
        ".RS 4\n.nf\na\n\\&.b\n.fi\n.RE\n"
    )
