"""How two schemas of one op relate: do they say the same, may one replace the other."""

from __future__ import annotations

from .function_schema import FunctionSchema

__all__ = ["difference"]


def difference(wanted: FunctionSchema, inferred: FunctionSchema) -> str:
    """Why *inferred*, read off a function, does not fit *wanted*; empty if it does.

    Only numbers and types of arguments and returns count. The words are torch's.
    Source: torch ATen/core/op_registration/infer_schema.cpp, findSchemaDifferences.
    """
    for one, many, ours, theirs in (
        ("argument", "arguments", wanted.arguments, inferred.arguments),
        ("return", "returns", wanted.returns, inferred.returns),
    ):
        if len(ours) != len(theirs):
            return f"The number of {many} is different. {len(ours)} vs {len(theirs)}."
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if a.type is not b.type:
                return f"Type mismatch in {one} {i + 1}: {a.type.str()} vs {b.type.str()}."
    return ""
