"""``torch.ao.nn.quantized``: layers of quantized tensors, and names that refuse."""

from mindtorch.core.unavailable import offer_listed
from mindtorch.nn.modules.pooling import MaxPool2d as MaxPool2d

offer_listed(globals())
