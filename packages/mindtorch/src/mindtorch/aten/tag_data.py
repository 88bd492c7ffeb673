"""Tags of torch's own ops, as data: what its definitions (native_functions.yaml) say of them.

Not here, for it follows: ``pt2_compliant_tag`` (every op has it), ``inplace`` (the name ends in an
underscore), ``out`` (an argument is ``out=``).
"""

from __future__ import annotations

__all__ = ["FAMILIES", "OVERLOADS"]

#: tag → ops that have it in every form: ``add`` stands for ``add.out`` and ``add_.Tensor`` too.
FAMILIES: dict[str, str] = {
    "core": """
        _local_scalar_dense alias diagonal expand permute select slice split_with_sizes
        sym_is_contiguous sym_numel sym_size sym_storage_offset sym_stride
    """,
    "data_dependent_output": """
        _local_scalar_dense allclose equal item
    """,
    "dynamic_output_shape": """
        argwhere linalg_lstsq masked_select nonzero one_hot
    """,
    "generated": """
        _batch_norm_with_update_functional _fused_moving_avg_obs_fq_helper_functional
        _native_batch_norm_legit_functional rrelu_with_noise_functional
    """,
    "maybe_aliasing_or_mutating": """
        _batch_norm_impl_index batch_norm cartesian_prod unsafe_chunk
    """,
    "needs_exact_strides": """
        _scaled_grouped_mm _scaled_grouped_mm_v2 _scaled_mm _scaled_mm_v2
    """,
    "needs_fixed_stride_order": """
        _cslt_sparse_mm
    """,
    "nondeterministic_seeded": """
        _cudnn_attention_backward _cudnn_attention_forward _cudnn_init_dropout_state _cudnn_rnn
        _efficient_attention_forward _fill_mem_eff_dropout_mask _flash_attention_forward
        _flash_attention_forward_no_dropout_inplace _fused_dropout _fused_sdp_choice _lstm_mps
        _nested_tensor_softmax_with_shape _sample_dirichlet _scaled_dot_product_attention_math
        _scaled_dot_product_attention_math_for_mps _scaled_dot_product_cudnn_attention
        _scaled_dot_product_cudnn_attention_backward _scaled_dot_product_efficient_attention
        _scaled_dot_product_efficient_attention_backward _scaled_dot_product_flash_attention
        _scaled_dot_product_flash_attention_for_cpu
        _scaled_dot_product_fused_attention_overrideable _standard_gamma
        _triton_scaled_dot_attention alpha_dropout bernoulli binomial cauchy dropout exponential
        feature_alpha_dropout feature_dropout geometric gru log_normal lstm miopen_rnn
        multinomial native_dropout normal normal_functional poisson rand rand_like randint
        randint_like randn randn_like random randperm rnn_relu rnn_tanh rrelu rrelu_with_noise
        rrelu_with_noise_functional scaled_dot_product_attention uniform
    """,
    "pointwise": """
        __ilshift__ __ixor__ __xor__ acos acosh addcdiv addcmul angle asin asinh atan atan2
        atanh bitwise_not ceil clamp clamp_max clamp_min conj_physical cos cosh deg2rad digamma
        equal erf erfc erfinv exp exp2 expm1 float_power floor fmax fmin fmod frac frexp hypot
        i0 igamma igammac isfinite isneginf isposinf ldexp lerp lgamma log log10 log1p log2
        logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit logit_backward
        maximum minimum mvlgamma nan_to_num neg nextafter polygamma positive pow rad2deg
        reciprocal round rsqrt selu sgn sigmoid sigmoid_backward sign signbit silu silu_backward
        sin sinc sinh special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0
        special_bessel_y1 special_chebyshev_polynomial_t special_chebyshev_polynomial_u
        special_chebyshev_polynomial_v special_chebyshev_polynomial_w special_entr special_erfcx
        special_hermite_polynomial_h special_hermite_polynomial_he special_i0e special_i1
        special_i1e special_laguerre_polynomial_l special_legendre_polynomial_p special_log_ndtr
        special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0
        special_modified_bessel_k1 special_ndtri special_scaled_modified_bessel_k0
        special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t
        special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v
        special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0 special_xlog1py
        special_zeta sqrt square tan tanh tanh_backward trunc
    """,
    "reduction": """
        all amax amin aminmax any argmax argmin linalg__powsum linalg_vector_norm logsumexp mean
        nansum std var
    """,
    "view_copy": """
        _conj_copy _fw_primal_copy _indices_copy _make_dual_copy _neg_view_copy
        _nested_get_values_copy _nested_view_from_buffer_copy _nested_view_from_jagged_copy
        _reshape_alias_copy _sparse_broadcast_to_copy _test_autograd_multiple_dispatch_view_copy
        _values_copy alias_copy as_strided_copy ccol_indices_copy col_indices_copy
        crow_indices_copy detach_copy diagonal_copy expand_copy indices_copy lift_fresh_copy
        permute_copy row_indices_copy select_copy slice_copy slice_scatter squeeze_copy t_copy
        transpose_copy unfold_copy unsqueeze_copy values_copy view_as_complex_copy
        view_as_real_copy view_copy
    """,
}

#: tag → single overloads that have it, where not all forms of the op do.
OVERLOADS: dict[str, str] = {
    "core": """
        _adaptive_avg_pool2d _adaptive_avg_pool2d_backward _adaptive_avg_pool3d _cdist_forward
        _embedding_bag _fft_c2r _fft_r2c _log_softmax _native_batch_norm_legit
        _native_batch_norm_legit.no_stats _native_batch_norm_legit_no_training _pdist_forward
        _softmax _to_copy abs acos acosh adaptive_avg_pool1d add.Scalar add.Tensor addmm amax
        amin any any.dim any.dims arange.start_step argmax argmin as_strided asin asinh atan
        atan2 atan2.out atanh avg_pool1d avg_pool2d avg_pool2d_backward avg_pool3d
        bitwise_and.Scalar bitwise_and.Tensor bitwise_not bitwise_or.Scalar bitwise_or.Tensor
        bitwise_xor.Scalar bitwise_xor.Tensor bmm cat ceil clamp clamp.Tensor clone col2im
        constant_pad_nd convolution convolution_backward copy cos cosh cumsum div.Scalar
        div.Scalar_mode div.Tensor div.Tensor_mode elu embedding embedding_dense_backward
        empty.memory_format empty_strided eq.Scalar eq.Tensor erf exp expm1 fill.Scalar flip
        floor fmod.Scalar fmod.Tensor full full_like gather ge.Scalar ge.Tensor gelu
        grid_sampler_2d gt.Scalar gt.Tensor hardtanh index.Tensor index_put index_select isinf
        isnan le.Scalar le.Tensor leaky_relu log log10 log1p log2 logical_and logical_not
        logical_or logical_xor lt.Scalar lt.Tensor masked_scatter max.dim
        max_pool2d_with_indices max_pool2d_with_indices_backward max_pool3d_with_indices maximum
        mean mean.dim min.dim minimum mm mul.Scalar mul.Tensor native_dropout native_group_norm
        native_group_norm_backward native_layer_norm native_layer_norm_backward ne.Scalar
        ne.Tensor neg nonzero pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor prod prod.dim_int
        rand randn randperm reciprocal reflection_pad1d reflection_pad2d reflection_pad3d relu
        remainder.Scalar remainder.Tensor repeat replication_pad2d replication_pad3d resize_
        round rsqrt scalar_tensor scatter.src scatter.value scatter_add scatter_reduce.two
        select_scatter sigmoid sign sin sinh slice_scatter sort sqrt squeeze.dim squeeze.dims
        sub.Scalar sub.Tensor sum.dim_IntList tan tanh topk trunc unsqueeze
        upsample_bilinear2d.vec upsample_nearest2d.vec var.correction var.dim view where.self
    """,
    "dynamic_output_shape": """
        _ctc_loss _ctc_loss.Tensor _unique _unique2 bincount index.Tensor
        repeat_interleave.Tensor unique_consecutive unique_dim unique_dim_consecutive
    """,
    "generated": """
        __lshift__.Scalar_out __lshift__.Tensor_out __rshift__.Scalar_out __rshift__.Tensor_out
        _adaptive_avg_pool2d.out _adaptive_avg_pool2d_backward.out _adaptive_avg_pool3d.out
        _adaptive_avg_pool3d_backward.out _add_relu.Scalar_out _aminmax.dim_out _aminmax.out
        _amp_foreach_non_finite_check_and_unscale _amp_foreach_non_finite_check_and_unscale.out
        _amp_update_scale _amp_update_scale.out _batch_norm_no_update.out _cdist_backward.out
        _cdist_forward.out _cholesky_solve_helper.out _coalesce.out _coalesced _coalesced.out
        _conj_copy.out _conj_physical.out _convolution.out _copy_from.out
        _copy_from_and_resize.out _ctc_loss.Tensor_out _ctc_loss.out _ctc_loss_backward.out
        _cudnn_ctc_loss.out _cudnn_init_dropout_state.out _cudnn_rnn.out _cudnn_rnn_backward.out
        _cudnn_rnn_flatten_weight.out _dirichlet_grad.out _efficientzerotensor.out
        _embedding_bag.out _embedding_bag_dense_backward.out _embedding_bag_forward_only.out
        _embedding_bag_per_sample_weights_backward.out _empty_affine_quantized.out
        _empty_per_channel_affine_quantized.out _euclidean_dist.out
        _fake_quantize_learnable_per_channel_affine.out
        _fake_quantize_learnable_per_tensor_affine.out
        _fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out _foobar.out
        _foreach_abs.out _foreach_acos.out _foreach_add.List_out _foreach_add.ScalarList_out
        _foreach_add.Scalar_out _foreach_add.Tensor_out _foreach_addcdiv.ScalarList_out
        _foreach_addcdiv.Scalar_out _foreach_addcdiv.Tensor_out _foreach_addcmul.ScalarList_out
        _foreach_addcmul.Scalar_out _foreach_addcmul.Tensor_out _foreach_asin.out
        _foreach_atan.out _foreach_ceil.out _foreach_clamp_max.List_out
        _foreach_clamp_max.ScalarList_out _foreach_clamp_max.Scalar_out
        _foreach_clamp_min.List_out _foreach_clamp_min.ScalarList_out
        _foreach_clamp_min.Scalar_out _foreach_clone.out _foreach_copy.out _foreach_cos.out
        _foreach_cosh.out _foreach_div.List_out _foreach_div.ScalarList_out
        _foreach_div.Scalar_out _foreach_div.Tensor_out _foreach_erf.out _foreach_erfc.out
        _foreach_exp.out _foreach_expm1.out _foreach_floor.out _foreach_frac.out
        _foreach_lerp.List_out _foreach_lerp.ScalarList_out _foreach_lerp.Scalar_out
        _foreach_lgamma.out _foreach_log.out _foreach_log10.out _foreach_log1p.out
        _foreach_log2.out _foreach_max.out _foreach_maximum.List_out
        _foreach_maximum.ScalarList_out _foreach_maximum.Scalar_out _foreach_minimum.List_out
        _foreach_minimum.ScalarList_out _foreach_minimum.Scalar_out _foreach_mul.List_out
        _foreach_mul.ScalarList_out _foreach_mul.Scalar_out _foreach_mul.Tensor_out
        _foreach_neg.out _foreach_norm.Scalar_out _foreach_pow.List_out
        _foreach_pow.ScalarList_out _foreach_pow.Scalar_out _foreach_powsum.Scalar_out
        _foreach_reciprocal.out _foreach_round.out _foreach_rsqrt.out _foreach_sigmoid.out
        _foreach_sign.out _foreach_sin.out _foreach_sinh.out _foreach_sqrt.out
        _foreach_sub.List_out _foreach_sub.ScalarList_out _foreach_sub.Scalar_out
        _foreach_tan.out _foreach_tanh.out _foreach_trunc.out _foreach_zero _foreach_zero.out
        _fused_adagrad _fused_adagrad.out _fused_adagrad.tensor_lr _fused_adagrad.tensor_lr_out
        _fused_adam _fused_adam.out _fused_adam.tensor_lr _fused_adam.tensor_lr_out _fused_adamw
        _fused_adamw.out _fused_adamw.tensor_lr _fused_adamw.tensor_lr_out _fused_dropout.out
        _fused_moving_avg_obs_fq_helper.out _fused_sgd _fused_sgd.out _fused_sgd.tensor_lr
        _fused_sgd.tensor_lr_out _fw_primal_copy.out _grid_sampler_2d_cpu_fallback.out
        _histogramdd_bin_edges.out _histogramdd_from_bin_cts.out
        _histogramdd_from_bin_tensors.out _index_put_impl _index_put_impl.out _indices_copy.out
        _lstm_mps.out _make_dual_copy.out _make_per_channel_quantized_tensor.out
        _make_per_tensor_quantized_tensor.out _masked_scale.out _masked_softmax.out
        _masked_softmax_backward.out _mkldnn_reshape.out _mkldnn_transpose.out
        _mps_convolution.out _mps_convolution_transpose.out
        _native_batch_norm_legit_no_training.out _native_multi_head_attention.out
        _neg_view_copy.out _nested_from_padded.out _nested_from_padded_and_nested_example.out
        _nested_get_values_copy.out _nested_tensor_from_mask.out
        _nested_tensor_from_tensor_list.out _nested_tensor_size.out
        _nested_tensor_storage_offsets.out _nested_tensor_strides.out
        _nested_view_from_buffer_copy.out _nested_view_from_jagged_copy.out
        _new_zeros_with_same_feature_meta.out _nnpack_spatial_convolution.out
        _pack_padded_sequence.out _pdist_backward.out _pdist_forward.out _philox_normal
        _philox_normal.out _philox_uniform _philox_uniform.out _pin_memory.out
        _reshape_alias_copy.out _resize_output _resize_output.out _sample_dirichlet.out
        _segment_reduce_backward.out _slow_conv2d_backward.output_mask_out _sparse_addmm.out
        _sparse_broadcast_to_copy.out _sparse_coo_tensor_with_dims.out
        _sparse_coo_tensor_with_dims_and_tensors.out _sparse_csr_prod.dim_dtype_out
        _sparse_csr_sum.dim_dtype_out _sparse_log_softmax.out
        _sparse_log_softmax_backward_data.out _sparse_mask_projection.out _sparse_softmax.out
        _sparse_softmax_backward_data.out _sparse_sparse_matmul.out _sparse_sum.dim_out
        _sparse_sum_backward.out _spdiags.out _standard_gamma.out _standard_gamma_grad.out
        _test_autograd_multiple_dispatch.fullcoverage_out
        _test_autograd_multiple_dispatch_view_copy.out _test_functorch_fallback.out
        _test_optional_filled_intlist.out _test_optional_floatlist.out
        _test_optional_intlist.out _test_warn_in_autograd.out _thnn_fused_gru_cell.out
        _thnn_fused_gru_cell_backward.out _thnn_fused_lstm_cell.out
        _thnn_fused_lstm_cell_backward_impl.out _to_copy.out _to_dense.out _to_sparse.out
        _to_sparse.sparse_dim_out _to_sparse_bsc.out _to_sparse_bsr.out _to_sparse_csc.out
        _to_sparse_csr.out _transform_bias_rescale_qkv.out _transformer_encoder_layer_fwd.out
        _trilinear.out _triton_multi_head_attention.out _triton_scaled_dot_attention.out
        _unique.out _unique2.out _unsafe_view.out _values_copy.out _weight_norm_interface.out
        _weight_norm_interface_backward.out adaptive_avg_pool1d.out add.Scalar_out
        affine_grid_generator.out alias_copy.out as_strided_copy.out as_strided_scatter.out
        avg_pool1d.out bartlett_window.out bartlett_window.periodic_out
        batch_norm_backward_elemt.out batch_norm_backward_reduce.out batch_norm_gather_stats.out
        batch_norm_gather_stats_with_counts.out batch_norm_stats.out batch_norm_update_stats.out
        bernoulli.Tensor bernoulli.Tensor_out bernoulli.float_out
        binary_cross_entropy_with_logits.out bincount.out binomial.out
        bitwise_and.Scalar_Tensor_out bitwise_left_shift.Scalar_Tensor_out
        bitwise_or.Scalar_Tensor_out bitwise_right_shift.Scalar_Tensor_out
        bitwise_xor.Scalar_Tensor_out blackman_window.out blackman_window.periodic_out
        block_diag.out bucketize.Scalar_out cauchy cauchy.out ccol_indices_copy.out celu.out
        channel_shuffle.out clone.out col_indices_copy.out constant_pad_nd.out
        conv_depthwise3d.out conv_tbc.out convolution.out convolution_backward.out
        convolution_backward_overrideable.out convolution_overrideable.out copy.out
        copy_sparse_to_sparse copy_sparse_to_sparse.out count_nonzero.dim_IntList_out
        count_nonzero.out crow_indices_copy.out cudnn_affine_grid_generator.out
        cudnn_affine_grid_generator_backward.out cudnn_batch_norm_backward.out
        cudnn_convolution_add_relu.out cudnn_convolution_relu.out
        cudnn_convolution_transpose.out cudnn_grid_sampler.out cudnn_grid_sampler_backward.out
        dequantize.self_out dequantize.tensors_out detach_copy.out diag_embed.out
        diagonal_backward.out diagonal_copy.out diagonal_scatter.out dist.out
        div.Scalar_mode_out div.Scalar_out embedding.out embedding_dense_backward.out
        embedding_renorm embedding_renorm.out empty_like.out empty_permuted.out
        empty_quantized.out empty_strided.out expand_copy.out exponential exponential.out
        fake_quantize_per_channel_affine_cachemask.out
        fake_quantize_per_tensor_affine_cachemask.out fill.Scalar_out fill.Tensor_out flip.out
        floor_divide.Scalar_out from_file.out full_like.out geometric geometric.out
        glu_backward_jvp.out glu_jvp.out grid_sampler_2d.out grid_sampler_2d_backward.out
        grid_sampler_3d.out grid_sampler_3d_backward.out hamming_window.out
        hamming_window.periodic_alpha_beta_out hamming_window.periodic_alpha_out
        hamming_window.periodic_out hann_window.out hann_window.periodic_out
        hardswish_backward.out index_fill.int_Scalar_out index_fill.int_Tensor_out index_put.out
        indices_copy.out int_repr.out isinf.out isnan.out kaiser_window.beta_out
        kaiser_window.out kaiser_window.periodic_out lift.out lift_fresh_copy.out
        linalg_matrix_exp.out linear_backward.out log_normal log_normal.out
        lstm_mps_backward.out masked_fill.Scalar_out masked_fill.Tensor_out masked_scatter.out
        matmul_backward.out max_pool2d_backward.out median.out miopen_batch_norm.out
        miopen_batch_norm_backward.out miopen_convolution.out miopen_convolution_transpose.out
        miopen_ctc_loss.out miopen_depthwise_convolution.out miopen_rnn.out
        miopen_rnn_backward.out mkldnn_adaptive_avg_pool2d_backward.out mkldnn_convolution.out
        mkldnn_linear.out mkldnn_linear_backward.out mkldnn_linear_backward_input.out
        mkldnn_linear_backward_weights.out mkldnn_max_pool2d.out mkldnn_max_pool2d_backward.out
        mkldnn_max_pool3d.out mkldnn_max_pool3d_backward.out mkldnn_reorder_conv2d_weight.out
        mkldnn_reorder_conv3d_weight.out mkldnn_rnn_layer.out mkldnn_rnn_layer_backward.out
        mps_convolution_backward.out mps_convolution_transpose_backward.out mul.Scalar_out
        nanmedian.out native_batch_norm_backward.out native_dropout.out
        native_dropout_backward.out native_group_norm.out native_group_norm_backward.out
        native_layer_norm.out native_layer_norm_backward.out native_norm.ScalarOpt_dim_dtype_out
        native_norm.out new_empty.out new_empty_strided.out new_full.out new_ones.out
        new_zeros.out norm.ScalarOpt_dtype_out norm.Scalar_out normal.out ones_like.out
        permute_copy.out pixel_shuffle.out pixel_unshuffle.out poisson.out prod.out put.out
        q_per_channel_scales.out q_per_channel_zero_points.out quantize_per_channel.out
        quantize_per_tensor.out quantize_per_tensor.tensor_qparams_out
        quantize_per_tensor.tensors_out quantize_per_tensor_dynamic.out quantized_batch_norm.out
        quantized_max_pool1d.out quantized_max_pool2d.out quantized_max_pool3d.out
        rand_like.generator_out rand_like.out randint_like.Tensor_generator_out
        randint_like.Tensor_out randint_like.generator_out randint_like.low_dtype_out
        randint_like.low_generator_dtype_out randint_like.out randn_like.generator_out
        randn_like.out random random.from random.from_out random.out random.to random.to_out
        relu.out remainder.Scalar_Tensor_out repeat.out repeat_interleave.Tensor_out resize
        resize.out resize_as resize_as.out resize_as_sparse resize_as_sparse.out roll.out
        rot90.out row_indices_copy.out rrelu_with_noise_backward.out rsub.Scalar_out
        rsub.Tensor_out scalar_tensor.out segment_reduce.out select_backward.out
        select_copy.int_out select_scatter.out set set.out set.source_Storage
        set.source_Storage_out set.source_Storage_storage_offset
        set.source_Storage_storage_offset_out set.source_Tensor set.source_Tensor_out
        slice_backward.out slice_copy.Tensor_out slice_scatter.out slow_conv_dilated2d.out
        slow_conv_dilated3d.out sparse_coo_tensor.size_out sparse_mask.out sparse_resize
        sparse_resize.out sparse_resize_and_clear sparse_resize_and_clear.out
        squeeze_copy.dim_out squeeze_copy.dims_out squeeze_copy.out std_mean.correction_out
        sub.Scalar_out sum.out t_copy.out to_mkldnn.out to_padded_tensor.out trace.out
        transpose_copy.int_out tril_indices.out triu_indices.out unfold_backward.out
        unfold_copy.out uniform uniform.out unique_consecutive.out unique_dim.out
        unique_dim_consecutive.out unsafe_split.Tensor_out unsafe_split_with_sizes.out
        unsqueeze_copy.out upsample_bilinear2d.vec_out upsample_nearest2d.vec_out
        values_copy.out var_mean.correction_out view_as_complex_copy.out view_as_real_copy.out
        view_copy.dtype_out view_copy.out zero zero.out zeros_like.out
    """,
    "inplace_view": """
        as_strided_ detach_ resize_ resize_as_ set_ set_.source_Storage
        set_.source_Storage_storage_offset set_.source_Tensor set_.source_Tensor_storage_offset
        squeeze_ squeeze_.dim squeeze_.dims swapaxes_ swapdims_ t_ transpose_ unsqueeze_
    """,
    "maybe_aliasing_or_mutating": """
        alpha_dropout atleast_1d atleast_2d atleast_3d conj_physical dropout
        feature_alpha_dropout feature_dropout
    """,
    "pointwise": """
        __lshift__.Scalar __lshift__.Tensor __rshift__.Scalar __rshift__.Tensor _conj_physical
        abs abs.out add.Scalar add.Tensor add.out add_.Scalar add_.Tensor bitwise_and.Scalar
        bitwise_and.Scalar_Tensor bitwise_and.Scalar_out bitwise_and.Tensor
        bitwise_and.Tensor_out bitwise_and_.Scalar bitwise_and_.Tensor
        bitwise_left_shift.Scalar_Tensor bitwise_left_shift.Tensor
        bitwise_left_shift.Tensor_Scalar bitwise_left_shift.Tensor_Scalar_out
        bitwise_left_shift.Tensor_out bitwise_left_shift_.Tensor
        bitwise_left_shift_.Tensor_Scalar bitwise_or.Scalar bitwise_or.Scalar_Tensor
        bitwise_or.Scalar_out bitwise_or.Tensor bitwise_or.Tensor_out bitwise_or_.Scalar
        bitwise_or_.Tensor bitwise_right_shift.Scalar_Tensor bitwise_right_shift.Tensor
        bitwise_right_shift.Tensor_Scalar bitwise_right_shift.Tensor_Scalar_out
        bitwise_right_shift.Tensor_out bitwise_right_shift_.Tensor
        bitwise_right_shift_.Tensor_Scalar bitwise_xor.Scalar bitwise_xor.Scalar_Tensor
        bitwise_xor.Scalar_out bitwise_xor.Tensor bitwise_xor.Tensor_out bitwise_xor_.Scalar
        bitwise_xor_.Tensor celu celu_ clip clip.Tensor clip.out clip_ clip_.Tensor clone
        copysign.Scalar copysign.Scalar_out copysign.Tensor copysign.out div.Scalar
        div.Scalar_mode div.Tensor div.Tensor_mode div.out div.out_mode div_.Scalar
        div_.Scalar_mode div_.Tensor div_.Tensor_mode elu elu_ eq.Scalar eq.Scalar_out eq.Tensor
        eq.Tensor_out gcd gcd.out ge.Scalar ge.Scalar_out ge.Tensor ge.Tensor_out gelu
        gelu_backward gt.Scalar gt.Scalar_out gt.Tensor gt.Tensor_out hardshrink hardsigmoid
        hardsigmoid_ hardtanh hardtanh_ heaviside heaviside.out isinf isnan lcm lcm.out
        le.Scalar le.Scalar_out le.Tensor le.Tensor_out leaky_relu leaky_relu_ lt.Scalar
        lt.Scalar_out lt.Tensor lt.Tensor_out masked_fill.Scalar max.other max.out min.other
        min.out mish mul.Scalar mul.Tensor mul.out mul_.Scalar mul_.Tensor
        native_dropout_backward ne.Scalar ne.Scalar_out ne.Tensor ne.Tensor_out relu relu6 relu_
        remainder.Scalar remainder.Scalar_Tensor remainder.Scalar_out remainder.Tensor
        remainder.Tensor_out remainder_.Scalar remainder_.Tensor rrelu rsub.Scalar softplus
        softshrink sub.Scalar sub.Tensor sub.out sub_.Scalar sub_.Tensor threshold
        threshold_backward true_divide.Tensor where.self xlogy.OutScalar_Other
        xlogy.OutScalar_Self xlogy.OutTensor xlogy.Scalar_Other xlogy.Scalar_Self xlogy.Tensor
        xlogy_.Tensor
    """,
    "reduction": """
        count_nonzero count_nonzero.dim_IntList max max.dim max.dim_max max.unary_out min
        min.dim min.dim_min min.unary_out norm.Scalar norm.ScalarOpt_dim
        norm.ScalarOpt_dim_dtype norm.ScalarOpt_dtype norm.dtype_out norm.out prod prod.dim_int
        prod.int_out std_mean std_mean.correction std_mean.dim sum sum.IntList_out
        sum.dim_IntList var_mean var_mean.correction var_mean.dim
    """,
    "view_copy": """
        narrow_copy split_copy.Tensor split_with_sizes_copy unbind_copy.int
    """,
}
