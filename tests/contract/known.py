"""Where mindtorch is known to differ from the oracle, each with its reason.

An entry names the category, the row and a part of the line that the comparison prints. Each
category has a test file, whose last test fails for entries that explain nothing any more: the list
can only shrink.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from .known_differences import KNOWN, Known, each

#: Test file -> the categories of differences that it alone looks for.
HOMES: dict[str, tuple[str, ...]] = {
    "test_rows_backends.py": ("npu", "pipeline"),
    "test_rows_bad_calls.py": ("bad",),
    "test_rows_forward_mode.py": ("tangent", "over reverse"),
    "test_rows_nested_forward_mode.py": ("twice",),
    "test_rows_gradient.py": ("gradient", "second order"),
    "test_rows_gradient_variants.py": ("gradient of variants", "second order of variants"),
    "test_rows_out.py": ("out",),
    "test_rows_out_meta.py": ("meta_out",),
    "test_rows_out_overlap.py": ("in one place", "shared"),
    "test_rows_value.py": ("value",),
    "test_vmap.py": ("vmap",),
}


#: Whether the oracle computes as on a processor with AVX-512. Without, it rounds otherwise here and
#: there, and oneDNN takes no half-precision operands: others then do its work.
HAS_AVX512 = torch.backends.cpu.get_cpu_capability() == "AVX512"
HAS_HALF_KERNELS = torch.ops.mkldnn._is_mkldnn_fp16_supported()
#: Rows of which the oracle has other kernels, checks and texts on this processor: oneDNN's, where
#: there is AMX.
ELSEWHERE = frozenset({"_scaled_mm"}) if torch.cpu._is_amx_tile_supported() else frozenset()

_SINGULAR_NOISE = (
    "rows that are all one: what is divided by what rounding leaves of zeros, which is up to the "
    "library of LAPACK"
)
#: The same for this machine only: these need not explain anything.
KNOWN_HERE: list[Known] = [
    entry
    for category in ("gradient of variants", "second order of variants")
    for entry in each(
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
    *each(
        "bad",
        "bilinear",
        "all float16]",
        "the oracle multiplies half types in steps and rounds each",
    ),
    *each(
        "bad",
        "_dirichlet_grad",
        "] (float32[60], float32[60], float32[",
        "a total less than a concentration: sums of terms that cancel, in single precision",
    ),
    *each(
        "bad",
        "_linalg_svd geqrf linalg_qr linalg_svd pinverse qr svd",
        "[tensor 0 of shape [2, 5, 7]]",
        "matrices of low rank: bases of what they do not reach, and what rounding leaves of zeros",
    ),
    *each(
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
        *each(
            "bad",
            f"{_CONV} {' '.join(f'{name}.padding' for name in _CONV.split())} {_TRANSPOSED} "
            "convolution _convolution _convolution.deprecated _convolution_mode",
            "torch 'RuntimeError: expected scalar type Half but found Float'",
            _reason,
        ),
        *each("bad", f"{_CONV} {_TRANSPOSED} convolution", "[all float16]", _reason),
        *each("autocast", _TRANSPOSED, "elements differ", _reason),
    ]

KNOWN_HERE += each(
    "gradient of variants",
    "_slow_conv2d_forward thnn_conv2d",
    "value['grads'][1]: ",
    "of images with gaps the oracle gives other gradients of a weight from run to run",
)

KNOWN_HERE += each(
    "autocast",
    "_scaled_mm _scaled_mm_v2",
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
        *[
            (name, "twice")
            for name in (
                "_log_softmax",
                "_softmax",
                "adaptive_avg_pool2d",
                "adaptive_max_pool3d",
                "avg_pool3d",
                "col2im",
                "im2col",
                "linalg_matmul",
                "matmul",
                "max_pool3d_with_indices",
                "thnn_conv2d",
            )
        ],  # it writes past the end of a target whose elements are there twice
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
        *[
            (name, f"tensor {place} of shape [0]")  # it writes where no range is
            for name in ("_fused_moving_avg_obs_fq_helper", "fused_moving_avg_obs_fake_quant")
            for place in (3, 4)
        ],
        ("slow_conv_transpose3d", "(0, -1, 5) at 2"),  # kernels of which its weight has no numbers
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
    categories = HOMES[Path(file).name]
    entries = [k for k in KNOWN if k.category in categories and k.row not in ELSEWHERE]
    assert entries
    if {(k.category, k.row) for k in entries} - seen:
        pytest.skip("not every row with a known difference was looked at in this run")
    unused = sorted(set(entries) - used)
    assert not unused, "explains nothing any more:\n" + "\n".join(map(str, unused))


def deadly(row: str, what: str) -> bool:
    """Whether the oracle's process dies of this call."""
    return (row, what) in ORACLE_DIES or row in UNCHECKED
