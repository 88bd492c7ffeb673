"""What ``torch.ops`` calls take for each type of a schema: converted or refused as in torch."""

from __future__ import annotations

import mindtorch
import torch

from .rows import report

#: Calls with one argument left open.
CALLS = (
    "aten.ones.default([2], dtype={})",
    "aten.ones.default([2], device={})",
    "aten.ones.default([2], layout={})",
    "aten.ones.default({})",
    "aten.empty.memory_format([2], device={})",
    "aten.ones({}, device='meta')",
    "aten.clone.default(t.ones(2), memory_format={})",
    "aten.uniform_.default(t.ones(1), generator={}).shape",
    "aten.sum.dim_IntList(t.ones(2, 3), {})",
    "aten.add.Tensor(t.ones(2), {})",
    "aten.add.Scalar(t.ones(2), {})",
    "aten.add.Tensor(t.ones(2), t.ones(2), alpha={})",
    "aten.div.Tensor_mode(t.ones(2), t.ones(2), rounding_mode={})",
    "aten.select.int(t.ones(2, 3), {}, 0)",
    "aten.select.int(t.ones(2, 3), 0, {})",
    "aten.leaky_relu.default(t.ones(2), {})",
    "aten.argmax.default(t.ones(2, 3), 0, {})",
    "aten.cat.default({})",
    "aten.index.Tensor(t.ones(2, 3), {})",
    "aten.index(t.ones(2, 3), {})",
    "aten._to_copy.default(t.ones(2), dtype=t.int32, device={})",
)
VALUES = (
    "None", "True", "1", "-1", "2.5", "1j", "'meta'", "'cpu'", "'nope'", "t.device('meta')",
    "t.float32", "t.strided", "t.preserve_format", "t.ones(2)", "t.tensor(1)", "t.tensor(0.5)",
    "[1]", "[]", "(1, 0)", "t.Generator()", "object", "[t.ones(1)]", "t.tensor([1, 0])",
    "t.tensor([[1, 0, 1]])",
)  # fmt: skip
#: torch reads whatever number it is given as one of these, past the end of the list too.
_ENUMS = ("dtype={}", "layout={}", "memory_format={}")
_NUMBERS = {"True", "1", "-1", "t.tensor(1)", "t.tensor(0.5)"}
#: And it takes one of these for a number. Ours refuse both.
_MEMBERS = {"t.float32", "t.strided", "t.preserve_format"}
_TAKES_MEMBERS = ("aten.add.Scalar", "alpha={}", "aten.select.int", "leaky_relu")
#: A tensor inside of a list of numbers; None for a tensor, which only some kernels of torch see.
_OTHERS = {"aten.sum.dim_IntList(t.ones(2, 3), [t.ones(1)])", "aten.add.Tensor(t.ones(2), None)"}


def outcome(t, call):
    """The result's facts, or the error without what describes torch's build."""
    try:
        result = eval(f"t.ops.{call}", {"t": t})
    except Exception as error:
        text = str(error).replace("privateuseone", "npu")
        return type(error).__name__, text.partition("\nDeclaration:")[0].partition(" object at ")[0]
    if not isinstance(result, t.Tensor):
        return tuple(result)
    numbers = None if result.device.type == "meta" or "empty" in call else result.tolist()
    return str(result.dtype), tuple(result.shape), result.device.type, numbers


def test_values_are_converted_or_refused_as_in_torch():
    """Every value for every type of argument."""
    lines = []
    for call in CALLS:
        for value in VALUES:
            if value in _NUMBERS and any(enum in call for enum in _ENUMS):
                continue
            if value in _MEMBERS and any(part in call for part in _TAKES_MEMBERS):
                continue
            text = call.format(value)
            if text in _OTHERS:
                continue
            mine, theirs = outcome(mindtorch, text), outcome(torch, text)
            if mine != theirs:
                lines.append(f"{text}: {mine}, torch {theirs}")
    report(lines)
