"""Constraints on shapes: refuse."""

from __future__ import annotations

from ....core.unavailable import offer_listed

offer_listed(globals())
