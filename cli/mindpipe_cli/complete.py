"""`mind complete`: one model request per line in, one response per line out."""

import msgspec

from mindpipe_cli import answering
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    file_argument,
    on_error_options,
    parallel_option,
    voice_options,
)
from mindpipe_cli.session import Session


@command("complete", example="mind complete --model program:./answer --parallel 4 < requests.jsonl")
@file_argument
@voice_options()
@on_error_options
@parallel_option
def COMMAND(session: Session, **wishes: str | int | None) -> None:
    """Ask one model request per line and print one response per line, in input order.

    A request is the object of the program protocol: system, messages, tools, max_tokens,
    temperature. What it has under the key about comes back with the answer and is sent to no
    model; --model composed, the offline voice of a person, speaks from about.moment alone. No
    request is sent that may cost more than the setting caps.call_micros.
    """
    answering.complete(session, msgspec.convert(wishes, answering.Wish))
