"""Families of rows that most programs never use: imported when one of their ops is asked for.

A third of an import's time would go into the layers and losses of ``torch.nn`` otherwise. A
program that looks an op up by name, in whichever table, never sees the difference: the tables ask
:func:`load` before they say that there is no such op, and :func:`load_all` before they list.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from mindtorch_dispatch import registry

from ..core.late_bound import LateBound
from .declared import declared

__all__ = ["DECLARED_METHODS", "METHODS", "load", "load_all"]

register_rows = LateBound("register_rows")

#: Module -> the ops that its rows define, without overloads and in-place forms.
FAMILIES: dict[str, str] = {
    "activated_sums": "_addmm_activation _add_relu",
    "adaptive_pooling": (
        "adaptive_max_pool2d adaptive_max_pool2d_backward adaptive_max_pool3d "
        "adaptive_max_pool3d_backward adaptive_max_pool1d _adaptive_avg_pool3d "
        "_adaptive_avg_pool3d_backward adaptive_avg_pool3d"
    ),
    "assertions": (
        "_assert_async _functional_assert_async _assert_tensor_metadata _functional_assert_scalar "
        "_functional_sym_constrain_range _functional_sym_constrain_range_for_size"
    ),
    "attention": (
        "_scaled_dot_product_flash_attention_for_cpu "
        "_scaled_dot_product_flash_attention_for_cpu_backward"
    ),
    "avg_pooling": (
        "avg_pool2d avg_pool2d_backward avg_pool1d _adaptive_avg_pool2d "
        "_adaptive_avg_pool2d_backward adaptive_avg_pool2d adaptive_avg_pool1d"
    ),
    "bessel": "i0 special_i0e special_i1 special_i1e",
    "batch_norm_legit": (
        "_native_batch_norm_legit _native_batch_norm_legit_no_training "
        "_native_batch_norm_legit_functional _batch_norm_with_update "
        "_batch_norm_with_update_functional _batch_norm_no_update batch_norm_backward"
    ),
    "batch_norm": (
        "native_batch_norm native_batch_norm_backward batch_norm _batch_norm_impl_index "
        "instance_norm"
    ),
    "binary_entropy": (
        "binary_cross_entropy binary_cross_entropy_backward binary_cross_entropy_with_logits kl_div"
    ),
    "bitwise_operators": (
        "__and__ __iand__ __or__ __ior__ __xor__ __ixor__ __lshift__ __ilshift__ __rshift__ "
        "__irshift__"
    ),
    "broadcasting": "atleast_1d atleast_2d atleast_3d broadcast_tensors sum_to_size",
    "channels": "channel_shuffle native_channel_shuffle",
    "chunk_joining": "_chunk_cat",
    "class_margin_loss": (
        "soft_margin_loss soft_margin_loss_backward multi_margin_loss "
        "multi_margin_loss_backward poisson_nll_loss"
    ),
    "combinatorics": "cartesian_prod combinations",
    "convolution": (
        "convolution convolution_backward conv1d conv2d conv3d conv_transpose1d "
        "conv_transpose2d conv_transpose3d _convolution_mode _convolution"
    ),
    "counting_samples": "poisson _standard_gamma _sample_dirichlet binomial",
    "covariance": "cov corrcoef",
    "cumulative_helpers": "_cummax_helper _cummin_helper _logcumsumexp _aminmax",
    "cross_entropy": "cross_entropy_loss",
    "dirichlet_gradient": "_dirichlet_grad",
    "distance_loss": (
        "mse_loss mse_loss_backward l1_loss smooth_l1_loss smooth_l1_loss_backward huber_loss "
        "huber_loss_backward"
    ),
    "distance_matrix": ("cdist _cdist_forward _cdist_backward _euclidean_dist"),
    "efficient_attention": (
        "_scaled_dot_product_efficient_attention _scaled_dot_product_efficient_attention_backward"
    ),
    "einsum": "einsum",
    "embedding": "embedding embedding_dense_backward one_hot",
    "feature_dropout": "feature_dropout alpha_dropout feature_alpha_dropout",
    "fake_quantization": (
        "fake_quantize_per_tensor_affine_cachemask "
        "fake_quantize_per_tensor_affine_cachemask_backward fake_quantize_per_tensor_affine "
        "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams "
        "fake_quantize_per_channel_affine_cachemask "
        "fake_quantize_per_channel_affine_cachemask_backward fake_quantize_per_channel_affine"
    ),
    "gamma_gradient": "_standard_gamma_grad",
    "learnable_fake_quantization": (
        "_fake_quantize_learnable_per_tensor_affine "
        "_fake_quantize_learnable_per_tensor_affine_backward "
        "_fake_quantize_learnable_per_channel_affine "
        "_fake_quantize_learnable_per_channel_affine_backward"
    ),
    "foreach": (
        "_foreach_abs _foreach_acos _foreach_add _foreach_addcdiv _foreach_addcmul _foreach_asin "
        "_foreach_atan _foreach_ceil _foreach_clamp_max _foreach_clamp_min _foreach_clone "
        "_foreach_copy _foreach_cos _foreach_cosh _foreach_div _foreach_erf _foreach_erfc "
        "_foreach_exp _foreach_expm1 _foreach_floor _foreach_frac _foreach_lerp _foreach_lgamma "
        "_foreach_log _foreach_log10 _foreach_log1p _foreach_log2 _foreach_max _foreach_maximum "
        "_foreach_minimum _foreach_mm _foreach_mul _foreach_neg _foreach_norm _foreach_pow "
        "_foreach_powsum _foreach_reciprocal _foreach_round _foreach_rsqrt _foreach_sigmoid "
        "_foreach_sign _foreach_sin _foreach_sinh _foreach_sqrt _foreach_sub _foreach_tan "
        "_foreach_tanh _foreach_trunc _foreach_zero"
    ),
    "functional_steps": (
        "_fused_adagrad _fused_adam _fused_adamw _fused_sgd "
        "_amp_foreach_non_finite_check_and_unscale _amp_update_scale embedding_renorm"
    ),
    "fused_steps": "_fused_adagrad_ _fused_adam_ _fused_adamw_ _fused_sgd_",
    "exponents": "frexp ldexp",
    "exponential_units": "elu elu_backward selu celu",
    "group_norm": "native_group_norm native_group_norm_backward group_norm",
    "gradient_operators": (
        "trace_backward cumprod_backward cummaxmin_backward gather_backward "
        "index_select_backward masked_select_backward infinitely_differentiable_gelu_backward "
        "_weight_norm_differentiable_backward"
    ),
    "grouped_product": "_grouped_mm",
    "hashing": "hash_tensor",
    "histograms": (
        "histogram _histogramdd_bin_edges _histogramdd_from_bin_cts _histogramdd_from_bin_tensors "
        "histogramdd"
    ),
    "incomplete_gamma": "igamma igammac",
    "integer_products": (
        "_int_mm _weight_int8pack_mm _convert_weight_to_int4pack_for_cpu "
        "_weight_int4pack_mm_for_cpu"
    ),
    "index_reduction": "index_reduce",
    "layer_norm": "native_layer_norm native_layer_norm_backward layer_norm",
    "legacy_casts": (
        "_cast_Byte _cast_Char _cast_Double _cast_Float _cast_Half _cast_Int _cast_Long "
        "_cast_Short type_as chalf _to_cpu"
    ),
    "likelihood": (
        "nll_loss_forward nll_loss_backward nll_loss2d_forward nll_loss2d_backward nll_loss "
        "nll_loss2d nll_loss_nd"
    ),
    "loss_scaling": "_amp_foreach_non_finite_check_and_unscale_ _amp_update_scale_",
    "fourier_kernels": "_fft_c2c _fft_r2c _fft_c2r",
    "fourier": (
        "fft_fft fft_ifft fft_rfft fft_ihfft fft_irfft fft_hfft "
        "fft_fftn fft_fft2 fft_ifftn fft_ifft2 fft_rfftn fft_rfft2 fft_irfftn fft_irfft2 "
        "fft_hfftn fft_hfft2 fft_ihfftn fft_ihfft2 fft_fftfreq fft_rfftfreq fft_fftshift "
        "fft_ifftshift"
    ),
    "linear_combination": "_compute_linear_combination",
    "linalg_common": "_linalg_check_errors",
    "linalg_cholesky": "linalg_cholesky_ex linalg_cholesky cholesky cholesky_inverse",
    "linalg_lu": "linalg_lu_factor_ex linalg_lu_factor _lu_with_info linalg_lu lu_unpack",
    "linalg_qr": "linalg_qr qr geqrf linalg_householder_product orgqr ormqr",
    "linalg_exponential": "linalg_matrix_exp matrix_exp",
    "linalg_products": (
        "linalg_matrix_power matrix_power linalg_matmul chain_matmul "
        "linalg_multi_dot linalg_vecdot linalg_vander linalg_diagonal"
    ),
    "linalg_norms": "linalg_matrix_norm linalg_norm linalg_cond",
    "linalg_tensors": "linalg_tensorinv linalg_tensorsolve",
    "linalg_symmetric": "linalg_ldl_factor_ex linalg_ldl_factor linalg_ldl_solve",
    "linalg_inverses": "linalg_inv_ex linalg_inv inverse",
    "linalg_determinants": (
        "_linalg_det linalg_det det _linalg_slogdet linalg_slogdet slogdet logdet"
    ),
    "linalg_solving": "_linalg_solve_ex linalg_solve_ex linalg_solve linalg_lu_solve lu_solve",
    "linalg_triangles": "linalg_solve_triangular triangular_solve cholesky_solve",
    "linalg_least_squares": "linalg_lstsq",
    "linalg_spectra": (
        "_linalg_eigh linalg_eigh linalg_eigvalsh linalg_eig _linalg_eigvals linalg_eigvals"
    ),
    "linalg_singular_values": "_linalg_svd linalg_svd linalg_svdvals svd",
    "linalg_pseudoinverses": "linalg_pinv pinverse linalg_matrix_rank",
    "margin_loss": (
        "margin_ranking_loss hinge_embedding_loss cosine_embedding_loss triplet_margin_loss"
    ),
    "max_pooling": (
        "max_pool2d_with_indices max_pool2d_with_indices_backward max_pool2d max_pool1d "
        "max_pool1d_with_indices"
    ),
    "matrix_transposes": "numpy_T mT matrix_H mH",
    "masked_softmax": "_masked_softmax _masked_softmax_backward",
    "membership": "isin",
    "nonzero_static": "nonzero_static",
    "numerical_gradient": "gradient",
    "rms_norm": "rms_norm _fused_rms_norm _fused_rms_norm_backward",
    "segments": (
        "segment_reduce _segment_reduce_backward _convert_indices_from_coo_to_csr "
        "_convert_indices_from_csr_to_coo"
    ),
    "packing": (
        "_pack_padded_sequence _pack_padded_sequence_backward _pad_packed_sequence pad_sequence"
    ),
    "padding": (
        "reflection_pad1d reflection_pad1d_backward replication_pad1d "
        "replication_pad1d_backward reflection_pad2d reflection_pad2d_backward "
        "replication_pad2d replication_pad2d_backward reflection_pad3d "
        "reflection_pad3d_backward replication_pad3d replication_pad3d_backward pad _pad_enum "
        "_pad_circular"
    ),
    "pixel": "pixel_shuffle pixel_unshuffle",
    "moving_averages": (
        "_fused_moving_avg_obs_fq_helper _fused_moving_avg_obs_fq_helper_functional "
        "fused_moving_avg_obs_fake_quant"
    ),
    "multivariate_gamma": "mvlgamma",
    "quantiles": "quantile nanquantile",
    "quantized.arithmetic": (
        "quantized::hardswish quantized::sigmoid quantized::elu quantized::celu "
        "quantized::leaky_relu quantized::prelu quantized::softmax quantized::matmul "
        "quantized::relu6 quantized::clamp quantized::threshold quantized::dropout "
        "quantized::layer_norm quantized::group_norm quantized::instance_norm quantized::add "
        "quantized::add_relu quantized::mul quantized::mul_relu quantized::cat "
        "quantized::cat_relu quantized::add_scalar quantized::add_scalar_relu "
        "quantized::mul_scalar quantized::mul_scalar_relu quantized::batch_norm "
        "quantized::batch_norm_relu quantized::batch_norm1d quantized::batch_norm1d_relu "
        "quantized::batch_norm2d quantized::batch_norm2d_relu quantized::batch_norm3d "
        "quantized::batch_norm3d_relu"
    ),
    "quantized.convolution": (
        "quantized::conv1d quantized::conv1d_relu quantized::conv1d_prepack "
        "quantized::conv1d_unpack quantized::conv2d quantized::conv2d_relu "
        "quantized::conv2d_prepack quantized::conv2d_unpack quantized::conv3d "
        "quantized::conv3d_relu quantized::conv3d_prepack quantized::conv3d_unpack "
        "quantized::conv_transpose1d quantized::conv_transpose1d_prepack "
        "quantized::conv_transpose1d_unpack quantized::conv_transpose2d "
        "quantized::conv_transpose2d_prepack quantized::conv_transpose2d_unpack "
        "quantized::conv_transpose3d quantized::conv_transpose3d_prepack "
        "quantized::conv_transpose3d_unpack"
    ),
    "quantized.embedding": (
        "quantized::embedding_bag_prepack quantized::embedding_bag_unpack "
        "quantized::embedding_byte quantized::embedding_bag_byte"
    ),
    "quantized.linear": (
        "quantized::linear_prepack quantized::linear_prepack_fp16 quantized::linear_unpack "
        "quantized::linear_unpack_fp16 quantized::linear quantized::linear_relu "
        "quantized::linear_dynamic quantized::linear_relu_dynamic "
        "quantized::linear_dynamic_fp16 quantized::linear_relu_dynamic_fp16"
    ),
    "quantized.recurrent": (
        "quantized_lstm quantized_gru quantized::make_quantized_cell_params_dynamic "
        "quantized::make_quantized_cell_params_fp16 quantized::quantized_lstm_cell_dynamic "
        "quantized::quantized_gru_cell_dynamic quantized::quantized_rnn_tanh_cell_dynamic "
        "quantized::quantized_rnn_relu_cell_dynamic"
    ),
    "quantized": (
        "quantize_per_tensor quantize_per_tensor_dynamic quantize_per_channel "
        "_make_per_tensor_quantized_tensor _make_per_channel_quantized_tensor "
        "_empty_affine_quantized _empty_per_channel_affine_quantized empty_quantized q_scale "
        "q_zero_point q_per_channel_scales q_per_channel_zero_points q_per_channel_axis int_repr "
        "qscheme dequantize quantized_max_pool1d quantized_max_pool2d quantized_max_pool3d"
    ),
    "shape_tensors": (
        "_shape_as_tensor _dim_arange _reshape_from_tensor _reshape_copy flatten_dense_tensors "
        "unflatten_dense_tensors"
    ),
    "slow_convolution": (
        "_slow_conv2d_forward slow_conv3d_forward _slow_conv2d_backward thnn_conv2d slow_conv3d "
        "slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d slow_conv_transpose3d"
    ),
    "sliding_blocks": "im2col col2im",
    "rare_queries": (
        "get_device is_distributed retains_grad _debug_has_internal_overlap "
        "_has_compatible_shallow_copy_type _has_same_storage_numel cudnn_is_acceptable result_type "
        "promote_types can_cast"
    ),
    "renorming": "renorm",
    "sparse": (
        "_coalesce _coalesced_ _dimI _dimV _embedding_bag_sparse_backward "
        "_gather_sparse_backward _indices _nnz _sparse_addmm _sparse_bsc_tensor_unsafe "
        "_sparse_bsr_tensor_unsafe _sparse_compressed_tensor_unsafe _sparse_coo_tensor_unsafe "
        "_sparse_coo_tensor_with_dims _sparse_coo_tensor_with_dims_and_tensors "
        "_sparse_csc_tensor_unsafe _sparse_csr_tensor_unsafe _sparse_log_softmax "
        "_sparse_log_softmax_backward_data _sparse_mask_projection _sparse_mm "
        "_sparse_mm_reduce_impl _sparse_mm_reduce_impl_backward _sparse_softmax "
        "_sparse_softmax_backward_data _sparse_sparse_matmul _sparse_sum _sparse_sum_backward "
        "_spdiags _to_dense _to_sparse _to_sparse_bsc _to_sparse_bsr _to_sparse_csc "
        "_to_sparse_csr _validate_compressed_sparse_indices _validate_sparse_bsc_tensor_args "
        "_validate_sparse_bsr_tensor_args "
        "_validate_sparse_compressed_tensor_args _validate_sparse_coo_tensor_args "
        "_validate_sparse_csc_tensor_args _validate_sparse_csr_tensor_args _values ccol_indices "
        "ccol_indices_copy coalesce col_indices col_indices_copy copy_sparse_to_sparse_ "
        "crow_indices crow_indices_copy dense_dim embedding_backward embedding_sparse_backward "
        "hspmm indices indices_copy is_coalesced resize_as_sparse_ row_indices row_indices_copy "
        "smm sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor "
        "sparse_csc_tensor sparse_csr_tensor sparse_dim sparse_mask sparse_resize_ "
        "sparse_resize_and_clear_ sparse_sampled_addmm sspaddmm to_dense_backward to_sparse "
        "to_sparse_bsc to_sparse_bsr to_sparse_csc to_sparse_csr values values_copy"
    ),
    "sobol": (
        "_sobol_engine_draw _sobol_engine_ff_ _sobol_engine_initialize_state_ "
        "_sobol_engine_scramble_"
    ),
    "special_more": (
        "special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 "
        "special_entr special_erfcx special_log_ndtr special_modified_bessel_i0 "
        "special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1 "
        "special_ndtri special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 "
        "special_spherical_bessel_j0 special_xlog1py special_zeta"
    ),
    "special_polynomials": (
        "special_chebyshev_polynomial_t special_chebyshev_polynomial_u "
        "special_chebyshev_polynomial_v special_chebyshev_polynomial_w "
        "special_hermite_polynomial_h special_hermite_polynomial_he "
        "special_laguerre_polynomial_l special_legendre_polynomial_p "
        "special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u "
        "special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w"
    ),
    "special_aliases": (
        "special_digamma special_erf special_erfc special_erfinv special_exp2 special_expit "
        "special_expm1 special_gammaln special_i0 special_log1p special_psi special_sinc "
        "special_gammainc special_gammaincc special_polygamma special_multigammaln special_logit "
        "special_xlogy special_round special_logsumexp special_softmax special_log_softmax "
        "special_ndtr"
    ),
    "smooth_activation": (
        "gelu gelu_backward silu silu_backward mish mish_backward softplus softplus_backward "
        "log_sigmoid_forward log_sigmoid_backward log_sigmoid"
    ),
    "spectrograms": "stft istft",
    "operators_for_tests": (
        "_foobar _test_ambiguous_defaults _test_autograd_multiple_dispatch "
        "_test_autograd_multiple_dispatch_view "
        "_test_check_tensor _test_functorch_fallback _test_optional_filled_intlist "
        "_test_optional_floatlist _test_optional_intlist "
        "_test_serialization_subcmul _test_string_default _test_warn_in_autograd"
    ),
    "transformer_layers": (
        "_transform_bias_rescale_qkv _native_multi_head_attention _transformer_encoder_layer_fwd"
    ),
    "trapezoids": "trapezoid trapz cumulative_trapezoid",
    "upsampling": (
        "upsample_nearest1d upsample_nearest1d_backward _upsample_nearest_exact1d "
        "_upsample_nearest_exact1d_backward upsample_nearest2d upsample_nearest2d_backward "
        "_upsample_nearest_exact2d _upsample_nearest_exact2d_backward upsample_nearest3d "
        "upsample_nearest3d_backward _upsample_nearest_exact3d "
        "_upsample_nearest_exact3d_backward upsample_linear1d upsample_linear1d_backward "
        "upsample_bilinear2d upsample_bilinear2d_backward upsample_trilinear3d "
        "upsample_trilinear3d_backward upsample_bicubic2d upsample_bicubic2d_backward "
        "_upsample_bilinear2d_aa _upsample_bilinear2d_aa_backward _upsample_bicubic2d_aa "
        "_upsample_bicubic2d_aa_backward _upsample_lanczos2d_aa "
        "_upsample_lanczos2d_aa_backward"
    ),
    "vector_distance": "cosine_similarity dist pairwise_distance",
    "weight_packing": "_choose_qparams_per_tensor _rowwise_prune",
    "weight_norms": "_weight_norm _weight_norm_interface",
    "volume_pooling": (
        "max_pool3d_with_indices max_pool3d_with_indices_backward max_pool3d avg_pool3d "
        "avg_pool3d_backward"
    ),
    "bilinear_map": "bilinear _trilinear norm_except_dim",
    "ctc": "ctc_loss _ctc_loss _ctc_loss_backward",
    "embedding_bag": (
        "embedding_bag _embedding_bag _embedding_bag_forward_only _embedding_bag_backward "
        "_embedding_bag_per_sample_weights_backward embedding_renorm_"
    ),
    "fractional_pooling": (
        "fractional_max_pool2d fractional_max_pool2d_backward fractional_max_pool3d "
        "fractional_max_pool3d_backward"
    ),
    "grid_sampling": (
        "grid_sampler grid_sampler_2d grid_sampler_2d_backward grid_sampler_3d "
        "grid_sampler_3d_backward affine_grid_generator affine_grid_generator_backward"
    ),
    "multilabel_margin_loss": (
        "multilabel_margin_loss_forward multilabel_margin_loss_backward multilabel_margin_loss"
    ),
    "outer_products": ("addr vander frobenius_norm nuclear_norm narrow_copy empty_permuted"),
    "pair_distance": "pdist _pdist_forward _pdist_backward",
    "mkldnn_rnn": "mkldnn_rnn_layer mkldnn_rnn_layer_backward",
    "recurrent": "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell",
    "rrelu": "rrelu rrelu_with_noise rrelu_with_noise_backward rrelu_with_noise_functional",
    "scaled_attention": (
        "scaled_dot_product_attention _scaled_dot_product_attention_math _fused_sdp_choice"
    ),
    "scaled_product": "_scaled_mm _scaled_mm_v2",
    "time_convolution": "conv_tbc conv_tbc_backward",
    "unsafe_indexing": (
        "_index_put_impl _unsafe_index _unsafe_index_put _unsafe_masked_index "
        "_unsafe_masked_index_put_accumulate"
    ),
    "unpooling": "max_unpool2d max_unpool3d",
    "window_functions": "hann_window hamming_window blackman_window bartlett_window kaiser_window",
}
#: Ops among them that are methods of ``Tensor``, too.
METHODS = (
    "cholesky cholesky_inverse cholesky_solve det geqrf inverse logdet lu_solve matrix_exp "
    "matrix_power orgqr ormqr pinverse qr slogdet svd triangular_solve "
    "_addmm_activation addr addr_ narrow_copy sum_to_size histogram hash_tensor nonzero_static "
    "corrcoef cov dist frexp i0 i0_ igamma igamma_ igammac igammac_ index_reduce index_reduce_ "
    "ldexp ldexp_ mvlgamma mvlgamma_ nanquantile quantile renorm renorm_ "
    "dequantize int_repr q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale "
    "q_zero_point qscheme "
    "_coalesced_ _dimI _dimV _indices _nnz _sparse_mask_projection _to_dense _to_sparse "
    "_to_sparse_bsc _to_sparse_bsr _to_sparse_csc _to_sparse_csr _values ccol_indices "
    "coalesce col_indices crow_indices dense_dim indices is_coalesced resize_as_sparse_ "
    "row_indices smm sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ sspaddmm "
    "to_sparse to_sparse_bsc to_sparse_bsr to_sparse_csc to_sparse_csr values"
).split()
#: Methods of ops whose schemas alone are there; see ``call.declared``.
DECLARED_METHODS = (
    "_autocast_to_full_precision _autocast_to_reduced_precision _nested_tensor_size "
    "_nested_tensor_storage_offsets _nested_tensor_strides _philox_normal_ _philox_uniform_ "
    "to_mkldnn to_padded_tensor"
).split()
_HOME = {name: module for module, names in FAMILIES.items() for name in names.split()}


def load(name: str) -> bool:
    """Register the family of the op *name* (``"conv2d"``, ``"aten::conv2d.padding"``).

    Whether there was one that had not been registered yet.
    """
    base = name.removeprefix("aten::").partition(".")[0]
    module = _home(base)
    if module is None:
        with registry.lock:
            _add_declared()
        module = _home(base)
    if module is None:
        return False
    with registry.lock:  # who asks meanwhile waits until all ops of the family are there
        _load(module)
    return True


def _home(base: str) -> str | None:
    return _HOME.get(base) or _HOME.get(base.removesuffix("_"))


@cache
def _add_declared() -> None:
    """Give the ops that are declared alone a home, when a name is asked for that no row has."""
    _HOME.update(dict.fromkeys(declared(), "declared"))


def load_sparse() -> None:
    """Register what is there for sparse tensors, of which one is about to be made."""
    load("to_sparse")


def load_all() -> None:
    """Register every family, for whoever wants to see all ops there are."""
    with registry.lock:
        _add_declared()
        for module in (*FAMILIES, "declared"):
            _load(module)


def _load(module: str) -> None:
    names = [name for name, home in _HOME.items() if home == module]
    if names:
        import_module(f"..aten.{module}", __package__)
        register_rows()
        for name in names:
            _HOME.pop(name, None)  # registering a schema may have asked for its own family
