"""The dispatcher under the names of the design documents. It lives in ``mindtorch_dispatch``."""

from __future__ import annotations

from . import dispatcher, functionalize, keys, pipeline, registry

__all__ = ["dispatcher", "functionalize", "keys", "pipeline", "registry"]
