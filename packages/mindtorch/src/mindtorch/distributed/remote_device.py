"""A device of another process, by a name or a rank."""

from __future__ import annotations

from typing import Any

import mindtorch as torch

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
        self._device: Any = None
        if isinstance(remote_device, torch.device):
            self._device = remote_device
        elif isinstance(remote_device, str):
            fields = remote_device.split("/")
            if len(fields) == 2:
                self._worker_name, self._device = fields
            elif len(fields) == 1 and self._is_valid_local_device(fields[0]):
                self._device = fields[0]
            elif len(fields) == 1:
                self._worker_name, self._device = fields[0], "cpu"
            else:
                raise ValueError(problem)
        else:
            raise TypeError(f"Invalid type for remote_device: {type(remote_device)}")
        if self._worker_name is not None and not self._worker_name:
            raise ValueError(problem)
        self._device = torch.device(self._device)
        if self._worker_name is not None and ":" in self._worker_name:
            kind, _, rank = self._worker_name.partition(":")
            if kind == "rank" and rank.isdigit():
                self._rank, self._worker_name = int(rank), None
            else:
                raise ValueError(problem)

    @staticmethod
    def _is_valid_local_device(device: Any) -> bool:
        try:
            torch.device(device)
            return True
        except Exception:
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
        if self._device is not None:
            if self._worker_name is not None:
                return f"{self._worker_name}/{self._device}"
            if self._rank is not None:
                return f"rank:{self._rank}/{self._device}"
            return str(self._device)
        return f"{self._worker_name}"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _remote_device)
            and self._worker_name == other._worker_name
            and self._device == other._device
            and self._rank == other._rank
        )

    def __hash__(self) -> int:
        return hash((self._worker_name, self._device, self._rank))
