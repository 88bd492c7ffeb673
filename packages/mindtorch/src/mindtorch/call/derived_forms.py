"""Rows that follow from other rows: copying forms of views, functional forms of in-place ops."""

from __future__ import annotations

__all__ = ["COPIES", "FUNCTIONAL_FORMS", "VIEW_OF", "copy_name"]

#: The views that torch has a copying form of -> the name of its ``out`` overload; "" for lists.
COPIES = {
    "_conj": "out",
    "_neg_view": "out",
    "_reshape_alias": "out",
    "alias": "out",
    "as_strided": "out",
    "detach": "out",
    "diagonal": "out",
    "expand": "out",
    "permute": "out",
    "select.int": "int_out",
    "slice.Tensor": "Tensor_out",
    "split.Tensor": "",
    "split_with_sizes": "",
    "squeeze": "out",
    "squeeze.dim": "dim_out",
    "squeeze.dims": "dims_out",
    "t": "out",
    "transpose.int": "int_out",
    "unbind.int": "",
    "unfold": "out",
    "unsqueeze": "out",
    "view": "out",
    "view.dtype": "dtype_out",
    "view_as_complex": "out",
    "view_as_real": "out",
}


def copy_name(name: str) -> str:
    """``select_copy.int`` of ``select.int``."""
    base, dot, overload = name.partition(".")
    return f"{base}_copy{dot}{overload}"


#: Copying form -> the op that it copies the result of.
VIEW_OF = {copy_name(name): name for name in COPIES} | {"view_copy": "reshape"}
#: In-place row -> its functional form's name and ``out`` overload.
FUNCTIONAL_FORMS = {
    "bernoulli_.Tensor": ("bernoulli.Tensor", "Tensor_out"),
    "cauchy_": ("cauchy", "out"),
    "copy_": ("copy", "out"),
    "exponential_": ("exponential", "out"),
    "fill_.Scalar": ("fill.Scalar", "Scalar_out"),
    "fill_.Tensor": ("fill.Tensor", "Tensor_out"),
    "geometric_": ("geometric", "out"),
    "log_normal_": ("log_normal", "out"),
    "normal_": ("normal_functional", ""),
    "random_": ("random", "out"),
    "random_.from": ("random.from", "from_out"),
    "random_.to": ("random.to", "to_out"),
    "uniform_": ("uniform", "out"),
    "zero_": ("zero", "out"),
}
