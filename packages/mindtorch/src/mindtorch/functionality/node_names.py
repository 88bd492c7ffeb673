"""torch's names of node classes."""

from __future__ import annotations

from ..call.overload import Overload

_NUMBERS: dict[str, int] = {
    "acosh_": 1,
    "add.Scalar": 1,
    "as_strided_": 1,
    "asinh_": 1,
    "atanh_": 1,
    "bernoulli.Tensor": 1,
    "bernoulli_.Tensor": 1,
    "bernoulli_.float": 2,
    "celu_": 1,
    "clamp": 1,
    "clamp_max.Tensor": 1,
    "clamp_min.Tensor": 1,
    "conj_physical_": 1,
    "copysign.Scalar": 1,
    "div.Scalar": 1,
    "div.Tensor_mode": 2,
    "elu_": 1,
    "eq_.Tensor": 1,
    "fill.Tensor": 1,
    "fill_.Scalar": 2,
    "fill_.Tensor": 3,
    "fmod.Tensor": 1,
    "ge_.Tensor": 1,
    "gt_.Tensor": 1,
    "index_fill.int_Tensor": 1,
    "le_.Tensor": 1,
    "leaky_relu_": 1,
    "lerp.Tensor": 1,
    "lt_.Tensor": 1,
    "masked_fill.Tensor": 1,
    "max": 1,
    "mean.dim": 1,
    "median.dim": 1,
    "min": 1,
    "mul.Scalar": 1,
    "nanmedian.dim": 1,
    "ne_.Tensor": 1,
    "norm.ScalarOpt_dim": 1,
    "norm.ScalarOpt_dim_dtype": 3,
    "norm.ScalarOpt_dtype": 2,
    "normal.Tensor_Tensor": 3,
    "normal.Tensor_float": 1,
    "normal.float_Tensor": 2,
    "polygamma_": 1,
    "pow.Scalar": 2,
    "pow.Tensor_Tensor": 1,
    "prod.dim_int": 1,
    "random": 2,
    "random.to": 1,
    "random_": 2,
    "random_.to": 1,
    "remainder.Tensor": 1,
    "round.decimals": 1,
    "rrelu_with_noise_": 1,
    "rsub.Scalar": 1,
    "scatter.value": 1,
    "sort.stable": 1,
    "squeeze.dim": 1,
    "squeeze.dims": 2,
    "squeeze_": 3,
    "squeeze_.dim": 4,
    "squeeze_.dims": 5,
    "sub.Scalar": 1,
    "sum.dim_IntList": 1,
    "swapaxes_": 1,
    "swapdims_": 1,
    "t_": 1,
    "threshold_": 1,
    "transpose_": 1,
    "unsqueeze_": 1,
    "special_xlog1py.other_scalar": 2,
    "special_xlog1py.self_scalar": 1,
    "special_zeta.other_scalar": 2,
    "special_zeta.self_scalar": 1,
    "xlogy.Scalar_Other": 2,
    "xlogy.Scalar_Self": 1,
}
#: Ops of which torch's derivatives.yaml says nothing, but whose floating results require grad.
WITHOUT_FORMULA = frozenset(
    ("_segment_reduce_backward",
     "_histogramdd_bin_edges", "_histogramdd_from_bin_cts", "_histogramdd_from_bin_tensors",
     "_linalg_eigvals", "_sample_dirichlet", "bernoulli.p", "bincount", "binomial", "copy",
     "detach_copy",
     "floor_divide",
     "floor_divide.Scalar", "hardsigmoid_backward", "heaviside", "histogram.bin_ct",
     "histogram.bins_tensor", "linalg_ldl_factor_ex", "linalg_ldl_solve", "logit_backward",
     "mish_backward",
     "multi_margin_loss_backward", "multilabel_margin_loss_backward", "native_group_norm_backward",
     "normal_functional", "remainder.Scalar_Tensor",
     "scatter.reduce", "scatter.value_reduce", "set_", "set_.source_Storage",
     "set_.source_Storage_storage_offset", "set_.source_Tensor", "silu_backward")
)  # fmt: skip
#: Ops whose complex results torch does not differentiate: all that its list of those it does lacks.
REAL_ONLY = frozenset(
    ("_conj_copy", "_lazy_clone", "_log_softmax", "_neg_view_copy", "_pack_padded_sequence",
     "_softmax", "_trilinear",
     "amax", "amin",
     "cummax", "cummin", "embedding", "geqrf", "index_reduce", "kthvalue", "lift_fresh_copy",
     "mode",
     "nan_to_num",
     "scatter_reduce", "select_copy", "select_scatter", "silu", "slice_copy", "slice_scatter",
     "view_as_complex_copy")
)  # fmt: skip
_SPECIAL_NAMES = {
    "_to_copy": "ToCopyBackward0",
    "copy": "CopyBackwards",
    "copy_": "CopyBackwards",
    "_fw_primal": "Identity",
}
#: Ops whose name ends in ``_copy`` though torch takes them for no copying form of a view.
_NO_VIEWS = ("index_copy", "narrow_copy")
#: Nodes whose class is written by hand in torch, not generated.
BY_HAND = frozenset(("CopyBackwards", "Identity"))


def node_name(overload: Overload) -> str:
    """torch's name of the node class: ``add.Tensor`` → ``AddBackward0``.

    torch numbers the entries of derivatives.yaml that share a name; the table has the ones
    that are not the first.
    """
    base, name, row_name = overload.row.base, overload.name[6:], overload.row.name
    special = _SPECIAL_NAMES.get(base)
    if special is not None:
        return special
    # An op that copies a view is named by the view.
    copied = "_copy" if base.endswith("_copy") and base not in _NO_VIEWS else ""
    if copied:
        base, name = base.removesuffix(copied), name.replace(copied, "", 1)
        row_name = row_name.replace(copied, "", 1)
    stem = base.rstrip("_").removesuffix("_forward")
    words = "".join(w[:1].upper() + w[1:] for w in stem.split("_") if w)
    camel = ""
    for i, ch in enumerate(words):
        camel += ch.upper() if i and words[i - 1].isdigit() else ch
    number = _NUMBERS.get(name)
    if number is None:
        number = _NUMBERS.get(row_name, 0)
    return f"{camel}Backward{number}{copied}"
