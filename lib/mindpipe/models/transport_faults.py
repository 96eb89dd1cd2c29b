"""Which fault an exception of a provider's SDK or of the transport stands for."""

from collections.abc import Callable, Iterator

from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.formats.replies.pieces import no_reply


def too_slow(what: str) -> ModelFault:
    """Return the fault of an answer that took too long."""
    return ModelFault(f"the provider was too slow: {what}", fault=FaultClass.TRANSIENT)


def fault_of_exception(error: BaseException) -> ModelFault | None:
    """Return the fault that an exception stands for; None for one that is nobody's but ours.

    The words of such exceptions are not repeated, as they may hold headers.
    """
    chain = list(_causes(error))
    for cause in chain:
        if isinstance(cause, ModelFault):
            return cause
    for cause in chain:
        for kinds, fault in _table():
            if isinstance(cause, kinds):
                return fault()
    return None


def _unreachable() -> ModelFault:
    return ModelFault(
        "the provider cannot be reached; check the network and the address",
        fault=FaultClass.TRANSIENT,
        sent=False,
    )


def _no_address() -> ModelFault:
    return ModelFault(
        "the provider's address is no http or https URL; check base_url",
        fault=FaultClass.OUR_ACCOUNT,
        sent=False,
    )


def _no_header() -> ModelFault:
    return ModelFault(
        "the request cannot be sent; check the key for characters that no header carries",
        fault=FaultClass.OUR_ACCOUNT,
        sent=False,
    )


def _broken() -> ModelFault:
    return ModelFault("the connection to the provider broke", fault=FaultClass.TRANSIENT)


def _table() -> tuple[tuple[tuple[type[BaseException], ...], Callable[[], ModelFault]], ...]:
    """Return the kinds of exceptions and their faults, most special first."""
    import httpx2

    return (
        ((httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ConnectError), _unreachable),
        ((httpx2.TimeoutException,), lambda: too_slow("no answer in time")),
        ((httpx2.InvalidURL, httpx2.UnsupportedProtocol), _no_address),
        ((httpx2.LocalProtocolError, UnicodeEncodeError), _no_header),
        ((httpx2.DecodingError,), lambda: no_reply("its compression is broken")),
        ((httpx2.TransportError, httpx2.StreamError), _broken),
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those that it was raised from."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__
