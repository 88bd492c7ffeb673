"""Ops that libraries name and that nothing here computes: their schemas, without kernels.

A library may use such an op as a key of a table of its own (``aten._grouped_mm.default``), which
needs the name alone. Calling one raises torch's NotImplementedError for an op without kernels.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mindtorch_dispatch import registry

from .tags import tags_of

__all__ = ["SCHEMAS"]

_QKV: Final = "Tensor query, Tensor key, Tensor value"
_FLASH: Final = (
    "float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, "
    "float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, "
    "SymInt max_q, SymInt max_k, Tensor "
)
SCHEMAS: Final = (
    "_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, "
    "ScalarType? out_dtype=None) -> Tensor",
    f"_flash_attention_forward({_QKV}, Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, "
    "SymInt max_k, float dropout_p, bool is_causal, bool return_debug_mask, *, "
    "float? scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None, "
    "Tensor? seqused_k=None, Tensor? alibi_slopes=None, Tensor? block_table=None, "
    "int? num_splits=None) -> (Tensor output, Tensor softmax_logsumexp, Tensor rng_state, "
    "Tensor unused, Tensor debug_attn_mask)",
    f"_efficient_attention_forward({_QKV}, Tensor? bias, Tensor? cu_seqlens_q, "
    "Tensor? cu_seqlens_k, SymInt? max_seqlen_q, SymInt? max_seqlen_k, float dropout_p, "
    "int custom_mask_type, bool compute_log_sumexp=False, *, float? scale=None, "
    "Tensor? seqlen_k=None, int? window_size=None) -> (Tensor output, Tensor logsumexp, "
    "Tensor philox_seed, Tensor philox_offset, SymInt max_seqlen_batch_q, "
    "SymInt max_seqlen_batch_k)",
    "linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask)"
    " -> (Tensor, Tensor, Tensor)",
    "batch_norm_elemt(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor invstd, "
    "float eps) -> Tensor",
    "native_norm(Tensor self, Scalar p=2) -> Tensor",
    f"_scaled_dot_product_cudnn_attention({_QKV}, Tensor? attn_bias, bool compute_log_sumexp, "
    f"{_FLASH}philox_seed, Tensor philox_offset, Tensor debug_attn_mask)",
    f"_scaled_dot_product_efficient_attention({_QKV}, Tensor? attn_bias, bool compute_log_sumexp, "
    "float dropout_p=0., bool is_causal=False, *, float? scale=None) -> (Tensor output, "
    "Tensor log_sumexp, Tensor philox_seed, Tensor philox_offset)",
    f"_scaled_dot_product_flash_attention({_QKV}, {_FLASH}rng_state, Tensor unused, "
    "Tensor debug_attn_mask)",
    "max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride=[], "
    "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
    "matmul_backward(Tensor grad, Tensor self, Tensor other, bool[2] mask) -> (Tensor, Tensor)",
    "_use_cudnn_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, "
    "int[] target_lengths, int blank) -> bool",
    "_use_miopen_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, "
    "int[] target_lengths, int blank) -> bool",
    "_spsolve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
    *[
        line
        for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    ],
)

for _schema in SCHEMAS:
    registry.register_schema(f"aten::{_schema}")
    _operator = registry.operator(f"aten::{_schema.partition('(')[0]}")
    # An op without a row counts as one that a program defined, of which torch's data says nothing.
    _operator.tags = tuple(tags_of(_operator))
