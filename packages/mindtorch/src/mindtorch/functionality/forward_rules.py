"""What is said of ops that torch does not offer in forward mode."""

from __future__ import annotations

from ..call.row import Row

__all__ = ["no_support", "of_memory", "unsupported"]


def no_support(base: str) -> NotImplementedError:
    """torch csrc/autograd/autograd_not_implemented_fallback.cpp."""
    return NotImplementedError(
        f"Trying to use forward AD with aten::{base} that does not support it."
    )


def unsupported(row: Row) -> NotImplementedError:
    """The same, or what torch's generated kernels say."""
    if row.tangent == "refused":
        return no_support(row.base)
    return _not_implemented_yet(
        row.base, " or submit a PR adding the implementation to derivatives.yaml"
    )


def _not_implemented_yet(base: str, more: str) -> NotImplementedError:
    return NotImplementedError(
        f"Trying to use forward AD with {base} that does not support it because it has not been "
        "implemented yet.\nPlease file an issue to PyTorch at "
        "https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml so that we can "
        f"prioritize its implementation{more}"
    )


def _cannot_resize() -> RuntimeError:
    """torch csrc/autograd/VariableTypeManual.cpp, resize_."""
    return RuntimeError("cannot resize variables that has a forward grad")


def of_memory(row: Row) -> Exception:
    """What an op says that changes which memory a tensor looks at, if that has a tangent."""
    if row.base.startswith("resize"):
        return _cannot_resize()
    return _not_implemented_yet(row.base, ".")
