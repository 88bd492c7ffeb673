"""``torch._functorch``: where torch keeps what ``torch.func`` offers."""

from ..core.submodules import reached as _reached

__getattr__ = _reached(
    __name__,
    (
        "aot_autograd apis batch_norm_replacement compilers eager_transforms functional_call "
        "fx_minifier partitioners utils vmap"
    ).split(),
)
