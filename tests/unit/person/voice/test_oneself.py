"""What an author tells of a person in the third person is said by it in the first."""

from mindpipe.person.voice.language import language
from mindpipe.person.voice.oneself import own_words
from support.tables import each_row

SAID = (
    ("goes quiet when she is hurt", "I go quiet when I am hurt"),
    ("slow to forgive", "I am slow to forgive"),
    ("set in his ways", "I am set in my ways"),
    ("cries at weddings and laughs at funerals", "I cry at weddings and laugh at funerals"),
    ("cooks too much when he has been wrong", "I cook too much when I have been wrong"),
    ("is short with people who love him", "I am short with people who love me"),
    ("blames herself.", "I blame myself"),
    ("nervous", "I am nervous"),
    # Who is several, or a verb that nobody knows, cannot be read surely.
    ("snaps when they shout", ""),
    ("zorbs by evening", ""),
    ("", ""),
)


@each_row("told, said", SAID)
def test_a_trait_is_said_in_the_first_person(told: str, said: str) -> None:
    assert own_words(told, language().reader.lexicon) == said
