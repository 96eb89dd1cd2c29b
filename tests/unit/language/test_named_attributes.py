"""Attributes that a sentence calls by their own words, those of projects and those of a setting."""

from mindpipe.io.folders import digest_of
from mindpipe.knowledge.claims.attributes import attribute_of
from mindpipe.language.model import ReadStatement, fault_of, statement_of
from mindpipe.language.readers import reader_of
from mindpipe.language.records import Meant, Statement, Utterance
from support.tables import each_row

AT = "2026-02-01T10:00:00Z"
NAMED = ("project_state.risk.*", "world_fact.shoe_size")


def read(text: str, reader: str = "strict") -> list[Statement]:
    """Return what Mia says of attributes that she calls by their names."""
    (found,) = reader_of(reader, digest_of, NAMED).read([Utterance(text, "Mia", AT)])
    return [one for one in found if "." in one.attribute]


TOLD = (
    ("My shoe size is 42", "Mia", "shoe_size", "42", "asserted"),
    ("Jo's shoe size is now 39.", "Jo", "shoe_size", "39", "asserted"),
    ("By the way, my shoe size is not 42.", "Mia", "shoe_size", "42", "denied"),
    ("My shoe size is not 42 any more.", "Mia", "shoe_size", "42", "ended"),
    ("My shoe size is no longer 42.", "Mia", "shoe_size", "42", "ended"),
    ("I no longer have a shoe size.", "Mia", "shoe_size", None, "ended"),
    ("Atlas's risk is vendor lock-in.", "Atlas", "risk.*", "vendor lock-in", "asserted"),
    ("The risk of the Atlas project is delay.", "Atlas", "risk.*", "delay", "asserted"),
    ("The team of Atlas is Blue Whale.", "Atlas", "team", "Blue Whale", "asserted"),
    ("The blocker of Atlas is the API key.", "Atlas", "blocker", "the API key", "asserted"),
    ("The phase of Atlas is beta.", "Atlas", "phase", "beta", "asserted"),
    ("The budget of Atlas is 30000 euros.", "Atlas", "budget", "30000 euros", "asserted"),
    ("The next milestone of Atlas is the beta.", "Atlas", "milestone", "the beta", "asserted"),
    ("Atlas now uses PostgreSQL instead of MySQL.", "Atlas", "database", "PostgreSQL", "asserted"),
    ("Atlas's repository is github.com/acme/atlas", "Atlas", "repository", "github.com/acme/atlas",
     "asserted"),
    ("My nationality is Danish.", "Mia", "nationality", "Danish", "asserted"),
    ("The project uses PostgreSQL.", "project", "database", "PostgreSQL", "asserted"),
    ("We switched from MySQL to PostgreSQL.", "project", "database", "PostgreSQL", "asserted"),
    ("We've moved to Postgres", "project", "database", "Postgres", "asserted"),
    ("The app uses MySQL.", "app", "database", "MySQL", "asserted"),
    ("We switched to Postgres last night.", "project", "database", "Postgres", "asserted"),
    ("Our database is MongoDB now.", "project", "database", "MongoDB", "asserted"),
    ("Atlas uses Foo as its database.", "Atlas", "database", "Foo", "asserted"),
    ("Atlas no longer uses MySQL.", "Atlas", "database", "MySQL", "ended"),
    ("We moved Atlas from Django to Flask.", "Atlas", "framework.*", "Flask", "asserted"),
    ("Dana owns the billing service.", "billing service", "owner", "Dana", "asserted"),
    ("I own the mail gateway", "mail gateway", "owner", "Mia", "asserted"),
    ("Tom took over the billing service", "billing service", "owner", "Tom", "asserted"),
    ("The billing service is owned by Tom.", "billing service", "owner", "Tom", "asserted"),
    ("Dana no longer owns the billing service", "billing service", "owner", "Dana", "ended"),
    ("The deadline of Atlas is 3 March.", "Atlas", "deadline", "2026-03-03", "asserted"),
    ("The deadline of Atlas was extended to 9 March", "Atlas", "deadline", "2026-03-09",
     "asserted"),
    ("We moved the deadline for Atlas to 5 March", "Atlas", "deadline", "2026-03-05", "asserted"),
    ("The Atlas project is due on 3 March.", "Atlas", "deadline", "2026-03-03", "asserted"),
)  # fmt: skip


@each_row(("text", "who", "what", "value", "meant"), TOLD)
def test_what_is_called_by_its_name_is_read_by_both_readers(
    text: str, who: str, what: str, value: str | None, meant: Meant
) -> None:
    for reader in ("strict", "parsed"):
        (said,) = read(text, reader)
        assert (said.subject, said.attribute.partition(".")[2]) == (who, what)
        assert (said.value, said.meant) == (value, meant)


PARSED = (
    ("After the outage we migrated the billing service from MySQL to MariaDB over a weekend.",
     "billing service", "database", "MariaDB", "asserted"),
    ("We use PostgreSQL because Tom knows it.", "project", "database", "PostgreSQL", "asserted"),
    ("Since last week Atlas has been using Django for the shop.", "Atlas", "framework.*", "Django",
     "asserted"),
    ("Dana, who joined in May, owns the billing service.", "billing service", "owner", "Dana",
     "asserted"),
)  # fmt: skip


@each_row(("text", "who", "what", "value", "meant"), PARSED)
def test_what_stands_among_other_words_is_read_by_the_parse(
    text: str, who: str, what: str, value: str | None, meant: Meant
) -> None:
    (said,) = read(text, "parsed")
    assert (said.subject, said.attribute.partition(".")[2]) == (who, what)
    assert (said.value, said.meant) == (value, meant)


NOTHING = (
    "If we used MySQL, Tom would laugh.",
    "They use MySQL at Bosch.",
    "Is my shoe size 42?",
    "Tom thinks my shoe size is 42.",
    "I wish my shoe size was 38.",
    "Sam says Atlas uses Oracle.",
    "Who owns the billing service?",
    "Dana owns the red house.",
    "We use Slack.",
    "We used Oracle before.",
    "Eva is due on 3 March.",
    "Our database is down.",
    "The database of Atlas is too slow.",
    "The team of Atlas is great.",
    "The budget of Atlas is tight.",
    "The milestone of Atlas is far away.",
    "My language is bad.",
    "My shoe size is ridiculous.",
    "Sana switched to Rust.",
    "Tom has moved to Oracle.",
    "We are migrating the billing service to MariaDB these days.",
    "Could we move Atlas to PostgreSQL some day, I wonder.",
    "Gran uses the rails.",
    "We use flask and kettle.",
    "Jitka owns the crawler.",
    "I use PostgreSQL.",
    "Atlas uses Rust.",
    "We moved to Hull.",
    "The deadline of Atlas is tight.",
    "My sister is happy.",
    "Mia's budget is 300 euros.",
    "Maybe the database of Atlas is MySQL.",
)


@each_row("text", NOTHING)
def test_what_is_asked_heard_or_of_nobody_known_is_not_believed(text: str) -> None:
    for reader in ("strict", "parsed"):
        assert [one for one in read(text, reader) if one.holds] == []


def test_what_is_named_counts_nothing_besides() -> None:
    (found,) = reader_of("strict", digest_of, NAMED).read(
        [Utterance("My shoe size is 42.", "Mia", AT)]
    )
    assert [one.unit for one in found] == [None]


def test_a_model_is_told_of_them_and_held_to_them() -> None:
    told = {name: attribute.told for name in NAMED if (attribute := attribute_of(name))}
    assert told["world_fact.shoe_size"] == "{who}'s shoe size is {value}"
    said = Utterance("Tried it on again: forty-two fits me, shoe size 42.", "Mia", AT)
    line = ReadStatement(
        said=1,
        quote="shoe size 42",
        attribute="world_fact.shoe_size",
        value="42",
        meant="asserted",
    )
    assert fault_of(line, said, attributes=told) == ""
    found = statement_of(line, said, reader="m")
    assert (found.subject, found.value) == ("Mia", "42")
    due = ReadStatement(
        said=1,
        quote="Atlas is wanted on 3 March",
        subject="Atlas",
        attribute="project_state.deadline",
        value="3 March",
        meant="asserted",
    )
    wanted = Utterance("Atlas is wanted on 3 March.", "Mia", AT)
    assert statement_of(due, wanted, reader="m").value == "2026-03-03"
