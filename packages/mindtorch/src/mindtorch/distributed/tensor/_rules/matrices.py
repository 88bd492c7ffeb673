"""Rules of products of matrices, which are sums over named dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .._dtensor_spec import DTensorSpec, TensorMeta
from .._sharding import Call, Choice, Known, family, sharding_rule
from ..placement_types import Partial, Placement, Replicate, Shard
from .families import _own_dim

__all__: list[str] = []

_REPLICATE = Replicate()


def _placed(letters: str, cut: str) -> Placement:
    return Shard(letters.index(cut)) if cut in letters else _REPLICATE


def products(call: Call, equation: str, added: Sequence[int] | None = None) -> Iterable[Choice]:
    """The choices of a product that einsum would write so.

    What is cut along a dimension that is summed gives parts of the sum; and the product is linear
    in each factor.

    :param added: the shape of a first argument that is added to the product.
    """
    operands, result = equation.split("->")
    shape = call.metas[0].shape if call.metas[0] is not None else ()
    for letter in dict.fromkeys(operands.replace(",", "")):
        inputs: list[Placement] = [_placed(letters, letter) for letters in operands.split(",")]
        output: Placement = Shard(result.index(letter)) if letter in result else Partial()
        if added is not None:
            inputs.insert(0, _beside(output, added, shape))
        yield call.choice([output], inputs)
    for name in Partial.LINEAR_REDUCE_OPS:
        partial = Partial(name)
        for inputs in ([partial, _REPLICATE], [_REPLICATE, partial]):
            yield call.choice([partial], inputs if added is None else [partial, *inputs])


def _beside(output: Placement, added: Sequence[int], shape: Sequence[int]) -> Placement:
    """How what is added has to lie beside a product that lies as *output*."""
    if not isinstance(output, Shard):
        return output
    own = _own_dim(added, shape, output.dim)
    return _REPLICATE if own is None else Shard(own)


@family
def _products(call: Call) -> Known | None:
    """Rows that say which products are summed."""
    equation = call.row.said("einsum") if call.row is not None else ""
    if not equation:
        return None
    adds = len(call.tensors) > equation.count(",") + 1
    return Known(lambda c, i: products(c, equation, c.tensors[0].shape if adds else None))


def _each_matrix(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """The last two dimensions belong together, and those before are of independent matrices."""
    lead = call.tensors[0]
    if not all(_is_beside(spec, lead) for spec in call.tensors):
        return
    for dim in range(lead.ndim - 2):
        if len({spec.shape[dim] for spec in call.tensors}) == 1:
            outputs = [_of_batch(meta, dim, lead.shape[dim]) for meta in call.metas]
            yield call.choice(outputs, [Shard(dim)] * len(call.tensors))
    assert call.row is not None
    if call.row.tangent == "linear":
        for name in Partial.LINEAR_REDUCE_OPS:
            yield call.same(Partial(name))


def _is_beside(spec: DTensorSpec, lead: DTensorSpec) -> bool:
    """Whether a tensor has a matrix for each matrix of *lead*; of whole numbers, rows of them."""
    meta = spec.tensor_meta
    assert meta is not None
    exact = not (meta.dtype.is_floating_point or meta.dtype.is_complex)
    return bool(spec.ndim == lead.ndim or (exact and spec.ndim == lead.ndim - 1))


def _of_batch(meta: TensorMeta | None, dim: int, size: int) -> Placement:
    """How a result lies for matrices that are cut along *dim*: one that is left out is empty."""
    there = meta is not None and len(meta.shape) > dim and meta.shape[dim] == size
    return Shard(dim) if there else _REPLICATE


@family
def _of_matrices(call: Call) -> Known | None:
    """Rows of ops on matrices, each for itself."""
    return Known(_each_matrix) if call.row and "of_matrices" in call.row.tags else None


@sharding_rule("_linalg_check_errors")
def _checks(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Each process checks the matrices that it has."""
    yield call.choice([_REPLICATE] * len(call.metas), call.now(mesh_dim))
