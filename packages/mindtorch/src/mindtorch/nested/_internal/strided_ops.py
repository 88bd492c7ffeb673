"""The ops of nested tensors of the strided layout."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ...aten import torch
from ...nn import functional as F
from .dims import wrapped
from .recording import change, forget, values_of, wrapped_values
from .strided import (
    FUNCTIONS,
    StridedNestedTensor,
    handles,
    joined,
    no_kernel,
    samples_of,
    size_of,
    unsupported,
)

__all__: list[str] = []


@handles(
    "clone", "detach", "alias", "to", "_to_copy", "pin_memory", "contiguous", "zeros_like",
    "ones_like", "empty_like", "rand_like", "randn_like", "full_like",
)  # fmt: skip
def of_buffer(func: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """The same of the buffer."""
    return wrapped_values(func(values_of(self), *args, **kwargs), type(self), self._structure())


@handles("detach_")
def detach_(func: Any, self: Any) -> Any:
    """Take its history off it."""
    return forget(self)


def _along(nt: Any, dim: int, name: str, doing: str) -> int:
    """The dimension of samples that is *dim*; RuntimeError for that of the batch."""
    d = wrapped(nt.dim(), dim)
    if d == 0:
        raise RuntimeError(
            f"{name}(): For nested tensors, {doing} dimension 0 is not supported at the moment if "
            "you need this feature, please open an issue on github describing your use case."
        )
    return d - 1


def _column(numbers: list[int]) -> str:
    """Numbers as torch's C++ prints a tensor of them."""
    width = max(len(str(n)) for n in numbers) + 1
    lines = [str(n).rjust(width) for n in numbers]
    return "\n".join([*lines, f"[ torch.LongTensor{{{len(numbers)}}} ]"])


def _trailing(nt: Any) -> int:
    """The last size of all samples. Raises RuntimeError where they differ in it."""
    last = {size[-1] for size in nt._sizes}
    if len(last) != 1:
        raise RuntimeError(
            "Expected all tensors in nested tensor to have the same trailing dimension, instead "
            f"last dimension equals: {_column([size[-1] for size in nt._sizes])}"
        )
    return last.pop()


@handles("unbind")
def unbind(func: Any, self: Any, dim: int = 0) -> Any:
    """The samples, over the same memory."""
    if dim not in (0, -self.dim()):
        raise RuntimeError(
            f"NestedTensor can only be unbound along dimension 0 got dimension {dim} instead."
        )
    return tuple(samples_of(self))


@handles("select")
def select(func: Any, self: Any, dim: int, index: int) -> Any:
    """A sample, or one element of a dimension of each."""
    d, samples = wrapped(self.dim(), dim), samples_of(self)
    if not samples:
        raise IndexError("You can only select when the NT is not empty.")
    if d == 0:
        if not -len(samples) <= index < len(samples):
            raise IndexError(
                f"index {index} is out of bounds for dimension 0 with size {len(samples)}"
            )
        return samples[index]
    for i, size in enumerate(self._sizes):
        if not 0 <= index < size[d - 1]:
            raise IndexError(
                f"index {index} is out of bounds for dimension {d - 1} of the {i}th constituent "
                f"tensor with size {size[d - 1]}"
            )
    return joined([t.select(d - 1, index) for t in samples])


@handles("narrow")
def narrow(func: Any, self: Any, dim: int, start: int, length: int) -> Any:
    """Some of the samples."""
    if dim != 0:
        raise RuntimeError(f"narrow(): only dim=0 supported for nested tensors, but got: {dim}")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative")
    count = len(self._sizes)
    start += count if start < 0 else 0
    if start + length > count:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({count}).")
    return joined(samples_of(self)[start : start + length])


@handles("chunk")
def chunk(func: Any, self: Any, chunks: int, dim: int = 0) -> Any:
    """Pieces along the last dimension."""
    d = wrapped(self.dim(), dim)
    if d != self.dim() - 1:
        raise RuntimeError(
            "Chunk for nested tensors is currently only supported for the last dimension."
        )
    last = _trailing(self)
    if last % chunks:
        raise RuntimeError(
            "Chunk for nested tensors is only supported for nested tensors with trailing dimension "
            f"divisible by chunks, got: {last} % {chunks} != 0"
        )
    parts = [t.chunk(chunks, -1) for t in samples_of(self)]
    return tuple([joined(piece) for piece in zip(*parts, strict=True)])


@handles("split_with_sizes")
def split_with_sizes(func: Any, self: Any, split_sizes: Any, dim: int = 0) -> Any:
    """Pieces of given sizes along the last dimension."""
    d = wrapped(self.dim(), dim)
    if d != self.dim() - 1:
        raise RuntimeError(
            "split_with_sizes for nested tensors is currently only supported for the last "
            "dimension."
        )
    last = _trailing(self)
    if sum(split_sizes) != last:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {last} (input tensor's size "
            f"at dimension {d}), but got split_sizes={list(split_sizes)}"
        )
    parts = [t.split_with_sizes(split_sizes, -1) for t in samples_of(self)]
    return tuple([joined(piece) for piece in zip(*parts, strict=True)])


@handles("unsqueeze")
def unsqueeze(func: Any, self: Any, dim: int) -> Any:
    """With a dimension of size 1 more."""
    d = wrapped(self.dim() + 1, dim)
    if d == 0:
        _along(self, 0, "unsqueeze", "unsqueezing")
    return joined([t.unsqueeze(d - 1) for t in samples_of(self)])


@handles("squeeze")
def squeeze(func: Any, self: Any, dim: Any = None) -> Any:
    """Without a dimension of size 1."""
    if dim is None:
        raise RuntimeError(
            "squeeze(): For nested tensors, squeeze without the dim argument is not supported at "
            "the moment, however you can use squeeze(Tensor self, int dim) instead if you need "
            "this feature, please open an issue on github describing your use case."
        )
    d = _along(self, dim, "squeeze", "squeezing")
    if any(size[d] != 1 for size in self._sizes):
        return self.clone()
    return joined([t.squeeze(d) for t in samples_of(self)])


@handles("transpose")
def transpose(func: Any, self: Any, dim0: int, dim1: int) -> Any:
    """With two dimensions of each sample exchanged."""
    a, b = wrapped(self.dim(), dim0), wrapped(self.dim(), dim1)
    if a == b:
        return self
    if 0 in (a, b):
        raise RuntimeError("Nested tensor dimension 0 cannot be transposed")
    return joined([t.transpose(a - 1, b - 1) for t in samples_of(self)])


@handles("mT")
def matrix_transpose(func: Any, self: Any) -> Any:
    """With the last two dimensions of each sample exchanged."""
    return transpose(func, self, -2, -1)


@handles("view", "reshape")
def reshape(func: Any, self: Any, size: Any) -> Any:
    """Each sample in another shape; -1 keeps a size that differs."""
    if size[0] != len(self._sizes):
        name = func._opname
        raise RuntimeError(
            f"{name}: For now nested {name} cannot change or infer the implicit batch dimension"
        )
    samples, n = samples_of(self), self.dim() - 1
    shapes = [
        [t.shape[i] if s == -1 and i < n else s for i, s in enumerate(size[1:])] for t in samples
    ]
    for t, shape in zip(samples, shapes, strict=True):
        if -1 not in shape and prod(shape) != t.numel():
            raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {t.numel()}")
    return joined([t.reshape(shape) for t, shape in zip(samples, shapes, strict=True)])


@handles("cat")
def cat(func: Any, tensors: Any, dim: int = 0) -> Any:
    """All samples of several, one after the other."""
    if not all(isinstance(t, StridedNestedTensor) for t in tensors):
        raise RuntimeError("Expected each tensor in given list to be nested.")
    if dim != 0:
        parts = zip(*[samples_of(t) for t in tensors], strict=True)
        return joined([torch.cat(p, wrapped(tensors[0].dim(), dim) - 1) for p in parts])
    return joined([t for nt in tensors for t in samples_of(nt)])


@handles("sum")
def total(func: Any, self: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Sums along dimensions of each sample."""
    if dim is None or isinstance(dim, torch.dtype):
        raise no_kernel(func)
    dims = [dim] if isinstance(dim, int) else list(dim)
    if len(dims) != 1:
        raise RuntimeError("NestedTensor only allows reduction of a single dimension for now.")
    d = wrapped(self.dim(), dims[0])
    if d != self.dim() - 1:
        raise RuntimeError(
            "NestedTensor can only be reduced across the last dimension for now got dimension "
            f"{d} instead."
        )
    if not keepdim:
        raise RuntimeError("NestedTensor always requires keepdim=True for now.")
    return joined([t.sum(-1, keepdim=True, dtype=dtype) for t in samples_of(self)])


@handles("softmax", "log_softmax", "_softmax", "_log_softmax")
def softmax(func: Any, self: Any, dim: int, dtype: Any = None) -> Any:
    """Softmax along a dimension of each sample."""
    d = wrapped(self.dim(), dim)
    if d == 0:
        raise RuntimeError("Cannot apply softmax across nested dimension 0")
    function = getattr(torch, func._opname.removeprefix("_"))
    how = {} if isinstance(dtype, bool) or dtype is None else {"dtype": dtype}
    return joined([function(t, d - 1, **how) for t in samples_of(self)])


@handles("matmul", "bmm")
def matmul(func: Any, self: Any, other: Any) -> Any:
    """Products of the samples of two."""
    a, b = [isinstance(t, StridedNestedTensor) for t in (self, other)]
    if not (a and b):
        kinds = ["nested" if x else "non-nested" for x in (a, b)]
        if a and other.dim() == self.dim() and other.shape[0] == len(self._sizes):
            return joined(
                [torch.matmul(x, y) for x, y in zip(samples_of(self), other, strict=True)]
            )
        raise RuntimeError(
            f"Expected both to be nested, but got a {kinds[0]} self and {kinds[1]} other"
        )
    if len(self._sizes) != len(other._sizes):
        which = "batch2" if func._opname == "bmm" else "2nd input"
        start = "" if func._opname == "bmm" else "matmul: "
        raise RuntimeError(
            f"{start}Expected size for the 1st dimension of {which} tensor to be: "
            f"{len(self._sizes)} but got: {len(other._sizes)}."
        )
    if func._opname == "bmm":
        for name, t in (("batch1", self), ("batch2", other)):
            if t.dim() != 3:
                raise RuntimeError(f"{name} must be a 3D tensor")
    products = []
    for i, (x, y) in enumerate(zip(samples_of(self), samples_of(other), strict=True)):
        if x.dim() == y.dim() == 2 and x.shape[1] != y.shape[0]:
            if func._opname == "matmul":
                ours = _column([size[-1] for size in self._sizes])
                theirs = _column([size[-2] for size in other._sizes])
                raise RuntimeError(
                    "matmul: Nested tensors cannot be matrix multiplied, last dimension of self "
                    f"has sizes{ours}second last dimension of mat2 has sizes{theirs}"
                )
            sizes = f"({x.shape[0]}x{x.shape[1]} and {y.shape[0]}x{y.shape[1]})"
            raise RuntimeError(f"{i}-th nested matrices in batch cannot be multiplied {sizes}")
        products.append(torch.matmul(x, y))
    return joined(products)


@handles("linear")
def linear(func: Any, input: Any, weight: Any, bias: Any = None) -> Any:
    """A linear map of each row."""
    last = _trailing(input)
    if last != weight.shape[1]:
        raise RuntimeError(
            "Shape mismatch for NestedTensor Linear: Expected input's (a nested tensor) 'last_dim' "
            f"to equal 'weight.size(1), but got: last_dim = {last}, and weight.size(1) = "
            f"{weight.shape[1]}"
        )
    return joined([F.linear(t, weight, bias) for t in samples_of(input)])


@handles("layer_norm")
def layer_norm(
    func: Any, input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None,
    eps: float = 1e-5, *rest: Any, **kwargs: Any,
) -> Any:  # fmt: skip
    """Rows of each sample normalized."""
    if weight is None or bias is None:
        raise ValueError("NestedTensor layer_norm requires weight and bias")
    kept = len(normalized_shape)
    ends = {size[-kept:] for size in input._sizes}
    if len(ends) != 1:
        raise RuntimeError(
            "normalized_shape extends into irregular dimensions for the nested tensor"
        )
    for i, (own, wanted) in enumerate(zip(ends.pop(), normalized_shape, strict=False)):
        if own != wanted:
            raise RuntimeError(
                f"The shape at dimension {i}of normalized_shape doesn't match the input"
            )
    return joined([F.layer_norm(t, normalized_shape, weight, bias, eps) for t in samples_of(input)])


@handles("embedding")
def embedding(func: Any, weight: Any, indices: Any, *args: Any, **kwargs: Any) -> Any:
    """The vectors of the indices."""
    found = func(weight, values_of(indices), *args, **kwargs)
    sizes = [(*s, weight.shape[1]) for s in indices._sizes]
    return wrapped_values(found.reshape(-1), StridedNestedTensor, {"sizes": sizes})


def attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, *args: Any, **kwargs: Any
) -> Any:
    """Attention of each sample's queries to its keys."""
    if attn_mask is not None:
        raise RuntimeError("scaled_dot_product_attention: Nested tensors do not support masks here")
    parts = zip(*[samples_of(t) for t in (query, key, value)], strict=True)
    return joined([
        F.scaled_dot_product_attention(*[t.unsqueeze(0) for t in one], None, *args, **kwargs)[0]
        for one in parts
    ])  # fmt: skip


@handles("flatten")
def flatten(func: Any, self: Any, *args: Any) -> Any:
    """Itself, of one dimension; else refused."""
    first, last = [wrapped(self.dim(), d) for d in (*args, *(0, -1)[len(args) :])]
    if first == last:
        return self
    raise unsupported("sizes")


@handles("equal", "split", "slice", "stack", "permute")
def unknown(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Refused, as in torch."""
    raise no_kernel(func)


@handles("is_same_size")
def is_same_size(func: Any, self: Any, other: Any) -> bool:
    """Whether the samples of both have the same sizes. Raises RuntimeError for a dense one."""
    nested = [isinstance(t, StridedNestedTensor) for t in (self, other)]
    if not all(nested):
        ours, theirs = ("nested" if n else "not nested" for n in nested)
        raise RuntimeError(
            f"Expected both self and other to be nested tensors. Self is {ours}. While Other is "
            f"{theirs}."
        )
    return self._sizes == other._sizes


@handles("copy_")
def copy_(func: Any, self: Any, src: Any, non_blocking: bool = False) -> Any:
    """Write the elements of another of the same sizes."""
    if self._sizes != src._sizes:
        raise RuntimeError(
            "copy_ only supports tensors that are the same size for Nested implementations"
        )
    return change(self, lambda values: values.copy_(values_of(src)), [src])


# Questions ----------------------------------------------------------------------------------------


def _refused(what: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise unsupported(what)

    return refuse


def _share_memory_(nt: Any) -> Any:
    """Move the elements to memory that processes share."""
    nt._values.share_memory_()
    return nt


FUNCTIONS |= {
    "size": size_of,
    "stride": _refused("strides"),
    "__len__": _refused("sizes"),
    "__iter__": _refused("sizes"),
    "numpy": _refused("sizes"),
    "tolist": _refused("strides"),
    "scaled_dot_product_attention": attention,
    "data_ptr": lambda nt: nt._values.data_ptr(),
    "untyped_storage": lambda nt: nt._values.untyped_storage(),
    "is_shared": lambda nt: nt._values.is_shared(),
    "share_memory_": _share_memory_,
}


@handles("numel", "sym_numel")
def numel(func: Any, self: Any) -> int:
    """The number of elements."""
    return self._values.numel()


@handles("dim")
def dim(func: Any, self: Any) -> int:
    """The number of dimensions, the batch included."""
    return 1 + (len(self._sizes[0]) if self._sizes else 0)


@handles("is_contiguous", "sym_is_contiguous")
def is_contiguous(func: Any, self: Any, memory_format: Any = None) -> bool:
    """True: what is not is copied."""
    return True


@handles("sym_storage_offset", "storage_offset")
def storage_offset(func: Any, self: Any) -> int:
    """Where the buffer begins."""
    return self._values.storage_offset()


@handles("sym_size", "size")
def sym_size(func: Any, self: Any, *args: Any) -> Any:
    """Refused but for one dimension."""
    return size_of(self, *args)


@handles("sym_stride", "stride")
def sym_stride(func: Any, self: Any) -> Any:
    """Refused."""
    raise unsupported("strides")


def _item(nt: Any) -> Any:
    if nt.numel() != 1:
        raise RuntimeError(f"a Tensor with {nt.numel()} elements cannot be converted to Scalar")
    return nt._values.item()


def subscript(nt: Any, index: Any) -> Any:
    """Numbers, None, dots and what follows a number."""
    parts = list(index) if isinstance(index, tuple) else [index]
    given = sum(p is not None and p is not Ellipsis for p in parts)
    if given > nt.dim():
        raise IndexError(f"too many indices for tensor of dimension {nt.dim()}")
    found, dim = nt, 0
    for at, part in enumerate(parts):
        if not isinstance(found, StridedNestedTensor):
            rest = tuple(parts[at:])
            return found[rest]
        if part is Ellipsis:
            dim += nt.dim() - given
        elif part is None:
            found, dim = found.unsqueeze(dim), dim + 1
        elif isinstance(part, int) and not isinstance(part, bool):
            found = found.select(dim, part)
        else:
            name = "slice" if isinstance(part, slice) else "index"
            raise NotImplementedError(
                f"Could not run 'aten::{name}.Tensor' with arguments from the 'NestedTensorCPU' "
                "backend."
            )
    return found


FUNCTIONS |= {"__getitem__": subscript, "item": _item}
