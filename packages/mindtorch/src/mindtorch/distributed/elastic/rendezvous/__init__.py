"""How agents find each other: the names of it; there is one process."""

from __future__ import annotations

from typing import Any

__all__ = [
    "RendezvousClosedError",
    "RendezvousConnectionError",
    "RendezvousError",
    "RendezvousParameters",
    "RendezvousStateError",
    "RendezvousTimeoutError",
]


class RendezvousError(Exception):
    """Raised for what goes wrong in a rendezvous."""


class RendezvousClosedError(RendezvousError):
    """Raised where a rendezvous is closed."""


class RendezvousTimeoutError(RendezvousError):
    """Raised where a rendezvous takes too long."""


class RendezvousConnectionError(RendezvousError):
    """Raised where its store cannot be reached."""


class RendezvousStateError(RendezvousError):
    """Raised where its state is broken."""


class RendezvousParameters:
    """Parameters of a rendezvous."""

    def __init__(
        self,
        backend: str,
        endpoint: str,
        run_id: str,
        min_nodes: int,
        max_nodes: int,
        local_addr: str | None = None,
        **kwargs: Any,
    ) -> None:
        if not backend:
            raise ValueError("The rendezvous backend name must be a non-empty string.")
        if min_nodes < 1:
            raise ValueError(
                f"The minimum number of rendezvous nodes ({min_nodes}) must be greater than zero."
            )
        if max_nodes < min_nodes:
            raise ValueError(
                f"The maximum number of rendezvous nodes ({max_nodes}) must be greater than or "
                f"equal to the minimum number of rendezvous nodes ({min_nodes})."
            )
        self.backend, self.endpoint, self.run_id = backend, endpoint, run_id
        self.min_nodes, self.max_nodes = min_nodes, max_nodes
        self.config, self.local_addr = kwargs, local_addr

    def get(self, key: str, default: Any = None) -> Any:
        """A parameter."""
        return self.config.get(key, default)

    def get_as_bool(self, key: str, default: bool | None = None) -> bool | None:
        """A parameter that is true or false."""
        value = self.get(key, default)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return bool(value)
        if str(value).lower() in ("1", "true", "t", "yes", "y"):
            return True
        if str(value).lower() in ("0", "false", "f", "no", "n"):
            return False
        raise ValueError(
            f"The rendezvous configuration option '{key}' does not represent a valid boolean value."
        )

    def get_as_int(self, key: str, default: int | None = None) -> int | None:
        """A parameter that is a number."""
        value = self.get(key, default)
        try:
            return value if value is None else int(value)
        except ValueError as e:
            raise ValueError(
                f"The rendezvous configuration option '{key}' does not represent a valid integer "
                "value."
            ) from e
