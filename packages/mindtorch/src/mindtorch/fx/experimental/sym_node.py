"""Symbols of sizes as nodes: refuse, as every size is a number."""

from __future__ import annotations

from ...core.unavailable import offer_listed

offer_listed(globals())
