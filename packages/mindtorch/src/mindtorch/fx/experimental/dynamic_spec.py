"""Which sizes of a program may change: kinds of such promises, which refuse."""

from __future__ import annotations

from ...core.unavailable import offer_listed

offer_listed(globals())
