"""``torch._inductor.codegen.wrapper``: the writer of calls of kernels, which refuses."""

from __future__ import annotations

from ...core.unavailable import offer_listed

offer_listed(globals())
