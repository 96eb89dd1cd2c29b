"""What was named in the last thoughts is named again in short, or for a while not at all."""

from mindpipe.person.voice.language import language
from mindpipe.person.voice.mention import rested
from support.tables import each_row

BRIEF = language().reader.brief
SLOTS = {
    "thing": ("the pharmacology oral", "digoxin"),
    "deed": ("I went blank",),
    "doing": ("going blank",),
    "saying": ("be brave",),
    "w_thing": ("the pallet",),
    "w_deed": ("a pallet fell",),
    "value": ("paying back what I owe",),
    "tie": ("Yaw", "Auntie Esi"),
}
OTHER = "A tap drips somewhere."
# What was thought, newest first, the slot, and what of it may be said.
NAMED = (
    ((), "thing", ("the pharmacology oral", "digoxin")),
    (("I think of the pharmacology oral.",), "thing", ("digoxin",)),
    (("Digoxin and the pharmacology oral!",), "thing", ("the oral", "digoxin")),
    (("Digoxin, the oral, the pharmacology oral.",), "thing", ("the oral", "digoxin")),
    ((OTHER, "Digoxin and the pharmacology oral."), "thing", ("the pharmacology oral", "digoxin")),
    (("I went blank: I see it.",), "doing", ()),
    ((OTHER, "I went blank."), "doing", ("going blank",)),
    (("“Be brave”: I hear it.",), "saying", ("be brave",)),
    ((OTHER, OTHER, OTHER, "And there is the pallet."), "w_deed", ()),
    ((OTHER,) * 4 + ("And there is the pallet.",), "w_deed", ("a pallet fell",)),
    ((OTHER,) * 11 + ("Paying back what I owe.",), "value", ()),
    ((OTHER, OTHER, "I must tell Yaw."), "tie", ("Auntie Esi",)),
)  # fmt: skip
HEADS = (
    ("the pharmacology oral", "the oral"),
    ("Yaw's black coffee", "the coffee"),
    ("my left foot", "my foot"),
    ("grilled mackerel", "the mackerel"),
    ("the oral", "the oral"),
    ("digoxin", "digoxin"),
    ("Mr Kuroda", "Mr Kuroda"),
    ("eleven picks short", "eleven picks short"),
)


@each_row("lately, slot, left", NAMED)
def test_what_was_named_rests(lately: tuple[str, ...], slot: str, left: tuple[str, ...]) -> None:
    assert rested(SLOTS, lately, BRIEF)[slot] == left


@each_row("thing, head", HEADS)
def test_a_noun_phrase_is_said_by_its_head(thing: str, head: str) -> None:
    assert BRIEF(thing) == head
