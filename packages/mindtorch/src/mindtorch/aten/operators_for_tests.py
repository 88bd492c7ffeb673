"""Operators that torch has for its own tests: of defaults, of lists, of derivatives by key."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import float32, float64, int32, int64
from mindtorch_storage.layout import view_geometry

from ..call.elementwise_meta import out_like
from ..call.forms import NoFormula, OutForm
from ..call.row import Out, ViewOf, op
from ..core.errors import expected_scalar_type
from ..core.operators import of, ops
from ..core.warning import warn
from ..tensor.construction import wrap

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _copied(self: Any, *rest: Any) -> Any:
    return self.clone()


# -- arguments ----------------------------------------------------------------------------------


def _default_a(dummy: Any, a: int, b: int) -> Any:
    _expect(a == 1, "a == 1")
    _expect(b == 1, "b == 1")
    return wrap(np.array(1))


def _default_b(dummy: Any, a: int, b: str) -> Any:
    _expect(a == 2, "a == 2")
    _expect(b == "2", 'b == "2"')
    return wrap(np.array(2))


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise RuntimeError(
            f"Expected {what} to be true, but got false.  (Could this error message be improved?  "
            "If so, please report an enhancement request to PyTorch.)"
        )


_QUOTES = "\"'\\"


def _default_texts(dummy: Any, a: str, b: str) -> Any:
    for name, value in (("A", a), ("B", b)):
        if value != _QUOTES:
            raise RuntimeError(f"Default {name} failed")
    return dummy


for _schema, _composite, _samples in (
    (
        "_test_ambiguous_defaults.a(Tensor dummy, int a=1, int b=1) -> Tensor",
        _default_a,
        "ambiguous_numbers",
    ),
    (
        '_test_ambiguous_defaults.b(Tensor dummy, int a=2, str b="2") -> Tensor',
        _default_b,
        "ambiguous_texts",
    ),
    (
        r"""_test_string_default(Tensor dummy, str a="\"'\\", str b="\"'\\") -> Tensor""",
        _default_texts,
        "text_defaults",
    ),
):
    op(
        _schema,
        composite=_composite,
        module="nn",
        variants="function",
        samples=_samples,
        tags=("loops: functional",),
    )


def _added(kind: Any, wide: Any) -> Any:
    """The numbers of *addends*, of which there is one for each value, added in C's *wide* dtype."""

    def composite(values: Any, addends: Any) -> Any:
        if addends is None:
            return values
        _expect(values.dim() == 1, "values.dim() == 1")
        if values.dtype is not kind:
            raise expected_scalar_type(kind, values.dtype)
        count = values.shape[0]
        if len(addends) < count:
            length = len(addends)
            raise RuntimeError(f"ArrayRef: invalid index Index = {length}; Length = {length}")
        more = ops.tensor(list(addends[:count]), dtype=wide, device=values.device)
        return (values.to(wide) + more).to(kind)

    return composite


for _name, _list, _kind, _wide, _samples in (
    ("_test_optional_intlist", "int[]?", int32, int64, "optional_integers"),
    ("_test_optional_filled_intlist", "int[2]?", int32, int64, "optional_integers"),
    ("_test_optional_floatlist", "float[]?", float32, float64, "optional_floats"),
):
    op(
        f"{_name}(Tensor values, {_list} addends) -> Tensor",
        says="Add the numbers of a list, if there is one.",
        composite=_added(_kind, _wide),
        kinds={"functional": "backends", "out": "explicit"},
        module="nn",
        variants="function",
        grad=NoFormula(),
        out=OutForm(function=False),
        samples=_samples,
        tags=("loops: functional", "not_on_meta"),
    )


# -- derivatives --------------------------------------------------------------------------------


def _like(self: Any, *rest: Any) -> Out:
    return out_like(self.dtype, self)


def _kernel(self: Array, *rest: Any) -> Array:
    return self.copy("K")


def _warned(g: Any, c: Any) -> Any:
    warn("Warn from backward")
    return g


op(
    "_foobar(Tensor self, bool arg1=True, bool arg2=True, *, bool arg3=True) -> Tensor",
    says="Return the tensor itself.",
    composite=lambda self, arg1, arg2, arg3: self,
    kinds={"functional": "backends"},
    variants="function",
    grad=NoFormula(),
    samples="unary",
    tags=("loops: functional",),
)
op(
    "_test_functorch_fallback(Tensor self, Tensor other) -> Tensor",
    says="Return a copy.",
    meta=_like,
    kernel=_kernel,
    half=False,
    variants="function",
    grad=NoFormula(),
    out=OutForm(function=False),
    samples="equal",
    tags=("loops: functional", "not_on_meta"),
)
for _schema, _grad, _tangent, _module in (
    (
        "_test_autograd_multiple_dispatch.fullcoverage(Tensor self) -> Tensor",
        {"self": lambda g, c: g.expand(c.self.shape) + 1},
        "linear",
        "",
    ),
    ("_test_warn_in_autograd(Tensor self) -> Tensor", {"self": _warned}, "not implemented", "nn"),
):
    op(
        _schema,
        says="Return a copy.",
        composite=_copied,
        kinds={"functional": "explicit"},
        module=_module,
        variants="function",
        grad=_grad,
        tangent=_tangent,
        samples="unary",
        tags=("real_only", "loops: functional"),
    )
op(
    "_test_autograd_multiple_dispatch.ntonly(Tensor self, bool b) -> Tensor",
    composite=_copied,
    variants="function",
    samples="with_truth",
    tags=("loops: functional",),
)


def _check_tensor(self: Any) -> Any:
    if not ops._is_all_true(self).item():
        raise RuntimeError("Test message for TORCH_CHECK_TENSOR_ALL")
    return self.clone()


op(
    "_test_check_tensor(Tensor self) -> Tensor",
    says="Return a copy of a tensor of truths that are all true.",
    composite=_check_tensor,
    variants="function",
    samples="truths",
)
op(
    "_test_serialization_subcmul(Tensor self, Tensor other, Scalar alpha=1) -> Tensor",
    says="Return the tensor less alpha times the other.",
    composite=lambda self, other, alpha: self - of("mul.Scalar")(other, alpha),
    variants="function",
    samples="subcmul",
    tags=("loops: functional",),
)


# -- views --------------------------------------------------------------------------------------


def _flat(self: Any) -> ViewOf:
    return ViewOf(*view_geometry(self.shape, self.stride(), (-1,)))


op(
    "_test_autograd_multiple_dispatch_view(Tensor(a) self) -> Tensor(a)",
    says="View the numbers as those of one dimension.",
    view=_flat,
    inverse=lambda views, base, view, index: views("view", view, tuple(base.shape)),
    variants="function",
    grad={"self": lambda g, c: g.reshape(c.self.shape)},
    tangent="not implemented",
    samples="unary",
    tags=("loops: functional", "real_only", "real_copy"),
)
