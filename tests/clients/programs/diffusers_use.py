"""diffusers: a small UNet, schedulers, VAE, pipelines."""

import tempfile

import torch
from diffusers import (
    AutoencoderKL,
    DDIMPipeline,
    DDIMScheduler,
    DDPMPipeline,
    DDPMScheduler,
    DPMSolverMultistepScheduler,
    EulerDiscreteScheduler,
    UNet2DConditionModel,
    UNet2DModel,
)
from diffusers.training_utils import EMAModel


def _unet():
    torch.manual_seed(0)
    return UNet2DModel(
        sample_size=8,
        in_channels=1,
        out_channels=1,
        layers_per_block=1,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )


def step_unet():
    return _unet()(torch.randn(1, 1, 8, 8), 3).sample


def step_train():
    model, scheduler = _unet(), DDPMScheduler(num_train_timesteps=10)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for _ in range(3):
        clean, noise = torch.randn(2, 1, 8, 8), torch.randn(2, 1, 8, 8)
        at = torch.randint(0, 10, (2,))
        loss = (model(scheduler.add_noise(clean, noise, at), at).sample - noise).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def _sample(scheduler):
    scheduler.set_timesteps(4)
    torch.manual_seed(1)
    sample, model = torch.randn(1, 1, 8, 8), _unet().eval()
    for t in scheduler.timesteps:
        with torch.no_grad():
            sample = scheduler.step(
                model(scheduler.scale_model_input(sample, t), t).sample,
                t,
                sample,
                generator=torch.Generator().manual_seed(2),
            ).prev_sample
    return sample


def step_ddpm():
    return _sample(DDPMScheduler())


def step_ddim():
    scheduler = DDIMScheduler()
    return _sample(scheduler)


def step_euler():
    return _sample(EulerDiscreteScheduler())


def step_dpm():
    scheduler = DPMSolverMultistepScheduler()
    scheduler.set_timesteps(4)
    sample, model = torch.randn(1, 1, 8, 8), _unet().eval()
    for t in scheduler.timesteps:
        with torch.no_grad():
            sample = scheduler.step(model(sample, t).sample, t, sample).prev_sample
    return sample


def step_pipelines():
    found = []
    for kind, scheduler in ((DDPMPipeline, DDPMScheduler()), (DDIMPipeline, DDIMScheduler())):
        pipe = kind(_unet(), scheduler)
        pipe.set_progress_bar_config(disable=True)
        images = pipe(
            num_inference_steps=2, output_type="np", generator=torch.Generator().manual_seed(0)
        ).images
        found.append(images)
    return found


def step_vae():
    torch.manual_seed(0)
    vae = AutoencoderKL(
        block_out_channels=(8,), norm_num_groups=4, latent_channels=2, sample_size=8
    )
    x = torch.randn(1, 3, 8, 8)
    latent = vae.encode(x).latent_dist
    out = vae.decode(latent.sample(torch.Generator().manual_seed(0))).sample
    (out.square().mean() + latent.kl().mean()).backward()
    return [out, latent.mean]


def step_conditional():
    torch.manual_seed(0)
    model = UNet2DConditionModel(
        sample_size=8,
        block_out_channels=(8, 16),
        layers_per_block=1,
        cross_attention_dim=8,
        attention_head_dim=4,
        norm_num_groups=4,
        down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
    )
    return model(torch.randn(1, 4, 8, 8), 1, torch.randn(1, 3, 8)).sample


def step_save_and_load():
    model = _unet().eval()
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        again = UNet2DModel.from_pretrained(folder).eval()
    x = torch.randn(1, 1, 8, 8)
    return torch.allclose(model(x, 1).sample, again(x, 1).sample, atol=1e-5)


def step_ema():
    model = _unet()
    ema = EMAModel(model.parameters(), decay=0.9)
    with torch.no_grad():
        for p in model.parameters():
            p.add_(1)
    ema.step(model.parameters())
    return ema.shadow_params[0]
