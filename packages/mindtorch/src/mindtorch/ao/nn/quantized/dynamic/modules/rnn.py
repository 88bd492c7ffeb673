"""``torch.ao.nn.quantized.dynamic.modules.rnn``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
