"""Asserts of what was assumed of sizes: refuses, as nothing is assumed."""

from __future__ import annotations

from ...core.unavailable import offer_listed

offer_listed(globals())
