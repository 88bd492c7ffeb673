"""``torch.distributed.nn.jit.templates.remote_module_template``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
