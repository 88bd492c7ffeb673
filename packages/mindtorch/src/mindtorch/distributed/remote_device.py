"""A device of another process, by a name or a rank."""

from __future__ import annotations

from typing import Any

from ..aten import torch

__all__ = ["_remote_device"]


class _remote_device:
    """``worker/device``, ``rank:N/device`` or a device of this process."""

    def __init__(self, remote_device: Any) -> None:
        problem = (
            f"Could not parse remote_device: {remote_device}. The valid format is "
            "'<workername>/<device>' or 'rank:<rank>/<device>' or '<device>'"
        )
        self._worker_name: str | None = None
        self._rank: int | None = None
        device = remote_device
        if isinstance(remote_device, str):
            self._worker_name, device = self._split(remote_device, problem)
        elif not isinstance(remote_device, torch.device):
            raise TypeError(f"Invalid type for remote_device: {type(remote_device)}")
        self._device = torch.device(device)
        kind, colon, rank = (self._worker_name or "").partition(":")
        if colon:
            if kind != "rank" or not rank.isdigit():
                raise ValueError(problem)
            self._rank, self._worker_name = int(rank), None

    @classmethod
    def _split(cls, text: str, problem: str) -> tuple[str | None, str]:
        """The process and its device; None is this process. ValueError says *problem*."""
        name, slash, device = text.partition("/")
        if not slash and cls._is_valid_local_device(text):
            return None, text
        if not name or "/" in device:
            raise ValueError(problem)
        return name, device if slash else "cpu"

    @staticmethod
    def _is_valid_local_device(device: Any) -> bool:
        try:
            return torch.device(device) is not None
        except Exception:  # whatever it may be
            return False

    def worker_name(self) -> str | None:
        """The name of the process."""
        return self._worker_name

    def rank(self) -> int | None:
        """The rank of the process."""
        return self._rank

    def device(self) -> Any:
        """The device in that process."""
        return self._device

    def __repr__(self) -> str:
        rank = None if self._rank is None else f"rank:{self._rank}"
        where = rank if self._worker_name is None else self._worker_name
        if self._device is None:
            return str(self._worker_name)
        return str(self._device) if where is None else f"{where}/{self._device}"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _remote_device)
            and self._worker_name == other._worker_name
            and self._device == other._device
            and self._rank == other._rank
        )

    def __hash__(self) -> int:
        return hash((self._worker_name, self._device, self._rank))
