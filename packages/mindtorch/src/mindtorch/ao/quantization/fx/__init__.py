"""``torch.ao.quantization.fx``: operators on plain dtypes, and names that refuse."""

from mindtorch.core.unavailable import offer_listed

from . import _decomposed as _decomposed  # defines its operators

offer_listed(globals())
