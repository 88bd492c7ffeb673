"""``torch.distributed.autograd``: gradients over remote calls, which need several processes."""

from __future__ import annotations

from typing import Any

__all__ = ["context", "is_available"]


def is_available() -> bool:
    """Whether gradients flow over remote calls: not yet."""
    return False


class context:
    """A context of gradients over remote calls; refused, for there are none."""

    def __enter__(self) -> Any:
        raise RuntimeError("gradients over remote calls are not available: there is no RPC yet")

    def __exit__(self, *exc: Any) -> None: ...
