"""``torch.ao.nn.intrinsic``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

from .modules.fused import _FusedModule

offer_listed(globals())
