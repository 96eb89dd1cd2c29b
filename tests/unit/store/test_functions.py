from mindpipe.store.functions import FUNCTIONS, passing_null
from support.tables import each_row

BY_NAME = {made.name: made for made in FUNCTIONS}
PARTS = (
    '[{"type":"text","text":"one"},'
    '{"type":"call","id":"c_1","tool":"look","args":{},"args_text":"{}"},'
    '{"type":"text","text":"two"},'
    '{"type":"call","id":"c_2","tool":"send","args":null,"args_text":"{","invalid":"cut"}]'
)


@each_row(
    ("name", "given", "expected"),
    [
        ("message_text", (PARTS,), "one\ntwo"),
        ("message_text", ("[]",), ""),
        ("message_tools", (PARTS,), "look,send"),
        ("instant_add", ("2026-02-28T23:59:59Z", 1), "2026-03-01T00:00:00Z"),
        ("instant_add", ("2026-03-01T00:00:00Z", -1), "2026-02-28T23:59:59Z"),
        ("instant_seconds", ("2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"), 60.0),
        ("terminal_text", ("\x1b[31mred\x07",), "red"),
    ],
)
def test_a_function_gives(name: str, given: tuple[str | float, ...], expected: object) -> None:
    made = BY_NAME[name]
    assert made.arguments == len(given)
    assert made.function(*given) == expected


@each_row("name", BY_NAME)
def test_null_gives_null(name: str) -> None:
    made = BY_NAME[name]
    assert passing_null(made.function)(*[None] * made.arguments) is None
