"""What an op's ``out=`` may be, where its kind of row does not tell: dtype, shape, presence.

Elementwise rows with promotion cast their result (``can_cast``); all other rows want the result's
own dtype. These are the exceptions, read off torch 2.13.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ANY",
    "ATEN_ONLY",
    "BROADCASTING",
    "CAST",
    "CASTABLE",
    "CAT",
    "COPIED",
    "DECLARED",
    "DIRECT",
    "ELSEWHERE",
    "GRADIENT_NAMES",
    "RECORDED",
    "SAME",
    "SILENT",
    "STRUCTURED",
    "TEXTS",
    "TRUTHS",
    "UNREFUSED",
    "UNTRACKED",
    "gradient_name",
]

#: TensorIterator without promotion: "Found dtype Double but expected Float".
SAME = frozenset(
    (
        "abs", "binary_cross_entropy", "bitwise_not", "ceil", "clamp", "clamp_max", "clamp_min",
        "conj_physical",
        "elu", "floor", "frac", "gelu", "hardshrink", "hardsigmoid", "hardswish",
        "hardtanh",
        "leaky_relu", "softshrink",
        "lerp.Tensor", "mish", "neg", "round", "round.decimals", "sgn", "sign", "silu", "softplus",
        "trunc", "gelu_backward", "hardtanh_backward", "leaky_relu_backward", "sigmoid_backward",
        "silu_backward", "soft_margin_loss", "softplus_backward", "tanh_backward",
        "threshold_backward",
    )
)  # fmt: skip

_POLYNOMIALS = (
    "chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w "
    "hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p "
    "shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u "
    "shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w"
).split()
#: Functions of ``torch.special`` of a tensor and a number.
_WITH_NUMBERS = {
    *(f"special_{n}.{x}_scalar" for n in _POLYNOMIALS for x in "xn"),
    *(f"special_{n}.{x}_scalar" for n in ("xlog1py", "zeta") for x in ("self", "other")),
}

#: Cast like elementwise ops with promotion, though their rows have none.
CAST = _WITH_NUMBERS | frozenset(
    (
        "bitwise_and.Scalar", "bitwise_left_shift.Tensor_Scalar", "bitwise_or.Scalar",
        "bitwise_right_shift.Tensor_Scalar", "bitwise_xor.Scalar", "copysign.Scalar", "eq.Scalar",
        "fmod.Scalar", "ge.Scalar", "ger", "gt.Scalar", "glu", "huber_loss", "kron", "le.Scalar",
        "lerp.Scalar", "lt.Scalar", "max.other", "mean", "mean.dim", "min.other", "mse_loss",
        "nansum", "ne.Scalar", "outer", "pow.Scalar", "pow.Tensor_Scalar", "remainder.Scalar",
        "smooth_l1_loss", "std.correction", "std.dim", "threshold", "var.correction", "var.dim",
        "xlogy.Scalar_Other", "xlogy.Scalar_Self", "nanmean", "angle",
    )
)  # fmt: skip

#: Their results are copied to whatever is given.
COPIED = frozenset(("_fft_c2c", "_fft_c2r", "_fft_r2c"))

#: Of those, and of elementwise ones, what is computed in the dtype of ``out``.
DIRECT = frozenset(
    (
        "angle", "floor_divide", "kron", "logit", "mean", "mean.dim", "nanmean", "nansum",
        "pow.Scalar", "std.correction", "std.dim", "threshold", "var.correction", "var.dim",
    )
)  # fmt: skip

#: In place they refuse another shape as elementwise ops do, though their rows are none.
BROADCASTING = frozenset(("copy_", "masked_fill", "masked_scatter"))

#: The name that the refusal of gradients says, by row or base, where it is not the base. Ops
#: without a derivative say their full name.
GRADIENT_NAMES = {
    "inverse": "linalg_inv_ex",
    "linalg_cholesky": "linalg_cholesky_ex",
    "linalg_det": "_linalg_det",
    "linalg_eigh": "_linalg_eigh",
    "linalg_eigvalsh": "_linalg_eigh",
    "linalg_inv": "linalg_inv_ex",
    "linalg_lu_factor": "linalg_lu_factor_ex",
    "linalg_matmul": "matmul",
    "linalg_matrix_power": "matmul",
    "linalg_multi_dot": "mm",
    "linalg_slogdet": "_linalg_slogdet",
    "linalg_solve": "_linalg_solve_ex",
    "linalg_solve_ex": "_linalg_solve_ex",
    "linalg_svd": "_linalg_svd",
    "linalg_svdvals": "_linalg_svd",
    "linalg_vecdot": "vdot",
    "lu_solve": "linalg_lu_solve",
    "matrix_power": "matmul",
    "orgqr": "linalg_householder_product",
    "qr": "linalg_qr",
    "slogdet": "_linalg_slogdet",
    "svd": "_linalg_svd",
    "linalg_ldl_factor": "aten::linalg_ldl_factor_ex",
    "adaptive_avg_pool2d": "aten::adaptive_avg_pool2d",
    "arange": "aten::arange",
    "concat": "cat",
    "conj_physical": "aten::conj_physical",
    "concatenate": "cat",
    "diag_embed": "aten::diag_embed",
    "eye": "aten::eye",
    "float_power": "pow",
    "floor_divide": "aten::floor_divide",
    "full": "aten::full",
    "heaviside": "aten::heaviside",
    "linspace": "aten::linspace",
    "log_sigmoid": "log_sigmoid_forward",
    "log_softmax": "aten::log_softmax",
    "logspace": "aten::logspace",
    "multilabel_margin_loss": "multilabel_margin_loss_forward",
    "nanmean": "nansum",
    "normal.float_float": "aten::normal",
    "ones": "aten::ones",
    "rand": "aten::rand",
    "range": "aten::range",
    "scatter.reduce": "aten::scatter",
    "scatter.value_reduce": "aten::scatter",
    "softmax": "aten::softmax",
    "zeros": "aten::zeros",
}

#: Inputs and target may require grad: nothing is differentiable.
UNTRACKED = frozenset(
    (
        *(f"special_{n}{x}" for n in _POLYNOMIALS for x in ("", ".x_scalar", ".n_scalar")),
        "special_airy_ai", "special_bessel_j0", "special_bessel_j1", "special_bessel_y0",
        "special_bessel_y1", "special_modified_bessel_i0", "special_modified_bessel_i1",
        "special_modified_bessel_k0", "special_modified_bessel_k1",
        "special_scaled_modified_bessel_k0", "special_scaled_modified_bessel_k1",
        "special_spherical_bessel_j0",
    )
)  # fmt: skip

#: Their only target may require grad: only inputs are looked at.
UNREFUSED = frozenset(("histc",))


def gradient_name(row: Any) -> str:
    """The name in the refusal of gradients with ``out=``."""
    if "explicit" in row.tags:
        return f"aten::{row.base}"
    return GRADIENT_NAMES.get(row.name) or GRADIENT_NAMES.get(row.base, row.base)


#: Computed in the dtype of ``out``, whichever it is.
ANY = frozenset(
    (
        "arange", "arange.start", "arange.start_step", "bernoulli", "cumprod", "cumsum",
        "empty.memory_format", "eye", "eye.m", "full", "linspace", "linspace.Scalar_Tensor",
        "linspace.Tensor_Scalar", "linspace.Tensor_Tensor", "logspace", "logspace.Scalar_Tensor",
        "logspace.Tensor_Scalar", "logspace.Tensor_Tensor", "normal.float_float", "ones",
        "prod.dim_int", "rand", "rand.generator", "randn", "randn.generator", "randint",
        "randint.generator", "randint.low", "randint.low_generator", "randperm",
        "randperm.generator", "range", "range.step",
        "sum.dim_IntList", "zeros",
    )
)  # fmt: skip

#: Where both ``dtype`` and ``out`` are given they must agree; a text of their own for floats.
DECLARED = {
    "cumprod": "",
    "cumsum": "",
    "mean": "",
    "mean.dim": "",
    "nansum": "nansum: provided dtype must match dtype of result. Got {out} and {dtype}.",
    "prod.dim_int": "",
    "softmax.int": "",
    "log_softmax.int": "",
    "sum.dim_IntList": "",
}

#: Given another shape without the warning that other ops give.
SILENT = frozenset(
    (
        "adaptive_avg_pool2d", "addbmm", "arange", "arange.start_step", "bernoulli", "col2im",
        "huber_loss", "im2col", "multi_margin_loss", "multilabel_margin_loss",
        "max_pool3d_with_indices", "soft_margin_loss",
        "kthvalue", "mode", "range.step", "empty.memory_format", "eye", "eye.m", "full",
        "linspace", "linspace.Scalar_Tensor", "linspace.Tensor_Scalar", "linspace.Tensor_Tensor",
        "log_sigmoid", "logspace", "logspace.Scalar_Tensor", "logspace.Tensor_Scalar",
        "logspace.Tensor_Tensor", "mse_loss", "multinomial", "normal.float_float", "ones", "rand",
        "rand.generator", "randint", "randint.generator", "randint.low", "randint.low_generator",
        "randn", "randn.generator", "randperm", "randperm.generator", "smooth_l1_loss", "zeros",
    )
)  # fmt: skip

#: ``aten::x.out`` exists, but ``torch.x`` takes no ``out``. By overload where others take it.
ATEN_ONLY = frozenset(
    (
        "_dirichlet_grad", "_pack_padded_sequence", "_weight_norm_interface",
        "aten::bucketize.Scalar_out", "aten::fill.Scalar_out", "aten::fill.Tensor_out",
        "aten::prod.out", "aten::sum.out",
        "_conj_physical", "_sample_dirichlet", "_standard_gamma", "binomial", "poisson",
        "channel_shuffle", "diag_embed", "index_fill", "index_put", "masked_fill",
        "masked_scatter",
        "native_dropout", "put", "relu", "scalar_tensor", "std_mean", "trace", "var_mean",
    )
)  # fmt: skip

#: Linear algebra that copies to whatever its results can be cast to: who refuses the rest, and what
#: it calls the results.
CASTABLE: dict[str, tuple[str, ...]] = {
    "cholesky": ("cholesky", "result"),
    "cholesky_inverse": ("cholesky_inverse", "result"),
    "cholesky_solve": ("cholesky_solve", "result"),
    "geqrf": ("torch.geqrf", "a", "tau"),
    "linalg_cond": ("linalg.cond", "result"),
    "linalg_eig": ("torch.linalg.eig", "eigenvalues", "eigenvectors"),
    "linalg_eigvals": ("torch.linalg.eigvals", "eigenvalues"),
    "linalg_householder_product": ("torch.linalg.householder_product", "result"),
    "linalg_lstsq": (
        "torch.linalg.lstsq", "solution", "residuals", "rank", "singular_values"
    ),
    "linalg_matrix_rank": ("torch.linalg.matrix_rank", "result"),
    "linalg_pinv": ("linalg.pinv", "result"),
    "linalg_tensorinv": ("tensorinv", "result"),
    "linalg_tensorsolve": ("tensorsolve", "result"),
}  # fmt: skip

_NOT_THERE = (
    "linalg.{}: Expected result and input tensors to be on the same device, but got result on "
    "{{input}} and input on {{out}}"
)
_THERE = (
    "{}: Expected result and input tensors to be on the same device, but got result on {{out}} and "
    "input on {{input}}"
)
#: Texts of their own for a target on another device. torch's norms confuse the two.
ELSEWHERE = {
    "linalg_cond": _THERE.format("linalg.cond"),
    "linalg_matrix_rank": _THERE.format("torch.linalg.matrix_rank"),
    "linalg_pinv": _THERE.format("linalg.pinv"),
    "linalg_tensorinv": _THERE.format("tensorinv"),
    "linalg_tensorsolve": _THERE.format("tensorsolve"),
    "linalg_matrix_norm": _NOT_THERE.format("matrix_norm"),
    "linalg_multi_dot": "multi_dot(): expected out tensor to be on device {input} but got {out}",
    "linalg_norm": _NOT_THERE.format("norm"),
}

#: Beside those of CASTABLE, composites whose results are copied as a program would copy them: that
#: is recorded, or refused where it may not be.
RECORDED = frozenset(("linalg_matrix_norm", "linalg_norm"))

#: Whatever ends in ``torch.cat``.
CAT = frozenset(
    (
        "cat", "column_stack", "concat", "concatenate", "dstack", "hstack", "row_stack", "stack",
        "vstack",
    )
)  # fmt: skip

#: Kernels that look at the device of ``out`` before the meta function's Python does.
STRUCTURED = frozenset(
    (
        "_linalg_det", "_linalg_svd", "inverse", "linalg_cholesky", "linalg_cholesky_ex",
        "linalg_det", "linalg_inv", "linalg_inv_ex", "linalg_svd", "linalg_svdvals", "svd",
        "_conj_copy", "_neg_view_copy", "_upsample_bicubic2d_aa", "_upsample_bilinear2d_aa",
        "_upsample_lanczos2d_aa", "argmax", "argmin", "avg_pool2d", "detach_copy", "gather",
        "index_reduce",
        "max.dim", "min.dim", "scatter.reduce",
        "scatter.src", "scatter.value", "scatter.value_reduce", "scatter_add", "select_copy.int",
        "slice_copy.Tensor", "topk", "view_as_complex_copy", "view_as_real_copy",
    )
)  # fmt: skip

_MATCHES = "result dtype {out} does not match input dtype {result}"
_SAME_TYPE = "expected scalar_type {result} but found {out}"
_SCALAR = "expected scalar type {result} but found {out}"
_NORM = "linalg.{} expected out tensor dtype {{result}} but got: {{out}}"
_FLOAT_POWER = (
    "the output given to float_power has dtype {out} but the operation's result requires dtype "
    "{result}"
)
_CAN_CAST = (
    "Expected canCast( typeMetaToScalarType(self.dtype()), typeMetaToScalarType(out.dtype())) to "
    "be true, but got false.  (Could this error message be improved?  If so, please report an "
    "enhancement request to PyTorch.)"
)
_SCALAR_TYPE = (
    "Expected object of scalar type {result} but got scalar type {out} for argument 'out'"
)
_ORDERED = (
    "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or "
    "Long(int64) depending on whether out_int32 flag is True, but we got output tensor's dtype "
    "{out} and out_int32 flag is {is_int32}"
)

#: Ops that write either kind of truth.
TRUTHS = frozenset(("all", "any"))

#: Texts of their own, for any other dtype; ``cast:`` only for those the result cannot be cast to.
TEXTS = {
    "all": "all only supports bool tensor for result, got: {out}",
    "all.dim": "all only supports bool tensor for result, got: {out}",
    "all.dims": "all only supports bool tensor for result, got: {out}",
    "any": "any only supports bool tensor for result, got: {out}",
    "any.dim": "any only supports bool tensor for result, got: {out}",
    "any.dims": "any only supports bool tensor for result, got: {out}",
    "amax": "Expected the dtype for input and out to match, but got {result} for input's dtype "
    "and {out} for out's dtype.",
    "amin": "Expected the dtype for input and out to match, but got {result} for input's dtype "
    "and {out} for out's dtype.",
    "col2im": _SCALAR,
    "complex": _SCALAR_TYPE,
    "cummax": _SAME_TYPE,
    "cummin": _SAME_TYPE,
    "dot": _MATCHES,
    "histc": "torch.histogram: input tensor and hist tensor should have the same dtype, but got "
    "input {c_result} and hist {c_out}",
    "multinomial": "multinomial expects Long tensor out, got: {out}",
    "polar": _SCALAR_TYPE,
    "heaviside": "heaviside is not yet implemented for tensors with different dtypes.",
    "isin.Tensor_Tensor": "Expected out tensor to have dtype {c_result}, but got {c_out} instead",
    "isneginf": "isneginf does not support non-boolean outputs.",
    "isposinf": "isposinf does not support non-boolean outputs.",
    "float_power.Scalar": _FLOAT_POWER,
    "float_power.Tensor_Scalar": _FLOAT_POWER,
    "float_power.Tensor_Tensor": _FLOAT_POWER,
    "max": "cast: " + _CAN_CAST,
    "mean": "cast: mean.dtype_out(): input types can't be cast to the desired output type {out}",
    "min": "cast: " + _CAN_CAST,
    "mode": "expected scalar type '{result}' but got '{out}' for values output",
    "searchsorted.Scalar": _ORDERED,
    "searchsorted.Tensor": _ORDERED,
    "bucketize.Tensor": _ORDERED,
    "kthvalue": "output values must be of same type as input",
    "log_sigmoid": _SCALAR,
    "nll_loss2d_forward": _SCALAR,
    "logcumsumexp": _SAME_TYPE,
    "masked_select": "masked_select(): self and result must have the same scalar type",
    "im2col": _SCALAR,
    "index_select": "index_select(): self and result must have the same scalar type",
    "nonzero": "nonzero: Expected out tensor to have scalar type Long but got scalar type{out}",
    "max_pool3d_with_indices": _SCALAR,
    "multi_margin_loss": _SCALAR,
    "multilabel_margin_loss": _SCALAR,
    "linalg_matmul": _MATCHES,
    "linalg_matrix_norm": _NORM.format("matrix_norm"),
    "linalg_matrix_norm.str_ord": _NORM.format("matrix_norm"),
    "linalg_multi_dot": "multi_dot(): expected out tensor to have dtype {c_result} but got {c_out}",
    "linalg_norm": _NORM.format("norm"),
    "linalg_norm.ord_str": _NORM.format("norm"),
    "linalg_solve_triangular": _SCALAR,
    "ormqr": "torch.ormqr: Expected input and result to have the same dtype, but input has "
    "dtype{result} and result has dtype {out}",
    "nan_to_num": "nan_to_num: dtype of out: {out} should be same as input: {result}",
    "signbit": "signbit does not support non-boolean outputs.",
    "take": "take(): self and out expected to have the same dtype, but got self.dtype = {result} "
    "and out.dtype = {out}",
    "vdot": _MATCHES,
    "where.self": "Expected out type to be {result} but got {out}",
}
