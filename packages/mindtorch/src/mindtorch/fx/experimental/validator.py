"""Guards on sizes that a solver checks: refuse, as there are none."""

from __future__ import annotations

from ...core.unavailable import offer_listed

offer_listed(globals())
