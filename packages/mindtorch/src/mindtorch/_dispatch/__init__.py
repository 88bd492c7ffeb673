"""The dispatcher under the names of the design documents. It lives in ``mindtorch_dispatch``."""

from __future__ import annotations

from . import dispatcher, keys, pipeline, registry

__all__ = ["dispatcher", "keys", "pipeline", "registry"]
