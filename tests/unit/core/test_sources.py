"""What sources are called, what a name that a person gave means, and what is trusted."""

from mindpipe.core.sources import (
    MORE,
    attribution,
    claimed,
    covers,
    fault_of_name,
    hearsay,
    import_source,
    joined,
    may_speak,
    of_others,
    source_name,
    stored_sources,
    tool_source,
    trustee,
    untrusted,
    with_sources,
)
from support.tables import each_row


@each_row(
    ("source", "sender", "name"),
    [
        ("operator", None, None),
        ("operator", "eve", None),
        ("plan", None, None),
        ("ticket", None, None),
        ("recovery", None, None),
        ("mail", None, "mail"),
        ("mail", "bob", "mail/bob"),
        ("space:family", "husam", "space:family/husam"),
        ("operator:web", None, "operator:web"),
        ("loop", None, "loop"),
    ],
)
def test_a_source_is_named_with_its_sender_and_the_operator_is_none(
    source: str, sender: str | None, name: str | None
) -> None:
    assert source_name(source, sender) == name


@each_row(
    ("wanted", "source"),
    [
        ("mail", "mail"),
        ("mail", "mail/bob"),
        ("mail/bob", "mail/bob"),
        ("space:family", "space:family/husam"),
        ("@husam", "space:family/husam"),
        ("@*", "space:family/husam"),
        ("husam", "husam"),
        ("husam", "husam/bob"),
        ("mail/*", "mail/bob"),
        ("observer:*", "observer:git/eve"),
        ("*", "anything"),
        # As earlier releases took them.
        ("web*", "web/eve"),
        ("web*", "web"),
        ("observer*", "observer:git"),
        ("tool:fetch", tool_source("fetch")),
        ("import:*", import_source("anthropic")),
    ],
)
def test_a_name_means(wanted: str, source: str) -> None:
    assert covers(wanted, source)


@each_row(
    ("wanted", "source"),
    [
        ("husam", "space:family/husam"),
        ("husam", "mail/husam"),
        ("@husam", "husam"),
        ("@husam", "@husam"),
        ("@husam", "mail/husam"),
        ("@*", "mail/husam"),
        ("@*", "space:family"),
        ("@hus*", "space:family/husam"),
        ("mail*", "mailing-list"),
        ("mail*", "mailing/list"),
        ("mail:*", "mail/bob"),
        ("*mail", "mail"),
        ("@", "space:family/"),
        ("@husam", "space:family/eve/husam"),
        ("@husam", "space:family/husam2"),
        ("mail", "mailbox"),
        ("mail/*", "mail"),
        ("mail/bob", "mail"),
        ("mail/bob", "mail/bobby"),
        ("bob", "mail/bob"),
        ("", "mail"),
        ("eve", "evening"),
    ],
)
def test_a_name_does_not_mean(wanted: str, source: str) -> None:
    assert not covers(wanted, source)


def test_what_nobody_trusts_is_left_each_once_and_sorted() -> None:
    said = ("web/eve", "mail/bob", "web/eve", "space:family/husam")
    assert untrusted(said, ("@husam", "mail")) == ("web/eve",)
    assert untrusted(said, ()) == ("mail/bob", "space:family/husam", "web/eve")
    assert untrusted((), ("husam",)) == ()
    assert joined(("b",), (), ("a", "b")) == ("a", "b")


def test_sources_rest_in_a_row_as_they_were() -> None:
    said = ('mail/"bob"', "né")
    assert with_sources({"sources": stored_sources(said)}) == {"sources": ['mail/"bob"', "né"]}
    assert with_sources({"sources": None, "id": 1}) == {"sources": (), "id": 1}


def test_what_somebody_said_in_a_space_is_no_source_of_others_for_them() -> None:
    said = ("space:den/ava", "space:den/bea", "web/ava", "space:yard/ava", "mail")
    assert of_others(said, "ava") == ("space:den/bea", "web/ava", "mail")
    assert of_others(said, "den") == said


@each_row(
    ("wanted", "words"),
    [
        ("mail", None),
        ("mail/*", None),
        ("observer:*", None),
        ("*", None),
        ("@husam", None),
        ("@*", None),
        ("mail*", "mail/*"),
        ("@hus*", "@hus"),
        ("m*l", "ends"),
        ("*/bob", "ends"),
        ("**", "ends"),
        ("mail/**", "ends"),
        ("@", "names nobody"),
    ],
)
def test_what_can_mean_no_source_is_refused(wanted: str, words: str | None) -> None:
    fault = fault_of_name(wanted)
    assert words in fault if words and fault else fault is words


def test_what_a_line_only_claims_counts_for_trust_and_never_for_its_origin() -> None:
    said = (claimed("husam"), "mail/bob")
    assert claimed(said[0]) == said[0] == "claimed:husam"
    assert claimed(MORE) == MORE
    assert untrusted(said, ("mail",)) == ("claimed:husam",)
    assert untrusted(said, ("husam", "mail")) == ()
    assert trustee(said[0]) == "husam"
    assert not may_speak("husam", [claimed("space:family/husam"), "mail"])
    assert not covers("@husam", claimed("mail/husam"))
    assert len(claimed("x" * 520)) == 520


@each_row(
    ("speaker", "said", "sources", "words"),
    [
        ("husam", None, ("space:family/husam",), "husam"),
        (None, "husam", ("mail/eve",), "says it is husam, came by mail"),
        (None, None, ("claimed:husam", "mail"), "says it is of husam, came by mail"),
        (None, "husam", ("claimed:web/x", "mail"), "says it is husam and of web, came by mail"),
        (None, None, ("claimed:husam",), "says it is of husam"),
        (None, None, (), None),
    ],
)
def test_where_words_came_from_is_told_apart_from_what_they_claim(
    speaker: str | None, said: str | None, sources: tuple[str, ...], words: str | None
) -> None:
    assert attribution(speaker, said, sources) == words


@each_row(
    ("sources", "whom"),
    [
        (("claimed:husam", "mail/bob"), "source:mail"),
        (("husam", "mail"), "source:husam"),
        (("import:anthropic", "mail"), "source:mail"),
        (("server:town/look", "tool:fetch", "web/eve"), "source:web"),
        (("mail", MORE), "source:more:sources"),
        (("space:family/husam", "tool:fetch"), "source:tool:fetch"),
        (("claimed:husam",), "source:claimed:husam"),
        ((), "source:unknown"),
    ],
)
def test_words_of_several_sources_are_of_the_one_that_is_known_least(
    sources: tuple[str, ...], whom: str
) -> None:
    assert hearsay(sources) == hearsay(reversed(sources)) == whom
