"""``ops.cat(...)``: functions of mindtorch for gradient formulas, without an import cycle.

Rows are imported while ``mindtorch`` itself is; its functions exist only afterwards. A name is
looked up when a formula first needs it and then kept as an attribute. Helpers of gradients
(``threshold_backward``, ``_to_copy``) are called with all their arguments and skip the parser.
"""

from __future__ import annotations

from typing import Any

__all__ = ["conj", "ops"]


class _Functions:
    """The ops by name: ``torch.x`` where there is one, else ``torch._C._nn.x``, ``torch.ops``."""

    def __getattr__(self, name: str) -> Any:
        import mindtorch

        found = getattr(mindtorch, name, None)
        if found is None:
            found = getattr(mindtorch._C._nn, name, None)
        if found is None:
            found = getattr(mindtorch.ops.aten, name)
        setattr(self, name, found)
        return found


ops = _Functions()


def conj(x: Any) -> Any:
    """The complex conjugate of a tensor or number; real ones come back as they are."""
    dtype = getattr(x, "dtype", None)
    if dtype is not None:
        return x.conj() if dtype.is_complex else x
    return x.conjugate() if isinstance(x, complex) else x
