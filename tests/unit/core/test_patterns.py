"""A pattern is compiled when it is first used, once."""

import re

from mindpipe.core.patterns import late


def test_a_pattern_is_compiled_at_its_first_use_and_kept() -> None:
    broken, word = late("("), late(r"[a-z]+", re.IGNORECASE)
    assert word().findall("Ab, c") == ["Ab", "c"]
    assert word() is word()
    try:
        broken()
    except re.error:
        return
    raise AssertionError("a broken pattern was compiled")
