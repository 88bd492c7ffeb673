"""segmentation-models-pytorch: decoders on encoders without weights, losses, metrics, training."""

import segmentation_models_pytorch as smp
import torch
from segmentation_models_pytorch import losses, metrics


def _check(kind, encoder="resnet18", size=64, **arguments):
    net = kind(encoder, encoder_weights=None, in_channels=3, classes=2, **arguments).eval()
    x = torch.randn(1, 3, size, size, requires_grad=True)
    out = net(x)
    out.square().mean().backward()
    return [list(out.shape), out.mean(), out.std(), x.grad.abs().sum()]


def step_unet():
    return _check(smp.Unet)


def step_unet_plus_plus():
    return _check(smp.UnetPlusPlus)


def step_manet():
    return _check(smp.MAnet)


def step_linknet():
    return _check(smp.Linknet)


def step_fpn():
    return _check(smp.FPN)


def step_pspnet():
    return _check(smp.PSPNet)


def step_pan():
    return _check(smp.PAN, size=128)


def step_deeplab():
    return [_check(smp.DeepLabV3), _check(smp.DeepLabV3Plus)]


def step_upernet():
    return _check(smp.UPerNet)


def step_segformer():
    return _check(smp.Segformer)


def step_encoders():
    return {
        name: _check(smp.Unet, name)
        for name in (
            "mobilenet_v2",
            "efficientnet-b0",
            "mit_b0",
            "vgg11",
        )
    }


def step_auxiliary():
    net = smp.Unet(
        "resnet18", encoder_weights=None, aux_params={"classes": 3, "dropout": 0.0}
    ).eval()
    mask, label = net(torch.randn(1, 3, 32, 32))
    return [mask.mean(), label]


def step_losses():
    x, y = torch.randn(2, 3, 8, 8), torch.randint(0, 3, (2, 8, 8))
    found = {}
    for name in ("DiceLoss", "JaccardLoss", "FocalLoss", "LovaszLoss", "TverskyLoss"):
        leaf = x.clone().requires_grad_()
        loss = getattr(losses, name)("multiclass")(leaf, y)
        loss.backward()
        found[name] = [loss, leaf.grad.sum(1)]
    found["soft_ce"] = losses.SoftCrossEntropyLoss(smooth_factor=0.1)(x, y)
    found["bce"] = losses.SoftBCEWithLogitsLoss()(x[:, :1], (y[:, None] > 1).float())
    found["mcc"] = losses.MCCLoss()(x[:, :1].sigmoid(), (y[:, None] > 1).float())
    return found


def step_metrics():
    x, y = torch.randint(0, 3, (2, 8, 8)), torch.randint(0, 3, (2, 8, 8))
    counts = metrics.get_stats(x, y, mode="multiclass", num_classes=3)
    return [
        *counts,
        metrics.iou_score(*counts, reduction="micro"),
        metrics.f1_score(*counts, reduction="macro"),
        metrics.accuracy(*counts),
    ]


def step_training():
    net = smp.Unet("resnet18", encoder_weights=None, decoder_channels=(32, 16, 16, 8, 8), classes=1)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    loss_of = losses.DiceLoss("binary")
    x = torch.randn(4, 3, 64, 64)
    y = (x.mean(1, keepdim=True) > 0).float()
    found = []
    for _ in range(3):
        loss = loss_of(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss)
    return found
