from mindpipe.engine.tools.history import RecalledItem, used
from support.tables import each_row

FERRY = "The ferry leaves from the northern pier."
LONG = " ".join(f"word{number}" for number in range(40))


def told(text: str) -> RecalledItem:
    return RecalledItem(id="it_1", source="item", at="2026-11-01T00:00:00Z", text=text)


@each_row(
    ("text", "said", "is_used"),
    [
        (FERRY, "", False),
        (FERRY, "It is the northern pier, and ferries leave.", True),
        (FERRY, "The ferry leaves.", False),
        (FERRY, "Go to the northern pier with the ferry.", True),
        (FERRY, "As it_1 says.", True),
        (FERRY, "See it_2.", False),
        ("Husam and Sarah sail.", "Sarah and Husam.", False),
        ("Husam and Sarah sail.", "Husam sails with Sarah.", True),
        ("Tea.", "Tea, tea and tea.", False),
        ("red orange yellow green blue violet", "red orange", False),
        ("red orange yellow green blue violet black white", "red orange yellow", False),
        ("red orange yellow green blue violet black white", "red orange yellow green", True),
        (LONG, " ".join(LONG.split()[:7]), False),
        (LONG, " ".join(LONG.split()[:8]), True),
    ],
)
def test_a_thing_is_used_if_it_is_named_or_enough_of_it_is_said_again(
    text: str, said: str, *, is_used: bool
) -> None:
    assert used([told(text)], said) == (("it_1",) if is_used else ())
