"""``torch._inductor.async_compile``: compiling in other processes, which refuses."""

from __future__ import annotations

from ..core.unavailable import offer_listed

offer_listed(globals())
