"""One change in a rendered history, in every form: how each kind of harm is done."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

Json = dict[str, object]
# A change takes a seeded number and tells whether it found a place for its harm.
Change = Callable[["Grip", int], bool]

LONG_ID = "call." + "x" * 55
USER_TEXT = "One moment."


@dataclass(frozen=True, kw_only=True)
class Ref:
    """One call or result: the list that holds it, its place there, and the name of its id."""

    held: list[Json]
    at: int
    name: str

    @property
    def item(self) -> Json:
        return self.held[self.at]

    @property
    def id(self) -> object:
        return self.item[self.name]

    def rename(self, to: object) -> None:
        self.item[self.name] = to


class Grip:
    """A rendered list of one form, and where its calls, results and texts are."""

    def __init__(self, form: str, items: list[Json]) -> None:
        self.form = form
        self.items = items
        self.calls = list(self._calls())
        self.results = list(self._results())
        assert [one.id for one in self.calls] == [one.id for one in self.results]

    def _blocks(self, kind: str, name: str) -> Iterator[Ref]:
        for item in self.items:
            for at, block in enumerate(item["content"]):
                if isinstance(block, dict) and block.get("type") == kind:
                    yield Ref(held=item["content"], at=at, name=name)

    def _calls(self) -> Iterator[Ref]:
        if self.form == "anthropic":
            yield from self._blocks("tool_use", "id")
        elif self.form == "ai-sdk":
            yield from self._blocks("tool-call", "toolCallId")
        elif self.form == "openai-chat":
            for item in self.items:
                for at, _ in enumerate(item.get("tool_calls", [])):
                    yield Ref(held=item["tool_calls"], at=at, name="id")
        else:
            yield from self._items("type", "function_call", "call_id")

    def _results(self) -> Iterator[Ref]:
        if self.form == "anthropic":
            yield from self._blocks("tool_result", "tool_use_id")
        elif self.form == "ai-sdk":
            yield from self._blocks("tool-result", "toolCallId")
        elif self.form == "openai-chat":
            yield from self._items("role", "tool", "tool_call_id")
        else:
            yield from self._items("type", "function_call_output", "call_id")

    def _items(self, member: str, value: str, name: str) -> Iterator[Ref]:
        for at, item in enumerate(self.items):
            if item.get(member) == value:
                yield Ref(held=self.items, at=at, name=name)

    def place(self, ref: Ref) -> int:
        """Return the place in the list of the item that holds a call or result."""
        if ref.held is self.items:
            return ref.at
        for at, item in enumerate(self.items):
            if ref.held is item.get("content") or ref.held is item.get("tool_calls"):
                return at
        raise AssertionError("the list holds every call and result")

    def drop(self, ref: Ref) -> None:
        """Take a call or result out, and what held it if nothing is left of that."""
        at = self.place(ref)
        del ref.held[ref.at]
        if ref.held or ref.held is self.items:
            return
        item = self.items[at]
        if item.get("tool_calls") == []:
            del item["tool_calls"]
            item["content"] = item["content"] or "Well."
        else:
            del self.items[at]

    def replies(self) -> list[Json]:
        """Return the assistant's messages that hold no calls, but the last item of the list."""
        return [
            item
            for item in self.items[:-1]
            if item.get("role") == "assistant"
            and not item.get("tool_calls")
            and not any(ref.held is item["content"] for ref in self.calls)
        ]


def drop_result(grip: Grip, seed: int) -> bool:
    """Drop a result."""
    grip.drop(grip.results[seed % len(grip.results)])
    return True


def drop_call(grip: Grip, seed: int) -> bool:
    """Drop a call, keep its result."""
    grip.drop(grip.calls[seed % len(grip.calls)])
    return True


def double_result(grip: Grip, seed: int) -> bool:
    """Double a result."""
    ref = grip.results[seed % len(grip.results)]
    ref.held.insert(ref.at + 1, dict(ref.item))
    return True


def text_between(grip: Grip, seed: int) -> bool:
    """Put user text between a call and its result."""
    at = grip.place(grip.results[seed % len(grip.results)])
    kind = "input_text" if grip.form == "openai-responses" else "text"
    grip.items.insert(at, {"role": "user", "content": [{"type": kind, "text": USER_TEXT}]})
    return True


def result_first(grip: Grip, seed: int) -> bool:
    """Put the result before its call."""
    number = seed % len(grip.results)
    call, result = grip.place(grip.calls[number]), grip.place(grip.results[number])
    grip.items.insert(call, grip.items.pop(result))
    return True


def rename_result(grip: Grip, seed: int) -> bool:
    """Rename the id in the result."""
    ref = grip.results[seed % len(grip.results)]
    ref.rename(f"{ref.id}_x")
    return True


def id_again(grip: Grip, seed: int) -> bool:
    """Use an id again in a later turn."""
    turns = sorted({grip.place(ref) for ref in grip.calls})
    if len(turns) < 2:
        return False
    later = [
        number
        for number, ref in enumerate(grip.calls)
        if grip.place(grip.results[number]) > grip.place(grip.results[0])
        and grip.place(ref) > grip.place(grip.results[0])
    ]
    if not later:
        return False
    number = later[seed % len(later)]
    first = grip.calls[0].id
    grip.calls[number].rename(first)
    grip.results[number].rename(first)
    return True


def cut_between(grip: Grip, seed: int) -> bool:
    """Cut the list between a call and its result, keep the end."""
    del grip.items[: grip.place(grip.results[seed % len(grip.results)])]
    return True


def blank_text(grip: Grip, seed: int) -> bool:
    """Blank a text."""
    replies = grip.replies()
    if not replies:
        return False
    item = replies[seed % len(replies)]
    blank = ("", "\n")[seed % 2]
    if grip.form in {"anthropic", "openai-responses"}:
        item["content"][0]["text"] = blank
    else:
        item["content"] = blank
    return True


def empty_content(grip: Grip, seed: int) -> bool:
    """Empty an assistant content list."""
    replies = grip.replies()
    if not replies:
        return False
    replies[seed % len(replies)]["content"] = []
    return True


def break_arguments(grip: Grip, seed: int) -> bool:
    """Break arguments."""
    call = grip.calls[seed % len(grip.calls)].item
    if grip.form in {"anthropic", "ai-sdk"}:
        call["input"] = '{"a":'
    elif grip.form == "openai-chat":
        call["function"]["arguments"] = '{"a":'
    else:
        call["arguments"] = '{"a":'
    return True


def long_id(grip: Grip, seed: int) -> bool:
    """Give a call and its result an id of 60 characters with a dot."""
    number = seed % len(grip.calls)
    grip.calls[number].rename(LONG_ID)
    grip.results[number].rename(LONG_ID)
    return True


FORMS = ("anthropic", "openai-chat", "openai-responses", "ai-sdk")

# The rules that the validator must name, in the order of FORMS; none means that it is silent.
TABLE: dict[Change, tuple[str, str, str, str]] = {
    drop_result: ("A4", "O3", "R2", "V6"),
    drop_call: ("A6", "O4", "R3", "V8"),
    double_result: ("A7", "O6", "R8", "V8"),
    text_between: ("A5", "O3 O4", "", "V6"),
    result_first: ("A4 A6", "O3 O4", "R3", "V6 V8"),
    rename_result: ("A4 A6", "O3 O4", "R2 R3", "V6 V8"),
    id_again: ("A8", "", "R8", "V8"),
    cut_between: ("A6", "O4", "R3", "V8"),
    blank_text: ("A13", "", "", "V8"),
    empty_content: ("A12", "O10", "", ""),
    break_arguments: ("A10", "O12", "R12", "V8"),
    long_id: ("A9", "O7", "", ""),
}
