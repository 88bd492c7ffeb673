"""``torch.ao.pruning.sparsifier.base_sparsifier``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
