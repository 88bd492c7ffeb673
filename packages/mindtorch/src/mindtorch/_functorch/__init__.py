"""``torch._functorch``: where torch keeps what ``torch.func`` offers."""

from ..core.submodules import reached as _reached

__getattr__ = _reached(
    __name__,
    "apis batch_norm_replacement eager_transforms functional_call vmap".split(),
)
