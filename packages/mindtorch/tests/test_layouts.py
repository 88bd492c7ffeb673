"""Layouts that factories are asked for: made where there are such tensors, never forgotten."""

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
def test_a_layout_is_made_or_refused(name):
    """By the error that torch has for a backend without the op."""
    make = FACTORIES[name]
    for layout, backend in LAYOUTS.items():
        for _ in range(3):  # what a call has learnt of its arguments' types says nothing of these
            assert make(layout=torch.strided).layout is torch.strided
            try:
                made = make(layout=layout)
            except NotImplementedError as refused:
                assert str(refused).startswith("Could not run 'aten::")
                assert f"with arguments from the '{backend}' backend" in str(refused)
            except RuntimeError as refused:
                assert "layout" in str(refused) or "size" in str(refused)
            else:
                assert made.layout is layout and layout is not torch._mkldnn
