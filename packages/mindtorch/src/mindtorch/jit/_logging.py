"""``torch.jit._logging``: counters of scripts, which do not run here."""

from __future__ import annotations

from ..core.unavailable import offer_listed

offer_listed(globals())
