"""Globs, comparing, settling, names, priorities, commits and configurations, by table."""

from dataclasses import dataclass

import msgspec
import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.core.yaml import load_yaml
from mindpipe.observers import commits, rules, signatures
from mindpipe.observers import rules as restarting
from mindpipe.observers.changes import compare, holding, is_same, only_touched
from mindpipe.observers.config import read_config
from mindpipe.observers.events import LONGEST, FileSettling
from mindpipe.observers.records import FileChange, Meaning, Point, SeenFile
from mindpipe.observers.rules import fits
from support.tables import each_row


@each_row(
    ("pattern", "path", "is_meant"),
    [
        ("*.md", "a.md", True),
        ("*.md", "x/a.md", False),
        ("**/*.md", "a.md", True),
        ("**/*.md", "x/y/a.md", True),
        ("x/**", "x/y/a", True),
        ("x/**/*.md", "x/a.md", True),
        ("x/**/*.md", "y/a.md", False),
        ("_input/*", "_input/a", True),
        ("_input/*", "_input/a/b", False),
        ("a?.md", "ab.md", True),
        ("a?.md", "a/.md", False),
        ("[ab].md", "b.md", True),
        ("[!ab].md", "b.md", False),
        ("[!a]b", "/b", False),
        ("a[", "a[", True),
        ("[+-9]", "5", True),
        ("[+-9]", "/", False),
        ("a[/]b", "a/b", False),
        ("[a-]", "-", True),
        ("[a\\^]", "^", True),
        ("[z-a]", "b", False),
        ("?ß[ä-ü]", "\U0001f40eßö", True),
        ("*", "\udcff", True),
        ("a b#~\n", "a b#~\n", True),
        ("*a" * 8 + "*b", "a" * 4000, False),
        ("**/*a/" * 8 + "b", "a/" * 2000, False),
        ("a.md", "aXmd", False),
        ("**/.git/**", ".git/", True),
        ("**/.git/**", "x/.git/config", True),
    ],
)
def test_a_pattern_means_paths(pattern: str, path: str, *, is_meant: bool) -> None:
    assert fits(path, pattern) is is_meant
    assert fits(path) is False


def seen(path: str, content: str | None = "x", *, inode: int = 1, mtime: int = 1) -> SeenFile:
    """Return a file that is seen."""
    sha = None if content is None else content * 64
    return SeenFile(path=path, size=1, mtime_ns=mtime, ctime_ns=mtime, inode=inode, sha256=sha)


def by_path(*files: SeenFile) -> dict[str, SeenFile]:
    """Return files by their path."""
    return {one.path: one for one in files}


@each_row(
    ("before", "after", "found"),
    [
        ([], [seen("a")], [("created", "a")]),
        ([seen("a")], [], [("deleted", "a")]),
        ([seen("a")], [seen("a", "y")], [("modified", "a")]),
        ([seen("a")], [seen("a", mtime=2, inode=9)], []),
        ([seen("a", None)], [seen("a", None, mtime=2)], [("modified", "a")]),
        ([seen("a")], [seen("b")], [("moved", "b")]),
        ([seen("a")], [seen("b", inode=2)], [("created", "b"), ("deleted", "a")]),
        ([seen("a")], [seen("b", "y")], [("created", "b"), ("deleted", "a")]),
        ([seen("a", None)], [seen("b", None)], [("created", "b"), ("deleted", "a")]),
        ([seen("a"), seen("b")], [seen("c")], [("deleted", "b"), ("moved", "c")]),
        ([seen("a")], [seen("a", "y", inode=2), seen("b")], [("created", "b"), ("modified", "a")]),
    ],
)
def test_each_change_is_found_once(
    before: list[SeenFile], after: list[SeenFile], found: list[tuple[str, str]]
) -> None:
    changes = compare(by_path(*before), by_path(*after))
    assert sorted((one.kind, one.path) for one in changes) == found


def test_what_is_held_stays_as_it_was_and_what_was_touched_is_renewed() -> None:
    old, new = by_path(seen("a"), seen("b")), by_path(seen("b", "y"), seen("c"))
    assert compare(old, holding(old, new, {"a", "b", "c"})) == []
    touched = seen("a", mtime=2)
    assert only_touched(old, by_path(touched)) == [touched]
    assert is_same(seen("a"), seen("a"))
    assert not is_same(seen("a"), touched)
    fresh = msgspec.structs.replace(seen("a"), settled=False)
    assert not is_same(fresh, seen("a"))


def test_a_look_waits_for_rest_but_not_for_ever() -> None:
    settling = FileSettling(0.5)
    assert settling.wait(0.0) is None
    settling.hear(["a"], 0.0)
    settling.hear(["a"], 0.4)
    assert settling.wait(0.5) == pytest.approx(0.4)
    assert settling.wait(0.9) == 0.0
    for tick in range(1, 100):
        settling.hear(["busy"], tick / 10)
    assert settling.wait(0.5 * LONGEST) == 0.0
    settling.hear(["new"], 9.8)
    assert settling.take(9.9) == {"new"}
    assert settling.wait(9.9) == pytest.approx(0.4)
    assert settling.take(10.5) == frozenset()
    assert settling.wait(10.5) is None


@each_row(("boost", "priority"), [(0, 4), (1, 4), (2, 3), (3, 2), (4, 1), (5, 1)])
def test_a_boost_makes_urgent_but_never_an_emergency(boost: int, priority: int) -> None:
    assert rules.priority_of(boost) == priority


def test_a_move_is_heard_at_each_point_as_what_it_is_there() -> None:
    inside = Point(path="in/*", observer="In", events=("file_created", "file_deleted"))
    away = FileChange(kind="moved", before=seen("in/a"), after=seen("out/a"))
    home = FileChange(kind="moved", before=seen("out/a"), after=seen("in/a"))
    within = FileChange(kind="moved", before=seen("in/a"), after=seen("in/b"))
    assert rules.names_at(inside, away) == ["file_deleted"]
    assert rules.names_at(inside, home) == ["file_created"]
    assert rules.names_at(inside, within) == ["file_created", "file_deleted"]
    everything = Point(path="in/*", observer="In")
    assert rules.names_at(everything, within) == ["file_moved"]
    assert rules.names_at(everything, FileChange(kind="created", after=seen("out/b"))) == []


def test_a_field_is_meant_only_where_its_value_is_new() -> None:
    point = Point(path="*", observer="O", events=({"done": Meaning(field="status", is_="done")},))
    states = [
        SeenFile(path="a", size=1, mtime_ns=1, ctime_ns=1, inode=1, fields={"status": value})
        for value in ("open", "done")
    ]
    opened, done = states
    assert rules.names_at(point, FileChange(kind="modified", before=opened, after=done)) == ["done"]
    assert rules.names_at(point, FileChange(kind="modified", before=done, after=done)) == []
    assert rules.names_at(point, FileChange(kind="modified", before=done, after=opened)) == []
    assert rules.fields_in(b"---\nstatus: done\nstatus: open\n", {"status"}) == {"status": "done"}


def test_git_is_asked_only_for_what_is_new() -> None:
    assert commits.wanted_commits({"a": "1"}, {"a": "1", "b": "1"}) == b""
    assert commits.wanted_commits({"a": "1"}, {"a": "2", "b": "2"}) == b"2\n^1\n"
    assert commits.read_refs(b"1 refs/heads/a b\n") == {"refs/heads/a b": "1"}
    (found,) = commits.read_commits(b"1\0Ava\x002026-01-01T01:00:00+01:00\0Say: hello\0\n")
    assert found == {
        "commit": "1",
        "author": "Ava",
        "committed": "2026-01-01T00:00:00Z",
        "subject": "Say: hello",
    }


def test_pauses_grow_and_begin_anew() -> None:
    assert [restarting.pause(count) for count in (1, 2, 3, 7, 99)] == [1, 2, 4, 60, 60]
    assert restarting.failures_after(5, lasted=60) == 1
    assert restarting.failures_after(5, lasted=59) == 6


@dataclass
class Signing:
    """A request, and the words of why it is refused."""

    words: str
    time: str = "1000"
    key: str = "k"
    body: bytes = b"x"


@each_row(
    "case",
    [
        Signing("not that of this request", body=b"y"),
        Signing("must be 1 to", key="k" * 300),
        Signing("whole seconds", time="-1"),
        Signing("whole seconds", time="٣"),
        Signing("must be 1 to", key="\u00e9"),
        Signing("300 s off", time="1"),
        Signing("300 s off", time="1301"),
    ],
)
def test_a_request_that_is_not_sound_is_refused(case: Signing) -> None:
    made = signatures.signature(b"s" * 16, time=case.time, key=case.key, body=b"x")
    request = signatures.SignedRequest(time=case.time, key=case.key, given=made, body=case.body)
    gap = signatures.gap_of(request)
    assert case.words in str(gap or signatures.fault_of(request, b"s" * 16, now=1000.0, skew=300))
    is_signature = "that" in case.words or "300 s" in case.words
    assert (gap is None) == is_signature


@each_row(
    ("head", "words"),
    [
        (("", "", ""), "X-Mind-Time, X-Mind-Key, X-Mind-Signature are missing; see"),
        (("1000", "", "sha256=0"), "X-Mind-Key is missing; see mind-observe.yaml(5)."),
    ],
)
def test_what_a_request_lacks_is_named(head: tuple[str, str, str], words: str) -> None:
    time, key, given = head
    request = signatures.SignedRequest(time=time, key=key, given=given, body=b"x")
    assert words in str(signatures.gap_of(request))


def test_a_sound_request_is_taken() -> None:
    made = signatures.signature(b"s" * 16, time="1000", key="k", body=b"x")
    request = signatures.SignedRequest(time="1000", key="k", given=made, body=b"x")
    assert signatures.fault_of(request, b"s" * 16, now=1300.0, skew=300) is None


@each_row(
    ("text", "line", "words"),
    [
        ("root: .", 1, "observes nothing"),
        ("agent: A B\ngit: [{observer: G}]", 1, "may only use"),
        ("git:\n  - observer: G\n    evry: 3", 3, "evry"),
        ("observation_points:\n  a:\n  - {path: /x, observer: O}", 3, "leaves the root"),
        ("observation_points:\n  a:\n  - {path: a/../x, observer: O}", 3, "leaves the root"),
        ("observation_points:\n  a:\n  - path: x\n    observer: O\n    events: [what]", 5, "what"),
        ("observation_points:\n  a:\n  - path: x", 3, "observer"),
        ("observation_points:\n  a:\n  - path: x\n    observer: O\n    priority_boost: 6", 5, "5"),
        ("processes:\n- {observer: P}", 2, "a pid or a command"),
        ("processes:\n- {observer: P, pid: 1, command: [x]}", 2, "a pid or a command"),
        ("git:\n- {observer: G}\nprograms:\n- {observer: G, command: [x]}", 4, "the same name"),
        ("http: {port: 1}", 1, "secret_env or a secret_file"),
        ("http:\n  port: 99999\n  secret_env: S", 2, "65535"),
        ("git: &x []", 1, "anchor"),
    ],
)
def test_a_fault_of_a_configuration_is_named_with_its_line(
    text: str, line: int, words: str
) -> None:
    with pytest.raises(BadInputError) as raised:
        read_config(load_yaml(text.encode(), source="o.yaml"), source="o.yaml")
    first = raised.value.problems[0]
    assert words in first.line_of_text()
    assert first.line == line
