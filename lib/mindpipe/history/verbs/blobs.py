"""Keep octets under their hash, once, and give them back."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from mindpipe.core.ports import Store
from mindpipe.history import tables
from mindpipe.history.chain import digest


def put_blob(store: Store, *, octets: bytes) -> str:
    """Keep octets and return their SHA-256, under which they are found again."""
    return put_blobs(store, octets=(octets,))[0]


def put_blobs(store: Store, *, octets: Iterable[bytes]) -> list[str]:
    """Keep many octets in one transaction and return their SHA-256, in order."""
    shas: list[str] = []

    def named() -> Iterator[tuple[str, bytes]]:
        for one in octets:
            shas.append(digest(one))
            yield shas[-1], one

    with store.write() as rows:
        tables.insert_blobs(rows, named())
    return shas


def blobs(store: Store, *, shas: Collection[str]) -> dict[str, bytes]:
    """Return the octets under some hashes; hashes of which nothing is kept are left out."""
    with store.read() as rows:
        return dict(tables.blobs(rows, shas=shas))


class StoredBlobs(Mapping[str, bytes]):
    """The store's blobs as a mapping that reads each when it is asked for and keeps none."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getitem__(self, sha256: str) -> bytes:
        """Return the octets under a hash; raises KeyError where nothing is kept."""
        with self._store.read() as rows:
            found = tables.blob(rows, sha256=sha256)
        if found is None:
            raise KeyError(sha256)
        return found

    def __iter__(self) -> Iterator[str]:
        """Refuse: nobody wants every hash of a store at once."""
        raise NotImplementedError("blobs are asked for one by one")

    def __len__(self) -> int:
        """Refuse, as iterating does."""
        raise NotImplementedError("blobs are asked for one by one")
