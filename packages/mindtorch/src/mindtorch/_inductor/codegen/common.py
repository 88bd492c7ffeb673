"""``torch._inductor.codegen.common``: registration of writers of kernels, which refuses."""

from __future__ import annotations

from ...core.unavailable import offer_listed

offer_listed(globals())
