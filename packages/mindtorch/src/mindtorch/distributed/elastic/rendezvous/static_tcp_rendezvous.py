"""A rendezvous of nodes whose numbers and first address are given."""

from __future__ import annotations

import datetime
import logging
from typing import cast

from mindtorch.distributed import PrefixStore, Store, TCPStore

from .api import RendezvousHandler, RendezvousInfo, RendezvousParameters, RendezvousStoreInfo
from .utils import parse_rendezvous_endpoint

__all__ = ["StaticTCPRendezvous", "create_rdzv_handler"]

logger = logging.getLogger(__name__)


class StaticTCPRendezvous(RendezvousHandler):
    """Joins nodes through a store on the first of them."""

    def __init__(
        self,
        master_addr: str,
        master_port: int,
        rank: int,
        world_size: int,
        run_id: str,
        timeout: int,
    ) -> None:
        self.master_addr, self.master_port = master_addr, master_port
        self.rank, self.world_size, self.run_id = rank, world_size, run_id
        self.timeout = datetime.timedelta(seconds=timeout)
        self._store: Store | None = None

    def get_backend(self) -> str:
        """``"static"``."""
        return "static"

    @property
    def use_agent_store(self) -> bool:
        """Whether processes use the store of the agent."""
        import os

        return os.getenv("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "0") != "1"

    def next_rendezvous(self) -> RendezvousInfo:
        """Reach the first node."""
        logger.info("Creating TCPStore as the c10d::Store implementation")
        if self._store is None:
            self._store = TCPStore(
                self.master_addr,
                self.master_port,
                self.world_size,
                self.rank == 0,
                self.timeout,
                multi_tenant=True,
            )
        store = PrefixStore(self.run_id, self._store)
        first = RendezvousStoreInfo(self.master_addr, self.master_port)
        return RendezvousInfo(store, self.rank, self.world_size, first)

    def is_closed(self) -> bool:
        """False: it is there as long as the job."""
        return False

    def set_closed(self) -> None:
        """Do nothing."""

    def num_nodes_waiting(self) -> int:
        """0: nobody comes later."""
        return 0

    def get_run_id(self) -> str:
        """Which job it is."""
        return self.run_id

    def shutdown(self) -> bool:
        """True: there is nothing to give back."""
        return True


def create_rdzv_handler(params: RendezvousParameters) -> RendezvousHandler:
    """A handler for *params*, of which ``rank`` has to be given. Raises ValueError if it is not."""
    if "rank" not in params.config:
        raise ValueError(
            "rank is absent in RendezvousParameters.Try add --node-rank to the cmd request"
        )
    if not (endpoint := params.endpoint.strip()):
        raise ValueError(
            "endpoint is absent in RendezvousParameters"
            "Try add --master-port and --master-addr to the cmd request"
        )
    address, port = parse_rendezvous_endpoint(endpoint, -1)
    if port == -1:
        raise ValueError(
            f"Port is absent in endpoint: {endpoint}. Try launching with --master-port"
        )
    rank = cast(int, params.config.get("rank"))
    return StaticTCPRendezvous(
        address,
        port,
        rank,
        params.max_nodes,
        params.run_id,
        int(params.config.get("timeout", 15 * 60)),
    )
