"""Backward operators called with what is not of their forward call: errors of torch's types.

Where torch's kernel would read beyond a tensor's memory, mindtorch refuses; only what torch itself
refuses is compared.
"""

from __future__ import annotations

from typing import Any

import mindtorch
import pytest
import torch

from ..samples import Call
from .batches import every
from .rows import error_text, outcome

#: The calls that are right: which op, and its tensors' sizes (None: no tensor) and other arguments.
CALLS: dict[str, tuple[Any, ...]] = {
    "native_layer_norm_backward": (
        (2, 3, 4), (2, 3, 4), [4], (2, 3, 1), (2, 3, 1), (4,), (4,), [True] * 3
    ),
    "native_group_norm_backward": (
        (2, 4, 5), (2, 4, 5), (2, 2), (2, 2), (4,), 2, 4, 5, 2, [True] * 3
    ),
    "native_batch_norm_backward": (
        (2, 3, 4), (2, 3, 4), (3,), None, None, (3,), (3,), True, 1e-5, [True] * 3
    ),
    "convolution_backward": (
        (2, 4, 3), (2, 3, 5), (4, 3, 3), None, [1], [0], [1], False, [0], 1, [True] * 3
    ),
}  # fmt: skip
#: What is made of one tensor's sizes, and its dtype.
CHANGES: dict[str, Any] = {
    "as it is": lambda size: (size, "float64"),
    "more": lambda size: ((*size[:-1], size[-1] + 1), "float64"),
    "a dim more": lambda size: ((*size, 1), "float64"),
    "a dim less": lambda size: (size[1:], "float64"),
    "another batch": lambda size: ((size[0] + 1, *size[1:]), "float64"),
    "float32": lambda size: (size, "float32"),
    "int64": lambda size: (size, "int64"),
    "complex128": lambda size: (size, "complex128"),
}


def made(t: Any, call: tuple[Any, ...], place: int, change: str) -> Call:
    """The arguments, the tensor at *place* changed."""
    args = []
    for i, given in enumerate(call):
        if isinstance(given, tuple):
            size, dtype = CHANGES[change if i == place else "as it is"](given)
            given = t.ones(size, dtype=getattr(t, dtype))
        args.append(given)
    return Call(tuple(args), {})


#: Where torch reads on in memory that is not the tensor's, or dies.
UNSAFE = frozenset((c, n) for c in ("more", "a dim less", "another batch") for n in CALLS)


@pytest.mark.parametrize("name", CALLS)
@every("change", CHANGES)
def test_what_torch_refuses_is_refused_in_its_words(name: str, change: str) -> None:
    """And nothing raises what numpy says."""
    call = CALLS[name]
    for place, given in enumerate(call):
        if not isinstance(given, tuple):
            continue
        run = getattr(mindtorch.ops.aten, name)
        ours = outcome(run, made(mindtorch, call, place, change))
        assert ours.error is None or isinstance(ours.error, (RuntimeError, IndexError))
        if (change, name) in UNSAFE and name != "convolution_backward":
            continue
        if name == "native_batch_norm_backward" and change not in ("as it is", "float32"):
            continue  # some of which torch computes with as if they had another shape
        oracle = outcome(getattr(torch.ops.aten, name), made(torch, call, place, change))
        if oracle.error is None or "ensor_view" in str(oracle.error):
            continue
        assert ours.error is not None, f"{place}: torch raises {error_text(oracle.error)}"
        assert type(ours.error).__name__ == type(oracle.error).__name__, place
        if name != "native_batch_norm_backward":  # whose words depend on what else is there
            assert error_text(ours.error) == error_text(oracle.error), place
