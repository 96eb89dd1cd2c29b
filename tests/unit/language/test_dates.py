"""Dates in English words, as a table: the words, the words that name days, first day, day after."""

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.language.dates import dates_in
from support.tables import each_row

# A Monday.
AT = "2023-05-08T13:56:00Z"

ONE = (
    ("it was 2023-05-08 then", "2023-05-08", "2023-05-08", "2023-05-09"),
    ("2023/5/8", "2023/5/8", "2023-05-08", "2023-05-09"),
    ("at 2023-05-08T13:56:00Z it", "2023-05-08T13:56:00Z", "2023-05-08", "2023-05-09"),
    ("in 2023-05 we", "2023-05", "2023-05-01", "2023-06-01"),
    ("25/12/2023", "25/12/2023", "2023-12-25", "2023-12-26"),
    ("12/25/2023", "12/25/2023", "2023-12-25", "2023-12-26"),
    ("on May 8th, 2023.", "May 8th, 2023", "2023-05-08", "2023-05-09"),
    ("8 May 2023", "8 May 2023", "2023-05-08", "2023-05-09"),
    ("on the 3rd of June, 2021", "the 3rd of June, 2021", "2021-06-03", "2021-06-04"),
    ("Sept. 9 2020", "Sept. 9 2020", "2020-09-09", "2020-09-10"),
    ("8 May", "8 May", "2023-05-08", "2023-05-09"),
    ("9 May", "9 May", "2022-05-09", "2022-05-10"),
    ("29 February", "29 February", "2020-02-29", "2020-03-01"),
    ("the end of 8 May 2023", "the end of 8 May 2023", "2023-05-08", "2023-05-09"),
    ("the middle of last weekend", "the middle of last weekend", "2023-05-06", "2023-05-08"),
    ("the start of last weekend", "the start of last weekend", "2023-05-06", "2023-05-07"),
    ("in May 2023 we", "May 2023", "2023-05-01", "2023-06-01"),
    ("last May", "last May", "2022-05-01", "2022-06-01"),
    ("next May", "next May", "2024-05-01", "2024-06-01"),
    ("this May", "this May", "2023-05-01", "2023-06-01"),
    ("in march", "march", "2023-03-01", "2023-04-01"),
    ("since October", "October", "2022-10-01", "2022-11-01"),
    ("late June 2022", "late June 2022", "2022-06-21", "2022-07-01"),
    ("the end of June 2022", "end of June 2022", "2022-06-21", "2022-07-01"),
    ("early 2020", "early 2020", "2020-01-01", "2020-05-02"),
    ("in 2022", "2022", "2022-01-01", "2023-01-01"),
    ("the 1990s", "the 1990s", "1990-01-01", "2000-01-01"),
    ("the summer of 2022", "summer of 2022", "2022-06-01", "2022-09-01"),
    ("winter 2022", "winter 2022", "2022-12-01", "2023-03-01"),
    ("last summer", "last summer", "2022-06-01", "2022-09-01"),
    ("next fall", "next fall", "2023-09-01", "2023-12-01"),
    ("over the winter", "the winter", "2022-12-01", "2023-03-01"),
    ("yesterday", "yesterday", "2023-05-07", "2023-05-08"),
    ("last night", "last night", "2023-05-07", "2023-05-08"),
    ("this morning", "this morning", "2023-05-08", "2023-05-09"),
    ("the day before yesterday", "the day before yesterday", "2023-05-06", "2023-05-07"),
    ("tomorrow", "tomorrow", "2023-05-09", "2023-05-10"),
    ("last Friday", "last Friday", "2023-05-05", "2023-05-06"),
    ("last Monday", "last Monday", "2023-05-01", "2023-05-02"),
    ("this past Sat", "this past Sat", "2023-05-06", "2023-05-07"),
    ("this Friday", "this Friday", "2023-05-12", "2023-05-13"),
    ("next Monday", "next Monday", "2023-05-15", "2023-05-16"),
    ("on Friday", "Friday", "2023-05-05", "2023-05-06"),
    ("last week", "last week", "2023-05-01", "2023-05-08"),
    ("next month", "next month", "2023-06-01", "2023-07-01"),
    ("last year", "last year", "2022-01-01", "2023-01-01"),
    ("this quarter", "this quarter", "2023-04-01", "2023-07-01"),
    ("this weekend", "this weekend", "2023-05-13", "2023-05-15"),
    ("last weekend", "last weekend", "2023-05-06", "2023-05-08"),
    ("three weeks ago", "three weeks ago", "2023-04-17", "2023-04-18"),
    ("twenty-one days ago", "twenty-one days ago", "2023-04-17", "2023-04-18"),
    ("a few days ago", "a few days ago", "2023-05-05", "2023-05-06"),
    ("a couple of months ago", "a couple of months ago", "2023-03-08", "2023-03-09"),
    ("10 years ago", "10 years ago", "2013-05-08", "2013-05-09"),
    ("in two weeks", "two weeks", "2023-05-22", "2023-05-23"),
    ("five days from now", "five days from now", "2023-05-13", "2023-05-14"),
    ("the last two weeks", "the last two weeks", "2023-04-25", "2023-05-09"),
    ("the next 3 days", "the next 3 days", "2023-05-09", "2023-05-12"),
    ("two weeks before 8 May 2023", None, "2023-04-24", "2023-04-25"),
    ("a month after 31 January 2023", None, "2023-02-01", "2023-03-01"),
    ("one month after 31 January 2023", None, "2023-02-28", "2023-03-01"),
    ("the week before 3 July 2022", None, "2022-06-26", "2022-07-03"),
    ("the week after 3 July 2022", None, "2022-07-04", "2022-07-11"),
    ("the day before 3 July 2022", None, "2022-07-02", "2022-07-03"),
    ("the year before 2020-03-01", None, "2019-01-01", "2020-01-01"),
    ("the weekend before 9 May 2023", None, "2023-05-06", "2023-05-08"),
    ("the weekend before 7 May 2023", None, "2023-04-29", "2023-05-01"),
    ("the weekend after 8 May 2023", None, "2023-05-13", "2023-05-15"),
    ("the Sunday before 25 May 2023", None, "2023-05-21", "2023-05-22"),
    ("the Thursday before 25 May 2023", None, "2023-05-18", "2023-05-19"),
    ("the Friday after 25 May 2023", None, "2023-05-26", "2023-05-27"),
    ("the week of 25 May 2023", None, "2023-05-22", "2023-05-29"),
    ("the first week of May 2023", None, "2023-05-01", "2023-05-08"),
    ("the last week of May 2023", None, "2023-05-25", "2023-06-01"),
    ("the second weekend of May 2023", None, "2023-05-13", "2023-05-15"),
    ("the last weekend of May 2023", None, "2023-05-27", "2023-05-29"),
    ("the end of last month", None, "2023-04-21", "2023-05-01"),
    ("two days before the week before 8 May 2023", None, "2023-04-29", "2023-04-30"),
)

NONE = (
    "for the last 0 weeks",
    "it may rain",
    "they march 4 miles",
    "may 20 people come",
    "12/11/2023",
    "version 1.2.2023",
    "call 555-2023-05-0812",
    "32 May",
    "on Mondays",
    "room 2022",
    "9999 years ago",
    "July 2-5",
    "in a day of rest",
    "the 5th",
    "I fall in love, then spring up",
    "",
)

AHEAD = (
    ("due 9 May", "2023-05-09", "2023-05-10"),
    ("due 1 May", "2023-05-01", "2023-05-02"),
    ("in June", "2023-06-01", "2023-07-01"),
    ("by Friday", "2023-05-12", "2023-05-13"),
    ("yesterday", "2023-05-07", "2023-05-08"),
    ("in the winter", "2023-12-01", "2024-03-01"),
    ("due 3 May", "2023-05-03", "2023-05-04"),
    ("due 20 April", "2024-04-20", "2024-04-21"),
    ("in May", "2023-05-01", "2023-06-01"),
)
NEAREST = (
    ("due 9 May", "2023-05-09"),
    ("3 January", "2023-01-03"),
    ("20 December", "2022-12-20"),
    ("by Friday", "2023-05-05"),
)


@each_row(("text", "words", "since", "until"), ONE)
def test_words_name_days(text: str, words: str | None, since: str, until: str) -> None:
    (found,) = dates_in(text, at=AT)
    assert text[found.start : found.end] == (words or text)
    assert (found.since, found.until) == (f"{since}T00:00:00Z", f"{until}T00:00:00Z")


@each_row("text", NONE)
def test_words_that_name_no_days_or_two_are_left(text: str) -> None:
    assert dates_in(text, at=AT) == ()


@each_row(("text", "since", "until"), AHEAD)
def test_days_without_a_year_may_lie_ahead(text: str, since: str, until: str) -> None:
    (found,) = dates_in(text, at=AT, side="ahead")
    assert (found.since, found.until) == (f"{since}T00:00:00Z", f"{until}T00:00:00Z")


@each_row(("text", "since"), NEAREST)
def test_days_without_a_year_may_be_the_nearest(text: str, since: str) -> None:
    (found,) = dates_in(text, at=AT, side="near")
    assert found.since == f"{since}T00:00:00Z"


def test_all_dates_of_a_text_are_found_in_its_order() -> None:
    text = "Moved in 2021, left last May, met Ann the Friday before 25 May 2023; see you tomorrow."
    words = [text[one.start : one.end] for one in dates_in(text, at=AT)]
    assert words == ["2021", "last May", "the Friday before 25 May 2023", "tomorrow"]


_WORDS = "the week day last next May 8 2023 before after in two ago Friday end of 29 February year"


@given(st.lists(st.sampled_from(_WORDS.split()), max_size=12), st.dates())
def test_whatever_the_words_spans_are_ordered_and_hold_a_day(words: list[str], day: object) -> None:
    text = " ".join(words)
    end = 0
    for one in dates_in(text, at=f"{day}T00:00:00Z"):
        assert end <= one.start < one.end <= len(text)
        assert one.since < one.until
        end = one.end
