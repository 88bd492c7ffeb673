"""``torch._functorch``: where torch keeps what ``torch.func`` offers."""

from ..core.submodules import reached as _reached

__getattr__ = _reached(
    __name__,
    (
        "aot_autograd apis autograd_function batch_norm_replacement compilers deprecated "
        "eager_transforms functional_call fx_minifier make_functional partitioners utils vmap"
    ).split(),
)
