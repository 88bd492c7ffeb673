"""Warnings that point at the user's line, as torch's do."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from contextvars import ContextVar

__all__ = [
    "level_of_user",
    "said",
    "trial",
    "warn",
    "warn_complex_half",
    "warn_discarded",
    "warn_nested",
    "warn_once",
    "warn_resized",
]


class _Said(set[str]):
    """The warnings that were given, of those that are given once; forgetful on demand."""

    always = False

    def __contains__(self, site: object) -> bool:
        return not self.always and super().__contains__(site)

    def add(self, site: str) -> None:
        """Remember that *site* has warned, unless each call is to warn."""
        if not self.always:
            super().add(site)


#: Of all packages: ``install`` puts it in the place of their own sets.
said = _Said()


#: What is raised in place of a warning, where a call is only tried: it will be made once more.
trial: ContextVar[type[Exception] | None] = ContextVar("mindtorch_trial", default=None)


def warn_complex_half() -> None:
    """Memory of complex32 is taken. Source: torch aten/src/ATen/EmptyTensor.cpp."""
    warn_once("ComplexHalf support is experimental and many operators don't support it yet.")


def warn_discarded() -> None:
    """Complex numbers become real ones. Source: torch aten/src/ATen/native/Copy.cpp, copy_impl."""
    warn_once("Casting complex values to real discards the imaginary part", "imaginary")


def warn_nested() -> None:
    """A nested tensor of the strided layout is made.

    Source: torch aten/src/ATen/NestedTensorImpl.cpp, NestedTensorImpl.
    """
    warn_once(
        "The PyTorch API of nested tensors is in prototype stage and will change in the near "
        "future. We recommend specifying layout=torch.jagged when constructing a nested tensor, as "
        "this layout receives active development, has better operator coverage, and works with "
        "torch.compile."
    )


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn of *text* at the innermost line that is not mindtorch's own.

    The code that is generated for a call has no module name; it counts as ours.
    """
    _refuse(text)
    warnings.warn(text, category, stacklevel=level_of_user())


def _refuse(text: str) -> None:
    refusal = trial.get()
    if refusal is not None:
        raise refusal(text)


def level_of_user() -> int:
    """The ``stacklevel`` of that line, for a warning that the caller gives."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _ours(frame.f_globals.get("__name__", "mindtorch")):
        frame = frame.f_back
        level += 1
    return level


def warn_once(text: str, site: str = "") -> None:
    """Warn of *text*, if its first line, or *site*, was not warned of before in this process.

    Source: torch c10/util/Exception.h, TORCH_WARN_ONCE.
    """
    key = site or text.partition("\n")[0]
    if key not in said:
        _refuse(text)
        said.add(key)
        warn(text)


def warn_resized(have: Sequence[int], want: Sequence[int], meta: bool = False) -> None:
    """Warn that an ``out=`` with elements gets another shape.

    :param meta: in the words of torch's Meta kernels in Python, which name no other shape.

    Source: torch aten/src/ATen/native/Resize.cpp, resize_output_check;
    _prims_common/wrappers.py, _resize_output_check.
    """
    shapes = f"{list(have)}, which does not match the required output shape {list(want)}"
    if meta:
        was = f"torch.Size({list(have)})"
        shapes = f"{was} which does not match the required output shape {{str(shape)}}"
    warn(
        f"An output with one or more elements was resized since it had shape {shapes}. This "
        "behavior is deprecated, and in a future PyTorch release outputs will not be resized "
        "unless they have zero elements. You can explicitly reuse an out tensor t by resizing "
        "it, inplace, to zero elements with t.resize_(0)."
    )


def _ours(module: str) -> bool:
    # Under import_alias our modules say that they are torch's; libraries are called torch_….
    root = module.partition(".")[0]
    return root == "torch" or root.startswith("mindtorch")
