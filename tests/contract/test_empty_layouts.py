"""Tensors without elements: shapes, strides and refusals of functions of one or two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch
from mindtorch.call.lazy_registration import load_all
from mindtorch.call.row import ROWS

#: Tensors without elements, laid out in many ways.
EMPTY: dict[str, Callable[[Any], Any]] = {
    "vector": lambda t: t.ones(0),
    "no rows": lambda t: t.ones(0, 3),
    "no columns": lambda t: t.ones(3, 0),
    "transposed": lambda t: t.ones(0, 3).t(),
    "in between": lambda t: t.ones(2, 0, 3),
    "permuted": lambda t: t.ones(2, 3, 0).permute(2, 0, 1),
    "rows of a matrix": lambda t: t.ones(4, 3)[:0],
    "columns of a matrix": lambda t: t.ones(4, 3).t()[:, :0],
    "every other row": lambda t: t.ones(4, 6)[::2, :0],
    "expanded": lambda t: t.ones(0, 1).expand(0, 3),
    "channels_last": lambda t: t.ones(2, 3, 0, 4).contiguous(memory_format=t.channels_last),
    "no images": lambda t: t.ones(0, 3, 2, 4).contiguous(memory_format=t.channels_last),
    "channels_last_3d": lambda t: t.ones(1, 2, 3, 0, 4).to(memory_format=t.channels_last_3d),
    "images permuted": lambda t: t.ones(2, 0, 3, 4).permute(0, 3, 1, 2),
    "part of images": lambda t: t.ones(2, 3, 4, 5)[:, :, 1:1],
}
#: What a function is given: the tensor.
CALLS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "alone": lambda x: (x,),
    "twice": lambda x: (x, x),
    "with a contiguous one": lambda x: (x, x.contiguous()),
    "with a number": lambda x: (x, 2.0),
    "first dim": lambda x: (x, 0),
    "last dim": lambda x: (x, -1),
}
#: Memory that nobody wrote, or another text of what is no vector.
LEFT_OUT = {"empty", "empty_like", "empty_permuted", "empty_strided", "meshgrid", "normal", "set_"}
#: Functions that still differ for some of these: the margins are what lay in torch's memory, and of
#: two wrong arguments of nll_loss the other is named first.
OPEN = {"multilabel_margin_loss", "nll_loss"}
load_all()
NAMES = sorted({name.partition(".")[0] for name in ROWS} - LEFT_OUT)


def found(t: Any, name: str) -> Any:
    """The function of that name, in the root or among those of layers; None if there is none."""
    homes = (t, t.nn.functional, t.special, t.linalg)
    names = (name, name, name.removeprefix("special_"), name.removeprefix("linalg_"))
    return next((getattr(h, n) for h, n in zip(homes, names, strict=True) if hasattr(h, n)), None)


def described(t: Any, value: Any) -> Any:
    """Dtypes, shapes and strides."""
    if isinstance(value, t.Tensor):
        return str(value.dtype), tuple(value.shape), tuple(value.stride())
    if isinstance(value, (list, tuple)):
        return [described(t, part) for part in value]
    return str(value)


def told(t: Any, name: str, layout: str, call: str) -> Any:
    try:
        return described(t, found(t, name)(*CALLS[call](EMPTY[layout](t))))
    except Exception as error:
        return type(error).__name__


def differences(layout: str, call: str, names: Iterable[str]) -> dict[str, str]:
    """By name what differs."""
    differ = {}
    for name in names:
        if found(torch, name) is None or found(mindtorch, name) is None or name[0] == "_":
            continue
        ours, oracle = (told(t, name, layout, call) for t in (mindtorch, torch))
        if ours != oracle:
            differ[name] = f"{name}: {ours}, torch {oracle}"
    return differ


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("layout", EMPTY)
def test_functions_of_nothing(layout: str, call: str) -> None:
    """The same layout of the results, or an error of the same type."""
    differ = differences(layout, call, [name for name in NAMES if name not in OPEN])
    assert not differ, "\n".join(differ.values())


@pytest.mark.filterwarnings("ignore")
def test_open_differences_still_differ() -> None:
    """What equals the oracle leaves the list."""
    left = set(OPEN)
    for layout in EMPTY:
        for call in CALLS:
            left -= differences(layout, call, sorted(left)).keys()
    assert not left


#: Arrays of numpy without elements: numpy's own have strides of 0, parts of others any.
ARRAYS = {
    "vector": np.ones(0),
    "no rows": np.ones((0, 4)),
    "in between": np.ones((2, 0, 3)).transpose(2, 0, 1),
    "no columns of a matrix": np.ones((3, 4))[:, :0],
    "every other row": np.ones((6, 8))[::2, :0],
    "turned rows": np.ones((4, 5))[1:1].T,
    "from back to front": np.ones((4, 5))[::-1][:0],
    "repeated": np.lib.stride_tricks.as_strided(np.ones(3), (0, 3), (0, 8)),
    "part of images": np.ones((2, 3, 4), "f4")[:, 1:1],
}
TENSORS_OF = {
    "from_numpy": lambda t, a: t.from_numpy(a),
    "as_tensor": lambda t, a: t.as_tensor(a),
    "tensor": lambda t, a: t.tensor(a),
    "tensor of another dtype": lambda t, a: t.tensor(a, dtype=t.int32),
    "asarray": lambda t, a: t.asarray(a),
    "new_tensor": lambda t, a: t.ones(2).new_tensor(a),
    "a view": lambda t, a: t.from_numpy(a).mT if a.ndim > 1 else t.from_numpy(a)[0:0],
}


@pytest.mark.parametrize("how", TENSORS_OF)
@pytest.mark.parametrize("array", ARRAYS)
def test_arrays_without_elements(array: str, how: str) -> None:
    """Tensors of them have their strides."""

    def facts(t: Any) -> Any:
        try:
            made = TENSORS_OF[how](t, ARRAYS[array])
        except ValueError as error:
            return str(error)
        where = made.storage_offset(), made.untyped_storage().nbytes()
        return described(t, made), where, made.is_contiguous()

    assert repr(facts(mindtorch)).replace("mindtorch", "torch") == repr(facts(torch))
