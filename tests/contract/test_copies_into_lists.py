"""``split_copy``, ``split_with_sizes_copy`` and ``unbind_copy`` into a list of given tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .helpers import assert_same_value, both

#: Function, its overload in ``torch.ops.aten``, arguments, shapes of the parts of a 4x3 matrix.
FORMS: dict[str, tuple[str, tuple[Any, ...], list[tuple[int, ...]]]] = {
    "split_copy": ("Tensor_out", (2,), [(2, 3), (2, 3)]),
    "split_with_sizes_copy": ("out", ([1, 3],), [(1, 3), (3, 3)]),
    "unbind_copy": ("int_out", (), [(3,)] * 4),
}
Targets = Callable[[Any, list[tuple[int, ...]]], Any]
#: The framework and the shapes -> what is given as ``out``.
TARGETS: dict[str, Targets] = {
    "fitting": lambda t, shapes: [t.zeros(s) for s in shapes],
    "a tuple": lambda t, shapes: tuple([t.zeros(s) for s in shapes]),
    "empty": lambda t, shapes: [t.empty(0) for s in shapes],
    "of other shapes": lambda t, shapes: [t.zeros(5, 5) for s in shapes],
    "strided": lambda t, shapes: [t.zeros(*s, 2)[..., 0] for s in shapes],
    "expanded": lambda t, shapes: [t.zeros(1).expand(s) for s in shapes],
    "doubles": lambda t, shapes: [t.zeros(s, dtype=t.float64) for s in shapes],
    "integers": lambda t, shapes: [t.zeros(s, dtype=t.int64) for s in shapes],
    "complex": lambda t, shapes: [t.zeros(s, dtype=t.complex64) for s in shapes],
    "elsewhere": lambda t, shapes: [t.zeros(s, device="meta") for s in shapes],
    "too few": lambda t, shapes: [t.zeros(s) for s in shapes[1:]],
    "too many": lambda t, shapes: [t.zeros(s) for s in (*shapes, (1,))],
    "none": lambda t, shapes: [],
    "one tensor": lambda t, shapes: t.zeros(3),
    "a number": lambda t, shapes: 3,
    "numbers": lambda t, shapes: [1, 2],
    "no tensor": lambda t, shapes: [t.zeros(2), None],
    "nothing": lambda t, shapes: None,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("leaf", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_parts_are_written_or_refused(name: str, leaf: bool, to: str) -> None:
    """The same numbers, strides and versions, or the oracle's refusal; nothing is recorded."""
    _, arguments, shapes = FORMS[name]

    def work(t: Any) -> Any:
        out = TARGETS[to](t, shapes)
        x = t.arange(12.0, requires_grad=leaf).view(4, 3)
        try:
            result = getattr(t, name)(x, *arguments, out=out)
        except (RuntimeError, TypeError, NotImplementedError) as error:
            return type(error).__name__, str(error)
        if to in ("nothing", "elsewhere"):
            return result is None
        return result, list(out), [o._version for o in out]

    assert_same_value(*both(work))


@pytest.mark.parametrize("name", FORMS)
def test_overloads_of_lists_of_targets(name: str) -> None:
    """They are there under ``torch.ops``, with the oracle's schemas; meta tensors are taken."""
    overload, arguments, shapes = FORMS[name]

    def work(t: Any) -> Any:
        op = getattr(getattr(t.ops.aten, name), overload)
        out = [t.zeros(s) for s in shapes]
        op(t.arange(12).view(4, 3).float(), *arguments, 0, out=out)
        meta = [t.zeros(s, device="meta") for s in shapes]
        op(t.ones(4, 3, device="meta"), *arguments, out=meta)
        return str(op._schema), out, [tuple(o.shape) for o in meta]

    assert_same_value(*both(work))
