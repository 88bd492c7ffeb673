"""x-transformers, vector-quantize-pytorch and rotary-embedding-torch."""

import torch
import vector_quantize_pytorch as vq
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from x_transformers import (
    AutoregressiveWrapper,
    ContinuousTransformerWrapper,
    Decoder,
    Encoder,
    TransformerWrapper,
    ViTransformerWrapper,
    XTransformer,
)


def _fit(model, loss_of, steps=3):
    optimizer, losses = torch.optim.AdamW(model.parameters(), lr=1e-3), []
    for _ in range(steps):
        loss = loss_of(model)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def _decoder(**options):
    torch.manual_seed(0)
    layers = Decoder(dim=32, depth=2, heads=4, **options)
    return TransformerWrapper(num_tokens=64, max_seq_len=32, attn_layers=layers)


def _gradient(**options):
    model = _decoder(**options)
    found = model(torch.arange(20).view(2, 10))
    found.square().mean().backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    return [found[0, -1, :8], sum(g.abs().sum().item() for g in grads)]


def step_decoder_that_generates():
    model = AutoregressiveWrapper(
        _decoder(rotary_pos_emb=True, use_rmsnorm=True, ff_glu=True, ff_swish=True)
    )
    x = torch.randint(0, 64, (2, 17))
    losses = _fit(model, lambda m: m(x))
    return [losses, model.generate(x[:, :4], 8, temperature=0.0)]


def step_attention_at_once():
    return _gradient(attn_flash=True)


def step_positions():
    kinds = ("alibi_pos_bias", "rel_pos_bias", "dynamic_pos_bias", "rotary_xpos")
    return [_gradient(**{kind: True}) for kind in kinds]


def step_norms():
    kinds = ("use_scalenorm", "use_simple_rmsnorm", "sandwich_norm", "use_dynamic_tanh")
    return [_gradient(**{kind: True}) for kind in kinds]


def step_kinds_of_attention():
    some = [{"attn_qk_norm": True}, {"attn_sparse_topk": 4}, {"attn_one_kv_head": True}]
    more = [{"attn_kv_heads": 2}, {"attn_num_mem_kv": 4}, {"attn_on_attn": True}]
    return [_gradient(**options) for options in [*some, *more]]


def step_residuals():
    some = [{"residual_attn": True}, {"gate_residual": True}, {"num_residual_streams": 2}]
    more = [{"macaron": True}, {"shift_tokens": 1}, {"ff_relu_squared": True}]
    return [_gradient(**options) for options in [*some, *more]]


def step_pictures():
    layers = Encoder(dim=32, depth=2, heads=4)
    model = ViTransformerWrapper(image_size=32, patch_size=8, num_classes=10, attn_layers=layers)
    return model(torch.randn(2, 3, 32, 32))


def step_numbers_in_and_out():
    layers = Encoder(dim=32, depth=1, heads=2)
    model = ContinuousTransformerWrapper(dim_in=8, dim_out=4, max_seq_len=16, attn_layers=layers)
    return model(torch.randn(1, 16, 8), mask=torch.ones(1, 16).bool())


def step_encoder_and_decoder():
    sides = {f"{side}_{name}": value for side in ("enc", "dec") for name, value in (
        ("num_tokens", 20), ("depth", 1), ("heads", 2), ("max_seq_len", 16)
    )}  # fmt: skip
    model = XTransformer(dim=32, **sides)
    source, target = torch.arange(16)[None], torch.arange(12)[None]
    return _fit(model, lambda m: m(source, target, mask=torch.ones(1, 16).bool()))


def _quantized(made, x):
    x.requires_grad_()
    found = [t for t in made(x) if torch.is_tensor(t)]
    if found[0].requires_grad:
        found[0].sum().backward()
    return [*found, x.grad]


def step_codebooks():
    found = []
    for options in (
        *({}, {"kmeans_init": True, "kmeans_iters": 5}, {"codebook_dim": 8}),
        *({"use_cosine_sim": True}, {"threshold_ema_dead_code": 2}, {"rotation_trick": True}),
        *({"orthogonal_reg_weight": 10}, {"learnable_codebook": True, "ema_update": False}),
        {"stochastic_sample_codes": True, "sample_codebook_temp": 0.1},
        {"heads": 2, "separate_codebook_per_head": True, "codebook_dim": 8},
    ):
        torch.manual_seed(0)
        made = vq.VectorQuantize(dim=16, codebook_size=32, decay=0.8, **options)
        found.append(_quantized(made, torch.randn(1, 64, 16)))
    return found


def step_residual_codebooks():
    torch.manual_seed(0)
    return [
        _quantized(made, torch.randn(2, 32, 16))
        for made in (
            vq.ResidualVQ(dim=16, num_quantizers=3, codebook_size=16),
            vq.GroupedResidualVQ(dim=16, num_quantizers=2, groups=2, codebook_size=16),
            vq.ResidualSimVQ(dim=16, num_quantizers=2, codebook_size=32),
            vq.ResidualFSQ(dim=16, levels=[8, 5, 5], num_quantizers=2),
            vq.ResidualLFQ(dim=16, codebook_size=16, num_quantizers=2),
        )
    ]


def step_codes_without_codebooks():
    torch.manual_seed(0)
    return [
        _quantized(made, torch.randn(2, 32, 16))
        for made in (
            vq.FSQ([8, 5, 5], dim=16),
            vq.LFQ(codebook_size=256, dim=16),
            vq.SimVQ(dim=16, codebook_size=32, rotation_trick=True),
        )
    ]


def step_rotations_of_queries_and_keys():
    rotary, wide = RotaryEmbedding(dim=16), RotaryEmbedding(dim=16, use_xpos=True)
    q, k = torch.randn(1, 2, 32, 32, requires_grad=True), torch.randn(1, 2, 32, 32)
    turned = rotary.rotate_queries_or_keys(q)
    turned.square().sum().backward()
    cached = rotary.rotate_queries_with_cached_keys(q[:, :, -1:], k)
    return [turned, q.grad, wide.rotate_queries_and_keys(q, k), cached]


def step_rotations_of_pictures_and_learned_ones():
    axes = RotaryEmbedding(dim=8, freqs_for="pixel", max_freq=256).get_axial_freqs(8, 4)
    learned, q = RotaryEmbedding(dim=16, learned_freq=True), torch.randn(1, 2, 8, 32)
    learned.rotate_queries_or_keys(q).square().mean().backward()
    return [apply_rotary_emb(axes, torch.randn(1, 8, 4, 32)), learned.freqs.grad]
