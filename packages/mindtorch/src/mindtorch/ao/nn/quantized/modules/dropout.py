"""``torch.ao.nn.quantized.modules.dropout``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
