"""What a store's name may be: a file, or the address of a schema of its own on a server."""

from pathlib import Path

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.store.address import Address, where_of

SECRET = "hush"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("postgressql://mind@h/db", "nor an address"),
        ("mysql://mind@h/db", "nor an address"),
        ("POSTGRESQL://mind@h/db", "nor an address"),
        ("postgresql+psycopg://mind@h/db", "nor an address"),
        ("postgresql:/db", "nor an address"),
        ("host=h user=mind dbname=db", "nor an address"),
        (f"password={SECRET} host=h dbname=db", "nor an address"),
        ("postgresql://[::1/db", "address"),
        ("postgresql://h/%00", "none belongs"),
        ("postgresql://h/db?schema=a&schema=b", "two schemas"),
        ("postgresql://h/db?schema=public", "alone"),
        ("postgresql://h/db?schema=pg_foo", "alone"),
        ("postgresql://h/db?schema=information_schema", "alone"),
        (f"postgresql://h/db?schema={'x' * 64}", "at most 63"),
        (f"postgresql://u:a?{SECRET}@h/db", "none belongs"),
        (f"postgresql://u:a/{SECRET}@h/db", "none belongs"),
        (f"postgresql://u:a#{SECRET}@h/db", "none belongs"),
        (f"postgresql://u@h/db?sslpassword={SECRET}", "password"),
        (f"postgresql://u@h/db?scram_client_key={SECRET}", "password"),
        (f"postgresql://u@h/db?oauth_client_secret={SECRET}", "password"),
    ],
)
def test_a_name_that_is_none_is_refused_and_no_password_of_it_repeated(
    name: str, told: str
) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        where_of(name)
    assert SECRET not in str(caught.value)


def test_a_file_may_have_any_other_name() -> None:
    for name in ("mind.db", "a:b", "./x=1", "notes/hosts.db", "c:mind.db"):
        assert where_of(name) == Path(name)


def test_a_schema_is_taken_out_of_an_address() -> None:
    found = where_of("postgresql://a%40b@h/db?schema=public_2&sslmode=require")
    assert found == Address("postgresql://a%40b@h/db?sslmode=require", "public_2")
