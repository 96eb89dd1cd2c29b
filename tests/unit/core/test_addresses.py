"""What an address of HTTP is, and what of one is shown."""

from mindpipe.core.addresses import is_http, shown_address
from support.tables import each_row


@each_row(
    ("address", "is_one", "shown"),
    [
        ("http://127.0.0.1:9/v1", True, "http://127.0.0.1:9"),
        ("https://ada:secret@host.example/v1?key=secret#secret", True, "https://host.example"),
        ("http://[::1]:8080/mcp/secret", True, "http://[::1]:8080"),
        ("http://host/@secret", True, "http://host"),
        ("http://host:99999/v1", False, "http://host:99999"),
        ("http://host:0/v1", False, "http://host:0"),
        ("http://[::1", False, ""),
        ("http://", False, ""),
        ("http://two words/v1", False, ""),
        ("ftp://ada:secret@host/v1", False, "ftp://host"),
        ("127.0.0.1:8080/v1", False, "127.0.0.1:8080"),
        ("ada:secret@host.example/v1", False, "host.example"),
        ("http://${HOST}/mcp", True, "http://${HOST}"),
        # A key in the place of an address is no address, and is not shown.
        ("sk-proj-secret", False, ""),
        ("nonsense", False, ""),
    ],
)
def test_an_address_is_told_and_shown_without_secrets(
    address: str, *, is_one: bool, shown: str
) -> None:
    assert (is_http(address), shown_address(address)) == (is_one, shown)
