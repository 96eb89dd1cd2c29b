"""Commands of this program, each a process of its own, as anybody would call them."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from mindpipe.core.errors import MindError
from mindpipe.core.ports import Limits, ProgramCall
from mindpipe.io.programs import LocalPrograms
from mindpipe.providers.local_models import data_folder

_SECONDS = 3600.0
_OUTPUT = 64 << 20
_LIMITS = Limits(memory_bytes=8 << 30)
_ASKING = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "EMBED_API_KEY", "EMBED_BASE_URL")
"""What a command is given of this process's variables: how a server of embeddings is reached."""
_MIND = "import sys; from mindpipe_cli.main import main; sys.exit(main())"


def mind(
    *words: str,
    store: Path | None = None,
    stdin: bytes = b"",
    model: str | None = None,
    statuses: Sequence[int] = (0,),
    limits: Limits = _LIMITS,
) -> bytes:
    """Run a command, over a store if one is named, and return its stdout.

    `model` is the embedding model that it asks; those that were fetched are there, and so are the
    key and the address of a server. Raises MindError where it ends with none of `statuses`.
    """
    environment = {name: it for name in _ASKING if (it := os.environ.get(name))}
    environment["XDG_DATA_HOME"] = str(data_folder(os.environ).absolute())
    if model:
        environment["MIND_EMBED_MODEL"] = model
    over = () if store is None else ("--store", str(store))
    ran = LocalPrograms().run(
        ProgramCall(
            argv=(sys.executable, "-c", _MIND, *words, *over),
            stdin=stdin,
            seconds=_SECONDS,
            output_bytes=_OUTPUT,
            environment=environment,
            limits=limits,
        )
    )
    if ran.status not in statuses:
        said = ran.stderr.decode("utf-8", "replace").strip()
        raise MindError(f"mind {words[0]} ended with {ran.status}: {said or 'it said nothing'}")
    return ran.stdout
