"""``torch.jit.unsupported_tensor_ops``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
