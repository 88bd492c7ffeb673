"""monai: networks, losses, metrics, inferers, transforms, a segmentation that learns."""

import monai
import numpy as np
import torch
from monai.data import DataLoader, Dataset, MetaTensor, decollate_batch, list_data_collate
from monai.inferers import SimpleInferer, SlidingWindowInferer, sliding_window_inference
from monai.losses import (
    DiceCELoss,
    DiceFocalLoss,
    DiceLoss,
    FocalLoss,
    GeneralizedDiceLoss,
    LocalNormalizedCrossCorrelationLoss,
    SSIMLoss,
    TverskyLoss,
)
from monai.metrics import (
    DiceMetric,
    HausdorffDistanceMetric,
    MeanIoU,
    ROCAUCMetric,
    compute_roc_auc,
)
from monai.networks import nets, one_hot
from monai.networks.layers import GaussianFilter, Norm
from monai.optimizers import Novograd
from monai.transforms import (
    Activations,
    AsDiscrete,
    Compose,
    CropForegroundd,
    EnsureChannelFirstd,
    EnsureType,
    RandAffined,
    RandFlipd,
    RandGaussianNoised,
    RandRotate90d,
    RandSpatialCropd,
    Resized,
    Rotate,
    ScaleIntensityd,
    Spacing,
    ToTensord,
    Zoom,
)


def _check(net, *shape):
    x = torch.randn(shape, requires_grad=True)
    out = net(x)
    out = out[0] if isinstance(out, (tuple, list)) else out
    out.square().mean().backward()
    return [list(out.shape), out.mean(), out.std(), x.grad.abs().sum()]


def step_unet():
    net = nets.UNet(2, 1, 2, (4, 8, 16), (2, 2), num_res_units=2, norm=Norm.BATCH)
    return _check(net, 1, 1, 32, 32)


def step_unet_3d():
    return _check(nets.UNet(3, 1, 2, (4, 8), (2,), num_res_units=1), 1, 1, 16, 16, 16)


def step_attention_unet():
    return _check(nets.AttentionUnet(2, 1, 2, (4, 8), (2,)), 1, 1, 16, 16)


def step_basic_unet():
    return _check(nets.BasicUNet(2, 1, 2, features=(4, 4, 8, 8, 16, 4)), 1, 1, 32, 32)


def step_densenet():
    return _check(
        nets.DenseNet(2, 1, 3, init_features=8, growth_rate=4, block_config=(2, 2)), 2, 1, 32, 32
    )


def step_unetr():
    return _check(nets.UNETR(1, 2, (16, 16), 4, 16, 32, 2, spatial_dims=2), 1, 1, 16, 16)


def step_swin_unetr():
    return _check(
        nets.SwinUNETR(
            1, 2, feature_size=12, spatial_dims=2, depths=(2, 2, 2, 2), num_heads=(1, 2, 3, 4)
        ),
        1,
        1,
        64,
        64,
    )


def step_vit():
    return _check(
        nets.ViT(
            1,
            (16, 16),
            (4, 4),
            hidden_size=16,
            mlp_dim=32,
            num_layers=2,
            num_heads=2,
            classification=True,
            spatial_dims=2,
        ),
        2,
        1,
        16,
        16,
    )


def step_segresnet():
    return _check(nets.SegResNet(2, 8, 1, 2, blocks_down=(1, 1), blocks_up=(1,)), 1, 1, 16, 16)


def step_dynunet():
    return _check(
        nets.DynUNet(2, 1, 2, [3, 3, 3], [1, 2, 2], [2, 2], filters=[4, 8, 16]), 1, 1, 16, 16
    )


def step_vnet():
    return _check(nets.VNet(2, 1, 2).eval(), 1, 1, 32, 32)


def step_autoencoder():
    return _check(nets.AutoEncoder(2, 1, 1, (4, 8), (2, 2)), 1, 1, 16, 16)


def step_diffusion_unet():
    net = nets.DiffusionModelUNet(
        2,
        1,
        1,
        channels=(8, 16),
        attention_levels=(False, True),
        num_res_blocks=1,
        num_head_channels=8,
        norm_num_groups=4,
    )
    x = torch.randn(1, 1, 16, 16)
    out = net(x, torch.tensor([3]))
    return [list(out.shape), out.abs().mean()]


def step_losses():
    x, y = torch.randn(2, 3, 8, 8), torch.randint(0, 3, (2, 1, 8, 8))
    found = {}
    for kind in (DiceLoss, DiceCELoss, DiceFocalLoss, GeneralizedDiceLoss, TverskyLoss):
        leaf = x.clone().requires_grad_()
        loss = kind(to_onehot_y=True, softmax=True)(leaf, y)
        loss.backward()
        found[kind.__name__] = [loss, leaf.grad.sum(1)]
    found["focal"] = FocalLoss(to_onehot_y=True)(x, y)
    a, b = torch.rand(2, 1, 12, 12), torch.rand(2, 1, 12, 12)
    found["ssim"] = SSIMLoss(2)(a, b)
    found["lncc"] = LocalNormalizedCrossCorrelationLoss(2)(a, b)
    return found


def step_metrics():
    x = one_hot(torch.randint(0, 3, (2, 1, 8, 8)), 3)
    y = one_hot(torch.randint(0, 3, (2, 1, 8, 8)), 3)
    found = []
    for metric in (DiceMetric(), MeanIoU(), HausdorffDistanceMetric(percentile=95)):
        metric(x, y)
        found.append(metric.aggregate())
    auc = ROCAUCMetric()
    auc(torch.rand(20), torch.arange(20) % 2)
    return [*found, auc.aggregate(), compute_roc_auc(torch.rand(10), torch.arange(10) % 2)]


def step_sliding_window():
    net = torch.nn.Conv2d(1, 2, 3, padding=1)
    x = torch.randn(1, 1, 40, 36)
    with torch.no_grad():
        a = sliding_window_inference(x, (16, 16), 4, net, overlap=0.5, mode="gaussian")
        b = SlidingWindowInferer((16, 16), 2)(x, net)
        c = SimpleInferer()(x, net)
    return [a.mean(1), (b - c).abs().max()]


def _images():
    rng = np.random.default_rng(0)
    found = []
    for _ in range(4):
        image = rng.normal(size=(24, 24)).astype(np.float32)
        label = np.zeros((24, 24), np.float32)
        i, j = rng.integers(4, 12, 2)
        label[i : i + 8, j : j + 8] = 1
        found.append({"image": image + label, "label": label})
    return found


def _transforms():
    keys = ["image", "label"]
    made = Compose(
        [
            EnsureChannelFirstd(keys, channel_dim="no_channel"),
            ScaleIntensityd("image"),
            CropForegroundd(keys, source_key="image"),
            Resized(keys, (20, 20), mode=("bilinear", "nearest")),
            RandAffined(
                keys, prob=1.0, rotate_range=0.3, scale_range=0.2, mode=("bilinear", "nearest")
            ),
            RandFlipd(keys, prob=0.5),
            RandRotate90d(keys, prob=0.5),
            RandGaussianNoised("image", prob=1.0, std=0.05),
            RandSpatialCropd(keys, (16, 16), random_size=False),
            ToTensord(keys),
        ]
    )
    made.set_random_state(0)
    return made


def step_transforms():
    transforms = _transforms()
    found = [transforms(d) for d in _images()]
    return [[f["image"], f["label"].sum(), f["image"].affine] for f in found]


def step_inverse():
    data = EnsureChannelFirstd("image", channel_dim="no_channel")(_images()[0])
    turn = Compose([RandFlipd("image", prob=1.0, spatial_axis=0), RandRotate90d("image", prob=1.0)])
    turn.set_random_state(1)
    there = turn(data)
    back = turn.inverse(there)
    return [
        there["image"].sum(),
        torch.equal(back["image"], data["image"]),
        len(there["image"].applied_operations),
    ]


def step_meta_tensor():
    x = MetaTensor(
        torch.arange(12.0).reshape(1, 3, 4), affine=torch.diag(torch.tensor([2.0, 1.0, 1.0, 1.0]))
    )
    y = x + 1
    stacked = torch.stack([x, y])
    return [
        type(y).__name__,
        y.affine,
        type(stacked).__name__,
        str(x.meta.get("space")),
        y[0],
        x.as_tensor(),
    ]


def step_spatial():
    x = torch.rand(1, 10, 10)
    return [
        Rotate(0.4)(x),
        Zoom(1.3)(x),
        Spacing((2.0, 2.0))(MetaTensor(x, affine=torch.eye(4))),
        GaussianFilter(2, 1.5)(x[None]),
    ]


def step_post():
    x = torch.randn(3, 6, 6)
    post = Compose([EnsureType(), Activations(softmax=True), AsDiscrete(argmax=True, to_onehot=3)])
    return [post(x), decollate_batch({"a": x})[1]["a"]]


def step_training():
    monai.utils.set_determinism(0)
    loader = DataLoader(Dataset(_images(), _transforms()), 2, collate_fn=list_data_collate)
    net = nets.UNet(2, 1, 1, (4, 8), (2,), num_res_units=1)
    optimizer = Novograd(net.parameters(), 0.01)
    loss_of = DiceLoss(sigmoid=True)
    losses = []
    for _ in range(3):
        for batch in loader:
            optimizer.zero_grad()
            loss = loss_of(net(batch["image"]), batch["label"])
            loss.backward()
            optimizer.step()
            losses.append(loss)
    monai.utils.set_determinism(None)
    return losses
