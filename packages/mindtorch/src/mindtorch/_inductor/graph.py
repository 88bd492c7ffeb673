"""``torch._inductor.graph``: lowering of graphs, which refuses."""

from __future__ import annotations

from ..core.unavailable import offer_listed

offer_listed(globals())
