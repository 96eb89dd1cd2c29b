"""Every row of the requirements has one test that names it, and no row has two."""

import ast
from collections import Counter
from pathlib import Path

from support.proofs import ROWS


def test_every_row_has_one_test() -> None:
    named: Counter[str] = Counter()
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                named.update(_rows(node))
    assert len(set(ROWS)) == len(ROWS) == 37
    assert named == Counter(ROWS)


def _rows(test: ast.FunctionDef) -> list[str]:
    """Return the rows that a test names."""
    return [
        str(ast.literal_eval(one.args[0]))
        for one in test.decorator_list
        if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "proves"
    ]
