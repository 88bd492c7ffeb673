"""Rules of products of matrices, which are sums over named dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .._sharding import Call, Choice, sharding_rule
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


_EQUATIONS = {"mm": "mk,kn->mn", "bmm": "bmk,bkn->bmn", "dot": "i,i->", "mv": "mk,k->m"}
_EQUATIONS |= {"vdot": "i,i->", "outer": "m,n->mn"}
_ADDED = {"addmm": "mm", "baddbmm": "bmm", "addmv": "mv", "addr": "outer"}


@sharding_rule(*_EQUATIONS)
def _product(call: Call, mesh_dim: int) -> Iterable[Choice]:
    assert call.row is not None
    return products(call, _EQUATIONS[call.row.base])


@sharding_rule(*_ADDED)
def _added_product(call: Call, mesh_dim: int) -> Iterable[Choice]:
    assert call.row is not None
    equation = _EQUATIONS[_ADDED[call.row.base]]
    return products(call, equation, call.tensors[0].shape)


@sharding_rule(
    *("_linalg_det", "_linalg_eigh", "_linalg_slogdet", "_linalg_solve_ex", "_linalg_svd"),
    *(
        "cholesky_inverse",
        "linalg_cholesky_ex",
        "linalg_eig",
        "linalg_inv_ex",
        "linalg_ldl_factor_ex",
    ),
    *(
        "linalg_lu",
        "linalg_lu_factor_ex",
        "linalg_matrix_exp",
        "linalg_qr",
        "linalg_solve_triangular",
    ),
)
def _batches(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """The last two dimensions belong together, and those before are of independent matrices."""
    ndim = call.tensors[0].ndim
    if all(spec.ndim == ndim for spec in call.tensors):
        for dim in range(ndim - 2):
            if len({spec.shape[dim] for spec in call.tensors}) == 1:
                yield call.same(Shard(dim))


@sharding_rule("_linalg_check_errors")
def _checks(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Each process checks the matrices that it has."""
    yield call.choice([_REPLICATE] * len(call.metas), call.now(mesh_dim))
