"""Which kinds of rendezvous there are."""

from __future__ import annotations

from .api import RendezvousHandler, RendezvousParameters
from .api import rendezvous_handler_registry as handler_registry
from .static_tcp_rendezvous import create_rdzv_handler

__all__ = ["get_rendezvous_handler"]


def _create_static_handler(params: RendezvousParameters) -> RendezvousHandler:
    return create_rdzv_handler(params)


def _register_default_handlers() -> None:
    """Register the kinds that are there: nodes whose numbers are given."""
    handler_registry.register("static", _create_static_handler)


def get_rendezvous_handler(params: RendezvousParameters) -> RendezvousHandler:
    """A handler for *params*. Raises ValueError for an unknown kind."""
    return handler_registry.create_handler(params)
