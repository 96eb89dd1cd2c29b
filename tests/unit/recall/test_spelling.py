"""What is indexed and what is asked are spelled alike, in every script."""

from mindpipe.recall.query import understand
from mindpipe.recall.words import folded
from support.tables import each_row


@each_row(
    ("text", "spelled"),
    [
        ("Zoë ate CRÈME", "zoe ate creme"),
        ("Straße", "strasse"),
        ("東京に", "東 京 に"),
        ("서울에", "서 울 에"),
        ("กข", "ก ข"),
        ("Ёлка", "елка"),
    ],
)
def test_case_and_accents_do_not_count_and_unspaced_scripts_stand_apart(
    text: str, spelled: str
) -> None:
    assert folded(text).split() == spelled.split()


@each_row(
    ("text", "query"),
    [
        ("東京に住んでいます", "東京"),
        ("저는 서울에 삽니다", "서울"),
        ("ฉันอาศัยอยู่ในกรุงเทพ", "กรุงเทพ"),
        ("मैं हिन्दी सीख रहा हूँ", "हिन्दी"),
    ],
)
def test_every_word_of_a_question_stands_in_the_text_that_it_was_taken_from(
    text: str, query: str
) -> None:
    words = understand(query, at="2024-06-10T12:00:00Z").words
    assert words
    assert set(words) <= set(understand(text, at="2024-06-10T12:00:00Z").words)
