"""What something is found by."""

import datetime

from mindpipe.recall.words import row_words, runs_in_words


def test_the_words_of_a_row_are_its_own_the_speaker_the_subject_and_the_day() -> None:
    found = row_words("It rains", at="2023-05-08T13:56:00Z", speaker="Mia", subject="weather")
    assert found == "it rains mia weather 2023 may 8 monday"
    assert row_words("So", at="2024-12-01T00:00:00Z", speaker=None, subject=None) == (
        "so 2024 december 1 sunday"
    )


def test_days_are_said_as_whole_years_months_and_days() -> None:
    def said(first: str, after: str) -> list[str]:
        return runs_in_words(datetime.date.fromisoformat(first), datetime.date.fromisoformat(after))

    assert said("2023-05-08", "2023-05-09") == ["2023 May 8"]
    assert said("2022-12-31", "2024-02-02") == [
        "2022 December 31",
        "2023",
        "2024 January",
        "2024 February 1",
    ]
    assert said("2024-02-01", "2024-02-29") == [f"2024 February {day}" for day in range(1, 29)]
    assert said("9999-12-30", "9999-12-31") == ["9999 December 30"]
