"""timm: many families of models, its optimizers, schedules, data, layers and losses."""

import timm
import torch
from timm import layers, loss, optim, scheduler, utils
from timm.data import Mixup, create_transform, resolve_data_config
from timm.models import features, load_state_dict

SMALL = [
    "resnet18",
    "resnet26t",
    "resnext50_32x4d",
    "legacy_seresnet18",
    "test_resnet",
    "test_vit",
    "test_convnext",
    "test_efficientnet",
    "test_byobnet",
    "test_nfnet",
    "vit_tiny_patch16_224",
    "deit_tiny_patch16_224",
    "mixer_s32_224",
    "gmlp_ti16_224",
    "mobilenetv3_small_050",
    "mobilenetv2_035",
    "efficientnet_lite0",
    "tinynet_e",
    "lcnet_035",
    "regnetx_002",
    "regnety_002",
    "ghostnet_050",
    "convnext_atto",
    "convnextv2_atto",
    "pit_ti_224",
    "xcit_nano_12_p16_224",
    "poolformer_s12",
    "edgenext_xx_small",
    "repvgg_a0",
    "levit_128s",
    "coatnet_pico_rw_224",
    "maxvit_rmlp_pico_rw_256",
    "crossvit_tiny_240",
    "cait_xxs24_224",
    "mobileone_s0",
    "fastvit_t8",
    "efficientformer_l1",
    "hardcorenas_a",
    "densenet121",
    "dla34",
    "hrnet_w18_small",
    "vgg11",
    "inception_next_atto",
    "starnet_s1",
    "repghostnet_050",
    "mobilenetv4_conv_small",
    "efficientvit_b0",
    "eva02_tiny_patch14_224",
]


def _forward(name):
    torch.manual_seed(0)
    options = (
        {"img_size": 64} if name.startswith(("vit", "deit", "eva")) and "patch16" in name else {}
    )
    model = timm.create_model(name, num_classes=5, **options)
    size = model.default_cfg["input_size"][-1]
    if options:
        size = 64
    elif not model.default_cfg.get("fixed_input_size", False) and not name.startswith(
        ("mixer", "gmlp", "pit", "xcit", "levit", "coat", "maxvit", "cross", "cait")
    ):
        size = 64
    model.eval()
    x = torch.linspace(-1, 1, 3 * size * size).view(1, 3, size, size)
    with torch.no_grad():
        out = model(x)
    return [out, sum(p.numel() for p in model.parameters()), len(model.state_dict())]


def _many(start, stop):
    return {name: _forward(name) for name in SMALL[start:stop]}


def step_models_first():
    return _many(0, 10)


def step_models_second():
    return _many(10, 20)


def step_models_third():
    return _many(20, 30)


def step_models_fourth():
    return _many(30, 40)


def step_models_fifth():
    return _many(40, 50)


def _tiny():
    torch.manual_seed(0)
    return timm.create_model("test_resnet", num_classes=4)


def step_backward():
    found = {}
    for name in (
        "test_resnet",
        "test_vit",
        "test_convnext",
        "test_efficientnet",
        "test_byobnet",
        "test_nfnet",
    ):
        torch.manual_seed(0)
        model = timm.create_model(name, num_classes=3, drop_rate=0.1, drop_path_rate=0.1)
        size = model.default_cfg["input_size"][-1]
        out = model(torch.randn(2, 3, size, size))
        out.square().mean().backward()
        found[name] = [out, sum(p.grad.norm() for p in model.parameters() if p.grad is not None)]
    return found


def step_optimizers():
    found = {}
    for name in (
        "sgd",
        "adam",
        "adamw",
        "nadam",
        "nadamw",
        "radam",
        "adamax",
        "adabelief",
        "adafactor",
        "adamp",
        "sgdp",
        "lamb",
        "lars",
        "lion",
        "madgrad",
        "novograd",
        "rmsproptf",
        "lookahead_adam",
        "adan",
        "adopt",
        "sgdw",
        "laprop",
        "mars",
        "csgdw",
        "cadamw",
        "clion",
        "muon",
        "adafactorbv",
    ):
        model = _tiny().double()
        optimizer = optim.create_optimizer_v2(
            model, opt=name, lr=0.01, weight_decay=0.05, momentum=0.9
        )
        x = torch.linspace(0, 1, 2 * 3 * 32 * 32).view(2, 3, 32, 32).double()
        losses = []
        for _ in range(2):
            optimizer.zero_grad()
            value = model(x).square().mean()
            value.backward()
            optimizer.step()
            losses.append(value.item())
        found[name] = [losses, type(optimizer).__name__, len(optimizer.param_groups)]
    return found


def step_layer_decay():
    groups = optim.param_groups_layer_decay(
        timm.create_model("test_vit"), layer_decay=0.7, weight_decay=0.1
    )
    plain = optim.param_groups_weight_decay(_tiny(), 0.1)
    return [
        [[g["lr_scale"], g["weight_decay"], len(g["params"])] for g in groups],
        [[g["weight_decay"], len(g["params"])] for g in plain],
    ]


def step_schedules():
    found = {}
    for name in ("cosine", "tanh", "step", "multistep", "poly", "plateau"):
        optimizer = torch.optim.SGD(_tiny().parameters(), lr=0.5)
        schedule, epochs = scheduler.create_scheduler_v2(
            optimizer,
            sched=name,
            num_epochs=8,
            warmup_epochs=2,
            warmup_lr=1e-3,
            decay_epochs=3,
            decay_milestones=(3, 6),
            min_lr=1e-4,
        )
        rates = []
        for epoch in range(8):
            schedule.step(epoch, metric=1.0)
            rates.append(optimizer.param_groups[0]["lr"])
        found[name] = [rates, epochs]
    return found


def step_losses():
    x, y = torch.randn(4, 5), torch.tensor([0, 1, 2, 3])
    soft = torch.nn.functional.one_hot(y, 5).float() * 0.9 + 0.02
    return [
        loss.LabelSmoothingCrossEntropy(0.1)(x, y),
        loss.SoftTargetCrossEntropy()(x, soft),
        loss.BinaryCrossEntropy(0.1)(x, y),
        loss.AsymmetricLossMultiLabel()(x, soft.round()),
        loss.JsdCrossEntropy(num_splits=2)(x, y[:2]),
        loss.AsymmetricLossSingleLabel()(x, y),
    ]


def step_layers():
    x, found = torch.randn(2, 8, 12, 12), {}
    for make in (
        lambda: layers.SEModule(8),
        lambda: layers.EcaModule(8),
        lambda: layers.BlurPool2d(8),
        lambda: layers.SplitAttn(8),
        lambda: layers.SelectiveKernel(8),
        lambda: layers.NonLocalAttn(8),
        lambda: layers.GlobalContext(8),
        lambda: layers.MixedConv2d(8, 8, [3, 5]),
        lambda: layers.LayerNorm2d(8),
        lambda: layers.GroupNorm1(8),
        lambda: layers.StdConv2d(8, 4, 3),
        lambda: layers.ScaledStdConv2d(8, 4, 3),
        lambda: layers.EvoNorm2dB0(8),
        lambda: layers.FilterResponseNormAct2d(8),
        lambda: layers.DropBlock2d(0.3),
        lambda: layers.DropPath(0.5),
        lambda: layers.SelectAdaptivePool2d(pool_type="catavgmax"),
        lambda: layers.PatchEmbed(12, 4, 8, 6),
        lambda: layers.ConvNormAct(8, 4, 3),
        lambda: layers.AttentionPool2d(8, feat_size=12, num_heads=2),
        lambda: layers.RotAttentionPool2d(8, 4, ref_feat_size=12, num_heads=2),
        lambda: layers.Mlp(12),
        lambda: layers.GluMlp(12),
        lambda: layers.SwiGLU(12, 8),
    ):
        torch.manual_seed(1)
        layer = make()
        found[type(layer).__name__] = layer(x)
    return found


def step_activations():
    x = torch.linspace(-3, 3, 7)
    names = (
        "swish mish relu6 leaky_relu elu celu selu gelu gelu_tanh quick_gelu hard_sigmoid "
        "hard_swish hard_mish silu tanh sigmoid"
    ).split()
    return {n: layers.get_act_fn(n)(x.clone()) for n in names}


def step_mixup():
    import numpy

    numpy.random.seed(3)
    found = []
    for mode in ("batch", "elem", "pair"):
        mix = Mixup(
            mixup_alpha=0.4, cutmix_alpha=1.0, mode=mode, num_classes=5, label_smoothing=0.1
        )
        found.append(mix(torch.rand(4, 3, 8, 8), torch.tensor([0, 1, 2, 3])))
    return found


def step_ema_and_meters():
    model = _tiny()
    emas = [utils.ModelEmaV2(model, 0.9), utils.ModelEmaV3(model, decay=0.9, use_warmup=True)]
    with torch.no_grad():
        for p in model.parameters():
            p.add_(1.0)
    for step, ema in enumerate(emas):
        ema.update(model, *([step + 5] if step else []))
    meter = utils.AverageMeter()
    meter.update(2.0, 3)
    meter.update(4.0)
    return [
        [sum(p.sum() for p in ema.module.parameters()) for ema in emas],
        meter.avg,
        utils.accuracy(torch.eye(4), torch.tensor([0, 1, 2, 0]), topk=(1, 2)),
        utils.get_state_dict(model)["fc.bias"],
        utils.unwrap_model(torch.nn.DataParallel(model)) is model,
    ]


def step_clipping_and_freezing():
    model = _tiny()
    utils.freeze(model, ["conv1", "bn1"])
    model(torch.randn(2, 3, 32, 32)).square().mean().backward()
    utils.dispatch_clip_grad(model.parameters(), 0.1, mode="norm")
    utils.adaptive_clip_grad(model.parameters(), 0.01)
    frozen = [n for n, p in model.named_parameters() if not p.requires_grad]
    return [
        frozen,
        type(model.bn1).__name__,
        sum(p.grad.square().sum() for p in model.parameters() if p.grad is not None),
    ]


def step_features():
    model = timm.create_model("test_resnet", features_only=True, out_indices=(1, 2, 3))
    x = torch.linspace(0, 1, 3 * 64 * 64).view(1, 3, 64, 64)
    wrapped = (
        timm.create_model("resnet18", features_only=True, feature_cls="fx", out_indices=(2, 3))
        if hasattr(features, "FeatureGraphNet")
        else model
    )
    vit = timm.create_model("test_vit").eval()
    size = vit.default_cfg["input_size"][-1]
    final, inner = vit.forward_intermediates(torch.ones(1, 3, size, size), indices=2)
    return [
        [f.shape for f in model(x)],
        model.feature_info.channels(),
        [f.shape for f in wrapped(x)],
        final,
        [i.shape for i in inner],
    ]


def step_heads_and_saving():
    model = _tiny()
    features_out = model.forward_features(torch.ones(1, 3, 64, 64))
    pooled = model.forward_head(features_out, pre_logits=True)
    model.reset_classifier(7)
    torch.save({"state_dict": model.state_dict(), "epoch": 1}, "timm.pth")
    again = load_state_dict("timm.pth")
    grouped = model.group_matcher()
    checkpointed = timm.create_model("test_vit")
    checkpointed.set_grad_checkpointing(True)
    size = checkpointed.default_cfg["input_size"][-1]
    checkpointed(torch.ones(1, 3, size, size)).sum().backward()
    return [
        pooled.shape,
        model(torch.ones(1, 3, 64, 64)).shape,
        len(again),
        sorted(grouped),
        model.no_weight_decay() if hasattr(model, "no_weight_decay") else [],
    ]


def step_data():
    config = resolve_data_config({}, model=_tiny())
    transform = create_transform(**config)
    from PIL import Image

    picture = Image.fromarray(
        (torch.arange(64 * 64 * 3) % 255).to(torch.uint8).view(64, 64, 3).numpy()
    )
    torch.manual_seed(5)
    training = create_transform(
        32, is_training=True, hflip=0.5, color_jitter=0.0, re_prob=0.0, auto_augment=None
    )
    return [
        str(transform),
        transform(picture),
        training(picture).shape,
        timm.list_models("test_*")[:4],
        timm.is_model("resnet18"),
    ]
