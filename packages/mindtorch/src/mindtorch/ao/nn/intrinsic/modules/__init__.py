"""``torch.ao.nn.intrinsic.modules``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

from .fused import _FusedModule

offer_listed(globals())
