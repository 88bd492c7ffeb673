"""timm: models, optimizers, schedulers, augmentation, features."""

import timm
import timm.data
import timm.optim
import timm.scheduler
import torch
from timm.loss import LabelSmoothingCrossEntropy, SoftTargetCrossEntropy
from timm.utils import ModelEmaV2, accuracy


def _forward(name, size=32, **options):
    torch.manual_seed(0)
    model = timm.create_model(name, pretrained=False, num_classes=5, **options).eval()
    with torch.no_grad():
        return model(torch.randn(1, 3, size, size))


def step_resnet():
    return _forward("resnet10t")


def step_vit():
    return _forward("vit_tiny_patch16_224", img_size=32, patch_size=8, depth=2)


def step_convnext():
    return _forward("convnext_atto")


def step_mobilenet():
    return _forward("mobilenetv3_small_050", 64)


def step_efficientnet():
    return _forward("efficientnet_b0", 64)


def step_swin():
    return _forward(
        "swin_tiny_patch4_window7_224", 56, img_size=56, window_size=7, depths=(1, 1, 1, 1)
    )


def step_train():
    torch.manual_seed(0)
    model = timm.create_model("resnet10t", num_classes=4)
    optimizer = timm.optim.create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
    schedule = timm.scheduler.CosineLRScheduler(optimizer, t_initial=5, warmup_t=1)
    criterion, losses = LabelSmoothingCrossEntropy(), []
    for epoch in range(2):
        loss = criterion(model(torch.randn(4, 3, 32, 32)), torch.tensor([0, 1, 2, 3]))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        schedule.step(epoch)
        losses.append(loss.item())
    return losses


def step_optimizers():
    found = []
    for name in ("lamb", "nadamw", "lion", "adabelief", "sgd", "adafactor", "rmsproptf", "madgrad"):
        torch.manual_seed(0)
        model = torch.nn.Linear(3, 2)
        optimizer = timm.optim.create_optimizer_v2(model, opt=name, lr=1e-2)
        for _ in range(2):
            model(torch.ones(1, 3)).sum().backward()
            optimizer.step()
        found.append(model.weight.detach())
    return found


def step_mixup():
    import numpy

    numpy.random.seed(0)
    mix = timm.data.Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, num_classes=3)
    x, y = mix(torch.randn(4, 3, 8, 8), torch.tensor([0, 1, 2, 0]))
    return [x.sum(), y, SoftTargetCrossEntropy()(torch.zeros(4, 3), y)]


def step_features():
    torch.manual_seed(0)
    model = timm.create_model("resnet10t", features_only=True).eval()
    return [list(f.shape) for f in model(torch.randn(1, 3, 32, 32))]


def step_names():
    return len(timm.list_models("resnet*")) > 10


def step_ema_and_accuracy():
    model = torch.nn.Linear(2, 2)
    ModelEmaV2(model, 0.9).update(model)
    return accuracy(torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([0, 0]))


def step_transform():
    config = timm.data.resolve_data_config({"input_size": (3, 32, 32)})
    return str(timm.data.create_transform(**config))
