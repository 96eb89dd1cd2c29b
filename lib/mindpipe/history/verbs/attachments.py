"""Files that go along with events, posts and tools' answers: kept as blobs, and named by whose."""

import contextlib
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import msgspec

from mindpipe.core.attachments import OTHER, TEXT, Attachment, attachment, plain_name
from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import FilePart
from mindpipe.core.ports import NOBODY, ProgramFile, Store
from mindpipe.core.redaction import Redactor
from mindpipe.history import tables
from mindpipe.history.rows import digest
from mindpipe.history.verbs import log

Told = TypeVar("Told", bound=msgspec.Struct)


def attached(name: str, octets: bytes) -> Attachment:
    """Return a file as it goes along with words; raises BadInputError where it is not taken."""
    return attachment(name, octets, digest(octets))


def answered(files: Sequence[ProgramFile]) -> tuple[Attachment, ...]:
    """Return files that a program answered with: others than pictures and PDF are bytes alone."""

    def made(file: ProgramFile) -> Attachment:
        with contextlib.suppress(BadInputError):
            found = attached(file.name, file.octets)
            if found.part.media_type != TEXT:
                return found
        name, size = plain_name(file.name), len(file.octets)
        part = FilePart(sha256=digest(file.octets), media_type=OTHER, name=name, size=size)
        return Attachment(part, file.octets)

    return tuple(map(made, files))


def redacted(redactor: Redactor, files: Sequence[Attachment]) -> tuple[Attachment, ...]:
    """Return files, of which those that are text are without secrets."""

    def clean(file: Attachment) -> Attachment:
        octets = redactor.octets(file.octets) if file.part.media_type == TEXT else file.octets
        return file if octets is file.octets else attached(file.part.name, octets)

    return tuple(map(clean, files))


def keep_octets(store: Store, *, files: Sequence[Attachment]) -> None:
    """Keep what files consist of, before it is known with what they go along."""
    log.put_blobs(store, octets=(one.octets for one in files))


def keep(store: Store, *, owners: Sequence[str], files: Sequence[Attachment]) -> None:
    """Keep files with what they go along with, by its id, in the caller's transaction."""
    if not files or not owners:
        return
    with store.write(NOBODY):
        keep_octets(store, files=files)
        go_along(store, owners=owners, files=files)


def go_along(store: Store, *, owners: Sequence[str], files: Sequence[Attachment]) -> None:
    """Note that files whose octets are kept go along with some, by their ids."""
    parts = [one.part for one in files]
    with store.write(NOBODY) as rows:
        for owner in owners:
            tables.insert_attachments(rows, owner, parts)


def of(store: Store, *, owners: Collection[str]) -> dict[str, tuple[FilePart, ...]]:
    """Return the files of those events and posts that have some."""
    if not owners:
        return {}
    with store.read() as rows:
        found = tables.attachments(rows, owners=owners)
    by_owner: dict[str, tuple[FilePart, ...]] = {}
    for owner, part in found:
        by_owner[owner] = (*by_owner.get(owner, ()), part)
    return by_owner


def with_files(store: Store, told: Sequence[Told], owner_of: Callable[[Told], str]) -> list[Told]:
    """Return events or posts, in whose `files` stand those that went along with them."""
    owners = [owner_of(one) for one in told]
    there = of(store, owners=owners)
    return [
        msgspec.structs.replace(one, files=there[owner]) if owner in there else one
        for one, owner in zip(told, owners, strict=True)
    ]
