"""Names of the operations in constraints on shapes."""

from __future__ import annotations

from ....core.unavailable import offer_listed

offer_listed(globals())
