"""On a terminal an answer is printed as text, and a key is typed without being shown."""

import os
import sys

from support.command import BIN, Mind, clean_environment
from support.patience import LONGEST, until
from support.terminals import Reading, on_terminals, typing_at

KEY = "typed-by-somebody-0123456789"
ANSWER = """#!/bin/sh
cat > /dev/null
echo '{"text": "Good \\u001b[31mmorning."}'
"""


def test_an_answer_is_its_text_without_control_characters(mind: Mind) -> None:
    (mind.folder / "answer").write_text(ANSWER)
    (mind.folder / "answer").chmod(0o700)
    for option in ((), ("--stream",)):
        line = [str(BIN / "mind"), "complete", "Say hi", "--model", "program:./answer", *option]
        shown = on_terminals(mind, line)
        assert shown.stdout.split() == ["Good", "morning."]
        assert "\x1b" not in shown.stdout


def test_a_key_is_typed_unseen(mind: Mind) -> None:
    line = [str(BIN / "mind"), "models", "key", "set", "openai"]
    environment = {**clean_environment(mind.folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    with typing_at(line, mind.folder, environment) as typing:
        shown = Reading(os.dup(typing.keyboard))
        until(lambda: b"The key of openai: " in shown.octets, "the prompt")
        typing.types(f"{KEY}\n")
        assert typing.process.wait(LONGEST) == 0
    assert KEY in (mind.folder / ".config" / "mind" / "keys.json").read_text()
    assert KEY.encode() not in shown.octets
