"""Samples of what only sparse tensors have. See the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def _dense(make: Maker, *shape: int) -> Any:
    """A tensor with zeros in it, which needs no gradient."""
    numbers = make(*shape, grad=False)
    if len(shape) > 1:
        numbers[0, 0] = 0
        numbers[-1, -1] = 0
    return numbers


def _coo(make: Maker, repeated: bool = False, shape: tuple[int, int] = (2, 3)) -> Any:
    """A COO matrix: sorted coordinates, or such as repeat."""
    if not repeated:
        return _dense(make, *shape).to_sparse()
    indices = make(values=[[1, 0, 0], [0, 1, 1]], dtype="int64")
    return make.torch.sparse_coo_tensor(indices, make(3, grad=False), shape)


def _parts(make: Maker) -> tuple[Any, Any]:
    return make(values=[[0, 1, 1], [2, 0, 0]], dtype="int64"), make(3)


def _rows(make: Maker) -> tuple[Any, Any, Any]:
    return (
        make(values=[0, 1, 3], dtype="int64"),
        make(values=[2, 0, 1], dtype="int64"),
        make(3),
    )


def coo_operand(make: Maker) -> Calls:
    yield call(_coo(make))
    yield call(_coo(make, repeated=True))
    yield call(_dense(make, 2, 3, 2).to_sparse(2))


def repeated_operand(make: Maker) -> Calls:
    yield call(_coo(make, repeated=True))


def bad_coo_operand(make: Maker) -> Calls:
    yield call(make(2, 3, grad=False))


def coalesced_operand(make: Maker) -> Calls:
    yield call(_coo(make))
    yield call(_dense(make, 2, 3, 2).to_sparse(2))


def bad_coalesced_operand(make: Maker) -> Calls:
    yield call(_coo(make, repeated=True))


def coalesce(make: Maker) -> Calls:
    yield from coo_operand(make)


def row_operand(make: Maker) -> Calls:
    yield call(_coo(make).to_sparse_csr())
    yield call(_dense(make, 4, 4).to_sparse_bsr((2, 2)))


def bad_row_operand(make: Maker) -> Calls:
    yield call(_coo(make))
    yield call(_coo(make).to_sparse_csc())


def column_operand(make: Maker) -> Calls:
    yield call(_coo(make).to_sparse_csc())


def bad_column_operand(make: Maker) -> Calls:
    yield call(_coo(make).to_sparse_csr())


def sparse_operand(make: Maker) -> Calls:
    yield from coo_operand(make)
    yield call(_coo(make).to_sparse_csr())


def mark_coalesced(make: Maker) -> Calls:
    yield call(_coo(make).clone(), True)
    yield call(_coo(make).clone(), False)


def coo_parts(make: Maker) -> Calls:
    yield call(*_parts(make), [2, 3])


def bad_coo_parts(make: Maker) -> Calls:
    yield call(*_parts(make), [1, 3])


def compressed_parts(make: Maker) -> Calls:
    yield call(*_rows(make), [2, 3], make.torch.sparse_csr)


def compressed_indices(make: Maker) -> Calls:
    starts, columns, _ = _rows(make)
    yield call(True, starts, columns, starts.shape[-1] - 1, 3, columns.shape[-1])
    yield call(False, starts, columns, starts.shape[-1] - 1, 3, columns.shape[-1])


def csr_parts(make: Maker) -> Calls:
    yield call(*_rows(make), [2, 3])


def csc_parts(make: Maker) -> Calls:
    yield call(*_rows(make), [3, 2])


def _blocks(make: Maker) -> tuple[Any, Any, Any]:
    starts, columns, _ = _rows(make)
    return starts, columns, make(3, 2, 2)


def bsr_parts(make: Maker) -> Calls:
    yield call(*_blocks(make), [4, 6])


def bsc_parts(make: Maker) -> Calls:
    yield call(*_blocks(make), [6, 4])


def coo_indices(make: Maker) -> Calls:
    yield call(*_parts(make))


def coo_indices_and_size(make: Maker) -> Calls:
    yield call(*_parts(make), [2, 3])
    indices, _ = _parts(make)
    yield call(indices, make(3, 2), [2, 4, 2])


def coo_dims(make: Maker) -> Calls:
    yield call(2, 1, [2, 3, 4], dtype=make.type(make.dtype), layout=make.torch.sparse_coo)


def coo_dims_and_tensors(make: Maker) -> Calls:
    kind = {"dtype": make.type(make.dtype), "layout": make.torch.sparse_coo}
    yield call(2, 0, [2, 3], *_parts(make), **kind)


def sparse_sizes(make: Maker) -> Calls:
    yield call([2, 3], dtype=make.type(make.dtype), layout=make.torch.sparse_coo)


def compressed_parts_and_size(make: Maker) -> Calls:
    kind = {"dtype": make.type(make.dtype), "layout": make.torch.sparse_csr}
    yield call(*_rows(make), [2, 3], **kind)


def _one_layout(make: Maker, name: str, parts: Any, *size: Any) -> Call:
    kind = {"dtype": make.type(make.dtype), "layout": getattr(make.torch, name)}
    return call(*parts, *size, **kind)


def csr_parts_and_size(make: Maker) -> Calls:
    yield _one_layout(make, "sparse_csr", _rows(make), [2, 3])


def csc_parts_and_size(make: Maker) -> Calls:
    yield _one_layout(make, "sparse_csc", _rows(make), [3, 2])


def bsr_parts_and_size(make: Maker) -> Calls:
    yield _one_layout(make, "sparse_bsr", _blocks(make), [4, 6])


def bsc_parts_and_size(make: Maker) -> Calls:
    yield _one_layout(make, "sparse_bsc", _blocks(make), [6, 4])


def csr_parts_alone(make: Maker) -> Calls:
    yield _one_layout(make, "sparse_csr", _rows(make))


def csc_parts_alone(make: Maker) -> Calls:
    yield _one_layout(make, "sparse_csc", _rows(make))


def bsr_parts_alone(make: Maker) -> Calls:
    yield _one_layout(make, "sparse_bsr", _blocks(make))


def bsc_parts_alone(make: Maker) -> Calls:
    yield _one_layout(make, "sparse_bsc", _blocks(make))


def to_sparse(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make(2, 3), layout=make.torch.sparse_csr)
    yield call(make(4, 4), layout=make.torch.sparse_bsr, blocksize=(2, 2))
    yield call(make(2, 3, 2), dense_dim=1)


def bad_to_sparse(make: Maker) -> Calls:
    yield call(make(4, 4), layout=make.torch.sparse_bsr)
    yield call(make(4, 4), layout=make.torch.sparse_csr, blocksize=(2, 2))


def to_sparse_dim(make: Maker) -> Calls:
    yield call(make(2, 3), 1)
    yield call(make(2, 3), 2)


def bad_to_sparse_dim(make: Maker) -> Calls:
    yield call(make(2, 3), 3)
    yield call(make(2, 3), 0)


def to_compressed(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make(2, 3, 2), 1)


def to_blocks(make: Maker) -> Calls:
    yield call(make(4, 4), (2, 2))


def bad_to_blocks(make: Maker) -> Calls:
    yield call(make(3, 3), (2, 2))


def to_dense_backward(make: Maker) -> Calls:
    yield call(make(2, 3, grad=False), _coo(make))


def sparse_mask(make: Maker) -> Calls:
    yield call(make(2, 3), _coo(make))
    yield call(make(2, 3), _coo(make, repeated=True))


def bad_sparse_mask(make: Maker) -> Calls:
    yield call(make(3, 3), _coo(make))


def sparse_projection(make: Maker) -> Calls:
    yield call(_coo(make), _coo(make))


def two_coo(make: Maker) -> Calls:
    yield call(_coo(make).clone(), _coo(make))


def two_matrices(make: Maker) -> Calls:
    if make.kind in ("float", "complex") and "16" not in make.dtype:
        yield call(_coo(make), _coo(make, shape=(3, 2)))


def sparse_and_dense(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_coo(make), make(3, 2, grad=False))


def sparse_addmm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 2), _coo(make), make(3, 2), beta=2, alpha=0.5)


def sparse_mm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_coo(make), make(3, 2))


def sspaddmm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_coo(make, shape=(2, 2)), _coo(make), make(3, 2, grad=False))


def sampled_addmm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_coo(make).to_sparse_csr(), make(2, 4), make(4, 3), beta=0.5)


def sparse_mm_reduce(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        for reduce in ("sum", "mean", "amax"):
            yield call(_coo(make).to_sparse_csr(), make(3, 2), reduce)


def sparse_mm_reduce_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        none = make.torch.empty(0, dtype=make.torch.int64)
        matrix = _coo(make).to_sparse_csr()
        yield call(matrix, make(2, 2), make(3, 2), "sum", none, [True, True])


def sparse_sum_dim(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(_coo(make), [0])
        yield call(_coo(make), [0, 1])


def sparse_sum_dim_dtype(make: Maker) -> Calls:
    yield call(_coo(make), [0], dtype=make.torch.float64)


def sparse_sum_dtype(make: Maker) -> Calls:
    yield call(_coo(make), dtype=make.torch.float64)


def sparse_sum_backward(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, grad=False).to_sparse(), _coo(make), [0])


def sparse_softmax_kernel(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_coo(make), 1, False)


def sparse_softmax(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_coo(make), 0)
        yield call(_coo(make), 1, dtype=make.torch.float64)


def sparse_softmax_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        given = _coo(make)
        yield call(given * 2, given, 1, given)


def sparse_resize(make: Maker) -> Calls:
    yield call(_coo(make).clone(), [4, 5], 2, 0)


def spdiags(make: Maker) -> Calls:
    yield call(make(2, 3), make(values=[0, 1], dtype="int64"), [3, 3])


def embedding_sparse_backward(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 2, grad=False), make(values=[1, 1, 2], dtype="int64"), 4, -1, False)


def embedding_backward_either(make: Maker) -> Calls:
    if make.kind == "float":
        indices = make(values=[1, 1, 2], dtype="int64")
        for sparse in (True, False):
            yield call(make(3, 2, grad=False), indices, 4, -1, False, sparse)


def bag_sparse_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        numbers = [[1, 1, 2], [0, 2], [0, 0, 1], [2, 1]]
        parts = [make(values=each, dtype="int64") for each in numbers]
        yield call(make(2, 2, grad=False), *parts, 4, False, 0, None)


def gather_sparse_backward(make: Maker) -> Calls:
    if make.kind == "float":
        index = make(values=[[1, 0]], dtype="int64")
        yield call(make(4, 2, grad=False), 0, index, make(1, 2, grad=False))
