"""The dispatcher under the names of the design documents. It lives in ``mindtorch_dispatch``."""

from __future__ import annotations

from ..core.submodules import reached as _reached
from . import dispatcher, functionalize, keys, pipeline, registry

__all__ = ["dispatcher", "functionalize", "keys", "pipeline", "registry"]

__getattr__ = _reached(__name__, ("python",))
