"""torchvision: families of models, detection, video, flow, ops, both generations of transforms."""

import torch
import torchvision
from torch.nn import functional as F
from torchvision import models, ops, transforms
from torchvision.transforms import v2


def _classifier(name, size=64, **options):
    torch.manual_seed(0)
    model = getattr(models, name)(weights=None, num_classes=4, **options).eval()
    x = torch.linspace(-1, 1, 3 * size * size).view(1, 3, size, size)
    with torch.no_grad():
        out = model(x)
    return [out, sum(p.numel() for p in model.parameters())]


def step_alexnet_and_vgg():
    return [_classifier("alexnet", 96), _classifier("vgg11", 32)]


def step_residual_nets():
    return [_classifier(n) for n in ("resnet18", "resnet50", "resnext50_32x4d", "wide_resnet50_2")]


def step_mobile_nets():
    return [
        _classifier(n)
        for n in (
            "mobilenet_v2",
            "mobilenet_v3_small",
            "mnasnet0_5",
            "shufflenet_v2_x0_5",
            "squeezenet1_1",
        )
    ]


def step_inception():
    return [
        _classifier("googlenet", 64, aux_logits=False, init_weights=False),
        _classifier("inception_v3", 96, aux_logits=False, init_weights=False),
    ]


def step_dense_and_efficient():
    return [
        _classifier(n)
        for n in (
            "densenet121",
            "efficientnet_b0",
            "efficientnet_v2_s",
            "regnet_y_400mf",
            "regnet_x_400mf",
        )
    ]


def step_transformers():
    return [
        _classifier("vit_b_32", 64, image_size=64),
        _classifier("swin_t"),
        _classifier("swin_v2_t", 64),
        _classifier("convnext_tiny"),
    ]


def _pictures():
    generator = torch.Generator().manual_seed(3)
    return [torch.rand(3, 64, 80, generator=generator), torch.rand(3, 72, 64, generator=generator)]


def _targets():
    found = []
    for picture in _pictures():
        target = {
            "boxes": torch.tensor([[5.0, 5.0, 40.0, 40.0], [20.0, 10.0, 60.0, 50.0]]),
            "labels": torch.tensor([1, 2]),
        }
        found.append(target)
    return found


SMALL = {
    "weights": None,
    "weights_backbone": None,
    "num_classes": 3,
    "min_size": 64,
    "max_size": 96,
}


def step_fcos_losses():
    torch.manual_seed(1)
    model = models.detection.fcos_resnet50_fpn(**SMALL).train()
    return model(_pictures(), _targets())


def step_segmentation():
    found = {}
    for name in ("fcn_resnet50", "deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large"):
        torch.manual_seed(0)
        model = getattr(models.segmentation, name)(
            weights=None, weights_backbone=None, num_classes=3
        ).eval()
        with torch.no_grad():
            found[name] = model(torch.linspace(0, 1, 3 * 32 * 32).view(1, 3, 32, 32))["out"].mean(
                (2, 3)
            )
    return found


def step_video():
    torch.manual_seed(0)
    model = models.video.r3d_18(weights=None, num_classes=2).eval()
    other = models.video.mc3_18(weights=None, num_classes=2).eval()
    x = torch.linspace(0, 1, 3 * 4 * 32 * 32).view(1, 3, 4, 32, 32)
    with torch.no_grad():
        return [model(x), other(x)]


def step_optical_flow():
    torch.manual_seed(0)
    model = models.optical_flow.raft_small(weights=None).eval()
    a = torch.linspace(-1, 1, 3 * 128 * 128).view(1, 3, 128, 128)
    with torch.no_grad():
        return model(a, a.roll(2, -1), num_flow_updates=2)[-1].mean((2, 3))


def step_registry():
    weights = models.get_model_weights("resnet18")
    return [
        len(models.list_models()),
        models.list_models(module=models.segmentation),
        [w.name for w in weights],
        weights.DEFAULT.meta["num_params"],
        str(weights.IMAGENET1K_V1.transforms()),
        models.get_model("resnet18").fc.out_features,
        models.ResNet18_Weights.DEFAULT.url[-20:],
    ]


def step_ops():
    boxes = torch.tensor([[0.0, 0.0, 10.0, 10.0], [5.0, 5.0, 15.0, 12.0], [20.0, 20.0, 22.0, 30.0]])
    other = boxes + 1
    x = torch.randn(1, 4, 16, 16)
    return [
        ops.box_area(boxes),
        ops.box_iou(boxes, other),
        ops.generalized_box_iou(boxes, other),
        ops.distance_box_iou(boxes, other),
        ops.complete_box_iou(boxes, other),
        ops.clip_boxes_to_image(boxes * 2, (24, 24)),
        ops.remove_small_boxes(boxes, 5.0),
        ops.box_convert(boxes, "xyxy", "cxcywh"),
        ops.masks_to_boxes(torch.eye(6).view(1, 6, 6)),
        ops.sigmoid_focal_loss(x, (x > 0).float(), reduction="mean"),
        ops.generalized_box_iou_loss(boxes, other, reduction="sum"),
        ops.FrozenBatchNorm2d(4)(x),
        ops.SqueezeExcitation(4, 2)(x).shape,
        ops.StochasticDepth(0.5, "row")(x),
        ops.DropBlock2d(0.3, 3)(x),
        ops.MLP(4, [8, 2])(x.permute(0, 2, 3, 1)).shape,
        ops.Conv2dNormActivation(4, 8)(x).shape,
        ops.Permute([0, 2, 3, 1])(x).shape,
        ops.FeaturePyramidNetwork([4], 3)({"a": x})["a"].mean(),
    ]


def step_v2_pipeline():
    from torchvision import tv_tensors

    picture = tv_tensors.Image(
        torch.randint(
            0, 255, (3, 40, 50), dtype=torch.uint8, generator=torch.Generator().manual_seed(1)
        )
    )
    boxes = tv_tensors.BoundingBoxes(
        [[5, 5, 20, 30], [1, 2, 49, 39]], format="XYXY", canvas_size=(40, 50)
    )
    mask = tv_tensors.Mask(torch.zeros(2, 40, 50, dtype=torch.uint8))
    found = []
    for t in (
        v2.RandomResizedCrop(32, antialias=True),
        v2.RandomHorizontalFlip(1.0),
        v2.RandomVerticalFlip(1.0),
        v2.RandomRotation(30),
        v2.RandomAffine(10, (0.1, 0.1), (0.8, 1.2), 5),
        v2.RandomPerspective(0.3, 1.0),
        v2.ElasticTransform(20.0),
        v2.RandomZoomOut(p=1.0),
        v2.RandomIoUCrop(),
        v2.ScaleJitter((32, 32)),
        v2.RandomShortestSize([24, 32]),
        v2.Pad(3, padding_mode="reflect"),
        v2.CenterCrop(24),
        v2.FiveCrop(10),
        v2.ColorJitter(0.3, 0.3, 0.3, 0.1),
        v2.RandomPhotometricDistort(p=1.0),
        v2.RandomGrayscale(1.0),
        v2.GaussianBlur(3),
        v2.RandomInvert(1.0),
        v2.RandomPosterize(3, 1.0),
        v2.RandomSolarize(100, 1.0),
        v2.RandomAdjustSharpness(2.0, 1.0),
        v2.RandomAutocontrast(1.0),
        v2.RandomEqualize(1.0),
        v2.RandomChannelPermutation(),
        v2.ClampBoundingBoxes(),
        v2.SanitizeBoundingBoxes(labels_getter=None),
        v2.ToDtype(torch.float32, scale=True),
        v2.Grayscale(3),
        v2.RGB(),
        v2.ConvertBoundingBoxFormat("CXCYWH"),
        v2.RandomErasing(1.0),
    ):
        torch.manual_seed(4)
        try:
            out = t(picture, boxes, mask)
        except Exception as error:
            out = [type(error).__name__]
        found.append(
            [
                type(t).__name__,
                [
                    [type(o).__name__, o.float().mean() if isinstance(o, torch.Tensor) else None]
                    for o in out
                ],
            ]
        )
    return found


def step_v2_augmentations():
    picture = torch.randint(
        0, 255, (3, 32, 32), dtype=torch.uint8, generator=torch.Generator().manual_seed(2)
    )
    found = []
    for t in (
        v2.AutoAugment(),
        v2.RandAugment(),
        v2.TrivialAugmentWide(),
        v2.AugMix(),
        transforms.AutoAugment(),
        transforms.RandAugment(),
        transforms.AugMix(),
    ):
        torch.manual_seed(6)
        found.append([t(picture).float().mean() for _ in range(3)])
    batch, labels = torch.rand(4, 3, 8, 8), torch.arange(4)
    for t in (
        v2.CutMix(num_classes=4),
        v2.MixUp(num_classes=4),
        v2.RandomChoice([v2.CutMix(num_classes=4), v2.MixUp(num_classes=4)]),
    ):
        torch.manual_seed(7)
        found.append(t(batch, labels))
    return found


def step_v1_pipeline():
    from PIL import Image

    picture = Image.fromarray(
        torch.randint(
            0, 255, (40, 50, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(3)
        ).numpy()
    )
    torch.manual_seed(8)
    pipeline = transforms.Compose(
        [
            transforms.Resize(36),
            transforms.RandomCrop(32, padding=2),
            transforms.RandomHorizontalFlip(),
            transforms.ColorJitter(0.2, 0.2, 0.2),
            transforms.RandomRotation(10),
            transforms.ToTensor(),
            transforms.Normalize([0.5] * 3, [0.25] * 3),
            transforms.RandomErasing(0.9),
        ]
    )
    tens = transforms.Compose(
        [
            transforms.TenCrop(20),
            transforms.Lambda(
                lambda crops: torch.stack([transforms.PILToTensor()(c) for c in crops])
            ),
        ]
    )
    return [
        pipeline(picture),
        tens(picture).float().mean((1, 2, 3)),
        str(pipeline),
        transforms.functional.to_pil_image(torch.zeros(1, 4, 4)).mode,
    ]


def step_fake_data_training():
    data = torchvision.datasets.FakeData(16, (3, 24, 24), 4, transforms.ToTensor())
    torch.manual_seed(9)
    model = models.resnet18(num_classes=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, nesterov=True)
    losses = []
    for x, y in torch.utils.data.DataLoader(data, 8, shuffle=True):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_drawing():
    picture = torch.zeros(3, 32, 32, dtype=torch.uint8)
    boxes = torch.tensor([[4.0, 4.0, 20.0, 20.0]])
    flow = torch.stack([torch.linspace(-1, 1, 64).view(8, 8), torch.linspace(1, -1, 64).view(8, 8)])
    return [
        torchvision.utils.draw_bounding_boxes(picture, boxes, colors="red").sum((1, 2)),
        torchvision.utils.draw_segmentation_masks(picture, torch.eye(32).bool(), alpha=0.5).sum(
            (1, 2)
        ),
        torchvision.utils.draw_keypoints(
            picture, torch.tensor([[[5.0, 6.0], [20.0, 9.0]]]), radius=2
        ).sum((1, 2)),
        torchvision.utils.make_grid(
            torch.rand(5, 3, 6, 6), nrow=3, normalize=True, value_range=(0, 1)
        ).shape,
        torchvision.utils.flow_to_image(flow).float().mean((1, 2)),
    ]
