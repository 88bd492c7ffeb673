"""transformers: a training step of small models that see and hear."""

import torch
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForAudioClassification,
    AutoModelForCTC,
    AutoModelForImageClassification,
    AutoModelForSemanticSegmentation,
    CLIPConfig,
    CLIPModel,
    DetrConfig,
    DetrForObjectDetection,
    EncoderDecoderConfig,
    EncoderDecoderModel,
    SamConfig,
    SamModel,
    SiglipConfig,
    SiglipModel,
    VisionEncoderDecoderConfig,
    VisionEncoderDecoderModel,
    ViTMAEConfig,
    ViTMAEForPreTraining,
    YolosConfig,
    YolosForObjectDetection,
)

PLAIN = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 48,
    "image_size": 32,
    "patch_size": 8,
}
STAGES = {"depths": [1, 1, 1, 1], "hidden_sizes": [8, 16, 16, 24]}
IMAGES = {
    "beit": PLAIN,
    "convnext": STAGES,
    "convnextv2": STAGES,
    "deit": PLAIN,
    "dinov2": PLAIN,
    "efficientnet": {"width_coefficient": 0.2, "depth_coefficient": 0.2, "hidden_dim": 32},
    "levit": {
        "image_size": 32,
        "hidden_sizes": [16, 24, 32],
        "num_attention_heads": [2, 2, 2],
        "depths": [1, 1, 1],
        "key_dim": [8, 8, 8],
        "down_ops": [["Subsample", 8, 2, 4, 2, 2], ["Subsample", 8, 3, 4, 2, 2]],
    },
    "mobilenet_v1": {"depth_multiplier": 0.25},
    "mobilenet_v2": {"depth_multiplier": 0.25},
    "mobilevit": {"image_size": 32, "hidden_sizes": [16, 16, 16], "neck_hidden_sizes": [8] * 7},
    "poolformer": STAGES,
    "pvt": {**STAGES, "image_size": 32, "num_attention_heads": [1, 1, 2, 2]},
    "regnet": STAGES,
    "resnet": {**STAGES, "embedding_size": 8, "layer_type": "basic"},
    "segformer": {**STAGES, "num_attention_heads": [1, 1, 2, 2], "decoder_hidden_size": 16},
    "swin": {"image_size": 32, "patch_size": 2, "embed_dim": 8, "depths": [2, 1], "window_size": 4}
    | {"num_heads": [2, 2]},
    "swinv2": {"image_size": 32, "patch_size": 2, "embed_dim": 8, "depths": [2, 1]}
    | {"num_heads": [2, 2], "window_size": 4},
    "vit": PLAIN,
    "vit_msn": PLAIN,
}
HEARD = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 48,
    "conv_dim": [16, 16],
    "conv_kernel": [8, 4],
    "conv_stride": [4, 4],
    "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 8,
    "num_conv_pos_embedding_groups": 2,
    "vocab_size": 20,
    "mask_time_length": 2,
    "pad_token_id": 0,
}


def _step(model, **inputs):
    model.eval()
    loss = model(**inputs).loss
    loss.backward()
    norms = [0.0 if p.grad is None else p.grad.norm().item() for p in model.parameters()]
    return [loss.item(), sum(norms), len(norms)]


def _image(family, more):
    config = AutoConfig.for_model(family, num_labels=3, **more)
    model = AutoModelForImageClassification.from_config(config)
    return _step(model, pixel_values=torch.randn(2, 3, 32, 32), labels=torch.tensor([0, 2]))


def _batch_norm(family, more):
    """Training, so that running statistics move."""
    config = AutoConfig.for_model(family, num_labels=3, **more)
    model = AutoModelForImageClassification.from_config(config).train()
    loss = model(pixel_values=torch.randn(4, 3, 32, 32), labels=torch.tensor([0, 2, 1, 1])).loss
    loss.backward()
    return [loss.item(), sum(b.double().abs().sum().item() for b in model.buffers())]


def _heard(family):
    model = AutoModelForCTC.from_config(AutoConfig.for_model(family, **HEARD))
    labels = torch.tensor([[1, 2, 3], [4, 5, -100]])
    return _step(model, input_values=torch.randn(2, 800), labels=labels)


for family, more in IMAGES.items():
    globals()[f"step_image_{family}"] = lambda f=family, m=more: _image(f, m)
for family in ("resnet", "convnext", "mobilenet_v2"):
    globals()[f"step_batch_norm_{family}"] = lambda f=family: _batch_norm(f, IMAGES[f])
for family in ("wav2vec2", "hubert", "wavlm", "unispeech", "sew", "data2vec-audio"):
    globals()[f"step_ctc_{family}".replace("-", "_")] = lambda f=family: _heard(f)


def step_audio_classes():
    config = AutoConfig.for_model("wav2vec2", num_labels=3, **HEARD)
    model = AutoModelForAudioClassification.from_config(config)
    return _step(model, input_values=torch.randn(2, 800), labels=torch.tensor([0, 2]))


def step_masked_audio():
    config = AutoConfig.for_model("wav2vec2", **HEARD)
    model = AutoModel.from_config(config).train()
    import numpy as np

    np.random.seed(0)
    return model(torch.randn(2, 800)).last_hidden_state.shape


def step_spectrograms():
    config = AutoConfig.for_model(
        "audio-spectrogram-transformer",
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        num_mel_bins=16,
        max_length=32,
        num_labels=3,
    )
    model = AutoModelForAudioClassification.from_config(config)
    return _step(model, input_values=torch.randn(2, 32, 16), labels=torch.tensor([0, 2]))


def step_segmentation():
    config = AutoConfig.for_model("segformer", num_labels=4, **IMAGES["segformer"])
    model = AutoModelForSemanticSegmentation.from_config(config)
    return _step(
        model, pixel_values=torch.randn(2, 3, 32, 32), labels=torch.randint(0, 4, (2, 32, 32))
    )


def _towers(config, model):
    text = {**PLAIN, "vocab_size": 50, "max_position_embeddings": 16, "eos_token_id": 2}
    text |= {"bos_token_id": 1, "pad_token_id": 0, "projection_size": 32}
    small = config(text_config=text, vision_config=PLAIN, projection_dim=16)
    ids = torch.randint(3, 50, (2, 7))
    ids[:, -1] = 2
    made = model(small).eval()
    out = made(input_ids=ids, pixel_values=torch.randn(2, 3, 32, 32), return_loss=True)
    out.loss.backward()
    return [out.loss.item(), out.logits_per_image, out.text_embeds, out.image_embeds]


def step_clip():
    return _towers(CLIPConfig, CLIPModel)


def step_siglip():
    return _towers(SiglipConfig, SiglipModel)


def step_masked_autoencoder():
    config = ViTMAEConfig(
        **PLAIN,
        decoder_hidden_size=32,
        decoder_num_hidden_layers=1,
        decoder_num_attention_heads=2,
        decoder_intermediate_size=48,
    )
    model = ViTMAEForPreTraining(config)
    return _step(model, pixel_values=torch.randn(2, 3, 32, 32), noise=torch.rand(2, 16))


def _objects(count=2):
    return [
        {"class_labels": torch.tensor([0, 2]), "boxes": torch.rand(2, 4) / 2 + 0.2}
        for _ in range(count)
    ]


def step_detr():
    from transformers import ResNetConfig

    backbone = ResNetConfig(**IMAGES["resnet"], out_features=["stage4"])
    config = DetrConfig(
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone=None,
        backbone_config=backbone,
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        num_queries=6,
        num_labels=3,
    )
    model = DetrForObjectDetection(config)
    return _step(model, pixel_values=torch.randn(2, 3, 64, 64), labels=_objects())


def step_yolos():
    config = YolosConfig(**(PLAIN | {"image_size": [32, 32]}), num_detection_tokens=6, num_labels=3)
    return _step(
        YolosForObjectDetection(config), pixel_values=torch.randn(2, 3, 32, 32), labels=_objects()
    )


def step_sam():
    config = SamConfig(
        vision_config={
            **PLAIN,
            "output_channels": 16,
            "global_attn_indexes": [1],
            "window_size": 2,
            "num_pos_feats": 8,
            "mlp_dim": 48,
        },
        prompt_encoder_config={"hidden_size": 16, "image_size": 32, "patch_size": 8}
        | {"mask_input_channels": 8},
        mask_decoder_config={"hidden_size": 16, "mlp_dim": 16, "num_attention_heads": 2}
        | {"iou_head_hidden_dim": 16, "num_hidden_layers": 1},
    )
    model = SamModel(config).eval()
    out = model(
        pixel_values=torch.randn(1, 3, 32, 32), input_points=torch.tensor([[[[10.0, 12.0]]]])
    )
    return [out.iou_scores, out.pred_masks.mean()]


def _small_text(**more):
    return AutoConfig.for_model(
        "bert",
        vocab_size=50,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=48,
        **more,
    )


def step_encoder_decoder():
    config = EncoderDecoderConfig.from_encoder_decoder_configs(_small_text(), _small_text())
    config.decoder_start_token_id, config.pad_token_id = 1, 0
    model = EncoderDecoderModel(config=config)
    ids = torch.randint(3, 50, (2, 8))
    return [_step(model, input_ids=ids, labels=ids), model.generate(ids, max_new_tokens=4)]


def step_vision_encoder_decoder():
    seen = AutoConfig.for_model("vit", **PLAIN)
    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(seen, _small_text())
    config.decoder_start_token_id, config.pad_token_id = 1, 0
    model = VisionEncoderDecoderModel(config=config)
    images = torch.randn(2, 3, 32, 32)
    labels = torch.randint(3, 50, (2, 5))
    return [
        _step(model, pixel_values=images, labels=labels),
        model.generate(images, max_new_tokens=4),
    ]


def step_position_interpolation():
    model = AutoModel.from_config(AutoConfig.for_model("vit", **PLAIN)).eval()
    return model(torch.randn(1, 3, 48, 48), interpolate_pos_encoding=True).last_hidden_state


def step_features():
    from transformers import AutoBackbone

    config = AutoConfig.for_model("swin", **IMAGES["swin"], out_features=["stage1", "stage2"])
    model = AutoBackbone.from_config(config).eval()
    return list(model(torch.randn(1, 3, 32, 32)).feature_maps)


def step_time_series():
    from transformers import TimeSeriesTransformerConfig, TimeSeriesTransformerForPrediction

    config = TimeSeriesTransformerConfig(
        prediction_length=4,
        context_length=8,
        lags_sequence=[1, 2],
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        num_time_features=1,
    )
    model = TimeSeriesTransformerForPrediction(config)
    past = torch.randn(2, 10).abs()
    return _step(
        model,
        past_values=past,
        past_time_features=torch.arange(10.0).repeat(2, 1)[..., None],
        past_observed_mask=torch.ones(2, 10),
        future_values=torch.randn(2, 4).abs(),
        future_time_features=torch.arange(4.0).repeat(2, 1)[..., None],
    )


def step_decision_transformer():
    from transformers import DecisionTransformerConfig, DecisionTransformerModel

    config = DecisionTransformerConfig(
        state_dim=4, act_dim=2, hidden_size=16, n_layer=1, n_head=2, max_ep_len=20
    )
    model = DecisionTransformerModel(config).eval()
    return model(
        states=torch.randn(1, 5, 4),
        actions=torch.randn(1, 5, 2),
        rewards=torch.randn(1, 5, 1),
        returns_to_go=torch.randn(1, 5, 1),
        timesteps=torch.arange(5)[None],
        attention_mask=torch.ones(1, 5),
    ).action_preds


def step_codec():
    from transformers import EncodecConfig, EncodecModel

    config = EncodecConfig(
        num_filters=4, hidden_size=16, codebook_size=16, codebook_dim=16, upsampling_ratios=[4, 2]
    )
    model = EncodecModel(config).eval()
    return model(torch.randn(1, 1, 512)).audio_values
