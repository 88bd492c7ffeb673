"""``torch.ao.nn.quantized.modules.embedding_ops``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
