"""``torch.autograd.functional``: derivatives of functions, by backward.

In all of them *inputs* is a tensor or a tuple of tensors, and results are built alike;
``create_graph`` makes results differentiable, ``strict`` raises RuntimeError where something does
not depend on the inputs. Errors and their order: torch/autograd/functional.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mindtorch_autograd import enable_grad, is_grad_enabled, set_grad_enabled

from .. import func as _func  # noqa: F401  (see Note [Packages first])
from ..core import signature as S
from ..core.operators import ops
from ..func.vmap import vmap
from ..functionality.batching import bottom
from ..functionality.transforms import own_vmap
from ..tensor import Tensor
from .forward_ad import dual_level, make_dual, refuse_dual_samples, unpack_dual
from .functional_checks import (
    as_tuple,
    check_requires_grad,
    check_vector,
    filled,
    finished,
    fresh,
    gradients,
    unpacked,
)

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

# How torch calls what the functions below are made of; libraries with their own derivatives
# call it by these names.
_as_tuple = as_tuple
_tuple_postprocess = unpacked
_grad_preprocess = fresh
_grad_postprocess = finished
_validate_v = check_vector
_check_requires_grad = check_requires_grad
_autograd_grad = gradients
_fill_in_zeros = filled

_OUTPUTS = "outputs of the user-provided function"

Function = Callable[..., Any]
Pair = tuple[Any, Any]


class _Call(NamedTuple):
    """What a function gave for inputs made anew, and the vector of a product."""

    inputs: tuple[Any, ...]
    is_tuple: bool
    outputs: tuple[Any, ...]
    gives_tuple: bool
    v: Any
    strict: bool


class _Second(NamedTuple):
    """The backward that gives a product: of what, for what, and in which words zeros are refused.

    The product has an entry per tensor of *like*, in a tuple if *is_tuple*.
    """

    targets: Sequence[Any]
    sources: Sequence[Any]
    like: Sequence[Any]
    is_tuple: bool
    stage: str


def _product(
    first: Callable[[_Call], _Second], function: Function, inputs: Any, v: Any, **options: bool
) -> Pair:
    """What *function* gives, and the product that the backward after *first* finds.

    The name of *first* is that of the API, for messages. Its vector is like the outputs in
    ``vjp`` and like the inputs in all others.
    """
    name = first.__name__.removeprefix("_")
    create_graph, strict = options["create_graph"], options["strict"]
    with enable_grad():
        is_tuple, given = as_tuple(inputs, "inputs", name)
        made_anew = fresh(given, create_graph, True)
        if name != "vjp":
            v = _vector(name, v, create_graph, made_anew, is_tuple)
        gives_tuple, outputs = as_tuple(function(*made_anew), _OUTPUTS, name)
        check_requires_grad(outputs, "outputs", strict)
        if name == "vjp":
            v = _vector(name, v, create_graph, outputs, gives_tuple)
        second = first(_Call(made_anew, is_tuple, outputs, gives_tuple, v, strict))
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(second.targets, second.sources, v, create_graph=create_graph)
        made = filled(found, second.like, strict, create_graph, second.stage)
    outputs, made = finished(outputs, create_graph), finished(made, create_graph)
    return outputs if gives_tuple else outputs[0], made if second.is_tuple else made[0]


def _vector(name: str, v: Any, create_graph: bool, like: Sequence[Any], is_tuple: bool) -> Any:
    if v is not None:
        _, given = as_tuple(v, "v", name)
        made = fresh(given, create_graph, False)
        check_vector(made, like, is_tuple)
        return made
    if len(like) == 1 and like[0].nelement() == 1:
        return None
    who = (
        "user-provided function returns"
        if name == "vjp"
        else "input to the user-provided function is"
    )
    raise RuntimeError(
        f"The vector v can only be None if the {who} a single Tensor with a single element."
    )


def _check_scalar(name: str, gives_tuple: bool, out: Any) -> None:
    """Raise RuntimeError unless a function gave one number."""
    if gives_tuple or not isinstance(out, Tensor):
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if out.nelement() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )


def _dummies(like: Sequence[Any]) -> tuple[Any, ...]:
    """Zeros for a backward whose own backward is the product."""
    return tuple([ops.zeros_like(t, requires_grad=True) for t in like])


def _gradient(call: _Call, name: str) -> tuple[Any, ...]:
    """The gradient of a function that gave one number."""
    _check_scalar(name, call.gives_tuple, call.outputs[0])
    found = gradients(call.outputs, call.inputs, create_graph=True)
    check_requires_grad(found, "jacobian", call.strict)
    return found


def _vjp(call: _Call) -> _Second:
    return _Second(call.outputs, call.inputs, call.inputs, call.is_tuple, "back")


def _jvp(call: _Call) -> _Second:
    seeds = _dummies(call.outputs)
    pulled = gradients(call.outputs, call.inputs, seeds, create_graph=True)
    check_requires_grad(pulled, "grad_inputs", call.strict)
    return _Second(pulled, seeds, call.outputs, call.gives_tuple, "back_trick")


def _vhp(call: _Call) -> _Second:
    found = _gradient(call, "vhp")
    return _Second(found, call.inputs, call.inputs, call.is_tuple, "double_back")


def _hvp(call: _Call) -> _Second:
    found = _gradient(call, "hvp")
    seeds = _dummies(call.inputs)
    twice = gradients(found, call.inputs, seeds, create_graph=True)
    check_requires_grad(found, "hessian", call.strict)
    return _Second(twice, seeds, call.inputs, call.is_tuple, "double_back_trick")


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Pair:
    """The outputs, and *v* times the Jacobian; *v* is like the outputs."""
    return _product(_vjp, func, inputs, v, create_graph=create_graph, strict=strict)


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Pair:
    """The outputs, and the Jacobian times *v*, by backward of the backward; *v* is like inputs."""
    return _product(_jvp, func, inputs, v, create_graph=create_graph, strict=strict)


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Pair:
    """The output, a number, and *v* times the Hessian."""
    return _product(_vhp, func, inputs, v, create_graph=create_graph, strict=strict)


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Pair:
    """The output, a number, and the Hessian times *v*; :func:`vhp` is faster."""
    return _product(_hvp, func, inputs, v, create_graph=create_graph, strict=strict)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian: per output and input a tensor of both shapes.

    :param vectorize: one backward for all rows, under ``vmap``.
    :param strategy: ``"forward-mode"`` computes columns instead, vectorized only.
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your '
            'function has more outputs than inputs, "forward-mode" tends to be more performant. '
            'Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(
                'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-'
                'mode"` are not supported together (yet). Please either set `create_graph=False` '
                'or `strategy="reverse-mode"`.'
            )
        return _columns(func, inputs, strict, vectorize)
    with enable_grad():
        is_tuple, given = as_tuple(inputs, "inputs", "jacobian")
        xs = fresh(given, create_graph, True)
        gives_tuple, outputs = as_tuple(func(*xs), _OUTPUTS, "jacobian")
        check_requires_grad(outputs, "outputs", strict)
        if vectorize:
            if strict:
                raise RuntimeError(
                    "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are "
                    "not supported together. Please either set `strict=False` or "
                    "`vectorize=False`."
                )
            made = _rows_at_once(outputs, xs, create_graph)
        else:
            made = tuple([_rows(i, out, xs, create_graph, strict) for i, out in enumerate(outputs)])
        return unpacked(finished(made, create_graph), (gives_tuple, is_tuple))


def _construct_standard_basis_for(tensors: Any, tensor_numels: Any) -> tuple[Any, ...]:
    """The unit vectors of all *tensors* together, as the rows of one matrix per tensor.

    :param tensor_numels: how many elements each has.
    """
    if len(tensors) != len(tensor_numels):
        raise AssertionError(
            "Expected tensors and tensor_numels to have the same length, but got "
            f"{len(tensors)} and {len(tensor_numels)}"
        )
    if not tensors:
        raise AssertionError("Expected at least one tensor")
    total, offset, made = sum(tensor_numels), 0, []
    for t, size in zip(tensors, tensor_numels, strict=True):
        rows = t.new_zeros((total, size))
        rows.diagonal(-offset).fill_(1)
        made.append(rows)
        offset += size
    return tuple(made)


def _rows_at_once(outputs: Sequence[Any], xs: Sequence[Any], create_graph: bool) -> Any:
    sizes = [out.numel() for out in outputs]
    basis = _construct_standard_basis_for(outputs, sizes)
    flat = [out.reshape(-1) for out in outputs]
    found = gradients(flat, xs, basis, create_graph=create_graph, is_grads_batched=True)
    per_input = [
        (ops.zeros_like(x).expand((sum(sizes), *x.shape)) if g is None else g).split(sizes, 0)
        for g, x in zip(found, xs, strict=True)
    ]
    return tuple(
        [
            tuple([rows[i].view((*out.shape, *x.shape)) for rows, x in zip(per_input, xs)])
            for i, out in enumerate(outputs)
        ]
    )


def _rows(number: int, out: Any, xs: Sequence[Any], create_graph: bool, strict: bool) -> Any:
    rows: list[list[Any]] = [[] for _ in xs]
    for j in range(out.nelement()):
        found = gradients((out.reshape(-1)[j],), xs, retain_graph=True, create_graph=create_graph)
        for k, (row, g, x) in enumerate(zip(rows, found, xs, strict=True)):
            if g is None:
                if strict:
                    raise RuntimeError(
                        f"Output {number} of the user-provided function is independent of input "
                        f"{k}. This is not allowed in strict mode."
                    )
                g = ops.zeros_like(x)
            elif strict and create_graph and not g.requires_grad:
                raise RuntimeError(
                    f"The jacobian of the user-provided function is independent of input {number}. "
                    "This is not allowed in strict mode when create_graph=True."
                )
            row.append(g)
    return tuple(
        [ops.stack(row, 0).view(out.size() + x.size()) for row, x in zip(rows, xs, strict=True)]
    )


def _columns(func: Callable[..., Any], inputs: Any, strict: bool, vectorize: bool) -> Any:
    if strict:
        raise RuntimeError(
            'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are '
            "not supported together (yet). Please either set `strict=False` or "
            '`strategy="reverse-mode"`.'
        )
    is_tuple, xs = as_tuple(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly "
            "implemented for `vectorize=True`."
        )
    if not xs:
        raise AssertionError("Expected at least one tensor")
    seen: list[Any] = []

    def push(directions: Any) -> Any:
        with dual_level():
            duals = [make_dual(x, t.view_as(x)) for x, t in zip(xs, directions, strict=True)]
            gives_tuple, outputs = as_tuple(func(*duals), "outputs", "None")
            parts = [unpack_dual(out) for out in outputs]
            seen[:] = [gives_tuple, [p.primal for p in parts]]
            return tuple(
                [ops.zeros_like(p.primal) if p.tangent is None else p.tangent for p in parts]
            )

    if any(x._sig_ & S.BATCHED for x in xs):
        refuse_dual_samples()
    with own_vmap():
        columns = vmap(push)(_construct_standard_basis_for(xs, [x.numel() for x in xs]))
    gives_tuple, outputs = seen
    sizes = [x.numel() for x in xs]
    made = [
        [
            part.permute(*range(1, part.ndim), 0).reshape((*out.shape, *x.shape))
            for part, x in zip(column.split(sizes, 0), xs, strict=True)
        ]
        for column, out in zip(columns, outputs, strict=True)
    ]
    return unpacked(made, (gives_tuple, is_tuple))


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The matrix of second derivatives of a function that gives one number."""
    is_tuple, given = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def single(*xs: Any) -> Any:
        out = func(*xs)
        gives_tuple, outputs = as_tuple(out, _OUTPUTS, "hessian")
        check_requires_grad(outputs, "outputs", strict)
        _check_scalar("hessian", gives_tuple, out)
        return out.squeeze()

    def first(*xs: Any) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            for x in xs:
                bottom(x).requires_grad_(True)
        found = jacobian(single, xs, create_graph=True)
        check_requires_grad(found, "jacobian", strict)
        return found

    made = jacobian(
        first,
        given,
        create_graph=create_graph,
        strict=strict,
        vectorize=vectorize,
        strategy=outer_jacobian_strategy,
    )
    return unpacked(made, (is_tuple, is_tuple))
