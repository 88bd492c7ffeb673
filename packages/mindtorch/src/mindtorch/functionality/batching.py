"""The FuncTorchBatched key: one call of an op over a batch of arguments, for ``torch.vmap``.

A batched tensor looks like one sample: its shape lacks the batch dimension. It has no memory; what
it stands for is the tensor in ``_batched``. The key's kernel takes the batch dimensions to the
front, changes the arguments that count dimensions, calls the op once on whole tensors and wraps
what comes back (see ``batching_rules``). The key lies above autograd, so it is the op on whole
tensors that is recorded.

Source: torch aten/src/ATen/functorch/BatchedTensorImpl.h and BatchRulesHelper.h.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, NamedTuple

from mindtorch_autograd import is_grad_enabled
from mindtorch_dispatch import DispatchKey as K

from ..backends.composites import parts_call
from ..backends.functionality_kernels import makes_tensors
from ..call.arguments import tensors_of
from ..call.dispatch_entry import OVERLOADS, Call
from ..call.overload import IMPLICIT, INPLACE, OUT, Overload
from ..call.overload_entrance import call_again
from ..call.specialize import boxed, build
from ..core import functionality_keys
from ..core import signature as S
from ..core import vmap_errors as errors
from ..core.late_bound import LateBound
from ..tensor import Tensor, blank
from ..tensor.array_memory import phantom_array
from ..tensor.tensor_impl import alias_of
from .view_history import check_inplace

_BELOW = int(K.FuncTorchBatched) - 1
_BELOW_MODE = int(K.FuncTorchVmapMode) - 1
_RECORDING = functionality_keys.AUTOGRAD_BLOCK | int(K.ADInplaceOrView)


class Batched(NamedTuple):
    """What a batched tensor stands for."""

    value: Tensor
    bdim: int
    level: int


class Level(NamedTuple):
    """One ``vmap`` in progress."""

    number: int
    size: int
    randomness: str


#: The ``vmap``s in progress in this thread, outermost first.
levels: ContextVar[tuple[Level, ...]] = ContextVar("mindtorch_vmap_levels", default=())


class Birth(NamedTuple):
    """A level of ``grad``, ``vjp`` or ``jvp`` that is open; see ``transform_guards``.

    :ivar number: later levels have greater ones.
    :ivar depth: how many ``vmap``s are around it.
    :ivar arguments: the tensors that the function was given, by identity.
    :ivar reverse: whether it is one of reverse mode.
    """

    number: int
    depth: int
    arguments: dict[int, Any]
    reverse: bool


#: Those levels in this thread, outermost first.
births: ContextVar[tuple[Birth, ...]] = ContextVar("mindtorch_births", default=())


def shown(level: int) -> int:
    """The number that torch gives the ``vmap`` of *level*: it counts all transforms."""
    return level + sum(birth.depth < level for birth in births.get())


def bottom(t: Any) -> Any:
    """The tensor that *t* is a sample of, at whatever level; *t* itself if it is none."""
    while t._sig_ & S.BATCHED:
        t = t._batched.value
    return t


def refused_in_place(name: str, level: int) -> RuntimeError:
    """The op *name* would change what all samples share, by values that they do not."""
    return RuntimeError(errors.in_place(name, shown(level)))


def inside_of_its_vmap(t: Any) -> bool:
    """Whether a level has been opened in the ``vmap`` of which *t* is a sample."""
    return bool(births.get()) and births.get()[-1].depth >= t._batched.level


def batch(value: Tensor, bdim: int, level: int) -> Tensor:
    """A sample's view of *value*, of which dimension *bdim* is the batch's."""
    a = value._a_
    n = a.ndim
    if bdim < 0:
        bdim += n
    item = a.itemsize
    strides = tuple([s // item for i, s in enumerate(a.strides) if i != bdim])
    t: Any = blank()
    t._a_ = phantom_array(a.shape[:bdim] + a.shape[bdim + 1 :], a.dtype, strides)
    backend = value._sig_ & S.BACKENDS
    t._sig_ = S.of_array(t._a_, backend) | S.NO_MEMORY | S.BATCHED
    if value._sig_ & S.SPARSE_LAYOUTS:
        t._sig_ |= value._sig_ & S.SPARSE_LAYOUTS
        t._content_ = value._content_  # says the layout
    t._shared_ = t._state_ = t._edge_ = None
    if backend & S.ACCELERATORS:
        alias_of(t).storage = alias_of(value).storage  # knows the device
    t._batched = Batched(value, bdim, level)
    return t


def is_sample(t: Any) -> bool:
    """Whether *t* is one sample of a batch."""
    return isinstance(t, Tensor) and bool(t._sig_ & S.BATCHED)


def batched(t: Any, level: int) -> Batched | None:
    """What *t* stands for, if it is batched at *level*."""
    if is_sample(t):
        found: Batched = t._batched
        return found if found.level == level else None
    return None


def dense(value: Tensor) -> Tensor:
    """*value* without gaps between its elements."""
    return value.contiguous() if value._sig_ & S.STRIDED else value


def call_op(name: str, *args: Any) -> Any:
    """The overload *name* with all its arguments."""
    return call_again(OVERLOADS[f"aten::{name}"], args)


def front(t: Batched) -> Tensor:
    """The whole tensor with the batch dimension first."""
    value, bdim, _ = t
    if bdim == 0:
        return value
    order = [bdim, *(i for i in range(value._a_.ndim) if i != bdim)]
    return call_op("permute", value, tuple(order))


def wrap_results(result: Any, level: int) -> Any:
    """Results with the batch dimension first, as batched tensors."""
    if isinstance(result, Tensor):
        return batch(result, 0, level)
    if isinstance(result, (tuple, list)):
        return type(result)([wrap_results(r, level) for r in result])
    return result


def top_level(overload: Overload, args: tuple[Any, ...]) -> int:
    """The innermost level at which an argument is batched."""
    found = [t._batched.level for t in tensors_of(overload, args) if t._sig_ & S.BATCHED]
    return max(found)


# The rules stand on this module, and are loaded when something is batched.
falling_back = LateBound("falling_back")
random_op = LateBound("random_op")
rule_of = LateBound("rule_of")

Rule = Callable[[Overload, tuple[Any, ...], int], Any]
#: Overload -> its rule. Filled by ``batching_rules`` when the key is first met.
find_rule: Callable[[Overload], Rule]


def build_batched(overload: Overload, sig: int, mask: int) -> Call:
    """Call the op on whole tensors. Composite ops are decomposed first."""
    return falling_back(overload, _batched_call(overload, sig, mask))


def _batched_call(overload: Overload, sig: int, mask: int) -> Call:
    row = overload.row
    if row.composite is not None:
        refusal = errors.COMPOSITES.get(row.name)
        if refusal is not None:
            return _refusing(refusal)
        below = mask & _BELOW
        if not (row.batch or _reads_tensors(overload, sig, below)):
            if overload.composed in IMPLICIT:
                return build(overload, sig, below)
            return parts_call(overload, on_meta=bool(sig & S.META))  # autograd lies below
    if overload.kind == OUT:
        return _refusing(errors.no_rule(overload.name))
    if row.random:
        return random_op(overload)
    rule = rule_of(overload)
    changes, at = overload.kind == INPLACE, overload.mutable_position

    def call(*args: Any) -> Any:
        level = top_level(overload, args)
        level_of(level)
        if changes and batched(args[at], level) is not None:
            _check_leaf(args[at])
        return rule(overload, args, level)

    return call


def _reads_tensors(overload: Overload, sig: int, mask: int) -> bool:
    """Whether a composite op has a kernel for sparse or quantized tensors, which looks at them."""
    if not sig & (S.QUANTIZED | S.SPARSE_LAYOUTS):
        return False
    return makes_tensors(overload.operator.lookup(mask & ~_RECORDING).fn)


def _check_leaf(target: Any) -> None:
    """What autograd refuses to change it refuses for the tensor of all samples."""
    while target._sig_ & S.BATCHED:
        target = target._batched.value
    if target._sig_ & S.REQUIRES_GRAD and is_grad_enabled():
        check_inplace(target)


#: Ops whose results have shapes of their own, so that torch does not even try.
_SHAPED_BY_DATA = frozenset(
    ("_unique2", "nonzero", "unique_consecutive", "unique_dim", "unique_dim_consecutive")
)


def _refusing(text: str) -> Call:
    def call(*args: Any) -> Any:
        raise RuntimeError(text)

    return call


def loop(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Call the op once per sample and stack what comes back.

    Raises RuntimeError for an empty batch, and where a result is no tensor.
    """
    size = next(level_of(level)).size
    name = overload.row.name
    if name == "one_hot" and args[1] < 0:
        raise RuntimeError(errors.ONE_HOT)
    if name in _SHAPED_BY_DATA:
        raise RuntimeError(errors.dynamic_shape(overload.name))
    if name == "masked_select" and batched(args[1], level) is not None:
        raise RuntimeError(errors.MASKED_SELECT)
    if size == 0:
        return _of_no_samples(overload, args, level)
    made = [call_again(overload, sample(overload, args, level, i)) for i in range(size)]
    if overload.kind == INPLACE:
        return args[overload.mutable_position]
    return stacked(overload, made, level)


def _of_no_samples(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """What an empty batch gives: as a sample of zeros shows it, which is then left out."""

    def with_one(t: Any) -> Any:
        found = batched(t, level)
        if found is None:
            return t
        shape = list(found.value.shape)
        shape[found.bdim] = 1
        return call_op("cat", [found.value, found.value.new_zeros(shape)], found.bdim).select(
            found.bdim, 0
        )

    def without_one(made: Any) -> Any:
        if isinstance(made, (tuple, list)):
            return type(made)([without_one(m) for m in made])
        return batch(call_op("narrow", call_op("unsqueeze", made, 0), 0, 0, 0), 0, level)

    picked = list(args)
    for at in overload.tensor_positions:
        picked[at] = with_one(args[at])
    for at in overload.list_positions:
        if args[at] is not None:
            picked[at] = type(args[at])([with_one(t) for t in args[at]])
    made = call_again(overload, tuple(picked))
    return args[overload.mutable_position] if overload.kind == INPLACE else without_one(made)


def stacked(overload: Overload, made: list[Any], level: int) -> Any:
    first = made[0]
    if first is None and len(overload.schema.returns) > 1:
        return None  # a gradient that nobody asked for
    if isinstance(first, Tensor):
        if any(m._a_.shape != first._a_.shape for m in made):
            raise RuntimeError(errors.dynamic_shape(overload.name))
        if first._sig_ & S.SPARSE_LAYOUTS:  # a sample has no layout but the dense one
            first.is_contiguous()
            call_op("view", first, (-1,))
        return batch(call_op("stack", made, 0), 0, level)
    if isinstance(first, (tuple, list)):
        return type(first)([stacked(overload, list(m), level) for m in zip(*made, strict=True)])
    raise RuntimeError(errors.no_fallback(overload.name))


def sample(overload: Overload, args: tuple[Any, ...], level: int, i: int) -> tuple[Any, ...]:
    """The arguments of sample *i*."""

    def one(t: Any) -> Any:
        found = batched(t, level)
        return t if found is None else call_op("select.int", found.value, found.bdim, i)

    picked = list(args)
    for at in overload.tensor_positions:
        picked[at] = one(args[at])
    for at in overload.list_positions:
        if args[at] is not None:
            picked[at] = type(args[at])([one(t) for t in args[at]])
    return tuple(picked)


def level_of(number: int) -> Iterable[Any]:
    """The level of that number, as an iterator of one. Raises RuntimeError if it is over."""
    found = [level for level in levels.get() if level.number == number]
    if not found:
        raise RuntimeError(errors.ESCAPED)
    return iter(found)


# Random ops ---------------------------------------------------------------------------------------


def build_vmap_mode(overload: Overload, sig: int, mask: int) -> Call:
    """Inside ``vmap``, random ops are asked how samples share their numbers."""
    inner = build(overload, sig, mask & _BELOW_MODE)
    random: Call
    if "not_under_vmap" in overload.row.tags:
        random = _refusing(errors.not_drawn(overload.name))
    elif not overload.row.random or overload.row.composite is not None:
        return inner
    else:
        random = random_op(overload)

    def call(*args: Any) -> Any:
        return random(*args) if levels.get() else inner(*args)

    return call


batching = boxed(build_batched)
vmap_mode = boxed(build_vmap_mode)

__all__ = [
    "Batched",
    "Birth",
    "Level",
    "batch",
    "batched",
    "batching",
    "births",
    "bottom",
    "inside_of_its_vmap",
    "stacked",
    "levels",
    "loop",
    "refused_in_place",
    "shown",
    "vmap_mode",
]
