"""Indexes in real files lead questions to real files, inside their base, with faults named."""

from pathlib import Path

import pytest

from mindpipe.core.errors import BadInputError, UnavailableError
from mindpipe.engine.index_files import IndexFiles
from mindpipe.recall import routes
from mindpipe.recall.routes import Routing

ROOT = """\
base: ..
intent_mappings:
  - intent: philosophy
    keywords: [kant, free will]
    load_index: indices/thinkers.yaml
entries:
  - id: readme
    path: README.md
    keywords: [philosophy]
"""
THINKERS = """\
intent_mappings:
  - keywords: [kant]
    load_index: indices/root.yaml
entries:
  - id: kant
    path: knowledge/kant.md
    keywords: [kant, duty]
  - id: gone
    path: knowledge/gone.md
    tags: [kant]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in (
        ("indices/root.yaml", ROOT),
        ("indices/thinkers.yaml", THINKERS),
        ("knowledge/kant.md", "# Kant\n\nDuty is all.\n\n## Life\n\nHe walked at four.\n"),
        ("knowledge/kant_memory.md", "# Kant\n\nDuty is not all, to me.\n"),
        ("README.md", "Philosophy.\n"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / "indices" / "root.yaml"


def found(root: Path, question: str) -> list[tuple[str, int, str]]:
    answers = Routing(str(root), tell=lambda _: None).answer(question, most=10)
    return [(one.document.path, one.passage.line, one.passage.text) for one in answers]


def refused(root: Path, question: str = "kant") -> str:
    with pytest.raises(BadInputError) as caught:
        found(root, question)
    return str(caught.value).removeprefix(f"{root.parent}/")


def test_a_question_is_led_to_a_files_companion_and_then_to_the_file(root: Path) -> None:
    told: list[str] = []
    answers = Routing(str(root), tell=told.append).answer("What of duty, for Kant?", most=10)
    assert [(one.document.path, one.passage.heading) for one in answers] == [
        ("knowledge/kant_memory.md", "Kant"),
        ("knowledge/kant.md", "Kant"),
        ("knowledge/kant.md", "Kant > Life"),
    ]
    memory = answers[0]
    assert (memory.overrides, memory.document.weight) == (True, 2.0)
    (step,) = memory.document.routed.way
    assert (step.name, step.keyword) == (str(root), "kant")
    assert (memory.document.routed.name, memory.document.routed.line) == (
        "indices/thinkers.yaml",
        5,
    )
    assert told == ["indices/thinkers.yaml:8: knowledge/gone.md is not there; it is left out."]


def test_paths_count_from_the_folder_in_which_the_first_of_them_is_there(root: Path) -> None:
    with_base = found(root, "kant")
    assert with_base
    root.write_text(ROOT.removeprefix("base: ..\n"))
    assert found(root, "kant") == with_base
    (root.parent / "indices").mkdir()
    (root.parent / "indices" / "thinkers.yaml").write_text("entries: []")
    assert found(root, "kant") == []


def test_an_entry_may_be_called_by_id_name_title_or_only_by_its_file(root: Path) -> None:
    entries = [
        ("  - id: k\n    name: Immanuel\n", "immanuel", "k"),
        ("  - name: Immanuel\n    status: begun\n    links: [a, b]\n", "immanuel", "Immanuel"),
        ("  - last_modified: 2026-01-04T12:00:00Z\n", "kant", "kant"),
    ]
    for entry, question, called in entries:
        text = f"entries:\n{entry}    path: knowledge/kant.md\n"
        (root.parent / "thinkers.yaml").write_text(text)
        answers = Routing(str(root.parent / "thinkers.yaml"), tell=lambda _: None)
        _, source, *_ = answers.answer(question, most=10)
        assert source.document.path == "knowledge/kant.md"
        assert source.document.routed.entry.names()[0] == called


def test_only_what_the_words_lead_to_is_read(root: Path) -> None:
    (root.parent / "thinkers.yaml").write_text("entries: [")
    assert found(root, "philosophy") == [("README.md", 1, "Philosophy.")]
    assert refused(root).startswith("indices/thinkers.yaml:2: not YAML")
    assert found(root, "boats") == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("    load_index:", "    load_idnex:", "root.yaml:5: $.intent_mappings[0].load_idnex"),
        ("keywords: [kant, free will]", "keywords: kant", "root.yaml:4: $.intent_mappings[0].key"),
        ("indices/thinkers.yaml", "indices/no.yaml", "root.yaml:5: the index indices/no.yaml is"),
        ("indices/thinkers.yaml", "../x.yaml", "root.yaml:5: ../x.yaml leads out of"),
        ("indices/thinkers.yaml", "/etc/passwd", "root.yaml:5: /etc/passwd leads out of"),
        ("[kant, free will]", "[kant, no]\n    keywords: []", "root.yaml:5: "),
        ("base: ..", "base: &a ..", "root.yaml:1: an anchor"),
    ],
)
def test_a_wrong_index_names_file_and_line(root: Path, old: str, new: str, words: str) -> None:
    root.write_text(ROOT.replace(old, new))
    assert refused(root).startswith(words)


def test_no_file_outside_of_the_base_is_read_by_a_link(root: Path, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-secret.md"
    outside.write_text("secret")
    (tmp_path / "knowledge" / "kant_memory.md").unlink()
    (tmp_path / "knowledge" / "kant_memory.md").symlink_to(outside)
    assert "leads out of" in refused(root)
    outside.unlink()


def test_a_file_that_is_too_long_is_left_out_with_a_word(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "FILE_BYTES", 40)
    told: list[str] = []
    answers = Routing(str(root), tell=told.append).answer("kant", most=10)
    assert [one.document.path for one in answers] == ["knowledge/kant_memory.md"]
    assert "thinkers.yaml:5: knowledge/kant.md is longer than 40 bytes" in told[0]


def test_indexes_that_lead_to_more_than_a_number_are_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "MOST_INDEXES", 1)
    assert "more than 1 indexes" in refused(root)


def test_an_index_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match=r"no\.yaml is not there"):
        Routing(str(tmp_path / "no.yaml"), tell=lambda _: None)


def test_files_at_hand_are_read_anew_when_they_change(root: Path) -> None:
    files = IndexFiles(str(root), tell=lambda _: None)

    def texts() -> list[str]:
        return [one.text for one in files("kant", 10)]

    assert texts() == ["Duty is not all, to me.", "Duty is all.", "He walked at four."]
    memory = root.parent.parent / "knowledge" / "kant_memory.md"
    memory.write_text("# Kant\n\nHe never left.\n")
    assert texts() == ["He never left.", "Duty is all.", "He walked at four."]
    memory.unlink()
    assert texts() == ["Duty is all.", "He walked at four."]
    memory.write_text("# Life\n\nHe rose at five.\n")
    assert "He rose at five." in texts()
    root.write_text(ROOT.replace("[kant, free will]", "[hume]"))
    assert texts() == []


def test_files_at_hand_name_their_files_as_whose_words_they_are(root: Path) -> None:
    found = IndexFiles(str(root), tell=lambda _: None)("kant", 1)
    assert [one.sources for one in found] == [("file:knowledge/kant_memory.md",)]


def test_a_broken_index_is_told_once_and_stops_nobody(root: Path) -> None:
    told: list[str] = []
    files = IndexFiles(str(root), tell=told.append)
    root.write_text("entries: 3\n")
    assert [files("kant", 10), files("kant", 10)] == [[], []]
    (words,) = told
    assert words.startswith("recall.index: ")
    root.write_text(ROOT)
    assert files("kant", 10)
