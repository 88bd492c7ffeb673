"""diffusers: all schedulers, transformers, ControlNet, Stable Diffusion's parts, LoRA, training."""

import tempfile

import diffusers
import torch
from diffusers import (
    AutoencoderKL,
    AutoencoderTiny,
    ControlNetModel,
    DDPMScheduler,
    DiTPipeline,
    DiTTransformer2DModel,
    FlowMatchEulerDiscreteScheduler,
    FluxTransformer2DModel,
    PixArtTransformer2DModel,
    SD3Transformer2DModel,
    StableDiffusionControlNetPipeline,
    StableDiffusionImg2ImgPipeline,
    StableDiffusionPipeline,
    UNet1DModel,
    UNet2DConditionModel,
    UNet2DModel,
    VQModel,
)
from diffusers.models.attention_processor import AttnProcessor, AttnProcessor2_0
from diffusers.optimization import get_scheduler
from diffusers.training_utils import EMAModel, cast_training_params, compute_snr
from diffusers.utils.torch_utils import randn_tensor
from transformers import CLIPTextConfig, CLIPTextModel

SCHEDULERS = (
    "DDIMInverseScheduler DDIMParallelScheduler DDIMScheduler DDPMParallelScheduler DDPMScheduler "
    "DEISMultistepScheduler DPMSolverMultistepInverseScheduler DPMSolverMultistepScheduler "
    "DPMSolverSinglestepScheduler EDMEulerScheduler EDMDPMSolverMultistepScheduler "
    "EulerAncestralDiscreteScheduler EulerDiscreteScheduler FlowMatchEulerDiscreteScheduler "
    "FlowMatchHeunDiscreteScheduler HeunDiscreteScheduler IPNDMScheduler KDPM2DiscreteScheduler "
    "KDPM2AncestralDiscreteScheduler LCMScheduler LMSDiscreteScheduler PNDMScheduler "
    "SASolverScheduler TCDScheduler UniPCMultistepScheduler"
).split()


def _schedule(name):
    """The samples of a made-up model."""
    scheduler = getattr(diffusers, name)()
    scheduler.set_timesteps(5)
    sample = torch.randn(1, 2, 4, 4) * getattr(scheduler, "init_noise_sigma", 1.0)
    draw = torch.Generator().manual_seed(2)
    found = [scheduler.timesteps]
    for t in scheduler.timesteps:
        seen = sample
        if hasattr(scheduler, "scale_model_input"):
            seen = scheduler.scale_model_input(sample, t)
        try:
            sample = scheduler.step(seen.tanh() / 2, t, sample, generator=draw).prev_sample
        except TypeError:
            sample = scheduler.step(seen.tanh() / 2, t, sample).prev_sample
        found.append(sample)
    return found


for name in SCHEDULERS:
    globals()[f"step_{name}"] = lambda name=name: _schedule(name)

PREDICTED = (
    ("DDIMScheduler", {"prediction_type": "v_prediction", "beta_schedule": "scaled_linear"}),
    ("DDPMScheduler", {"beta_schedule": "squaredcos_cap_v2", "thresholding": True}),
    (
        "DPMSolverMultistepScheduler",
        {"use_karras_sigmas": True, "algorithm_type": "sde-dpmsolver++"},
    ),
    ("DPMSolverMultistepScheduler", {"solver_order": 3, "final_sigmas_type": "zero"}),
    ("EulerDiscreteScheduler", {"use_karras_sigmas": True}),
    ("EulerDiscreteScheduler", {"rescale_betas_zero_snr": True, "timestep_spacing": "trailing"}),
    ("UniPCMultistepScheduler", {"use_exponential_sigmas": True}),
)


def step_options_of_schedulers():
    found = []
    for name, options in PREDICTED:
        scheduler = getattr(diffusers, name)(**options)
        scheduler.set_timesteps(4)
        torch.manual_seed(0)
        sample = torch.randn(1, 2, 4, 4)
        for t in scheduler.timesteps:
            seen = scheduler.scale_model_input(sample, t)
            sample = scheduler.step(seen.tanh() / 2, t, sample).prev_sample
        found.append(sample)
    return found


def step_noise_and_velocity():
    scheduler = DDPMScheduler()
    clean, noise = torch.randn(3, 2, 4, 4), torch.randn(3, 2, 4, 4)
    at = torch.tensor([1, 500, 999])
    return [
        scheduler.add_noise(clean, noise, at),
        scheduler.get_velocity(clean, noise, at),
        compute_snr(scheduler, at),
    ]


def _unet(**more):
    torch.manual_seed(0)
    options = {
        "sample_size": 8,
        "block_out_channels": (8, 16),
        "layers_per_block": 1,
        "cross_attention_dim": 16,
        "attention_head_dim": 4,
        "norm_num_groups": 4,
        "down_block_types": ("CrossAttnDownBlock2D", "DownBlock2D"),
        "up_block_types": ("UpBlock2D", "CrossAttnUpBlock2D"),
    }
    return UNet2DConditionModel(**(options | more))


LATENTS, TEXT = (1, 4, 8, 8), (1, 3, 16)


def _learned(model, *inputs, **more):
    out = model(*inputs, **more).sample
    out.square().mean().backward()
    norms = [p.grad.norm().item() for p in model.parameters() if p.grad is not None]
    return [out.detach().double().square().mean().item(), sum(norms), len(norms)]


def step_unet_learns():
    return _learned(_unet(), torch.randn(LATENTS), 3, torch.randn(TEXT))


def step_unet_attention():
    found, model = [], _unet().eval()
    x, text = torch.randn(LATENTS), torch.randn(TEXT)
    for processor in (AttnProcessor(), AttnProcessor2_0()):
        model.set_attn_processor(processor)
        found.append(model(x, 3, text).sample)
    model.set_attention_slice("auto")
    return [*found, model(x, 3, text).sample]


def step_unet_of_classes():
    model = _unet(class_embed_type=None, num_class_embeds=5)
    return _learned(model, torch.randn(LATENTS), 3, torch.randn(TEXT), torch.tensor([2]))


def step_unet_with_time_condition():
    model = _unet(time_cond_proj_dim=4, resnet_time_scale_shift="scale_shift")
    return model(torch.randn(LATENTS), 3, torch.randn(TEXT), timestep_cond=torch.randn(1, 4)).sample


def step_unet_checkpointed():
    model = _unet()
    model.enable_gradient_checkpointing()
    return _learned(model.train(), torch.randn(LATENTS), 3, torch.randn(TEXT))


def step_unet_free_u():
    model = _unet(
        block_out_channels=(8, 16, 16),
        down_block_types=("CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"),
    ).eval()
    model.enable_freeu(0.9, 0.2, 1.2, 1.4)
    return model(torch.randn(LATENTS), 3, torch.randn(TEXT)).sample


def step_unet_1d():
    torch.manual_seed(0)
    model = UNet1DModel(
        sample_size=32,
        in_channels=2,
        out_channels=2,
        block_out_channels=(8, 16),
        extra_in_channels=0,
        down_block_types=("DownResnetBlock1D", "DownResnetBlock1D"),
        up_block_types=("UpResnetBlock1D",),
        mid_block_type="MidResTemporalBlock1D",
        out_block_type="OutConv1DBlock",
        use_timestep_embedding=True,
        act_fn="swish",
        layers_per_block=1,
    )
    return model(torch.randn(1, 2, 32), 1).sample


def step_unet_plain_blocks():
    torch.manual_seed(0)
    model = UNet2DModel(
        sample_size=8,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        layers_per_block=1,
        down_block_types=("ResnetDownsampleBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "ResnetUpsampleBlock2D"),
        downsample_type="resnet",
    )
    return _learned(model, torch.randn(1, 3, 8, 8), 2)


def step_dit():
    torch.manual_seed(0)
    model = DiTTransformer2DModel(
        num_attention_heads=2,
        attention_head_dim=4,
        in_channels=4,
        out_channels=4,
        num_layers=1,
        norm_num_groups=4,
        sample_size=8,
        patch_size=2,
        num_embeds_ada_norm=10,
    ).eval()
    return _learned(
        model, torch.randn(1, 4, 8, 8), torch.tensor([3]), class_labels=torch.tensor([2])
    )


def step_pixart():
    torch.manual_seed(0)
    model = PixArtTransformer2DModel(
        num_attention_heads=2,
        attention_head_dim=4,
        in_channels=4,
        out_channels=4,
        num_layers=1,
        sample_size=8,
        caption_channels=8,
        cross_attention_dim=8,
    )
    return _learned(
        model,
        torch.randn(1, 4, 8, 8),
        encoder_hidden_states=torch.randn(1, 3, 8),
        timestep=torch.tensor([3]),
        added_cond_kwargs={"resolution": None, "aspect_ratio": None},
    )


def step_sd3():
    torch.manual_seed(0)
    model = SD3Transformer2DModel(
        sample_size=8,
        patch_size=2,
        in_channels=4,
        num_layers=2,
        attention_head_dim=8,
        num_attention_heads=2,
        joint_attention_dim=16,
        caption_projection_dim=16,
        pooled_projection_dim=8,
        out_channels=4,
    )
    return _learned(
        model,
        hidden_states=torch.randn(1, 4, 8, 8),
        encoder_hidden_states=torch.randn(1, 3, 16),
        pooled_projections=torch.randn(1, 8),
        timestep=torch.tensor([3]),
    )


def step_flux():
    torch.manual_seed(0)
    model = FluxTransformer2DModel(
        in_channels=4,
        num_layers=1,
        num_single_layers=1,
        attention_head_dim=16,
        num_attention_heads=2,
        joint_attention_dim=8,
        pooled_projection_dim=8,
        axes_dims_rope=(4, 4, 8),
    )
    return _learned(
        model,
        hidden_states=torch.randn(1, 16, 4),
        encoder_hidden_states=torch.randn(1, 3, 8),
        pooled_projections=torch.randn(1, 8),
        timestep=torch.tensor([0.3]),
        img_ids=torch.rand(16, 3),
        txt_ids=torch.zeros(3, 3),
    )


def _vae():
    torch.manual_seed(0)
    return AutoencoderKL(
        block_out_channels=(8, 8),
        norm_num_groups=4,
        latent_channels=4,
        sample_size=16,
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
    ).eval()


def step_vae_in_tiles():
    vae, x = _vae(), torch.randn(2, 3, 32, 32)
    plain = vae.encode(x).latent_dist.mode()
    vae.enable_slicing()
    vae.enable_tiling()
    return [plain, vae.decode(plain).sample.mean(), vae.encode(x).latent_dist.mode().mean()]


def step_small_autoencoders():
    torch.manual_seed(0)
    tiny = AutoencoderTiny(
        encoder_block_out_channels=(8, 8),
        decoder_block_out_channels=(8, 8),
        num_encoder_blocks=(1, 1),
        num_decoder_blocks=(1, 1),
    ).eval()
    coded = VQModel(block_out_channels=(8,), norm_num_groups=4, num_vq_embeddings=6).eval()
    x = torch.rand(1, 3, 16, 16)
    return [tiny(x).sample, coded(x).sample]


def _text():
    torch.manual_seed(0)
    return CLIPTextModel(
        CLIPTextConfig(
            hidden_size=16,
            intermediate_size=16,
            num_attention_heads=2,
            num_hidden_layers=1,
            vocab_size=20,
            max_position_embeddings=6,
            bos_token_id=1,
            eos_token_id=2,
            pad_token_id=2,
        )
    ).eval()


def _pipe(kind=StableDiffusionPipeline, **more):
    made = object.__new__(kind)  # its __init__ wants a tokenizer of transformers
    kind.__init__(
        made,
        **{
            "vae": _vae(),
            "text_encoder": _text(),
            "tokenizer": None,
            "unet": _unet(),
            "scheduler": diffusers.DDIMScheduler(),
            "safety_checker": None,
            "feature_extractor": None,
            "requires_safety_checker": False,
        }
        | more,
    )
    made.set_progress_bar_config(disable=True)
    return made


def _prompt():
    torch.manual_seed(5)
    return {"prompt_embeds": torch.randn(1, 6, 16), "negative_prompt_embeds": torch.zeros(1, 6, 16)}


def _options():
    return {
        "num_inference_steps": 2,
        "output_type": "np",
        "generator": torch.Generator().manual_seed(0),
    } | _prompt()


def step_stable_diffusion():
    return _pipe()(height=16, width=16, guidance_scale=5.0, **_options()).images


def step_stable_diffusion_schedulers():
    found = []
    for name in ("PNDMScheduler", "EulerAncestralDiscreteScheduler", "UniPCMultistepScheduler"):
        pipe = _pipe()
        pipe.scheduler = getattr(diffusers, name).from_config(pipe.scheduler.config)
        found.append(pipe(height=16, width=16, **_options()).images)
    return found


def step_stable_diffusion_watched():
    seen = []

    def watch(pipe, at, t, values):
        seen.append([at, int(t), values["latents"].mean().item()])
        return values

    _pipe()(height=16, width=16, callback_on_step_end=watch, **_options())
    return seen


def step_image_to_image():
    pipe = _pipe(StableDiffusionImg2ImgPipeline)
    return pipe(
        image=torch.rand(1, 3, 16, 16), strength=0.9, **(_options() | {"num_inference_steps": 4})
    ).images


def step_control():
    torch.manual_seed(0)
    control = ControlNetModel(
        block_out_channels=(8, 16),
        layers_per_block=1,
        cross_attention_dim=16,
        attention_head_dim=4,
        norm_num_groups=4,
        down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
        conditioning_embedding_out_channels=(4, 8),
    )
    pipe = _pipe(StableDiffusionControlNetPipeline, controlnet=control)
    return pipe(image=torch.rand(1, 3, 16, 16), height=16, width=16, **_options()).images


def step_control_from_unet():
    unet = _unet()
    control = ControlNetModel.from_unet(unet, conditioning_embedding_out_channels=(4, 8))
    down, mid = control(
        torch.randn(LATENTS), 3, torch.randn(TEXT), torch.rand(1, 3, 16, 16), return_dict=False
    )
    return unet(
        torch.randn(LATENTS),
        3,
        torch.randn(TEXT),
        down_block_additional_residuals=down,
        mid_block_additional_residual=mid,
    ).sample


def step_dit_pipeline():
    torch.manual_seed(0)
    model = DiTTransformer2DModel(
        num_attention_heads=2,
        attention_head_dim=4,
        in_channels=4,
        out_channels=8,
        num_layers=1,
        norm_num_groups=4,
        sample_size=8,
        patch_size=2,
        num_embeds_ada_norm=1001,
    ).eval()
    pipe = DiTPipeline(model, _vae(), diffusers.DDIMScheduler())
    pipe.set_progress_bar_config(disable=True)
    return pipe(
        [3], num_inference_steps=2, output_type="np", generator=torch.Generator().manual_seed(0)
    ).images


def step_pipeline_saved():
    pipe = _pipe()
    with tempfile.TemporaryDirectory() as folder:
        pipe.save_pretrained(folder, safe_serialization=True)
        again = StableDiffusionPipeline.from_pretrained(
            folder, tokenizer=None, safety_checker=None, feature_extractor=None
        )
    again.set_progress_bar_config(disable=True)
    return again(height=16, width=16, **_options()).images


def step_lora():
    from peft import LoraConfig

    unet = _unet()
    torch.manual_seed(3)
    unet.add_adapter(LoraConfig(r=2, init_lora_weights="gaussian", target_modules=["to_q", "to_v"]))
    cast_training_params(unet)
    learning = [p for p in unet.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learning, lr=1e-2)
    losses = []
    for _ in range(3):
        loss = unet(torch.randn(LATENTS), 3, torch.randn(TEXT)).sample.square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    unet.set_adapters(["default"], weights=[0.5])
    unet.fuse_lora()
    return [losses, unet(torch.randn(LATENTS), 3, torch.randn(TEXT)).sample, len(learning)]


def step_lora_file():
    from diffusers.utils import convert_state_dict_to_diffusers
    from peft import LoraConfig
    from peft.utils import get_peft_model_state_dict

    pipe = _pipe()
    torch.manual_seed(3)
    pipe.unet.add_adapter(LoraConfig(r=2, init_lora_weights=False, target_modules=["to_q"]))
    state = convert_state_dict_to_diffusers(get_peft_model_state_dict(pipe.unet))
    other = _pipe()
    with tempfile.TemporaryDirectory() as folder:
        StableDiffusionPipeline.save_lora_weights(folder, unet_lora_layers=state)
        other.load_lora_weights(folder)
    return other(height=16, width=16, cross_attention_kwargs={"scale": 0.7}, **_options()).images


def step_training():
    from accelerate import Accelerator

    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    torch.manual_seed(0)
    model = UNet2DModel(
        sample_size=8,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        layers_per_block=1,
        down_block_types=("DownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "UpBlock2D"),
    )
    noises, ema = DDPMScheduler(num_train_timesteps=20), EMAModel(model.parameters())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = get_scheduler("cosine", optimizer, 1, 8)
    model, optimizer, schedule = accelerator.prepare(model, optimizer, schedule)
    losses = []
    for _ in range(4):
        with accelerator.accumulate(model):
            clean, noise = torch.randn(2, 3, 8, 8), torch.randn(2, 3, 8, 8)
            at = torch.randint(0, 20, (2,))
            out = model(noises.add_noise(clean, noise, at), at).sample
            loss = torch.nn.functional.mse_loss(out, noise)
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            ema.step(model.parameters())
        losses.append(loss.item())
    ema.store(model.parameters())
    ema.copy_to(model.parameters())
    ema.restore(model.parameters())
    return [losses, ema.shadow_params[0], schedule.get_last_lr()]


def step_flow_matching():
    scheduler = FlowMatchEulerDiscreteScheduler(shift=3.0)
    noise, clean = torch.randn(2, 4, 4, 4), torch.randn(2, 4, 4, 4)
    at = scheduler.timesteps[[3, 700]]
    return [scheduler.scale_noise(clean, at, noise), scheduler.sigmas[:5]]


def step_random_latents():
    draws = [torch.Generator().manual_seed(s) for s in (1, 2)]
    return randn_tensor((2, 3, 4), generator=draws, dtype=torch.float32)


def step_half():
    model = _unet().to(torch.bfloat16).eval()
    x, text = torch.randn(LATENTS).bfloat16(), torch.randn(TEXT).bfloat16()
    return [str(model(x, 3, text).sample.dtype), str(model.dtype)]
