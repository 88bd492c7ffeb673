"""``torch.nn.quantized.modules.embedding_ops``: names that refuse."""

from ....core.unavailable import offer_listed

offer_listed(globals())
