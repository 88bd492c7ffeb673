"""Parts of a graph that CUDA graphs can hold: refuse, as a compiler does it."""

from __future__ import annotations

from ....core.unavailable import offer_listed

offer_listed(globals())
