"""What something is found by."""

from mindpipe.recall.row_words import row_words


def test_the_words_of_a_row_are_its_own_the_speaker_the_subject_and_the_day() -> None:
    found = row_words("It rains", at="2023-05-08T13:56:00Z", speaker="Mia", subject="weather")
    assert found == "it rains mia weather 2023 may 8 monday"
    assert row_words("So", at="2024-12-01T00:00:00Z", speaker=None, subject=None) == (
        "so 2024 december 1 sunday"
    )
