"""A call that is closed from outside ends at once, wherever it waits, with an ordinary fault."""

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.ports import Model, ProgramCall
from mindpipe.io.open_calls import OpenCalls
from mindpipe.io.programs import LocalPrograms
from mindpipe.providers.http import CallLimits
from support.loopback.asking import APIS, asking, model_at
from support.loopback.provider import Provider
from support.loopback.turns import Turn

# Far more than any of it takes: who is not closed hangs until the test is ended.
LONG = CallLimits(connect=300.0, first_byte=300.0, between_events=300.0)

every_api = pytest.mark.parametrize("name", APIS)


@contextlib.contextmanager
def closed_when(is_time: Callable[[], bool], calls: OpenCalls) -> Iterator[None]:
    """Close the calls from another thread as soon as it is time."""

    def close() -> None:
        while not is_time():
            time.sleep(0.01)
        calls.close()

    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    yield
    closing.join()


def fault_of_a_closed_call(model: Model) -> ModelFault:
    """Ask for a reply that never comes and return the fault."""
    with pytest.raises(ModelFault) as caught:
        model.reply(asking(model.target, seconds=300.0))
    return caught.value


@every_api
def test_a_request_without_an_answer_is_closed(provider: Provider, name: str) -> None:
    provider.hangs()
    calls = OpenCalls()
    model = model_at(provider, name, limits=LONG, calls=calls)
    with closed_when(lambda: bool(provider.requests), calls):
        fault = fault_of_a_closed_call(model)
    assert (fault.fault, fault.sent) == (FaultClass.TRANSIENT, True)
    assert "broke" in str(fault)


@every_api
def test_a_stream_that_stalls_is_closed(provider: Provider, name: str) -> None:
    provider.stalls(Turn(text="A long story."), at=100)
    calls = OpenCalls()
    model = model_at(provider, name, limits=LONG, calls=calls)
    with closed_when(lambda: bool(provider.requests), calls):
        fault = fault_of_a_closed_call(model)
    assert fault.fault is FaultClass.TRANSIENT


@contextlib.contextmanager
def nobody_accepts() -> Iterator[str]:
    """Yield the address of a server whose queue is full, so that connecting to it waits."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(3):
            waiting = stack.enter_context(socket.socket())
            waiting.settimeout(0.0)
            waiting.connect_ex(server.getsockname())
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="fills the queue of a socket (Linux)")
def test_a_connection_that_nobody_accepts_is_given_up(provider: Provider) -> None:
    calls = OpenCalls()
    began = time.monotonic()
    with nobody_accepts() as address:
        model = model_at(provider, APIS[0], limits=LONG, base_url=address, calls=calls)
        with closed_when(lambda: time.monotonic() > began + 0.3, calls):
            fault = fault_of_a_closed_call(model)
    assert (fault.fault, fault.sent) == (FaultClass.TRANSIENT, False)


def test_calls_that_are_closed_may_be_opened_again_unless_for_good(provider: Provider) -> None:
    provider.answers(Turn(text="Here."))
    calls = OpenCalls()
    model = model_at(provider, APIS[0], limits=LONG, calls=calls)
    calls.close()
    assert fault_of_a_closed_call(model).sent is False
    calls.reopen()
    assert model.reply(asking(model.target)).raw
    calls.close(for_good=True)
    calls.reopen()
    assert fault_of_a_closed_call(model).sent is False
    assert len(provider.requests) == 1


def test_a_signal_handler_closes_and_raises_nothing_in_the_sdk(provider: Provider) -> None:
    provider.hangs()
    calls = OpenCalls()
    model = model_at(provider, APIS[0], limits=LONG, calls=calls)
    before = signal.signal(signal.SIGUSR2, lambda _number, _frame: calls.close())
    main = threading.main_thread().ident or 0

    def send() -> None:
        while not provider.requests:
            time.sleep(0.01)
        signal.pthread_kill(main, signal.SIGUSR2)

    try:
        threading.Thread(target=send, daemon=True).start()
        assert fault_of_a_closed_call(model).fault is FaultClass.TRANSIENT
    finally:
        signal.signal(signal.SIGUSR2, before)


def test_a_program_that_hears_nothing_is_ended(tmp_path: Path) -> None:
    calls = OpenCalls()
    mark = tmp_path / "began"
    deaf = f"trap '' TERM; : > {mark}; while :; do sleep 1; done"
    with closed_when(mark.exists, calls):
        ended = LocalPrograms(grace=300.0, calls=calls).run(
            ProgramCall(argv=("/bin/sh", "-c", deaf), seconds=300.0, private_folder=False)
        )
    assert ended.status == -signal.SIGKILL
