"""Layouts that this build has no tensors of: refused where a call is read, never forgotten."""

import mindtorch as torch
import pytest

LAYOUTS = {
    torch.sparse_coo: "SparseCPU",
    torch.sparse_csr: "SparseCsrCPU",
    torch.sparse_csc: "SparseCsrCPU",
    torch.sparse_bsr: "SparseCsrCPU",
    torch.sparse_bsc: "SparseCsrCPU",
    torch._mkldnn: "MkldnnCPU",
}
X = torch.ones(2, 2)
#: Functions, methods and operators that make a tensor.
FACTORIES = {
    "empty": lambda **options: torch.empty(2, 2, **options),
    "zeros": lambda **options: torch.zeros((2, 2), **options),
    "full": lambda **options: torch.full((2, 2), 1.0, **options),
    "rand": lambda **options: torch.rand(2, 2, **options),
    "randint": lambda **options: torch.randint(5, (2, 2), **options),
    "arange": lambda **options: torch.arange(2, **options),
    "eye": lambda **options: torch.eye(2, **options),
    "empty_like": lambda **options: torch.empty_like(X, **options),
    "new_zeros": lambda **options: X.new_zeros(2, 2, **options),
    "aten.empty": lambda **options: torch.ops.aten.empty([2, 2], **options),
    "aten.zeros.default": lambda **options: torch.ops.aten.zeros.default([2, 2], **options),
}


@pytest.mark.parametrize("name", FACTORIES)
def test_layouts_without_a_backend_are_refused(name):
    """By the error that torch has for a backend which a build left out."""
    make = FACTORIES[name]
    for layout, backend in LAYOUTS.items():
        for _ in range(3):  # what a call has learnt of its arguments' types says nothing of these
            assert make(layout=torch.strided).layout is torch.strided
            with pytest.raises(NotImplementedError) as refused:
                make(layout=layout)
            assert str(refused.value) == (
                f"Could not run 'aten::empty.memory_format' with arguments from the '{backend}' "
                "backend. This could be because the operator doesn't exist for this backend, or "
                "was omitted during the selective/custom build process (if using custom build)."
            )
