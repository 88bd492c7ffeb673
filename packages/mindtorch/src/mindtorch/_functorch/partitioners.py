"""``torch._functorch.partitioners``: cutting of graphs into forward and backward, which refuses."""

from ..core.unavailable import offer_listed

offer_listed(globals())
