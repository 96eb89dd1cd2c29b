"""The provider on loopback as a fixture: one server for all tests, a clean script for each."""

from collections.abc import Iterator

import pytest

from support.loopback.provider import Provider, running


@pytest.fixture(scope="session")
def loopback_server() -> Iterator[Provider]:
    with running() as provider:
        yield provider


@pytest.fixture
def provider(loopback_server: Provider) -> Iterator[Provider]:
    yield loopback_server
    loopback_server.reset()
