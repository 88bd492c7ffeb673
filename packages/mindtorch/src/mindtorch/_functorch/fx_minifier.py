"""``torch._functorch.fx_minifier``: search for the smallest graph that fails, which refuses."""

from ..core.unavailable import offer_listed

offer_listed(globals())
