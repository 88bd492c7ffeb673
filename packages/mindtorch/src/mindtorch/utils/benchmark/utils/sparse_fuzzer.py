"""Random sparse tensors for benchmarks."""

from __future__ import annotations

import math
from typing import Any

import mindtorch as torch

from .fuzzer import FuzzedTensor

__all__ = ["FuzzedSparseTensor"]


class FuzzedSparseTensor(FuzzedTensor):
    """A sparse tensor that is drawn.

    :param sparse_dim: the parameter that says how many dimensions are sparse.
    :param nnz: the parameter that says which share of the elements is there.
    :param coalesced: the parameter that says whether an element is there once only.
    """

    def __init__(
        self,
        name: str,
        size: tuple[str | int, ...],
        min_elements: int | None = None,
        max_elements: int | None = None,
        dim_parameter: str | None = None,
        sparse_dim: str | None = None,
        nnz: str | None = None,
        density: str | None = None,
        coalesced: str | None = None,
        dtype: Any = torch.float32,
        cuda: bool = False,
    ) -> None:
        super().__init__(
            name=name,
            size=size,
            min_elements=min_elements,
            max_elements=max_elements,
            dim_parameter=dim_parameter,
            dtype=dtype,
            cuda=cuda,
        )
        self._density = density
        self._coalesced = coalesced
        self._sparse_dim = sparse_dim
        self._nnz = nnz

    @staticmethod
    def sparse_tensor_constructor(
        size: Any, dtype: Any, sparse_dim: int, nnz: int, is_coalesced: bool
    ) -> Any:
        """A sparse tensor of random values."""
        if isinstance(size, int):
            size = (size,) * sparse_dim
        if not all(n > 0 for n in size[:sparse_dim]) and nnz > 0:
            raise AssertionError("invalid arguments")
        v_size = [nnz, *size[sparse_dim:]]
        if dtype.is_floating_point:
            v = torch.rand(size=v_size, dtype=dtype, device="cpu")
        else:
            v = torch.randint(1, 127, size=v_size, dtype=dtype, device="cpu")
        i = torch.rand(sparse_dim, nnz, device="cpu")
        i.mul_(torch.tensor(size[:sparse_dim]).unsqueeze(1).to(i))
        i = i.to(torch.long)
        if not is_coalesced:
            v = torch.cat([v, torch.randn_like(v)], 0)
            i = torch.cat([i, i], 1)
        x = torch.sparse_coo_tensor(i, v, torch.Size(size))
        return x.coalesce() if is_coalesced else x

    def _make_tensor(self, params: Any, state: Any) -> Any:
        size, _, _ = self._get_size_and_steps(params)
        density = params["density"]
        nnz = math.ceil(sum(size) * density)
        if nnz > sum(size):
            raise AssertionError(f"Expected nnz ({nnz}) to be less than sum of size ({sum(size)})")
        is_coalesced = params["coalesced"]
        sparse_dim = min(params["sparse_dim"] if self._sparse_dim else len(size), len(size))
        tensor = self.sparse_tensor_constructor(size, self._dtype, sparse_dim, nnz, is_coalesced)
        if self._cuda:
            tensor = tensor.cuda()
        dim = tensor.dim()
        properties = {
            "numel": int(tensor.numel()),
            "shape": tensor.size(),
            "is_coalesced": tensor.is_coalesced(),
            "density": density,
            "sparsity": 1.0 - density,
            "sparse_dim": sparse_dim,
            "dense_dim": dim - sparse_dim,
            "is_hybrid": dim - sparse_dim > 0,
            "dtype": str(self._dtype),
        }
        return tensor, properties
