"""What was named in the last thoughts is named again in short, or for a while not at all."""

from mindpipe.person.voice.language import language
from mindpipe.person.voice.mention import rested
from support.tables import each_row

BRIEF = language().reader.brief
SLOTS = {
    "thing": ("the harpsichord solo", "fugues"),
    "deed": ("I went blank",),
    "doing": ("going blank",),
    "saying": ("be brave",),
    "w_thing": ("the pallet",),
    "w_deed": ("a pallet fell",),
    "value": ("keeping what I promise",),
    "tie": ("Ingo", "Cousin Brit"),
}
OTHER = "A tap drips somewhere."
# What was thought, newest first, the slot, and what of it may be said.
NAMED = (
    ((), "thing", ("the harpsichord solo", "fugues")),
    (("I think of the harpsichord solo.",), "thing", ("fugues",)),
    (("Fugues and the harpsichord solo!",), "thing", ("the solo", "fugues")),
    (("Fugues, the solo, the harpsichord solo.",), "thing", ("the solo", "fugues")),
    ((OTHER, "Fugues and the harpsichord solo."), "thing", ("the harpsichord solo", "fugues")),
    (("I went blank: I see it.",), "doing", ()),
    ((OTHER, "I went blank."), "doing", ("going blank",)),
    (("“Be brave”: I hear it.",), "saying", ("be brave",)),
    ((OTHER, OTHER, OTHER, "And there is the pallet."), "w_deed", ()),
    ((OTHER,) * 4 + ("And there is the pallet.",), "w_deed", ("a pallet fell",)),
    ((OTHER,) * 11 + ("Keeping what I promise.",), "value", ()),
    ((OTHER, OTHER, "I must tell Ingo."), "tie", ("Cousin Brit",)),
)  # fmt: skip
HEADS = (
    ("the harpsichord solo", "the solo"),
    ("Ingo's black coffee", "the coffee"),
    ("my left foot", "my foot"),
    ("grilled mackerel", "the mackerel"),
    ("the solo", "the solo"),
    ("fugues", "fugues"),
    ("Mr Hollis", "Mr Hollis"),
    ("nine crates short", "nine crates short"),
)


@each_row("lately, slot, left", NAMED)
def test_what_was_named_rests(lately: tuple[str, ...], slot: str, left: tuple[str, ...]) -> None:
    assert rested(SLOTS, lately, BRIEF)[slot] == left


@each_row("thing, head", HEADS)
def test_a_noun_phrase_is_said_by_its_head(thing: str, head: str) -> None:
    assert BRIEF(thing) == head
