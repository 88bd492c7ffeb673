"""``torch.ao.pruning.sparsifier.base_sparsifier``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
