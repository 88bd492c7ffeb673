"""Tensors with a functionality of their own: which keys they bring, and who has a kernel there."""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.tensor.sparse_content import Coo, sparse_tensor


def _ours():
    indices, values = mindtorch.tensor([[0, 1], [1, 0]]), mindtorch.tensor([1.0, 2.0])
    return sparse_tensor(Coo(indices, values), (2, 3))


def _theirs():
    return torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 3))


def test_the_functionality_stands_in_place_of_the_dense_key():
    ours, theirs = mindtorch._C._dispatch_keys(_ours()), torch._C._dispatch_keys(_theirs())
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("name", ("cos", "exp", "max"))
def test_an_op_without_a_kernel_there_is_refused_in_torchs_words(name):
    with pytest.raises(NotImplementedError) as want:
        getattr(torch, name)(_theirs())
    for _ in range(4):  # refused each time, also once calls become known
        with pytest.raises(NotImplementedError) as got:
            getattr(mindtorch, name)(_ours())
    sentence = str(want.value).partition(". ")[0]
    assert "SparseCPU" in sentence
    assert str(got.value).startswith(sentence)


def test_what_a_sparse_tensor_says_of_itself():
    ours, theirs = _ours(), _theirs()
    assert str(ours.layout) == str(theirs.layout)
    for name in ("is_sparse", "is_sparse_csr", "is_quantized", "ndim", "requires_grad"):
        assert getattr(ours, name) == getattr(theirs, name), name
    for name in ("stride", "numel", "dim", "is_contiguous", "storage_offset", "element_size"):
        assert getattr(ours, name)() == getattr(theirs, name)(), name


@pytest.mark.parametrize("name", ("data_ptr", "untyped_storage"))
def test_there_is_no_memory(name):
    with pytest.raises((RuntimeError, NotImplementedError)) as want:
        getattr(_theirs(), name)()
    with pytest.raises(want.type) as got:
        getattr(_ours(), name)()
    assert str(got.value) == str(want.value)
