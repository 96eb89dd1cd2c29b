"""How a chat message grows from the deltas of a stream, whichever server sends them."""

from collections.abc import Iterable

from mindpipe.formats.replies.fields import Fields, count_of, fields_of, items_of, joined, words_of

# Words that name something: a server that repeats them in every chunk does not mean to add.
_NAMING = frozenset({"role", "type", "id", "index", "name"})


def grow_message(message: Fields, delta: Fields) -> list[str]:
    """Add a delta to a message and return the names of the tools whose calls began with it."""
    calls = delta.get("tool_calls")
    _grow(message, {key: value for key, value in delta.items() if key != "tool_calls"})
    if not isinstance(calls, list):
        return []
    held = message.setdefault("tool_calls", [])
    assert isinstance(held, list)
    return list(_grow_calls(held, map(fields_of, calls)))


def finished_message(message: Fields) -> Fields:
    """Return the message with its pieces joined and without the places of its calls."""
    done = fields_of(_joined(message))
    calls = done.get("tool_calls")
    if isinstance(calls, list):
        done["tool_calls"] = [
            {key: value for key, value in fields_of(call).items() if key != "index"}
            for call in calls
        ]
    return done


def _grow_calls(held: list[object], deltas: Iterable[Fields]) -> Iterable[str]:
    """Add deltas to the calls they belong to, and yield the tool names of new calls."""
    for delta in deltas:
        call = _call_of(held, delta)
        if call is None:
            begun: Fields = {"index": count_of(delta.get("index"))}
            held.append(begun)
            yield words_of(fields_of(delta.get("function")).get("name"))
            call = begun
        _grow(call, delta)


def _call_of(held: list[object], delta: Fields) -> Fields | None:
    """Return the call that a delta goes on with: same place, and no other id."""
    place, identifier = count_of(delta.get("index")), words_of(delta.get("id"))
    for call in reversed([fields_of(one) for one in held]):
        same_place = place is None or call.get("index") == place
        if same_place and (not identifier or call.get("id") in {identifier, None, ""}):
            return call
        if identifier and call.get("id") == identifier:
            return call
    return None


def _grow(whole: Fields, delta: Fields) -> None:
    """Add a delta: text grows as a list of pieces, objects by key, lists by items."""
    for key, value in delta.items():
        held = whole.get(key)
        if value is None:
            whole.setdefault(key, None)
        elif key in _NAMING:
            whole[key] = held or value
        elif isinstance(value, str):
            whole[key] = _Pieces([*(held if isinstance(held, _Pieces) else ()), value])
        elif isinstance(value, dict):
            inner = dict(fields_of(held))
            _grow(inner, value)
            whole[key] = inner
        elif isinstance(value, list):
            whole[key] = [*items_of(held), *value]
        else:
            whole[key] = value


class _Pieces(list[str]):
    """Text that is still growing."""


def _joined(value: object) -> object:
    """Return a value with all growing text in it joined."""
    if isinstance(value, _Pieces):
        return joined(value)
    if isinstance(value, dict):
        return {key: _joined(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_joined(inner) for inner in value]
    return value
