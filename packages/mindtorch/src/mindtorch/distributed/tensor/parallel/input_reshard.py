"""``torch.distributed.tensor.parallel.input_reshard``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
