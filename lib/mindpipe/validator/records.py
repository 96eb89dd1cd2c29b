"""What the validator is asked, what it reports and how sure it is."""

from typing import Literal

from mindpipe.core.records import Record

Severity = Literal["error", "warning", "note"]
Kind = Literal["request", "history"]


class Finding(Record, kw_only=True):
    """Name one problem: its rule, how bad it is, where it stands and the provider's own words.

    `at` is a JSON path from the root of the body, such as `messages[7].content[1]`; a bare list
    is read as if it stood under `messages` (`input` for openai-responses). `id` is the call or
    item concerned, if there is one.
    """

    rule: str
    severity: Severity
    at: str
    id: str | None = None
    what: str
    provider_says: str | None = None


class Question(Record):
    """What the validator is asked: for which API and model, as a request or as a history.

    Without a form an agent's history is held against the canonical rules alone; without a kind
    the body decides.
    """

    format: str | None = None
    model: str | None = None
    sdk: Literal[5, 6, 7] = 6
    strict_roles: bool = False
    kind: Kind | None = None
