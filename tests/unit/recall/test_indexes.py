"""Questions are routed by words, Markdown is cut into passages, companions come first."""

from mindpipe.recall.indexes import (
    Index,
    IndexedDocument,
    IndexEntry,
    Intent,
    RoutedEntry,
    best,
    companion_of,
    leads,
    mixed,
    passages_of,
    ranked,
    routed,
    says,
    stems_of,
    wants_files,
)
from mindpipe.recall.records import Filters, Recalled
from support.tables import each_row

NOTE = """---
status: seed
---

# Kant

He wrote of duty.

## Ethics

The categorical imperative.

```
# no heading
```

## Life

Königsberg.
"""


def entry(id: str = "kant", **more: object) -> IndexEntry:
    return IndexEntry(id=id, path=f"{id}.md", **more)  # type: ignore[arg-type]  # of what a test sets


def document(text: str, *, companion: bool = False, weight: float = 1.0) -> IndexedDocument:
    found = RoutedEntry("root.yaml", 3, entry(weight=weight), (), ("kant",), 1.0)
    path = "kant_memory.md" if companion else "kant.md"
    return IndexedDocument(path, found, companion, passages_of(text))


@each_row(
    ("question", "keyword", "found"),
    [
        ("What did Kant say of duties?", "duty", True),
        ("What is free will to him?", "Free Will", True),
        ("Is his will free?", "free will", False),
        ("canteen", "ant", False),
        ("Was ist mit Königsberg?", "konigsberg", True),
        ("what is it", "is", False),
        ("anything", "", False),
    ],
)
def test_a_keyword_is_its_words_side_by_side(question: str, keyword: str, *, found: bool) -> None:
    assert says(stems_of(question), keyword) is found


def test_intents_lead_and_entries_match() -> None:
    index = Index(
        intent_mappings=(
            Intent(keywords=("ethics", "duty"), load_index="ethics.yaml"),
            Intent(keywords=("boats",), load_index="boats.yaml"),
        ),
        entries=(
            entry("hume", keywords=("cause",)),
            entry("kant", keywords=("duty",), tags=("ethics",), title="Immanuel Kant"),
        ),
    )
    asked = stems_of("Kant on duty and ethics")
    assert [(one.load_index, word) for one, word in leads(index, asked)] == [
        ("ethics.yaml", "ethics")
    ]
    (found,) = routed(index, asked, name="root.yaml", way=(), lines=[4, 9])
    assert (found.entry.id, found.line, found.bearing) == ("kant", 9, 2.5)
    assert found.matched == ("duty", "kant", "ethics")


def test_the_entries_that_bear_the_most_come_first_each_file_once() -> None:
    one = RoutedEntry("a", 1, entry("a"), (), (), 1.0)
    two = RoutedEntry("a", 2, entry("b", weight=3.0), (), (), 1.0)
    again = RoutedEntry("b", 7, entry("a"), (), (), 2.0)
    assert [(found.entry.id, found.line) for found in best([one, two, again], most=9)] == [
        ("b", 2),
        ("a", 7),
    ]
    assert len(best([one, two, again], most=1)) == 1


def test_a_file_is_cut_at_its_headings() -> None:
    found = passages_of(NOTE)
    assert [(one.heading, one.line, one.text.splitlines()[0]) for one in found] == [
        ("Kant", 7, "He wrote of duty."),
        ("Kant > Ethics", 11, "The categorical imperative."),
        ("Kant > Life", 19, "Königsberg."),
    ]
    assert "# no heading" in found[1].text
    assert all(NOTE.splitlines()[one.line - 1] == one.text.splitlines()[0] for one in found)


def test_a_long_section_is_cut_at_paragraphs_and_nothing_is_lost() -> None:
    paragraphs = [f"Paragraph {n} " + "word " * 60 for n in range(20)]
    found = passages_of("# T\n\n" + "\n\n".join(paragraphs))
    assert len(found) > 2
    assert "\n\n".join(one.text for one in found).split() == " ".join(paragraphs).split()


def test_what_has_no_words_has_no_passages() -> None:
    assert passages_of("") == passages_of("---\na: 1\n---\n\n# Only\n\n## Headings\n") == ()


def test_a_companion_stands_beside_a_markdown_file() -> None:
    assert companion_of("a/kant.md") == "a/kant_memory.md"
    assert companion_of("a/kant_memory.md") is None
    assert companion_of("a/kant.txt") is None


def test_a_companion_counts_twice_and_comes_before_its_file() -> None:
    memory = "# Kant\n\n## Ethics\n\nThe imperative, as I see it now.\n"
    found = ranked(
        [document(memory, companion=True), document(NOTE)], stems_of("Kant's imperative"), most=9
    )
    told = [(one.document.path, one.passage.heading, one.overrides) for one in found]
    assert told[0] == ("kant_memory.md", "Kant > Ethics", True)
    assert told[1] == ("kant.md", "Kant > Ethics", False)
    assert ("kant.md", "Kant", False) in told
    assert found[0].score > found[1].score


def test_no_words_of_a_file_come_before_those_of_its_companion() -> None:
    memory = "# Kant\n\n## Ethics\n\nIt is another matter to me now.\n"
    for documents in (
        [document(memory, companion=True), document(NOTE)],
        [document(NOTE), document(memory, companion=True)],
    ):
        found = ranked(documents, stems_of("Königsberg, the imperative, duty"), most=9)
        assert [one.document.path for one in found][:2] == ["kant_memory.md", "kant.md"]
        assert found[0].score >= found[1].score


def test_a_file_whose_words_do_not_match_is_there_with_its_beginning() -> None:
    found = ranked([document("# T\n\nFirst.\n\n## U\n\nSecond.\n")], stems_of("xyz"), most=9)
    assert [one.passage.text for one in found] == ["First."]


def test_the_same_question_has_the_same_answer_whatever_the_order() -> None:
    documents = [document(NOTE), document("# Kant\n\nduty\n", companion=True)]
    asked = stems_of("duty of Kant")
    assert ranked(documents, asked, most=9) == ranked(documents[::-1], asked, most=9)


def test_files_and_memories_are_mixed_by_rank_and_weight() -> None:
    def one(rank: int, ref: str, **more: object) -> Recalled:
        return Recalled(
            rank=rank,
            ref=ref,
            source="file" if more else "item",
            score=1,
            why="",
            text="",
            at="",
            **more,  # type: ignore[arg-type]
        )

    kept = [one(1, "m1"), one(2, "m2")]
    files = [one(1, "f1", weight=2.0), one(2, "f2", weight=1.0)]
    found = mixed(kept, files, most=3)
    assert [(found.rank, found.ref) for found in found] == [(1, "f1"), (2, "m1"), (3, "f2")]


def test_filters_that_no_file_has_leave_files_out() -> None:
    assert wants_files(Filters())
    assert wants_files(Filters(kind="file", history=True))
    assert not wants_files(Filters(kind="item"))
    assert not wants_files(Filters(speaker="mia"))
    assert not wants_files(Filters(trusted=True))
