"""``opcheck``: whether an op is what its schema and its registrations say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mindtorch_dispatch import DispatchKey

from .._ops import OpOverload, OpOverloadPacket
from .._subclasses.fake_errors import MetadataMismatchError
from .._subclasses.schema_check_mode import SchemaCheckMode
from ..autograd import grad as gradients
from ..core.tags import Tag
from ..tensor import Tensor
from .aliasing import shares_memory
from .fake import sizes_from

__all__ = ["OpCheckError", "opcheck"]


class OpCheckError(Exception):
    """An op is not what it says."""


DEFAULTS = (
    "test_schema",
    "test_autograd_registration",
    "test_faketensor",
    "test_aot_dispatch_dynamic",
)


def opcheck(
    op: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    *,
    test_utils: str | Sequence[str] = DEFAULTS,
    raise_exception: bool = True,
    atol: float | None = None,
    rtol: float | None = None,
) -> dict[str, Any]:
    """Check *op* on examples; gives back ``"SUCCESS"`` or the error for each check.

    * ``test_schema``: it changes and aliases what its schema says, and nothing else;
    * ``test_autograd_registration``: its gradient is registered at an Autograd key;
    * ``test_faketensor``: on meta its results have the shapes, dtypes and strides of real ones;
    * ``test_aot_dispatch_dynamic``, ``…_static``: forward and backward run on meta, with the
      shapes and dtypes that they have on real tensors. torch compiles the op here; there is no
      compiler to try, so *atol* and *rtol* have nothing to compare.

    Raises OpCheckError for the first check that fails, unless *raise_exception* is False.
    """
    names = (test_utils,) if isinstance(test_utils, str) else tuple(test_utils)
    if not set(names) <= set(_CHECKS):
        given = names if isinstance(test_utils, str) else test_utils
        raise ValueError(
            f"opcheck(op, ..., test_utils={given}), expected test_utils to be subset of "
            f"{tuple(_CHECKS)} but it was not"
        )
    overload = getattr(op, "_opoverload", op)
    if isinstance(overload, OpOverloadPacket):
        names_of_overloads = overload._overload_names
        if len(names_of_overloads) != 1:
            raise RuntimeError(
                "opcheck can only test operators without overloads. Got the following overloads "
                f"for {overload._qualified_op_name}: {names_of_overloads}"
            )
        overload = overload.default
    if not isinstance(overload, OpOverload):
        raise ValueError(
            "opcheck(op, ...): op must be instance of torch._ops.OpOverload, e.g. "
            f"torch.ops.aten.sin.default, got {type(op)}"
        )
    found: dict[str, Any] = {}
    for name in names:
        try:
            _CHECKS[name](overload, args, kwargs or {})
        except Exception as error:
            if raise_exception:
                raise OpCheckError(
                    f"opcheck(op, ...): {name} failed with {error} (scroll up for stack trace)"
                ) from error
            found[name] = error
        else:
            found[name] = "SUCCESS"
    return found


Check = Callable[[OpOverload, Any, dict[str, Any]], None]


def _copied(value: Any, copy: Callable[[Tensor], Tensor]) -> Any:
    """*value* with a copy in place of each tensor."""
    if isinstance(value, Tensor):
        return copy(value)
    if isinstance(value, (list, tuple)):
        return type(value)([_copied(v, copy) for v in value])
    if isinstance(value, dict):
        return {k: _copied(v, copy) for k, v in value.items()}
    return value


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _tensors(inner)


def _clone(t: Tensor) -> Tensor:
    made = t.detach().clone()
    return made.requires_grad_() if t.requires_grad else made


def _meta(t: Tensor) -> Tensor:
    made = t.detach().to("meta")
    return made.requires_grad_() if t.requires_grad else made


def _inputs(args: Any, kwargs: dict[str, Any], copy: Callable[[Tensor], Tensor]) -> Any:
    copies = _copied(tuple(args), copy), _copied(kwargs, copy)
    return copies


def _schema(op: OpOverload, args: Any, kwargs: dict[str, Any]) -> None:
    args, kwargs = _inputs(args, kwargs, _clone)
    with SchemaCheckMode():
        op(*args, **kwargs)


def _autograd_registration(op: OpOverload, args: Any, kwargs: dict[str, Any]) -> None:
    args, kwargs = _inputs(args, kwargs, _clone)
    if not any(t.requires_grad for t in _tensors((args, tuple(kwargs.values())))):
        return
    operator = op._operator
    if operator.has_kernel(DispatchKey.CompositeImplicitAutograd) or any(
        operator.has_kernel(key)
        for key in (
            DispatchKey.Autograd,
            DispatchKey.AutogradCPU,
            DispatchKey.AutogradPrivateUse1,
        )
    ):
        return
    results = op(*args, **kwargs)
    if any(t.requires_grad for t in _tensors(results)):
        raise AssertionError(
            f"{op.name()}: at least one output of this operator has requires_grad=True but the "
            "operator does not have an autograd kernel defined at an autograd key (e.g. "
            "DispatchKey::Autograd). This could mean that you have incorrectly registered an "
            "autograd kernel to a non-Autograd DispatchKey, which may lead to silently incorrect "
            "results. If your operator consists of regular PyTorch operations, consider not using "
            "an operator at all or registering your operator as CompositeImplicitAutograd. If you "
            "have an autograd.Function registered to a backend (CPU/CUDA/XPU) key, the correct "
            "location for it is the Autograd key."
        )


#: Sizes that a fake implementation leaves open, and what it makes of them, are greater than this.
_OPEN = 1 << 24
_FIRST_OPEN = _OPEN << 8


def _open_size(least: int, greatest: int | None) -> int:
    return _FIRST_OPEN


def _shown(size: int) -> str:
    return "u0" if size == _FIRST_OPEN else str(size)


def _needs_numbers(op: OpOverload) -> bool:
    """Whether *op* says that nothing is known of its result without data."""
    return Tag.dynamic_output_shape in op.tags or Tag.data_dependent_output in op.tags


def _faketensor(op: OpOverload, args: Any, kwargs: dict[str, Any]) -> None:
    if _needs_numbers(op):
        return
    real_args, real_kwargs = _inputs(args, kwargs, _clone)
    fake_args, fake_kwargs = _inputs(args, kwargs, _meta)
    real = list(_tensors(op(*real_args, **real_kwargs)))
    with sizes_from(_open_size):
        fake = list(_tensors(op(*fake_args, **fake_kwargs)))
    _same_facts(f"the output of {op}", real, fake)
    _same_aliases(op, (real_args, real_kwargs, real), (fake_args, fake_kwargs, fake))


def _same_aliases(op: OpOverload, real: Any, fake: Any) -> None:
    """Raises MetadataMismatchError where *fake* results are, or share, something else."""
    for name, holds in _ALIASES.items():
        found, wanted = holds(*fake), holds(*real)
        if found != wanted:
            raise MetadataMismatchError(
                f"When comparing the output of {op} on FakeTensor and concrete Tensors, found "
                f"mismatch in {name} check {found} != {wanted}"
            )


def _alias_inputs(args: Any, kwargs: dict[str, Any], results: list[Any]) -> bool:
    return any(shares_memory(args, kwargs, result) for result in results)


def _are_inputs(args: Any, kwargs: dict[str, Any], results: list[Any]) -> bool:
    given = [id(t) for t in _tensors((args, tuple(kwargs.values())))]
    return any(id(result) in given for result in results)


def _alias_each_other(args: Any, kwargs: dict[str, Any], results: list[Any]) -> bool:
    return any(shares_memory(tuple(results[:i]), {}, r) for i, r in enumerate(results))


_ALIASES: dict[str, Callable[[Any, dict[str, Any], list[Any]], bool]] = {
    "outputs_alias_inputs": _alias_inputs,
    "outputs_are_inputs": _are_inputs,
    "outputs_alias_each_other": _alias_each_other,
}


def _same_facts(what: str, real: list[Any], fake: list[Any], *, strides: bool = True) -> None:
    start = (
        f"When comparing {what} on FakeTensor and concrete Tensors, found mismatched tensor "
        "metadata:"
    )
    if len(real) != len(fake):
        raise MetadataMismatchError(f"{start} {len(real)} and {len(fake)} tensors")
    for a, b in zip(real, fake, strict=True):
        if (a is None) != (b is None):
            raise MetadataMismatchError(f"{start} one of the two is None")
        if a is None:
            continue
        is_open = any(n > _OPEN for n in b.shape)
        if a.dim() != b.dim() or any(n != m <= _OPEN for n, m in zip(a.shape, b.shape)):
            shown = f"torch.Size([{', '.join(map(_shown, b.shape))}])" if is_open else b.shape
            raise MetadataMismatchError(f"{start} Shapes {a.shape} and {shown} are not equal!")
        if a.dtype != b.dtype:
            raise MetadataMismatchError(f"{start} Dtypes {a.dtype} and {b.dtype} are not equal!")
        at = _other_stride(a, b) if strides and not is_open else None
        if at is not None:
            raise MetadataMismatchError(
                f"{start} Stride mismatch! Strides are {a.stride()} and {b.stride()} "
                f"(mismatched at {at})!"
            )
        if strides and a.storage_offset() != b.storage_offset():
            raise MetadataMismatchError(f"{start}  mismatched storage offset")


def _other_stride(a: Any, b: Any) -> int | None:
    """The first dimension along which elements lie otherwise; none where there is but one."""
    if not a.numel():
        return None
    sizes = zip(a.shape, a.stride(), b.stride(), strict=True)
    return next((i for i, (n, s, t) in enumerate(sizes) if n > 1 and s != t), None)


def _gradients(op: OpOverload, args: Any, kwargs: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    results = list(_tensors(op(*args, **kwargs)))
    wanted = [t for t in _tensors((args, tuple(kwargs.values()))) if t.requires_grad]
    roots = [t for t in results if t.requires_grad]
    if not wanted or not roots:
        return results, []
    ones = [t.detach().new_ones(t.shape) for t in roots]
    return results, list(gradients(roots, wanted, ones, allow_unused=True))


def _ahead_of_time(op: OpOverload, args: Any, kwargs: dict[str, Any]) -> None:
    if _needs_numbers(op):
        return
    _, real_gradients = _gradients(op, *_inputs(args, kwargs, _clone))
    with sizes_from(_open_size):
        _, fake_gradients = _gradients(op, *_inputs(args, kwargs, _meta))
    _same_facts(f"the gradients of {op}", real_gradients, fake_gradients, strides=False)


_CHECKS: dict[str, Check] = {
    "test_schema": _schema,
    "test_autograd_registration": _autograd_registration,
    "test_faketensor": _faketensor,
    "test_aot_dispatch_static": _ahead_of_time,
    "test_aot_dispatch_dynamic": _ahead_of_time,
}
