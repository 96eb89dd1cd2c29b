"""No class has the name of another of another room."""

import ast
import collections

from support.source_tree import none_of, sources


def room_of(module: str) -> str:
    """Return the room of a module: `mindpipe.inbox.records` is in `mindpipe.inbox`."""
    return (
        ".".join(module.split(".")[:2]) if module.startswith("mindpipe.") else module.split(".")[0]
    )


def test_no_class_has_the_name_of_one_in_another_room() -> None:
    rooms: dict[str, set[str]] = collections.defaultdict(set)
    places: dict[str, list[str]] = collections.defaultdict(list)
    for file in sources():
        for node in file.nodes:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                rooms[node.name].add(room_of(file.module))
                places[node.name].append(file.at(node))
    none_of(
        [f"{name}: {', '.join(places[name])}" for name in sorted(rooms) if len(rooms[name]) > 1]
    )
