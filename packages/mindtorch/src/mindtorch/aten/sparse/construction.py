"""Sparse tensors of indices and values: the functions that make them, and the ops below these.

Source: torch csrc/utils/tensor_new.cpp, sparse_coo_tensor_ctor and sparse_compressed_tensor_ctor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_dispatch.argument_parser import ArgumentParser
from mindtorch_storage import get_default_dtype, int64

from ...call.argument_parser import TYPES
from ...call.elementwise_meta import not_implemented
from ...call.intercept import PARSED, overridable
from ...call.row import op
from ...core import constants
from ...core.layout_names import layout_name, short_name
from ...core.module_names import as_called
from ...core.operators import of, ops
from ...core.sparse_invariants import checks
from ...core.warning import warn_once
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.gradient import require_grad
from ...tensor.sparse_content import BY_COLUMN
from ..from_data import array_of
from ..options import OPTIONS
from .invariants import check_compressed, check_coo, check_sizes, compressed_dims
from .masks import values_at
from .parts import array, as_int64, compressed_tensor, coo_tensor, shown

__all__ = ["FUNCTIONS", "empty_coo"]

_EXPLICIT = {"functional": "explicit"}
_OF_FRESH = OPTIONS.replace("pin_memory=None", "pin_memory=False")


def empty_coo(shape: Sequence[int], dtype: Any, sparse_dim: int, dense_dim: int = 0) -> Tensor:
    """A COO tensor of *shape* without elements."""
    if any(n < 0 for n in shape):
        raise RuntimeError("numel: integer multiplication overflow")
    values = np.empty((0, *shape[len(shape) - dense_dim :]), (dtype or get_default_dtype()).np)
    return coo_tensor(np.empty((sparse_dim, 0), np.int64), values, shape)


# -- COO -------------------------------------------------------------------------------------------

op(
    f"sparse_coo_tensor.size(int[] size, *, {_OF_FRESH}) -> Tensor",
    composite=lambda size, dtype, *rest: empty_coo(size, dtype, len(size)),
    kinds=_EXPLICIT,
    variants="",
    samples="sparse_sizes",
)


def _inferred_size(indices: Tensor, values: Tensor) -> tuple[int, ...]:
    """The least size that the coordinates fit into. Raises RuntimeError for negative ones."""
    numbers = array(indices)
    if not numbers.size:
        least = [0] * numbers.shape[0]
    else:
        for dim, n in enumerate(numbers.min(1)):
            if n < 0:
                raise RuntimeError(f"found negative index {n} for dim {dim}")
        least = [int(n) + 1 for n in numbers.max(1)]
    return (*least, *values.shape[1:])


def _of_parts(
    indices: Tensor, values: Tensor, dtype: Any, layout: Any, device: Any, pin_memory: Any,
    is_coalesced: bool | None,
) -> Tensor:  # fmt: skip
    values = _as_elements(values)
    check_sizes(indices, values)
    size = _inferred_size(indices, values)
    return _unsafe(indices, values, size, dtype, layout, device, pin_memory, is_coalesced)


def _as_elements(values: Tensor) -> Tensor:
    """One element may be given as a number."""
    return values if values.dim() else values.unsqueeze(0)


def _of_parts_and_size(
    indices: Tensor, values: Tensor, size: Any, dtype: Any, layout: Any, device: Any,
    pin_memory: Any, is_coalesced: bool | None,
) -> Tensor:  # fmt: skip
    values = _as_elements(values)
    check_sizes(indices, values, size)
    return _unsafe(indices, values, size, dtype, layout, device, pin_memory, is_coalesced)


def _unsafe(
    indices: Tensor, values: Tensor, size: Any, dtype: Any, layout: Any, device: Any,
    pin_memory: Any, is_coalesced: bool | None,
) -> Tensor:  # fmt: skip
    made: Tensor = ops._sparse_coo_tensor_with_dims_and_tensors(
        indices._a_.shape[0], values.dim() - 1, size, indices, values, dtype=values.dtype,
        layout=constants.sparse_coo, device=values.device, pin_memory=False,
        is_coalesced=is_coalesced,
    )  # fmt: skip
    return made


op(
    f"sparse_coo_tensor.indices(Tensor indices, Tensor values, *, {OPTIONS}, "
    "bool? is_coalesced=None) -> Tensor",
    composite=_of_parts,
    batch="whole_loop",
    variants="",
    samples="coo_indices",
)
op(
    f"sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, *, "
    f"{OPTIONS}, bool? is_coalesced=None) -> Tensor",
    composite=_of_parts_and_size,
    variants="",
    samples="coo_indices_and_size",
)
op(
    "_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, SymInt[] size, *, "
    f"{OPTIONS}, bool? is_coalesced=None) -> Tensor",
    composite=_unsafe,
    variants="",
    samples="coo_indices_and_size",
)
op(
    f"_sparse_coo_tensor_with_dims(int sparse_dim, int dense_dim, int[] size, *, {_OF_FRESH})"
    " -> Tensor",
    composite=lambda sparse_dim, dense_dim, size, dtype, *rest: empty_coo(
        size, dtype, sparse_dim, dense_dim
    ),
    kinds=_EXPLICIT,
    variants="",
    samples="coo_dims",
)


def _with_dims(
    sparse_dim: int, dense_dim: int, size: Any, indices: Tensor, values: Tensor, dtype: Any,
    layout: Any, device: Any, pin_memory: Any, is_coalesced: bool | None,
) -> Tensor:  # fmt: skip
    return coo_tensor(
        as_int64(indices.detach()), values.detach(), size, True if is_coalesced else None
    )


op(
    "_sparse_coo_tensor_with_dims_and_tensors(int sparse_dim, int dense_dim, SymInt[] size, "
    f"Tensor indices, Tensor values, *, {_OF_FRESH}, bool? is_coalesced=None) -> Tensor",
    composite=_with_dims,
    kinds=_EXPLICIT,
    batch="whole_loop",
    variants="",
    tangent="not implemented",
    grad={"values": lambda g, c: values_at(g, c.indices)},
    samples="coo_dims_and_tensors",
)

# -- compressed ------------------------------------------------------------------------------------


def _compressed_unsafe(
    compressed: Tensor, plain: Tensor, values: Tensor, size: Any, dtype: Any, layout: Any,
    device: Any, pin_memory: Any,
) -> Tensor:  # fmt: skip
    return shown(
        compressed_tensor(layout, compressed.detach(), plain.detach(), values.detach(), size)
    )


def _gradient_of_values(g: Any, c: Any) -> Any:
    """The elements of the gradient that stand where the values did."""
    like = compressed_tensor(c.layout, c.compressed_indices, c.plain_indices, c.values, c.size)
    masked = g.sparse_mask(like)
    return masked.values()


_PARTS = "Tensor compressed_indices, Tensor plain_indices, Tensor values"
op(
    f"sparse_compressed_tensor.comp_plain_value_size({_PARTS}, SymInt[] size, *, {_OF_FRESH})"
    " -> Tensor",
    composite=_compressed_unsafe,
    kinds=_EXPLICIT,
    batch="whole_loop",
    variants="",
    tangent="not implemented",
    grad={"values": _gradient_of_values},
    samples="compressed_parts_and_size",
)
op(
    f"_sparse_compressed_tensor_unsafe({_PARTS}, SymInt[] size, *, {OPTIONS}) -> Tensor",
    composite=lambda *args: ops_of_size(*args),
    variants="",
    samples="compressed_parts_and_size",
)


def ops_of_size(
    compressed: Tensor, plain: Tensor, values: Tensor, size: Any, dtype: Any, layout: Any,
    *rest: Any,
) -> Tensor:  # fmt: skip
    """The recorded op that makes a compressed tensor."""
    made: Tensor = of("sparse_compressed_tensor.comp_plain_value_size")(
        compressed, plain, values, tuple(size), dtype=values.dtype, layout=layout,
        device=values.device, pin_memory=False,
    )  # fmt: skip
    return made


def inferred_compressed_size(
    compressed: Tensor, plain: Tensor, values: Tensor, layout: Any
) -> tuple[int, ...]:
    """The least size of a matrix of these parts.

    Source: torch aten/src/ATen/native/sparse/SparseCsrTensor.cpp, _estimate_sparse_compressed_size.
    """
    batch, block, _ = compressed_dims(layout, compressed, plain, values)
    if plain.dtype.is_floating_point or plain.dtype.is_complex:
        raise not_implemented("estimate_sparse_compressed_tensor_size", plain.dtype)
    step = tuple(values.shape[batch + 1 : batch + 3]) if block else (1, 1)
    lines = compressed._a_.shape[-1] - 1
    numbers = array(plain)
    width = int(numbers.max()) + 1 if numbers.size else 0
    if layout in BY_COLUMN:
        matrix = width * step[0], lines * step[1]
    else:
        matrix = lines * step[0], width * step[1]
    dense = values.shape[batch + 1 + block :]
    return (*compressed.shape[:batch], *matrix, *dense)


# -- functions -------------------------------------------------------------------------------------

_COMMON = (
    "*, ScalarType dtype=None, {}Device? device=None, bool pin_memory=False, "
    "bool requires_grad=False, bool check_invariants=None"
)


def _as_tensor(data: Any, dtype: Any = None) -> Tensor:
    """*data* as a tensor, in *dtype* if that is given; a tensor itself where it is one."""
    if isinstance(data, Tensor):
        return data if dtype is None else data._to_(None, dtype)
    return wrap(array_of(data, dtype))


def _finished(made: Tensor, requires_grad: bool) -> Tensor:
    return require_grad(made) if requires_grad else made


def _coo_function() -> Callable[..., Any]:
    common = _COMMON.format("")
    checked_too = f"{common}, bool is_coalesced=None"
    parser = ArgumentParser.from_signatures(
        "sparse_coo_tensor",
        [
            f"sparse_coo_tensor(object indices, object values, {checked_too})",
            f"sparse_coo_tensor(object indices, object values, SymInt[] size, {checked_too})",
            f"sparse_coo_tensor(SymInt[] size, {common.replace(', bool pin_memory=False', '')})",
        ],
        types=TYPES,
    )

    def sparse_coo_tensor(*args: Any, **kwargs: Any) -> Tensor:
        """A COO tensor of coordinates and elements.

            torch.sparse_coo_tensor(indices, values, size=None, *, dtype=None, device=None,
            requires_grad=False, check_invariants=None, is_coalesced=None) -> Tensor

        *indices* has a row for each sparse dimension and a column for each element. Elements of
        equal coordinates are meant to be added up. Without a *size* it is the least that fits;
        with a size alone there is no element. Data that are tensors are not copied.

        Raises RuntimeError where indices, values and size do not fit each other.
        """
        which, bound = parser.parse(args, kwargs)
        if which == 2:
            size, dtype, _, requires_grad, check = bound
            checks.wanted(check)
            return _finished(empty_coo(tuple(size), dtype, len(size)), requires_grad)
        given, data, *rest = bound
        size = rest.pop(0) if which == 1 else None
        dtype, device, _, requires_grad, check, is_coalesced = rest
        values = _as_elements(_placed(_as_tensor(data, dtype), device))
        indices = _placed(_as_tensor(given, int64), device)
        checked = checks.wanted(check)
        check_sizes(indices, values, size)
        shape = _inferred_size(indices, values) if size is None else tuple(size)
        if checked:
            check_coo(indices, values, shape, is_coalesced)
        return _finished(
            _unsafe(indices, values, shape, None, None, None, None, is_coalesced), requires_grad
        )

    sparse_coo_tensor.__qualname__ = sparse_coo_tensor.__name__
    return sparse_coo_tensor


def _placed(t: Tensor, device: Any) -> Tensor:
    return t if device is None else t._to_(device)


def _compressed_function(name: str, parts: tuple[str, str], layout: Any) -> Callable[..., Any]:
    """The function of a compressed layout; None: the layout is an argument."""
    common = _COMMON.format("Layout? layout=None, ")
    lead = f"object {parts[0]}, object {parts[1]}, object values"
    parser = ArgumentParser.from_signatures(
        name,
        [f"{name}({lead}, SymInt[] size, {common})", f"{name}({lead}, {common})"],
        types=TYPES,
    )

    def make(*args: Any, **kwargs: Any) -> Tensor:
        which, bound = parser.parse(args, kwargs)
        size = None
        if which == 0:
            first, second, data, size, dtype, given, device, _, requires_grad, check = bound
        else:
            first, second, data, dtype, given, device, _, requires_grad, check = bound
        kind = _checked_layout(name, layout, given)
        values = _placed(_as_tensor(data, dtype), device)
        compressed, plain = (_placed(_as_tensor(x), device) for x in (first, second))
        checked = checks.wanted(check)
        if size is None:
            shape = inferred_compressed_size(compressed, plain, values, kind)
        else:
            shape = tuple(size)
        if checked:
            check_compressed(kind, compressed, plain, values, shape)
        made = ops_of_size(compressed, plain, values, shape, None, kind)
        return _finished(made, requires_grad)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"""A tensor of compressed indices, plain indices and elements.

            torch.{name}({parts[0]}, {parts[1]}, values, size=None, *, dtype=None, device=None,
            requires_grad=False, check_invariants=None) -> Tensor

        Where the lines begin among the elements stands in *{parts[0]}*. Without a *size* it is
        the least that fits.

        Raises RuntimeError for a layout that is not the function's, and where check_invariants is
        on for parts that do not fit each other.
        """
    return make


def _checked_layout(name: str, layout: Any, given: Any) -> Any:
    if layout is None:
        if given is None or given in (constants.strided, constants.sparse_coo):
            said = "none" if given is None else layout_name(given)
            raise RuntimeError(f"{name} expected sparse compressed tensor layout but got {said}")
        return given
    if given is not None and given is not layout:
        raise RuntimeError(
            f"{name}: layout must be {layout_name(layout)} but got {layout_name(given)}"
        )
    return layout


#: What is said, once each, of ``torch.sparse.FloatTensor`` for its arguments, and what to call.
_DEPRECATED = {
    0: ("", "(0,), dtype="),
    1: ("shape, *, device=", "shape, dtype=, device="),
    2: ("indices, values, *, device=", "indices, values, dtype=, device="),
    3: ("indices, values, shape, *, device=", "indices, values, shape, dtype=, device="),
}


def sparse_new(args: tuple[Any, ...], kwargs: dict[str, Any], dtype: Any) -> Tensor:
    """``Tensor.new(...)`` of a sparse tensor: of sizes, of indices and values, or a tensor again.

    Source: torch csrc/utils/tensor_new.cpp, legacy_sparse_tensor_generic_ctor_new.
    """
    make = FUNCTIONS["sparse_coo_tensor"]
    if not args and not kwargs:
        return empty_coo((0,), dtype, 1)
    if len(args) == 1 and isinstance(args[0], Tensor):
        made: Tensor = args[0].detach()
        return made
    if all(isinstance(a, int) for a in args):
        args = (args,)
    kwargs = {**kwargs, "check_invariants": checks.enabled}
    if len(args) == 1:
        return make(*args, dtype=dtype, **kwargs)
    return make(*args, **kwargs)


def legacy_sparse(args: tuple[Any, ...], kwargs: dict[str, Any], dtype: Any) -> Tensor:
    """``torch.sparse.FloatTensor(...)``, which is deprecated: :func:`sparse_new`."""
    made = sparse_new(args, kwargs, dtype)
    sizes = len(args) > 0 and isinstance(args[0], int)
    given, instead = _DEPRECATED[1 if sizes else len(args)]
    warn_once(
        f"torch.sparse.SparseTensor({given}) is deprecated.  "
        f"Please use torch.sparse_coo_tensor({instead})."
    )
    return made


_ROWS, _COLUMNS = ("crow_indices", "col_indices"), ("ccol_indices", "row_indices")
_COMPRESSED = {
    "sparse_csr_tensor": (_ROWS, constants.sparse_csr),
    "sparse_csc_tensor": (_COLUMNS, constants.sparse_csc),
    "sparse_bsr_tensor": (_ROWS, constants.sparse_bsr),
    "sparse_bsc_tensor": (_COLUMNS, constants.sparse_bsc),
    "sparse_compressed_tensor": (("compressed_indices", "plain_indices"), None),
}


def _public(function: Callable[..., Any]) -> Callable[..., Any]:
    made = overridable(function, PARSED)
    made.__module__ = as_called("mindtorch")
    return made


#: The functions of ``torch`` by their names.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sparse_coo_tensor": _public(_coo_function()),
    **{
        name: _public(_compressed_function(name, parts, layout))
        for name, (parts, layout) in _COMPRESSED.items()
    },
}

globals().update(FUNCTIONS)


def _rows_of_layouts() -> None:
    """The ops of single layouts, which ``torch.ops`` has."""
    for name, ((first, second), layout) in _COMPRESSED.items():
        if layout is None:
            continue
        short = "crow_col_value" if first == "crow_indices" else "ccol_row_value"
        lead = f"Tensor {first}, Tensor {second}, Tensor values"
        stem = short_name(layout)
        op(
            f"{name}.{short}_size({lead}, int[] size, *, {_OF_FRESH}) -> Tensor",
            composite=_sized(layout),
            variants="",
            samples=f"{stem}_parts_and_size",
        )
        op(
            f"{name}.{short}({lead}, *, {_OF_FRESH}) -> Tensor",
            composite=_unsized(layout),
            variants="",
            samples=f"{stem}_parts_alone",
        )
        op(
            f"_{name}_unsafe({lead}, int[] size, *, {OPTIONS}) -> Tensor",
            composite=_sized(layout),
            variants="",
            samples=f"{stem}_parts_and_size",
        )


def _sized(layout: Any) -> Callable[..., Any]:
    def made(first: Any, second: Any, values: Any, size: Any, *rest: Any) -> Tensor:
        return ops_of_size(first, second, values, size, None, layout)

    return made


def _unsized(layout: Any) -> Callable[..., Any]:
    def made(first: Any, second: Any, values: Any, *rest: Any) -> Tensor:
        size = inferred_compressed_size(first, second, values, layout)
        return ops_of_size(first, second, values, size, None, layout)

    return made


_rows_of_layouts()
