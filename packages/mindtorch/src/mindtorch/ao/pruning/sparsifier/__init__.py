"""``torch.ao.pruning.sparsifier``: which numbers of a parameter become zero."""
