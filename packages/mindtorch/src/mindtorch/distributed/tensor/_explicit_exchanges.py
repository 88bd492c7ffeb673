"""A block in which operators must not exchange parts of distributed tensors by themselves."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, ClassVar

from ._dtensor_spec import DTensorSpec
from ._redistribute import steps

__all__ = ["ExplicitRedistributionContext"]

logger = logging.getLogger(__name__)


class ExplicitRedistributionContext:
    """Refuses, or warns of, placements that an operator changes; ``redistribute()`` may.

    :param enable: False allows it again within another block.
    :param strict: also where nothing has to be sent.
    :param mode: ``"raise"`` or ``"warn"``.
    """

    _local: ClassVar[threading.local] = threading.local()

    def __init__(self, enable: bool = True, strict: bool = False, mode: str = "raise") -> None:
        self._enable = enable
        self._strict = strict
        if mode not in ("raise", "warn"):
            raise RuntimeError(f"Invalid mode {mode}")
        self._raise_on_redistribution = mode == "raise"

    @classmethod
    def observe_redistribution(
        cls, src_spec: DTensorSpec, dst_spec: DTensorSpec, redistribution_msg: Callable[[], str]
    ) -> None:
        """Called before an operator changes placements. Raises RuntimeError where it must not."""
        active = getattr(cls._local, "_active", None)
        if active is None or not active._enable:
            return
        if not active._strict and not _sends(src_spec, dst_spec):
            return
        if active._raise_on_redistribution:
            raise RuntimeError(redistribution_msg())
        logger.warning("%s", redistribution_msg())

    def __enter__(self) -> ExplicitRedistributionContext:
        self._prev = getattr(self._local, "_active", None)
        self._local._active = self
        return self

    def __exit__(self, *args: Any) -> None:
        self._local._active = self._prev


def _sends(have: DTensorSpec, want: DTensorSpec) -> bool:
    """Whether processes have to talk for one to become the other: all have what is replicated."""
    changes = steps(have.placements, want.placements)
    return any(have.mesh.size(i) > 1 and not before.is_replicate() for i, before, _ in changes)
