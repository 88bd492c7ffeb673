"""``functorch.einops.rearrange``: the function of that name."""

from mindtorch.func.rearranging import rearrange

__all__ = ["rearrange"]
