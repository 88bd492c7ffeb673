"""Parts of a device: there are none in a build without CUDA."""

from __future__ import annotations

from typing import Any

__all__ = ["GreenContext"]

SUPPORTED = False
_MISSING = "PyTorch was not built with Green Context support!"


class GreenContext:
    """A part of a device's processors."""

    @staticmethod
    def create(
        *,
        num_sms: int | None = None,
        workqueue_scope: str | None = None,
        workqueue_concurrency_limit: int | None = None,
        device_id: int | None = None,
    ) -> Any:
        """Raises RuntimeError: there is no CUDA here."""
        raise RuntimeError(_MISSING)

    @staticmethod
    def max_workqueue_concurrency(device_id: int | None = None) -> int:
        """Raises RuntimeError: there is no CUDA here."""
        raise RuntimeError(_MISSING)

    def set_context(self) -> None:
        """Raises AttributeError: there is no CUDA here."""
        super().set_context()

    def pop_context(self) -> None:
        """Raises AttributeError: there is no CUDA here."""
        super().pop_context()

    def Stream(self) -> Any:
        """Raises AttributeError: there is no CUDA here."""
        return super().Stream()
