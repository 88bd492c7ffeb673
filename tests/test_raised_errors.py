"""No function holds the error that it raises.

A local name for it makes a circle: error, traceback, frame, error. What the frames see, tensors and
their memory, would live until the garbage collector comes.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .workspace import ROOT

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of *function*, without those of functions inside and of ``except … as name``."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, FUNCTIONS):
            yield node
            yield from own_nodes(node)


def held(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[int]:
    """The lines where *function* raises what one of its own names holds, and goes on to hold."""
    nodes = list(own_nodes(function))
    names = [n for n in nodes if isinstance(n, ast.Name)]
    handled = {n.name for n in nodes if isinstance(n, ast.ExceptHandler)}  # deleted by Python
    local = {a.arg for a in (*function.args.args, *function.args.kwonlyargs)}
    local |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    local -= {n.id for n in names if isinstance(n.ctx, ast.Del)} | handled
    for node in nodes:
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc
            match raised:
                case ast.Call(func=ast.Attribute(value=value, attr="with_traceback")):
                    raised = value
            if isinstance(raised, ast.Name) and raised.id in local:
                yield node.lineno


def found_in(text: str) -> list[int]:
    """The lines of *text* that are at fault."""
    return [
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for line in held(node)
    ]


def test_such_functions_are_found():
    body = "    e = g()\n    if e:\n        raise e"
    assert found_in(f"def f():\n{body}") == [4]
    assert found_in("def f(e):\n    raise e.with_traceback(None)") == [2]
    assert found_in(f"def f():\n{body}\n    del e") == []
    assert found_in("def f():\n    try: g()\n    except E as e: raise e") == []


def test_no_function_holds_the_error_that_it_raises():
    raises = re.compile(r"raise [a-z_]+( from .*|\.with_traceback.*)?$", re.MULTILINE)
    faults = []
    for folder in ("packages", "cli"):
        for path in sorted(Path(ROOT, folder).glob("**/src/**/*.py")):
            text = path.read_text()
            if raises.search(text):
                faults += [f"{path.relative_to(ROOT)}:{line}" for line in found_in(text)]
    assert faults == []
