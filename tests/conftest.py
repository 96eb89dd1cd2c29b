"""What all tests share: the option --populate, how examples are drawn, `mind` as a fixture."""

import gc
import os
import shutil
import signal
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from mindpipe.store.holding import ORDERED
from support.canaries import leaked_in, leaked_into
from support.command import SHARED, Mind, make_private
from support.server_stores import SERVER
from support.shares import shared_out

# Of the light tests one in so many is light on a server, too: there commands differ little.
LIGHT_ON_A_SERVER = 3
_SAID: list[str] = []

# Every run of the everyday tier draws the same examples, whatever earlier runs have found; others,
# and four times as many, are drawn with --hypothesis-profile=random, as `make test-long` does.
settings.register_profile(
    "everyday", derandomize=True, database=None, deadline=None, max_examples=25
)
settings.register_profile("random", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("everyday")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--populate",
        action="store_true",
        help="write what golden cases print and the demo asks; read the diff",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let all workers of a run use one fork server, and hear interrupts wherever they run."""
    # A shell has its background jobs ignore them, and what they start would go on doing so.
    for number, heard in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGQUIT, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, heard)
    os.environ[ORDERED] = "1"
    if SHARED not in os.environ:
        os.environ[SHARED] = tempfile.mkdtemp()
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True))


def pytest_collection() -> None:
    """Let nobody look for garbage while thousands of tests are found, which stay to the end."""
    gc.disable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """On a server, which has no files, let a third be light: which ones, their names decide."""
    if SERVER not in os.environ:
        return
    if item.get_closest_marker("of_a_file"):
        item.add_marker(pytest.mark.skip(reason="it is about a store's file"))
    if item.get_closest_marker("own_server"):
        item.add_marker(pytest.mark.skip(reason="it has a server of its own"))
    if zlib.crc32(item.nodeid.encode()) % LIGHT_ON_A_SERVER:
        item.add_marker(pytest.mark.heavy)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each worker begin with what takes long, file by file."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    heavy = [(one.path, one) for one in items if one.get_closest_marker("heavy")]
    items[:] = shared_out(
        [one for one in items if not one.get_closest_marker("heavy")], heavy, workers
    )


def pytest_collection_finish() -> None:
    """Let nobody look for garbage among what was found, either."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember a test that printed a canary; where it was wanted, the test is about that."""
    words = "".join(text for name, text in report.sections if name.startswith("Captured"))
    if leaked_in(words):
        _SAID.append(report.nodeid)


@pytest.fixture(scope="session", autouse=True)
def no_canary_leaves(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail the run if a key of the environment was written to any file or output of any test."""
    yield
    assert leaked_into(tmp_path_factory.getbasetemp()) == [], "canaries are in files of the tests"
    assert _SAID == [], "canaries are in what tests printed"


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    """Return the command `mind` in an empty private folder."""
    return Mind(make_private(tmp_path / "life"))


@pytest.fixture(scope="session")
def fresh_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what `mind init` makes, to be copied."""
    fresh = Mind(make_private(tmp_path_factory.mktemp("fresh") / "life"))
    fresh("init")
    return fresh.folder


@pytest.fixture(scope="session")
def fresh_agent(tmp_path_factory: pytest.TempPathFactory, fresh_store: Path) -> Path:
    """Return a folder whose store has one agent, to be copied."""
    fresh = Mind(make_private(tmp_path_factory.mktemp("fresh") / "life")).like(fresh_store)
    fresh("agent", "new", "ava")
    return fresh.folder


@pytest.fixture
def mind_with_agent(mind: Mind, fresh_agent: Path) -> Mind:
    """Return the command `mind` in a folder whose store has the agent ava and nothing else."""
    return mind.like(fresh_agent)


@pytest.fixture
def mind_with_store(mind: Mind, fresh_store: Path) -> Mind:
    """Return the command `mind` in a folder with a fresh store."""
    return mind.like(fresh_store)
