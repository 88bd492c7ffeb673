"""What ``gradcheck`` tries besides: zero, undefined and batched gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_autograd import Function, grad
from mindtorch_autograd.gradcheck import GradcheckError

from ... import func as _func  # noqa: F401  (see Note [Packages first])
from ...core.operators import ops
from ...core.warning import warn
from ...func.vmap import vmap
from ...functionality.transforms import own_vmap
from ...tensor import Tensor
from ...tensor.generator import Generator
from ..forward_ad import dual_level, make_dual, unpack_dual
from . import messages
from .analytical import differentiable
from .numerical import as_tuple, is_differentiable, vector, watched, zeros_of
from .sparse import dense, is_sparse


class _UndefinedGrad(Function):
    """The identity, through which no gradient comes."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """An alias of *x*."""
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        """Nothing."""
        return None


def multiplies(outputs: Sequence[Any], inputs: Sequence[Any], masked: bool | None) -> None:
    """A backward of zeros gives zeros, of the inputs' dtype, device and size."""
    wanted = [inputs[i] for i in watched(inputs)]
    if not wanted:
        raise GradcheckError("no Tensors requiring grad found in input")
    found = grad(outputs, wanted, [zeros_of(t) for t in outputs], allow_unused=True)
    for g, x in zip(found, wanted, strict=True):
        if g is None:
            continue
        if is_sparse(g):
            _check_layout(g, x)
            g, x = dense(g), dense(x)
        zero = ops.allclose(g, ops.zeros_like(g)) if masked else g.eq(0).all()
        if not zero:
            raise GradcheckError("backward not multiplied by grad_output")
        if g.dtype != x.dtype:
            raise GradcheckError("grad is incorrect type")
        if g.device != x.device:
            raise GradcheckError("grad is incorrect device")
        if g.size() != x.size():
            raise GradcheckError("grad is incorrect size")


def _check_layout(g: Any, x: Any) -> None:
    """Refuse a sparse gradient that is of another layout than its input."""
    if g.layout != x.layout:
        raise GradcheckError(f"grad is incorrect layout ({g.layout} is not {x.layout})")
    kind = str(g.layout).replace("torch.", "").replace("_coo", "")
    for what in ("sparse_dim", "dense_dim"):
        found, wanted = getattr(g, what)(), getattr(x, what)()
        if found != wanted:
            raise GradcheckError(
                f"grad is {kind} tensor, but has incorrect {what} {found}, expected {wanted}"
            )


def undefined(func: Callable[..., Any], outputs: Sequence[Any], inputs: Sequence[Any]) -> None:
    """A backward copes with outputs of which no gradient comes."""
    wanted = [inputs[i] for i in watched(inputs)]

    def check(outs: Sequence[Any]) -> None:
        try:
            found = grad(outs, wanted, [zeros_of(t) for t in outs], allow_unused=True)
        except RuntimeError as error:
            warn(messages.UNDEFINED_WARNING)
            raise GradcheckError(
                f"Expected backward function to handle undefined output grads. {messages.UNDEFINED}"
            ) from error
        if any(g is not None and not dense(g).eq(0).all() for g in found):
            warn(messages.UNDEFINED_WARNING)
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are "
                f"undefined or zero. {messages.UNDEFINED}"
            )

    check([_UndefinedGrad.apply(t) for t in differentiable(func(*inputs))])
    if len(outputs) > 1:
        for i in range(len(outputs)):
            outs = differentiable(func(*inputs))
            check([_UndefinedGrad.apply(t) if k == i else t for k, t in enumerate(outs)])


def undefined_forward(func: Callable[..., Any], inputs: Sequence[Any]) -> None:
    """An input without a tangent is like one whose tangent is zero."""
    at = watched(inputs)
    numbers = Generator()
    with dual_level():
        duals = list(inputs)
        for i in at:
            t = inputs[i]
            duals[i] = make_dual(t.detach(), vector(t, t.dtype, numbers).reshape(t.shape))
        for i in at:
            x = inputs[i]
            kept = duals[i]
            pair = []
            for stand_in in (make_dual(x.detach(), zeros_of(x)), x.detach()):
                duals[i] = stand_in
                outs = [t for t in as_tuple(func(*duals)) if is_differentiable(t)]
                pair.append([unpack_dual(t).tangent for t in outs])
            duals[i] = kept
            for number, (a, b) in enumerate(zip(*pair, strict=True)):
                if a is not None and b is not None and not ops.allclose(a, b):
                    raise GradcheckError(
                        "Mismatch in tangent values for output with index: ",
                        number,
                        " when input: ",
                        x,
                        " has an undefined tangent value. ",
                        " Got: ",
                        a,
                        " but expected: ",
                        b,
                    )


def batched(inputs: Sequence[Any], output: Any, number: int) -> None:
    """Two gradients at once, under ``vmap``, are those one after the other."""
    wanted = [inputs[i] for i in watched(inputs)]

    def pull(v: Any) -> tuple[Any, ...]:
        found = grad(output, wanted, v, retain_graph=True, allow_unused=True)
        return tuple(
            [
                ops.zeros((), dtype=x.dtype, device=x.device).expand(x.shape) if g is None else g
                for g, x in zip(found, wanted, strict=True)
            ]
        )

    seeds = [ops.randn_like(output) for _ in range(2)]
    _compare(pull, seeds, number, messages.BATCHED, False)


def batched_forward(func: Callable[..., Any], inputs: Sequence[Any]) -> None:
    """The same of tangents."""
    for at in watched(inputs):
        x = inputs[at]
        if not is_differentiable(x):
            continue

        def push(tangent: Any, at: int = at, x: Any = x) -> tuple[Any, ...]:
            with dual_level():
                dual = make_dual(x.detach(), tangent)
                args = [
                    dual if i == at else t.detach() if isinstance(t, Tensor) else t
                    for i, t in enumerate(inputs)
                ]
                made = []
                for out in as_tuple(func(*args)):
                    if out is None:
                        continue
                    value, found = unpack_dual(out)
                    if found is None:
                        zero = ops.zeros((), dtype=value.dtype, device=value.device)
                        found = zero.expand(value.shape)
                    made.append(found)
                return tuple(made)

        seeds = [ops.randn_like(x) for _ in range(2)]
        _compare(push, seeds, None, messages.BATCHED_FORWARD, True)


def _compare(
    function: Callable[[Any], Any], seeds: list[Any], number: int | None, text: str, forward: bool
) -> None:
    alone = [function(seed) for seed in seeds]
    expected = [ops.stack(list(parts)) for parts in zip(*alone, strict=True)]
    try:
        with own_vmap():
            together = vmap(function)(ops.stack(seeds))
    except RuntimeError as error:
        raise GradcheckError(
            f"While computing batched gradients, got: {error}\n\n{text}"
        ) from error
    for i, (got, want) in enumerate(zip(together, expected, strict=True)):
        if not ops.allclose(got, want):
            at = i if number is None else number
            raise GradcheckError(messages.batched_mismatch(at, i, got, want, forward))
