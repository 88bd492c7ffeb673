"""Dimensions have no names, as in torch since 2.13: who asks for them is refused alike."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from mindtorch.aten.register import FUNCTIONS, METHODS
from mindtorch.call.row import ROWS

from tests.contract.both_frameworks import refuse, same

FACTORIES: dict[str, tuple[Any, ...]] = {
    "empty": ((2, 3),),
    "full": ((2, 3), 1.0),
    "ones": ((2, 3),),
    "rand": ((2, 3),),
    "randint": (5, (2, 3)),
    "randn": ((2, 3),),
    "tensor": ([[1.0]],),
    "zeros": ((2, 3),),
}
#: Attributes that tensors had, and functions and modules of ``torch``.
OF_TENSORS = (
    "align_as",
    "align_to",
    "has_names",
    "names",
    "refine_names",
    "rename",
    "rename_",
    "_update_names",
)
OF_TORCH = ("align_tensors", "_namedtensor_internals", "rename")
#: Methods that took the name of a dimension, and the arguments of such a call.
BY_NAME: dict[str, tuple[Any, ...]] = {
    **{
        name: ("C",)
        for name in (
            *("all", "any", "argsort", "cummax", "cummin", "cumprod", "cumsum", "log_softmax"),
            *("logcumsumexp", "logsumexp", "max", "mean", "median", "min", "mode", "nanmedian"),
            *("prod", "size", "softmax", "sort", "squeeze", "std", "stride", "sum", "unbind"),
            "var",
        )
    },
    "flatten": (["N", "C"], "features"),
    "index_fill": ("C", [0], 1.0),
    "kthvalue": (1, "C"),
    "norm": (2, "C"),
    "select": ("C", 0),
    "transpose": ("N", "C"),
    "unflatten": ("C", (("height", 1), ("width", 3))),
}


@pytest.mark.parametrize("names", [("N", "C"), [None, None], None], ids=repr)
@pytest.mark.parametrize("name", FACTORIES)
def test_factories_take_no_names(name: str, names: Any) -> None:
    """Not even None, which says that there are none."""
    refuse(lambda t: getattr(t, name)(*FACTORIES[name], names=names))


@pytest.mark.parametrize("name", OF_TENSORS)
def test_tensors_have_no_names_to_ask_for_or_to_change(name: str) -> None:
    """Programs that look with ``hasattr`` are told so, and classes have none either."""
    refuse(lambda t: getattr(t.ones(2, 3), name))
    refuse(lambda t: getattr(t.Tensor, name))


@pytest.mark.parametrize("name", OF_TORCH)
def test_torch_has_no_functions_of_names(name: str) -> None:
    """Neither among the functions nor as a module."""
    assert not same(lambda t: hasattr(t, name))[0][1]
    assert not hasattr(torch.ops.aten, name)


@pytest.mark.parametrize("name", BY_NAME)
def test_dimensions_are_given_by_their_numbers(name: str) -> None:
    """A method gets a string as any other value of a wrong type, and so does its function."""
    refuse(lambda t: getattr(t.ones(2, 3), name)(*BY_NAME[name]))
    if hasattr(torch, name):
        refuse(lambda t: getattr(t, name)(t.ones(2, 3), *BY_NAME[name]))


@pytest.mark.parametrize("name", ["cat", "concat", "concatenate"])
def test_tensors_are_joined_along_a_number(name: str) -> None:
    """These take their dimension after a list."""
    refuse(lambda t: getattr(t, name)([t.ones(2, 3)], dim="N"))


@pytest.mark.parametrize("name", ["gather", "index_select"])
def test_indices_count_along_a_number(name: str) -> None:
    """These take their dimension before the indices."""
    refuse(lambda t: getattr(t.ones(2, 3), name)("N", t.zeros(2, dtype=t.int64)))


@pytest.mark.parametrize("name", ["index_add", "index_copy", "scatter", "scatter_add"])
def test_sources_are_put_along_a_number(name: str) -> None:
    """These take values after the indices."""
    refuse(lambda t: getattr(t.ones(2, 3), name)("N", t.zeros(2, dtype=t.int64), t.ones(2, 3)))


def test_an_attribute_called_names_is_the_programs_own() -> None:
    """Any name may be set on a tensor, this one like others."""

    def program(t: Any) -> Any:
        x = t.ones(2, 3)
        x.names = ("N", "C")
        return x.names, hasattr(x + 1, "names"), repr(x)

    assert same(program)[0][0] == "value"


def test_no_schema_says_names() -> None:
    """torch has no type of them any more, and neither have the rows."""
    assert not [s for s in torch._C._jit_get_all_schemas() if "Dimname" in str(s)]
    assert not [name for name, row in ROWS.items() if "Dimname" in row.schema]
    assert not [n for n in (*OF_TENSORS, *OF_TORCH) if n in FUNCTIONS or n in METHODS]
