"""Where mindtorch is known to differ from the oracle, each with its reason.

An entry names the category, the row and a part of the line that the comparison prints. Each
category has a test file, whose last test fails for entries that explain nothing any more: the list
can only shrink.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
import torch

#: Test file -> the categories of differences that it alone looks for.
HOMES: dict[str, tuple[str, ...]] = {
    "test_rows_bad_calls.py": ("bad",),
    "test_rows_forward_mode.py": ("tangent", "over reverse"),
    "test_rows_gradient.py": ("gradient", "second order"),
    "test_rows_gradient_variants.py": ("gradient of variants", "second order of variants"),
    "test_rows_out.py": ("out",),
    "test_rows_value.py": ("value",),
    "test_vmap.py": ("vmap",),
}


class Known(NamedTuple):
    """One difference: *row* is a row's name, *says* a part of the line."""

    category: str
    row: str
    says: str
    reason: str


def _each(category: str, rows: str, says: str, reason: str) -> list[Known]:
    return [Known(category, row, says, reason) for row in rows.split()]


KNOWN: list[Known] = [
    *_each(
        "vmap",
        "_scaled_mm",
        "worst gap",
        "the oracle reads a bias with gaps as if it had none",
    ),
    *_each(
        "bad",
        "_unsafe_masked_index conv_tbc _scaled_mm _scaled_mm_v2",
        "on meta]",
        "one of torch's errors for a call on two devices",
    ),
    *_each(
        "bad",
        "_scaled_mm",
        "tensor 3 of shape [2, 5, 7]",
        "the oracle fails in the transpose of a scale that is no matrix",
    ),
    *_each(
        "gradient of variants",
        "_unsafe_masked_index_put_accumulate",
        "without elements",
        "the oracle's own formula gives a gradient of another shape",
    ),
    *_each(
        "second order of variants",
        "_unsafe_masked_index_put_accumulate",
        "without elements",
        "the oracle's own formula gives a gradient of another shape",
    ),
    *_each(
        "second order of variants",
        "conv_tbc",
        "gapped: value[1].strides",
        "strides of a gradient's gradient follow the matrix product by which it is made",
    ),
    *_each(
        "second order of variants",
        "conv_tbc",
        "argument 0 of size one",
        "the oracle has no second derivative of a sequence without steps",
    ),
    *_each("out", "_scaled_mm", "worst gap", "the oracle writes a strided out as if contiguous"),
    *_each(
        "out",
        "_scaled_mm _scaled_mm_v2",
        "Expected out tensor to have dtype",
        "the oracle's kernel says in its own words that out has another dtype",
    ),
    *_each(
        "out",
        "_scaled_mm _scaled_mm_v2",
        "with Meta tensors, but there was no fake impl",
        "the oracle's dispatcher has no kernel for a result on meta",
    ),
    *_each(
        "bad",
        "fft_ifft2",
        "1 of 24 elements differ",
        "sums of large integers that cancel: what is left is of the size of their last bit",
    ),
    *_each(
        "bad",
        "special_laguerre_polynomial_l",
        "1 of 25 elements differ",
        "the last step overflows in single precision, the oracle's recurrence one step before",
    ),
    *_each(
        "gradient of variants",
        "_masked_softmax",
        "transposed",
        "the oracle writes rows of a result that has the strides of a transposed argument",
    ),
    *_each(
        "vmap",
        "ctc_loss.Tensor",
        "Cannot access data pointer of Tensor that doesn't have storage",
        "lengths are read as numbers, of which a batch has none; the oracle runs each sample",
    ),
    *_each(
        "tangent",
        "cholesky_inverse",
        "elements differ",
        "the oracle multiplies two of the four factors in the wrong order",
    ),
    *_each(
        "over reverse",
        "cholesky_inverse",
        "elements differ",
        "the oracle multiplies two of the four factors in the wrong order",
    ),
    *_each(
        "tangent",
        "triangular_solve",
        "False, True): value[0][1]: ",
        "the oracle forgets to transpose the tangent of a matrix that counts as transposed",
    ),
    *_each(
        "over reverse",
        "triangular_solve",
        "elements differ",
        "the oracle forgets to transpose the tangent of a matrix that counts as transposed",
    ),
    *_each(
        "bad",
        "gru.data gru.input gru_cell lstm.data lstm_cell rnn_relu.data rnn_relu.input "
        "rnn_relu_cell rnn_tanh.data rnn_tanh.input rnn_tanh_cell",
        "; torch ",
        "refused by the ops inside, which are others than the oracle's: in other words",
    ),
    *_each(
        "bad",
        "gru_cell lstm_cell gru.data lstm.data rnn_relu.data rnn_tanh.data",
        "no error; torch raises",
        "no op inside works in place, as the oracle's do, which whole numbers and sizes fail",
    ),
    *_each(
        "bad",
        "nuclear_norm nuclear_norm.dim",
        "nuclear_norm() received an invalid combination of arguments",
        "without the forms that take out=, which the oracle's list of signatures has",
    ),
    *_each(
        "gradient of variants",
        "nuclear_norm",
        "expanded: ",
        "equal singular values have no one pair of bases, and so the sum of them no one gradient",
    ),
    *_each(
        "second order of variants",
        "nuclear_norm",
        "expanded: ",
        "equal singular values have no one pair of bases, and so the sum of them no one gradient",
    ),
    *_each(
        "bad",
        "grid_sampler grid_sampler_2d grid_sampler_3d",
        "elements differ",
        "modes that do not exist, for which the oracle gives memory that nobody wrote; and half "
        "types, which it rounds after each step",
    ),
    *_each(
        "bad",
        "fractional_max_pool2d fractional_max_pool3d",
        "ValueError",
        "windows of no size, of which the oracle finds the maximum to be minus infinity",
    ),
    *_each(
        "bad",
        "ctc_loss.IntList ctc_loss.Tensor",
        "; torch ",
        "targets on another device are refused as such; the oracle copies them to the host first",
    ),
    *_each(
        "bad",
        "embedding_bag.padding_idx embedding_renorm_ grid_sampler grid_sampler_3d",
        "; torch ",
        "wrong in two ways, of which the oracle finds the other one first",
    ),
    *_each(
        "bad",
        "embedding_renorm_",
        "elements differ",
        "the sample is scaled twice, and in single precision it is again a digit too long",
    ),
    *_each(
        "bad",
        "meshgrid meshgrid.indexing",
        "Expected 0D or 1D tensor in the tensor list",
        "the tensor is shown as Python prints it, by the oracle as C++ does",
    ),
    *_each(
        "bad",
        "addr",
        "[tensor 1 on meta]",
        "the oracle's decomposition for meta names the devices the other way round",
    ),
    *_each(
        "bad",
        "affine_grid_generator",
        "expected scalar type Float but found",
        "whole numbers are refused; the oracle makes a grid of whole numbers, all of them wrong",
    ),
    *_each(
        "value",
        "std.correction std_mean.correction",
        "1 of 3 elements differ, first at [1]: np.float64(0.383534770646692",
        "variance far from zero: the oracle's running mean loses three digits, mindtorch none",
    ),
    *_each(
        "value",
        "var.correction var_mean.correction",
        "1 of 3 elements differ, first at [1]: np.float64(0.147098920295010",
        "variance far from zero: the oracle's running mean loses three digits, mindtorch none",
    ),
    *_each(
        "value",
        "linalg_matrix_exp matrix_exp",
        "float16[",
        "torch's exponential of matrices in half types is NaN, mindtorch's the rounded number",
    ),
    *_each(
        "bad",
        "linalg_solve_triangular",
        "linalg.solve_triangular: Expected A and B to have the same dtype",
        "refused; the oracle reads the memory of one dtype as another",
    ),
    *_each(
        "bad",
        "stft.center",
        "922337203685477580",
        "more points than any memory has room for: refused in other words",
    ),
    *_each(
        "bad",
        "linalg_matrix_exp matrix_exp",
        "float16[",
        "torch's exponential of matrices in half types is NaN, mindtorch's the rounded number",
    ),
    *_each(
        "gradient",
        "prod",
        "dtype=torch.float16): value['grads']",
        "the oracle rounds after each factor, numpy in its own order",
    ),
    *_each(
        "tangent",
        "prod",
        "dtype=torch.float16): value[0]",
        "the oracle rounds after each factor, numpy in its own order",
    ),
    *_each(
        "second order",
        "prod",
        "dtype=torch.float16): value[0]",
        "the oracle rounds after each factor, numpy in its own order",
    ),
    *_each(
        "value",
        "special_i0e",
        "float16[",
        "torch's scalar kernel rounds each step to the half type, its vectorised one only the end",
    ),
    *_each(
        "bad",
        "special_i0e",
        "float16[",
        "torch's scalar kernel rounds each step to the half type, its vectorised one only the end",
    ),
    *_each(
        "bad",
        "renorm",
        "INTERNAL ASSERT FAILED",
        "unsigned numbers are refused as other integers are; the oracle reports a bug of its own",
    ),
    *_each(
        "bad",
        "addmm.dtype",
        "Could not run 'aten::mm.dtype'",
        "with the summand alone on meta torch takes its decomposition and misses the CPU's kernel",
    ),
    *_each(
        "bad",
        "baddbmm.dtype",
        "unsupported operand type(s) for *: 'Tensor' and 'torch.dtype'",
        "torch's decomposition for meta takes the dtype for the factor beta",
    ),
    *_each(
        "out",
        "_softmax _log_softmax im2col col2im adaptive_max_pool3d avg_pool3d",
        "elements differ",
        "the oracle writes a strided out as if it were contiguous",
    ),
    *_each(
        "out",
        "im2col col2im",
        "torch returns torch.",
        "refused by its dtype; the oracle looks at none where there is nothing to write",
    ),
    *_each(
        "out",
        "im2col col2im",
        "value.strides: (1, ",
        "the oracle gives the target of an unbatched call contiguous strides",
    ),
    *_each(
        "out",
        "max_pool3d_with_indices",
        "].strides: (",
        "the oracle lays targets of the right shape out anew",
    ),
    *_each(
        "out",
        "_linalg_eigh linalg_eigh",
        "; torch 'RuntimeError: Expected out tensor to have dtype c10::complex<float>",
        "of two targets that do not fit, the oracle tells of the second one",
    ),
    *_each(
        "out",
        "gelu",
        "elements differ",
        "the oracle computes into a contiguous copy of a strided out, which it then forgets",
    ),
    *_each(
        "bad",
        "_neg_view",
        '"neg_cpu" not implemented for',
        "refused at once; torch refuses only when the view is read",
    ),
    *_each(
        "bad",
        "_neg_view _neg_view_copy",
        "-0j), torch has",
        "torch's vectorised kernel of eight numbers gives 0 for -(0), its scalar one -0",
    ),
    *_each(
        "bad",
        "native_batch_norm",
        " should contain ",
        "refused; the oracle reads past the end of parameters that are too short",
    ),
    *_each(
        "gradient of variants",
        "native_batch_norm",
        "weight should contain 3 elements not 1",
        "refused; the oracle reads past the end of parameters that are too short",
    ),
    *_each(
        "second order of variants",
        "native_batch_norm",
        "weight should contain 3 elements not 1",
        "refused; the oracle reads past the end of parameters that are too short",
    ),
    *_each(
        "gradient of variants",
        "median.dim nanmedian.dim",
        "expanded: value['grads'][0]: 2 of 8 elements differ",
        "which of equal elements is chosen is left open by torch and follows from its algorithm",
    ),
    *_each(
        "gradient of variants",
        "native_dropout",
        "without elements: value['grads']: 1 items, torch has 0",
        "torch hands back the input itself, which from then on has a history and is no leaf",
    ),
    *_each(
        "bad",
        "native_batch_norm",
        "SmallVector unable to grow",
        "the oracle takes the channels of a 0-d input for -1",
    ),
    *_each(
        "bad",
        "_log_softmax_backward_data",
        "to have same size as tensor for argument #2",
        "refused, as by _softmax_backward_data; the oracle reads past the end of the smaller one",
    ),
    *_each(
        "bad",
        "kthvalue",
        "value[1]:",
        "which of equal elements is chosen is left open by torch and follows from its algorithm",
    ),
    *_each(
        "vmap",
        "linspace.Scalar_Tensor linspace.Tensor_Scalar linspace.Tensor_Tensor "
        "logspace.Scalar_Tensor logspace.Tensor_Scalar logspace.Tensor_Tensor",
        "value.dtype: torch.float32, torch has torch.float64",
        "a 0-d sample does not widen the result, as it does not without vmap",
    ),
    *_each(
        "vmap",
        "_weight_norm_interface",
        "elements differ",
        "the oracle reads samples with gaps between their numbers as if there were none",
    ),
    *_each(
        "vmap",
        "linalg_solve linalg_solve_ex",
        "elements differ",
        "the oracle takes a batch of right sides for one of the batches of matrices in a sample",
    ),
    *_each(
        "vmap",
        "linalg_solve_ex",
        "value[1].shape: (2,), torch has (2, 1)",
        "the oracle leaves a dimension in what tells of each matrix",
    ),
    *_each(
        "vmap",
        "lu_unpack",
        ".shape: (2, 0), torch has (0,)",
        "what was not asked for is no batch of nothing in the oracle",
    ),
    *_each(
        "vmap",
        "index_select",
        "value.shape: (2, 1, 4), torch has (2, 3, 4)",
        "one row for a 0-d index, as without vmap",
    ),
    *_each(
        "bad",
        "upsample_bicubic2d",
        "elements differ, first at [0, 0, 0, 3]: np.uint8(175), torch has np.uint8(174)",
        "of bytes the oracle rounds weights computed in single precision",
    ),
    *_each(
        "bad",
        "_adaptive_avg_pool3d",
        "torch returns torch.float32 (2, 3, 0, -1, 5) strides",
        "no tensor can have a size below 0",
    ),
    *_each(
        "bad",
        "soft_margin_loss",
        "value: 1 of 1 elements differ, first at []",
        "the sum for a reduction that is no number of one; the oracle gives the first element",
    ),
    *_each(
        "bad",
        "resize_ resize_as_ set_.source_Storage_storage_offset set_.source_Tensor_storage_offset",
        "elements differ, first at",
        "memory that has grown holds whatever lay there",
    ),
    *_each(
        "bad",
        "resize_ set_.source_Storage_storage_offset set_.source_Tensor_storage_offset",
        "torch returns torch.float32 (0, -1, 5) strides",
        "no tensor can have a size below 0",
    ),
    *_each(
        "bad",
        "set_.source_Tensor_storage_offset",
        "value.strides: (",
        "an empty tuple of strides is as no strides",
    ),
    *_each(
        "second order",
        "layer_norm",
        "Expected a proper Tensor but got None",
        "torch's formula asks for a weight that is not there",
    ),
    *_each(
        "over reverse",
        "native_layer_norm_backward",
        "native_layer_norm_backward mean' is not implemented",
        "torch finds another error first",
    ),
]

#: Whether the oracle computes as on a processor with AVX-512. Without, it rounds otherwise here and
#: there, and oneDNN takes no half-precision operands: others then do its work.
HAS_AVX512 = torch.backends.cpu.get_cpu_capability() == "AVX512"
HAS_HALF_KERNELS = torch.ops.mkldnn._is_mkldnn_fp16_supported()

_SINGULAR_NOISE = (
    "rows that are all one: what is divided by what rounding leaves of zeros, which is up to the "
    "library of LAPACK"
)
#: The same for this machine only: these need not explain anything.
KNOWN_HERE: list[Known] = [
    entry
    for category in ("gradient of variants", "second order of variants")
    for entry in _each(
        category,
        "_linalg_det _linalg_slogdet _linalg_solve_ex det linalg_cond linalg_det linalg_eigvals "
        "linalg_matrix_norm.str_ord linalg_norm linalg_norm.ord_str linalg_qr linalg_slogdet "
        "linalg_solve_ex linalg_svd linalg_svdvals logdet nuclear_norm.dim qr slogdet svd "
        "_linalg_svd",
        "expanded: ",
        _SINGULAR_NOISE,
    )
]
KNOWN_HERE += [
    *_each(
        "bad",
        "bilinear",
        "all float16]",
        "the oracle multiplies half types in steps and rounds each",
    ),
    *_each(
        "bad",
        "_dirichlet_grad",
        "] (float32[60], float32[60], float32[",
        "a total less than a concentration: sums of terms that cancel, in single precision",
    ),
    *_each(
        "bad",
        "_linalg_svd geqrf linalg_qr linalg_svd pinverse qr svd",
        "[tensor 0 of shape [2, 5, 7]]",
        "matrices of low rank: bases of what they do not reach, and what rounding leaves of zeros",
    ),
    *_each(
        "bad",
        "fft_fft fft_hfftn fft_ifft fft_ihfft fft_irfftn fft_rfft fft_rfftn",
        "elements differ",
        "in single precision, as one library or the other rounds sums of large numbers",
    ),
]
if not HAS_AVX512:
    KNOWN_HERE += [
        Known(
            "bad",
            "addbmm",
            "[9223372036854775808 at alpha]",
            "a large and a small number: what is left of them depends on the order of rounding",
        ),
    ]
if not HAS_HALF_KERNELS:
    _CONV = "conv1d conv2d conv3d"
    _TRANSPOSED = "conv_transpose1d conv_transpose2d.input conv_transpose3d.input"
    _reason = "the oracle's own kernel, not oneDNN's, finds another error, and rounds each step"
    KNOWN_HERE += [
        *_each(
            "bad",
            f"{_CONV} {' '.join(f'{name}.padding' for name in _CONV.split())} {_TRANSPOSED} "
            "convolution _convolution",
            "torch 'RuntimeError: expected scalar type Half but found Float'",
            _reason,
        ),
        *_each("bad", f"{_CONV} {_TRANSPOSED} convolution", "[all float16]", _reason),
        *_each("autocast", _TRANSPOSED, "elements differ", _reason),
    ]

KNOWN_HERE += _each(
    "autocast",
    "_scaled_mm_v2",
    "elements differ",
    "a kernel of the oracle that happens to call an op on the list",
)

#: Rows whose numbers are whatever lay in memory: only dtype, shape and strides can be compared.
UNINITIALISED = frozenset(
    {
        "empty.memory_format",
        "empty_like",
        "empty_strided",
        "empty_permuted",
        "new_empty",
        "new_empty_strided",
    }
)


#: (row, kind of ``out=``) with which the oracle's process dies, so that nothing can be compared.
ORACLE_DIES = frozenset(
    {
        ("broadcast_to", "(0, -1, 5) at 1"),  # it gives a tensor of which nothing can be read
        ("expand", "(0, -1, 5) at 1"),
        ("range.step", "as_int"),  # a step of 0.5 in int64 is 0, by which it divides
        ("_log_softmax_backward_data", "without elements"),  # it divides by the number of them
        ("native_batch_norm_backward", "without elements"),
        ("lu_unpack", "tensor 1 of shape [2, 5, 7]"),  # pivots that name no rows
        ("lu_unpack", "tensor 1 of shape [0]"),
        ("embedding_bag.padding_idx", "tensor 2 of shape [0]"),  # it writes where no bag is
        ("gru.data", "tensor 1 of shape [0]"),  # the first size of no sizes
        ("lstm.data", "tensor 1 of shape [0]"),
        ("rnn_relu.data", "tensor 1 of shape [0]"),
        ("rnn_tanh.data", "tensor 1 of shape [0]"),
        ("_embedding_bag", "without elements"),
        ("pdist", "without elements"),  # the backward of no pairs
        ("segment_reduce", "tensor 0 of shape [0]"),  # offsets that name no rows
        # Of memory that nobody wrote torch makes any text, or any number.
        ("linalg_tensorsolve", "tensor 1 on meta"),
        ("_upsample_bilinear2d_aa.vec", "bool at 3"),
    }
)

#: Rows behind others that check: what they are given wrong kills the oracle, or comes to nothing.
UNCHECKED = frozenset(
    ("_fft_r2c", "_pack_padded_sequence", "_pad_packed_sequence",
     "_segment_reduce_backward", "segment_reduce",
     "_native_batch_norm_legit", "_native_batch_norm_legit.no_stats",
     "_native_batch_norm_legit_no_training",
     "_weight_norm", "_weight_norm_interface", "linalg_householder_product", "lu_unpack", "orgqr",
     "ormqr")
)  # fmt: skip

#: Entries that explained a line in this run, and the rows looked at by category.
used: set[Known] = set()
seen: set[tuple[str, str]] = set()


def expected(category: str, row: str, lines: list[str]) -> list[str]:
    """The lines that no entry explains."""
    seen.add((category, row))
    entries = [k for k in KNOWN + KNOWN_HERE if k.category == category and k.row == row]
    if row in UNINITIALISED:
        lines = [line for line in lines if "elements differ" not in line]
    left = []
    for line in lines:
        explained = [k for k in entries if k.says in line]
        used.update(explained)
        if not explained:
            left.append(line)
    return left


def check_all_differ(file: str) -> None:
    """Fail for the entries of *file* that explained nothing, if all their rows were looked at."""
    entries = [k for k in KNOWN if k.category in HOMES[Path(file).name]]
    assert entries
    if {(k.category, k.row) for k in entries} - seen:
        pytest.skip("not every row with a known difference was looked at in this run")
    unused = sorted(set(entries) - used)
    assert not unused, "explains nothing any more:\n" + "\n".join(map(str, unused))


def deadly(row: str, what: str) -> bool:
    """Whether the oracle's process dies of this call."""
    return (row, what) in ORACLE_DIES or row in UNCHECKED
