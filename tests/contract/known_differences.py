"""Calls of ops that are known to differ from the oracle, each with its reason: see ``known``."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """One difference: *row* is a row's name, *says* a part of the line."""

    category: str
    row: str
    says: str
    reason: str


def each(category: str, rows: str, says: str, reason: str) -> list[Known]:
    """The same difference of several *rows*."""
    return [Known(category, row, says, reason) for row in rows.split()]


KNOWN: list[Known] = [
    *each("npu", "get_device", "torch has -1", "the index of an NPU, not that of the host"),
    *each(
        "vmap",
        "_test_check_tensor",
        "vmap over calling .item()",
        "the oracle's rule asks of the whole batch at once",
    ),
    *each(
        "npu",
        "_test_ambiguous_defaults.a _test_ambiguous_defaults.b",
        "device cpu",
        "made on the host, wherever the tensor is",
    ),
    *each("npu", "_shape_as_tensor _to_cpu", "device cpu", "on the host, wherever the tensors are"),
    *each(
        "vmap",
        "cumprod_backward",
        " all: ",
        "the oracle's decomposition gives other numbers over a batch than for each sample",
    ),
    *each(
        "vmap",
        "masked_select_backward",
        "warned",
        "a rule of the oracle's for this formula alone; inside it there are ops that have none",
    ),
    *each(
        "in one place",
        "addmv histogram.bin_ct histogram.bins_tensor linalg_matrix_rank.atol_rtol_float mm "
        "multilabel_margin_loss multinomial pow.Scalar slow_conv_transpose2d",
        "more than one element of the written-to tensor",
        "the oracle goes another way for these arguments, which does not look, or looks alone",
    ),
    *each(
        "shared",
        "slow_conv3d slow_conv_transpose2d thnn_conv2d",
        "3 of ",
        "the oracle looks at the bias alone, when it is put into the target",
    ),
    *each(
        "in one place",
        "slow_conv3d",
        "slow_conv3d output must be contiguous",
        "the oracle puts the bias into the target, and so finds its elements in one place, first",
    ),
    *each(
        "shared",
        "binary_cross_entropy",
        "some elements of the input tensor",
        "the oracle hands a view of the target to an op that looks",
    ),
    *each(
        "shared",
        "glu ldexp.Tensor linalg_lu_solve lu_solve mvlgamma pow.Scalar special_multigammaln",
        "one",
        "the oracle does not hand the whole operand to the op that looks",
    ),
    *each("out", "_stack", "@meta", "the oracle's decomposition for compilers takes no lists"),
    *each(
        "meta_out",
        "_stack",
        "@meta",
        "the oracle's decomposition for compilers takes no lists",
    ),
    *each(
        "meta_out",
        "_weight_norm_interface bucketize.Scalar",
        "TypeError",
        "the oracle's meta function has no parameter for the target",
    ),
    *each(
        "meta_out",
        "__lshift__.Scalar __lshift__.Tensor __rshift__.Scalar __rshift__.Tensor bernoulli.Tensor "
        "copy fill.Scalar fill.Tensor index_put _index_put_impl put",
        "@meta",
        "a form that the oracle makes itself copies a fresh result of the same dtype alone",
    ),
    *each(
        "meta_out",
        "_neg_view_copy detach_copy select_copy.int slice_copy.Tensor view_as_complex_copy",
        "to larger_",
        "the oracle gives the target its size before it refuses the dtype",
    ),
    *each(
        "meta_out",
        "linalg_matrix_rank linalg_matrix_rank.atol_rtol_float linalg_matrix_rank.atol_rtol_tensor "
        "linalg_matrix_rank.tol_tensor",
        "torch has ([((), 'int64', ())]",
        "the oracle returns another tensor than the target",
    ),
    *each(
        "meta_out",
        "_linalg_solve_ex linalg_solve linalg_solve_ex linalg_solve_triangular",
        "@meta",
        "the oracle's meta functions resize the target themselves, and ask for no dtype",
    ),
    *each(
        "meta_out",
        "_linalg_svd linalg_svd svd",
        "@meta",
        "the oracle lays out V^H on meta as an accelerator does, with out= as the host does",
    ),
    *each(
        "meta_out",
        "linalg_vecdot",
        "to larger",
        "the oracle resizes the target by a kernel in C++ first",
    ),
    *each(
        "meta_out",
        "msort",
        "@meta",
        "the oracle sorts on meta into a fresh tensor and makes the target look at that",
    ),
    *each(
        "meta_out",
        "igamma igammac special_gammainc special_gammaincc",
        "int64",
        "the oracle's meta function makes floats of integers, which its kernel refuses",
    ),
    *each(
        "meta_out",
        "_addmm_activation",
        "@meta",
        "the oracle's meta function of the whole checks less than that of the sum inside",
    ),
    *each(
        "meta_out",
        "angle",
        "@meta",
        "the oracle's meta function resizes the target as a kernel does",
    ),
    *each(
        "meta_out",
        "huber_loss_backward smooth_l1_loss_backward",
        "to larger_",
        "the oracle's meta function leaves the target as it is",
    ),
    *each(
        "meta_out",
        "scatter.reduce",
        "is deprecated",
        "the oracle's meta function warns, too",
    ),
    *each(
        "meta_out",
        "sort sort.stable",
        "to larger_int",
        "the oracle resizes both targets before it refuses one",
    ),
    *each(
        "meta_out",
        "range.step",
        '"range_cpu" not implemented',
        "the oracle's meta kernel names the host's",
    ),
    *each(
        "bad",
        "_reshape_from_tensor",
        "tensor 1 on meta",
        "an error of the oracle's that tells of memory that is not there",
    ),
    *each("pipeline", "get_device", "torch has -1", "the index of an NPU, not that of the host"),
    *each(
        "bad",
        "_unsafe_masked_index conv_tbc _grouped_mm _scaled_mm _scaled_mm_v2",
        "on meta]",
        "one of torch's errors for a call on two devices",
    ),
    *each(
        "gradient of variants",
        "_unsafe_masked_index_put_accumulate",
        "without elements",
        "the oracle's own formula gives a gradient of another shape",
    ),
    *each(
        "second order of variants",
        "_unsafe_masked_index_put_accumulate",
        "without elements",
        "the oracle's own formula gives a gradient of another shape",
    ),
    *each(
        "second order of variants",
        "conv_tbc",
        "gapped: value[1].strides",
        "strides of a gradient's gradient follow the matrix product by which it is made",
    ),
    *each(
        "second order of variants",
        "conv_tbc",
        "argument 0 of size one",
        "the oracle has no second derivative of a sequence without steps",
    ),
    *each(
        "bad",
        "_rowwise_prune",
        "on meta]",
        "one of torch's errors for a call on two devices",
    ),
    *each(
        "vmap",
        "_rowwise_prune",
        "elements differ",
        "the oracle reads the samples of a batch as if each were contiguous",
    ),
    *each(
        "out",
        "ldexp.Tensor",
        "1 of ",
        "the oracle multiplies self by a power made of other, which so is no operand",
    ),
    *each(
        "out",
        "_scaled_mm _scaled_mm_v2",
        "Expected out tensor to have dtype",
        "the oracle's kernel says in its own words that out has another dtype",
    ),
    *each(
        "out",
        "_scaled_mm _scaled_mm_v2",
        "with Meta tensors, but there was no fake impl",
        "the oracle's dispatcher has no kernel for a result on meta",
    ),
    *each(
        "bad",
        "fft_ifft2",
        "1 of 24 elements differ",
        "sums of large integers that cancel: what is left is of the size of their last bit",
    ),
    *each(
        "bad",
        "special_laguerre_polynomial_l",
        "1 of 25 elements differ",
        "the last step overflows in single precision, the oracle's recurrence one step before",
    ),
    *each(
        "gradient of variants",
        "_masked_softmax",
        "transposed",
        "the oracle writes rows of a result that has the strides of a transposed argument",
    ),
    *each(
        "tangent",
        "cholesky_inverse",
        "elements differ",
        "the oracle multiplies two of the four factors in the wrong order",
    ),
    *each(
        "over reverse",
        "cholesky_inverse",
        "elements differ",
        "the oracle multiplies two of the four factors in the wrong order",
    ),
    *each(
        "tangent",
        "triangular_solve",
        "False, True): value[0][1]: ",
        "the oracle forgets to transpose the tangent of a matrix that counts as transposed",
    ),
    *each(
        "over reverse",
        "triangular_solve",
        "elements differ",
        "the oracle forgets to transpose the tangent of a matrix that counts as transposed",
    ),
    *each(
        "bad",
        "gru.data gru.input gru_cell lstm.data lstm_cell rnn_relu.data rnn_relu.input "
        "rnn_relu_cell rnn_tanh.data rnn_tanh.input rnn_tanh_cell",
        "; torch ",
        "refused by the ops inside, which are others than the oracle's: in other words",
    ),
    *each(
        "bad",
        "gru_cell lstm_cell gru.data lstm.data rnn_relu.data rnn_tanh.data",
        "no error; torch raises",
        "no op inside works in place, as the oracle's do, which whole numbers and sizes fail",
    ),
    *each(
        "gradient of variants",
        "nuclear_norm",
        "expanded: ",
        "equal singular values have no one pair of bases, and so the sum of them no one gradient",
    ),
    *each(
        "second order of variants",
        "nuclear_norm",
        "expanded: ",
        "equal singular values have no one pair of bases, and so the sum of them no one gradient",
    ),
    *each(
        "bad",
        "grid_sampler grid_sampler_2d grid_sampler_3d",
        "elements differ",
        "modes that do not exist, for which the oracle gives memory that nobody wrote; and half "
        "types, which it rounds after each step",
    ),
    *each(
        "bad",
        "fractional_max_pool2d",
        "ValueError",
        "windows of no size, of which the oracle finds the maximum to be minus infinity",
    ),
    *each(
        "bad",
        "ctc_loss.IntList ctc_loss.Tensor",
        "; torch ",
        "targets on another device are refused as such; the oracle copies them to the host first",
    ),
    *each(
        "bad",
        "embedding_bag.padding_idx embedding_renorm_ grid_sampler grid_sampler_3d",
        "; torch ",
        "wrong in two ways, of which the oracle finds the other one first",
    ),
    *each(
        "bad",
        "embedding_renorm_",
        "elements differ",
        "the sample is scaled twice, and in single precision it is again a digit too long",
    ),
    *each(
        "bad",
        "meshgrid meshgrid.indexing",
        "Expected 0D or 1D tensor in the tensor list",
        "the tensor is shown as Python prints it, by the oracle as C++ does",
    ),
    *each(
        "bad",
        "addr",
        "[tensor 1 on meta]",
        "the oracle's decomposition for meta names the devices the other way round",
    ),
    *each(
        "bad",
        "affine_grid_generator",
        "expected scalar type Float but found",
        "whole numbers are refused; the oracle makes a grid of whole numbers, all of them wrong",
    ),
    *each(
        "value",
        "std.correction std_mean.correction",
        "1 of 3 elements differ, first at [1]: np.float64(0.383534770646692",
        "variance far from zero: the oracle's running mean loses three digits, mindtorch none",
    ),
    *each(
        "value",
        "var.correction var_mean.correction",
        "1 of 3 elements differ, first at [1]: np.float64(0.147098920295010",
        "variance far from zero: the oracle's running mean loses three digits, mindtorch none",
    ),
    *each(
        "value",
        "linalg_matrix_exp matrix_exp",
        "float16[",
        "torch's exponential of matrices in half types is NaN, mindtorch's the rounded number",
    ),
    *each(
        "bad",
        "stft.center",
        "922337203685477580",
        "more points than any memory has room for: refused in other words",
    ),
    *each(
        "bad",
        "linalg_matrix_exp matrix_exp",
        "float16[",
        "torch's exponential of matrices in half types is NaN, mindtorch's the rounded number",
    ),
    *each(
        "gradient",
        "prod",
        "dtype=torch.float16): value['grads']",
        "the oracle rounds after each factor, numpy in its own order",
    ),
    *each(
        "tangent",
        "prod",
        "dtype=torch.float16): value[0]",
        "the oracle rounds after each factor, numpy in its own order",
    ),
    *each(
        "second order",
        "prod",
        "dtype=torch.float16): value[0]",
        "the oracle rounds after each factor, numpy in its own order",
    ),
    *each(
        "value",
        "special_i0e",
        "float16[",
        "torch's scalar kernel rounds each step to the half type, its vectorised one only the end",
    ),
    *each(
        "bad",
        "special_i0e",
        "float16[",
        "torch's scalar kernel rounds each step to the half type, its vectorised one only the end",
    ),
    *each(
        "bad",
        "renorm",
        "INTERNAL ASSERT FAILED",
        "unsigned numbers are refused as other integers are; the oracle reports a bug of its own",
    ),
    *each(
        "bad",
        "addmm.dtype",
        "Could not run 'aten::mm.dtype'",
        "with the summand alone on meta torch takes its decomposition and misses the CPU's kernel",
    ),
    *each(
        "bad",
        "baddbmm.dtype",
        "unsupported operand type(s) for *: 'Tensor' and 'torch.dtype'",
        "torch's decomposition for meta takes the dtype for the factor beta",
    ),
    *each(
        "out",
        "_softmax _log_softmax im2col col2im adaptive_max_pool3d avg_pool3d slow_conv_transpose2d "
        "slow_conv_transpose3d",
        "elements differ",
        "the oracle writes a strided out as if it were contiguous",
    ),
    *each(
        "out",
        "im2col col2im",
        "torch returns torch.",
        "refused by its dtype; the oracle looks at none where there is nothing to write",
    ),
    *each(
        "out",
        "im2col col2im",
        "value.strides: (1, ",
        "the oracle gives the target of an unbatched call contiguous strides",
    ),
    *each(
        "out",
        "_slow_conv2d_forward thnn_conv2d",
        "value.strides: (1, ",
        "the oracle lays targets of the right shape out anew",
    ),
    *each(
        "out",
        "max_pool3d_with_indices",
        "].strides: (",
        "the oracle lays targets of the right shape out anew",
    ),
    *each(
        "out",
        "_linalg_eigh linalg_eigh",
        "; torch 'RuntimeError: Expected out tensor to have dtype c10::complex<float>",
        "of two targets that do not fit, the oracle tells of the second one",
    ),
    *each(
        "value",
        "slow_conv_transpose3d",
        "float16",
        "the oracle adds the numbers that fall on one place up in half precision",
    ),
    *each(
        "bad",
        "slow_conv3d slow_conv_transpose2d slow_conv_transpose3d",
        "does not hold the numbers of shape",
        "the oracle's loops read past the end of a weight of other kernels",
    ),
    *each(
        "out",
        "gelu",
        "elements differ",
        "the oracle computes into a contiguous copy of a strided out, which it then forgets",
    ),
    *each(
        "bad",
        "_neg_view",
        '"neg_cpu" not implemented for',
        "refused at once; torch refuses only when the view is read",
    ),
    *each(
        "bad",
        "_neg_view _neg_view_copy",
        "-0j), torch has",
        "torch's vectorised kernel of eight numbers gives 0 for -(0), its scalar one -0",
    ),
    *each(
        "bad",
        "native_batch_norm",
        " should contain ",
        "refused; the oracle reads past the end of parameters that are too short",
    ),
    *each(
        "gradient of variants",
        "native_batch_norm",
        "weight should contain 3 elements not 1",
        "refused; the oracle reads past the end of parameters that are too short",
    ),
    *each(
        "second order of variants",
        "native_batch_norm",
        "weight should contain 3 elements not 1",
        "refused; the oracle reads past the end of parameters that are too short",
    ),
    *each(
        "gradient of variants",
        "median.dim nanmedian.dim",
        "expanded: value['grads'][0]: 2 of 8 elements differ",
        "which of equal elements is chosen is left open by torch and follows from its algorithm",
    ),
    *each(
        "gradient of variants",
        "native_dropout",
        "without elements: value['grads']: 1 items, torch has 0",
        "torch hands back the input itself, which from then on has a history and is no leaf",
    ),
    *each(
        "bad",
        "native_batch_norm",
        "SmallVector unable to grow",
        "the oracle takes the channels of a 0-d input for -1",
    ),
    *each(
        "bad",
        "_log_softmax_backward_data",
        "to have same size as tensor for argument #2",
        "refused, as by _softmax_backward_data; the oracle reads past the end of the smaller one",
    ),
    *each(
        "bad",
        "kthvalue",
        "value[1]:",
        "which of equal elements is chosen is left open by torch and follows from its algorithm",
    ),
    *each(
        "vmap",
        "linspace.Scalar_Tensor linspace.Tensor_Scalar linspace.Tensor_Tensor "
        "logspace.Scalar_Tensor logspace.Tensor_Scalar logspace.Tensor_Tensor",
        "value.dtype: torch.float32, torch has torch.float64",
        "a 0-d sample does not widen the result, as it does not without vmap",
    ),
    *each(
        "vmap",
        "_weight_norm_interface",
        "elements differ",
        "the oracle reads samples with gaps between their numbers as if there were none",
    ),
    *each(
        "vmap",
        "linalg_solve linalg_solve_ex",
        "elements differ",
        "the oracle takes a batch of right sides for one of the batches of matrices in a sample",
    ),
    *each(
        "vmap",
        "linalg_solve_ex",
        "value[1].shape: (2,), torch has (2, 1)",
        "the oracle leaves a dimension in what tells of each matrix",
    ),
    *each(
        "vmap",
        "lu_unpack",
        ".shape: (2, 0), torch has (0,)",
        "what was not asked for is no batch of nothing in the oracle",
    ),
    *each(
        "vmap",
        "index_select",
        "value.shape: (2, 1, 4), torch has (2, 3, 4)",
        "one row for a 0-d index, as without vmap",
    ),
    *each(
        "bad",
        "upsample_bicubic2d",
        "elements differ, first at [0, 0, 0, 3]: np.uint8(175), torch has np.uint8(174)",
        "of bytes the oracle rounds weights computed in single precision",
    ),
    *each(
        "bad",
        "_adaptive_avg_pool3d",
        "torch returns torch.float32 (2, 3, 0, -1, 5) strides",
        "no tensor can have a size below 0",
    ),
    *each(
        "bad",
        "soft_margin_loss",
        "value: 1 of 1 elements differ, first at []",
        "the sum for a reduction that is no number of one; the oracle gives the first element",
    ),
    *each(
        "bad",
        "resize_ resize_as_ set_.source_Storage_storage_offset set_.source_Tensor_storage_offset",
        "elements differ, first at",
        "memory that has grown holds whatever lay there",
    ),
    *each(
        "bad",
        "resize_ set_.source_Storage_storage_offset set_.source_Tensor_storage_offset",
        "torch returns torch.float32 (0, -1, 5) strides",
        "no tensor can have a size below 0",
    ),
    *each(
        "bad",
        "set_.source_Tensor_storage_offset",
        "value.strides: (",
        "an empty tuple of strides is as no strides",
    ),
    *each(
        "second order",
        "layer_norm",
        "Expected a proper Tensor but got None",
        "torch's formula asks for a weight that is not there",
    ),
    *each(
        "over reverse",
        "native_layer_norm_backward",
        "native_layer_norm_backward mean' is not implemented",
        "torch finds another error first",
    ),
    *each(
        "twice",
        "_linalg_det _linalg_slogdet _linalg_solve_ex cholesky_inverse linalg_householder_product",
        "elements differ",
        "the oracle takes factors that follow the argument for numbers, or errs before",
    ),
]
