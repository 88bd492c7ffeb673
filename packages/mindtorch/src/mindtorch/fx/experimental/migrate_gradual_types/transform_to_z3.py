"""Constraints written for the solver, which is not there."""

from __future__ import annotations

from ....core.unavailable import offer_listed

offer_listed(globals())
