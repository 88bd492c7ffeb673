"""``torch.ao.pruning.sparsifier.weight_norm_sparsifier``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
