"""Whether new sparse tensors are checked: the switch of ``check_sparse_tensor_invariants``."""

from __future__ import annotations

from .warning import warn_once

__all__ = ["checks"]


class _Checks:
    """The switch: off, as looking at all indices takes time. Torch warns of that once."""

    #: Whether the program has said which it wants.
    explicit = False
    _enabled = False

    @property
    def enabled(self) -> bool:
        """Whether tensors are checked of which the program says nothing else."""
        return self._enabled

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        self._enabled = enabled
        self.explicit = True

    def wanted(self, given: bool | None) -> bool:
        """Whether a new tensor is checked: as *given*, else by the switch."""
        if given is not None:
            return given
        if not self.explicit:
            warn_once(_IMPLICIT)
        return self._enabled


_IMPLICIT = (
    "Sparse invariant checks are implicitly disabled. Memory errors (e.g. SEGFAULT) will occur "
    "when operating on a sparse tensor which violates the invariants, but checks incur performance "
    "overhead. To silence this warning, explicitly opt in or out. See "
    "`torch.sparse.check_sparse_tensor_invariants.__doc__` for guidance. "
)
checks = _Checks()
