"""Written signatures: functions whose arguments torch reads by hand, not from a schema.

Their texts, as data for ``ArgumentParser.from_signatures``, by qualified name. Types are those of
schemas, and ``object`` for anything. Order and defaults are what torch's error texts list.
Source: torch tools/autograd/templates/python_variable_methods.cpp and
python_torch_functions_manual.cpp, torch/csrc/utils/tensor_new.cpp.
"""

from __future__ import annotations

__all__ = ["WRITTEN"]

_FORMAT = "*, MemoryFormat? memory_format=None"
_SPARSE = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
_SPARSE += "bool? pin_memory=False, bool? requires_grad=False, bool? check_invariants=None"


def _compressed(name: str, compressed: str, plain: str) -> tuple[str, str]:
    indices = f"object {compressed}, object {plain}, object values"
    return (f"{name}({indices}, int[] size, {_SPARSE})", f"{name}({indices}, {_SPARSE})")


_SHORT_CASTS = (
    "bfloat16 bool byte cdouble cfloat chalf char double float half int long short".split()
)

#: Signatures by qualified name (``"Tensor.to"``, ``"torch.tensor"``), in the order of their trial.
WRITTEN: dict[str, tuple[str, ...]] = {
    "Tensor.contiguous": ("contiguous(*, MemoryFormat memory_format=contiguous_format)",),
    "Tensor.copy_": (
        "copy_(Tensor other, bool non_blocking=False)",
        "copy_(Tensor other, bool async=False)|deprecated",
    ),
    "Tensor.cpu": (f"cpu({_FORMAT})",),
    "Tensor.cuda": (
        f"cuda(Device? device=None, bool non_blocking=False, {_FORMAT})",
        f"cuda(Device? device=None, bool async=False, {_FORMAT})|deprecated",
    ),
    "Tensor.is_contiguous": ("is_contiguous(*, MemoryFormat memory_format=contiguous_format)",),
    "Tensor.new_tensor": (
        "new_tensor(object data, *, ScalarType? dtype=None, Device? device=None, "
        "bool requires_grad=False)",
    ),
    "Tensor.nonzero": ("nonzero()", "nonzero(*, bool as_tuple)"),
    "Tensor.numpy": ("numpy(*, bool force=False)",),
    "Tensor.is_pinned": ("is_pinned(Device? device=None)",),
    "Tensor.is_same_size": ("is_same_size(Tensor other)",),
    "Tensor.requires_grad_": ("requires_grad_(bool requires_grad=True)",),
    "Tensor.size": ("size(int? dim=None)",),
    "Tensor.stride": ("stride(int? dim=None)",),
    "Tensor.to": (
        "to(Device? device=None, ScalarType? dtype=None, bool non_blocking=False, "
        f"bool copy=False, {_FORMAT})",
        f"to(ScalarType dtype, bool non_blocking=False, bool copy=False, {_FORMAT})",
        f"to(Tensor tensor, bool non_blocking=False, bool copy=False, {_FORMAT})",
    ),
    "Tensor.type": (
        f"type(object? dtype=None, bool non_blocking=False, {_FORMAT})",
        f"type(object? dtype=None, bool async=False, {_FORMAT})|deprecated",
    ),
    "Tensor.type_as": ("type_as(Tensor other)",),
    "torch._assert_scalar": ("_assert_scalar(Scalar self, str assert_msg)",),
    "torch._print": ("_print(str s)",),
    "torch.sym_constrain_range": (
        "sym_constrain_range(Scalar size, *, int? min=None, int? max=None)",
    ),
    "torch.sym_constrain_range_for_size": (
        "sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None)",
    ),
    "torch.as_tensor": ("as_tensor(object data, *, ScalarType? dtype=None, Device? device=None)",),
    "torch.nonzero": ("nonzero(Tensor input, *, bool as_tuple=False, Tensor out=None)",),
    "torch.range": (
        "range(Scalar start, Scalar end, Scalar step=1, *, Tensor out=None, "
        "ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
        "bool? requires_grad=False)",
    ),
    "torch.sparse_bsc_tensor": _compressed("sparse_bsc_tensor", "ccol_indices", "row_indices"),
    "torch.sparse_bsr_tensor": _compressed("sparse_bsr_tensor", "crow_indices", "col_indices"),
    "torch.sparse_compressed_tensor": _compressed(
        "sparse_compressed_tensor", "compressed_indices", "plain_indices"
    ),
    "torch.sparse_csc_tensor": _compressed("sparse_csc_tensor", "ccol_indices", "row_indices"),
    "torch.sparse_csr_tensor": _compressed("sparse_csr_tensor", "crow_indices", "col_indices"),
    "torch.tensor": (
        "tensor(object data, *, ScalarType? dtype=None, Device? device=None, "
        "bool? pin_memory=False, bool? requires_grad=False)",
    ),
}
for _name in _SHORT_CASTS:
    WRITTEN[f"Tensor.{_name}"] = (f"{_name}({_FORMAT})",)
