"""``torch.autograd.forward_ad``: derivatives carried along with the values."""

from __future__ import annotations

from types import TracebackType
from typing import Any, NamedTuple

from mindtorch_autograd.grad_mode import _Decorator, _Setting, is_inference_mode_enabled

from ..core import signature as S
from ..core import vmap_errors
from ..core.operators import ops
from ..functionality import transforms
from ..functionality.tangents import (
    attach,
    below,
    close_level,
    enabled,
    laid_out_like,
    open_level,
    open_levels,
    size_of_tangent,
    tangent_of,
)
from ..tensor import Tensor

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]

_LEVEL = 0


def _current() -> int:
    return _LEVEL if any(number == _LEVEL for number, _ in open_levels.get()) else -1


def __getattr__(name: str) -> Any:
    if name == "_current_level":  # a number of the module in torch
        return _current()
    raise AttributeError(f"module 'torch.autograd.forward_ad' has no attribute '{name}'")


def enter_dual_level() -> int:
    """Open the level at which tensors can be made dual; return its number.

    Raises RuntimeError if it is open: there is one.
    """
    if open_levels.get():
        raise nested_level()
    open_level(_LEVEL)
    return _LEVEL


def nested_level() -> RuntimeError:
    """Source: torch csrc/autograd/forward_grad.h, get_next_idx."""
    return RuntimeError("Nested forward mode AD is not supported at the moment")


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level; all tangents are gone.

    Raises RuntimeError if none, or another than *level*, is the last one opened.
    """
    current = _current()
    if level is None:
        level = current
    if level != current:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This "
            "is not supported."
        )
    if level < 0:
        raise RuntimeError("Dual level must be a positive number.")
    close_level(level)


class UnpackedDualTensor(NamedTuple):
    """The parts of a dual tensor; *tangent* is None where it has none."""

    primal: Any
    tangent: Any


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Any:
    """A view of *tensor* whose tangent is *tangent*.

    Raises RuntimeError outside of a level, for shapes that differ, and where either has a tangent
    already; ValueError for dtypes that have no gradients.
    """
    current = _current()
    if level is None:
        level = current
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    check_dual(tensor, tangent)
    _check_level(level, "_make_dual")
    if (tensor._sig_ | tangent._sig_) & S.BATCHED:
        refuse_dual_samples()
    if is_inference_mode_enabled():
        return tensor.view_as(tensor)  # in the mode nothing is tracked
    if level != _LEVEL:
        raise RuntimeError("Invalid level given to _make_dual")
    if level != current:
        raise RuntimeError(
            "Trying to access a forward AD level with an invalid index. This index was either not "
            "created or is already deleted."
        )
    return make_dual_at(tensor, tangent, level)


def refuse_dual_samples() -> None:
    """Raise RuntimeError in a user's ``vmap``: torch makes no dual tensors of samples there."""
    if not transforms.is_own():
        raise RuntimeError(vmap_errors.no_rule("aten::_make_dual"))


def check_dual(tensor: Any, tangent: Any) -> None:
    """Raise ValueError unless both are of a dtype that has gradients."""
    for what, t in (("primal", tensor), ("tangent", tangent)):
        if not (t.is_floating_point() or t.is_complex()):
            raise ValueError(f"Expected {what} to be floating point or complex, but got: {t.dtype}")


def make_dual_at(tensor: Any, tangent: Any, level: int) -> Any:
    """The same at a level that is known to be open."""
    if tangent_of(tensor, level) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the "
            f"same level {level} is not supported."
        )
    if tangent_of(tangent, level) is not None:
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same level"
            f"{level} is not supported."
        )
    if tangent.shape != tensor.shape:
        raise size_of_tangent(tensor, tangent)
    if (tensor._sig_ | tangent._sig_) & S.BATCHED:
        from ..func import whole  # not before something is batched

        # Contiguous: a tangent is laid out like its tensor, and samples may share memory.
        dual = make_dual_at(whole.whole(tensor).contiguous(), whole.whole(tangent), level)
        return whole.samples(dual)
    by_alias = level != _LEVEL or tensor._sig_ & S.PYTHON  # what a class sees of it
    dual = ops.alias(tensor) if by_alias else tensor.view_as(tensor)
    if dual._a_.strides != tensor._a_.strides:  # of size one: a view makes them up anew
        dual._a_ = tensor._a_.view()
        dual._meta_ = S.STALE
    attach(dual, level, laid_out_like(tangent, dual))
    return dual


def _check_level(level: Any, op: str) -> None:
    """Raise TypeError for what torch's ops do not take as a number of a level."""
    if isinstance(level, (bool, float)):
        kind = type(level).__name__
        raise TypeError(f"{op}(): argument 'level' must be int, not {kind}")


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """The value of *tensor*, as a view without tangent, and its tangent or None."""
    if level is None:
        level = _current()
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not "
            f"{type(tensor).__name__}"
        )
    _check_level(level, "_unpack_dual")
    if (
        level != _LEVEL
        and not is_inference_mode_enabled()
        and tangent_of(tensor, _LEVEL) is not None
    ):
        raise RuntimeError("Invalid level given to _fw_primal")
    tangent = None if is_inference_mode_enabled() else tangent_of(tensor, level)
    return UnpackedDualTensor(primal_of(tensor, level), tangent)


def primal_of(tensor: Any, level: int) -> Any:
    """A view of *tensor* without its tangents of *level* on."""
    plain = below(tensor, level)
    return ops.alias(plain) if level != _LEVEL else ops._fw_primal(plain, level)


class dual_level(_Decorator):
    """Open the level for the body."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        exit_dual_level()


def _is_fwd_grad_enabled() -> bool:
    """Whether results get tangents in this thread."""
    return enabled.get()


class _set_fwd_grad_enabled(_Setting):
    """Switch that on or off: at once, and as a context manager until its end."""

    variable = enabled
