"""How agents find each other: the names of it; there is one process."""

from __future__ import annotations

import abc
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from mindtorch.distributed import Store

__all__ = [
    "RendezvousClosedError",
    "RendezvousConnectionError",
    "RendezvousError",
    "RendezvousGracefulExitError",
    "RendezvousHandler",
    "RendezvousHandlerCreator",
    "RendezvousHandlerRegistry",
    "RendezvousInfo",
    "RendezvousParameters",
    "RendezvousStateError",
    "RendezvousStoreInfo",
    "RendezvousTimeoutError",
    "rendezvous_handler_registry",
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


class RendezvousGracefulExitError(RendezvousError):
    """Raised in a node that is no longer needed."""


@dataclass
class RendezvousStoreInfo:
    """Where the first process of a job is found."""

    MASTER_ADDR_KEY: ClassVar[str] = "MASTER_ADDR"
    MASTER_PORT_KEY: ClassVar[str] = "MASTER_PORT"
    master_addr: str
    master_port: int

    @staticmethod
    def build(
        rank: int, store: Store, local_addr: str | None, server_port: int | None = None
    ) -> RendezvousStoreInfo:
        """Tell all others through *store* where the first process is, and learn it from it."""
        if rank == 0:
            from mindtorch.distributed.elastic.utils.distributed import get_free_port

            address = local_addr or socket.getfqdn()
            port = server_port or get_free_port()
            store.set(RendezvousStoreInfo.MASTER_ADDR_KEY, address)
            store.set(RendezvousStoreInfo.MASTER_PORT_KEY, str(port))
        address = store.get(RendezvousStoreInfo.MASTER_ADDR_KEY).decode("UTF-8")
        port = int(store.get(RendezvousStoreInfo.MASTER_PORT_KEY).decode("UTF-8"))
        return RendezvousStoreInfo(master_addr=address, master_port=port)


class RendezvousInfo:
    """What a node learns from a rendezvous."""

    def __init__(
        self, store: Store, rank: int, world_size: int, bootstrap_store_info: RendezvousStoreInfo
    ) -> None:
        self._store, self._rank, self._world_size = store, rank, world_size
        self._bootstrap_store_info = bootstrap_store_info

    @property
    def store(self) -> Store:
        """What the nodes share."""
        return self._store

    @property
    def rank(self) -> int:
        """The number of the node."""
        return self._rank

    @property
    def world_size(self) -> int:
        """How many nodes there are."""
        return self._world_size

    @property
    def bootstrap_store_info(self) -> RendezvousStoreInfo | None:
        """Where the first process is found."""
        return self._bootstrap_store_info


class RendezvousHandler(abc.ABC):
    """Lets the nodes of a job find each other."""

    @abc.abstractmethod
    def get_backend(self) -> str:
        """The name of its kind."""

    @property
    def use_agent_store(self) -> bool:
        """Whether the processes of the job may use its store."""
        return False

    @abc.abstractmethod
    def next_rendezvous(self) -> RendezvousInfo:
        """Wait for the others."""

    @abc.abstractmethod
    def is_closed(self) -> bool:
        """Whether nobody can come any more."""

    @abc.abstractmethod
    def set_closed(self) -> None:
        """Let nobody come any more."""

    @abc.abstractmethod
    def num_nodes_waiting(self) -> int:
        """How many came too late and wait for the next."""

    @abc.abstractmethod
    def get_run_id(self) -> str:
        """Which job it is."""

    @abc.abstractmethod
    def shutdown(self) -> bool:
        """Give back what it holds; whether that went well."""


#: The words by which a parameter says yes or no.
_ANSWERS = {True: ("1", "true", "t", "yes", "y"), False: ("0", "false", "f", "no", "n")}


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
            return value != 0
        word = str(value).lower()
        for answer, words in _ANSWERS.items():
            if word in words:
                return answer
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


RendezvousHandlerCreator = Callable[[RendezvousParameters], RendezvousHandler]


class RendezvousHandlerRegistry:
    """Which function makes the handler of a kind."""

    _registry: dict[str, RendezvousHandlerCreator]

    def __init__(self) -> None:
        self._registry = {}

    def register(self, backend: str, creator: RendezvousHandlerCreator) -> None:
        """Let *creator* make handlers of the kind *backend*.

        Raises ValueError for no name, and for one that another function has.
        """
        if not backend:
            raise ValueError("The rendezvous backend name must be a non-empty string.")
        current = self._registry.get(backend)
        if current is not None and current != creator:
            raise ValueError(
                f"The rendezvous backend '{backend}' cannot be registered with '{creator}' as it "
                f"is already registered with '{current}'."
            )
        self._registry[backend] = creator

    def create_handler(self, params: RendezvousParameters) -> RendezvousHandler:
        """A handler for *params*. Raises ValueError for an unknown kind."""
        creator = self._registry.get(params.backend)
        if creator is None:
            raise ValueError(
                f"The rendezvous backend '{params.backend}' is not registered. Did you forget to "
                "call `register`?"
            )
        made = creator(params)
        kind = made.get_backend()
        if kind == params.backend:
            return made
        raise RuntimeError(
            f"The rendezvous backend '{kind}' does not match the requested backend "
            f"'{params.backend}'."
        )


rendezvous_handler_registry = RendezvousHandlerRegistry()
