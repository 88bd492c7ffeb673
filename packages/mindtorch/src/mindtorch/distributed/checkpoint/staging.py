"""Copies of states, which an asynchronous save writes while training goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from .._state_dict_utils import _offload_state_dict_to_cpu

__all__ = ["AsyncStager", "BlockingAsyncStager", "DefaultStager", "StagingOptions"]


@runtime_checkable
class AsyncStager(Protocol):
    """Copies a state."""

    _synchronize_after_execute: bool = True

    @property
    def should_synchronize_after_execute(self) -> bool:
        """Whether ``synchronize_staging`` is to be called at once."""
        return self._synchronize_after_execute

    def stage(self, state_dict: dict[str, Any]) -> Any:
        """A copy of the state."""
        raise NotImplementedError(f"{self.__class__.__name__} must implement stage method")

    def synchronize_staging(self) -> None:
        """Wait until the copy is done."""

    def close(self) -> None:
        """Let go of what is held."""


@dataclass
class StagingOptions:
    """How a state is copied."""

    use_pinned_memory: bool = True
    use_shared_memory: bool = True
    use_async_staging: bool = True
    use_non_blocking_copy: bool = True


class DefaultStager(AsyncStager):
    """Copies a state at once."""

    def __init__(self, config: StagingOptions | None = None) -> None:
        self._config = config or StagingOptions()

    def stage(self, state_dict: dict[str, Any], **kwargs: Any) -> Any:
        """A copy of the state on the host."""
        return _offload_state_dict_to_cpu(state_dict)

    def close(self) -> None:
        """Nothing is held."""


class BlockingAsyncStager(AsyncStager):
    """Copies a state at once, into the same memory again if wanted."""

    _synchronize_after_execute: bool = False

    def __init__(self, cache_staged_state_dict: bool = False, type_check: bool = False) -> None:
        self.cache_staged_state_dict = cache_staged_state_dict
        self.type_check = type_check
        self.state_dict_cache: Any = None

    def stage(self, state_dict: dict[str, Any]) -> dict[str, Any]:
        """A copy of the state on the host."""
        return _offload_state_dict_to_cpu(state_dict)

    def synchronize_staging(self) -> None:
        """The copy is done."""

    def close(self) -> None:
        """Nothing is held."""
