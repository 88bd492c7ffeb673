"""``torch.sparse``: tensors of few numbers. The names are here; refused when called."""

from __future__ import annotations

from typing import Any

from ..core.unavailable import SPARSE, offer


class check_sparse_tensor_invariants:
    """Whether new sparse tensors are checked: a switch, a block, or a decorator."""

    _enabled = False

    @staticmethod
    def is_enabled() -> bool:
        """Whether they are."""
        return check_sparse_tensor_invariants._enabled

    @staticmethod
    def enable() -> None:
        """Check them."""
        check_sparse_tensor_invariants._enabled = True

    @staticmethod
    def disable() -> None:
        """Do not check them."""
        check_sparse_tensor_invariants._enabled = False

    def __init__(self, enable: bool = True) -> None:
        self.state = enable
        self.saved_state: bool | None = None

    def __enter__(self) -> None:
        if self.saved_state is not None:
            raise RuntimeError(
                "This context manager instance is already activated. Use a different context "
                "manager instance for context nesting."
            )
        self.saved_state = self.is_enabled()
        check_sparse_tensor_invariants._enabled = self.state

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        check_sparse_tensor_invariants._enabled = bool(self.saved_state)
        self.saved_state = None

    def __call__(self, mth: Any) -> Any:
        from functools import wraps

        @wraps(mth)
        def test_mth(*args: Any, **kwargs: Any) -> Any:
            with type(self)(self.state):
                return mth(*args, **kwargs)

        return test_mth


__all__ = ["check_sparse_tensor_invariants"]
offer(
    globals(),
    SPARSE,
    "addmm as_sparse_gradcheck log_softmax mm sampled_addmm softmax spdiags spsolve sum "
    "to_sparse_semi_structured",
    "SparseSemiStructuredTensor SparseSemiStructuredTensorCUSPARSELT "
    "SparseSemiStructuredTensorCUTLASS",
)


def __dir__() -> list[str]:
    return sorted(__all__)
