"""Random sparse tensors for benchmarks."""

from __future__ import annotations

import math
from typing import Any

from ....aten import torch
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
            name,
            size,
            dim_parameter=dim_parameter,
            dtype=dtype,
            cuda=cuda,
            min_elements=min_elements,
            max_elements=max_elements,
        )
        self._sparse_dim, self._nnz = sparse_dim, nnz
        self._density, self._coalesced = density, coalesced

    @staticmethod
    def sparse_tensor_constructor(
        size: Any, dtype: Any, sparse_dim: int, nnz: int, is_coalesced: bool
    ) -> Any:
        """A sparse tensor of random values."""
        if isinstance(size, int):
            size = (size,) * sparse_dim
        if not all(n > 0 for n in size[:sparse_dim]) and nnz > 0:
            raise AssertionError("invalid arguments")
        drawn_in: dict[str, Any] = {
            "size": [nnz, *size[sparse_dim:]],
            "dtype": dtype,
            "device": "cpu",
        }
        floating = dtype.is_floating_point
        values = torch.rand(**drawn_in) if floating else torch.randint(1, 127, **drawn_in)
        places = torch.rand(sparse_dim, nnz, device="cpu")
        places = (places * torch.tensor(size[:sparse_dim], dtype=places.dtype)[:, None]).long()
        if not is_coalesced:  # every place twice
            places = places.repeat(1, 2)
            values = torch.cat([values, torch.randn_like(values)])
        made = torch.sparse_coo_tensor(places, values, torch.Size(size))
        return made.coalesce() if is_coalesced else made

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
            "sparse_dim": sparse_dim,
            "dense_dim": dim - sparse_dim,
            "is_hybrid": dim > sparse_dim,
            "shape": tensor.size(),
            "numel": int(tensor.numel()),
            "dtype": str(self._dtype),
            "density": density,
            "sparsity": 1.0 - density,
            "is_coalesced": tensor.is_coalesced(),
        }
        return tensor, properties
