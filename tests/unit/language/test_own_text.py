"""Whose words a text holds: others' are blanked, the speaker's stay in their places."""

from mindpipe.language.own_text import own_text
from mindpipe.language.records import Utterance
from mindpipe.language.strict import STRICT
from support.tables import each_row

AT = "2026-05-01T10:00:00Z"
HOME = "I live in Bonn. I work at Lidl."

OTHERS = (
    f"Here is what my tenant wrote me:\n{HOME}",
    f"From: Karl\nSubject: hi\n\n{HOME}",
    f"Fwd, see below\n\n---- Forwarded message ----\n{HOME}",
    f"On Tue, 3 Nov 2026 Karl Meier wrote:\n{HOME}",
    f"My kid's essay: {HOME}",
    f"Example sentence for my class - {HOME}",
    f"{HOME} That's what the kid said.",
    f"{HOME}\nThose are Karl's words.",
    f"Let's play two truths and a lie. {HOME}",
    f"[10:32] Karl: {HOME}\n[10:33] Lena: I have a dog.",
    f"27/11/2026, 10:32 - Karl: {HOME}",
    f"Karl: {HOME}\nKarl: and I have a dog, Bello",
    f"<karl> {HOME}\n<lena> hm",
    f"Karl — Today at 10:32\n{HOME}\nI have a dog.",
    f'He wrote: "Dear all. {HOME}"',
    f"Dear Mara,\n{HOME}",
    f"Hi Bo,\n{HOME}\nBest wishes,\nKarl Meier",
    f"Chapter 1\n{HOME}",
    f"Lyrics of my new song:\n{HOME}",
    f"This is a message from my boss. {HOME}",
    f"Mum texted: {HOME}",
    f"Translate this:\n{HOME}",
    f"Can you proofread this letter?\n{HOME}",
)
OWN = (
    f"From: Mara\nTo: Bo\n\n{HOME}",
    f"Hi all,\n{HOME}\nLove, Mara",
    f"[10:33] Mara: {HOME}",
    f"Me: {HOME}\nKarl: I have a dog.",
    f"Update: {HOME}",
    f"Good news:\n{HOME}",
    f"Here are my basics:\n{HOME}",
    f"Mum texted: I have a dog.\n\n{HOME}",
    f"Let's play tennis on Sunday. {HOME}",
    f'"Dune" is great. {HOME} So is "Emma".',
    f"I wrote an essay\n{HOME}",
    f"{HOME}\nThanks Karl",
    f"{HOME} Cheers, Karl!",
)


def _stated(text: str) -> set[str | None]:
    """Return the values that are read of what Mara says."""
    (found,) = STRICT.read([Utterance(text, "Mara", AT)])
    return {one.value for one in found if one.meant == "asserted" and one.unit is None}


@each_row("text", OTHERS)
def test_of_the_words_of_others_nothing_is_stated(text: str) -> None:
    assert not _stated(text)


@each_row("text", OWN)
def test_own_words_are_read_beside_them(text: str) -> None:
    assert _stated(text) == {"Bonn", "Lidl"}


@each_row("text", (*OTHERS, *OWN))
def test_what_is_left_stands_where_it_stood(text: str) -> None:
    kept = own_text(text, speaker="Mara")
    assert len(kept) == len(text)
    assert all(one in (" ", ".", other) for one, other in zip(kept, text, strict=True))
