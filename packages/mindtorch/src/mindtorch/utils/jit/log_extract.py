"""``torch.utils.jit.log_extract``: names that refuse."""

from ...core.unavailable import offer_listed

offer_listed(globals())
