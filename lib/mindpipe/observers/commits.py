"""What became of a repository between two looks at its refs, each commit told once."""

from collections.abc import Iterator, Mapping

from mindpipe.core.errors import MindError
from mindpipe.core.events import NewEvent
from mindpipe.core.instants import normal_instant
from mindpipe.core.records import Record
from mindpipe.observers.events import event_of, key_of
from mindpipe.observers.records import Observed, Repository

REF_FORMAT = "%(objectname) %(refname)"
COMMIT_FORMAT = "%H%x00%an%x00%cI%x00%s%x00"
_FIELDS = 4
Refs = Mapping[str, str]


def read_refs(octets: bytes) -> dict[str, str]:
    """Return the commit of each ref, from lines like `REF_FORMAT`."""
    lines = octets.decode("utf-8", "replace").splitlines()
    return {ref: commit for commit, _, ref in (line.partition(" ") for line in lines)}


def wanted_commits(before: Refs, after: Refs) -> bytes:
    """Return what git is asked on stdin: what is in reach of new tips and was not of old ones."""
    old = set(before.values())
    new = [commit for commit in dict.fromkeys(after.values()) if commit not in old]
    if not new:
        return b""
    return "".join([*(f"{one}\n" for one in new), *(f"^{one}\n" for one in sorted(old))]).encode()


def read_commits(octets: bytes) -> list[dict[str, str]]:
    """Return commits as git wrote them in `COMMIT_FORMAT`: commit, author, committed, subject."""
    words = octets.decode("utf-8", "replace").split("\x00")
    names = ("commit", "author", "committed", "subject")
    rows = [words[at : at + _FIELDS] for at in range(0, len(words) - _FIELDS + 1, _FIELDS)]
    found = [
        {name: word.strip("\n") for name, word in zip(names, row, strict=True)} for row in rows
    ]
    return [{**one, "committed": _instant(one["committed"])} for one in found]


def _instant(written: str) -> str:
    """Return an instant as all are written, or what stands there if it is none."""
    try:
        return normal_instant(written)
    except MindError:
        return written


class RepositoryLook(Record):
    """What a look at a repository found beside what was known: refs, and commits from the oldest.

    `reset` has the refs whose old commit is not behind the new one: somebody forced them back or
    elsewhere. `number` counts the looks in which something changed, so that the same move can be
    told again later.
    """

    number: int
    before: dict[str, str]
    after: dict[str, str]
    commits: tuple[dict[str, str], ...]
    reset: frozenset[str]


def moved_refs(before: Refs, after: Refs) -> list[tuple[str, str, str]]:
    """Return ref, old and new commit of what is there in both and stands elsewhere."""
    return [
        (ref, before[ref], commit)
        for ref, commit in sorted(after.items())
        if ref in before and before[ref] != commit
    ]


def repository_events(
    entry: Repository, look: RepositoryLook, *, agent: str | None
) -> list[NewEvent]:
    """Return the events of one look: new commits, the oldest first, then what became of refs.

    A ref that only went on to new commits is told by these.
    """
    seen = [
        Observed(kind="commit", path=one["commit"], observers=(entry.observer,), details=one)
        for one in look.commits
    ]
    seen += _ref_changes(entry, look)
    return [
        event_of(
            one,
            agent=entry.agent or agent,
            observer=entry.observer,
            key=key_of(one.kind, one.path, *(() if one.kind == "commit" else (look.number, one))),
            boost=entry.priority_boost,
        )
        for one in seen
    ]


def _ref_changes(entry: Repository, look: RepositoryLook) -> Iterator[Observed]:
    """Yield what became of refs; not those that went on, where there are commits."""
    for ref in sorted({*look.before, *look.after}):
        was, is_ = look.before.get(ref), look.after.get(ref)
        if was == is_:
            continue
        kind = "ref_created" if was is None else "ref_deleted" if is_ is None else "ref_moved"
        if ref in look.reset:
            kind = "ref_reset"
        if kind == "ref_moved" and look.commits:
            continue
        details = {name: commit for name, commit in (("from", was), ("to", is_)) if commit}
        yield Observed(kind=kind, path=ref, observers=(entry.observer,), details=details)
