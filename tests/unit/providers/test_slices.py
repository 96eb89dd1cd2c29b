"""Exact pieces of JSON: the bytes of a value stay as they were written."""

import pytest

from mindpipe.providers.slices import elements_of, members_of

OBJECTS = [
    ('{"a": 1.50, "b" : [ 1,2 ] ,"c":{"x":"}"}}', {"a": "1.50", "b": "[ 1,2 ]", "c": '{"x":"}"}'}),
    ('\n{ "é\\u00e9" : "\\u00e9" }\t', {"éé": '"\\u00e9"'}),
    ("{}", {}),
    ('{"n": 1e400, "m": ' + "9" * 400 + "}", {"n": "1e400", "m": "9" * 400}),
    # Half a character by its escape is JSON, though no quick decoder takes it.
    ('{"\\ud800": "\\ud800", "b": 2}', {"\ud800": '"\\ud800"', "b": "2"}),
    ('{"a": ' + "[" * 200 + "]" * 200 + "}", {"a": "[" * 200 + "]" * 200}),
]
ARRAYS = [
    ('[1.0, "a,]" , {"b": [ ]}]', ["1.0", '"a,]"', '{"b": [ ]}']),
    ("[ ]", []),
    ('["\\ud800", 2]', ['"\\ud800"', "2"]),
]


@pytest.mark.parametrize(("text", "members"), OBJECTS)
def test_members_are_exact(text: str, members: dict[str, str]) -> None:
    assert members_of(text) == members


@pytest.mark.parametrize(("text", "elements"), ARRAYS)
def test_elements_are_exact(text: str, elements: list[str]) -> None:
    assert elements_of(text) == elements
