"""What happens to symbols of sizes, recorded: refuses, as there are none."""

from __future__ import annotations

from ...core.unavailable import offer_listed

offer_listed(globals())
