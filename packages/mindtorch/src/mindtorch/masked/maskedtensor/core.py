"""``MaskedTensor``: a tensor with a mask, true where an element counts.

Note [Masked tensors]
~~~~~~~~~~~~~~~~~~~~~
A masked tensor has no memory of its own, but a tensor of data and one of its mask. Operators come
to ``__torch_dispatch__``, which looks for a handler in ``OPERATORS`` by the operator's packet, then
in ``TAGGED`` by the tags of its row. A few functions are taken whole by ``__torch_function__``,
from ``FUNCTIONS``. The modules beside this one fill the tables: ``unary``, ``binary``,
``reductions``, ``passthrough`` and ``_ops_refs``. The package loads them all, so it is imported
before the reductions of ``torch.masked``, which they call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._library.overridable import get_default_nowrap_functions
from ...aten import torch
from ...autograd.function import Function
from ...call.dispatch_entry import OVERLOADS
from ...call.torch_function import _convert
from ...core.override_state import DisableTorchFunctionSubclass
from ...core.warning import warn
from ...tensor import Tensor
from .layouts import LAYOUTS, alike, elements, same_places

__all__ = ["MaskedTensor", "is_masked_tensor"]

#: Handlers of functions by function, ``handler(*args, **kwargs)``.
FUNCTIONS: dict[Any, Callable[..., Any]] = {}
#: Handlers of operators by packet.
OPERATORS: dict[Any, Callable[..., Any]] = {}
#: Handlers by a tag of the operator's row, ``handler(packet, *args, **kwargs)``.
TAGGED: dict[str, Callable[..., Any]] = {}

_DTYPES = frozenset(
    (
        torch.float16,
        torch.float32,
        torch.float64,
        torch.bool,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
    )
)
_PROTOTYPE = (
    "The PyTorch API of MaskedTensors is in prototype stage and will change in the near future. "
    "Please open a Github issue for features requests and see our documentation on the "
    "torch.masked module for further information about the project."
)
_OTHER_PLACES = {
    torch.sparse_coo: (
        "data and mask are both sparse COO tensors but do not have the same indices."
    ),
    torch.sparse_csr: (
        "data and mask are both sparse CSR tensors but do not share either crow or col indices."
    ),
}
_FRESH = (
    "It is not recommended to create a MaskedTensor with a tensor that requires_grad. To avoid "
    "this, you can use data.detach().clone()"
)


def unsupported(name: str, where: str) -> str:
    """torch's request to report what is not supported, of *name*."""
    return (
        f"{name} is not implemented in {where}.\n"
        "If you would like this operator to be supported, please file an issue for a feature "
        "request at https://github.com/pytorch/maskedtensor/issues with a minimal reproducible "
        "code snippet.\n"
        "In the case that the semantics for the operator are not trivial, it would be appreciated "
        "to also include a proposal for the semantics."
    )


def is_masked_tensor(obj: Any, /) -> bool:
    """Return whether *obj* is a :class:`MaskedTensor`."""
    return isinstance(obj, MaskedTensor)


def _tensors_match(
    a: Any, b: Any, exact: bool = True, rtol: float = 1e-05, atol: float = 1e-08
) -> bool:
    """Whether two plain tensors have the same elements, or about the same."""
    if is_masked_tensor(a) or is_masked_tensor(b):
        raise ValueError("Neither `a` nor `b` can be a MaskedTensor.")
    if a.layout != b.layout:
        raise ValueError(f"`a` and `b` must have the same layout. Got {a.layout} and {b.layout}")
    if a.dtype != b.dtype:
        b = b.type(a.dtype)
    if a.dim() != b.dim():
        return False
    a, b = elements(a), elements(b)
    if exact:
        return bool(torch.eq(a, b).all().item())
    return bool(torch.allclose(a, b, rtol=rtol, atol=atol))


def _masks_match(a: Any, b: Any) -> bool:
    """Whether *a* and *b* have the same mask, where both have one."""
    if is_masked_tensor(a) and is_masked_tensor(b):
        return _tensors_match(a.get_mask(), b.get_mask(), exact=True)
    return True


def _map_mt_args_kwargs(
    args: Any, kwargs: Any, map_fn: Callable[[Any], Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments with ``map_fn(x)`` for each masked tensor, in lists and tuples, too."""

    def mapped(a: Any) -> Any:
        if is_masked_tensor(a):
            return map_fn(a)
        return type(a)([mapped(x) for x in a]) if type(a) in (list, tuple) else a

    return [mapped(a) for a in args], {k: mapped(a) for k, a in (kwargs or {}).items()}


def _wrap_result(result_data: Any, result_mask: Any) -> Any:
    """Masked tensors of results and their masks; NotImplemented of what is no tensor."""
    if isinstance(result_data, (list, tuple)):
        pairs = zip(result_data, result_mask, strict=False)
        return type(result_data)([_wrap_result(r, m) for r, m in pairs])
    if isinstance(result_data, Tensor):
        return MaskedTensor(result_data, result_mask)
    return NotImplemented


def _masked_tensor_str(data: Any, mask: Any, formatter: str) -> str:
    """The elements of *data* in brackets, ``--`` where *mask* is false."""
    data, mask = data.to_dense(), mask.to_dense()
    if data.dim() == 1:
        numbers, kept = data.tolist(), mask.tolist()
        words = [formatter.format(x) if isinstance(x, float) else str(x) for x in numbers]
        width = max([len(w) if k else 8 for w, k in zip(words, kept, strict=True)])
        shown = [w if k else "--".rjust(width) for w, k in zip(words, kept, strict=True)]
        return "[" + ", ".join(shown) + "]"
    parts = [_masked_tensor_str(d, m, formatter) for d, m in zip(data, mask, strict=True)]
    return "[\n" + ",\n".join(_indented(part) for part in parts) + "\n]"


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.split("\n"))


def _get_data(a: Any) -> Any:
    return a._masked_data if is_masked_tensor(a) else a


def _maybe_get_mask(a: Any) -> Any:
    return a.get_mask() if is_masked_tensor(a) else None


class MaskedTensor(Tensor):
    """A tensor some of whose elements do not count.

    :param data: a tensor of real numbers or bools; it is copied, as is the mask.
    :param mask: a boolean tensor of its shape, true where an element counts.
    :param requires_grad: whether operators on it are recorded.

    Raises TypeError for what is no tensor, and for dtypes that are not supported; ValueError for
    shapes that differ. Warns that the interface is a prototype in torch.
    """

    _masked_data: Tensor
    _masked_mask: Tensor

    @staticmethod
    def __new__(cls: Any, data: Any, mask: Any, requires_grad: bool = False) -> Any:
        if is_masked_tensor(data) or not isinstance(data, Tensor):
            raise TypeError("data must be a Tensor")
        if is_masked_tensor(mask) or not isinstance(mask, Tensor):
            raise TypeError("mask must be a Tensor")
        warn(_PROTOTYPE, UserWarning)
        if data.requires_grad:
            warn(_FRESH, UserWarning)
        return Tensor._make_wrapper_subclass(
            cls,
            data.size(),
            device=data.device,
            dtype=data.dtype,
            layout=data.layout,
            requires_grad=requires_grad,
            dispatch_sizes_strides_policy="strides",
            dispatch_layout=True,
        )

    def __init__(self, data: Any, mask: Any, requires_grad: bool = False) -> None:
        data, mask = alike(data, mask)
        self._set_data_mask(data.clone(), mask.clone())

    def _set_data_mask(self, data: Any, mask: Any) -> None:
        self._masked_data, self._masked_mask = data, mask
        self._validate_members()

    def _validate_members(self) -> None:
        data, mask = self._masked_data, self._masked_mask
        if type(data) is not type(mask):
            raise TypeError(
                f"data and mask must have the same type. Got {type(data)} and {type(mask)}"
            )
        if data.layout not in LAYOUTS:
            raise TypeError(f"data layout of {data.layout} is not supported.")
        if not same_places(data, mask):
            raise ValueError(_OTHER_PLACES[data.layout])
        if mask.dtype is not torch.bool:
            raise TypeError("mask must have dtype bool.")
        if data.dtype not in _DTYPES:
            raise TypeError(f"{data.dtype} is not supported in MaskedTensor.")
        if data.dim() != mask.dim():
            raise ValueError("data.dim() must equal mask.dim()")
        if data.size() != mask.size():
            raise ValueError("data.size() must equal mask.size()")

    @staticmethod
    def _from_values(data: Any, mask: Any) -> Any:
        """A masked tensor through which *data* is differentiated."""
        return Constructor.apply(data, mask)

    def __repr__(self) -> str:  # type: ignore[override]  # as in torch, of no contents
        formatter = "{0:8.4f}"
        if self.dim() == 0:
            number, kept = self.get_data().item(), self.get_mask().item()
            shown = formatter.format(number) if isinstance(number, float) else str(number)
            return f"MaskedTensor({shown if kept else '--'}, {kept})"
        text = _masked_tensor_str(self.get_data(), self.get_mask(), formatter)
        return "MaskedTensor(\n" + _indented(text) + "\n)"

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        handler = FUNCTIONS.get(func)
        if handler is not None:
            return handler(*args, **kwargs)
        if not all(issubclass(cls, t) for t in types):
            return NotImplemented
        with DisableTorchFunctionSubclass():
            result = func(*args, **kwargs)
            return result if func in get_default_nowrap_functions() else _convert(result, cls)

    @classmethod
    def unary(cls, fn: Any, data: Any, mask: Any) -> Any:
        """Return ``fn(data)`` with *mask*."""
        return MaskedTensor(fn(data), mask)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        packet = func.overloadpacket
        handler = OPERATORS.get(packet)
        if handler is not None:
            return handler(*args, **(kwargs or {}))
        overload = OVERLOADS.get(func.name())
        for tag in () if overload is None else overload.row.tags:
            if tag in TAGGED:
                return TAGGED[tag](packet, *args, **(kwargs or {}))
        said = unsupported(packet.__name__, "__torch_dispatch__ for MaskedTensor")
        warn(said)
        return NotImplemented

    def __lt__(self, other: Any) -> Any:
        return MaskedTensor(self.get_data() < _get_data(other), self.get_mask())

    def to_tensor(self, value: Any) -> Tensor:
        """Return a plain tensor with *value* where the mask is false; not differentiated there."""
        return self.get_data().masked_fill(~self.get_mask(), value)

    def get_data(self) -> Tensor:
        """Return the data, with numbers where the mask is false, too; differentiable."""
        return GetData.apply(self)

    def get_mask(self) -> Tensor:
        """Return the mask."""
        return self._masked_mask

    def is_sparse_coo(self) -> bool:
        """Return whether data and mask are sparse, with coordinates."""
        return self.layout is torch.sparse_coo

    def is_sparse_csr(self) -> bool:  # type: ignore[override]  # a method in torch, too
        """Return whether data and mask are sparse, with compressed rows."""
        return self.layout is torch.sparse_csr

    @property
    def is_sparse(self) -> bool:  # type: ignore[override]  # not to be set
        """Whether data and mask are sparse."""
        return self.is_sparse_coo() or self.is_sparse_csr()


class Constructor(Function):
    """From data to a masked tensor."""

    @staticmethod
    def forward(ctx: Any, data: Any, mask: Any) -> Any:
        return MaskedTensor(data, mask)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        return grad_output, None


class GetData(Function):
    """From a masked tensor to its data; the gradient has the mask again."""

    @staticmethod
    def forward(ctx: Any, tensor: Any) -> Any:
        ctx.tensor = tensor
        return tensor._masked_data.detach()

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        if is_masked_tensor(grad_output):
            return grad_output
        return MaskedTensor(grad_output, ctx.tensor.get_mask())
