"""``torch.autograd.functional``: derivatives of functions, by backward.

In all of them *inputs* is a tensor or a tuple of tensors, and results are built alike;
``create_graph`` makes results differentiable, ``strict`` raises RuntimeError where something does
not depend on the inputs. Errors and their order: torch/autograd/functional.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_autograd import enable_grad, is_grad_enabled, set_grad_enabled

from ..func.jacobians import _bases
from ..func.vmap import vmap
from ..func.whole import bottom
from ..ops.call import ops
from ..tensor import Tensor
from .forward_ad import dual_level, make_dual, unpack_dual
from .functional_checks import (
    as_tuple,
    check_requires_grad,
    check_vector,
    filled,
    finished,
    fresh,
    gradients,
)

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

_OUTPUTS = "outputs of the user-provided function"


class _Call:
    """The inputs made anew, the vector, and what the function gives."""

    def __init__(
        self,
        name: str,
        func: Callable[..., Any],
        inputs: Any,
        v: Any,
        create_graph: bool,
        strict: bool,
        vector_of: str,
    ) -> None:
        self.is_tuple, given = as_tuple(inputs, "inputs", name)
        self.inputs = fresh(given, create_graph, True)
        self.v: Any = None
        if vector_of == "inputs":
            self._take_vector(name, v, create_graph, self.inputs, self.is_tuple)
        self.gives_tuple, self.outputs = as_tuple(func(*self.inputs), _OUTPUTS, name)
        check_requires_grad(self.outputs, "outputs", strict)
        if vector_of == "outputs":
            self._take_vector(name, v, create_graph, self.outputs, self.gives_tuple)

    def _take_vector(
        self, name: str, v: Any, create_graph: bool, like: Sequence[Any], is_tuple: bool
    ) -> None:
        if v is not None:
            _, given = as_tuple(v, "v", name)
            self.v = fresh(given, create_graph, False)
            check_vector(self.v, like, is_tuple)
        elif len(like) != 1 or like[0].nelement() != 1:
            who = (
                "user-provided function returns"
                if name == "vjp"
                else "input to the user-provided function is"
            )
            raise RuntimeError(
                f"The vector v can only be None if the {who} a single Tensor with a single element."
            )

    def scalar(self, name: str) -> None:
        """Raise RuntimeError unless the function gave one number."""
        if self.gives_tuple:
            raise RuntimeError(f"The function given to {name} should return a single Tensor")
        if self.outputs[0].nelement() != 1:
            raise RuntimeError(
                f"The Tensor returned by the function given to {name} should contain a single "
                "element"
            )

    def results(self, made: Any, is_tuple: bool, create_graph: bool) -> tuple[Any, Any]:
        """The outputs and *made*, as the caller wants them."""
        outputs = finished(self.outputs, create_graph)
        made = finished(made, create_graph)
        return (
            outputs if self.gives_tuple else outputs[0],
            made if is_tuple else made[0],
        )


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs, and *v* times the Jacobian; *v* is like the outputs."""
    with enable_grad():
        call = _Call("vjp", func, inputs, v, create_graph, strict, "outputs")
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(call.outputs, call.inputs, call.v, create_graph=create_graph)
        made = filled(found, call.inputs, strict, create_graph, "back")
    return call.results(made, call.is_tuple, create_graph)


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs, and the Jacobian times *v*, by backward of the backward; *v* is like inputs."""
    with enable_grad():
        call = _Call("jvp", func, inputs, v, create_graph, strict, "inputs")
        dummies = tuple([ops.zeros_like(out, requires_grad=True) for out in call.outputs])
        pulled = gradients(call.outputs, call.inputs, dummies, create_graph=True)
        check_requires_grad(pulled, "grad_inputs", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(pulled, dummies, call.v, create_graph=create_graph)
        made = filled(found, call.outputs, strict, create_graph, "back_trick")
    return call.results(made, call.gives_tuple, create_graph)


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The output, a number, and *v* times the Hessian."""
    with enable_grad():
        call = _Call("vhp", func, inputs, v, create_graph, strict, "inputs")
        call.scalar("vhp")
        jac = gradients(call.outputs, call.inputs, create_graph=True)
        check_requires_grad(jac, "jacobian", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(jac, call.inputs, call.v, create_graph=create_graph)
        made = filled(found, call.inputs, strict, create_graph, "double_back")
    return call.results(made, call.is_tuple, create_graph)


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The output, a number, and the Hessian times *v*; :func:`vhp` is faster."""
    with enable_grad():
        call = _Call("hvp", func, inputs, v, create_graph, strict, "inputs")
        call.scalar("hvp")
        jac = gradients(call.outputs, call.inputs, create_graph=True)
        check_requires_grad(jac, "jacobian", strict)
        dummies = tuple([ops.zeros_like(x, requires_grad=True) for x in call.inputs])
        twice = gradients(jac, call.inputs, dummies, create_graph=True)
        check_requires_grad(jac, "hessian", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(twice, dummies, call.v, create_graph=create_graph)
        made = filled(found, call.inputs, strict, create_graph, "double_back_trick")
    return call.results(made, call.is_tuple, create_graph)


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
        return _unpacked(finished(made, create_graph), gives_tuple, is_tuple)


def _rows_at_once(outputs: Sequence[Any], xs: Sequence[Any], create_graph: bool) -> Any:
    sizes = [out.numel() for out in outputs]
    flat = [out.reshape(-1) for out in outputs]
    basis = [b.view(sum(sizes), -1) for b in next(_bases(list(outputs), None))]
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
        [ops.stack(row, 0).view((*out.shape, *x.shape)) for row, x in zip(rows, xs, strict=True)]
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

    columns = vmap(push)(tuple(next(_bases(list(xs), None))))
    gives_tuple, outputs = seen
    sizes = [x.numel() for x in xs]
    made = [
        [
            part.permute(*range(1, part.ndim), 0).reshape((*out.shape, *x.shape))
            for part, x in zip(column.split(sizes, 0), xs, strict=True)
        ]
        for column, out in zip(columns, outputs, strict=True)
    ]
    return _unpacked(made, gives_tuple, is_tuple)


def _unpacked(made: Any, gives_tuple: bool, is_tuple: bool) -> Any:
    rows = made if is_tuple else tuple([row[0] for row in made])
    return rows if gives_tuple else rows[0]


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
        if gives_tuple or not isinstance(out, Tensor):
            raise RuntimeError("The function given to hessian should return a single Tensor")
        if out.nelement() != 1:
            raise RuntimeError(
                "The Tensor returned by the function given to hessian should contain a single "
                "element"
            )
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
    return _unpacked(made, is_tuple, is_tuple)
