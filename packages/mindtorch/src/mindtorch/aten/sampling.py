"""Random choices: bernoulli, multinomial, dropout."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls
from mindtorch_storage.dtype import bool_, get_default_dtype, int64

from ..call.elementwise_meta import (
    COMPLEX,
    NOT_REAL_FLOATING,
    UNSIGNED,
    common_dtype,
    out_like,
    refuse,
)
from ..call.forms import DeviceRule, OutForm
from ..call.row import Out, op
from ..core import signature as S
from ..core.errors import cannot_cast
from ..core.operators import ops
from ..tensor.generator import Generator
from . import device_rules, distributions
from .derivatives import not_implemented_for
from .factory import Sized, like
from .random_filling import fill_row, same
from .random_sampling import (
    Drawing,
    Target,
    by_place,
    drawing,
    fresh,
    generator_or_default,
    target_like,
    target_of,
)
from .randomness import SEEDED
from .sorting import extreme_places

Array = np.ndarray[Any, Any]

__all__: list[str] = []

# ------------------------------------------------------------------------- bernoulli


def _check_p(p: float) -> None:
    """Source: torch aten/src/ATen/native/DistributionTemplates.h, bernoulli_impl_."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")


def _check_probabilities(p: Array) -> None:
    """Source: torch aten/src/ATen/core/DistributionsHelper.h, bernoulli_distribution."""
    least, most = np.minimum.reduce, np.maximum.reduce
    if p.size and not (least(p, None) >= 0 and most(p, None) <= 1):  # of nan both are nan
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message "
            "be improved?  If so, please report an enhancement request to PyTorch.)"
        )


def _prepare_bernoulli(target: Target, p: float) -> Drawing:
    n = target.numel()
    return drawing(target, distributions.bernoulli(n, p) if n else lambda gen: np.empty(0))


def _prepare_bernoulli_of(target: Target, p: Array) -> Callable[[Array, Any], Array]:
    """From probabilities and a generator to numbers."""
    n, arrange, flatten, shape = target.numel(), target.arranger(), target.flattener(), target.shape
    draw, same = distributions.bernoulli(n, p), p.shape == shape
    dtype = np.dtype(np.float64 if p.dtype == np.float64 else np.float32)
    # The bits of the numbers from 0 to 1, and of no others but -0, are at most those of 1.
    bits, most = np.dtype(f"u{p.itemsize}"), np.maximum.reduce
    one = np.array(1, p.dtype).view(bits)

    def kernel(p: Array, generator: Any) -> Array:
        gen = generator_or_default(generator)
        if not n:
            return arrange(np.empty(0))
        if most(p.view(bits), None) > one:
            _check_probabilities(p)
        flat = flatten(p if same else np.broadcast_to(p, shape)).astype(dtype, copy=False)
        with gen.lock:
            return arrange(draw(gen, flat))

    return kernel


def _bernoulli_meta(self: Any, generator: Any) -> Out:
    if self.numel():
        refuse(
            self.dtype,
            {
                "bernoulli_tensor_cpu_self_": COMPLEX | UNSIGNED,
                "bernoulli_tensor_cpu_p_": NOT_REAL_FLOATING,
            },
            self,
        )
    return Out(tuple(self.shape), self.dtype)


def _bernoulli_p_meta(self: Any, p: float, generator: Any) -> Out:
    _check_p(p)
    if self.numel():
        refuse(self.dtype, {"bernoulli_scalar_cpu_": COMPLEX | UNSIGNED}, self)
    return Out(tuple(self.shape), self.dtype)


def _bernoulli_tensor_meta(self: Any, p: Any, generator: Any) -> Out:
    if p.device.type == "meta" and self.device.type != "meta":
        raise NotImplementedError("Cannot inplace into non-meta tensor with meta tensor argument")
    refuse(self.dtype, {"bernoulli_tensor_cpu_self_": COMPLEX | UNSIGNED}, self)
    refuse(p.dtype, {"bernoulli_tensor_cpu_p_": NOT_REAL_FLOATING}, self)
    if self.numel():
        _check_expands(p, self)
    return same(self)


def _check_expands(p: Any, self: Any) -> None:
    """Source: torch aten/src/ATen/native/TensorShape.cpp, expand; and ExpandUtils.cpp."""
    have, want = tuple(p.shape), tuple(self.shape)
    if len(have) > len(want):
        raise RuntimeError(
            f"expand({p.type()}{{{list(have)}}}, size={list(want)}): the number of sizes provided "
            f"({len(want)}) must be greater or equal to the number of dimensions in the tensor "
            f"({len(have)})"
        )
    for k in range(1, len(have) + 1):
        if have[-k] not in (1, want[-k]):
            raise RuntimeError(
                f"The expanded size of the tensor ({want[-k]}) must match the existing size "
                f"({have[-k]}) at non-singleton dimension {len(want) - k}.  "
                f"Target sizes: {list(want)}.  Tensor sizes: {list(have)}"
            )


def _zeros_grad(g: Any, c: Any) -> Any:
    return ops.zeros_like(g)


op(
    "bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
    says="Draw 0 or 1 for each element, which is the probability of 1.",
    meta=_bernoulli_meta,
    prepare=lambda self, gen: _prepare_bernoulli_of(fresh(self.shape, self), self),
    grad={"self": _zeros_grad},
    half=False,
    random=True,
    out=OutForm(dtype="any", quiet=True, overlap="whole"),
    out_kernel=lambda target, self, gen: _prepare_bernoulli_of(target_of(target), self)(self, gen),
    samples="bernoulli",
    tags=SEEDED,
)
op(
    "bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
    meta=_bernoulli_p_meta,
    prepare=by_place(lambda self, p: _prepare_bernoulli(fresh(self.shape, self), p), -1),
    grad=not_implemented_for("bernoulli", "self"),
    half=False,
    random=True,
    samples="bernoulli_p",
    tags=SEEDED,
)


def _prepare_bernoulli_in_place(self: Array, p: Array, gen: Any) -> Callable[..., Array]:
    kernel = _prepare_bernoulli_of(target_of(self), p)
    return lambda self, p, gen: kernel(p, gen)


op(
    "bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)",
    says="Fill the tensor with random zeros and ones; p is the probability of one.",
    meta=_bernoulli_tensor_meta,
    prepare=_prepare_bernoulli_in_place,
    grad={"self": _zeros_grad, "p": lambda g, c: ops.zeros_like(c.p)},
    half=False,
    variants="method",
    random=True,
    samples="bernoulli_tensor",
    tags=SEEDED,
    functional=OutForm("Tensor_out", meta="native"),
    devices=DeviceRule(meta=device_rules.of_memory),
    node=1,
)
fill_row(
    "bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)",
    lambda self, p: _bernoulli_p_meta(self, p, None),
    lambda self, p: _prepare_bernoulli(target_of(self), p),
    "bernoulli_number",
    functional=False,
    node=2,
)

# ------------------------------------------------------------------------- multinomial


def _multinomial_meta(self: Any, count: int, replacement: bool, generator: Any) -> Out:
    """Source: torch aten/src/ATen/native/Distributions.cpp, multinomial."""
    shape = tuple(self.shape)
    if len(shape) not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not self.dtype.is_floating_point:
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, "
            f"got: {self.dtype.scalar_type}"
        )
    if count <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and count > shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    if shape[-1] > _MOST_CATEGORIES and self.device.type != "meta":
        raise RuntimeError("number of categories cannot exceed 2^24")
    return Out((*shape[:-1], count), int64)


#: From so many elements on, it is quicker not to order all of them.
_MANY = 4096
#: float32 numbers every category up to here.
_MOST_CATEGORIES = 1 << 24


def _prepare_multinomial(
    p: Array, count: int, replacement: bool, generator: Any
) -> Callable[..., Array]:
    if not replacement or count == 1:
        return _prepare_race(p, count)
    shape = (*p.shape[:-1], count)

    def kernel(p: Array, count: int, replacement: bool, generator: Any) -> Array:
        if not p.shape[-1]:
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        rows = p.reshape(-1, p.shape[-1])
        gen = generator_or_default(generator)
        found = np.empty((len(rows), count), np.int64)
        with gen.lock:
            for i, row in enumerate(rows):
                found[i] = _with_replacement(gen, row, count)
        return found.reshape(shape)

    return kernel


def _prepare_race(p: Array, count: int) -> Callable[..., Array]:
    """Independent exponential clocks: the first to ring are the sample."""
    target = target_of(p)
    draw = drawing(target, distributions.exponential(target.numel(), 1.0))
    nothing = not p.size and bool(math.prod(p.shape[:-1]))

    def kernel(p: Array, count: int, replacement: bool, generator: Any) -> Array:
        if nothing:
            raise RuntimeError(
                "aminmax(): cannot compute aminmax over an empty dimension as the operation has "
                "no identity."
            )
        if p.size and not (p.min() >= 0 and p.max() < math.inf):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if not (np.add.reduce(p, -1) > 0).all():
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        clocks = p / draw(generator)
        if count == 1:
            return clocks.argmax(-1, keepdims=True)
        return _largest(clocks, count)

    return kernel


def _largest(a: Array, k: int) -> Array:
    """Where the *k* largest of each row are, in order; of equal ones the first."""
    n = a.shape[-1]
    if a.size > _MANY and k * 8 < n:
        places = extreme_places(a, k, True)
        if places is not None:
            order = (-np.take_along_axis(a, places, -1)).argsort(-1, kind="stable")
            return np.take_along_axis(places, order, -1)
    return (-a).argsort(-1, kind="stable")[..., :k].copy()


def _no_weight(w: float) -> RuntimeError:
    what = "= infinity or NaN" if w > 0 else "< 0"
    return RuntimeError(f"invalid multinomial distribution (encountering probability entry {what})")


def _with_replacement(gen: Generator, weights: Array, count: int) -> Array:
    if not (weights.min() >= 0 and weights.max() < math.inf):
        raise _no_weight(next(w for w in weights.tolist() if not 0 <= w < math.inf))
    steps = np.cumsum(weights, dtype=weights.dtype)
    total = steps[-1]
    if not total > 0:
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    steps = steps / total
    steps[-1] = 1
    return np.searchsorted(steps, distributions.uniform_doubles(gen, count), side="left")


op(
    "multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, "
    "Generator? generator=None) -> Tensor",
    says="Draw indices with the weights in each row. The result is int64.",
    meta=_multinomial_meta,
    prepare=_prepare_multinomial,
    random=True,
    out=OutForm(
        text="multinomial expects Long tensor out, got: {out}", quiet=True, overlap="whole"
    ),
    samples="multinomial",
    tags=SEEDED,
    batch="whole_loop",
)

# ------------------------------------------------------------------------- dropout


def check_dropout(p: float) -> None:
    """Source: torch aten/src/ATen/native/Dropout.cpp, _dropout_impl."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


def noise_for(input: Any, shape: tuple[int, ...] | None = None) -> Any:
    """Memory for noise like *input*, or of *shape*; for all samples of a batch if they differ."""
    if tls.masks(tls.state.get())[0] & K.FuncTorchVmapMode:
        batching = import_module("mindtorch.functionality.batching_random")  # seldom needed
        found = batching.fresh_noise(input, tuple(input.shape) if shape is None else shape)
        if found is not None:
            return found
    return ops.empty_like(input) if shape is None else input.new_empty(shape)


def _noise(input: Any, p: float) -> Any:
    keep = noise_for(input).bernoulli_(1 - p)
    return keep.div_(1 - p)


def _dropout(input: Any, p: float, train: bool) -> Any:
    check_dropout(p)
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return input.mul(ops.zeros((), dtype=input.dtype, device=input.device))
    if input._sig_ & S.ACCELERATORS and not input._sig_ & S.BATCHED:
        kept: Any = ops.native_dropout(input, p, train)[0]
        return kept
    return input * _noise(input, p)


def _dropout_(self: Any, p: float, train: bool) -> Any:
    check_dropout(p)
    if p == 0 or not train or self.numel() == 0:
        return self
    if p == 1:
        return self.mul_(ops.zeros((), dtype=self.dtype, device=self.device))
    return self.mul_(_noise(self, p))


op(
    "dropout(Tensor input, float p, bool train) -> Tensor",
    says="Set elements to zero with probability p and scale up the others while training.",
    composite=_dropout,
    random=True,
    variants="function",
    samples="dropout",
    tags=SEEDED,
)
op(
    "dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
    composite=_dropout_,
    random=True,
    variants="function",
    samples="dropout",
    tags=SEEDED,
)


#: Stands for a mask among the operands of a promotion.
_A_MASK = Sized(np.empty(1, bool))


def _native_dropout_meta(input: Any, p: float, train: bool | None) -> tuple[Out, Out]:
    if not input.numel():
        return like(input), like(input)
    if train is not False:
        _check_p(1 - p)
        common_dtype(input, _A_MASK)
        if not (input.dtype.is_floating_point or input.dtype.is_complex):
            raise cannot_cast(get_default_dtype(), input.dtype)  # of the scale
    return like(input), like(input, bool_)


def _prepare_native_dropout(
    input: Array, p: float, train: bool | None
) -> Callable[..., tuple[Array, Array]]:
    if not input.size:
        return lambda input, p, train: (input.copy(), input.copy())
    if train is False:
        return lambda input, p, train: (input.copy(), np.ones(input.shape, bool))
    scale = np.array(0.0 if p == 1 else 1.0 / (1.0 - p), input.dtype)
    draw = _prepare_bernoulli(target_like(input, bool_), 1 - p)

    def kernel(input: Array, p: float, train: bool | None) -> tuple[Array, Array]:
        mask = draw(None)
        return input * mask * scale, mask

    return kernel


op(
    "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
    says="Apply dropout and return the mask of the elements that were kept, too.",
    meta=_native_dropout_meta,
    prepare=_prepare_native_dropout,
    random=True,
    half=False,
    variants="function",
    grad={
        "input": lambda g, c: ops.native_dropout_backward(
            g[0], c.result1, 1.0 if c.train is False else 0.0 if c.p == 1 else 1 / (1 - c.p)
        )
    },
    out=OutForm(function=False),
    samples="dropout",
    tags=(*SEEDED, "one_gradient"),
)


def _dropout_backward_meta(g: Any, mask: Any, scale: float) -> Out:
    counts = g.dtype.is_floating_point or g.dtype.is_complex
    return out_like(g.dtype if counts else get_default_dtype(), g)


def _prepare_dropout_backward(g: Any, mask: Any, scale: float) -> Callable[..., Any]:
    dtype = g.dtype if g.dtype.kind not in "biu" else get_default_dtype().np
    return lambda g, mask, scale: g * mask * dtype.type(scale)


op(
    "native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
    meta=_dropout_backward_meta,
    prepare=_prepare_dropout_backward,
    grad={"grad_output": lambda g, c: ops.native_dropout_backward(g, c.mask, c.scale)},
    variants="",
    out=OutForm(function=False),
)
