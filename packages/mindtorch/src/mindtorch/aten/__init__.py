"""The operators: their rows by family, and :mod:`~mindtorch.aten.torch`, the names made of them."""
