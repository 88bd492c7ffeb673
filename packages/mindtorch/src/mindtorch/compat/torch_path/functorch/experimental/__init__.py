"""What functorch offered before it was settled: it stays where programs import it from."""

from mindtorch._functorch.apis import chunk_vmap
from mindtorch._functorch.batch_norm_replacement import replace_all_batch_norm_modules_
from mindtorch._functorch.eager_transforms import hessian, jacfwd, jvp
from mindtorch.func import functionalize

__all__ = [
    "chunk_vmap",
    "functionalize",
    "hessian",
    "jacfwd",
    "jvp",
    "replace_all_batch_norm_modules_",
]
